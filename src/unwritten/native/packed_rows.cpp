// Brings rows of literals into the layout of the search over groups.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "propagate.h"

namespace unwritten {

namespace {

void check_lists(View<const std::int32_t> starts, std::size_t lists, View<const std::int32_t> literals,
                 std::size_t variables) {
    bool sound = starts.size() == lists + 1 && starts[0] == 0 &&
                 static_cast<std::size_t>(starts[lists]) == literals.size();
    for (std::size_t i = 0; sound && i < lists; ++i) sound = starts[i] <= starts[i + 1];
    for (const std::int32_t literal : literals) {
        sound = sound && literal >= 0 && static_cast<std::size_t>(literal) < 2 * variables;
    }
    if (!sound) throw std::invalid_argument("the lists of literals are not well formed");
}

constexpr std::size_t kMostVariables = std::size_t{1} << 19;  // the sum of all literals of a row has 40 bits
constexpr std::int64_t kMostActivity = std::int64_t{1} << 62;
constexpr std::size_t kMostNeighbours = std::size_t{1} << 22;  // 16 MiB; large rows have too many to list

}  // namespace

PackedRows::PackedRows(const LiteralRows &rows, const WeightedRows &weighted) : variables(rows.variables) {
    const std::size_t r = rows.kinds.size(), g = rows.may_be_empty.size();
    check_lists(rows.starts, r, rows.literals, variables);
    check_lists(rows.group_starts, g, rows.members, variables);
    if (variables > kMostVariables) throw std::invalid_argument("there are too many variables");

    const auto at_most = static_cast<std::int32_t>(RowKind::at_most);
    for (std::uint32_t i = 0; i < r; ++i) original.push_back(i);
    const auto behind = std::stable_partition(original.begin(), original.end(),
                                              [&](std::uint32_t i) { return rows.kinds[i] != at_most; });
    branching = static_cast<std::size_t>(behind - original.begin());

    place_starts.assign(2 * variables + 1, 0);
    for (const std::int32_t literal : rows.literals) ++place_starts[static_cast<std::size_t>(literal) + 1];
    for (std::size_t k = 0; k < 2 * variables; ++k) place_starts[k + 1] += place_starts[k];
    std::vector<std::uint32_t> next(place_starts.begin(), place_starts.end() - 1);
    places.resize(rows.literals.size());
    starts.push_back(0);
    for (std::uint32_t i = 0; i < r; ++i) {
        const std::uint32_t source = original[i];
        kinds.push_back(static_cast<std::uint8_t>(rows.kinds[source]));
        for (std::int32_t k = rows.starts[source]; k < rows.starts[source + 1]; ++k) {
            literals.push_back(static_cast<std::uint32_t>(rows.literals[static_cast<std::size_t>(k)]));
            places[next[literals.back()]++] = i;
        }
        starts.push_back(static_cast<std::uint32_t>(literals.size()));
    }

    list_neighbours();
    pack(weighted);

    memberships.assign(2 * variables, 0);
    std::vector<bool> grouped(variables, false);
    for (std::uint32_t a = 0; a < g; ++a) {
        group_starts.push_back(static_cast<std::uint32_t>(members.size()));
        may_be_empty.push_back(rows.may_be_empty[a]);
        for (std::int32_t k = rows.group_starts[a]; k < rows.group_starts[a + 1]; ++k) {
            const auto member = static_cast<std::uint32_t>(rows.members[static_cast<std::size_t>(k)]);
            members.push_back(member);
            memberships[member] = 2 * a;
            memberships[member ^ 1] = 2 * a + 1;
            grouped[member / 2] = true;
        }
    }
    group_starts.push_back(static_cast<std::uint32_t>(members.size()));
    if (members.size() != variables || std::count(grouped.begin(), grouped.end(), false)) {
        throw std::invalid_argument("every variable must be in one group");
    }
    for (std::uint32_t j = 0; j < variables; ++j) {
        if (memberships[2 * j] & 1) negated.push_back(j);
    }
}

void PackedRows::pack(const WeightedRows &weighted) {
    const std::size_t l = weighted.rooms.size();
    check_lists(weighted.starts, l, weighted.literals, variables);
    if (weighted.coefficients.size() != weighted.literals.size()) {
        throw std::invalid_argument("the lists of literals and coefficients differ in length");
    }
    rooms.assign(weighted.rooms.begin(), weighted.rooms.end());
    charge_starts.assign(2 * variables + 1, 0);
    term_starts.push_back(0);
    std::vector<std::size_t> last(variables, l);  // the row that each variable was in last
    for (std::size_t i = 0; i < l; ++i) {
        std::int64_t total = rooms[i] < 0 ? -(rooms[i] + 1) : rooms[i];  // sums of a row must not overflow
        for (auto k = static_cast<std::size_t>(weighted.starts[i]); k < static_cast<std::size_t>(weighted.starts[i + 1]);
             ++k) {
            const auto literal = static_cast<std::uint32_t>(weighted.literals[k]);
            const std::int64_t coefficient = weighted.coefficients[k];
            if (coefficient <= 0 || coefficient > kMostActivity - std::min(total, kMostActivity)) {
                throw std::invalid_argument("the coefficients of a row are not above 0, or too large");
            }
            if (std::exchange(last[literal / 2], i) == i) throw std::invalid_argument("a variable is in a row twice");
            total += coefficient;
            terms.push_back({literal, coefficient});
            ++charge_starts[literal + 1];
        }
        std::stable_sort(terms.begin() + term_starts.back(), terms.end(),
                         [](const Term &one, const Term &other) { return one.coefficient > other.coefficient; });
        term_starts.push_back(static_cast<std::uint32_t>(terms.size()));
    }
    for (std::size_t k = 0; k < 2 * variables; ++k) charge_starts[k + 1] += charge_starts[k];
    std::vector<std::uint32_t> next(charge_starts.begin(), charge_starts.end() - 1);
    charges.resize(terms.size());
    for (std::uint32_t i = 0; i < l; ++i) {
        for (std::uint32_t k = term_starts[i]; k < term_starts[i + 1]; ++k) {
            charges[next[terms[k].place]++] = {i, terms[k].coefficient};
        }
    }
}

void PackedRows::list_neighbours() {
    const auto at_least = static_cast<std::uint8_t>(RowKind::at_least);
    std::size_t total = 0;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        const std::size_t size = starts[i + 1] - starts[i];
        if (kinds[i] != at_least) total += size * size;
    }
    if (total > kMostNeighbours) return;
    std::vector<std::uint32_t> last(2 * variables, ~std::uint32_t{0});  // the literal that listed each literal last
    neighbour_starts.push_back(0);
    for (std::uint32_t literal = 0; literal < 2 * variables; ++literal) {
        last[literal] = literal;
        for (std::uint32_t p = place_starts[literal]; p < place_starts[literal + 1]; ++p) {
            const std::uint32_t row = places[p];
            if (kinds[row] == at_least) continue;
            for (std::uint32_t k = starts[row]; k < starts[row + 1]; ++k) {
                if (last[literals[k]] == literal) continue;
                last[literals[k]] = literal;
                neighbours.push_back(literals[k]);
            }
        }
        neighbour_starts.push_back(static_cast<std::uint32_t>(neighbours.size()));
    }
}

}  // namespace unwritten
