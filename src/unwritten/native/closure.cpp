// The best labels under implications "tail requires head", whether they form a forest or not, as a maximum closure.
//
// Labels that obey all implications are the closed sets of their graph. Source to j with capacity w_j if it is positive,
// j to sink with −w_j if not, and tail to head without a limit: by Picard (1976), the variables that are on the source's
// side of a minimum cut are a closed set of the largest weight. Flows are whole numbers: weights are multiplied by a power
// of two so large that their sum still fits into 62 bits, so they lose less than their own rounding in 64-bit floats does
// in sums. Flows are those of Dinic: shortest augmenting paths, all of one length at a time.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels.h"

namespace unwritten {

namespace {

constexpr int kBits = 61;

class Network {
public:
    Network(Implications arcs, std::size_t columns)
        : source_(columns), sink_(columns + 1), starts_(columns + 3), level_(columns + 2), next_(columns + 2),
          size_(columns) {
        std::vector<std::pair<std::size_t, std::size_t>> pairs;
        for (std::size_t j = 0; j < columns; ++j) pairs.push_back({source_, j}), pairs.push_back({j, sink_});
        for (std::size_t k = 0; k < arcs.tails.size(); ++k) {
            pairs.push_back({static_cast<std::size_t>(arcs.tails[k]), static_cast<std::size_t>(arcs.heads[k])});
        }
        for (const auto &[from, to] : pairs) ++starts_[from + 1], ++starts_[to + 1];
        for (std::size_t v = 0; v < columns + 2; ++v) starts_[v + 1] += starts_[v];
        std::vector<std::size_t> place(starts_.begin(), starts_.end() - 1);
        to_.resize(2 * pairs.size());
        reverse_.resize(to_.size());
        room_.resize(to_.size());
        for (const auto &[from, to] : pairs) {
            const std::size_t out = place[from]++, back = place[to]++;
            to_[out] = to, to_[back] = from;
            reverse_[out] = back, reverse_[back] = out;
            forward_.push_back(out);
        }
    }

    // The variables on the source's side of a minimum cut, the fewest that are; false if the watch stopped the search.
    bool label(const double *weights, std::int64_t *label, Watch &watch) {
        load(weights);
        while (reach(watch)) {
            std::copy(starts_.begin(), starts_.end() - 1, next_.begin());
            augment(watch);
            if (watch.stopped()) return false;
        }
        for (std::size_t j = 0; j < size_; ++j) label[j] = level_[j] >= 0;
        return !watch.stopped();
    }

private:
    void load(const double *weights) {
        double most = 0;
        for (std::size_t j = 0; j < size_; ++j) most = std::max(most, std::abs(weights[j]));
        int exponent = 0, bits = 0;
        std::frexp(most, &exponent);
        while ((std::size_t{1} << bits) < size_ + 1) ++bits;
        std::fill(room_.begin(), room_.end(), std::int64_t{0});
        for (std::size_t j = 0; j < size_; ++j) {
            const double scaled = std::ldexp(weights[j], kBits - bits - exponent);
            const auto capacity = static_cast<std::int64_t>(std::nearbyint(scaled));
            room_[forward_[2 * j]] = std::max<std::int64_t>(capacity, 0);
            room_[forward_[2 * j + 1]] = std::max<std::int64_t>(-capacity, 0);
        }
        for (std::size_t k = 2 * size_; k < forward_.size(); ++k) room_[forward_[k]] = kUnlimited;
    }

    // The distance of each node from the source over arcs with room, −1 if there is none; tells whether it has the sink.
    bool reach(Watch &watch) {
        std::fill(level_.begin(), level_.end(), -1);
        level_[source_] = 0;
        queue_.assign(1, source_);
        for (std::size_t i = 0; i < queue_.size(); ++i) {
            const std::size_t v = queue_[i];
            if (watch.must_stop(static_cast<std::int64_t>(starts_[v + 1] - starts_[v]) + 1)) return false;
            for (std::size_t arc = starts_[v]; arc < starts_[v + 1]; ++arc) {
                const std::size_t to = to_[arc];
                if (room_[arc] > 0 && level_[to] < 0) level_[to] = level_[v] + 1, queue_.push_back(to);
            }
        }
        return level_[sink_] >= 0;
    }

    // Push flow along shortest paths until none is left; without recursion, as paths can be as long as there are labels.
    void augment(Watch &watch) {
        path_.clear();
        std::size_t v = source_;
        while (true) {
            if (watch.must_stop(1)) return;
            if (v == sink_) {
                std::int64_t flow = std::numeric_limits<std::int64_t>::max();
                for (const std::size_t arc : path_) flow = std::min(flow, room_[arc]);
                std::size_t full = path_.size();
                for (std::size_t i = path_.size(); i-- > 0;) {
                    room_[path_[i]] -= flow;
                    room_[reverse_[path_[i]]] += flow;
                    if (room_[path_[i]] == 0) full = i;
                }
                v = to_[reverse_[path_[full]]];
                path_.resize(full);
                continue;
            }
            std::size_t &arc = next_[v];
            while (arc < starts_[v + 1] && !(room_[arc] > 0 && level_[to_[arc]] == level_[v] + 1)) ++arc;
            if (arc < starts_[v + 1]) {
                path_.push_back(arc);
                v = to_[arc];
                continue;
            }
            if (v == source_) return;
            level_[v] = -1;  // no way on from here
            v = to_[reverse_[path_.back()]];
            path_.pop_back();
        }
    }

    static constexpr std::int64_t kUnlimited = std::int64_t{1} << 62;  // more than all weights together

    std::size_t source_, sink_;
    std::vector<std::size_t> starts_, to_, reverse_, forward_;  // arcs by node; `forward_`: source, sink, implications
    std::vector<std::int64_t> room_;
    std::vector<int> level_;
    std::vector<std::size_t> next_, queue_, path_;
    std::size_t size_;
};

}  // namespace

std::vector<std::int64_t> closure_labels(Matrix<const double> weights, Implications arcs, Watch &watch) {
    const std::size_t d = weights.columns();
    std::vector<std::int64_t> labels(weights.rows() * d);
    Network network(arcs, d);
    for (std::size_t i = 0; i < weights.rows(); ++i) {
        if (!network.label(weights.data() + i * d, labels.data() + i * d, watch)) break;
    }
    return labels;
}

}  // namespace unwritten
