// Which labels obey every rule, in exact integers.
#include <algorithm>

#include "kernels.h"

namespace unwritten {

std::vector<std::uint8_t> labels_obeying(Matrix<const std::int64_t> labels, SparseRules rules, Watch &watch) {
    std::vector<std::uint8_t> obeying(labels.rows(), 0);
    for (std::size_t i = 0; i < labels.rows(); ++i) {
        const std::int64_t *label = labels[i].data();
        bool obeys = true;
        for (std::size_t r = 0; r < rules.rhs.size() && obeys; ++r) {
            std::int64_t sum = 0;
            const auto end = static_cast<std::size_t>(rules.starts[r + 1]);
            for (auto k = static_cast<std::size_t>(rules.starts[r]); k < end; ++k) {
                sum += rules.coefficients[k] * label[rules.columns[k]];
            }
            obeys = rules.equality[r] ? sum == rules.rhs[r] : sum <= rules.rhs[r];
        }
        obeying[i] = obeys ? 1 : 0;
        if (watch.must_stop(static_cast<std::int64_t>(rules.columns.size() + 1))) {
            std::fill(obeying.begin(), obeying.end(), 0);
            break;
        }
    }
    return obeying;
}

}  // namespace unwritten
