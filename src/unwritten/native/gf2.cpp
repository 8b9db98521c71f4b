// Linear algebra over GF(2) on columns of bits.
#include <algorithm>
#include <array>
#include <bit>

#include "kernels.h"
#include "lane.h"

namespace unwritten {

namespace {

// The span of columns that fit one word, kept as the linear functions that are 0 on all its columns: values[b] holds,
// for each such function, its value on the unit vector b. So the values on a column are the sum of values[b] over the
// bits b of the column, and the column is independent of the span unless they are all 0. Columns have few bits, so this
// takes a few steps.
class NarrowSpan {
public:
    explicit NarrowSpan(Matrix<const std::uint64_t> codes) {
        std::uint64_t every = 0;
        for (std::size_t j = 0; j < codes.rows(); ++j) every |= codes[j][0];
        bits_ = static_cast<std::size_t>(std::bit_width(every));
    }

    void clear() {
        for (std::size_t b = 0; b < bits_; ++b) values_[b] = std::uint64_t{1} << b;
    }

    // Add a column; true if it is independent of the columns before it.
    bool grows(const std::uint64_t *column) {
        std::uint64_t sum = 0;
        for (std::uint64_t rest = *column; rest != 0; rest &= rest - 1) {
            sum ^= values_[static_cast<std::size_t>(std::countr_zero(rest))];
        }
        if (sum == 0) return false;
        const int pivot = std::countr_zero(sum);
        for (std::size_t b = 0; b < bits_; ++b) values_[b] ^= sum & (0 - ((values_[b] >> pivot) & 1));
        return true;
    }

private:
    std::size_t bits_;
    std::array<std::uint64_t, kWordBits> values_;
};

// The span of columns of any number of words, kept as a basis: each vector has a lowest bit, its pivot, that is 0 in
// all vectors added after it.
class WideSpan {
public:
    explicit WideSpan(Matrix<const std::uint64_t> codes)
        : words_(codes.columns()), basis_(words_ * kWordBits * words_), used_(words_), vector_(words_) {}

    void clear() { std::fill(used_.begin(), used_.end(), 0); }

    bool grows(const std::uint64_t *column) {
        std::copy(column, column + words_, vector_.begin());
        for (std::size_t word = 0; word < words_; ++word) {
            while (vector_[word] != 0) {
                const int bit = std::countr_zero(vector_[word]);
                std::uint64_t *pivot = basis_.data() + (word * kWordBits + static_cast<std::size_t>(bit)) * words_;
                if (((used_[word] >> bit) & 1) == 0) {
                    used_[word] |= std::uint64_t{1} << bit;
                    std::copy(vector_.begin(), vector_.end(), pivot);
                    return true;
                }
                for (std::size_t w = word; w < words_; ++w) vector_[w] ^= pivot[w];
            }
        }
        return false;
    }

private:
    std::size_t words_;
    std::vector<std::uint64_t> basis_;  // by pivot
    std::vector<std::uint64_t> used_;   // the pivots in use, as bits
    std::vector<std::uint64_t> vector_;
};

// Take the columns of a row in turn while the rank grows, up to `most` of them; call `visit` with each column taken.
template <class Span, class Visit>
std::int64_t take_row(Span &span, Matrix<const std::uint64_t> codes, View<const std::int64_t> row, std::int64_t most,
                      Visit visit) {
    std::int64_t rank = 0;
    span.clear();
    for (const std::int64_t j : row) {
        if (j < 0 || rank == most) break;
        if (static_cast<std::size_t>(j) >= codes.rows()) {
            throw std::invalid_argument("a column number is outside the matrix");
        }
        if (span.grows(codes.data() + static_cast<std::size_t>(j) * codes.columns())) {
            visit(j);
            ++rank;
        }
    }
    return rank;
}

template <class Span>
std::vector<std::int64_t> take_with(Span span, Matrix<const std::uint64_t> codes, Matrix<const std::int64_t> order,
                                    std::int64_t most, Watch &watch) {
    std::vector<std::int64_t> taken(order.rows() * codes.rows());
    for (std::size_t i = 0; i < order.rows(); ++i) {
        std::int64_t *row = taken.data() + i * codes.rows();
        take_row(span, codes, order[i], most, [row](std::int64_t j) { row[j] = 1; });
        if (watch.must_stop(static_cast<std::int64_t>(order.columns() * codes.columns()))) break;
    }
    return taken;
}

template <class Span>
std::int64_t least_rank_with(Span span, Matrix<const std::uint64_t> codes, Matrix<const std::int64_t> order,
                             std::int64_t enough, Watch &watch) {
    for (std::size_t i = 0; i < order.rows(); ++i) {
        const std::int64_t rank = take_row(span, codes, order[i], enough, [](std::int64_t) {});
        if (rank < enough) return rank;
        if (watch.must_stop(static_cast<std::int64_t>(order.columns() * codes.columns()))) break;
    }
    return enough;
}

}  // namespace

std::vector<std::int64_t> take(Matrix<const std::uint64_t> codes, Matrix<const std::int64_t> order, std::int64_t most,
                               Watch &watch) {
    return codes.columns() == 1 ? take_with(NarrowSpan(codes), codes, order, most, watch)
                                : take_with(WideSpan(codes), codes, order, most, watch);
}

std::int64_t least_rank(Matrix<const std::uint64_t> codes, Matrix<const std::int64_t> order, std::int64_t enough,
                        Watch &watch) {
    return codes.columns() == 1 ? least_rank_with(NarrowSpan(codes), codes, order, enough, watch)
                                : least_rank_with(WideSpan(codes), codes, order, enough, watch);
}

}  // namespace unwritten
