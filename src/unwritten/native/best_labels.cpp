// The best of many labels for each row of weights.
#include <limits>

#include "kernels.h"
#include "tile.h"

namespace unwritten {

namespace {

constexpr std::size_t kBlock = 64;       // labels whose largest value is remembered
constexpr std::size_t kFewQueries = 2;   // up to which a tile would be mostly empty
constexpr std::size_t kScatterCost = 4;  // of adding to one value, in terms of one entry of a tile's product

struct RaiseTop {
    double *top;

    UNWRITTEN_INLINE void operator()(std::size_t lane, double value) {
        top[lane] = value > top[lane] ? value : top[lane];
    }
};

// The largest value of each block of labels, in each lane: blocks × lanes.
template <bool kOnes>
UNWRITTEN_INLINE void block_tops(const Tile &tile, const SparseLabels &labels, double *tops) {
    alignas(64) double top[kMostLanes];
    const std::size_t lanes = tile.lanes();
    for (std::size_t first = 0; first < labels.size(); first += kBlock, tops += lanes) {
        std::fill(top, top + lanes, -std::numeric_limits<double>::infinity());
        RaiseTop raise{top};
        const std::size_t end = std::min(first + kBlock, labels.size());
        for (std::size_t i = first; i < end; ++i) for_each_lane<kOnes>(tile.entries(), lanes, labels[i], raise);
        std::copy_n(top, lanes, tops);
    }
}

UNWRITTEN_INLINE void all_tops(const Tile &tile, const SparseLabels &labels, double *tops) {
    if (labels.ones()) {
        block_tops<true>(tile, labels, tops);
    } else {
        block_tops<false>(tile, labels, tops);
    }
}

using Tops = void (*)(const Tile &, const SparseLabels &, double *);

void tops_plain(const Tile &tile, const SparseLabels &labels, double *tops) {
    all_tops(tile, labels, tops);
}

#if UNWRITTEN_X86
UNWRITTEN_TARGET("avx2")
void tops_avx2(const Tile &tile, const SparseLabels &labels, double *tops) {
    all_tops(tile, labels, tops);
}

UNWRITTEN_TARGET("avx512f,avx512vl,avx512dq,prefer-vector-width=512")
void tops_avx512(const Tile &tile, const SparseLabels &labels, double *tops) {
    all_tops(tile, labels, tops);
}

const Tops best_tops = has_avx512() ? tops_avx512 : has_avx2() ? tops_avx2 : tops_plain;
#else
const Tops best_tops = tops_plain;
#endif

double largest(const std::vector<double> &values) {
    double tops[8];  // more than one, because each comparison waits for the one before
    std::fill(tops, tops + 8, values[0]);
    std::size_t i = 0;
    for (; i + 8 <= values.size(); i += 8) {
        for (std::size_t k = 0; k < 8; ++k) tops[k] = values[i + k] > tops[k] ? values[i + k] : tops[k];
    }
    for (; i < values.size(); ++i) tops[0] = std::max(tops[0], values[i]);
    return *std::max_element(tops, tops + 8);
}

class Search {
public:
    Search(SparseLabels labels, SparseLabels by_column, Matrix<const double> weights, View<const double> equal)
        : labels_(labels), by_column_(by_column), weights_(weights), equal_(equal) {
        best.label.resize(weights.rows());
        best.value.resize(weights.rows());
    }

    // Queries with few weights: add the weight of each column to the labels that have it.
    bool scatters(std::size_t query) const {
        std::size_t entries = labels_.size();
        for (std::size_t c = 0; c < weights_.columns(); ++c) {
            if (weights_[query][c] != 0.0) entries += by_column_[c].size;
        }
        return kScatterCost * entries < labels_.columns.size();
    }

    void scatter(std::size_t query) {
        values_.assign(labels_.size(), 0.0);
        for (std::size_t c = 0; c < weights_.columns(); ++c) {
            const double weight = weights_[query][c];
            if (weight == 0.0) continue;
            const SparseLabel column = by_column_[c];
            double *values = values_.data();
            for (std::size_t k = 0; k < column.size; ++k) values[column.columns[k]] += column.term(weight, k);
        }
        choose(query);
    }

    // A query alone, or nearly so.
    void gather(std::size_t query) {
        values_.resize(labels_.size());
        for (std::size_t i = 0; i < labels_.size(); ++i) values_[i] = label_value(weights_[query].data(), labels_[i]);
        choose(query);
    }

    // Other queries, as many at a time as fit in a tile.
    bool multiply(const std::vector<std::size_t> &queries, Watch &watch) {
        Tile tile(weights_.columns(), queries.size());
        std::vector<double> tops((labels_.size() + kBlock - 1) / kBlock * tile.lanes());
        for (std::size_t first = 0; first < queries.size(); first += tile.lanes()) {
            const std::size_t count = std::min(tile.lanes(), queries.size() - first);
            tile.load(weights_, View<const std::size_t>(queries.data() + first, count));
            best_tops(tile, labels_, tops.data());
            for (std::size_t lane = 0; lane < count; ++lane) {
                find(queries[first + lane], tops.data() + lane, tops.size() / tile.lanes(), tile.lanes());
            }
            const std::size_t steps = tile.lanes() / 4 * (labels_.columns.size() + labels_.size());
            if (watch.must_stop(static_cast<std::int64_t>(steps))) return false;
        }
        return true;
    }

    BestLabels best;

private:
    void choose(std::size_t query) {
        const double least = largest(values_) - equal_[query];
        const auto first = std::find_if(values_.begin(), values_.end(), [least](double v) { return v >= least; });
        settle(query, static_cast<std::size_t>(first - values_.begin()), *first);
    }

    // The first label within `equal` of the largest value is in the first block that has such a value.
    void find(std::size_t query, const double *tops, std::size_t blocks, std::size_t lanes) {
        double least = tops[0];
        for (std::size_t b = 1; b < blocks; ++b) least = std::max(least, tops[b * lanes]);
        least -= equal_[query];
        std::size_t block = 0;
        while (tops[block * lanes] < least) ++block;
        for (std::size_t i = block * kBlock;; ++i) {
            const double value = label_value(weights_[query].data(), labels_[i]);
            if (value >= least) return settle(query, i, value);
        }
    }

    void settle(std::size_t query, std::size_t label, double value) {
        best.label[query] = static_cast<std::int64_t>(label);
        best.value[query] = value + 0.0;  // never −0.0
    }

    SparseLabels labels_, by_column_;
    Matrix<const double> weights_;
    View<const double> equal_;
    std::vector<double> values_;
};

}  // namespace

BestLabels best_labels(SparseLabels labels, SparseLabels by_column, Matrix<const double> weights,
                       View<const double> equal, Watch &watch) {
    Search search(labels, by_column, weights, equal);
    std::vector<std::size_t> dense;
    for (std::size_t query = 0; query < weights.rows(); ++query) {
        if (!search.scatters(query)) {
            dense.push_back(query);
        } else {
            search.scatter(query);
            if (watch.must_stop(static_cast<std::int64_t>(labels.columns.size() / kScatterCost))) return {};
        }
    }
    if (dense.size() > kFewQueries) {
        if (!search.multiply(dense, watch)) return {};
    } else {
        for (const std::size_t query : dense) search.gather(query);
    }
    return std::move(search.best);
}

}  // namespace unwritten
