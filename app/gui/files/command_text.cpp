#include "app/gui/files/command_text.h"

#include "app/gui/files/command_flags.h"
#include "core/figure/scene_attention.h"
#include "core/figure/scene_kernels.h"
#include "core/pattern/mechanism/lsh.h"
#include "core/scene/input_data.h"
#include "core/scene/pattern_files.h"
#include "core/scene/scene_json.h"
#include "core/scene/shown_patterns.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace attention::gui {
namespace {

constexpr Index kUsualWidth = 64; // of the cost model, where there is no input

// The Scene, its lengths and its input, which may be null.
struct Shown {
  const Scene& scene;
  Lengths lengths;
  const Input* input = nullptr;

  // Whether flags give the input as it is shown.
  bool hasInput() const { return input && hasFlags(scene.input); }
  bool isCut() const { return input && lengths.keys != input->keys; }
};

// The numbers of the picture as a table, of what its view reads of the Scene.
std::string tableText(const Scene& scene) {
  Scene read = scene;
  for (std::string* words : {&read.title, &read.caption, &read.source, &read.paper})
    words->clear();
  read.about.reset();
  const Scene none;
  takeOtherViews(read, scene.view, none);
  if (!takesInput(scene)) {
    read.input = none.input;
    read.labels = none.labels;
  }
  if (!drawsOwnPattern(scene, scene.view))
    read.pattern = none.pattern;
  return "attnx figure " + shellQuoted(toJson(read).dump()) + " -o " +
         std::string(kViewNames[static_cast<std::size_t>(scene.view)]) + ".csv";
}

std::string alignFlags(const Shown& shown) {
  return " --n-q " + std::to_string(shown.lengths.queries) + " --n-k " +
         std::to_string(shown.lengths.keys) + " --align " +
         (shown.scene.length.align == Align::TopLeft ? "top-left" : "bottom-right");
}

// Lengths without an input; or the input, and to what it is cut.
std::string lengthFlags(const Shown& shown) {
  return shown.lengths.square() ? " --n " + std::to_string(shown.lengths.keys) : alignFlags(shown);
}
std::string inputFlags(const Shown& shown) {
  const bool random = std::holds_alternative<RandomInput>(shown.scene.input.source);
  if (random && shown.lengths.square())
    return inputText(shown.scene.input, shown.lengths.keys);
  const bool rectangular = shown.input && shown.input->queries != shown.input->keys;
  return inputText(shown.scene.input) + (rectangular ? alignFlags(shown) : lengthFlags(shown));
}

// The widths that costs are told for.
std::string widthFlags(const Input* input) {
  const auto flagOf = [](const char* name, Index width) {
    return width > 0 && width != kUsualWidth
               ? " --" + std::string(name) + " " + std::to_string(width)
               : std::string();
  };
  if (!input)
    return {};
  const std::string dv = input->dv == input->d ? "" : " --dv " + std::to_string(input->dv);
  return flagOf("d", input->d) + (input->dv > 0 ? dv : "");
}

// The pattern as flags behind those of the input tell it. A mask file that has several masks and
// whose name chooses none means its first one here, and the head's own there.
Pattern besideInput(const Shown& shown, const Pattern& pattern) {
  const InputSpec& input = shown.scene.input;
  if (input.batch == 0 && input.head == 0)
    return pattern;
  try {
    return hasMasksOfPlanes(pattern) ? withMaskPlane(pattern, {0, 0}) : pattern;
  } catch (const Error&) { // a file that is gone: the command says so
    return pattern;
  }
}

// Counts of a pattern, and what it keeps of the head where the input covers it. The input's flags
// stand before patterns, which would take those that they know too (--seed).
std::string infoText(const Shown& shown, const Pattern& pattern, const std::string& base = {}) {
  const std::string command = "attnx info";
  const bool measured = shown.hasInput() &&
                        covers(*shown.input, shown.lengths, shown.scene.length.align) &&
                        std::max(shown.lengths.queries, shown.lengths.keys) <= kMostAttentionTokens;
  if (measured || needsData(pattern))
    return command + (measured ? " --measure" + base : "") + inputFlags(shown) + " " +
           patternText(besideInput(shown, pattern));
  return command + " " + patternText(pattern) + lengthFlags(shown) + widthFlags(shown.input);
}

// The counts are of the first mask.
std::string maskText(const Shown& shown) {
  return infoText(shown, shownPatterns(shown.scene, shown.lengths).front().pattern);
}

std::string attentionText(const Shown& shown) {
  const AttentionSpec& spec = shown.scene.attention;
  if (spec.picture == AttentionPicture::Heads || !shown.hasInput())
    return tableText(shown.scene);
  const char* base = spec.base == AttentionBase::Meaningful ? ""
                     : spec.base == AttentionBase::Full     ? " --base full"
                                                            : " --base causal";
  return infoText(shown, shown.scene.pattern, base);
}

std::string reachText(const Shown& shown) {
  const Scene& scene = shown.scene;
  std::vector<Pattern> stack;
  for (const Panel& layer : scene.reach.stack)
    stack.push_back(layer.pattern);
  if (stack.empty())
    stack.push_back(scene.pattern);
  const bool reads = std::any_of(stack.begin(), stack.end(), needsData);
  for (Pattern& layer : stack)
    layer = reads ? besideInput(shown, layer) : layer;
  if (!scene.reach.beside.empty() || (reads && !shown.hasInput()))
    return tableText(scene); // with the curves beside that of the stack
  std::string text =
      "attnx reach" + (reads ? inputFlags(shown) : "") + " " + patternText(stack.front());
  for (std::size_t k = 1; k < stack.size(); ++k)
    text += " --then " + furtherPatternText(stack[k]);
  text += (reads ? "" : lengthFlags(shown)) + " --layers " + std::to_string(scene.reach.layers);
  if (!scene.reach.residual)
    text += " --no-residual";
  const Pins& pins = scene.pins;
  const auto inside = [&](const std::optional<Index>& token) {
    return token && *token >= 0 && *token < shown.lengths.keys;
  };
  if (inside(pins.query) && inside(pins.key))
    text += " --path " + std::to_string(*pins.query) + "," + std::to_string(*pins.key);
  return text;
}

// Q, K and V of the Kernels view.
std::string kernelsDataText(const Shown& shown) {
  const KernelsSpec& spec = shown.scene.kernels;
  if (spec.loaded)
    return inputText(shown.scene.input);
  return " --random gaussian --n " + std::to_string(spec.length) + " --d " +
         std::to_string(spec.d) + " --sigma " + shortest(spec.sigma) + " --seed " +
         std::to_string(spec.seed);
}

std::string named(std::initializer_list<std::pair<bool, const char*>> names) {
  std::string text;
  for (const auto& [shown, name] : names)
    if (shown)
      text += (text.empty() ? "" : ",") + std::string(name);
  return text;
}

std::string kernelErrorText(const Shown& shown) {
  const KernelsSpec& spec = shown.scene.kernels;
  const KernelsCompared& with = spec.compared;
  std::string text =
      "attnx kernel-error" + kernelsDataText(shown) + listFlag("m", spec.projections) +
      " --repeats " + std::to_string(spec.repeats) + " --features " +
      named({{with.trig, "trig"}, {with.positive, "positive"}, {with.hyperbolic, "hyperbolic"}}) +
      " --projection " + named({{with.iid, "iid"}, {with.orthogonal, "orthogonal"}});
  if (with.orthogonal && spec.norms == Norms::SqrtD)
    text += " --norms sqrt_d";
  if (spec.stabilize != Stabilize::Off)
    text += " --stabilize " + std::string(name(spec.stabilize));
  if (spec.eps > 0)
    text += " --eps " + shortest(spec.eps);
  if (spec.loaded && spec.seed > 0 &&
      !std::holds_alternative<RandomInput>(shown.scene.input.source))
    text += " --seed " + std::to_string(spec.seed);
  if (spec.redraws > 0)
    text += " --redraws " + std::to_string(spec.redraws);
  return spec.causal ? text + " --causal" : text;
}

std::string lowRankText(const Shown& shown, Index tokens) {
  const KernelsSpec& spec = shown.scene.kernels;
  return "attnx lowrank" + kernelsDataText(shown) +
         listFlag("ranks", {std::min(spec.chosen, tokens)}) +
         (spec.exponentials ? " --matrix exp" : "") + (spec.causal ? " --causal" : "");
}

// Errors of features, or singular values, where a command has them.
std::string kernelsText(const Shown& shown) {
  const KernelsSpec& spec = shown.scene.kernels;
  const bool random = std::holds_alternative<RandomInput>(shown.scene.input.source);
  if (spec.loaded && (!shown.hasInput() || shown.isCut() || random || shown.input->scale))
    return tableText(shown.scene);
  if (spec.picture == KernelsPicture::Error && spec.errorOf != KernelsErrorOf::Layers)
    return kernelErrorText(shown);
  const Index tokens = spec.loaded ? shown.lengths.keys : spec.length;
  if (spec.picture == KernelsPicture::Spectrum && spec.kernel == Kernel::Softmax &&
      tokens <= kMostSpectrumTokens)
    return lowRankText(shown, tokens);
  return tableText(shown.scene);
}

// The report of hashing with its buckets and orders.
std::string hashingText(const Shown& shown) {
  const Scene& scene = shown.scene;
  const bool circle = scene.hashing.picture == HashingPicture::Circle;
  if (circle || !scene.pattern.is<Lsh>() || !isPlain(scene.pattern) || !shown.hasInput() ||
      shown.isCut() || shown.input->scale || scene.hashing.picture == HashingPicture::Captured)
    return tableText(scene);
  return "attnx lsh" + inputText(scene.input) + flagsOf(scene.pattern) + " --recall-keys " +
         std::to_string(scene.hashing.recallKeys);
}

std::vector<Index> eachOnce(std::vector<Index> numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

// The mechanisms of the Timings view as words and flags of attnx time.
struct TimedFlags {
  std::string patterns;
  std::string features;
  std::string kernels;
  std::vector<Index> projections;
  std::vector<Index> ranks;
  std::size_t causal = 0;
  std::size_t approximations = 0; // with a `causal` of their own

  void add(const TimedMechanism& mechanism, const Pattern& own) {
    using Kind = TimedMechanism::Kind;
    if (mechanism.kind == Kind::Features || mechanism.kind == Kind::Kernel) {
      ++approximations;
      causal += mechanism.causal ? 1 : 0;
    }
    if (mechanism.kind == Kind::Features) {
      features += (features.empty() ? " --features " : ",") + std::string(name(mechanism.features));
      if (takesProjections(mechanism.features))
        projections.push_back(mechanism.m);
    } else if (mechanism.kind == Kind::Linformer) {
      ranks.push_back(mechanism.k);
    } else if (mechanism.kind == Kind::Kernel) {
      kernels += (kernels.empty() ? " --kernel " : ",") + std::string(name(mechanism.kernel));
    } else {
      const Pattern& pattern = mechanism.kind == Kind::Own ? own : mechanism.pattern;
      patterns += (patterns.empty() ? " " : " --with ") +
                  (patterns.empty() ? patternText(pattern) : furtherPatternText(pattern));
    }
  }

  // Every feature is timed with every m, and all look back or none.
  bool isSayable() const {
    return (causal == 0 || causal == approximations) && eachOnce(projections).size() <= 1;
  }
};

std::string timeText(const Scene& scene) {
  TimedFlags flags;
  for (const TimedMechanism& mechanism : mechanismsOf(scene.timings, scene.pattern))
    flags.add(mechanism, scene.pattern);
  if (!flags.isSayable())
    return tableText(scene);
  return "attnx time" + flags.patterns + (flags.causal > 0 ? " --causal" : "") + flags.features +
         listFlag("m", eachOnce(flags.projections)) + listFlag("linformer", eachOnce(flags.ranks)) +
         flags.kernels + listFlag("n", timedSizes(scene.timings)) + " --d " +
         std::to_string(scene.timings.d) + " --heads " + std::to_string(scene.timings.heads) +
         " --threads " + std::to_string(scene.timings.threads);
}

// The two that are compared cell by cell.
std::string diffText(const Shown& shown) {
  checkCompare(shown.scene.compare);
  const std::vector<Panel> panels = comparedOf(shown.scene.compare);
  const auto patternAt = [&](Index place) {
    return panels.at(static_cast<std::size_t>(place)).pattern;
  };
  Pattern first = patternAt(shown.scene.compare.first);
  Pattern second = patternAt(shown.scene.compare.second);
  const bool reads = needsData(first) || needsData(second);
  if (reads && !shown.hasInput())
    return tableText(shown.scene);
  for (Pattern* pattern : {&first, &second})
    *pattern = reads ? besideInput(shown, *pattern) : *pattern;
  return "attnx diff" + (reads ? inputFlags(shown) : "") + " " + patternText(first) + " --with " +
         furtherPatternText(second) + (reads ? "" : lengthFlags(shown));
}

std::string axialText(const EncodingsSpec& spec) {
  const auto flagOf = [](const char* name, const auto& value) {
    return std::string(" --") + name + " " + value;
  };
  std::string text = "attnx axial" + flagOf("l1", std::to_string(spec.l1)) +
                     flagOf("l2", std::to_string(spec.l2)) + flagOf("d1", std::to_string(spec.d1)) +
                     flagOf("d2", std::to_string(spec.d2)) +
                     flagOf("reading", std::string(name(spec.reading)));
  if (spec.n)
    text += flagOf("n", std::to_string(*spec.n)) + " --truncate";
  text += flagOf("tables", std::string(kAxialTablesNames[static_cast<std::size_t>(spec.tables)]));
  if (spec.tables == AxialTables::Normal)
    text += flagOf("seed", std::to_string(spec.seed));
  return text + flagOf("at", std::to_string(positionOf(spec))) + " -o encodings.npy";
}

} // namespace

std::string commandText(const Scene& scene, const Lengths& lengths, const Input* input) {
  const Shown shown{scene, lengths, input};
  switch (scene.view) {
  case View::Reach:
    return reachText(shown);
  case View::Attention:
    return attentionText(shown);
  case View::Kernels:
    return kernelsText(shown);
  case View::Hashing:
    return hashingText(shown);
  case View::Timings:
    return timeText(scene);
  case View::Encodings:
    return axialText(scene.encodings);
  case View::Compare:
    return diffText(shown);
  case View::Mask:
    break;
  }
  return maskText(shown);
}

} // namespace attention::gui
