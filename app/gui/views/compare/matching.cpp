#include "app/gui/views/compare/matching.h"

#include "core/scene/input_data.h"
#include "core/views/compare/match_pairs.h"

#include <algorithm>

namespace attention::gui {

std::optional<PairMatching::Key> PairMatching::keyOf(const Scene& scene,
                                                     const std::shared_ptr<const Input>& input) {
  if (!scene.compare.matchPairs)
    return std::nullopt;
  try {
    Key key{scene.compare, lengthsOf(scene.length, input ? input->keys : 0), nullptr,
            scene.input.batch, scene.input.head};
    const auto patterns = comparedOf(scene.compare);
    if (std::any_of(patterns.begin(), patterns.end(),
                    [](const Panel& panel) { return needsData(panel.pattern); }))
      key.input = input;
    return key;
  } catch (const Error&) { // lengths that are out of bounds: the view says so
    return std::nullopt;
  }
}

std::shared_ptr<const std::vector<Panel>> PairMatching::make(const Key& key, const Run& run) {
  Scene scene;
  scene.compare = key.compare;
  PatternData data;
  if (key.input)
    data = inputData(*key.input, key.batch, key.head, key.lengths.keys, run);
  matchPairs(scene, key.lengths, data, run);
  return std::make_shared<const std::vector<Panel>>(scene.compare.patterns);
}

void PairMatching::forget() {
  slot_.drop();
  wanted_ = false;
}

EditOfScene PairMatching::found(const Asking& asking, const std::shared_ptr<const Input>& input) {
  if (!wanted_)
    return {};
  const std::optional<Key> key = keyOf(asking.scene, input);
  if (!key) {
    forget();
    return {};
  }
  const auto found = slot_.ask(
      asking.pool, "matching pairs", *key, [key = *key](const Run& run) { return make(key, run); },
      asking.patience);
  if (found.pending)
    return {};
  wanted_ = false; // found, stopped, or there is an error, which the view says
  if (!found || found.stale || found.problem)
    return {};
  return [patterns = found.value](Scene& scene) { scene.compare.patterns = *patterns; };
}

} // namespace attention::gui
