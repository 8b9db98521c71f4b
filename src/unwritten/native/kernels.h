// Every kernel of the library. None of them knows Python; each is in the file of its section.
#pragma once

#include <cstdint>
#include <vector>

#include "view.h"
#include "watch.h"

namespace unwritten {

// --- bit_counts.cpp

// Entry (i, j) counts the bits that are 1 in both row i and row j of `supports` (width × words): width × width.
// The counts are incomplete if the watch stopped the count.
std::vector<std::int32_t> common_counts(Matrix<const std::uint64_t> supports, Watch &watch);

}  // namespace unwritten
