// A walk over the rows a·y ≤ b that all inside labels obey: a step is taken if it lets not too many outside labels in.
#include <algorithm>
#include <cstdlib>
#include <limits>

#include "kernels.h"
#include "simd.h"

namespace unwritten {

namespace {

constexpr std::size_t kCounted = 1 << 14;   // labels that are counted in the type of their sums
constexpr std::size_t kLabelsPerStep = 64;  // labels that take as long as an elementary step

// Sums of labels, and what a step adds to them: u times the values of one column, and v times those of another.
template <class T> struct Step {
    const T *now;
    const std::uint8_t *one, *two;
    T u, v;

    UNWRITTEN_INLINE T sum(std::size_t k) const { return static_cast<T>(now[k] + u * one[k] + v * two[k]); }
};

template <class T> UNWRITTEN_INLINE T most(const Step<T> &step, std::size_t count) {
    T largest = std::numeric_limits<T>::min();
    for (std::size_t k = 0; k < count; ++k) largest = std::max(largest, step.sum(k));
    return largest;
}

template <class T> UNWRITTEN_INLINE std::size_t up_to(const Step<T> &step, std::size_t count, T bound) {
    std::size_t allowed = 0;
    for (std::size_t start = 0; start < count; start += kCounted) {
        const std::size_t end = std::min(count, start + kCounted);
        T some = 0;
        for (std::size_t k = start; k < end; ++k) some = static_cast<T>(some + (step.sum(k) <= bound));
        allowed += static_cast<std::size_t>(some);
    }
    return allowed;
}

// sums += change · values
template <class T>
UNWRITTEN_INLINE void add(T change, const std::uint8_t *values, std::size_t count, T *sums) {
    for (std::size_t k = 0; k < count; ++k) sums[k] = static_cast<T>(sums[k] + change * values[k]);
}

template <class T> struct Loops {
    T (*most)(const Step<T> &, std::size_t);
    std::size_t (*up_to)(const Step<T> &, std::size_t, T);
    void (*add)(T, const std::uint8_t *, std::size_t, T *);
};

template <class T> T most_plain(const Step<T> &step, std::size_t count) { return most(step, count); }
template <class T> std::size_t up_to_plain(const Step<T> &step, std::size_t count, T bound) {
    return up_to(step, count, bound);
}
template <class T> void add_plain(T change, const std::uint8_t *values, std::size_t count, T *sums) {
    add(change, values, count, sums);
}

#if UNWRITTEN_X86
template <class T> UNWRITTEN_TARGET("avx2") T most_avx2(const Step<T> &step, std::size_t count) {
    return most(step, count);
}
template <class T> UNWRITTEN_TARGET("avx2") std::size_t up_to_avx2(const Step<T> &step, std::size_t count, T bound) {
    return up_to(step, count, bound);
}
template <class T>
UNWRITTEN_TARGET("avx2") void add_avx2(T change, const std::uint8_t *values, std::size_t count, T *sums) {
    add(change, values, count, sums);
}
template <class T>
const Loops<T> loops = has_avx2() ? Loops<T>{most_avx2<T>, up_to_avx2<T>, add_avx2<T>}
                                  : Loops<T>{most_plain<T>, up_to_plain<T>, add_plain<T>};
#else
template <class T> const Loops<T> loops = {most_plain<T>, up_to_plain<T>, add_plain<T>};
#endif

// Labels by column, and the sum of each under a row.
template <class T> class Sums {
public:
    Sums(Matrix<const std::uint8_t> columns, const std::vector<std::int64_t> &row)
        : columns_(columns), now_(columns.columns()) {
        for (std::size_t j = 0; j < row.size(); ++j) loops<T>.add(static_cast<T>(row[j]), columns[j].data(), now_.size(), now_.data());
    }

    Step<T> step(std::int32_t i, std::int32_t u, std::int32_t j, std::int32_t v) const {
        return {now_.data(), columns_[static_cast<std::size_t>(i)].data(), columns_[static_cast<std::size_t>(j)].data(),
                static_cast<T>(u), static_cast<T>(v)};
    }
    T largest(const Step<T> &step) const { return loops<T>.most(step, now_.size()); }
    std::size_t allowed(const Step<T> &step, T bound) const { return loops<T>.up_to(step, now_.size(), bound); }
    void accept(const Step<T> &step) {
        loops<T>.add(step.u, step.one, now_.size(), now_.data());
        loops<T>.add(step.v, step.two, now_.size(), now_.data());
    }

private:
    Matrix<const std::uint8_t> columns_;
    std::vector<T> now_;
};

class RowWalk {
public:
    RowWalk(View<const std::int32_t> start, Matrix<const std::uint8_t> inside, Matrix<const std::uint8_t> outside,
            Matrix<const std::int32_t> which, Matrix<const std::int32_t> changes, View<const double> factors,
            std::size_t every, Watch &watch)
        : row_(start.begin(), start.end()), top_(start.size()), inside_(inside), outside_(outside), which_(which),
          changes_(changes), factors_(factors), every_(every), watch_(watch) {
        for (std::size_t j = 0; j < row_.size(); ++j) {
            for (const Matrix<const std::uint8_t> &labels : {inside, outside}) {
                for (const std::uint8_t value : labels[j]) top_[j] = std::max<std::int64_t>(top_[j], value);
            }
            widest_ = std::max(widest_, top_[j]);
            size_ += std::abs(row_[j]) * top_[j];
        }
    }

    std::vector<std::int64_t> run() {
        walk<std::int16_t>();
        walk<std::int32_t>();
        walk<std::int64_t>();
        return std::move(visited_);
    }

private:
    // Walk on, as long as no sum can leave the range of T.
    template <class T> void walk() {
        if (watch_.stopped() || !fits<T>()) return;
        Sums<T> labels(inside_, row_), others(outside_, row_);
        T bound = labels.largest(labels.step(0, 0, 0, 0));
        std::size_t allowed = others.allowed(others.step(0, 0, 0, 0), bound);
        const auto work = static_cast<std::int64_t>((inside_.columns() + outside_.columns()) / kLabelsPerStep) + 1;
        for (; step_ < which_.rows() && fits<T>(); ++step_) {
            const std::int32_t i = which_[step_][0], j = which_[step_][1];
            const std::int32_t u = changes_[step_][0], v = changes_[step_][1];
            const Step<T> inner = labels.step(i, u, j, v), outer = others.step(i, u, j, v);
            const T new_bound = labels.largest(inner);
            const std::size_t new_allowed = others.allowed(outer, new_bound);
            if (static_cast<double>(new_allowed) <= static_cast<double>(allowed) * factors_[step_]) {
                labels.accept(inner);
                others.accept(outer);
                change(static_cast<std::size_t>(i), u);
                change(static_cast<std::size_t>(j), v);
                bound = new_bound;
                allowed = new_allowed;
            }
            if ((step_ + 1) % every_ == 0) {
                visited_.insert(visited_.end(), row_.begin(), row_.end());
                visited_.push_back(bound);
            }
            if (watch_.must_stop(work)) return;
        }
    }

    // Whether the sums of all labels are in the range of T, now and after the next step.
    template <class T> bool fits() const {
        if (step_ >= which_.rows()) return false;
        const std::int64_t more = widest_ * (std::abs(std::int64_t{changes_[step_][0]}) +
                                             std::abs(std::int64_t{changes_[step_][1]}));
        return size_ + more <= std::numeric_limits<T>::max();
    }

    void change(std::size_t j, std::int32_t by) {
        size_ -= std::abs(row_[j]) * top_[j];
        row_[j] += by;
        size_ += std::abs(row_[j]) * top_[j];
    }

    std::vector<std::int64_t> row_, top_, visited_;  // top_: the largest value of each column
    std::int64_t widest_ = 0, size_ = 0;       // the largest value of all, and of a sum
    std::size_t step_ = 0;
    Matrix<const std::uint8_t> inside_, outside_;
    Matrix<const std::int32_t> which_, changes_;
    View<const double> factors_;
    std::size_t every_;
    Watch &watch_;
};

}  // namespace

std::vector<std::int64_t> walked_rows(View<const std::int32_t> start, Matrix<const std::uint8_t> inside,
                                      Matrix<const std::uint8_t> outside, Matrix<const std::int32_t> which,
                                      Matrix<const std::int32_t> changes, View<const double> factors, std::size_t every,
                                      Watch &watch) {
    return RowWalk(start, inside, outside, which, changes, factors, every, watch).run();
}

}  // namespace unwritten
