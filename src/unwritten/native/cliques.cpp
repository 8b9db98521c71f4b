// Maximal cliques of columns by Bron–Kerbosch with pivoting. Branches that can no longer reach the total are dropped.
#include <algorithm>

#include "column_mask.h"
#include "kernels.h"

namespace unwritten {

namespace {

class CliqueSearch {
public:
    CliqueSearch(Matrix<const std::uint64_t> neighbours, View<const std::int64_t> sizes, std::int64_t total)
        : neighbours_(neighbours), sizes_(sizes), total_(total), words_(neighbours.columns()),
          candidates_(words_), excluded_(words_), branches_(words_) {
        for (std::size_t k = 0; k < neighbours.rows(); ++k) insert(candidates_, k);
        push(0, 0, 0, candidates_.data(), excluded_.data(), nullptr);
    }

    SetList run(std::int64_t nodes, Watch &watch) {
        SetList cliques;
        for (; !stack_.empty() && nodes > 0; --nodes) {
            const Node node = pop();
            if (watch.must_stop(static_cast<std::int64_t>((neighbours_.rows() + 8) * words_))) break;
            if (!any(candidates_)) {
                if (!any(excluded_) && node.size == total_) cliques.add(members_);
                continue;
            }
            std::int64_t reach = node.size;
            each_column(candidates_, [&](std::size_t k) { reach += sizes_[k]; });
            if (reach >= total_) branch(node);
        }
        return cliques;
    }

private:
    // A clique on the way, waiting on the stack: the members of its parent, and one more.
    struct Node {
        std::size_t depth;    // members
        std::int32_t member;  // the last of them
        std::int64_t size;    // their sizes together
    };

    static bool any(const ColumnMask &set) {
        return std::any_of(set.begin(), set.end(), [](std::uint64_t word) { return word != 0; });
    }

    const std::uint64_t *neighbours(std::size_t k) const { return neighbours_.data() + k * words_; }

    // Push a node whose candidates and excluded columns are the given ones that are in `kept` (all, if it is null).
    void push(std::size_t depth, std::int32_t member, std::int64_t size, const std::uint64_t *candidates,
              const std::uint64_t *excluded, const std::uint64_t *kept) {
        stack_.push_back({depth, member, size});
        for (const std::uint64_t *set : {candidates, excluded}) {
            for (std::size_t w = 0; w < words_; ++w) sets_.push_back(kept == nullptr ? set[w] : set[w] & kept[w]);
        }
    }

    Node pop() {
        const Node node = stack_.back();
        stack_.pop_back();
        const auto sets = sets_.end() - static_cast<std::ptrdiff_t>(2 * words_);
        std::copy(sets, sets + static_cast<std::ptrdiff_t>(words_), candidates_.begin());
        std::copy(sets + static_cast<std::ptrdiff_t>(words_), sets_.end(), excluded_.begin());
        sets_.resize(sets_.size() - 2 * words_);
        if (node.depth > 0) {  // the members of the parent are still those of the path
            members_.resize(node.depth - 1);
            members_.push_back(node.member);
        }
        return node;
    }

    // Push a node for each candidate that is no neighbour of the pivot: the column with the most neighbours among the
    // candidates, the first of equals.
    void branch(const Node &node) {
        std::size_t pivot = 0;
        std::int32_t most = -1;
        for (std::size_t w = 0; w < words_; ++w) {
            each_bit(candidates_[w] | excluded_[w], w * kWordBits, [&](std::size_t k) {
                const std::int32_t count = common_bits(neighbours(k), candidates_.data(), words_);
                if (count > most) {
                    most = count;
                    pivot = k;
                }
            });
        }
        for (std::size_t w = 0; w < words_; ++w) branches_[w] = candidates_[w] & ~neighbours(pivot)[w];
        each_column(branches_, [&](std::size_t k) {
            push(node.depth + 1, static_cast<std::int32_t>(k), node.size + sizes_[k], candidates_.data(),
                 excluded_.data(), neighbours(k));
            remove(candidates_, k);
            insert(excluded_, k);
        });
    }

    Matrix<const std::uint64_t> neighbours_;
    View<const std::int64_t> sizes_;
    std::int64_t total_;
    std::size_t words_;
    std::vector<Node> stack_;
    std::vector<std::uint64_t> sets_;              // the candidates and excluded columns of each node on the stack
    ColumnMask candidates_, excluded_, branches_;  // of the present node
    std::vector<std::int32_t> members_;            // of the present node
};

}  // namespace

SetList maximal_cliques(Matrix<const std::uint64_t> neighbours, View<const std::int64_t> sizes, std::int64_t total,
                        std::int64_t nodes, Watch &watch) {
    if (sizes.size() != neighbours.rows()) throw std::invalid_argument("each column must have a size");
    if (neighbours.columns() < words_for(neighbours.rows())) {
        throw std::invalid_argument("neighbours must have one bit for each column");
    }
    return CliqueSearch(neighbours, sizes, total).run(nodes, watch);
}

}  // namespace unwritten
