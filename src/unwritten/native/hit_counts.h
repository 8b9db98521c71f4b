// How many members of a set of columns hit each label, as bit planes over the labels.
#pragma once

#include "lane.h"

namespace unwritten {

constexpr int kSpare = 4;  // places past the end of a list that may be written

// The labels of a column that no other member hits, and those that one other member hits.
struct FewHits {
    std::int32_t *none, *once;  // where to write them; when returned, the ends of what was written
};

// Count a column in (or out of) the hits of its labels, and list its labels with few hits. `hits` are `planes` bit
// planes for each lane of labels.
using CountColumn = FewHits (*)(const Lane *support, std::size_t lanes, Lane *hits, std::size_t planes,
                                FewHits few_hits);
extern const CountColumn count_in, count_out;

}  // namespace unwritten
