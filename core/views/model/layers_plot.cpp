// The masks of all layers and heads of a model, as small matrices.
#include "core/pattern/coverage.h"
#include "core/support/number_text.h"
#include "core/views/model/model_figure.h"
#include "core/views/model/scene_model.h"

#include <algorithm>
#include <utility>

namespace attention {
namespace {

constexpr Index kPixels = 32; // along a side of a matrix, at most

using Pixels = std::shared_ptr<const Matrix<float>>;

// The share of every pixel's cells that the mask has; nothing where it depends on the data.
Pixels pixelsOf(const Pattern& pattern, Index n, const Run& run) {
  if (needsData(pattern))
    return nullptr;
  const auto prepared = prepare(pattern, squareLengths(n), {}, run.quiet());
  const Index side = std::min(n, kPixels);
  const Lattice lattice = latticeOver({0, n, 0, n}, side, side);
  const Coverage coverage = computeCoverage(*prepared, lattice, run.quiet());
  Matrix<float> pixels(side, side);
  for (Index row = 0; row < side; ++row)
    for (Index col = 0; col < side; ++col) {
      const auto at = [](const std::vector<Index>& edges, Index k) {
        return edges[static_cast<std::size_t>(k) + 1] - edges[static_cast<std::size_t>(k)];
      };
      pixels(row, col) = static_cast<float>(coverage.total(row, col)) /
                         static_cast<float>(at(lattice.rowEdges, row) * at(lattice.keyEdges, col));
    }
  return std::make_shared<const Matrix<float>>(std::move(pixels));
}

bool namedByRule(const ModelVariant& variant, Index layer, Index head) {
  const auto names = [](const std::optional<std::vector<Index>>& list, Index x) {
    return !list || std::find(list->begin(), list->end(), x) != list->end();
  };
  return std::any_of(variant.rules.begin(), variant.rules.end(), [&](const Rule& rule) {
    return names(rule.layers, layer) && names(rule.heads, head);
  });
}

template <class Is>
Index countWhere(const Model& model, const Is& is) {
  Index count = 0;
  for (Index layer = 0; layer < static_cast<Index>(model.layers.size()); ++layer)
    for (Index head = 0; head < model.heads; ++head)
      count += is(layer, head) ? 1 : 0;
  return count;
}

// Pictures are wider than high.
bool layersAcross(const Model& model) {
  return static_cast<Index>(model.layers.size()) > model.heads;
}

bool namesAll(const Model& model, const ModelVariant& variant) {
  return countWhere(model, [&](Index layer, Index head) {
           return !namedByRule(variant, layer, head);
         }) == 0;
}

} // namespace

std::string titleOfLayers(const Model& model, const ModelVariant& variant) {
  return "The masks of " + model.name + ": " + variant.name;
}

std::string captionOfLayers(const Model& model, const ModelVariant& variant) {
  const Index named =
      countWhere(model, [&](Index layer, Index head) { return namedByRule(variant, layer, head); });
  const Index data = countWhere(model, [&](Index layer, Index head) {
    return needsData(patternOf(model, variant, layer, head));
  });
  const Index all = countWhere(model, [](Index, Index) { return true; });
  std::string text = named == 0 ? "All masks are the model's own."
                     : named == all
                         ? "Rules set the masks of all " + groupedDigits(all) + " heads."
                         : "Framed: " + groupedDigits(named) + " of " + groupedDigits(all) +
                               " heads, which rules give a mask; the others keep the model's own.";
  if (data < all)
    text += " The stronger a pixel, the more of its pairs are attended.";
  if (data > 0)
    text += " Blank: " + counted(data, "head") + (data == 1 ? " chooses its" : " choose their") +
            " keys from the data.";
  if (!hasWeights(model))
    text += " The model itself is not on this machine; its layers and heads come with the program.";
  return text;
}

HeadPlace placeOfTile(const Model& model, Index tile) {
  const auto layers = static_cast<Index>(model.layers.size());
  return layersAcross(model) ? HeadPlace{tile % layers, tile / layers}
                             : HeadPlace{tile / model.heads, tile % model.heads};
}

Plot layersPlot(const Model& model, const ModelVariant& variant, Index n, const Run& run) {
  const auto layers = static_cast<Index>(model.layers.size());
  const bool across = layersAcross(model);
  TilesMark mark;
  mark.columns = across ? layers : model.heads;
  mark.dense = true;
  mark.columnName = across ? "layer" : "head";
  for (Index row = 0; row < (across ? model.heads : layers); ++row)
    mark.rowNames.push_back((across ? "head " : "layer ") + std::to_string(row));
  const bool partly = !namesAll(model, variant);
  std::vector<std::pair<const Pattern*, Pixels>> known; // models have few different masks
  for (Index k = 0; k < layers * model.heads; ++k) {
    run.check();
    const HeadPlace at = placeOfTile(model, k);
    const Pattern& pattern = patternOf(model, variant, at.layer, at.head);
    auto pixels = std::find_if(known.begin(), known.end(),
                               [&](const auto& each) { return *each.first == pattern; });
    if (pixels == known.end())
      pixels = known.insert(known.end(), {&pattern, pixelsOf(pattern, n, run)});
    HeadTile tile;
    tile.values = pixels->second;
    tile.chosen = partly && namedByRule(variant, at.layer, at.head);
    mark.tiles.push_back(std::move(tile));
  }
  return {std::move(mark), std::nullopt, std::nullopt};
}

} // namespace attention
