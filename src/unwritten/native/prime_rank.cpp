// The rank of a small matrix modulo the prime 2³¹ − 1.
#include <algorithm>

#include "kernels.h"

namespace unwritten {

namespace {

constexpr std::int64_t kPrime = (std::int64_t{1} << 31) - 1;

std::uint64_t residue(std::int64_t value) {
    const std::int64_t rest = value % kPrime;
    return static_cast<std::uint64_t>(rest < 0 ? rest + kPrime : rest);
}

// value⁻¹ = value^(p − 2), by Fermat.
std::uint64_t inverse(std::uint64_t value) {
    std::uint64_t result = 1;
    for (std::int64_t power = kPrime - 2; power != 0; power >>= 1) {
        if ((power & 1) != 0) result = result * value % kPrime;
        value = value * value % kPrime;
    }
    return result;
}

}  // namespace

std::int64_t prime_rank(Matrix<const std::int64_t> matrix, Watch &watch) {
    const std::size_t rows = matrix.rows(), columns = matrix.columns();
    std::vector<std::uint64_t> entries(rows * columns);
    for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = residue(matrix.data()[i]);
    std::size_t rank = 0;
    for (std::size_t column = 0; column < columns && rank < rows; ++column) {
        std::size_t pivot = rank;
        while (pivot < rows && entries[pivot * columns + column] == 0) ++pivot;
        if (pivot == rows) continue;
        std::uint64_t *const first = entries.data() + rank * columns;
        if (pivot != rank) std::swap_ranges(first, first + columns, entries.data() + pivot * columns);
        const std::uint64_t scale = kPrime - inverse(first[column]);
        for (std::size_t row = pivot + 1; row < rows; ++row) {
            std::uint64_t *const other = entries.data() + row * columns;
            if (other[column] == 0) continue;
            const std::uint64_t factor = other[column] * scale % kPrime;
            for (std::size_t j = column; j < columns; ++j) other[j] = (other[j] + factor * first[j]) % kPrime;
        }
        ++rank;
        if (watch.must_stop(static_cast<std::int64_t>((rows - rank) * columns))) break;
    }
    return static_cast<std::int64_t>(rank);
}

}  // namespace unwritten
