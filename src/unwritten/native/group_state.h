// The state of a search over groups: which variables have a value, what follows from that, and how to go back.
//
// Propagation counts the literals of each row that can still be true. A true literal of an "exactly one" or "at most one"
// row makes the others false, and the last possible literal of an "exactly one" or "at least one" row becomes true. A true
// literal of a weighted row takes from its room, and literals that do not fit into the room any more become false. Every
// variable is in one group of literals that exclude each other, so the best possible gains of the groups add up to an
// upper bound. A literal that would push this bound below a band of values is made false too.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "propagate.h"

namespace unwritten {

class GroupState {
public:
    explicit GroupState(const PackedRows &rows)
        : rows_(rows), counts_(rows.kinds.size()), trues_(rows.kinds.size()), open_(rows.variables, 1),
          values_(rows.variables), prices_(rows.kinds.size()), rooms_(rows.rooms), spare_(rows.rooms),
          weighted_prices_(rows.rooms.size()), has_weighted_(!rows.rooms.empty()), trail_(rows.variables + 1),
          groups_(rows.may_be_empty.size(), Group{0.0, 0.0, kNone, false}), marks_(2 * rows.variables) {
        for (std::size_t i = 0; i < counts_.size(); ++i) {
            for (std::uint32_t k = rows.starts[i]; k < rows.starts[i + 1]; ++k) {
                counts_[i] += kLiteral + rows.literals[k];
            }
        }
        for (std::uint32_t k = 0; k < marks_.size(); ++k) {
            const bool opposite_has_rows = rows.place_starts[k ^ 1] < rows.place_starts[(k ^ 1) + 1] ||
                                           rows.charge_starts[k ^ 1] < rows.charge_starts[(k ^ 1) + 1];
            marks_[k] = (rows.memberships[k] >> 1) << kMarkBits | (rows.memberships[k] & kOppositeIsMember) |
                        (opposite_has_rows || (k & 1) ? kHasConsequences : 0);
        }
        for (std::size_t i = 0; i < spare_.size(); ++i) {
            for (std::uint32_t k = rows.term_starts[i]; k < rows.term_starts[i + 1]; ++k) {
                spare_[i] -= rows.terms[k].coefficient;
            }
        }
    }

    // Begin a new query: w·y = bounding·y + constant − price·slack on all labels.
    void begin(View<const double> bounding, double constant) {
        bounding_ = bounding.data();
        constant_ = constant;
        for (const std::uint32_t j : rows_.negated) constant_ += bounding_[j];  // w·y = w − w·(1 − y)
        reset();
    }

    // Look only for labels with at least `low`, and with more than `beat`.
    void set_low(double low) { low_ = low; }
    void set_beat(double beat) { beat_ = beat; }
    double low() const { return low_; }

    double bound() const { return bound_; }
    bool whole() const { return length_ == rows_.variables; }  // every variable has a value
    const std::vector<std::int32_t> &ones() const { return ones_; }

    // Draw the conclusions that hold for every query; false if the rows contradict each other. `prices` are those of the
    // rows as they were given.
    bool settle_root(View<const double> prices) {
        const std::vector<double> nothing(rows_.variables, 0.0);
        bounding_ = nothing.data();
        save_root();
        reset();
        for (std::size_t i = 0; i < rows_.branching; ++i) {
            const std::uint32_t size = rows_.starts[i + 1] - rows_.starts[i];
            if (size == 0 || (size == 1 && !make_true(rows_.literals[rows_.starts[i]]))) return false;
        }
        for (std::uint32_t i = 0; i < rooms_.size(); ++i) {
            if (rooms_[i] < 0) return false;
            exclude_above_room(i);
        }
        if (!propagate()) return false;
        save_root();
        for (std::size_t i = 0; i < prices_.size(); ++i) prices_[i] = prices[rows_.original[i]];
        for (std::size_t i = 0; i < rooms_.size(); ++i) weighted_prices_[i] = prices[prices_.size() + i];
        return true;
    }

    // Go back to the root, and find the best gain of every group.
    void reset() {
        counts_ = root_counts_;
        trues_ = root_trues_;
        open_ = root_open_;
        values_ = root_values_;
        ones_ = root_ones_;
        rooms_ = root_rooms_;
        spare_ = root_spare_;
        length_ = excluded_ = head_ = root_length_;
        changes_.clear();
        decisions_.clear();
        bound_ = constant_;
        for (std::size_t i = 0; i < spare_.size(); ++i) {
            if (spare_[i] > 0) bound_ -= weighted_prices_[i] * static_cast<double>(spare_[i]);
        }
        for (std::size_t a = 0; a < groups_.size(); ++a) {
            Group group = root_groups_[a];
            const std::uint32_t *const end = root_members_.data() + root_member_starts_[a + 1];
            for (const std::uint32_t *place = root_members_.data() + root_member_starts_[a]; place != end; ++place) {
                const double value = gain(*place);
                if (value > group.top) group.top = value, group.witness = *place;
                if (value < group.least) group.least = value;
            }
            // If all gains are equal, the best does not change: there is nothing to witness.
            move_witness(groups_[a], group.top > group.least ? group.witness : kNone);
            group.witness = groups_[a].witness;
            groups_[a] = group;
            bound_ += group.top;
        }
    }

    // The 8th smallest loss of making one literal true that is not the best of its group.
    double usual_loss(double equal) const {
        std::array<double, kFirstLosses> smallest;
        smallest.fill(kInfinity);
        const auto insert = [&](double loss) {
            for (double &entry : smallest) {
                if (loss < entry) std::swap(entry, loss);
            }
        };
        for (std::size_t a = 0; a < groups_.size(); ++a) {
            const Group &group = groups_[a];
            if (group.taken) continue;
            if (rows_.may_be_empty[a] && group.top > equal) insert(group.top);
            for (std::uint32_t k = rows_.group_starts[a]; k < rows_.group_starts[a + 1]; ++k) {
                const double loss = group.top - gain(rows_.members[k]);
                if (loss > equal && is_open(rows_.members[k])) insert(loss);
            }
        }
        return smallest.back();
    }

    double whole_width() const {
        double width = 0.0;
        for (const Group &group : groups_) width += group.top - group.least;
        return width;
    }

    // Propagate rows and band until nothing changes; false if no label here is above `low_` and `beat_`.
    bool settle() {
        for (;;) {
            if (!propagate()) return false;
            if (length_ == rows_.variables) return true;
            const std::size_t before = length_;
            const double bound = bound_;
            for (std::size_t a = 0; a < groups_.size(); ++a) {
                const Group &group = groups_[a];
                if (group.taken) continue;
                const double rest = bound - group.top;
                if (!too_low(rest + group.least)) continue;
                std::size_t possible = 0;
                std::uint32_t last = kNone;
                for (std::uint32_t k = rows_.group_starts[a]; k < rows_.group_starts[a + 1]; ++k) {
                    // Without branches, as in `exclude`.
                    const std::uint32_t literal = rows_.members[k];
                    const std::uint8_t was_open = open_[literal / 2];
                    const auto keep = static_cast<std::uint8_t>(was_open & !too_low(rest + gain(literal)));
                    open_[literal / 2] = keep;
                    trail_[length_] = literal;
                    length_ += was_open & !keep;
                    possible += keep;
                    last = keep ? literal : last;
                }
                if (possible == 1 && (!rows_.may_be_empty[a] || too_low(rest))) make_false(last ^ 1);
            }
            if (length_ == before) return true;
        }
    }

    // Try the best literal of the row with fewest possible ones; if every row is met, the variable of most weight.
    void decide() {
        std::uint64_t fewest = kMet >> kSumBits;
        for (std::size_t i = 0; i < rows_.branching; ++i) fewest = std::min(fewest, counts_[i] >> kSumBits);
        std::uint32_t literal = kNone;
        double most = -kInfinity;
        if (fewest < kMet >> kSumBits) {
            for (std::size_t i = 0; i < rows_.branching; ++i) {
                if (counts_[i] >> kSumBits == fewest) consider(i, literal, most);
            }
        }
        if (literal == kNone) {
            for (std::uint32_t j = 0; j < rows_.variables; ++j) {
                if (std::abs(bounding_[j]) > most && open_[j]) {
                    literal = 2 * j + (bounding_[j] <= 0.0);
                    most = std::abs(bounding_[j]);
                }
            }
        }
        decisions_.push_back({literal, false, length_, ones_.size(), changes_.size(), bound_});
        make_false(literal ^ 1);
    }

    // Go back to the last decision whose opposite is untried, and try that; false if there is none.
    bool backtrack() {
        while (!decisions_.empty() && decisions_.back().flipped) decisions_.pop_back();
        if (decisions_.empty()) return false;
        Decision &decision = decisions_.back();
        for (std::size_t at = decision.trail; at < length_; ++at) {
            open_[trail_[at] / 2] = 1;
            values_[trail_[at] / 2] = 0;
        }
        for (std::size_t at = decision.trail; at < head_; ++at) {
            const std::uint32_t literal = trail_[at];
            for (std::uint32_t p = rows_.place_starts[literal]; p < rows_.place_starts[literal + 1]; ++p) {
                counts_[rows_.places[p]] += kLiteral + literal;
            }
        }
        for (std::size_t at = decision.trail; at < excluded_; ++at) {
            const std::uint32_t literal = trail_[at] ^ 1;
            for (std::uint32_t p = rows_.place_starts[literal]; p < rows_.place_starts[literal + 1]; ++p) {
                const std::uint32_t row = rows_.places[p];
                if (rows_.kinds[row] != kAtLeast || --trues_[row] == 0) counts_[row] -= kMet;
            }
        }
        if (has_weighted_) refund(decision.trail);
        length_ = excluded_ = head_ = decision.trail;
        ones_.resize(decision.ones);
        for (; changes_.size() > decision.changes; changes_.pop_back()) {
            const auto &[a, before] = changes_.back();
            move_witness(groups_[a], before.witness);
            groups_[a] = before;
        }
        bound_ = decision.bound;
        decision.flipped = true;
        make_false(decision.literal);
        return true;
    }

    // The elementary steps since the last call.
    std::int64_t steps() {
        return std::exchange(work_, 0) + static_cast<std::int64_t>(groups_.size() + rows_.branching);
    }

private:
    static constexpr double kInfinity = std::numeric_limits<double>::infinity();
    static constexpr std::size_t kFirstLosses = 8;
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    // The marks of a literal, below the number of its variable's group.
    static constexpr std::uint32_t kOppositeIsMember = 1;  // the opposite literal is in the group
    static constexpr std::uint32_t kHasConsequences = 2;  // being false has consequences at once: the opposite has rows, or is "is 1"
    static constexpr std::uint32_t kWitness = 4;  // no possible member of the group has a greater gain
    static constexpr int kMarkBits = 3;

    // A row's count holds the number of its possible literals and, in the lower 40 bits, the sum of these literals. So the
    // last possible literal is known without a search. A row with a true literal counts kMet more, and is left alone.
    static constexpr int kSumBits = 40;
    static constexpr std::uint64_t kLiteral = std::uint64_t{1} << kSumBits;
    static constexpr std::uint64_t kMet = std::uint64_t{1} << 61;

    static constexpr auto kAtMost = static_cast<std::uint8_t>(RowKind::at_most);
    static constexpr auto kAtLeast = static_cast<std::uint8_t>(RowKind::at_least);

    struct Group {
        double top, least;      // best possible gain, and worst gain at the root
        std::uint32_t witness;  // a possible member that has the best gain, or kNone
        bool taken;             // whether a member is true
    };
    struct GroupChange {
        std::uint32_t group;
        Group before;
    };
    struct Decision {
        std::uint32_t literal;
        bool flipped;  // whether the opposite is being tried
        std::size_t trail, ones, changes;
        double bound;
    };

    bool is_open(std::uint32_t literal) const { return open_[literal / 2]; }
    bool is_possible(std::uint32_t literal) const { return is_open(literal) || values_[literal / 2] != (literal & 1); }
    double gain(std::uint32_t literal) const {
        const double weight = bounding_[literal / 2];
        return literal & 1 ? -weight : weight;
    }
    bool too_low(double bound) const { return (bound < low_) | (bound <= beat_); }

    void save_root() {
        root_counts_ = counts_;
        root_trues_ = trues_;
        root_open_ = open_;
        root_values_ = values_;
        root_ones_ = ones_;
        root_rooms_ = rooms_;
        root_spare_ = spare_;
        root_length_ = length_;
        root_groups_.clear();
        root_members_.clear();
        root_member_starts_.assign(1, 0);
        for (std::size_t a = 0; a < groups_.size(); ++a) {
            const auto first = rows_.members.begin() + rows_.group_starts[a];
            const auto behind = rows_.members.begin() + rows_.group_starts[a + 1];
            const auto is_true = [&](std::uint32_t literal) { return is_possible(literal) && !is_open(literal); };
            const auto member = std::find_if(first, behind, is_true);
            const bool taken = member != behind, may_be_empty = !taken && rows_.may_be_empty[a];
            root_groups_.push_back({may_be_empty ? 0.0 : -kInfinity, may_be_empty ? 0.0 : kInfinity, kNone, taken});
            if (taken) {
                root_members_.push_back(*member);
            } else {
                std::copy_if(first, behind, std::back_inserter(root_members_), [&](auto k) { return is_open(k); });
            }
            root_member_starts_.push_back(static_cast<std::uint32_t>(root_members_.size()));
        }
    }

    // Make a literal of an open variable false.
    void make_false(std::uint32_t literal) {
        open_[literal / 2] = 0;
        values_[literal / 2] = literal & 1;
        trail_[length_++] = literal;
    }

    // Make a literal true unless it is; false if it cannot be.
    bool make_true(std::uint32_t literal) {
        if (is_open(literal)) make_false(literal ^ 1);
        return is_possible(literal);
    }

    // Draw conclusions from the new false literals; false on a contradiction or if the bound is too low.
    //
    // The opposite of a false literal is true, and its rows exclude their other literals at once. Counting comes second,
    // one literal at a time: once every variable has a value, it is enough that every row is met.
    bool propagate() {
        // Locals stay in registers: the compiler cannot know that the arrays do not overlap with members.
        const std::uint32_t *const place_starts = rows_.place_starts.data();
        const std::uint32_t *const places = rows_.places.data();
        const std::uint32_t *const marks = marks_.data();
        std::uint64_t *const counts = counts_.data();
        const std::uint32_t *const trail = trail_.data();
        const bool has_weighted = has_weighted_;
        std::size_t excluded = excluded_, head = head_;
        bool consistent = true;
        for (;;) {
            for (std::size_t length = length_; excluded < length && consistent;) {
                const std::uint32_t literal = trail[excluded++];
                if (!(marks[literal] & kHasConsequences)) continue;
                if (literal & 1) {
                    values_[literal / 2] = 1;
                    ones_.push_back(static_cast<std::int32_t>(literal / 2));
                }
                consistent = meet_rows(literal ^ 1);
                if (has_weighted) consistent &= charge(literal ^ 1);
                length = length_;
            }
            if (!consistent || head == length_ || length_ == rows_.variables) break;
            const std::size_t length = length_;
            bool found = false;  // a row has at most one possible literal
            do {
                const std::uint32_t literal = trail[head++];
                if (marks[literal] & (kOppositeIsMember | kWitness)) consistent = update_group(literal);
                // Every row of a counted literal is counted, even after a contradiction: going back undoes all of them.
                const std::uint64_t one = kLiteral + literal;
                const std::uint32_t *const end = places + place_starts[literal + 1];
                for (const std::uint32_t *place = places + place_starts[literal]; place != end; ++place) {
                    const std::uint64_t count = counts[*place] - one;
                    counts[*place] = count;
                    if (count < 2 * kLiteral) [[unlikely]] {
                        found = true;
                        consistent = consistent && last_one(*place, count);
                    }
                }
                if (has_weighted) leave_over(literal);
            } while (head < length && consistent && !found);
        }
        work_ += 8 * static_cast<std::int64_t>(head - head_);
        excluded_ = excluded, head_ = head;
        if (consistent && length_ == rows_.variables) return every_row_is_met();
        return consistent && !too_low(bound_);
    }

    // A literal became true: its rows are met, and exclude their other literals. False on a contradiction.
    bool meet_rows(std::uint32_t literal) {
        bool consistent = true;
        for (std::uint32_t p = rows_.place_starts[literal]; p < rows_.place_starts[literal + 1]; ++p) {
            const std::uint32_t row = rows_.places[p];
            if (rows_.kinds[row] == kAtLeast) {
                if (trues_[row]++ == 0) {
                    counts_[row] += kMet;
                } else {
                    bound_ -= prices_[row];
                }
            } else {
                consistent &= counts_[row] < kMet;  // else another literal is true
                counts_[row] += kMet;
                if (rows_.neighbours.empty()) exclude(rows_.literals, rows_.starts[row], rows_.starts[row + 1]);
            }
        }
        if (!rows_.neighbours.empty()) {
            exclude(rows_.neighbours, rows_.neighbour_starts[literal], rows_.neighbour_starts[literal + 1]);
        }
        return consistent;
    }

    // A literal became true: take its coefficients from the rooms of its weighted rows. False on a contradiction.
    bool charge(std::uint32_t literal) {
        bool consistent = true;
        for (std::uint32_t p = rows_.charge_starts[literal]; p < rows_.charge_starts[literal + 1]; ++p) {
            const std::uint32_t row = rows_.charges[p].place;
            rooms_[row] -= rows_.charges[p].coefficient;
            consistent &= rooms_[row] >= 0;
            exclude_above_room(row);
        }
        return consistent;
    }

    // Make the open literals of a weighted row false that do not fit into its room. True ones fit already.
    void exclude_above_room(std::uint32_t row) {
        const std::int64_t room = rooms_[row];
        for (std::uint32_t k = rows_.term_starts[row]; k < rows_.term_starts[row + 1]; ++k) {
            if (rows_.terms[k].coefficient <= room) break;
            const std::uint32_t literal = rows_.terms[k].place;
            const std::uint8_t was_open = open_[literal / 2];
            open_[literal / 2] = 0;
            trail_[length_] = literal;
            length_ += was_open;
            ++work_;
        }
    }

    // Undo what the trail from a place on has changed in weighted rows.
    void refund(std::size_t from) {
        for (std::size_t at = from; at < head_; ++at) {
            const std::uint32_t literal = trail_[at];
            for (std::uint32_t p = rows_.charge_starts[literal]; p < rows_.charge_starts[literal + 1]; ++p) {
                spare_[rows_.charges[p].place] -= rows_.charges[p].coefficient;
            }
        }
        for (std::size_t at = from; at < excluded_; ++at) {
            const std::uint32_t literal = trail_[at] ^ 1;
            for (std::uint32_t p = rows_.charge_starts[literal]; p < rows_.charge_starts[literal + 1]; ++p) {
                rooms_[rows_.charges[p].place] += rows_.charges[p].coefficient;
            }
        }
    }

    // A literal became false: more of the rooms of its weighted rows is left over, at a price.
    void leave_over(std::uint32_t literal) {
        for (std::uint32_t p = rows_.charge_starts[literal]; p < rows_.charge_starts[literal + 1]; ++p) {
            const auto &[row, coefficient] = rows_.charges[p];
            spare_[row] += coefficient;
            if (spare_[row] > 0) {
                bound_ -= weighted_prices_[row] * static_cast<double>(std::min(spare_[row], coefficient));
            }
        }
    }

    bool every_row_is_met() const {
        std::uint64_t least = kMet;
        for (std::size_t i = 0; i < rows_.branching; ++i) least = std::min(least, counts_[i]);
        return least >= kMet;
    }

    // A member of a group became true, or its best member false. Returns false if the bound is too low now.
    bool update_group(std::uint32_t literal) {
        const std::uint32_t a = marks_[literal] >> kMarkBits;
        Group &group = groups_[a];
        if (marks_[literal] & kOppositeIsMember) {
            changes_.push_back({a, group});
            const double value = gain(literal ^ 1);
            bound_ += value - group.top;
            group.top = value;
            group.taken = true;
            return !too_low(bound_);
        }
        return group.taken || find_witness(a, group);
    }

    // The best member of a group became false: find the next best.
    bool find_witness(std::uint32_t a, Group &group) {
        double best = rows_.may_be_empty[a] ? 0.0 : -kInfinity;
        std::uint32_t witness = kNone;
        for (std::uint32_t k = rows_.group_starts[a]; k < rows_.group_starts[a + 1] && best < group.top; ++k) {
            const std::uint32_t other = rows_.members[k];
            const double value = gain(other);
            if (value > best && is_possible(other)) best = value, witness = other;
        }
        if (best == -kInfinity) return true;  // a contradiction, which the row of the group finds
        changes_.push_back({a, group});
        bound_ += best - group.top;
        group.top = best;
        move_witness(group, witness);
        return !too_low(bound_);
    }

    void move_witness(Group &group, std::uint32_t witness) {
        if (group.witness != kNone) marks_[group.witness] &= ~kWitness;
        if (witness != kNone) marks_[witness] |= kWitness;
        group.witness = witness;
    }

    // Make those literals of a list false whose variables are open. Their values are set when they exclude others.
    void exclude(const std::vector<std::uint32_t> &literals, std::size_t first, std::size_t behind) {
        std::uint8_t *const open = open_.data();
        std::uint32_t *end = trail_.data() + length_;
        const std::uint32_t *const last = literals.data() + behind;
        for (const std::uint32_t *place = literals.data() + first; place != last; ++place) {
            // Without branches, which would be taken at random: the trail grows only if the variable was open.
            const std::uint32_t literal = *place;
            const std::uint8_t was_open = open[literal / 2];
            open[literal / 2] = 0;
            *end = literal;
            end += was_open;
        }
        length_ = static_cast<std::size_t>(end - trail_.data());
    }

    // At most one literal of an unmet row is still possible: draw the conclusion. False on a contradiction.
    bool last_one(std::uint32_t row, std::uint64_t count) {
        const bool none = count < kLiteral;
        if (rows_.kinds[row] == kAtMost) {
            const double without = bound_ - prices_[row];
            if (none) bound_ = without;
            if (none || !too_low(without)) return true;
        }
        return !none && make_true(static_cast<std::uint32_t>(count - kLiteral));
    }

    // Take the best literal of a row if it exceeds the second best by more than `most`.
    void consider(std::size_t row, std::uint32_t &literal, double &most) const {
        double first = -kInfinity, second = -kInfinity;
        std::uint32_t which = kNone;
        for (std::uint32_t k = rows_.starts[row]; k < rows_.starts[row + 1]; ++k) {
            const std::uint32_t other = rows_.literals[k];
            if (!is_open(other)) continue;
            const double value = gain(other);
            if (value > first) {
                second = first, first = value, which = other;
            } else if (value > second) {
                second = value;
            }
        }
        if (first - second > most) literal = which, most = first - second;
    }

    const PackedRows &rows_;
    std::vector<std::uint64_t> counts_, root_counts_;  // of each row
    std::vector<std::int32_t> trues_, root_trues_;     // true literals of each "at least one" row
    std::vector<std::uint8_t> open_, root_open_;       // whether a variable has no value yet
    std::vector<std::uint8_t> values_, root_values_;   // of each variable; 0 if it has none yet
    std::vector<Group> root_groups_;                   // without the gains of their members
    std::vector<std::uint32_t> root_member_starts_, root_members_;  // of each group: the true one, or all open ones
    std::vector<double> prices_;                       // of the rows in their packed order; none at the root
    std::vector<std::int64_t> rooms_, root_rooms_;     // of each weighted row: what its true literals leave
    std::vector<std::int64_t> spare_, root_spare_;     // what would be left if all possible literals were true
    std::vector<double> weighted_prices_;              // of a unit that is left; none at the root
    bool has_weighted_;                                // whether there are weighted rows
    std::vector<std::uint32_t> trail_;  // false literals, in the order they became false; one entry is spare
    std::size_t length_ = 0, root_length_ = 0;  // of the trail
    std::size_t excluded_ = 0, head_ = 0;  // the first so many have excluded other literals, and are counted
    std::vector<Group> groups_;
    std::vector<std::uint32_t> marks_;  // of each literal
    std::vector<GroupChange> changes_;
    std::vector<Decision> decisions_;
    std::vector<std::int32_t> ones_, root_ones_;   // the variables that are 1, in the order they became so
    const double *bounding_ = nullptr;
    double constant_ = 0.0, bound_ = 0.0, low_ = -kInfinity, beat_ = -kInfinity;
    std::int64_t work_ = 0;
};

}  // namespace unwritten
