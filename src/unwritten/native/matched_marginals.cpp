// Probabilities that obey rules in expectation and are otherwise as near to given ones as possible.
//
// The nearest q to p in relative entropy with A q ≤ b (or = b) is q = sigmoid(logit p − Aᵀλ), with multipliers λ ≥ 0 of
// the inequalities. They minimise Σ log(1 + exp(logit p − Aᵀλ)) + b·λ. Two kinds of steps lower it until every rule holds:
// solving one rule after the other, each exactly; and, if rules form a forest, Newton's step for all multipliers at once
// but those that stay at 0. The first always gets closer. The second reaches the end within few steps, where the first
// would pass probabilities along a chain of rules for long.
#include <algorithm>
#include <cmath>

#include "kernels.h"
#include "rule_forest.h"

namespace unwritten {

namespace {

constexpr double kLeast = 1e-12;      // probabilities of 0 and 1 can be moved too
constexpr double kFarthest = 40.0;    // no step moves a log-odds further: a rule may ask for exactly 0 or 1
constexpr int kNewtonSteps = 60;
constexpr int kHalvings = 6;          // of Newton's step for all rules, before single rules are solved again
constexpr double kEnoughDescent = 1e-4;

double sigmoid(double x) { return x >= 0 ? 1 / (1 + std::exp(-x)) : 1 - 1 / (1 + std::exp(x)); }

double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

class Projection {
public:
    Projection(SparseRules rules, std::size_t columns, double tolerance)
        : rules_(rules), tolerance_(tolerance), forest_(rules, columns), odds_(columns), q_(columns), trial_(columns),
          diagonal_(columns), starts_(columns + 1), open_(rules.rhs.size()), stale_(rules.rhs.size()),
          excess_(rules.rhs.size()), direction_(rules.rhs.size()), target_(rules.rhs.size()) {
        for (const auto j : rules.columns) ++starts_[static_cast<std::size_t>(j) + 1];
        for (std::size_t j = 0; j < columns; ++j) starts_[j + 1] += starts_[j];
        places_.resize(rules.columns.size());
        std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
        for (std::size_t r = 0; r < rules.rhs.size(); ++r) {
            for (auto k = rules.starts[r]; k < rules.starts[r + 1]; ++k) {
                places_[next[static_cast<std::size_t>(rules.columns[k])]++] = r;
            }
        }
    }

    // Move one row of probabilities in place, unless it obeys the rules already. Adds the work to `steps`.
    void project(double *row, std::int64_t sweeps, std::int64_t &steps) {
        const std::size_t d = q_.size();
        std::copy(row, row + d, q_.begin());
        if (worst(steps) <= tolerance_) return;
        for (std::size_t j = 0; j < d; ++j) {
            const double p = std::clamp(row[j], kLeast, 1 - kLeast);
            odds_[j] = std::log(p / (1 - p));
        }
        multiplier_.assign(rules_.rhs.size(), 0.0);
        std::fill(stale_.begin(), stale_.end(), std::uint8_t{1});
        for (std::int64_t sweep = 0; sweep < sweeps; ++sweep) {
            double change = 0;
            for (std::size_t r = 0; r < multiplier_.size(); ++r) {
                if (stale_[r] != 0) change = std::max(change, step(r, steps));
            }
            if (change <= tolerance_) break;
            if (sweep > 0 && !forest_.empty()) step_together(steps);
        }
        for (std::size_t r = 0; r < multiplier_.size(); ++r) {
            if (multiplier_[r] == 0) continue;
            for (auto k = rules_.starts[r]; k < rules_.starts[r + 1]; ++k) row[rules_.columns[k]] = q_[rules_.columns[k]];
        }
    }

private:
    double excess(std::size_t r) const {
        double sum = -static_cast<double>(rules_.rhs[r]);
        for (auto k = rules_.starts[r]; k < rules_.starts[r + 1]; ++k) {
            sum += static_cast<double>(rules_.coefficients[k]) * q_[rules_.columns[k]];
        }
        return sum;
    }

    double worst(std::int64_t &steps) const {
        double most = 0;
        for (std::size_t r = 0; r < rules_.rhs.size(); ++r) {
            const double over = excess(r);
            most = std::max(most, rules_.equality[r] != 0 ? std::abs(over) : over);
        }
        steps += static_cast<std::int64_t>(rules_.columns.size());
        return most;
    }

    // The step for which two literals hold exactly: "a requires b", "not both" or "one of two"; false for other rules.
    bool two_literals(std::size_t r, double &delta) const {
        const auto k = rules_.starts[r];
        if (rules_.starts[r + 1] != k + 2) return false;
        const auto a = rules_.coefficients[k], b = rules_.coefficients[k + 1];
        if (std::abs(a) != 1 || std::abs(b) != 1 || 2 * rules_.rhs[r] != a + b) return false;
        const double first = odds_[rules_.columns[k]], second = odds_[rules_.columns[k + 1]];
        delta = 0.5 * (static_cast<double>(a) * first + static_cast<double>(b) * second);
        return true;
    }

    // Solve rule r alone by moving its multiplier; returns by how much a probability changed.
    double step(std::size_t r, std::int64_t &steps) {
        const bool equality = rules_.equality[r] != 0;
        const auto first = rules_.starts[r], end = rules_.starts[r + 1];
        const double over = excess(r);
        stale_[r] = 0;
        steps += end - first;
        if (std::abs(over) <= 0.5 * tolerance_ || (!equality && over < 0 && multiplier_[r] <= 0)) return 0;
        double low = -kFarthest, high = kFarthest, delta = 0;
        if (!equality) low = std::max(low, -multiplier_[r]);
        if (!equality && over < 0) delta = low;
        const bool solved = two_literals(r, delta);
        if (solved) delta = std::clamp(delta, low, high);
        for (int k = 0; k < kNewtonSteps && !solved; ++k) {
            double value = -static_cast<double>(rules_.rhs[r]), slope = 0;
            for (auto i = first; i < end; ++i) {
                const double a = static_cast<double>(rules_.coefficients[i]);
                const double q = sigmoid(odds_[rules_.columns[i]] - delta * a);
                value += a * q;
                slope += a * a * q * (1 - q);
            }
            steps += 10 * (end - first);
            if (std::abs(value) <= 0.1 * tolerance_ || (value < 0 && delta <= low)) break;
            (value > 0 ? low : high) = delta;  // the sum falls as delta rises
            if (high - low <= 1e-12) break;
            double next = slope > 0 ? delta + value / slope : low;
            if (!(next > low && next < high)) next = 0.5 * (low + high);
            delta = next;
        }
        double change = 0;
        for (auto i = first; i < end; ++i) {
            const auto j = rules_.columns[i];
            odds_[j] -= delta * static_cast<double>(rules_.coefficients[i]);
            const double q = sigmoid(odds_[j]);
            change = std::max(change, std::abs(q - q_[j]));
            q_[j] = q;
            for (auto place = starts_[j]; place < starts_[j + 1]; ++place) stale_[places_[place]] = places_[place] != r;
        }
        multiplier_[r] += delta;
        return change;
    }

    // What the multipliers minimise, at these log-odds and multipliers.
    double objective(const std::vector<double> &odds, const std::vector<double> &multiplier) const {
        double sum = 0;
        for (const double x : odds) sum += softplus(x);
        for (std::size_t r = 0; r < multiplier.size(); ++r) sum += static_cast<double>(rules_.rhs[r]) * multiplier[r];
        return sum;
    }

    // Newton's step for all rules of the forest that bind, halved until it is a descent; none if it is not.
    void step_together(std::int64_t &steps) {
        const std::size_t d = q_.size(), rules = multiplier_.size();
        for (std::size_t r = 0; r < rules; ++r) {
            excess_[r] = excess(r);
            open_[r] = forest_.has(r) && (rules_.equality[r] != 0 || multiplier_[r] > 0 || excess_[r] > 0);
        }
        for (std::size_t j = 0; j < d; ++j) diagonal_[j] = q_[j] * (1 - q_[j]);
        forest_.solve(diagonal_, excess_, open_, direction_);
        const double before = objective(odds_, multiplier_);
        double share = 1;
        for (int halving = 0; halving <= kHalvings; ++halving, share *= 0.5) {
            double slope = 0;
            trial_ = odds_;
            for (std::size_t r = 0; r < rules; ++r) {
                target_[r] = multiplier_[r] + share * direction_[r];
                if (rules_.equality[r] == 0) target_[r] = std::max(target_[r], 0.0);
                const double by = target_[r] - multiplier_[r];
                if (by == 0) continue;
                slope -= excess_[r] * by;
                for (auto k = rules_.starts[r]; k < rules_.starts[r + 1]; ++k) {
                    trial_[rules_.columns[k]] -= by * static_cast<double>(rules_.coefficients[k]);
                }
            }
            steps += static_cast<std::int64_t>(20 * d + 2 * rules_.columns.size());
            if (slope >= 0 || objective(trial_, target_) > before + kEnoughDescent * slope) continue;
            odds_.swap(trial_);
            multiplier_.swap(target_);
            for (std::size_t j = 0; j < d; ++j) q_[j] = sigmoid(odds_[j]);
            std::fill(stale_.begin(), stale_.end(), std::uint8_t{1});
            return;
        }
    }

    SparseRules rules_;
    double tolerance_;
    RuleForest forest_;
    std::vector<double> odds_, q_, trial_, diagonal_, multiplier_;
    std::vector<std::size_t> starts_, places_;  // the rules of each variable
    std::vector<std::uint8_t> open_, stale_;
    std::vector<double> excess_, direction_, target_;
};

}  // namespace

std::vector<double> matched_marginals(Matrix<const double> probabilities, SparseRules rules, std::int64_t sweeps,
                                      double tolerance, Watch &watch) {
    const std::size_t d = probabilities.columns();
    std::vector<double> rows(probabilities.data(), probabilities.data() + probabilities.rows() * d);
    Projection projection(rules, d, tolerance);
    for (std::size_t i = 0; i < probabilities.rows(); ++i) {
        std::int64_t steps = 0;
        projection.project(rows.data() + i * d, sweeps, steps);
        if (watch.must_stop(steps)) break;
    }
    return rows;
}

}  // namespace unwritten
