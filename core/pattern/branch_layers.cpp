#include "core/pattern/branch_layers.h"

#include "core/support/number_text.h"

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

// "compressed 0.5, selected 0.25, window 0.25".
std::string gatesText(const Branches& branches) {
  std::string text;
  for (std::size_t b = 0; b < branches.of.size(); ++b)
    text += (b == 0 ? "" : ", ") + branches.of[b].part.name + " " +
            readableNumber(branches.gates(0, static_cast<Index>(b)));
  return text;
}

std::string gatesSentence(const Prepared& mask) {
  const Branches& branches = *mask.branches();
  if (branches.gates.rows() > 1)
    return "Each query has gates of its own, which the input gives.";
  const bool standIn = mask.choice() && mask.choice()->found.contains("stand_in");
  return (standIn ? "The gates are a stand-in for those that a model learns: "
                  : "The gates are the same for all queries: ") +
         gatesText(branches) + ".";
}

} // namespace

std::shared_ptr<const Prepared> layersOf(const std::shared_ptr<const Prepared>& mask,
                                         std::span<const std::string> hidden) {
  if (!mask->branches())
    return mask;
  std::vector<Part> parts;
  for (const Part* part : layerParts(*mask))
    parts.push_back(*part);
  for (std::size_t k = 0; k < parts.size(); ++k)
    parts[k].hue = parts[k].hue.value_or(static_cast<Index>(k));
  std::erase_if(parts, [&](const Part& part) {
    return std::find(hidden.begin(), hidden.end(), part.name) != hidden.end();
  });
  return std::make_shared<const Prepared>(mask->lengths(), std::move(parts), Outputs{},
                                          Parts::Overlapping);
}

std::vector<const Part*> layerParts(const Prepared& mask) {
  std::vector<const Part*> parts;
  if (!mask.branches())
    return parts;
  for (const Part& part : mask.parts())
    parts.push_back(&part);
  const std::vector<const Part*> below = layersBelow(mask);
  parts.insert(parts.end(), below.begin(), below.end());
  return parts;
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

std::vector<std::string> weightSentences(const Prepared& mask) {
  if (!mask.branches())
    return {};
  const std::vector<Branch>& all = mask.branches()->of;
  const bool given = std::any_of(all.begin(), all.end(),
                                 [](const Branch& branch) { return branch.keys || branch.values; });
  return {"The weight of a key is what it has in the sum of " + std::to_string(all.size()) +
              " softmaxes, each times its gate" +
              (given ? ", but for the compressed keys: the input gives them or their values in "
                       "place of means, so their part of the output is in no key's weight."
                     : "; the keys of a mean share its weight equally."),
          gatesSentence(mask)};
}

} // namespace attention
