// SetLabels: labels as sets of columns, stored in the three ways that searches read them.
#pragma once

#include <algorithm>
#include <vector>

#include "lane.h"
#include "view.h"

namespace unwritten {

class SetLabels {
public:
    explicit SetLabels(Matrix<const bool> labels)
        : count_(labels.rows()),
          width_(labels.columns()),
          lanes_(std::max<std::size_t>(1, lanes_for(count_))),
          words_(words_for(width_)),
          starts_(1, 0),
          supports_(width_ * lanes_),
          masks_(count_ * words_) {
        if (width_ > kMostColumns || labels.rows() * width_ > kMostEntries) {
            throw std::invalid_argument("the labels are too many or too wide");
        }
        for (std::size_t i = 0; i < count_; ++i) {
            const View<const bool> label = labels[i];
            for (std::size_t j = 0; j < width_; ++j) {
                if (!label[j]) continue;
                columns_.push_back(static_cast<std::uint16_t>(j));
                supports_[j * lanes_ + i / kLaneBits].insert(i % kLaneBits);
                masks_[i * words_ + j / kWordBits] |= std::uint64_t{1} << (j % kWordBits);
            }
            starts_.push_back(static_cast<std::int32_t>(columns_.size()));
            longest_ = std::max(longest_, size(i));
        }
    }

    std::size_t count() const { return count_; }      // labels
    std::size_t width() const { return width_; }      // columns
    std::size_t entries() const { return columns_.size(); }
    std::size_t longest() const { return longest_; }  // columns of the largest label
    std::size_t lanes() const { return lanes_; }      // of a support
    std::size_t words() const { return words_; }      // of a mask

    // The columns of a label, in their order.
    View<const std::uint16_t> columns(std::size_t label) const {
        return {columns_.data() + starts_[label], size(label)};
    }
    std::size_t size(std::size_t label) const {
        return static_cast<std::size_t>(starts_[label + 1] - starts_[label]);
    }
    // The labels that have a column, as bits.
    const Lane *support(std::size_t column) const { return supports_.data() + column * lanes_; }
    // The columns of a label, as bits.
    const std::uint64_t *mask(std::size_t label) const { return masks_.data() + label * words_; }

private:
    // Sizes for which the numbers below do not overflow.
    static constexpr std::size_t kMostColumns = std::size_t{1} << 16, kMostEntries = std::size_t{1} << 31;

    std::size_t count_, width_, lanes_, words_, longest_ = 0;
    std::vector<std::uint16_t> columns_;
    std::vector<std::int32_t> starts_;
    std::vector<Lane> supports_;
    std::vector<std::uint64_t> masks_;
};

}  // namespace unwritten
