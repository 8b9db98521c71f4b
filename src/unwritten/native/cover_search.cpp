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

// A gain and a number of unhit labels share one integer, so that one addition changes both.
constexpr int kGainShift = 24;
constexpr std::int64_t kMostLabels = std::int64_t{1} << kGainShift;
constexpr std::int64_t kMostWork = std::int64_t{1} << 38;  // bounds the gains: weights grow by less than the work

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

constexpr int kUnrolled = 4;

// Write the places of the ones of a lane, the lowest first; return the end. Up to `kUnrolled`
// places past the end are written: most words have few ones, and how many cannot be predicted.
UNWRITTEN_INLINE std::int32_t *write_places(const Lane &lane, std::int32_t first, std::int32_t *out) {
    for (std::size_t w = 0; w < kLaneWords; ++w, first += kWordBits) {
        std::uint64_t word = lane.word[w];
        const int count = std::popcount(word);
        for (int start = 0; start < count || start == 0; start += kUnrolled) {
            for (int k = 0; k < kUnrolled; ++k, word &= word - 1) out[start + k] = first + std::countr_zero(word);
        }
        out += count;
    }
    return out;
}

// The labels of a column that no member hits, and those that one member hits, if the column itself is not counted.
struct Passing {
    std::int32_t *none, *once;  // places to write to; on return, the ends of what was written
};

// Count a column in (or out of) the hits of its labels, and list its labels with few hits. `hits` are `planes` bit
// planes for each lane of labels.
template <bool kIn>
UNWRITTEN_INLINE Passing count_column(const Lane *support, std::size_t lanes, Lane *hits, std::size_t planes,
                                      Passing passing) {
    for (std::size_t l = 0; l < lanes; ++l, hits += planes) {
        Lane carry = support[l], few = support[l], low;
        for (std::size_t p = 0; p < planes; ++p) {
            const Lane before = hits[p], after = before ^ carry;
            carry = kIn ? carry & before : without(carry, before);
            hits[p] = after;
            const Lane &other = kIn ? before : after;  // the hits by other columns
            if (p == 0) {
                low = other;
            } else {
                few = without(few, other);
            }
        }
        const auto first = static_cast<std::int32_t>(l * kLaneBits);
        passing.none = write_places(without(few, low), first, passing.none);
        passing.once = write_places(few & low, first, passing.once);
    }
    return passing;
}

using CountColumn = Passing (*)(const Lane *, std::size_t, Lane *, std::size_t, Passing);

template <bool kIn>
Passing count_plain(const Lane *support, std::size_t lanes, Lane *hits, std::size_t planes, Passing passing) {
    return count_column<kIn>(support, lanes, hits, planes, passing);
}

#if UNWRITTEN_X86
template <bool kIn>
UNWRITTEN_TARGET("avx2,bmi,popcnt")
Passing count_avx2(const Lane *support, std::size_t lanes, Lane *hits, std::size_t planes, Passing passing) {
    return count_column<kIn>(support, lanes, hits, planes, passing);
}
const CountColumn count_in = has_avx2_bits() ? count_avx2<true> : count_plain<true>;
const CountColumn count_out = has_avx2_bits() ? count_avx2<false> : count_plain<false>;
#else
const CountColumn count_in = count_plain<true>, count_out = count_plain<false>;
#endif

// A set of columns on its way to becoming a cover.
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
          none_(labels.count() + kUnrolled),
          once_(labels.count() + kUnrolled) {
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
        const Passing end = count(count_in, j);
        for (const std::int32_t *i = none_.data(); i < end.none; ++i) loss_[j] += hide(static_cast<std::size_t>(*i));
        for (const std::int32_t *i = once_.data(); i < end.once; ++i) share(static_cast<std::size_t>(*i), -1);
        members_.push_back(static_cast<std::int32_t>(j));
        insert(mask_, j);
    }

    void drop(std::size_t j) {
        members_.erase(std::find(members_.begin(), members_.end(), static_cast<std::int32_t>(j)));
        remove(mask_, j);
        loss_[j] = 0;
        const Passing end = count(count_out, j);
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
    Passing count(CountColumn count_column, std::size_t j) {
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
    if (labels.rows() >= static_cast<std::size_t>(kMostLabels)) throw std::invalid_argument("the labels are too many");
    for (std::size_t i = 0; i < sets.count(); ++i) {
        if (sets.size(i) == 0) throw std::invalid_argument("a label without columns has no cover");
    }
    CoverLimits bounded = limits;
    bounded.work = std::min(limits.work, kMostWork);
    return CoverSearch(sets, bounded, seed, watch).run(pairs);
}

}  // namespace unwritten
