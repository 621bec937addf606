#include "core/analysis/check/model_layers.h"

#include "core/analysis/stack/models.h"
#include "core/pattern/pattern_json.h"
#include "core/support/error.h"

namespace attention {

std::shared_ptr<const Prepared> maskOfLayer(const Stack& stack, Index layer, const Lengths& lengths,
                                            const Run& run) {
  const Pattern pattern = patternOfLayer(stack, layer);
  if (needsData(pattern))
    throw Error(ErrorCode::Unsupported, "layer",
                "layer " + std::to_string(layer) + " of " + stack.title +
                    " chooses its keys by the data; it must have a mask of its own");
  return prepare(pattern, lengths, run);
}

std::vector<ModelWithLayer> modelsWith(const Match& match) {
  if (match.mechanism == "empty")
    return {};
  const nlohmann::ordered_json json{{"mechanism", match.mechanism}, {"params", match.params}};
  const Pattern wanted = patternFromJson(nlohmann::json(json));
  std::vector<ModelWithLayer> found;
  for (const ModelRow& row : modelTable()) {
    const Stack stack = stackOf(row);
    ModelWithLayer of{stack.title, 0, std::ssize(stack.layers)};
    std::string last; // layers that are alike are read once
    bool same = false;
    for (const StackLayer& layer : stack.layers) {
      const std::string text = layer.pattern.dump();
      if (text != last)
        same = !layer.pattern.is_null() && patternFromJson(nlohmann::json(layer.pattern)) == wanted;
      last = text;
      of.count += same ? 1 : 0;
    }
    if (of.count > 0)
      found.push_back(std::move(of));
  }
  return found;
}

} // namespace attention
