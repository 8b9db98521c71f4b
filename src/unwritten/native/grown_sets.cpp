// Sets of columns for rank rules, grown from pairs when there are too many sets to list.
#include "kernels.h"
#include "known_pairs.h"
#include "set_labels.h"

namespace unwritten {

namespace {

// A growing set, and the labels by the number of ones that they have in it.
class GrowingSet {
public:
    explicit GrowingSet(const SetLabels &labels)
        : labels_(labels), levels_((labels.longest() + 2) * labels.lanes()), mask_(labels.words()) {
        for (std::size_t i = 0; i < labels.count(); ++i) levels_[i / kLaneBits].insert(i % kLaneBits);
    }

    void add(std::size_t j) {
        insert(mask_, j);
        ++size_;
        const Lane *support = labels_.support(j);
        const std::size_t lanes = labels_.lanes();
        bool rises = false;
        for (std::size_t l = 0; l < lanes; ++l) {
            for (std::size_t ones = rank_ + 1; ones > 0; --ones) {
                Lane &level = levels_[ones * lanes + l];
                level = without(level, support[l]) | (levels_[(ones - 1) * lanes + l] & support[l]);
            }
            levels_[l] = without(levels_[l], support[l]);
            rises = rises || levels_[(rank_ + 1) * lanes + l].any();
        }
        rank_ += rises;
    }

    // The labels with as many ones in the set as any label has, or one less, that have column j.
    std::int32_t top(std::size_t j) const { return count_at(rank_, j); }
    std::int32_t below_top(std::size_t j) const { return rank_ == 0 ? 0 : count_at(rank_ - 1, j); }

    // The column that the fewest labels at the top have, then the fewest labels below it, then the first; `width` if
    // all columns are members.
    std::size_t rarest() const {
        const std::size_t width = labels_.width();
        std::size_t rarest = width;
        std::int32_t fewest = 0, fewest_below = 0;
        for (std::size_t j = 0; j < width; ++j) {
            if (contains(mask_, j)) continue;
            const std::int32_t count = top(j);
            if (rarest != width && count > fewest) continue;
            const std::int32_t below = below_top(j);
            if (rarest == width || count < fewest || below < fewest_below) {
                rarest = j;
                fewest = count;
                fewest_below = below;
            }
        }
        return rarest;
    }

    std::size_t size() const { return size_; }
    std::size_t rank() const { return rank_; }
    const ColumnMask &mask() const { return mask_; }

private:
    std::int32_t count_at(std::size_t ones, std::size_t j) const {
        const std::size_t lanes = labels_.lanes();
        return common_bits(levels_.data()[ones * lanes].word, labels_.support(j)->word, lanes * kLaneWords);
    }

    const SetLabels &labels_;
    std::vector<Lane> levels_;  // labels with 0, 1, 2, … ones in the set
    ColumnMask mask_;
    std::size_t size_ = 0, rank_ = 0;
};

}  // namespace

std::vector<std::uint8_t> grow_sets(Matrix<const bool> labels, Matrix<const std::int64_t> pairs,
                                    View<const std::int64_t> allowed, std::size_t most, std::int64_t work,
                                    Watch &watch) {
    const SetLabels sets(labels);
    const std::size_t width = sets.width();
    require_pairs(pairs, width);
    if (allowed.size() != width + 1) throw std::invalid_argument("a rank must be allowed for each size of a set");
    const auto cost = static_cast<std::int64_t>(2 * sets.entries());
    std::vector<ColumnMask> grown;
    KnownPairs known(width);
    for (std::size_t p = 0; p < pairs.rows() && grown.size() < most && work > 0; ++p) {
        const auto one = static_cast<std::size_t>(pairs[p][0]), other = static_cast<std::size_t>(pairs[p][1]);
        if (known.has(one, other)) continue;
        const std::size_t before = grown.size();
        GrowingSet set(sets);
        for (std::size_t next = one; set.size() < width && grown.size() < most;) {
            set.add(next);
            next = set.size() == 1 ? other : set.rarest();
            work -= cost;
            const bool about_to_rise = next == width || set.top(next) > 0;
            if (about_to_rise && static_cast<std::int64_t>(set.rank()) <= allowed[set.size()]) {
                if (grown.size() == before) known.add(set.mask());  // the smallest set grown from the pair
                grown.push_back(set.mask());
            }
            if (watch.must_stop(static_cast<std::int64_t>(width * sets.lanes()))) return rows_of(grown, width);
        }
    }
    return rows_of(grown, width);
}

}  // namespace unwritten
