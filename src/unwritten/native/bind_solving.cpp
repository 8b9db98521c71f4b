// Python's names for the kernels about labels, cuts and values.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <tuple>

#include "bind.h"
#include "kernels.h"

namespace unwritten {

using namespace nb::literals;

namespace {

// Labels as three arrays: where the entries of each label start, then the columns and the values of all entries. There
// are no values if all entries are 1. Debug builds check the lists, which can be long, at every call.
using SparseArrays = std::tuple<Array1<std::int64_t>, Array1<std::int32_t>, Array1<double>>;

SparseLabels sparse(const SparseArrays &arrays, std::size_t width) {
    const SparseLabels labels{view(std::get<0>(arrays)), view(std::get<1>(arrays)), view(std::get<2>(arrays))};
    check(labels.valid(width), "the lists of entries do not fit together");
    return labels;
}

SparseRules sparse_rules(const Array1<std::int64_t> &starts, const Array1<std::int32_t> &columns,
                         const Array1<std::int64_t> &coefficients, const Array1<std::int64_t> &rhs,
                         const Array1<std::uint8_t> &equality, std::size_t width) {
    if (starts.shape(0) != rhs.shape(0) + 1 || columns.shape(0) != coefficients.shape(0) ||
        equality.shape(0) != rhs.shape(0)) {
        throw nb::value_error("the parts of the rules do not fit together");
    }
    const SparseLabels lists{view(starts), view(columns), {}};
    check(lists.valid(width), "the lists of entries do not fit together");
    return {view(starts), view(columns), view(coefficients), view(rhs), view(equality)};
}

void check_forest(const LiteralForest &forest, std::size_t width) {
    bool fits = forest.starts.size() == forest.kinds.size() + 1 && forest.starts[0] == 0;
    for (std::size_t r = 0; fits && r < forest.kinds.size(); ++r) {
        fits = forest.starts[r] + 2 <= forest.starts[r + 1] && forest.kinds[r] >= 0 && forest.kinds[r] <= 2;
    }
    fits = fits && static_cast<std::size_t>(forest.starts[forest.kinds.size()]) == forest.literals.size();
    for (std::size_t k = 0; fits && k < forest.literals.size(); ++k) {
        fits = forest.literals[k] >= 0 && static_cast<std::size_t>(forest.literals[k] >> 1) < width;
    }
    if (!fits) throw nb::value_error("the rows of literals do not fit together");
}

}  // namespace

void bind_sums(nb::module_ &module) {
    const auto fits = [](bool fit) {
        if (!fit) throw nb::value_error("weights and labels do not have the same columns");
    };
    module.def(
        "row_values",
        [fits](Array2<double> weights, Array2<std::int64_t> labels) {
            fits(labels.shape(1) == weights.shape(1) &&
                 (labels.shape(0) == 1 || labels.shape(0) == weights.shape(0)));
            return result(without_gil([&](Watch &watch) { return row_values(matrix(weights), matrix(labels), watch); }));
        },
        "weights"_a.noconvert(), "labels"_a.noconvert(),
        "w · y for every row of weights and the same row of labels, or the only one, added from the first column on.");
    module.def(
        "reach_values",
        [fits](Array2<double> weights, Array1<std::int64_t> reach) {
            fits(reach.shape(0) == weights.shape(1));
            return result(without_gil([&](Watch &watch) { return reach_values(matrix(weights), view(reach), watch); }));
        },
        "weights"_a.noconvert(), "reach"_a.noconvert(), "|w| · reach for every row, added from the first column on.");
    module.def(
        "box_values",
        [fits](Array2<double> weights, Array1<std::int64_t> lower, Array1<std::int64_t> upper) {
            fits(lower.shape(0) == weights.shape(1) && upper.shape(0) == weights.shape(1));
            return result(without_gil(
                [&](Watch &watch) { return box_values(matrix(weights), view(lower), view(upper), watch); }));
        },
        "weights"_a.noconvert(), "lower"_a.noconvert(), "upper"_a.noconvert(),
        "The largest w · y within the bounds for every row, added from the first column on.");
}

void bind_solving(nb::module_ &module) {
    bind_sums(module);
    module.def(
        "labels_within",
        [](const SparseArrays &labels, Array2<double> weights, Array1<double> limits) {
            const SparseLabels entries = sparse(labels, weights.shape(1));
            if (entries.starts.size() < 1 || weights.shape(0) != limits.shape(0)) {
                throw nb::value_error("labels, weights and limits do not fit together");
            }
            return result(without_gil(
                [&](Watch &watch) { return labels_within(entries, matrix(weights), view(limits), watch); }));
        },
        "labels"_a.noconvert(), "weights"_a.noconvert(), "limits"_a.noconvert(),
        "1 for each label with weights · y ≤ limits in every row, else 0.");
    module.def(
        "labels_obeying",
        [](Array2<std::int64_t> labels, Array1<std::int64_t> starts, Array1<std::int32_t> columns,
           Array1<std::int64_t> coefficients, Array1<std::int64_t> rhs, Array1<std::uint8_t> equality) {
            const SparseRules rules = sparse_rules(starts, columns, coefficients, rhs, equality, labels.shape(1));
            return result(without_gil(
                [&](Watch &watch) { return labels_obeying(matrix(labels), rules, watch); }));
        },
        "labels"_a.noconvert(), "starts"_a.noconvert(), "columns"_a.noconvert(), "coefficients"_a.noconvert(),
        "rhs"_a.noconvert(), "equality"_a.noconvert(), "1 for each label that obeys every rule, else 0.");
    module.def(
        "matched_marginals",
        [](Array2<double> probabilities, Array1<std::int64_t> starts, Array1<std::int32_t> columns,
           Array1<std::int64_t> coefficients, Array1<std::int64_t> rhs, Array1<std::uint8_t> equality,
           std::int64_t sweeps, double tolerance) {
            const SparseRules rules = sparse_rules(starts, columns, coefficients, rhs, equality, probabilities.shape(1));
            const std::size_t rows = probabilities.shape(0), width = probabilities.shape(1);
            return result(without_gil([&](Watch &watch) {
                              return matched_marginals(matrix(probabilities), rules, sweeps, tolerance, watch);
                          }),
                          rows, width);
        },
        "probabilities"_a.noconvert(), "starts"_a.noconvert(), "columns"_a.noconvert(), "coefficients"_a.noconvert(),
        "rhs"_a.noconvert(), "equality"_a.noconvert(), "sweeps"_a, "tolerance"_a,
        "The probabilities nearest to the given ones whose expected sums obey every rule.");
    module.def(
        "forest_labels",
        [](Array2<double> weights, Array1<std::int32_t> starts, Array1<std::int32_t> literals,
           Array1<std::int32_t> kinds) {
            const LiteralForest forest{view(starts), view(literals), view(kinds)};
            check_forest(forest, weights.shape(1));
            const std::size_t rows = weights.shape(0), width = weights.shape(1);
            return result(without_gil([&](Watch &watch) { return forest_labels(matrix(weights), forest, watch); }), rows,
                          width);
        },
        "weights"_a.noconvert(), "starts"_a.noconvert(), "literals"_a.noconvert(), "kinds"_a.noconvert(),
        "The best label for each row of weights under rows of literals that form a forest.");
    module.def(
        "closure_labels",
        [](Array2<double> weights, Array1<std::int32_t> tails, Array1<std::int32_t> heads) {
            const std::size_t rows = weights.shape(0), width = weights.shape(1);
            const Implications arcs{view(tails), view(heads)};
            bool fits = arcs.tails.size() == arcs.heads.size();
            for (std::size_t k = 0; fits && k < arcs.tails.size(); ++k) {
                fits = std::min(arcs.tails[k], arcs.heads[k]) >= 0 &&
                       static_cast<std::size_t>(std::max(arcs.tails[k], arcs.heads[k])) < width;
            }
            if (!fits) throw nb::value_error("the implications do not fit the weights");
            return result(without_gil([&](Watch &watch) { return closure_labels(matrix(weights), arcs, watch); }), rows,
                          width);
        },
        "weights"_a.noconvert(), "tails"_a.noconvert(), "heads"_a.noconvert(),
        "The best label for each row of weights in which every tail that is 1 has its head at 1.");
    module.def(
        "best_labels",
        [](const SparseArrays &labels, const SparseArrays &by_column, Array2<double> weights, Array1<double> equal) {
            const SparseLabels entries = sparse(labels, weights.shape(1));
            const SparseLabels columns = sparse(by_column, entries.starts.size() - 1);
            if (entries.starts.size() < 2 || columns.size() != weights.shape(1) || weights.shape(0) != equal.shape(0)) {
                throw nb::value_error("labels, weights and tolerances do not fit together");
            }
            BestLabels best = without_gil(
                [&](Watch &watch) { return best_labels(entries, columns, matrix(weights), view(equal), watch); });
            return std::pair(result(std::move(best.label)), result(std::move(best.value)));
        },
        "labels"_a.noconvert(), "by_column"_a.noconvert(), "weights"_a.noconvert(), "equal"_a.noconvert(),
        "For each row of weights, the first label within `equal` of the largest value, and its value.");
}

}  // namespace unwritten
