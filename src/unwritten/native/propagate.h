// Rows of literals, ready for propagation, and the questions that are asked about them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cut_scan.h"
#include "search_answers.h"
#include "view.h"
#include "watch.h"

namespace unwritten {

enum class RowKind : std::int32_t { exactly = 0, at_most = 1, at_least = 2 };

// r rows of literals, and g groups of literals that exclude each other, over d variables of 0 and 1. Literal 2j
// is true if variable j is 1, and literal 2j + 1 if it is 0. Every variable is in one group, as one of its literals.
struct LiteralRows {
    View<const std::int32_t> starts;    // (r + 1) start of each row in `literals`
    View<const std::int32_t> literals;
    View<const std::int32_t> kinds;     // (r) RowKind: how many literals of a row are true
    View<const std::int32_t> group_starts;  // (g + 1) start of each group in `members`
    View<const std::int32_t> members;
    View<const bool> may_be_empty;      // (g) whether no member may be true
    std::size_t variables;
};

// l rows of another form: the coefficients of the true literals of a row add up to its room at most.
struct WeightedRows {
    View<const std::int32_t> starts;        // (l + 1) start of each row in `literals`
    View<const std::int32_t> literals;      // a variable is in a row once at most
    View<const std::int64_t> coefficients;  // of the literals, above 0
    View<const std::int64_t> rooms;         // (l)
};

// m queries: w·y = bounding·y + constant − price·slack on all labels; values closer than `equal` are equal. The slack of
// an "at most" row is 1 if none of its literals is true; that of an "at least" row is the number of its true literals
// beyond one; that of a weighted row is what is left of its room.
struct GroupQueries {
    Matrix<const double> weights;   // (m, d)
    Matrix<const double> bounding;  // (m, d)
    View<const double> constant;    // (m)
    View<const double> price;       // (r + l) at least 0
    View<const double> equal;       // (m)
    View<const double> floor;       // (m) answers must have more value
    std::int64_t most_nodes;        // per query
    double seconds;                 // per query
};

// The rows in the layout of the search.
class PackedRows {
public:
    PackedRows(const LiteralRows &rows, const WeightedRows &weighted);

    std::size_t variables;
    std::size_t branching;  // the first rows, of which some literal must be true; rows "at most one" come behind them
    std::vector<std::uint32_t> original;  // the number of each row as it was given
    std::vector<std::uint8_t> kinds;
    std::vector<std::uint32_t> starts, literals;      // row i has literals[starts[i] : starts[i + 1]]
    std::vector<std::uint32_t> place_starts, places;  // literal k is in the rows places[place_starts[k] : …]
    std::vector<std::uint32_t> neighbour_starts, neighbours;  // the literals that each literal excludes; may be missing
    std::vector<std::uint32_t> group_starts, members;
    std::vector<std::uint8_t> may_be_empty;
    std::vector<std::uint32_t> memberships;  // of each literal: twice its group, plus 1 if its opposite is the member
    std::vector<std::uint32_t> negated;      // the variables whose member is the literal "is 0"

    // A literal of a weighted row, or the row of a literal, with the coefficient that they have in common.
    struct Term {
        std::uint32_t place;
        std::int64_t coefficient;
    };
    std::vector<std::int64_t> rooms;                  // of each weighted row
    std::vector<std::uint32_t> term_starts;           // weighted row i has terms[term_starts[i] : term_starts[i + 1]]
    std::vector<Term> terms;                          // the largest coefficients of a row first
    std::vector<std::uint32_t> charge_starts;         // literal k is charged to charges[charge_starts[k] : …]
    std::vector<Term> charges;

private:
    void list_neighbours();
    void pack(const WeightedRows &weighted);
};

// Depth-first search with propagation for all queries, in bands from the best value down. Nothing if the rows contradict
// each other.
std::optional<SearchAnswers> search_groups(const PackedRows &rows, const CutTable &cuts, const GroupQueries &queries,
                                           Watch &watch);

}  // namespace unwritten
