#include "core/scene/animation.h"

#include "core/scene/kernels_reads.h"
#include "core/scene/moving.h"
#include "core/scene/scene_words.h"
#include "core/scene/shown_patterns.h"
#include "core/support/error.h"
#include "core/support/names.h"
#include "core/support/readable_number.h"
#include "core/support/text.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

constexpr Index kUsualRedraws = 11;
constexpr double kUsualFactor = 2; // a parameter sweeps to so many times its value
constexpr double kLeastSlice = 0.05;
constexpr double kMostSlice = 2; // of the map of the ratio of errors
constexpr double kLeastSigma = 0.05;
constexpr Index kLeastTokens = 16; // of drawn Q, K and V, where there are more

Index whole(double value) {
  return static_cast<Index>(std::llround(value));
}

Moving queries(Index n) {
  return {"query", 0, static_cast<double>(n - 1), true,
          [](Scene& s, double value) { s.pins.query = whole(value); }};
}

void addHashing(std::vector<Moving>& all, const HashingSpec& spec) {
  if (spec.picture == HashingPicture::Sorting)
    all.push_back({"moment", 0, 1, false,
                   [](Scene& s, double at) { s.hashing.moment = std::clamp(at, 0.0, 1.0); }, true});
  if (spec.picture == HashingPicture::Circle)
    all.push_back({"redraws", static_cast<double>(spec.circle.redraws),
                   static_cast<double>(spec.circle.redraws + kUsualRedraws), true,
                   [](Scene& s, double value) { s.hashing.circle.redraws = whole(value); }});
}

Moving kernelsNumber(const char* name, Index KernelsSpec::*field, double from, double to) {
  return {name, from, to, true,
          [field](Scene& s, double value) { s.kernels.*field = whole(value); }};
}

Moving kernelsNumber(const char* name, double KernelsSpec::*field, double from, double to) {
  return {name, from, to, false, [field](Scene& s, double value) { s.kernels.*field = value; }};
}

// Only what the picture reads: other numbers would give frames that differ in words alone.
void addKernels(std::vector<Moving>& all, const KernelsSpec& spec, Index n) {
  const KernelsReads reads(spec);
  const auto upTo = [](Index present) { return std::max(2.0, static_cast<double>(present)); };
  if (spec.picture == KernelsPicture::Ratio)
    all.push_back(kernelsNumber("slice", &KernelsSpec::slice, kLeastSlice, kMostSlice));
  if (reads.drawn)
    all.push_back(kernelsNumber("redraws", &KernelsSpec::redraws, static_cast<double>(spec.redraws),
                                static_cast<double>(spec.redraws + kUsualRedraws)));
  if (reads.m)
    all.push_back(kernelsNumber("m", &KernelsSpec::chosen, 1, upTo(spec.chosen)));
  if (spec.picture == KernelsPicture::Error && spec.errorOf == KernelsErrorOf::Layers)
    all.push_back(kernelsNumber("layers", &KernelsSpec::layers, 1, upTo(spec.layers)));
  if (!reads.lengths)
    return;
  if (spec.loaded)
    return all.push_back({"n", 1, static_cast<double>(n), true,
                          [](Scene& s, double value) { s.length.n = whole(value); }});
  if (reads.numbers)
    all.push_back(kernelsNumber("sigma", &KernelsSpec::sigma, kLeastSigma,
                                std::max(1.0, kUsualFactor * spec.sigma)));
  all.push_back(kernelsNumber("L", &KernelsSpec::length,
                              static_cast<double>(std::min(kLeastTokens, spec.length)),
                              upTo(spec.length)));
  all.push_back(kernelsNumber("d", &KernelsSpec::d, 1, upTo(spec.d)));
}

void addView(std::vector<Moving>& all, const Scene& scene, Index n) {
  switch (scene.view) {
  case View::Reach:
    all.push_back({"layers", 0, static_cast<double>(scene.reach.layers), true,
                   [](Scene& s, double value) { s.reach.shown = whole(value); }});
    all.push_back(queries(n));
    break;
  case View::Attention:
    if (scene.attention.picture != AttentionPicture::Heads)
      all.push_back(queries(n));
    break;
  case View::Kernels:
    addKernels(all, scene.kernels, n);
    break;
  case View::Encodings:
    all.push_back({"position", 0, static_cast<double>(n - 1), true,
                   [](Scene& s, double value) { s.encodings.position = whole(value); }});
    break;
  case View::Hashing:
    addHashing(all, scene.hashing);
    break;
  case View::Timings:
    break;
  case View::Compare:
  case View::Mask:
    all.push_back(queries(n));
    break;
  }
}

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

// From the least value that is allowed, or from nought, to twice the present one.
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
      std::clamp(std::max(now, 1.0) * kUsualFactor, from, std::max(from, bounds.maximum));
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
  std::vector<Moving> all;
  addView(all, scene, n);
  if (readsPattern(scene)) {
    all.push_back({"n", 1, static_cast<double>(n), true,
                   [](Scene& s, double value) { s.length.n = whole(value); }});
    all.back().decides = true;
    addParameters(all, scene, n);
  }
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

// Of that name, or the first that can move. What has no values by itself may have some in a range
// of its own. The Scene is one for trials.
Moving chosen(const Scene& scene, const Sweep& sweep, Index n) {
  const bool ranged = !sweep.of.empty() && (sweep.from || sweep.to);
  for (Moving& moving : numbersOf(scene, n))
    if (sweep.of.empty() || moving.name == sweep.of)
      if (ranged || canMove(moving, scene, n))
        return std::move(moving);
  refuse(sweep.of, sweepsOf(scene, n));
}

void requireSweepable(const Scene& scene) {
  if (scene.view == View::Encodings)
    axialShape(scene.encodings); // sizes that cannot be drawn are told before a frame is
  if (scene.view == View::Timings)
    throw Error(ErrorCode::Unsupported, "view",
                "the Timings view is measured, not swept; choose a scene of another view");
}

struct ChosenValues {
  Moving moving;
  std::vector<double> values;
};

ChosenValues chosenValues(const Scene& scene, const Sweep& sweep, Index n) {
  requireSweepable(scene);
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
  return scene.view == View::Encodings ? positionsOf(scene.encodings) : keys;
}

namespace {

// Whole numbers as they are, others as exactly as anybody reads a frame.
std::string numberText(double value) {
  return value == std::floor(value) ? shortest(value) : readableNumber(value);
}

} // namespace

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
  // Words dropped in one frame are dropped in all: else the picture beside them would jump.
  Scene common = frames.scenes.front();
  for (const Scene& frame : frames.scenes)
    keepCommonWords(common, frame);
  for (std::size_t k = 0; k < frames.scenes.size(); ++k) {
    keepCommonWords(frames.scenes[k], common);
    const bool captioned = !common.caption.empty();
    if (captioned && moving.seen)
      continue;
    const std::string now = moving.name + " = " + numberText(frames.values[k]) + ".";
    frames.scenes[k].caption = captioned ? now + " " + scene.caption : now;
  }
  return frames;
}

} // namespace attention
