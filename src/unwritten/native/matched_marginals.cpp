// Probabilities that obey rules in expectation and are otherwise as near to given ones as possible.
//
// The nearest q to p in relative entropy with A q ≤ b (or = b) is q = sigmoid(logit p − Aᵀλ), with multipliers λ ≥ 0 of
// the inequalities. They are raised and lowered in turn until every rule holds: each step solves one rule exactly.
#include <algorithm>
#include <cmath>

#include "kernels.h"

namespace unwritten {

namespace {

constexpr double kLeast = 1e-12;      // probabilities of 0 and 1 can be moved too
constexpr double kFarthest = 40.0;    // no step moves a log-odds further: a rule may ask for exactly 0 or 1
constexpr int kNewtonSteps = 60;

double sigmoid(double x) { return x >= 0 ? 1 / (1 + std::exp(-x)) : 1 - 1 / (1 + std::exp(x)); }

class Projection {
public:
    Projection(SparseRules rules, std::size_t columns, double tolerance)
        : rules_(rules), tolerance_(tolerance), odds_(columns), q_(columns), moved_(columns) {}

    // Move one row of probabilities in place; false if it obeys the rules already. Adds the work to `steps`.
    bool project(double *row, std::int64_t sweeps, std::int64_t &steps) {
        const std::size_t d = q_.size();
        std::copy(row, row + d, q_.begin());
        if (worst(steps) <= tolerance_) return false;
        std::fill(moved_.begin(), moved_.end(), std::uint8_t{0});
        for (std::size_t j = 0; j < d; ++j) {
            const double p = std::clamp(row[j], kLeast, 1 - kLeast);
            odds_[j] = std::log(p / (1 - p));
        }
        multiplier_.assign(rules_.rhs.size(), 0.0);
        for (std::int64_t sweep = 0; sweep < sweeps; ++sweep) {
            double change = 0;
            for (std::size_t r = 0; r < multiplier_.size(); ++r) change = std::max(change, step(r, steps));
            if (change <= tolerance_) break;
        }
        for (std::size_t j = 0; j < d; ++j) {
            if (moved_[j] != 0) row[j] = q_[j];
        }
        return true;
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

    // Solve rule r alone by moving its multiplier; returns by how much a probability changed.
    double step(std::size_t r, std::int64_t &steps) {
        const bool equality = rules_.equality[r] != 0;
        const auto first = rules_.starts[r], end = rules_.starts[r + 1];
        const double over = excess(r);
        steps += end - first;
        if (std::abs(over) <= 0.5 * tolerance_ || (!equality && over < 0 && multiplier_[r] <= 0)) return 0;
        double low = -kFarthest, high = kFarthest, delta = 0;
        if (!equality) low = std::max(low, -multiplier_[r]);
        for (int k = 0; k < kNewtonSteps; ++k) {
            double value = -static_cast<double>(rules_.rhs[r]), slope = 0;
            for (auto i = first; i < end; ++i) {
                const double a = static_cast<double>(rules_.coefficients[i]);
                const double q = sigmoid(odds_[rules_.columns[i]] - delta * a);
                value += a * q;
                slope += a * a * q * (1 - q);
            }
            steps += 10 * (end - first);
            if (std::abs(value) <= 0.1 * tolerance_) break;
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
            moved_[j] = 1;
        }
        multiplier_[r] += delta;
        return change;
    }

    SparseRules rules_;
    double tolerance_;
    std::vector<double> odds_, q_, multiplier_;
    std::vector<std::uint8_t> moved_;
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
