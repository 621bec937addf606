// What masks of a layer cost: pairs and kept keys against brute force.
#include "core/model/layer_masks.h"
#include "core/pattern/mechanism/all.h"
#include "tests/catch.h"

#include <algorithm>
#include <set>

using namespace attention;

namespace {

// Keys j ≤ t that query t or a later one reads in any head, the most over all t.
Index mostKept(const HeadMasks& masks) {
  const Index n = masks.front()->lengths().keys;
  Index most = 0;
  for (Index t = 0; t < n; ++t) {
    Index kept = 0;
    for (Index j = 0; j <= t; ++j) {
      bool read = false;
      for (Index i = t; i < n && !read; ++i)
        read = std::any_of(masks.begin(), masks.end(),
                           [&](const auto& mask) { return mask->contains(i, j); });
      kept += read ? 1 : 0;
    }
    most = std::max(most, kept);
  }
  return most;
}

HeadMasks masksOf(const std::vector<Pattern>& patterns, Index n) {
  HeadMasks masks;
  for (const Pattern& pattern : patterns)
    masks.push_back(prepare(pattern, squareLengths(n)));
  return masks;
}

Pattern named(const std::string& name, const std::vector<std::pair<std::string, Value>>& values) {
  Pattern pattern = patternNamed(name);
  for (const auto& [parameter, value] : values)
    set(pattern, parameter, value);
  return pattern;
}

} // namespace

TEST_CASE("a layer keeps the keys that are still read, of all its heads together", "[model]") {
  const Pattern window = named("local", {{"window", Value{Index{5}}}, {"causal", Value{true}}});
  const Pattern sinks = named("sinks", {{"sinks", Value{Index{2}}}, {"window", Value{Index{3}}}});
  const Pattern strided = named("strided", {{"stride", Value{Index{4}}}});
  const std::vector<std::vector<Pattern>> layers{
      {Causal{}},       {window}, {sinks}, {strided}, {Full{}}, {window, sinks, window},
      {window, strided}};
  for (const std::vector<Pattern>& layer : layers)
    for (const Index n : {Index{1}, Index{2}, Index{23}}) {
      const HeadMasks masks = masksOf(layer, n);
      const LayerCost cost = costOf(masks, {});
      CHECK(cost.keptKeys == mostKept(masks));
      Index pairs = 0;
      for (const auto& mask : masks)
        pairs += mask->pairs();
      CHECK(cost.pairs == pairs);
    }
  CHECK(costOf(masksOf({Causal{}}, 23), {}).keptKeys == 23);
  CHECK(costOf(masksOf({window}, 23), {}).keptKeys == 5);
  CHECK(costOf(masksOf({sinks}, 23), {}).keptKeys == 5);
}
