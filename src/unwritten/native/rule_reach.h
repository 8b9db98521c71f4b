// Whether deviations from a start label can still meet all rules, and at what price.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "best_first.h"
#include "view.h"

namespace unwritten {

// A variable that can step away from its start value.
struct Deviating {
    double price, weight;  // of one step, and per unit
    std::int64_t steps;
    std::int64_t ups;  // the first `ups` steps go up from the start value, the others down
    std::size_t column;
};

// The activity of every rule on a walk, and lower bounds on the price of what is still missing.
//
// With λ for multipliers, a label has the value top − Σ price · steps − Σ λ · slack, where the last sum is over
// inequalities. A rule whose activity must rise or fall by some units needs deviations, or slack, that do it. For any
// prices μ of a unit of each rule (μ ≤ λ on inequalities) such that no step of a variable from p on is worth more than
// its own price, these deviations cost μ · missing at least.
class RuleReach {
public:
    explicit RuleReach(const BoundedRules &rules)
        : rules_(rules), r_(rules.rhs.size()), activity_(r_), missing_(r_), unit_prices_(r_), entry_starts_(r_ + 1) {
        std::size_t entries = 0, columns = 0;
        for (std::size_t j = 0; j < rules.lower.size(); ++j) {
            if (rules.lower[j] == rules.upper[j]) continue;
            ++columns;
            for (std::size_t i = 0; i < r_; ++i) entries += rules.matrix[i][j] != 0;
        }
        is_sparse_ = r_ > 1 && 2 * entries <= r_ * columns;
    }

    // Begin a walk over variables in ascending order of price.
    void start(const std::vector<std::int64_t> &label, const std::vector<Deviating> &variables,
               View<const double> multipliers) {
        variables_ = &variables;
        multipliers_ = multipliers;
        const std::size_t v = variables.size();
        coefficients_.resize(v * r_);
        rests_.resize((v + 1) * r_);
        left_.resize(v);
        for (std::size_t i = 0; i < r_; ++i) {
            const View<const std::int64_t> row = rules_.matrix[i];
            missing_[i] = rules_.rhs[i] - std::inner_product(row.begin(), row.end(), label.begin(), std::int64_t{0});
            activity_[i] = 0;
            rests_[v * r_ + i] = {0, 0, rules_.equality[i] ? kInfinity : multipliers[i], kInfinity};
            for (std::size_t p = 0; p < v; ++p) coefficients_[p * r_ + i] = row[variables[p].column];
        }
        for (std::size_t p = v; p-- > 0;) {
            const Deviating &variable = variables[p];
            for (std::size_t i = 0; i < r_; ++i) {
                Rest rest = rests_[(p + 1) * r_ + i];
                const std::int64_t swing = variable.ups > 0 ? coefficients_[p * r_ + i] : -coefficients_[p * r_ + i];
                const double unit = variable.price / std::abs(static_cast<double>(swing));
                if (swing > 0) rest.most += variable.steps * swing, rest.unit_up = std::min(rest.unit_up, unit);
                if (swing < 0) rest.least += variable.steps * swing, rest.unit_down = std::min(rest.unit_down, unit);
                rests_[p * r_ + i] = rest;
            }
        }
        if (is_sparse_) list_entries();
    }

    void deviate(std::size_t p, std::int64_t change) {
        const std::int64_t *coefficients = coefficients_.data() + p * r_;
        for (std::size_t i = 0; i < r_; ++i) activity_[i] += change * coefficients[i];
    }

    bool obeyed() const {
        for (std::size_t i = 0; i < r_; ++i) {
            if (activity_[i] > missing_[i] || (rules_.equality[i] && activity_[i] != missing_[i])) return false;
        }
        return true;
    }

    // False if some rule alone costs more than `price`, or cannot be met at all, by variables from p on.
    bool each_within(std::size_t p, double price) const {
        const Rest *rests = rests_.data() + p * r_;
        for (std::size_t i = 0; i < r_; ++i) {
            const std::int64_t more = missing_[i] - activity_[i];
            if (more < rests[i].least || (rules_.equality[i] && more > rests[i].most)) return false;
            if (more == 0) continue;
            const double unit = more > 0 ? rests[i].unit_up : rests[i].unit_down;
            if (kSurely * std::abs(static_cast<double>(more)) * unit > price) return false;
        }
        return true;
    }

    // False if all rules together surely cost more than `price`. The price of a unit of each rule is raised in turn, as
    // far as the variables from p on that can be paid for allow. This is worth its time if rules have few columns in
    // common; if not, it is not tried. Adds the elementary steps to `steps`.
    bool all_within(std::size_t p, double price, std::int64_t &steps) {
        if (!is_sparse_) return true;
        const std::vector<Deviating> &variables = *variables_;
        std::size_t end = p;
        for (; end < variables.size() && variables[end].price <= price; ++end) left_[end] = variables[end].price;
        steps += static_cast<std::int64_t>(end - p + r_);
        double bound = 0.0;
        for (std::size_t i = 0; i < r_; ++i) {
            unit_prices_[i] = 0.0;
            const std::int64_t more = missing_[i] - activity_[i];
            double unit = more > 0 && !rules_.equality[i] ? multipliers_[i] : kInfinity;
            if (more == 0 || unit == 0.0) continue;
            const double sign = more > 0 ? 1.0 : -1.0;
            const Entry *first = first_entry(i, p), *last = first;
            for (; last->place < end; ++last) {
                const double swing = sign * last->swing;
                if (swing > 0 && left_[last->place] < unit * swing) unit = left_[last->place] / swing;
            }
            steps += 2 * (last - first);
            if (unit == kInfinity) return false;
            if (!(unit > 0)) continue;
            unit_prices_[i] = sign * unit;
            bound += unit * std::abs(static_cast<double>(more));
            if (bound > price) return !surely_above(p, end, i + 1, price);
            for (; first < last; ++first) left_[first->place] -= unit_prices_[i] * first->swing;
        }
        return true;
    }

private:
    static constexpr double kInfinity = std::numeric_limits<double>::infinity();
    static constexpr double kRounding = 0x1p-40;  // more than sums of 2¹⁰ terms are rounded by, as a share of their size
    static constexpr double kSurely = 1.0 - kRounding;

    // What variables from some place on can add to the activity of a rule: the least, the most, and what a unit more or
    // less costs at least. Slack counts as activity.
    struct Rest {
        std::int64_t least, most;
        double unit_up, unit_down;
    };
    // What one step of the variable at a place adds to a rule.
    struct Entry {
        std::size_t place;
        double swing;
    };

    // List the entries of each rule in the order of the walk; a last one is behind all places.
    void list_entries() {
        const std::size_t v = variables_->size();
        entries_.clear();
        for (std::size_t i = 0; i < r_; ++i) {
            entry_starts_[i] = entries_.size();
            for (std::size_t p = 0; p < v; ++p) {
                const auto coefficient = static_cast<double>(coefficients_[p * r_ + i]);
                if (coefficient != 0) entries_.push_back({p, (*variables_)[p].ups > 0 ? coefficient : -coefficient});
            }
            entries_.push_back({v, 0.0});
        }
        entry_starts_[r_] = entries_.size();
    }

    const Entry *first_entry(std::size_t rule, std::size_t p) const {
        const Entry *first = entries_.data() + entry_starts_[rule], *last = entries_.data() + entry_starts_[rule + 1];
        return std::lower_bound(first, last, p, [](const Entry &entry, std::size_t place) { return entry.place < place; });
    }

    // Whether the prices of the first `rules` rules prove that more than `price` must be paid. Whatever a step is worth
    // beyond its own price is subtracted, and so is all that rounding can change.
    bool surely_above(std::size_t p, std::size_t end, std::size_t rules, double price) {
        sizes_.resize(left_.size());
        for (std::size_t k = p; k < end; ++k) {
            sizes_[k] = (*variables_)[k].price;
            left_[k] = sizes_[k];
        }
        double bound = 0.0;
        for (std::size_t i = 0; i < rules; ++i) {
            if (unit_prices_[i] == 0.0) continue;
            bound += unit_prices_[i] * static_cast<double>(missing_[i] - activity_[i]);  // all terms are above 0
            for (const Entry *entry = first_entry(i, p); entry->place < end; ++entry) {
                const double term = unit_prices_[i] * entry->swing;
                left_[entry->place] -= term;
                sizes_[entry->place] += std::abs(term);
            }
        }
        bound *= kSurely;
        for (std::size_t k = p; k < end; ++k) {
            const double excess = kRounding * sizes_[k] - left_[k];
            if (excess > 0) bound -= excess * static_cast<double>((*variables_)[k].steps);
        }
        return bound > price;
    }

    const BoundedRules &rules_;
    std::size_t r_;
    bool is_sparse_;
    const std::vector<Deviating> *variables_ = nullptr;
    View<const double> multipliers_;
    std::vector<std::int64_t> activity_, missing_;  // of each rule: what deviations added, and what they must add
    std::vector<std::int64_t> coefficients_;        // (v, r)
    std::vector<Rest> rests_;                       // (v + 1, r)
    std::vector<double> left_, sizes_;              // (v) what is left of each price, and how large its terms are
    std::vector<double> unit_prices_;               // (r)
    std::vector<Entry> entries_;
    std::vector<std::size_t> entry_starts_;  // (r + 1)
};

}  // namespace unwritten
