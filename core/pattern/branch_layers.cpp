#include "core/pattern/branch_layers.h"

#include <algorithm>

namespace attention {
namespace {

// The cells of the branches that the mask does not have as parts.
std::vector<const Part*> layersBelow(const Prepared& mask) {
  std::vector<const Part*> layers;
  if (!mask.branches())
    return layers;
  const auto parts = mask.parts();
  for (const Branch& branch : mask.branches()->of)
    if (std::none_of(parts.begin(), parts.end(),
                     [&](const Part& part) { return part.name == branch.part.name; }))
      layers.push_back(&branch.part);
  return layers;
}

} // namespace

std::shared_ptr<const Prepared> layersOf(const std::shared_ptr<const Prepared>& mask) {
  const std::vector<const Part*> below = layersBelow(*mask);
  if (below.empty())
    return mask;
  std::vector<Part> parts(mask->parts().begin(), mask->parts().end());
  for (const Part* part : below)
    parts.push_back(*part);
  return std::make_shared<const Prepared>(mask->lengths(), std::move(parts), Outputs{},
                                          Parts::Overlapping);
}

std::vector<const Part*> layersAt(const Prepared& mask, Index i, Index j) {
  std::vector<const Part*> layers;
  const Index token = i + mask.lengths().offset;
  if (token < 0 || mask.contains(i, j))
    return layers;
  for (const Part* part : layersBelow(mask))
    if (contains(part->cells, token, j))
      layers.push_back(part);
  return layers;
}

} // namespace attention
