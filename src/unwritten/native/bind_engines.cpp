// Python's names for the searches of the engines.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <string>
#include <tuple>

#include "best_first.h"
#include "bind.h"
#include "propagate.h"

namespace unwritten {

using namespace nb::literals;

namespace {

using SearchArrays = std::tuple<Result1<double>, Result2<std::int64_t>, Result1<double>, Result1<double>,
                                Result1<std::int64_t>, Result1<bool>, Result1<bool>>;

SearchArrays arrays(SearchAnswers &&answers, std::size_t queries, std::size_t variables) {
    return {result(std::move(answers.best)),     result(std::move(answers.labels), queries, variables),
            result(std::move(answers.rejected)), result(std::move(answers.ceiling)),
            result(std::move(answers.visited)),  flags(std::move(answers.finished)),
            flags(std::move(answers.out_of_time))};
}

constexpr const char *kSearch =
    "Search for the best label of each query. Returns best values, labels, best values that a cut rejected, ceilings, "
    "numbers of nodes or labels visited, whether each search is finished, and whether it ran out of time";

// Cuts, with the arrays that they refer to.
struct Cuts {
    Array2<double> weights;
    Array1<double> limits;
    CutTable table;

    Cuts(Array2<double> cut_weights, Array1<double> cut_limits, std::size_t most_entries)
        : weights(cut_weights), limits(cut_limits), table(matrix(weights), view(limits), most_entries) {}
    Cuts(const Cuts &) = delete;
};

// Packed rows and cuts of the search over groups.
struct GroupRules {
    PackedRows rows;
    Cuts cuts;

    GroupRules(std::size_t variables, Array1<std::int32_t> starts, Array1<std::int32_t> literals,
               Array1<std::int32_t> kinds, Array1<std::int32_t> group_starts, Array1<std::int32_t> members,
               Array1<bool> may_be_empty, Array1<std::int32_t> weighted_starts,
               Array1<std::int32_t> weighted_literals, Array1<std::int64_t> coefficients, Array1<std::int64_t> rooms,
               Array2<double> cut_weights, Array1<double> cut_limits, std::size_t most_entries)
        : rows({view(starts), view(literals), view(kinds), view(group_starts), view(members), view(may_be_empty),
                variables},
               {view(weighted_starts), view(weighted_literals), view(coefficients), view(rooms)}),
          cuts(cut_weights, cut_limits, most_entries) {
        if (cut_weights.shape(1) != variables) throw nb::value_error("the cuts have the wrong shape");
    }

    std::optional<SearchArrays> search(Array2<double> weights, Array2<double> bounding, Array1<double> constant,
                                       Array1<double> price, Array1<double> equal, Array1<double> floor,
                                       std::int64_t most_nodes, double seconds, Stop stop) const {
        const std::size_t m = weights.shape(0), d = rows.variables;
        if (weights.shape(1) != d || bounding.shape(0) != m || bounding.shape(1) != d || constant.shape(0) != m ||
            price.shape(0) != rows.kinds.size() + rows.rooms.size() || equal.shape(0) != m || floor.shape(0) != m) {
            throw nb::value_error("the arrays of the queries have the wrong shapes");
        }
        const GroupQueries queries{matrix(weights), matrix(bounding), view(constant), view(price),
                                   view(equal),     view(floor),      most_nodes,     seconds};
        auto answers = without_gil([&](Watch &watch) { return search_groups(rows, cuts.table, queries, watch); }, stop);
        if (!answers) return std::nullopt;
        return arrays(std::move(*answers), m, d);
    }
};

// Rules, bounds and cuts of the best-first search, and the cuts that rejected labels so far. One thread at a time.
struct BestFirstRules {
    Array2<std::int64_t> matrix_of_rules;
    Array1<std::int64_t> rhs;
    Array1<bool> equality;
    Array1<std::int64_t> lower, upper;
    Cuts cuts;
    CutScan scan;

    BestFirstRules(Array2<std::int64_t> rules, Array1<std::int64_t> right, Array1<bool> is_equality,
                   Array1<std::int64_t> low, Array1<std::int64_t> high, Array2<double> cut_weights,
                   Array1<double> cut_limits, std::size_t most_entries)
        : matrix_of_rules(rules), rhs(right), equality(is_equality), lower(low), upper(high),
          cuts(cut_weights, cut_limits, most_entries), scan(cuts.table) {
        const std::size_t r = rhs.shape(0), d = lower.shape(0);
        if (rules.shape(0) != r || (r && rules.shape(1) != d) || equality.shape(0) != r || upper.shape(0) != d ||
            cut_weights.shape(1) != d) {
            throw nb::value_error("the arrays of rules, bounds and cuts have the wrong shapes");
        }
    }

    SearchArrays search(Array2<double> weights, Array2<double> multipliers, Array1<double> floor, Array1<double> equal,
                     std::int64_t most_labels, double seconds, Stop stop) {
        const std::size_t m = weights.shape(0), d = lower.shape(0);
        if (weights.shape(1) != d || multipliers.shape(0) != m || multipliers.shape(1) != rhs.shape(0) ||
            floor.shape(0) != m || equal.shape(0) != m) {
            throw nb::value_error("the arrays of the queries have the wrong shapes");
        }
        const BoundedRules rules{matrix(matrix_of_rules), view(rhs), view(equality), view(lower), view(upper)};
        const BestFirstQueries queries{matrix(weights), matrix(multipliers), view(floor), view(equal),
                                       most_labels,     seconds};
        auto answers = without_gil(
            [&](Watch &watch) { return search_best_first(rules, cuts.table, scan, queries, watch); }, stop);
        return arrays(std::move(answers), m, d);
    }
};

}  // namespace

void bind_engines(nb::module_ &module) {
    nb::class_<GroupRules>(module, "GroupRules", "Rows of literals, weighted rows, groups and cuts, packed for the search.")
        .def(nb::init<std::size_t, Array1<std::int32_t>, Array1<std::int32_t>, Array1<std::int32_t>,
                      Array1<std::int32_t>, Array1<std::int32_t>, Array1<bool>, Array1<std::int32_t>,
                      Array1<std::int32_t>, Array1<std::int64_t>, Array1<std::int64_t>, Array2<double>, Array1<double>,
                      std::size_t>(),
             "variables"_a, "starts"_a.noconvert(), "literals"_a.noconvert(), "kinds"_a.noconvert(),
             "group_starts"_a.noconvert(), "members"_a.noconvert(), "may_be_empty"_a.noconvert(),
             "weighted_starts"_a.noconvert(), "weighted_literals"_a.noconvert(), "coefficients"_a.noconvert(),
             "rooms"_a.noconvert(), "cut_weights"_a.noconvert(), "cut_limits"_a.noconvert(), "most_entries"_a)
        .def("search", &GroupRules::search, "weights"_a.noconvert(), "bounding"_a.noconvert(),
             "constant"_a.noconvert(), "price"_a.noconvert(), "equal"_a.noconvert(), "floor"_a.noconvert(),
             "most_nodes"_a, "seconds"_a, "stop"_a,
             (std::string(kSearch) + "; None if the rows contradict each other.").c_str());
    nb::class_<BestFirstRules>(module, "BestFirstRules", "Rules, bounds and cuts, ready for the best-first search.")
        .def(nb::init<Array2<std::int64_t>, Array1<std::int64_t>, Array1<bool>, Array1<std::int64_t>,
                      Array1<std::int64_t>, Array2<double>, Array1<double>, std::size_t>(),
             "matrix"_a.noconvert(), "rhs"_a.noconvert(), "equality"_a.noconvert(), "lower"_a.noconvert(),
             "upper"_a.noconvert(), "cut_weights"_a.noconvert(), "cut_limits"_a.noconvert(), "most_entries"_a)
        .def("search", &BestFirstRules::search, "weights"_a.noconvert(), "multipliers"_a.noconvert(),
             "floor"_a.noconvert(), "equal"_a.noconvert(), "most_labels"_a, "seconds"_a, "stop"_a,
             (std::string(kSearch) + ".").c_str());
}

}  // namespace unwritten
