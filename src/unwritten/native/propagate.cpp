// The search of the engine "groups": depth-first with propagation, in bands from the best value down. With a narrow first
// band, propagation settles the clues of a puzzle before any literal is tried.
#include "propagate.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "group_state.h"

namespace unwritten {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kBandGrowth = 2.0;  // of the width from band to band; the first has none, the second a usual loss

class GroupSearch {
public:
    GroupSearch(const PackedRows &rows, const CutTable &cuts, const GroupQueries &queries, Watch &watch)
        : queries_(queries), watch_(watch), state_(rows), scan_(cuts), answers_(queries.floor, rows.variables) {}

    std::optional<SearchAnswers> run() {
        if (!state_.settle_root(queries_.price)) return std::nullopt;
        for (std::size_t q = 0; q < queries_.weights.rows(); ++q) {
            if (watch_.stopped()) {
                answers_.out_of_time[q] = 1;
            } else {
                answers_.finished[q] = answer(q);
            }
            if (answers_.best[q] <= queries_.floor[q]) answers_.clear_label(q);
        }
        return std::move(answers_);
    }

private:
    // Answer one query; false if the limits of nodes or time ended the search.
    bool answer(std::size_t q) {
        const Deadline deadline(queries_.seconds);
        const double equal = queries_.equal[q];
        double &best = answers_.best[q];
        state_.begin(queries_.bounding[q], queries_.constant[q]);
        const double root = state_.bound();
        double width = 0.0;
        state_.set_low(root - equal);
        answers_.ceiling[q] = root;
        if (root <= best + equal) return true;
        for (;;) {
            if (answers_.visited[q] >= queries_.most_nodes) return false;
            ++answers_.visited[q];
            state_.set_beat(best + equal);
            bool alive = state_.settle();
            if (alive && state_.whole()) {
                alive = false;
                test_label(q, equal);
                if (best + equal >= root) return true;
            }
            if (alive) {
                state_.decide();
            } else if (!state_.backtrack()) {
                if (state_.low() <= best + equal) return true;
                answers_.ceiling[q] = state_.low();
                state_.reset();
                width = std::max(kBandGrowth * width, state_.usual_loss(equal));
                state_.set_low(width < state_.whole_width() ? root - width - equal : -kInfinity);
            }
            if (watch_.must_stop(state_.steps() + scan_.steps()) || deadline.passed()) {
                answers_.out_of_time[q] = 1;
                return false;
            }
        }
    }

    // Test a whole label: keep it if it is better than the best so far and passes every cut.
    void test_label(std::size_t q, double equal) {
        const double *weights = queries_.weights[q].data();
        double value = 0.0;
        for (const std::int32_t j : state_.ones()) value += weights[j];
        if (value < state_.low() || value <= answers_.best[q] + equal) return;
        if (scan_.broken_by({state_.ones().data(), nullptr, state_.ones().size()}) >= 0) {
            answers_.rejected[q] = std::max(answers_.rejected[q], value);
            return;
        }
        answers_.best[q] = value;
        answers_.clear_label(q);
        for (const std::int32_t j : state_.ones()) answers_.label(q)[static_cast<std::size_t>(j)] = 1;
    }

    const GroupQueries &queries_;
    Watch &watch_;
    GroupState state_;
    CutScan scan_;
    SearchAnswers answers_;
};

}  // namespace

std::optional<SearchAnswers> search_groups(const PackedRows &rows, const CutTable &cuts, const GroupQueries &queries,
                                           Watch &watch) {
    return GroupSearch(rows, cuts, queries, watch).run();
}

}  // namespace unwritten
