// CoverSet: a set of columns on its way to becoming a cover, and what adding or dropping a column would change.
//
// How many members hit a label is kept as bit planes over the labels, so only labels whose number of hits passes
// between 0, 1 and 2 are visited one by one.
#pragma once

#include <algorithm>
#include <limits>
#include <numeric>

#include "column_mask.h"
#include "hit_counts.h"
#include "set_labels.h"

namespace unwritten {

// A gain and a number of unhit labels share one integer, so that one addition changes both.
constexpr int kGainShift = 24;
constexpr std::int64_t kMostLabels = std::int64_t{1} << kGainShift;
constexpr std::int64_t kMostWork = std::int64_t{1} << 38;  // bounds the gains: weights grow by less than the work

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

class CoverSet {
public:
    explicit CoverSet(const SetLabels &labels)
        : labels_(labels),
          planes_(std::max<std::size_t>(1, static_cast<std::size_t>(std::bit_width(labels.longest())))),
          hits_(planes_ * labels.lanes()),
          mask_(labels.words()),
          since_(labels.width()),
          gains_(labels.width()),
          loss_(labels.width()),
          size_(labels.width()),
          weight_(labels.count()),
          unhit_(labels.count()),
          place_(labels.count()),
          none_(labels.count() + kSpare),
          once_(labels.count() + kSpare) {
        for (std::size_t i = 0; i < labels.count(); ++i) {
            for (const std::size_t j : labels.columns(i)) ++size_[j];
        }
    }

    void clear() {
        std::fill(hits_.begin(), hits_.end(), Lane{});
        std::fill(mask_.begin(), mask_.end(), 0);
        std::fill(since_.begin(), since_.end(), 0);
        std::fill(loss_.begin(), loss_.end(), 0);
        std::fill(weight_.begin(), weight_.end(), 1);
        for (std::size_t j = 0; j < size_.size(); ++j) gains_[j] = size_[j] * entry(1);
        raises_ = 0;
        unhit_entries_ = static_cast<std::int64_t>(labels_.entries());
        members_.clear();
        std::iota(unhit_.begin(), unhit_.end(), 0);
        std::iota(place_.begin(), place_.end(), 0);
        unhit_count_ = labels_.count();
    }

    void add(std::size_t j) {
        const FewHits end = count(count_in, j);
        for (const std::int32_t *i = none_.data(); i < end.none; ++i) loss_[j] += hide(static_cast<std::size_t>(*i));
        for (const std::int32_t *i = once_.data(); i < end.once; ++i) share(static_cast<std::size_t>(*i), -1);
        members_.push_back(static_cast<std::int32_t>(j));
        insert(mask_, j);
    }

    void drop(std::size_t j) {
        members_.erase(std::find(members_.begin(), members_.end(), static_cast<std::int32_t>(j)));
        remove(mask_, j);
        loss_[j] = 0;
        const FewHits end = count(count_out, j);
        for (const std::int32_t *i = none_.data(); i < end.none; ++i) show(static_cast<std::size_t>(*i));
        for (const std::int32_t *i = once_.data(); i < end.once; ++i) share(static_cast<std::size_t>(*i), 1);
    }

    // The member to drop: the one that loses least, the oldest of equals, then the first; never one of the three given.
    // kNone if no member is left.
    std::size_t least_missed(std::size_t one, std::size_t other, std::size_t newest) {
        std::size_t worst = kNone;
        for (const std::int32_t member : members_) {
            const auto j = static_cast<std::size_t>(member);
            if (j == one || j == other || j == newest) continue;
            if (worst == kNone || loss_[j] < loss_[worst] ||
                (loss_[j] == loss_[worst] &&
                 (since_[j] < since_[worst] || (since_[j] == since_[worst] && j < worst)))) {
                worst = j;
            }
        }
        work_ += static_cast<std::int64_t>(labels_.width());
        return worst;
    }

    // The column of an unhit label with the greatest gain, the oldest of equals, then the first; kNone if there is none
    // but `dropped`.
    std::size_t best_in(std::size_t label, std::size_t dropped) const {
        std::size_t best = kNone;
        for (const std::size_t j : labels_.columns(label)) {
            if (j != dropped && (best == kNone || gain(j) > gain(best) ||
                                 (gain(j) == gain(best) && since_[j] < since_[best]))) {
                best = j;
            }
        }
        return best;
    }

    std::size_t best_of_all() const {
        std::size_t best = 0;
        for (std::size_t j = 1; j < gains_.size(); ++j) {
            if (gain(j) > gain(best)) best = j;
        }
        return best;
    }

    void raise_weights_of_unhit() {
        ++raises_;
        for (std::int64_t &gain : gains_) gain += (gain & (kMostLabels - 1)) << kGainShift;
        work_ += unhit_entries_;
    }

    void stamp(std::size_t j, std::int64_t clock) { since_[j] = clock; }
    std::int64_t loss(std::size_t j) const { return loss_[j]; }
    std::size_t size() const { return members_.size(); }
    std::size_t unhit_count() const { return unhit_count_; }
    std::size_t unhit(std::size_t at) const { return static_cast<std::size_t>(unhit_[at]); }
    std::int64_t work() const { return work_; }
    const ColumnMask &mask() const { return mask_; }

private:
    // Count column j in or out; the labels that no or one other member hits are then in `none_` and `once_`.
    FewHits count(CountColumn count_column, std::size_t j) {
        work_ += size_[j];
        return count_column(labels_.support(j), labels_.lanes(), hits_.data(), planes_, {none_.data(), once_.data()});
    }

    // Change the loss of the only other member that hits a label by its weight.
    UNWRITTEN_INLINE void share(std::size_t label, std::int64_t sign) {
        loss_[member_in(label)] += sign * weight_[label];
    }

    // The first member that a label has.
    UNWRITTEN_INLINE std::size_t member_in(std::size_t label) const {
        const std::uint64_t *columns = labels_.mask(label);
        std::uint64_t common = columns[0] & mask_[0];
        std::size_t word = 0;
        for (std::size_t w = 1; w < labels_.words(); ++w) {  // without branches, which could not be predicted
            const std::uint64_t later = 0 - std::uint64_t{common == 0};
            common |= columns[w] & mask_[w] & later;
            word += later & 1;
        }
        return word * kWordBits + static_cast<std::size_t>(std::countr_zero(common));
    }

    // What a label of this weight adds to the entry in `gains_` of each of its columns.
    static constexpr std::int64_t entry(std::int64_t weight) { return (weight << kGainShift) + 1; }
    std::int64_t gain(std::size_t j) const { return gains_[j] >> kGainShift; }

    // Take a label that is now hit from the unhit labels: the last of them takes its place. Returns its weight.
    UNWRITTEN_INLINE std::int64_t hide(std::size_t label) {
        const std::int32_t last = unhit_[--unhit_count_];
        unhit_[static_cast<std::size_t>(place_[label])] = last;
        place_[static_cast<std::size_t>(last)] = place_[label];
        weight_[label] += raises_;
        const std::int64_t change = entry(weight_[label]);
        for (const std::size_t j : labels_.columns(label)) gains_[j] -= change;
        count_entries(label, -1);
        return weight_[label];
    }

    UNWRITTEN_INLINE void show(std::size_t label) {
        unhit_[unhit_count_] = static_cast<std::int32_t>(label);
        place_[label] = static_cast<std::int32_t>(unhit_count_++);
        const std::int64_t change = entry(weight_[label]);
        for (const std::size_t j : labels_.columns(label)) gains_[j] += change;
        weight_[label] -= raises_;
        count_entries(label, 1);
    }

    UNWRITTEN_INLINE void count_entries(std::size_t label, std::int64_t sign) {
        const auto size = static_cast<std::int64_t>(labels_.size(label));
        unhit_entries_ += sign * size;
        work_ += size;
    }

    const SetLabels &labels_;
    std::size_t planes_;
    std::vector<Lane> hits_;            // lanes × planes: the number of members that hit each label
    std::vector<std::int32_t> members_;
    ColumnMask mask_;                   // the members as bits
    std::vector<std::int64_t> since_;   // per column: the step at which it was last added or dropped
    std::vector<std::int64_t> gains_;   // per column: weight of the unhit labels that have it, and below, their number
    std::vector<std::int64_t> loss_;    // per column: weight of the labels that only this member hits
    std::vector<std::int64_t> size_;    // per column: labels that have it
    std::vector<std::int64_t> weight_;  // per label; for unhit labels, less `raises_`
    std::vector<std::int32_t> unhit_;   // the labels not hit come first
    std::vector<std::int32_t> place_;   // per label: its place in `unhit_`
    std::vector<std::int32_t> none_, once_;
    std::size_t unhit_count_ = 0;
    std::int64_t unhit_entries_ = 0;    // columns of the unhit labels together
    std::int64_t raises_ = 0;           // how often the weights of the unhit labels were raised
    std::int64_t work_ = 0;
};

}  // namespace unwritten
