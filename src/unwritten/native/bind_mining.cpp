// Python's names for the kernels of the miners.
#include "bind.h"
#include "kernels.h"

namespace unwritten {

using namespace nb::literals;

void bind_mining(nb::module_ &module) {
    module.def(
        "common_counts",
        [](Array2<std::uint64_t> supports) {
            Watch watch = watching();
            std::vector<std::int32_t> counts;
            {
                nb::gil_scoped_release without_gil;
                counts = common_counts(matrix(supports), watch);
            }
            return result(std::move(counts), supports.shape(0), supports.shape(0));
        },
        "supports"_a.noconvert(), "For each pair of rows of words, the number of bits that are 1 in both.");
}

}  // namespace unwritten
