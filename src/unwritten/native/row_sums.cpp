// Sums over the columns of each row, added from the first column to the last: the same bits on every processor.
#include <algorithm>
#include <cmath>

#include "kernels.h"

namespace unwritten {

namespace {

constexpr std::size_t kRowsSummedAtOnce = 8;  // sums that do not wait for each other

// term(i, j) is what column j adds to the sum of row i.
template <class Term> std::vector<double> summed(std::size_t rows, std::size_t columns, Watch &watch, Term term) {
    std::vector<double> sums(rows);
    for (std::size_t first = 0; first < rows; first += kRowsSummedAtOnce) {
        const std::size_t count = std::min(kRowsSummedAtOnce, rows - first);
        double part[kRowsSummedAtOnce] = {};
        if (count == kRowsSummedAtOnce) {
            for (std::size_t j = 0; j < columns; ++j) {
                for (std::size_t k = 0; k < kRowsSummedAtOnce; ++k) part[k] += term(first + k, j);
            }
        } else {
            for (std::size_t k = 0; k < count; ++k) {
                for (std::size_t j = 0; j < columns; ++j) part[k] += term(first + k, j);
            }
        }
        for (std::size_t k = 0; k < count; ++k) sums[first + k] = part[k] + 0.0;
        if (watch.must_stop(static_cast<std::int64_t>(count * columns))) break;
    }
    return sums;
}

}  // namespace

std::vector<double> row_values(Matrix<const double> weights, Matrix<const std::int64_t> labels, Watch &watch) {
    const std::size_t d = weights.columns();
    const double *w = weights.data();
    const std::int64_t *y = labels.data();
    if (labels.rows() == 1) {
        return summed(weights.rows(), d, watch,
                      [=](std::size_t i, std::size_t j) { return w[i * d + j] * static_cast<double>(y[j]); });
    }
    return summed(weights.rows(), d, watch, [=](std::size_t i, std::size_t j) {
        return w[i * d + j] * static_cast<double>(y[i * d + j]);
    });
}

std::vector<double> reach_values(Matrix<const double> weights, View<const std::int64_t> reach, Watch &watch) {
    const std::size_t d = weights.columns();
    const double *w = weights.data();
    const std::int64_t *most = reach.data();
    return summed(weights.rows(), d, watch, [=](std::size_t i, std::size_t j) {
        return std::abs(w[i * d + j]) * static_cast<double>(most[j]);
    });
}

std::vector<double> box_values(Matrix<const double> weights, View<const std::int64_t> lower,
                               View<const std::int64_t> upper, Watch &watch) {
    const std::size_t d = weights.columns();
    const double *w = weights.data();
    const std::int64_t *low = lower.data(), *high = upper.data();
    return summed(weights.rows(), d, watch, [=](std::size_t i, std::size_t j) {
        return std::max(w[i * d + j] * static_cast<double>(low[j]), w[i * d + j] * static_cast<double>(high[j]));
    });
}

}  // namespace unwritten
