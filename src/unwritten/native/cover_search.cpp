// Minimal covers: sets of columns such that every label has at least one of them.
//
// From each pair of columns, a local search swaps one member at a time and lets the weight of labels that stay unhit
// grow (row weighting, the local search that does best on set covering).
#include <algorithm>

#include "cover_set.h"
#include "kernels.h"
#include "known_pairs.h"

namespace unwritten {

namespace {

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
