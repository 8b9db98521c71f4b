// The Python module `unwritten.native.kernels`.
#include "bind.h"

NB_MODULE(kernels, module) {
    nanobind::set_leak_warnings(false);  // models may live until Python ends
    module.doc() = "Compiled kernels. Arrays must have the stated type and be contiguous: nothing is converted.";
    unwritten::bind_mining(module);
    unwritten::bind_solving(module);
    unwritten::bind_engines(module);
}
