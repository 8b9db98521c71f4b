// Python's names for the kernels of the miners.
#include <nanobind/stl/tuple.h>

#include "bind.h"
#include "kernels.h"

namespace unwritten {

using namespace nb::literals;

namespace {

// An array that a kernel changes.
template <class T> using Changed1 = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Result2<std::uint8_t> rows(std::vector<std::uint8_t> &&values, std::size_t width) {
    const std::size_t count = width == 0 ? 0 : values.size() / width;
    return result(std::move(values), count, width);
}

}  // namespace

void bind_mining(nb::module_ &module) {
    module.def(
        "common_counts",
        [](Array2<std::uint64_t> supports) {
            auto counts = without_gil([&](Watch &watch) { return common_counts(matrix(supports), watch); });
            return result(std::move(counts), supports.shape(0), supports.shape(0));
        },
        "supports"_a.noconvert(), "For each pair of rows of words, the number of bits that are 1 in both.");
    module.def(
        "exact_covers",
        [](Array2<std::uint64_t> supports, std::size_t examples, std::int64_t nodes, std::int64_t most) {
            ExactCovers covers = without_gil(
                [&](Watch &watch) { return exact_covers(matrix(supports), examples, nodes, most, watch); });
            return std::tuple(result(std::move(covers.sets.members)), result(std::move(covers.sets.starts)),
                              covers.complete);
        },
        "supports"_a.noconvert(), "examples"_a, "nodes"_a, "most"_a,
        "Sets of columns with exactly one column in each example, and whether all such sets were found.\n\n"
        "The first array lists the members, set after set; the second, where each set starts and the last ends.");
    module.def(
        "maximal_cliques",
        [](Array2<std::uint64_t> neighbours, Array1<std::int64_t> sizes, std::int64_t total, std::int64_t nodes) {
            SetList cliques = without_gil(
                [&](Watch &watch) { return maximal_cliques(matrix(neighbours), view(sizes), total, nodes, watch); });
            return std::tuple(result(std::move(cliques.members)), result(std::move(cliques.starts)));
        },
        "neighbours"_a.noconvert(), "sizes"_a.noconvert(), "total"_a, "nodes"_a,
        "The maximal cliques of columns whose sizes add up to `total` that a search of `nodes` nodes finds.\n\n"
        "The first array lists the members, clique after clique; the second, where each starts and the last ends.");
    module.def(
        "find_covers",
        [](Array2<bool> labels, Array2<std::int64_t> pairs, std::int64_t largest, std::int64_t swaps,
           std::int64_t patience, std::size_t most, std::int64_t work, std::uint64_t seed) {
            const CoverLimits limits{largest, swaps, patience, most, work};
            auto covers = without_gil(
                [&](Watch &watch) { return find_covers(matrix(labels), matrix(pairs), limits, seed, watch); });
            return rows(std::move(covers), labels.shape(1));
        },
        "labels"_a.noconvert(), "pairs"_a.noconvert(), "largest"_a, "swaps"_a, "patience"_a, "most"_a, "work"_a,
        "seed"_a, "Minimal sets of at most `largest` columns that hit every label, as rows of 0 and 1.");
    module.def(
        "rank_table",
        [](Array1<std::int64_t> masks, std::size_t width) {
            RankTable table = without_gil([&](Watch &watch) { return rank_table(view(masks), width, watch); });
            return std::tuple(result(std::move(table.rank)), result(std::move(table.size)));
        },
        "masks"_a.noconvert(), "width"_a,
        "For each of the 2^width sets of columns: the most ones that a label has in it, and its size.");
    module.def(
        "spread",
        [](Changed1<std::int8_t> above, Changed1<std::int8_t> below) {
            without_gil([&](Watch &watch) {
                spread({above.data(), above.shape(0)}, {below.data(), below.shape(0)}, watch);
                return true;
            });
        },
        "above"_a.noconvert(), "below"_a.noconvert(),
        "Pass the least entry of `above` down to all subsets, and the greatest entry of `below` up to all supersets.");
    module.def(
        "grow_sets",
        [](Array2<bool> labels, Array2<std::int64_t> pairs, Array1<std::int64_t> allowed, std::size_t most,
           std::int64_t work) {
            auto sets = without_gil([&](Watch &watch) {
                return grow_sets(matrix(labels), matrix(pairs), view(allowed), most, work, watch);
            });
            return rows(std::move(sets), labels.shape(1));
        },
        "labels"_a.noconvert(), "pairs"_a.noconvert(), "allowed"_a.noconvert(), "most"_a, "work"_a,
        "Sets grown from pairs whose rank is about to rise and is at most allowed[size], as rows of 0 and 1.");
    module.def(
        "walked_rows",
        [](Array1<std::int32_t> start, Array2<std::uint8_t> inside, Array2<std::uint8_t> outside,
           Array2<std::int32_t> which, Array2<std::int32_t> changes, Array1<double> factors, std::size_t every) {
            const std::size_t width_given = start.shape(0), steps = which.shape(0);
            const bool fits = inside.shape(0) == width_given && outside.shape(0) == width_given && inside.shape(1) > 0 &&
                              which.shape(1) == 2 && changes.shape(0) == steps && changes.shape(1) == 2 &&
                              factors.shape(0) == steps && every > 0;
            if (!fits) throw nb::value_error("rows, labels and steps do not have matching shapes");
            for (std::size_t k = 0; k < 2 * steps; ++k) {
                if (which.data()[k] < 0 || static_cast<std::size_t>(which.data()[k]) >= width_given)
                    throw nb::value_error("a step changes a column that there is not");
            }
            auto visited = without_gil([&](Watch &watch) {
                return walked_rows(view(start), matrix(inside), matrix(outside), matrix(which), matrix(changes),
                                   view(factors), every, watch);
            });
            const std::size_t width = start.shape(0) + 1, count = visited.size() / width;
            return result(std::move(visited), count, width);
        },
        "start"_a.noconvert(), "inside"_a.noconvert(), "outside"_a.noconvert(), "which"_a.noconvert(),
        "changes"_a.noconvert(), "factors"_a.noconvert(), "every"_a,
        "Walk over rows [a, b] that all inside labels obey, and keep one after every `every` steps.\n\n"
        "Step k changes the coefficients which[k] by changes[k], if the number of outside labels that obey the row\n"
        "grows at most by factors[k]. Labels are given by column.");
    module.def(
        "redrawn_labels",
        [](Array2<std::int64_t> labels, Array1<std::int64_t> columns, Array1<std::int64_t> starts,
           Array1<std::int64_t> ends, Array1<std::int64_t> places, Array1<std::int64_t> values,
           Array2<std::int64_t> rows, Array1<std::int64_t> low, Array1<std::int64_t> high, std::int64_t sweeps,
           std::uint32_t seed) {
            const Units units{view(columns), view(starts), view(ends), view(places), view(values)};
            if (rows.shape(1) != labels.shape(1) || low.shape(0) != rows.shape(0) || high.shape(0) != rows.shape(0))
                throw nb::value_error("labels and rows do not have matching shapes");
            Redrawn drawn = without_gil([&](Watch &watch) {
                return redrawn_labels(matrix(labels), units, matrix(rows), view(low), view(high), sweeps, seed, watch);
            });
            return std::tuple(result(std::move(drawn.labels), labels.shape(0), labels.shape(1)),
                              result(std::move(drawn.counts)));
        },
        "labels"_a.noconvert(), "columns"_a.noconvert(), "starts"_a.noconvert(), "ends"_a.noconvert(),
        "places"_a.noconvert(), "values"_a.noconvert(), "rows"_a.noconvert(), "low"_a.noconvert(),
        "high"_a.noconvert(), "sweeps"_a, "seed"_a,
        "Draw every unit of every label anew, `sweeps` times, where no row's sum comes to lie from low to high.\n\n"
        "Unit k has the columns columns[starts[k]:starts[k + 1]]; its values are given row by row, and `ends` has a\n"
        "rising number up to 2^30 for each of them, those of unit k from places[k] on. Returns the labels, and how many\n"
        "have each value of each unit.");
    module.def(
        "take",
        [](Array2<std::uint64_t> codes, Array2<std::int64_t> order, std::int64_t most) {
            auto taken =
                without_gil([&](Watch &watch) { return take(matrix(codes), matrix(order), most, watch); });
            return result(std::move(taken), order.shape(0), codes.shape(0));
        },
        "codes"_a.noconvert(), "order"_a.noconvert(), "most"_a,
        "For each row of column numbers (−1 ends it), take up to `most` columns that raise the rank over GF(2).\n\n"
        "The result is 1 for the columns taken.");
    module.def(
        "least_rank",
        [](Array2<std::uint64_t> codes, Array2<std::int64_t> order, std::int64_t enough) {
            return without_gil(
                [&](Watch &watch) { return least_rank(matrix(codes), matrix(order), enough, watch); });
        },
        "codes"_a.noconvert(), "order"_a.noconvert(), "enough"_a,
        "`enough` if the columns of every row have this rank over GF(2), else the rank of the first that falls short.");
    module.def(
        "prime_rank",
        [](Array2<std::int64_t> rows) {
            return without_gil([&](Watch &watch) { return prime_rank(matrix(rows), watch); });
        },
        "rows"_a.noconvert(), "The rank modulo the prime 2³¹ − 1.");
}

}  // namespace unwritten
