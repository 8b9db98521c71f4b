// Python's names for the kernels of the engines.
#include "bind.h"
#include "kernels.h"

namespace unwritten {

using namespace nb::literals;

void bind_solving(nb::module_ &) {}

}  // namespace unwritten
