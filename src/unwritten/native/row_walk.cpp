// A walk over the rows a·y ≤ b that all inside labels obey: a step is taken if it lets not too many outside labels in.
#include <algorithm>
#include <limits>

#include "kernels.h"
#include "simd.h"

namespace unwritten {

namespace {

// Sums of labels, and what a step adds to them: u times the values of one column, and v times those of another.
struct Step {
    const std::int32_t *now, *one, *two;
    std::int32_t u, v;

    UNWRITTEN_INLINE std::int32_t sum(std::size_t k) const { return now[k] + u * one[k] + v * two[k]; }
};

UNWRITTEN_INLINE std::int32_t most(const Step &step, std::size_t count) {
    std::int32_t largest = std::numeric_limits<std::int32_t>::min();
    for (std::size_t k = 0; k < count; ++k) largest = std::max(largest, step.sum(k));
    return largest;
}

UNWRITTEN_INLINE std::int32_t up_to(const Step &step, std::size_t count, std::int32_t bound) {
    std::int32_t allowed = 0;
    for (std::size_t k = 0; k < count; ++k) allowed += step.sum(k) <= bound;
    return allowed;
}

// sums += change · values
UNWRITTEN_INLINE void add(std::int32_t change, const std::int32_t *values, std::size_t count, std::int32_t *sums) {
    for (std::size_t k = 0; k < count; ++k) sums[k] += change * values[k];
}

struct Loops {
    std::int32_t (*most)(const Step &, std::size_t);
    std::int32_t (*up_to)(const Step &, std::size_t, std::int32_t);
    void (*add)(std::int32_t, const std::int32_t *, std::size_t, std::int32_t *);
};

std::int32_t most_plain(const Step &step, std::size_t count) { return most(step, count); }
std::int32_t up_to_plain(const Step &step, std::size_t count, std::int32_t bound) { return up_to(step, count, bound); }
void add_plain(std::int32_t change, const std::int32_t *values, std::size_t count, std::int32_t *sums) {
    add(change, values, count, sums);
}

#if UNWRITTEN_X86
UNWRITTEN_TARGET("avx2") std::int32_t most_avx2(const Step &step, std::size_t count) { return most(step, count); }
UNWRITTEN_TARGET("avx2") std::int32_t up_to_avx2(const Step &step, std::size_t count, std::int32_t bound) {
    return up_to(step, count, bound);
}
UNWRITTEN_TARGET("avx2") void add_avx2(std::int32_t change, const std::int32_t *values, std::size_t count,
                                      std::int32_t *sums) {
    add(change, values, count, sums);
}
const Loops best = has_avx2() ? Loops{most_avx2, up_to_avx2, add_avx2} : Loops{most_plain, up_to_plain, add_plain};
#else
const Loops best = {most_plain, up_to_plain, add_plain};
#endif

// Labels by column, the sum of each under the row when the walk last began afresh, and those near the edge.
class Sums {
public:
    explicit Sums(Matrix<const std::int32_t> columns)
        : columns_(columns), row_(columns.rows()), sums_(columns.columns()) {}

    // The sums under another row, from those under the last one: most coefficients are often the same.
    const std::vector<std::int32_t> &of(const std::vector<std::int32_t> &row) {
        for (std::size_t j = 0; j < row.size(); ++j) {
            if (row[j] == row_[j]) continue;
            best.add(row[j] - row_[j], columns_[j].data(), sums_.size(), sums_.data());
        }
        row_ = row;
        return sums_;
    }

    // Keep the labels whose sums are from `low` to `high`: only these may matter before the row has moved far.
    void choose(std::int32_t low, std::int32_t high) {
        places_.clear();
        for (std::size_t i = 0; i < sums_.size(); ++i) {
            if (sums_[i] >= low && sums_[i] <= high) places_.push_back(i);
        }
        now_.resize(places_.size());
        near_.resize(places_.size() * columns_.rows());
        for (std::size_t k = 0; k < places_.size(); ++k) now_[k] = sums_[places_[k]];
        for (std::size_t j = 0; j < columns_.rows(); ++j) {
            const std::int32_t *values = columns_[j].data();
            std::int32_t *chosen = near_.data() + j * places_.size();
            for (std::size_t k = 0; k < places_.size(); ++k) chosen[k] = values[places_[k]];
        }
    }

    Step step(std::int32_t i, std::int32_t u, std::int32_t j, std::int32_t v) const {
        const std::int32_t *one = near_.data() + static_cast<std::size_t>(i) * size();
        const std::int32_t *two = near_.data() + static_cast<std::size_t>(j) * size();
        return {now_.data(), one, two, u, v};
    }
    std::int32_t largest(const Step &step) const { return best.most(step, size()); }
    std::int64_t allowed(const Step &step, std::int32_t bound) const { return best.up_to(step, size(), bound); }
    void accept(const Step &step) {
        best.add(step.u, step.one, size(), now_.data());
        best.add(step.v, step.two, size(), now_.data());
    }
    std::size_t size() const { return places_.size(); }

private:
    Matrix<const std::int32_t> columns_;
    std::vector<std::int32_t> row_, sums_;
    std::vector<std::size_t> places_;
    std::vector<std::int32_t> now_, near_;
};

}  // namespace

std::vector<std::int64_t> walked_rows(View<const std::int32_t> start, Matrix<const std::int32_t> inside,
                                      Matrix<const std::int32_t> outside, Matrix<const std::int32_t> which,
                                      Matrix<const std::int32_t> changes, View<const double> factors,
                                      const WalkLimits &limits, Watch &watch) {
    std::vector<std::int32_t> row(start.begin(), start.end());
    std::vector<std::int64_t> visited;
    Sums labels(inside), others(outside);
    std::size_t step = 0;
    while (step < which.rows()) {
        const std::vector<std::int32_t> &own = labels.of(row), &rest = others.of(row);
        std::int32_t bound = *std::max_element(own.begin(), own.end());
        labels.choose(bound - limits.window, bound);
        others.choose(bound - limits.window, bound + limits.window);
        const std::int64_t below = std::count_if(rest.begin(), rest.end(), [&](std::int32_t sum) {
            return sum < bound - limits.window;
        });
        std::int64_t allowed = below + others.allowed(others.step(0, 0, 0, 0), bound);
        for (std::int32_t moved = 0; step < which.rows() && moved <= limits.reach; ++step) {
            const std::int32_t i = which[step][0], j = which[step][1], u = changes[step][0], v = changes[step][1];
            const Step inner = labels.step(i, u, j, v), outer = others.step(i, u, j, v);
            const std::int32_t new_bound = labels.largest(inner);
            const std::int64_t new_allowed = below + others.allowed(outer, new_bound);
            if (static_cast<double>(new_allowed) <= static_cast<double>(allowed) * factors[step]) {
                labels.accept(inner);
                others.accept(outer);
                row[static_cast<std::size_t>(i)] += u;
                row[static_cast<std::size_t>(j)] += v;
                bound = new_bound;
                allowed = new_allowed;
                moved += std::abs(u) + std::abs(v);
            }
            if ((step + 1) % limits.every == 0) {
                visited.insert(visited.end(), row.begin(), row.end());
                visited.push_back(bound);
            }
            if (watch.must_stop(static_cast<std::int64_t>(labels.size() + others.size()))) return visited;
        }
        if (watch.must_stop(static_cast<std::int64_t>(row.size() * (own.size() + rest.size())))) return visited;
    }
    return visited;
}

}  // namespace unwritten
