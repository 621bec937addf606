// The branches of a pattern that adds several softmaxes with gates (S22) as layers over one square:
// what is read key by key, and what is read only within compressed keys.
#pragma once

#include "core/pattern/prepared.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace attention {

// For pictures: the parts of the mask, then the cells of the branches that are no part of it, each
// below those before; without the parts named in `hidden`, and each in the hue that it has among
// all. The mask itself where it has no branches. Its pairs are not those that are read key by key;
// counts belong to the mask. O(parts).
std::shared_ptr<const Prepared> layersOf(const std::shared_ptr<const Prepared>& mask,
                                         std::span<const std::string> hidden = {});

// What layersOf draws of a mask with branches, in its order; nothing of others.
std::vector<const Part*> layerParts(const Prepared& mask);

// The branches that are no part of the mask and hold the cell: key j is read only within their
// compressed keys. In the order of layersOf.
std::vector<const Part*> layersAt(const Prepared& mask, Index i, Index j);

// What the weights of single keys are where the mask has branches, and where the gates come from,
// in a sentence each; none for other masks.
std::vector<std::string> weightSentences(const Prepared& mask);

} // namespace attention
