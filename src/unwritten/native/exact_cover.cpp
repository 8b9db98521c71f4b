// Exact covers: sets of columns whose supports partition the examples.
//
// The search is depth-first. It branches on the uncovered example that the fewest open columns have (the first of
// equals), and tries these columns in their order. A column is open if it is 1 in no covered example. Counts per
// example are kept as bit planes, so that one addition counts a column in 256 examples.
#include <algorithm>
#include <numeric>

#include "kernels.h"
#include "lane.h"

namespace unwritten {

namespace {

constexpr std::size_t kMostPlanes = 32;  // columns are numbered by 32-bit integers

struct Fewest {
    std::size_t count;    // open columns that the example has
    std::size_t example;  // within its lane
};

// The sum of three bits: the low bit replaces `low`, the high bit is returned.
UNWRITTEN_INLINE Lane add_three(Lane &low, const Lane &b, const Lane &c) {
    const Lane either = low ^ b;
    const Lane carry = (low & b) | (either & c);
    low = either ^ c;
    return carry;
}

UNWRITTEN_INLINE void add_at(Lane *planes, std::size_t plane, std::size_t plane_count, const Lane &added) {
    Lane carry = added;
    for (; plane < plane_count; ++plane) {
        const Lane sum = planes[plane] ^ carry;
        carry = planes[plane] & carry;
        planes[plane] = sum;
    }
}

// Count each example's columns among `supports[0], supports[stride], …`; find the uncovered example with the fewest.
UNWRITTEN_INLINE Fewest fewest_of(const Lane *supports, std::size_t stride, std::size_t width, const Lane &uncovered) {
    const std::size_t plane_count = static_cast<std::size_t>(std::bit_width(width));
    Lane planes[kMostPlanes];
    Lane ones, twos, fours;
    std::size_t k = 0;
    for (; k + 8 <= width; k += 8) {
        const Lane *s = supports + k * stride;
        const Lane two_a = add_three(ones, s[0], s[stride]), two_b = add_three(ones, s[2 * stride], s[3 * stride]);
        const Lane four_a = add_three(twos, two_a, two_b);
        const Lane two_c = add_three(ones, s[4 * stride], s[5 * stride]);
        const Lane two_d = add_three(ones, s[6 * stride], s[7 * stride]);
        const Lane four_b = add_three(twos, two_c, two_d);
        add_at(planes, 3, plane_count, add_three(fours, four_a, four_b));
    }
    planes[0] = ones;
    planes[1] = twos;
    planes[2] = fours;
    for (; k < width; ++k) add_at(planes, 0, plane_count, supports[k * stride]);

    Fewest fewest{0, 0};
    Lane candidates = uncovered;
    for (std::size_t plane = plane_count; plane-- > 0;) {
        const Lane lower = without(candidates, planes[plane]);
        if (lower.any()) {
            candidates = lower;
        } else {
            fewest.count |= std::size_t{1} << plane;
        }
    }
    fewest.example = candidates.first();
    return fewest;
}

// Columns by number, and their supports of `lanes` lanes each.
struct Columns {
    const std::int32_t *numbers;
    const Lane *supports;
};

// Copy the columns that share no example with `chosen`; return how many they are.
template <std::size_t kLanes>
UNWRITTEN_INLINE std::size_t keep_apart(Columns from, std::size_t width, const Lane *chosen, std::size_t lane_count,
                                        std::int32_t *numbers, Lane *supports) {
    const std::size_t lanes = kLanes == 0 ? lane_count : kLanes;
    std::size_t size = 0;
    for (std::size_t k = 0; k < width; ++k) {
        const Lane *support = from.supports + k * lanes;
        Lane common;
        for (std::size_t l = 0; l < lanes; ++l) {
            common = common | (support[l] & chosen[l]);
            supports[size * lanes + l] = support[l];
        }
        numbers[size] = from.numbers[k];
        size += !common.any();
    }
    return size;
}

UNWRITTEN_INLINE std::size_t keep_apart_any(Columns from, std::size_t width, const Lane *chosen, std::size_t lanes,
                                            std::int32_t *numbers, Lane *supports) {
    return lanes == 1 ? keep_apart<1>(from, width, chosen, lanes, numbers, supports)
                      : keep_apart<0>(from, width, chosen, lanes, numbers, supports);
}

struct Passes {
    Fewest (*fewest)(const Lane *, std::size_t, std::size_t, const Lane &);
    std::size_t (*apart)(Columns, std::size_t, const Lane *, std::size_t, std::int32_t *, Lane *);
};

Fewest fewest_plain(const Lane *supports, std::size_t stride, std::size_t width, const Lane &uncovered) {
    return fewest_of(supports, stride, width, uncovered);
}
std::size_t apart_plain(Columns from, std::size_t width, const Lane *chosen, std::size_t lanes, std::int32_t *numbers,
                        Lane *supports) {
    return keep_apart_any(from, width, chosen, lanes, numbers, supports);
}

#if UNWRITTEN_X86
UNWRITTEN_TARGET("avx2")
Fewest fewest_avx2(const Lane *supports, std::size_t stride, std::size_t width, const Lane &uncovered) {
    return fewest_of(supports, stride, width, uncovered);
}
UNWRITTEN_TARGET("avx2")
std::size_t apart_avx2(Columns from, std::size_t width, const Lane *chosen, std::size_t lanes, std::int32_t *numbers,
                       Lane *supports) {
    return keep_apart_any(from, width, chosen, lanes, numbers, supports);
}
const Passes passes = has_avx2() ? Passes{fewest_avx2, apart_avx2} : Passes{fewest_plain, apart_plain};
#else
const Passes passes{fewest_plain, apart_plain};
#endif

// One node on the path of the search.
struct Node {
    std::size_t start, width;   // its open columns, as places on the stack
    std::size_t next = 0;       // the open columns before this one were tried
    std::size_t example = 0;    // the example branched on
    bool closed = false;        // nothing to branch on
};

class ExactCoverSearch {
public:
    ExactCoverSearch(Matrix<const std::uint64_t> supports, std::size_t examples)
        : lanes_(std::max<std::size_t>(1, lanes_for(examples))),
          numbers_(supports.rows()),
          supports_(supports.rows() * lanes_),
          uncovered_(lanes_) {
        std::iota(numbers_.begin(), numbers_.end(), 0);
        for (std::size_t j = 0; j < supports.rows(); ++j) {
            for (std::size_t w = 0; w < supports.columns(); ++w) {
                supports_[j * lanes_ + w / kLaneWords].word[w % kLaneWords] = supports[j][w];
            }
        }
        for (std::size_t e = 0; e < examples; ++e) uncovered_[e / kLaneBits].insert(e % kLaneBits);
        path_.push_back({0, supports.rows()});
    }

    ExactCovers run(std::int64_t nodes, std::int64_t most, Watch &watch) {
        ExactCovers covers;
        for (bool arrive = true; !path_.empty();) {
            Node &node = path_.back();
            if (arrive) {
                if (--nodes < 0) return covers;
                if (watch.must_stop(static_cast<std::int64_t>((node.width + 8) * lanes_))) return covers;
                if (!branch(node)) {
                    if (static_cast<std::int64_t>(covers.sets.size()) >= most) return covers;
                    std::vector<std::int32_t> members = chosen_;
                    std::sort(members.begin(), members.end());
                    covers.sets.add(members);
                }
            }
            arrive = descend();
        }
        covers.complete = true;
        return covers;
    }

private:
    // Choose the example to branch on; false if every example is covered.
    bool branch(Node &node) {
        node.closed = true;
        const Lane *uncovered = uncovered_.data() + (path_.size() - 1) * lanes_;
        bool open = false;
        std::size_t count = node.width + 1;
        for (std::size_t l = 0; l < lanes_; ++l) {
            if (!uncovered[l].any()) continue;
            open = true;
            const Fewest fewest =
                passes.fewest(supports_.data() + node.start * lanes_ + l, lanes_, node.width, uncovered[l]);
            if (fewest.count < count) {
                count = fewest.count;
                node.example = l * kLaneBits + fewest.example;
            }
            if (count == 0) return true;
        }
        node.closed = !open;
        return open;
    }

    // Enter the next child of the last node and return true, or leave the node and return false.
    bool descend() {
        Node &node = path_.back();
        const std::size_t lane = node.example / kLaneBits, bit = node.example % kLaneBits;
        const Lane *supports = supports_.data() + node.start * lanes_;
        std::size_t k = node.closed ? node.width : node.next;
        while (k < node.width && !supports[k * lanes_ + lane].has(bit)) ++k;
        if (k == node.width) {
            path_.pop_back();
            if (!chosen_.empty()) chosen_.pop_back();
            return false;
        }
        node.next = k + 1;
        const std::size_t depth = path_.size(), start = node.start + node.width;
        if (numbers_.size() < start + node.width) {
            numbers_.resize(2 * (start + node.width));
            supports_.resize(numbers_.size() * lanes_);
        }
        if (uncovered_.size() < (depth + 1) * lanes_) uncovered_.resize(2 * (depth + 1) * lanes_);
        const Lane *chosen = supports_.data() + (node.start + k) * lanes_;
        for (std::size_t l = 0; l < lanes_; ++l) {
            uncovered_[depth * lanes_ + l] = without(uncovered_[(depth - 1) * lanes_ + l], chosen[l]);
        }
        chosen_.push_back(numbers_[node.start + k]);
        const std::size_t width = passes.apart({numbers_.data() + node.start, supports_.data() + node.start * lanes_},
                                               node.width, chosen, lanes_, numbers_.data() + start,
                                               supports_.data() + start * lanes_);
        path_.push_back({start, width});
        return true;
    }

    std::size_t lanes_;
    std::vector<std::int32_t> numbers_;  // the open columns of all nodes on the path, node after node
    std::vector<Lane> supports_;         // their supports
    std::vector<Lane> uncovered_;        // the uncovered examples of all nodes on the path
    std::vector<Node> path_;
    std::vector<std::int32_t> chosen_;   // the columns chosen on the path
};

}  // namespace

ExactCovers exact_covers(Matrix<const std::uint64_t> supports, std::size_t examples, std::int64_t nodes,
                         std::int64_t most, Watch &watch) {
    if (supports.columns() != std::max<std::size_t>(1, words_for(examples))) {
        throw std::invalid_argument("a support must have one bit for each example");
    }
    return ExactCoverSearch(supports, examples).run(nodes, most, watch);
}

}  // namespace unwritten
