// Best-first search: it visits all labels whose bound is high enough, in bands from the best down.
//
// A label is a start label plus *deviations*: steps of single variables, each of which costs a price ≥ 0. The bound of
// the start label less these prices bounds the value. With prices sorted, a depth-first walk meets every set of
// deviations within a budget and none beyond it; the budget grows until the best label found beats everything outside
// it. (A heap gives the same labels one by one, but slower.) A branch is dropped if the variables that come after can no
// longer meet every rule, or only at a price that the budget does not allow (`rule_reach.h`).
#include "best_first.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rule_reach.h"

namespace unwritten {

namespace {

constexpr std::size_t kFirstBand = 8;  // the first budget is the price of this single deviation
constexpr double kGrowth = 2.0;        // of the budget from band to band; the last band dominates the work

class BestFirstSearch {
public:
    BestFirstSearch(const BoundedRules &rules, const CutTable &cuts, CutScan &scan, const BestFirstQueries &queries,
                    Watch &watch)
        : rules_(rules), cuts_(cuts), scan_(scan), queries_(queries), watch_(watch),
          answers_(queries.floor, rules.lower.size()), reach_(rules), r_(rules.rhs.size()),
          label_(rules.lower.size()), columns_(rules.lower.size()), entries_(rules.lower.size()) {
        for (std::size_t j = 0; j < label_.size(); ++j) {
            if (rules.upper[j] > rules.lower[j]) free_.push_back(j);
        }
        const std::size_t v = free_.size();
        variables_.resize(v);
        places_.resize(v + 1);
        reduced_.resize(label_.size());
        is_sets_ = std::all_of(rules.lower.begin(), rules.lower.end(), [](auto low) { return low == 0; }) &&
                   std::all_of(rules.upper.begin(), rules.upper.end(), [](auto high) { return high <= 1; });
    }

    SearchAnswers run() {
        const std::size_t m = queries_.weights.rows();
        for (std::size_t q = 0; q < m; ++q) {
            if (watch_.stopped()) {
                answers_.out_of_time[q] = 1;
            } else {
                prepare(q);
                answers_.ceiling[q] = top_;
                answers_.finished[q] = answer(q);
                if (answers_.finished[q]) answers_.ceiling[q] = answers_.best[q];
            }
            if (answers_.best[q] <= queries_.floor[q]) answers_.clear_label(q);
        }
        return std::move(answers_);
    }

private:
    // One depth of the walk: a label, and the deviation to try next.
    struct Place {
        std::size_t next_variable;
        std::int64_t next_step;
        std::size_t chosen;   // the variable that deviates here
        std::int64_t change;  // by how much
        double cost, value;
        std::int64_t killer;  // a cut that rejected this label or one before it on the path, or −1
        double killer_value;  // of this label for that cut
    };

    // Sort the free variables by price, and start at the label that is best for the reduced weights.
    void prepare(std::size_t q) {
        const View<const double> weights = queries_.weights[q], multipliers = queries_.multipliers[q];
        double bound = 0.0;
        std::copy(weights.begin(), weights.end(), reduced_.begin());
        for (std::size_t i = 0; i < r_; ++i) {
            bound += multipliers[i] * static_cast<double>(rules_.rhs[i]);
            if (multipliers[i] == 0.0) continue;
            const View<const std::int64_t> row = rules_.matrix[i];
            for (std::size_t j = 0; j < reduced_.size(); ++j) {
                reduced_[j] -= multipliers[i] * static_cast<double>(row[j]);
            }
        }
        start_value_ = 0.0;
        for (std::size_t j = 0; j < label_.size(); ++j) {
            label_[j] = reduced_[j] > 0 ? rules_.upper[j] : rules_.lower[j];
            bound += reduced_[j] * static_cast<double>(label_[j]);
            start_value_ += weights[j] * static_cast<double>(label_[j]);
        }
        top_ = bound + queries_.equal[q];
        std::stable_sort(free_.begin(), free_.end());
        std::stable_sort(free_.begin(), free_.end(), [this](std::size_t a, std::size_t b) {
            return std::abs(reduced_[a]) < std::abs(reduced_[b]);
        });
        for (std::size_t p = 0; p < free_.size(); ++p) {
            const std::size_t j = free_[p];
            const std::int64_t steps = rules_.upper[j] - rules_.lower[j];
            variables_[p] = {std::abs(reduced_[j]), weights[j], steps, label_[j] == rules_.lower[j] ? steps : 0, j};
        }
        reach_.start(label_, variables_, multipliers);
    }

    // Walk through the labels; false if the limits of labels or time ended the search.
    bool answer(std::size_t q) {
        const Deadline deadline(queries_.seconds);
        const double equal = queries_.equal[q];
        const std::size_t v = variables_.size();
        double &best = answers_.best[q];
        double budget = v ? variables_[std::min(kFirstBand, v - 1)].price : 0.0;
        std::int64_t visited = 0, look = 0, looked = 0;
        bool deferred = false;  // whether the budget left out labels in this band
        steps_ = 0;
        std::size_t depth = 0;
        bool fresh = true;
        places_[0] = {0, 1, 0, 0, 0.0, start_value_, -1, 0.0};
        const auto leave = [&](bool finished) {
            answers_.visited[q] = visited;
            return finished;
        };
        for (;;) {
            for (;;) {
                Place &here = places_[depth];
                if (fresh) {
                    if (visited + steps_ / kStepsPerLabel >= queries_.most_labels) return leave(false);
                    if (visited + steps_ / kStepsPerLabel >= look) {
                        const std::int64_t walked = kLabelsPerLook * (8 + static_cast<std::int64_t>(r_));
                        look = visited + steps_ / kStepsPerLabel + kLabelsPerLook;
                        if (watch_.must_stop(scan_.steps() + walked + steps_ - std::exchange(looked, steps_)) ||
                            (visited > 0 && deadline.passed())) {
                            answers_.out_of_time[q] = 1;
                            return leave(false);
                        }
                    }
                    fresh = false;
                    ++visited;
                    if (here.value > best + equal && reach_.obeyed()) test_label(q, here);
                }
                const double beat = best + equal;
                const std::size_t p = here.next_variable;
                const std::int64_t step = here.next_step;
                double total = 0.0;
                bool more = p < v;
                if (more) {
                    total = here.cost + static_cast<double>(step) * variables_[p].price;
                    more = top_ - total > beat;
                    if (more && total > budget) more = false, deferred = true;
                    if (!more && step > 1) {  // this variable goes no further, but the next one may
                        here.next_variable = p + 1, here.next_step = 1;
                        continue;
                    }
                }
                if (more && !rules_within(p, std::min(budget, top_ - beat) - here.cost)) {
                    more = false;
                    deferred = deferred || (budget < top_ - beat && rules_within(p, top_ - beat - here.cost));
                }
                if (!more) {
                    if (depth == 0) break;
                    --depth;
                    deviate(places_[depth].chosen, -places_[depth].change);
                    continue;
                }
                const Deviating &variable = variables_[p];
                if (step < variable.steps) {
                    here.next_step = step + 1;
                } else {
                    here.next_variable = p + 1, here.next_step = 1;
                }
                here.chosen = p;
                here.change = step <= variable.ups ? step : variable.ups - step;
                deviate(p, here.change);
                const auto change = static_cast<double>(here.change);
                double killer_value = here.killer_value;
                if (here.killer >= 0) {
                    killer_value += change * cuts_[static_cast<std::size_t>(here.killer)][variable.column];
                }
                places_[++depth] = {p + 1,       1,           0, 0, total, here.value + variable.weight * change,
                                    here.killer, killer_value};
                fresh = true;
            }
            if (!deferred || top_ - budget <= best + equal) return leave(true);
            deferred = false;
            budget = kGrowth * budget + 0.01 * variables_[v - 1].price + equal;
            fresh = true;
            places_[0].next_variable = 0, places_[0].next_step = 1;
        }
    }

    void deviate(std::size_t p, std::int64_t change) {
        label_[variables_[p].column] += change;
        reach_.deviate(p, change);
    }

    // Whether deviations of the variables from p on can meet every rule at this price.
    bool rules_within(std::size_t p, double price) {
        return reach_.each_within(p, price) && reach_.all_within(p, price, steps_);
    }

    // Keep a better label that obeys the rules if it passes every cut. The cut that rejected a label on the path to it
    // often rejects it too, and its value is known.
    void test_label(std::size_t q, Place &place) {
        if (place.killer < 0 || place.killer_value <= cuts_.limit(static_cast<std::size_t>(place.killer))) {
            std::size_t size = 0;
            for (std::size_t j = 0; j < label_.size(); ++j) {
                columns_[size] = static_cast<std::int32_t>(j);
                entries_[size] = static_cast<double>(label_[j]);
                size += label_[j] != 0;
            }
            const SparseLabel support{columns_.data(), is_sets_ ? nullptr : entries_.data(), size};
            const std::int64_t cut = scan_.broken_by(support);
            if (cut < 0) {
                answers_.best[q] = place.value;
                std::copy(label_.begin(), label_.end(), answers_.label(q).begin());
                return;
            }
            place.killer = cut;
            place.killer_value = label_value(cuts_[static_cast<std::size_t>(cut)].data(), support);
        }
        answers_.rejected[q] = std::max(answers_.rejected[q], place.value);
    }

    static constexpr std::int64_t kLabelsPerLook = 64;
    static constexpr std::int64_t kStepsPerLabel = 64;  // of bounding that take as long as a visit of a label

    const BoundedRules &rules_;
    const CutTable &cuts_;
    CutScan &scan_;
    const BestFirstQueries &queries_;
    Watch &watch_;
    SearchAnswers answers_;
    RuleReach reach_;
    std::size_t r_;
    bool is_sets_;  // whether all variables are 0/1
    std::vector<std::size_t> free_;
    std::vector<std::int64_t> label_;
    std::vector<std::int32_t> columns_;  // the support of a label that is tested, and its entries
    std::vector<double> entries_;
    std::vector<Deviating> variables_;  // the free variables, in ascending order of their prices
    std::vector<Place> places_;
    std::vector<double> reduced_;
    double top_ = 0.0, start_value_ = 0.0;
    std::int64_t steps_ = 0;  // of bounding by all rules together, since the start of the query
};

}  // namespace

SearchAnswers search_best_first(const BoundedRules &rules, const CutTable &cuts, CutScan &scan,
                                   const BestFirstQueries &queries, Watch &watch) {
    return BestFirstSearch(rules, cuts, scan, queries, watch).run();
}

}  // namespace unwritten
