// Masks as a decoder can have them: without keys that come after the query.
#include "core/views/model/scene_model.h"

#include "core/analysis/base.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/composed.h"
#include "core/pattern/mechanism/drawn.h"
#include "core/scene/pattern_files.h"

#include <algorithm>

namespace attention {
namespace {

// Whether it may: of patterns that read data, nothing is known before.
bool seesFuture(const Pattern& pattern, Index n, const Run& run) {
  return needsData(pattern) || !ownBase(pattern, squareLengths(n), run).past;
}

// The switch that hides later keys; null where the mechanism has none.
const Parameter* causalOf(const Pattern& pattern) {
  const auto& all = description(pattern).parameters;
  const auto found = std::find_if(all.begin(), all.end(), [](const Parameter& parameter) {
    return parameter.name == "causal" && parameter.type == ParameterType::Boolean;
  });
  return found == all.end() ? nullptr : &*found;
}

} // namespace

Pattern maskFor(const Model& model, const Pattern& pattern, Index n, const Run& run) {
  Pattern read = resolveFiles(pattern, {}, run);
  return model.encoder ? read : withoutFuture(read, n, run);
}

bool isSetToLookAhead(const Pattern& pattern) {
  const Parameter* causal = causalOf(pattern);
  return causal && causal->resolved(pattern, 1) == Value(false);
}

bool looksAhead(const Pattern& pattern, Index n, const Run& run) {
  if (!needsData(pattern))
    return seesFuture(pattern, n, run);
  const auto ahead = [&](const Pattern& operand) { return looksAhead(operand, n, run); };
  if (const auto* drawn = pattern.as<Drawn>())
    return drawn->on && ahead(*drawn->on);
  const auto* compose = pattern.as<Compose>();
  if (!compose)
    return isSetToLookAhead(pattern);
  switch (compose->operation) {
  case Operation::Union:
  case Operation::SymmetricDifference:
    return std::any_of(compose->of.begin(), compose->of.end(), ahead);
  case Operation::Intersection:
    return std::all_of(compose->of.begin(), compose->of.end(), ahead);
  case Operation::Difference:
    return ahead(compose->of.front());
  case Operation::Complement:
    break;
  }
  return true;
}

Pattern withoutFuture(const Pattern& pattern, Index n, const Run& run) {
  Pattern past = pattern;
  if (const Parameter* causal = causalOf(past)) {
    causal->set(past, Value(true));
    return past;
  }
  if (seesFuture(past, n, run))
    return Compose(Operation::Intersection, {past, Causal{}});
  return past;
}

} // namespace attention
