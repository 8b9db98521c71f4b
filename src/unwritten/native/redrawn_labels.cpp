// Labels whose units are drawn anew at random, where this breaks no row: a block of labels at a time, unit by unit.
#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include "kernels.h"
#include "simd.h"

namespace unwritten {

namespace {

constexpr std::size_t kLanes = 256;  // labels of a block: what it needs stays in the fastest cache
constexpr int kLuckBits = 30;
constexpr std::uint32_t kGolden = 0x9E3779B9u;

template <class T> using Lanes = std::array<T, kLanes>;

// A hash whose values look random (lowbias32 by Chris Wellons, two multiplications).
UNWRITTEN_INLINE std::uint32_t hashed(std::uint32_t x) {
    x = (x ^ (x >> 16)) * 0x7FEB352Du;
    x = (x ^ (x >> 15)) * 0x846CA68Bu;
    return x ^ (x >> 16);
}

// A unit with the rows that have any of its columns, and what each of its values adds to the sums of those.
struct Unit {
    View<const std::int64_t> columns, ends;
    Matrix<const std::int64_t> values;
    std::size_t first = 0;  // place of its first value among those of all units
    bool rising = true;     // each value is one more than the value before it
    std::vector<std::size_t> rows;
    std::vector<std::vector<std::int64_t>> adds;  // for each of the rows, by value

    std::size_t value_of(const std::int64_t *label) const {
        if (columns.size() == 1 && rising) {
            const std::int64_t value = label[columns[0]] - values[0][0];
            if (value >= 0 && value < static_cast<std::int64_t>(ends.size())) return static_cast<std::size_t>(value);
        }
        for (std::size_t v = 0; v < ends.size(); ++v) {
            bool same = true;
            for (std::size_t j = 0; j < columns.size() && same; ++j) same = label[columns[j]] == values[v][j];
            if (same) return v;
        }
        throw std::invalid_argument("a label has none of the values of a unit");
    }
};

// What is drawn of one unit: the numbers below which a random one chooses each value or an earlier one.
struct Ends {
    const std::int32_t *ends;
    std::size_t count;
};

// A row with one unit: what each value adds to its sum, which must not come to lie from low to high.
template <class T> struct Touched {
    const T *adds;
    T low, high;
    T *sums;

    // What a sum grows by, if a unit changes its value.
    template <bool two> UNWRITTEN_INLINE T growth(std::int32_t from, std::int32_t to) const {
        if constexpr (two) return (to - from) * (adds[1] - adds[0]);
        return adds[to] - adds[from];
    }
};

template <class T, bool two>
UNWRITTEN_INLINE void redraw(const std::uint32_t *streams, std::uint32_t turn, const Ends &unit,
                             const std::vector<Touched<T>> &rows, std::int32_t *values) {
    Lanes<std::int32_t> drawn;
    for (std::size_t l = 0; l < kLanes; ++l) {
        const auto luck = static_cast<std::int32_t>(hashed(streams[l] + turn) >> (32 - kLuckBits));
        std::int32_t value = luck >= unit.ends[0];
        if constexpr (!two) {
            for (std::size_t v = 1; v + 1 < unit.count; ++v) value += luck >= unit.ends[v];
        }
        drawn[l] = value;
    }
    for (const Touched<T> &row : rows) {
        for (std::size_t l = 0; l < kLanes; ++l) {
            const T sum = row.sums[l] + row.template growth<two>(values[l], drawn[l]);
            drawn[l] = (sum >= row.low) & (sum <= row.high) ? values[l] : drawn[l];
        }
    }
    for (const Touched<T> &row : rows) {
        for (std::size_t l = 0; l < kLanes; ++l) row.sums[l] += row.template growth<two>(values[l], drawn[l]);
    }
    for (std::size_t l = 0; l < kLanes; ++l) values[l] = drawn[l];
}

// 0/1 columns need no table of what their values add.
template <class T>
UNWRITTEN_INLINE void redraw_any(const std::uint32_t *streams, std::uint32_t turn, const Ends &unit,
                                 const std::vector<Touched<T>> &rows, std::int32_t *values) {
    if (unit.count == 2) {
        redraw<T, true>(streams, turn, unit, rows, values);
    } else {
        redraw<T, false>(streams, turn, unit, rows, values);
    }
}

template <class T>
using Redraw = void (*)(const std::uint32_t *, std::uint32_t, const Ends &, const std::vector<Touched<T>> &,
                        std::int32_t *);

template <class T>
void redraw_plain(const std::uint32_t *streams, std::uint32_t turn, const Ends &unit,
                  const std::vector<Touched<T>> &rows, std::int32_t *values) {
    redraw_any(streams, turn, unit, rows, values);
}
#if UNWRITTEN_X86
template <class T>
UNWRITTEN_TARGET("avx2")
void redraw_avx2(const std::uint32_t *streams, std::uint32_t turn, const Ends &unit,
                 const std::vector<Touched<T>> &rows, std::int32_t *values) {
    redraw_any(streams, turn, unit, rows, values);
}
template <class T> const Redraw<T> best_redraw = has_avx2() ? redraw_avx2<T> : redraw_plain<T>;
#else
template <class T> const Redraw<T> best_redraw = redraw_plain<T>;
#endif

View<const std::int64_t> part(View<const std::int64_t> array, std::size_t start, std::size_t size) {
    if (start > array.size() || size > array.size() - start) throw std::invalid_argument("a unit reaches beyond its array");
    return {array.data() + start, size};
}

std::vector<Unit> listed(const Units &units, Matrix<const std::int64_t> rows) {
    if (units.starts.size() == 0 || units.starts.size() != units.places.size())
        throw std::invalid_argument("units do not have matching shapes");
    std::vector<Unit> found;
    std::size_t used = 0;
    for (std::size_t k = 0; k + 1 < units.starts.size(); ++k) {
        const auto start = static_cast<std::size_t>(units.starts[k]), place = static_cast<std::size_t>(units.places[k]);
        const auto width = static_cast<std::size_t>(units.starts[k + 1]) - start;
        const auto count = static_cast<std::size_t>(units.places[k + 1]) - place;
        Unit unit{part(units.columns, start, width), part(units.ends, place, count), {}, place, true, {}, {}};
        if (width == 0 || count == 0) throw std::invalid_argument("a unit has no columns or no values");
        unit.values = {part(units.values, used, width * count).data(), count, width};
        used += width * count;
        for (std::size_t v = 1; v < count; ++v) unit.rising &= unit.values[v][0] == unit.values[v - 1][0] + 1;
        for (const std::int64_t column : unit.columns) {
            if (column < 0 || static_cast<std::size_t>(column) >= rows.columns())
                throw std::invalid_argument("a unit has a column that there is not");
        }
        for (std::size_t r = 0; r < rows.rows(); ++r) {
            const auto has = [&](std::int64_t column) { return rows[r][static_cast<std::size_t>(column)] != 0; };
            if (std::none_of(unit.columns.begin(), unit.columns.end(), has)) continue;
            unit.rows.push_back(r);
            unit.adds.emplace_back(count);
            for (std::size_t v = 0; v < count; ++v) {
                for (std::size_t j = 0; j < width; ++j)
                    unit.adds.back()[v] += rows[r][static_cast<std::size_t>(unit.columns[j])] * unit.values[v][j];
            }
        }
        found.push_back(std::move(unit));
    }
    return found;
}

// The most that the sum of any row can be, whatever values the units have.
std::int64_t largest_sum(const std::vector<Unit> &units, Matrix<const std::int64_t> labels,
                         Matrix<const std::int64_t> rows, const std::vector<std::size_t> &alone) {
    std::vector<std::int64_t> sums(rows.rows());
    for (const std::size_t j : alone) {
        std::int64_t largest = 0;
        for (std::size_t i = 0; i < labels.rows(); ++i) largest = std::max(largest, std::abs(labels[i][j]));
        for (std::size_t r = 0; r < rows.rows(); ++r) sums[r] += std::abs(rows[r][j]) * largest;
    }
    for (const Unit &unit : units) {
        for (std::size_t k = 0; k < unit.rows.size(); ++k) {
            std::int64_t largest = 0;
            for (const std::int64_t sum : unit.adds[k]) largest = std::max(largest, std::abs(sum));
            sums[unit.rows[k]] += largest;
        }
    }
    return sums.empty() ? 0 : *std::max_element(sums.begin(), sums.end());
}

// Columns of no unit, which rows may have as well.
std::vector<std::size_t> columns_alone(const std::vector<Unit> &units, Matrix<const std::int64_t> rows) {
    std::vector<std::uint8_t> apart(rows.columns(), 1);
    for (const Unit &unit : units) {
        for (const std::int64_t column : unit.columns) apart[static_cast<std::size_t>(column)] = 0;
    }
    std::vector<std::size_t> alone;
    for (std::size_t j = 0; j < apart.size(); ++j) {
        if (apart[j]) alone.push_back(j);
    }
    return alone;
}

// Draws blocks of labels. T holds three times the largest sum.
template <class T> class Drawing {
public:
    Drawing(const std::vector<Unit> &units, Matrix<const std::int64_t> rows, View<const std::int64_t> low,
            View<const std::int64_t> high, const std::vector<std::size_t> &alone)
        : units_(units), sums_(rows.rows()), values_(units.size()), ends_(units.size()),
          touched_(units.size()) {
        for (std::size_t k = 0; k < units.size(); ++k) {
            for (const std::int64_t end : units[k].ends) ends_[k].push_back(static_cast<std::int32_t>(end));
            for (std::size_t i = 0; i < units[k].rows.size(); ++i) {
                const std::size_t r = units[k].rows[i];
                adds_.emplace_back(units[k].adds[i].begin(), units[k].adds[i].end());
                touched_[k].push_back({adds_.back().data(), clipped(low[r]), clipped(high[r]), sums_[r].data()});
            }
        }
        for (std::size_t r = 0; r < rows.rows(); ++r) {
            for (const std::size_t j : alone) {
                if (rows[r][j] != 0) terms_.push_back({r, j, static_cast<T>(rows[r][j])});
            }
        }
    }

    // Draw the labels from `start` on, at most kLanes of them.
    void block(View<std::int64_t> labels, std::size_t width, std::size_t start, std::size_t count,
               std::int64_t sweeps, std::uint32_t seed, View<std::int64_t> counts) {
        const auto label = [&](std::size_t l) { return labels.data() + (start + std::min(l, count - 1)) * width; };
        Lanes<std::uint32_t> streams;
        for (std::size_t l = 0; l < kLanes; ++l) {
            streams[l] = hashed(static_cast<std::uint32_t>(start + l) + hashed(seed + kGolden));
            for (std::size_t k = 0; k < units_.size(); ++k)
                values_[k][l] = static_cast<std::int32_t>(units_[k].value_of(label(l)));
        }
        for (auto &sums : sums_) sums.fill(0);
        for (const Term &term : terms_) {
            for (std::size_t l = 0; l < kLanes; ++l) sums_[term.row][l] += term.factor * static_cast<T>(label(l)[term.column]);
        }
        for (std::size_t k = 0; k < units_.size(); ++k) {
            for (const Touched<T> &row : touched_[k]) {
                for (std::size_t l = 0; l < kLanes; ++l) row.sums[l] += row.adds[values_[k][l]];
            }
        }
        std::uint32_t turn = 0;
        for (std::int64_t sweep = 0; sweep < sweeps; ++sweep) {
            for (std::size_t k = 0; k < units_.size(); ++k) {
                best_redraw<T>(streams.data(), turn += kGolden, {ends_[k].data(), ends_[k].size()}, touched_[k],
                               values_[k].data());
            }
        }
        for (std::size_t l = 0; l < count; ++l) {
            for (std::size_t k = 0; k < units_.size(); ++k) {
                const Unit &unit = units_[k];
                const auto value = static_cast<std::size_t>(values_[k][l]);
                for (std::size_t j = 0; j < unit.columns.size(); ++j) label(l)[unit.columns[j]] = unit.values[value][j];
                ++counts[unit.first + value];
            }
        }
    }

private:
    struct Term {
        std::size_t row, column;
        T factor;
    };

    static T clipped(std::int64_t value) {
        return static_cast<T>(std::clamp<std::int64_t>(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
    }

    const std::vector<Unit> &units_;
    std::vector<Lanes<T>> sums_;               // by row
    std::vector<Lanes<std::int32_t>> values_;  // by unit
    std::vector<std::vector<std::int32_t>> ends_;
    std::vector<std::vector<T>> adds_;
    std::vector<std::vector<Touched<T>>> touched_;
    std::vector<Term> terms_;
};

template <class T> void draw(Drawing<T> drawing, std::size_t width, std::int64_t sweeps, std::uint32_t seed,
                             Watch &watch, Redrawn &drawn) {
    const std::size_t labels = drawn.labels.size() / std::max<std::size_t>(width, 1);
    for (std::size_t start = 0; start < labels; start += kLanes) {
        drawing.block(drawn.labels, width, start, std::min(kLanes, labels - start), sweeps, seed, drawn.counts);
        if (watch.must_stop(sweeps * static_cast<std::int64_t>(drawn.counts.size() * kLanes / 8))) return;
    }
}

}  // namespace

Redrawn redrawn_labels(Matrix<const std::int64_t> labels, const Units &units, Matrix<const std::int64_t> rows,
                       View<const std::int64_t> low, View<const std::int64_t> high, std::int64_t sweeps,
                       std::uint32_t seed, Watch &watch) {
    const std::vector<Unit> every = listed(units, rows);
    const std::vector<std::size_t> alone = columns_alone(every, rows);
    Redrawn drawn{{labels.data(), labels.data() + labels.rows() * labels.columns()},
                  std::vector<std::int64_t>(units.ends.size())};
    if (largest_sum(every, labels, rows, alone) < std::numeric_limits<std::int32_t>::max() / 3) {
        draw(Drawing<std::int32_t>(every, rows, low, high, alone), labels.columns(), sweeps, seed, watch, drawn);
    } else {
        draw(Drawing<std::int64_t>(every, rows, low, high, alone), labels.columns(), sweeps, seed, watch, drawn);
    }
    return drawn;
}

}  // namespace unwritten
