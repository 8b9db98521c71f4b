// What the bindings share: arrays in, arrays out, and a watch that hears Ctrl-C.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "view.h"
#include "watch.h"

namespace unwritten {

namespace nb = nanobind;

// Arguments: arrays that Python owns. Other types or layouts raise a TypeError; nothing is converted.
template <class T> using Array1 = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T> using Array2 = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Results: NumPy arrays that own their memory.
template <class T> using Result1 = nb::ndarray<nb::numpy, T, nb::ndim<1>, nb::c_contig>;
template <class T> using Result2 = nb::ndarray<nb::numpy, T, nb::ndim<2>, nb::c_contig>;

template <class T> View<const T> view(const Array1<T> &array) { return {array.data(), array.shape(0)}; }
template <class T> Matrix<const T> matrix(const Array2<T> &array) {
    return {array.data(), array.shape(0), array.shape(1)};
}

template <class T> nb::capsule owner(std::vector<T> *values) {
    return nb::capsule(values, [](void *p) noexcept { delete static_cast<std::vector<T> *>(p); });
}

template <class T> Result1<T> result(std::vector<T> &&values) {
    auto *kept = new std::vector<T>(std::move(values));
    return Result1<T>(kept->data(), {kept->size()}, owner(kept));
}

template <class T> Result2<T> result(std::vector<T> &&values, std::size_t rows, std::size_t columns) {
    auto *kept = new std::vector<T>(std::move(values));
    return Result2<T>(kept->data(), {rows, columns}, owner(kept));
}

template <class T> Result2<T> result(std::unique_ptr<T[]> &&values, std::size_t rows, std::size_t columns) {
    T *kept = values.release();
    return Result2<T>(kept, {rows, columns}, nb::capsule(kept, [](void *p) noexcept { delete[] static_cast<T *>(p); }));
}

// Flags as an array of bool.
inline Result1<bool> flags(std::vector<std::uint8_t> &&values) {
    auto *kept = new std::vector<std::uint8_t>(std::move(values));
    static_assert(sizeof(bool) == 1);
    return Result1<bool>(kept->data(), {kept->size()}, owner(kept));
}

// A function that tells whether a search must end.
using Stop = nb::typed<nb::callable, bool()>;

// A watch for a search that runs without the GIL: it raises what a signal handler raises (Ctrl-C), and ends the search
// if `stop`, a function without arguments, returns true.
inline Watch watching(std::optional<Stop> stop = std::nullopt) {
    return Watch([stop] {
        nb::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        return stop.has_value() && nb::cast<bool>((*stop)());
    });
}

// Run a kernel without the GIL, under a watch.
template <class Kernel> auto without_gil(Kernel kernel, std::optional<Stop> stop = std::nullopt) {
    Watch watch = watching(std::move(stop));
    nb::gil_scoped_release released;
    return kernel(watch);
}

void bind_mining(nb::module_ &module);
void bind_solving(nb::module_ &module);
void bind_engines(nb::module_ &module);

}  // namespace unwritten
