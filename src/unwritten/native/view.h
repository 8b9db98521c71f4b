// Views of arrays that somebody else owns. Debug builds check every index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace unwritten {

#ifdef NDEBUG
constexpr bool kChecked = false;
#else
constexpr bool kChecked = true;
#endif

inline void check(bool holds, const char *message) {
    if constexpr (kChecked) {
        if (!holds) throw std::out_of_range(message);
    }
}

template <class T> class View {
public:
    View() = default;
    View(T *data, std::size_t size) : data_(data), size_(size) {}
    template <class U> View(std::vector<U> &vector) : data_(vector.data()), size_(vector.size()) {}
    template <class U> View(const std::vector<U> &vector) : data_(vector.data()), size_(vector.size()) {}

    T &operator[](std::size_t i) const {
        check(i < size_, "index outside an array");
        return data_[i];
    }
    std::size_t size() const { return size_; }
    T *data() const { return data_; }
    T *begin() const { return data_; }
    T *end() const { return data_ + size_; }

private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

// A matrix in row order.
template <class T> class Matrix {
public:
    Matrix() = default;
    Matrix(T *data, std::size_t rows, std::size_t columns) : data_(data), rows_(rows), columns_(columns) {}

    View<T> operator[](std::size_t i) const {
        check(i < rows_, "row outside a matrix");
        return View<T>(data_ + i * columns_, columns_);
    }
    std::size_t rows() const { return rows_; }
    std::size_t columns() const { return columns_; }
    T *data() const { return data_; }

private:
    T *data_ = nullptr;
    std::size_t rows_ = 0, columns_ = 0;
};

}  // namespace unwritten
