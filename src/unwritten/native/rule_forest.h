// RuleForest: solves A D Aᵀ y = g for rules A whose graph has no cycle, and a diagonal D ≥ 0, in linear time.
//
// The graph has a node for each variable and each rule, and an edge where a rule has a variable. Rooted at a variable,
// each rule r has one variable above it and others below. y minimises ½ Σ_j D_j u_j² − g·y, where u = Aᵀ y, and what is
// below a rule is a quadratic in its own y_r: ½ h_r y_r² − g_r y_r. Below variable j, with x the y of the rule above it
// and a its coefficient there, the best is ½ D' (a x + M)² with S = Σ a_s² / h_s and M = Σ a_s g_s / h_s over the rules s
// below j, and D' = D_j / (1 + D_j S). So h and g of the rule above grow by D' a² and −D' a M.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels.h"

namespace unwritten {

class RuleForest {
public:
    // Rules of components with a cycle are left out.
    RuleForest(SparseRules rules, std::size_t columns)
        : rules_(rules), in_forest_(rules.rhs.size(), 1), next_(rules.rhs.size(), kNone), top_(rules.rhs.size()) {
        std::vector<std::vector<std::size_t>> places(columns);
        for (std::size_t r = 0; r < rules.rhs.size(); ++r) {
            for (auto k = rules.starts[r]; k < rules.starts[r + 1]; ++k) {
                places[static_cast<std::size_t>(rules.columns[k])].push_back(r);
            }
        }
        std::vector<std::uint8_t> reached(columns, 0), done(rules.rhs.size(), 0);
        for (std::size_t root = 0; root < columns; ++root) {
            if (reached[root] == 0 && !places[root].empty()) walk(root, places, reached, done);
        }
        for (std::size_t r = 0; r < done.size(); ++r) in_forest_[r] = in_forest_[r] != 0 && done[r] != 0;
        h_.resize(rules.rhs.size());
        g_.resize(rules.rhs.size());
        s_.resize(columns);
        m_.resize(columns);
    }

    bool has(std::size_t r) const { return in_forest_[r] != 0; }
    bool empty() const { return nodes_.empty(); }

    // Solve for the rules with `open[r]`; y of others is 0. A multiple of the identity keeps the matrix regular.
    void solve(const std::vector<double> &diagonal, const std::vector<double> &right, const std::vector<std::uint8_t> &open,
               std::vector<double> &y) {
        for (const Node &node : nodes_) s_[node.variable] = m_[node.variable] = 0;
        for (std::size_t r = 0; r < h_.size(); ++r) h_[r] = kRidge, g_[r] = right[r], y[r] = 0;
        for (std::size_t i = nodes_.size(); i-- > 0;) {  // from leaves to roots
            const Node &node = nodes_[i];
            for (std::size_t r = node.first; r != kNone; r = next_[r]) {
                if (open[r]) add(r, node.variable);
            }
            if (node.above == kNone || !open[node.above]) continue;
            const double spread = diagonal[node.variable] / (1 + diagonal[node.variable] * s_[node.variable]);
            h_[node.above] += spread * node.coefficient * node.coefficient;
            g_[node.above] -= spread * node.coefficient * m_[node.variable];
        }
        for (const Node &node : nodes_) {  // from roots to leaves
            const double given = node.above == kNone ? 0.0 : node.coefficient * y[node.above];
            const double d = diagonal[node.variable], s = s_[node.variable], m = m_[node.variable];
            const double price = -d * (given + m) / (1 + d * s);
            for (std::size_t r = node.first; r != kNone; r = next_[r]) {
                if (open[r]) y[r] = (g_[r] + top_[r] * price) / h_[r];
            }
        }
    }

private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    static constexpr double kRidge = 1e-11;

    struct Node {  // a variable, the rule above it with its coefficient there, and the first rule below it
        std::size_t variable, above, first;
        double coefficient;
    };

    void add(std::size_t r, std::size_t variable) {
        s_[variable] += top_[r] * top_[r] / h_[r];
        m_[variable] += top_[r] * g_[r] / h_[r];
    }

    // Number the tree of a root from the root on; if there is a cycle, leave its rules out.
    void walk(std::size_t root, const std::vector<std::vector<std::size_t>> &places, std::vector<std::uint8_t> &reached,
              std::vector<std::uint8_t> &done) {
        const std::size_t start = nodes_.size();
        bool cycle = false;
        std::vector<std::size_t> members;
        nodes_.push_back({root, kNone, kNone, 0.0});
        reached[root] = 1;
        for (std::size_t i = start; i < nodes_.size(); ++i) {
            const std::size_t variable = nodes_[i].variable;
            for (const std::size_t r : places[variable]) {
                if (r == nodes_[i].above) continue;
                if (done[r] != 0) {
                    cycle = true;
                    continue;
                }
                done[r] = 1;
                members.push_back(r);
                next_[r] = nodes_[i].first;
                nodes_[i].first = r;
                for (auto k = rules_.starts[r]; k < rules_.starts[r + 1]; ++k) {
                    const auto j = static_cast<std::size_t>(rules_.columns[k]);
                    const auto a = static_cast<double>(rules_.coefficients[k]);
                    if (j == variable) {
                        top_[r] = a;
                    } else if (reached[j] != 0) {
                        cycle = true;
                    } else {
                        reached[j] = 1;
                        nodes_.push_back({j, r, kNone, a});
                    }
                }
            }
        }
        if (!cycle) return;
        nodes_.resize(start);
        for (const std::size_t r : members) in_forest_[r] = 0;
    }

    SparseRules rules_;
    std::vector<std::uint8_t> in_forest_;
    std::vector<Node> nodes_;        // a variable comes after the one above its rule
    std::vector<std::size_t> next_;  // of a rule: the next one below the same variable
    std::vector<double> top_;        // of a rule: the coefficient of the variable above it
    std::vector<double> h_, g_, s_, m_;
};

}  // namespace unwritten
