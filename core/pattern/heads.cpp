#include "core/pattern/heads.h"

#include "core/pattern/mechanism/drawn.h"
#include "core/support/error.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <string>

namespace attention {
namespace {

// `pattern`, or what it is drawn on, changed: the same strokes are on every head and layer.
template <class Change>
Pattern withBelow(Pattern pattern, const Change& change) {
  auto* drawn = pattern.as<Drawn>();
  if (!drawn)
    change(pattern);
  else if (drawn->on)
    drawn->on = withBelow(*drawn->on, change);
  return pattern;
}

const HeadRule* ruleOf(const Pattern& pattern) {
  const auto& rule = description(belowStrokes(pattern)).heads;
  return rule ? &*rule : nullptr;
}

bool differ(const HeadRule* rule, const HeadOptions& options) {
  return rule && (!rule->differ || rule->differ(options));
}

void checkOptions(const Pattern& pattern, const HeadOptions& options) {
  if (options.heads < 1 || options.heads > kMostHeads)
    throwRange("heads", std::to_string(options.heads),
               "an integer from 1 to " + std::to_string(kMostHeads));
  const bool dilated = headsRead(pattern, "dilations") && !options.dilations.empty();
  if (dilated && static_cast<Index>(options.dilations.size()) != options.heads)
    throw Error(ErrorCode::Shape, "dilations",
                "dilations has " + countText(options.dilations.size(), "value") + " for " +
                    countText(options.heads, "head") + "; it must have one per head");
}

} // namespace

std::vector<Pattern> headPatterns(const Pattern& pattern, const HeadOptions& options, Index n) {
  checkOptions(pattern, options);
  // A bad stride is named before what follows from it.
  check(withBelow(pattern,
                  [&](Pattern& below) {
                    for (const std::string_view name : setByHeads(below, options))
                      set(below, name, Value());
                  }),
        squareLengths(n));
  const HeadRule* rule = ruleOf(pattern);
  std::vector<Pattern> heads;
  for (Index h = 0; h < options.heads; ++h)
    heads.push_back(
        differ(rule, options)
            ? withBelow(pattern, [&](Pattern& below) { rule->make(below, options, h, n); })
            : pattern);
  return heads;
}

std::vector<std::string_view> setByHeads(const Pattern& pattern, const HeadOptions& options) {
  const HeadRule* rule = ruleOf(pattern);
  return differ(rule, options) ? rule->sets : std::vector<std::string_view>();
}

bool headsRead(const Pattern& pattern, std::string_view option) {
  const HeadRule* rule = ruleOf(pattern);
  return rule && std::ranges::find(rule->reads, option) != rule->reads.end();
}

Pattern layerPattern(const Pattern& pattern, Index layer) {
  if (!headsRead(pattern, "alternate"))
    return pattern;
  return withBelow(pattern, [layer](Pattern& below) {
    const Parameter& factor = parameterNamed(below, "head"); // A¹, A², their union
    factor.set(below, factor.choices[static_cast<std::size_t>(layer % 2)].value);
  });
}

} // namespace attention
