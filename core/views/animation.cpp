#include "core/views/animation.h"

#include "core/scene/kernels_spec.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/text.h"
#include "core/views/moving.h"
#include "core/views/own_frame.h"
#include "core/views/scene_words.h"
#include "core/views/shown_patterns.h"
#include "core/views/view_unit.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

const Parameter* parameterIn(const Pattern& pattern, const std::string& name) {
  const auto& all = description(pattern).parameters;
  const auto at =
      std::find_if(all.begin(), all.end(), [&](const Parameter& of) { return of.name == name; });
  return at == all.end() || !at->visible(pattern) ? nullptr : &*at;
}

// In every pattern that has one of that name.
void setAll(Scene& scene, const std::string& name, const Value& value) {
  for (Pattern* pattern : drawnPatternsIn(scene))
    if (parameterIn(*pattern, name))
      set(*pattern, name, value);
}

// From the least allowed value, or from zero, to twice the current one.
std::optional<Moving> movingOf(const Pattern& pattern, const Parameter& parameter, Index n) {
  const bool integer = parameter.type == ParameterType::Integer;
  if ((!integer && parameter.type != ParameterType::Real) || !parameter.visible(pattern))
    return std::nullopt;
  const Value value = parameter.resolved(pattern, n);
  const Bounds bounds = parameter.bounds(pattern, n);
  const auto* number = std::get_if<Index>(&value);
  const auto* real = std::get_if<double>(&value);
  const double now = number ? static_cast<double>(*number) : real ? *real : 1;
  const double from = std::max(bounds.minimum, 0.0);
  const double to =
      std::clamp(std::max(now, 1.0) * kSweptFactor, from, std::max(from, bounds.maximum));
  Moving moving{parameter.name, from, to, integer,
                [name = parameter.name, integer](Scene& s, double at) {
                  setAll(s, name, integer ? Value(whole(at)) : Value(at));
                }};
  moving.unit = bounds.step;
  moving.decides = true;
  return moving;
}

void addParameters(std::vector<Moving>& all, Scene scene, Index n) {
  for (const Pattern* pattern : drawnPatternsIn(scene))
    for (const Parameter& parameter : description(*pattern).parameters) {
      const bool known = std::any_of(all.begin(), all.end(),
                                     [&](const Moving& of) { return of.name == parameter.name; });
      if (auto moving = known ? std::nullopt : movingOf(*pattern, parameter, n))
        all.push_back(std::move(*moving));
    }
}

// All numbers of the Scene, whether the patterns allow several values of them or not.
std::vector<Moving> numbersOf(const Scene& scene, Index n) {
  const auto own = unitOf(scene.view).moving;
  std::vector<Moving> all = own ? own(scene, n) : std::vector<Moving>();
  if (readsPattern(scene) && takesInput(scene)) {
    all.push_back({"n", 1, static_cast<double>(n), true,
                   [](Scene& s, double value) { s.length.n = whole(value); }});
    all.back().decides = true;
  }
  if (readsPattern(scene))
    addParameters(all, scene, n);
  return all;
}

[[noreturn]] void refuse(const std::string& name, const std::vector<std::string>& sweeps) {
  if (sweeps.empty())
    throw Error(ErrorCode::Unsupported, "sweep", "no number of this scene can be swept");
  std::string known;
  for (const std::string& each : sweeps)
    known += (known.empty() ? "" : ", ") + each;
  throw Error(ErrorCode::Unknown, "sweep", "sweep is \"" + name + "\"; it must be one of " + known);
}

// The one of that name, or the first that can move. One without values in its default range may
// have some in an explicit range. The Scene is one for trials.
Moving chosen(const Scene& scene, const Sweep& sweep, Index n) {
  const bool ranged = !sweep.of.empty() && (sweep.from || sweep.to);
  for (Moving& moving : numbersOf(scene, n))
    if (sweep.of.empty() || moving.name == sweep.of)
      if (ranged || canMove(moving, scene, n))
        return std::move(moving);
  refuse(sweep.of, sweepsOf(scene, n));
}

struct ChosenValues {
  Moving moving;
  std::vector<double> values;
};

ChosenValues chosenValues(const Scene& scene, const Sweep& sweep, Index n) {
  if (const auto checkSweep = unitOf(scene.view).checkSweep)
    checkSweep(scene);
  const Scene tried = forTrials(scene);
  const Moving moving = chosen(tried, sweep, n);
  return {moving, valuesOf(moving, sweep, tried, n)};
}

} // namespace

std::vector<std::string> sweepsOf(const Scene& scene, Index n) {
  const Scene tried = forTrials(scene);
  std::vector<std::string> names;
  for (const Moving& moving : numbersOf(tried, n))
    if (canMove(moving, tried, n))
      names.push_back(moving.name);
  return names;
}

Swept sweptBy(const Scene& scene, const Sweep& sweep, Index n) {
  const auto [moving, values] = chosenValues(scene, sweep, n);
  return {moving.name, values};
}

Index sweptLength(const Scene& scene, Index keys) {
  const auto own = unitOf(scene.view).length;
  return own ? own(scene) : keys;
}

namespace {

// Whole numbers unchanged, others as precisely as anybody would read in a frame.
std::string numberText(double value) {
  return value == std::floor(value) ? shortest(value) : readableNumber(value);
}

} // namespace

std::optional<std::size_t> ownFrame(const Frames& frames, const Scene& scene, Index n) {
  const Sweep sweep{frames.of, frames.values.front(), frames.values.back()};
  const Moving moving = chosen(forTrials(scene), sweep, n);
  Scene own = scene;
  for (Pattern* pattern : drawnPatternsIn(own))
    if (const Parameter* parameter = parameterIn(*pattern, frames.of))
      set(*pattern, frames.of, parameter->resolved(*pattern, n));
  for (std::size_t k = 0; k < frames.values.size(); ++k) {
    Scene frame = own;
    moving.set(frame, frames.values[k]);
    if (frame == own)
      return k;
  }
  return std::nullopt;
}

Frames framesOf(const Scene& of, const Sweep& sweep, Index n) {
  const Scene scene = inOwnWords(of);
  const auto [moving, values] = chosenValues(scene, sweep, n);
  Frames frames{moving.name, values, {}};
  for (const double value : frames.values) {
    Scene frame = scene;
    moving.set(frame, value);
    dropStaleWords(frame, scene);
    frames.scenes.push_back(std::move(frame));
  }
  // A caption dropped in one frame is dropped in all: else the picture beside it would jump.
  const bool captioned = std::none_of(frames.scenes.begin(), frames.scenes.end(),
                                      [](const Scene& frame) { return frame.caption.empty(); });
  for (std::size_t k = 0; k < frames.scenes.size(); ++k) {
    const bool tells = captioned ? !moving.seen : !moving.told;
    std::string& caption = frames.scenes[k].caption;
    caption = tells ? moving.name + " = " + numberText(frames.values[k]) + "." : "";
    if (captioned)
      caption += (tells ? " " : "") + scene.caption;
  }
  return frames;
}

} // namespace attention
