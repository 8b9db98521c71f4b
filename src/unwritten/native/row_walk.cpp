// A walk over the rows a·y ≤ b that all inside labels obey: a step is taken if it lets not too many outside labels in.
#include <algorithm>
#include <limits>

#include "kernels.h"

namespace unwritten {

namespace {

// Labels by column, and the sum of each under the current row.
class Sums {
public:
    explicit Sums(Matrix<const std::int32_t> columns) : columns_(columns) {}

    std::vector<std::int32_t> of(const std::vector<std::int32_t> &row) const {
        std::vector<std::int32_t> sums(columns_.columns());
        for (std::size_t j = 0; j < row.size(); ++j) {
            const std::int32_t *values = columns_[j].data();
            for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += row[j] * values[i];
        }
        return sums;
    }

    // Keep the labels whose sums are from `low` to `high`: only these may matter before the row has moved far.
    void choose(const std::vector<std::int32_t> &sums, std::int32_t low, std::int32_t high) {
        places_.clear();
        for (std::size_t i = 0; i < sums.size(); ++i) {
            if (sums[i] >= low && sums[i] <= high) places_.push_back(i);
        }
        now_.resize(places_.size());
        new_.resize(places_.size());
        near_.resize(places_.size() * columns_.rows());
        for (std::size_t k = 0; k < places_.size(); ++k) now_[k] = sums[places_[k]];
        for (std::size_t j = 0; j < columns_.rows(); ++j) {
            const std::int32_t *values = columns_[j].data();
            std::int32_t *chosen = near_.data() + j * places_.size();
            for (std::size_t k = 0; k < places_.size(); ++k) chosen[k] = values[places_[k]];
        }
    }

    void change(std::int32_t i, std::int32_t u, std::int32_t j, std::int32_t v) {
        const std::size_t count = places_.size();
        const std::int32_t *one = near_.data() + static_cast<std::size_t>(i) * count;
        const std::int32_t *two = near_.data() + static_cast<std::size_t>(j) * count;
        for (std::size_t k = 0; k < count; ++k) new_[k] = now_[k] + u * one[k] + v * two[k];
    }
    void accept() { std::swap(now_, new_); }

    std::int32_t largest() const {
        std::int32_t most = std::numeric_limits<std::int32_t>::min();
        for (const std::int32_t sum : new_) most = std::max(most, sum);
        return most;
    }
    std::int64_t up_to(std::int32_t bound) const {
        std::int32_t count = 0;
        for (const std::int32_t sum : new_) count += sum <= bound;
        return count;
    }
    std::size_t size() const { return places_.size(); }

private:
    Matrix<const std::int32_t> columns_;
    std::vector<std::size_t> places_;
    std::vector<std::int32_t> now_, new_, near_;
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
        const std::vector<std::int32_t> own = labels.of(row), rest = others.of(row);
        std::int32_t bound = *std::max_element(own.begin(), own.end());
        labels.choose(own, bound - limits.window, bound);
        others.choose(rest, bound - limits.window, bound + limits.window);
        const std::int64_t below = std::count_if(rest.begin(), rest.end(), [&](std::int32_t sum) {
            return sum < bound - limits.window;
        });
        others.change(0, 0, 0, 0);
        std::int64_t allowed = below + others.up_to(bound);
        for (std::int32_t moved = 0; step < which.rows() && moved <= limits.reach; ++step) {
            const std::int32_t i = which[step][0], j = which[step][1], u = changes[step][0], v = changes[step][1];
            labels.change(i, u, j, v);
            others.change(i, u, j, v);
            const std::int32_t new_bound = labels.largest();
            const std::int64_t new_allowed = below + others.up_to(new_bound);
            if (static_cast<double>(new_allowed) <= static_cast<double>(allowed) * factors[step]) {
                labels.accept();
                others.accept();
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
