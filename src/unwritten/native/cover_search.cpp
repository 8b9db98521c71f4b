// Minimal covers: sets of columns such that every label has at least one of them.
//
// From each pair of columns, a local search swaps one member at a time and lets the weight of labels that stay unhit
// grow (row weighting, the local search that does best on set covering). How many members hit a label is kept as bit
// planes over the labels, so only labels whose number of hits passes between 0, 1 and 2 are visited one by one.
#include <algorithm>
#include <limits>
#include <numeric>

#include "kernels.h"
#include "known_pairs.h"
#include "set_labels.h"

namespace unwritten {

namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

// A set of columns on its way to becoming a cover.
class CoverSet {
public:
    explicit CoverSet(const SetLabels &labels)
        : labels_(labels),
          planes_(std::max<std::size_t>(1, static_cast<std::size_t>(std::bit_width(labels.longest())))),
          hits_(planes_ * labels.lanes()),
          mask_(labels.words()),
          since_(labels.width()),
          gain_(labels.width()),
          loss_(labels.width()),
          size_(labels.width()),
          weight_(labels.count()),
          unhit_(labels.count()),
          place_(labels.count()) {
        for (std::size_t i = 0; i < labels.count(); ++i) {
            for (const std::int32_t j : labels.columns(i)) ++size_[static_cast<std::size_t>(j)];
        }
    }

    void clear() {
        std::fill(hits_.begin(), hits_.end(), Lane{});
        std::fill(mask_.begin(), mask_.end(), 0);
        std::fill(since_.begin(), since_.end(), 0);
        std::fill(loss_.begin(), loss_.end(), 0);
        std::fill(weight_.begin(), weight_.end(), 1);
        gain_ = size_;
        members_.clear();
        std::iota(unhit_.begin(), unhit_.end(), 0);
        std::iota(place_.begin(), place_.end(), 0);
        unhit_count_ = labels_.count();
    }

    void add(std::size_t j) {
        const Lane *support = labels_.support(j);
        std::int64_t gained = 0;
        for (std::size_t l = 0; l < labels_.lanes(); ++l) {
            Lane *hits = hits_.data() + l * planes_;
            Lane none = support[l], once;
            split(hits, none, once);
            Lane carry = support[l];
            for (std::size_t p = 0; p < planes_; ++p) {
                const Lane sum = hits[p] ^ carry;
                carry = carry & hits[p];
                hits[p] = sum;
            }
            each(none, l, [&](std::size_t i) {
                gained += weight_[i];
                hide(i);
            });
            each(once, l, [&](std::size_t i) { loss_[member_in(i)] -= weight_[i]; });
        }
        loss_[j] += gained;
        members_.push_back(static_cast<std::int32_t>(j));
        insert(mask_, j);
        work_ += size_[j];
    }

    void drop(std::size_t j) {
        members_.erase(std::find(members_.begin(), members_.end(), static_cast<std::int32_t>(j)));
        remove(mask_, j);
        loss_[j] = 0;
        const Lane *support = labels_.support(j);
        for (std::size_t l = 0; l < labels_.lanes(); ++l) {
            Lane *hits = hits_.data() + l * planes_;
            Lane borrow = support[l];
            for (std::size_t p = 0; p < planes_; ++p) {
                const Lane difference = hits[p] ^ borrow;
                borrow = without(borrow, hits[p]);
                hits[p] = difference;
            }
            Lane none = support[l], once;
            split(hits, none, once);
            each(none, l, [&](std::size_t i) { show(i); });
            each(once, l, [&](std::size_t i) { loss_[member_in(i)] += weight_[i]; });
        }
        work_ += size_[j];
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
        for (const std::int32_t column : labels_.columns(label)) {
            const auto j = static_cast<std::size_t>(column);
            if (j != dropped && (best == kNone || gain_[j] > gain_[best] ||
                                 (gain_[j] == gain_[best] && since_[j] < since_[best]))) {
                best = j;
            }
        }
        return best;
    }

    std::size_t best_of_all() const {
        return static_cast<std::size_t>(std::max_element(gain_.begin(), gain_.end()) - gain_.begin());
    }

    void raise_weights_of_unhit() {
        for (std::size_t at = 0; at < unhit_count_; ++at) {
            const auto i = static_cast<std::size_t>(unhit_[at]);
            ++weight_[i];
            change_gains(i, 1);
        }
    }

    void stamp(std::size_t j, std::int64_t clock) { since_[j] = clock; }
    std::int64_t loss(std::size_t j) const { return loss_[j]; }
    std::size_t size() const { return members_.size(); }
    std::size_t unhit_count() const { return unhit_count_; }
    std::size_t unhit(std::size_t at) const { return static_cast<std::size_t>(unhit_[at]); }
    std::int64_t work() const { return work_; }
    const ColumnMask &mask() const { return mask_; }

private:
    // Divide labels by the number of members that hit them: `none` keeps those with 0, `once` receives those with 1.
    UNWRITTEN_INLINE void split(const Lane *hits, Lane &none, Lane &once) const {
        Lane few = none;
        for (std::size_t p = 1; p < planes_; ++p) few = without(few, hits[p]);
        none = without(few, hits[0]);
        once = few & hits[0];
    }

    template <class Visit> UNWRITTEN_INLINE void each(const Lane &labels, std::size_t lane, Visit visit) {
        for (std::size_t w = 0; w < kLaneWords; ++w) {
            each_bit(labels.word[w], lane * kLaneBits + w * kWordBits, visit);
        }
    }

    // The first member that a label has.
    UNWRITTEN_INLINE std::size_t member_in(std::size_t label) const {
        const std::uint64_t *columns = labels_.mask(label);
        std::size_t w = 0;
        while ((columns[w] & mask_[w]) == 0) ++w;
        return w * kWordBits + static_cast<std::size_t>(std::countr_zero(columns[w] & mask_[w]));
    }

    UNWRITTEN_INLINE void change_gains(std::size_t label, std::int64_t change) {
        for (const std::int32_t j : labels_.columns(label)) gain_[static_cast<std::size_t>(j)] += change;
        work_ += static_cast<std::int64_t>(labels_.size(label));
    }

    // Take a label that is now hit from the unhit labels: the last of them takes its place.
    UNWRITTEN_INLINE void hide(std::size_t label) {
        const std::int32_t last = unhit_[--unhit_count_];
        unhit_[static_cast<std::size_t>(place_[label])] = last;
        place_[static_cast<std::size_t>(last)] = place_[label];
        change_gains(label, -weight_[label]);
    }

    UNWRITTEN_INLINE void show(std::size_t label) {
        unhit_[unhit_count_] = static_cast<std::int32_t>(label);
        place_[label] = static_cast<std::int32_t>(unhit_count_++);
        change_gains(label, weight_[label]);
    }

    const SetLabels &labels_;
    std::size_t planes_;
    std::vector<Lane> hits_;            // lanes × planes: the number of members that hit each label
    std::vector<std::int32_t> members_;
    ColumnMask mask_;                   // the members as bits
    std::vector<std::int64_t> since_;   // per column: the step at which it was last added or dropped
    std::vector<std::int64_t> gain_;    // per column: weight of the unhit labels that have it
    std::vector<std::int64_t> loss_;    // per column: weight of the labels that only this member hits
    std::vector<std::int64_t> size_;    // per column: labels that have it
    std::vector<std::int64_t> weight_;  // per label
    std::vector<std::int32_t> unhit_;   // the labels not hit come first
    std::vector<std::int32_t> place_;   // per label: its place in `unhit_`
    std::size_t unhit_count_ = 0;
    std::int64_t work_ = 0;
};

class CoverSearch {
public:
    CoverSearch(const SetLabels &labels, const CoverLimits &limits, std::uint64_t seed, Watch &watch)
        : labels_(labels), limits_(limits), watch_(watch), set_(labels), known_(labels.width()),
          random_((2 * seed + 1) * 0x9E3779B97F4A7C15u) {}

    std::vector<std::uint8_t> run(Matrix<const std::int64_t> pairs) {
        std::int64_t failures = 0;
        for (std::size_t p = 0; p < pairs.rows(); ++p) {
            if (failures >= limits_.patience || set_.work() >= limits_.work || covers_.size() == limits_.most) break;
            const auto one = static_cast<std::size_t>(pairs[p][0]), other = static_cast<std::size_t>(pairs[p][1]);
            if (known_.has(one, other)) continue;
            ++failures;
            const bool has_cover = search(one, other);
            if (watch_.stopped()) break;
            if (!has_cover) continue;
            set_.clear();
            each_column(best_, [&](std::size_t j) { set_.add(j); });
            for (const std::size_t j : {one, other}) {
                if (set_.loss(j) == 0) set_.drop(j);
            }
            if (std::find(covers_.begin(), covers_.end(), set_.mask()) != covers_.end()) continue;
            covers_.push_back(set_.mask());
            known_.add(set_.mask());
            failures = 0;
        }
        return rows_of(covers_, labels_.width());
    }

private:
    // Search from a pair; true if `best_` now holds the smallest cover met, with at most `largest` columns.
    bool search(std::size_t one, std::size_t other) {
        set_.clear();
        set_.add(one);
        set_.add(other);
        while (set_.unhit_count() > 0) set_.add(set_.best_of_all());
        for (;;) {
            const std::size_t worst = set_.least_missed(one, other, kNone);
            if (worst == kNone || (fits() && set_.loss(worst) > 0)) break;
            set_.drop(worst);
        }
        if (!fits()) return false;
        bool found = false;
        std::int64_t quiet = 0, clock = 0;
        std::size_t newest = kNone;
        while (quiet < limits_.swaps && set_.work() < limits_.work) {
            const std::int64_t before = set_.work();
            ++clock;
            const std::size_t worst = set_.least_missed(one, other, newest);
            if (set_.unhit_count() == 0) {
                if (worst == kNone || set_.loss(worst) > 0) {
                    best_ = set_.mask();
                    found = true;
                    quiet = 0;
                }
                if (worst == kNone) break;
                set_.drop(worst);
                set_.stamp(worst, clock);
                continue;
            }
            ++quiet;
            if (worst == kNone) break;
            set_.drop(worst);
            set_.stamp(worst, clock);
            newest = set_.best_in(set_.unhit(static_cast<std::size_t>(draw() % set_.unhit_count())), worst);
            if (newest == kNone) newest = worst;
            set_.add(newest);
            set_.stamp(newest, clock);
            set_.raise_weights_of_unhit();
            if (watch_.must_stop(set_.work() - before)) return found;
        }
        return found;
    }

    bool fits() const { return static_cast<std::int64_t>(set_.size()) <= limits_.largest; }

    // A random number of 31 bits (xorshift).
    std::uint64_t draw() {
        random_ ^= random_ << 13;
        random_ ^= random_ >> 7;
        random_ ^= random_ << 17;
        return random_ >> 33;
    }

    const SetLabels &labels_;
    const CoverLimits &limits_;
    Watch &watch_;
    CoverSet set_;
    ColumnMask best_;
    std::vector<ColumnMask> covers_;
    KnownPairs known_;
    std::uint64_t random_;
};

}  // namespace

std::vector<std::uint8_t> find_covers(Matrix<const bool> labels, Matrix<const std::int64_t> pairs,
                                      const CoverLimits &limits, std::uint64_t seed, Watch &watch) {
    require_pairs(pairs, labels.columns());
    const SetLabels sets(labels);
    for (std::size_t i = 0; i < sets.count(); ++i) {
        if (sets.size(i) == 0) throw std::invalid_argument("a label without columns has no cover");
    }
    return CoverSearch(sets, limits, seed, watch).run(pairs);
}

}  // namespace unwritten
