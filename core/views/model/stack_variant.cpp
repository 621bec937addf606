#include "core/views/model/scene_model.h"

#include "core/model/variant.h"
#include "core/pattern/mechanism/causal.h"
#include "core/views/reach/scene_models.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace attention {

std::vector<const ModelRow*> modelsToImitate() {
  std::vector<const ModelRow*> rows;
  for (const ModelRow& row : modelTable())
    if (canStack(row) && !row.extras.encoder)
      rows.push_back(&row);
  return rows;
}

ModelVariantSpec variantAsIn(const ModelRow& of, Index layers) {
  const Stack stack = stackOf(of);
  std::vector<std::pair<Pattern, std::vector<Index>>> masks;
  for (Index layer = 0; layer < layers; ++layer) {
    Pattern mask = patternOfLayer(stack, layer % std::ssize(stack.layers));
    if (mask.is<Causal>())
      continue;
    auto known =
        std::find_if(masks.begin(), masks.end(), [&](const auto& m) { return m.first == mask; });
    if (known == masks.end()) {
      masks.emplace_back(std::move(mask), std::vector<Index>{});
      known = std::prev(masks.end());
    }
    known->second.push_back(layer);
  }
  ModelVariantSpec variant{"as in " + stack.title, {}};
  if (of.window > 0)
    variant.name += ", window " + std::to_string(of.window);
  for (auto& [mask, where] : masks)
    variant.rules.push_back({placesText(where), "all", std::move(mask)});
  return variant;
}

} // namespace attention
