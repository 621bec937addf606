#include "app/gui/files/exporting.h"

#include "core/figure/figure_file.h"
#include "core/figure/scene_data.h"
#include "core/pattern/pattern_json.h"
#include "core/scene/scene_json.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace attention::gui {
namespace {

// For a POSIX shell.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

using Value = decltype(toJson(Pattern()))::value_type;

// A list of numbers, which a flag takes with commas: 4,2.
bool isFlat(const Value& value) {
  return value.is_array() && !value.empty() &&
         std::all_of(value.begin(), value.end(), [](const auto& of) { return of.is_number(); });
}

std::string flagValue(const Value& value) {
  if (value.is_string())
    return quoted(value.get<std::string>());
  std::string text = value.dump();
  return isFlat(value) ? text.substr(1, text.size() - 2) : text;
}

std::string flagsOf(const Pattern& pattern) {
  const auto json = toJson(pattern);
  const auto params = json.find("params");
  std::string flags;
  if (params == json.end())
    return flags;
  for (const auto& [name, value] : params->items()) {
    std::string flag = name;
    for (char& c : flag)
      c = c == '_' ? '-' : c;
    flags += " --p." + flag + " " + flagValue(value);
  }
  return flags;
}

// Whether every parameter is a plain value or a list of numbers.
bool isPlain(const Pattern& pattern) {
  const auto json = toJson(pattern);
  const auto params = json.find("params");
  return params == json.end() ||
         std::none_of(params->begin(), params->end(),
                      [](const auto& value) { return value.is_structured() && !isFlat(value); });
}

// Flags where every parameter is plain, else the pattern's JSON.
std::string patternText(const Pattern& pattern) {
  if (isPlain(pattern))
    return description(pattern).name + flagsOf(pattern);
  return "--pattern-json " + quoted(toJson(pattern).dump());
}

std::string flag(const std::string& name, const std::string& value, const std::string& usual = {}) {
  return value == usual ? "" : " --" + name + " " + quoted(value);
}

// The flags of INPUT, for patterns that depend on it.
struct InputFlags {
  std::string operator()(const NoInput&) const { return {}; }
  std::string operator()(const AssetInput& asset) const { return flag("sample", asset.name); }
  std::string operator()(const RandomInput& random) const {
    std::string text = flag("random", random.generator) + " --n " + std::to_string(random.n) +
                       " --d " + std::to_string(random.d) + " --heads " +
                       std::to_string(random.heads) + " --seed " + std::to_string(random.seed);
    for (const auto& [name, values] : random.parameters) {
      std::string list;
      for (const double value : values)
        list += (list.empty() ? "" : ",") + nlohmann::json(value).dump();
      text += flag(name, list);
    }
    return text;
  }
  std::string operator()(const FileInput& files) const {
    std::string text = flag("input", files.input) + flag("q-name", files.qName, "q") +
                       flag("k-name", files.kName, "k") + flag("v-name", files.vName, "v") +
                       flag("q", files.q) + flag("k", files.k) + flag("v", files.v) +
                       flag("qk", files.qk) + flag("x", files.x) + flag("wq", files.wq) +
                       flag("wk", files.wk) + flag("wv", files.wv) + flag("wo", files.wo);
    return files.heads > 1 ? text + " --heads " + std::to_string(files.heads) : text;
  }
};

std::string inputText(const InputSpec& spec) {
  std::string text = std::visit(InputFlags{}, spec.source);
  if (spec.batch > 0)
    text += " --batch " + std::to_string(spec.batch);
  if (spec.head > 0)
    text += " --head-index " + std::to_string(spec.head);
  return text;
}

// The flags of the data, where patterns depend on it, and of the length.
std::string dataText(const Scene& scene, const Lengths& lengths, bool reads) {
  const std::string n = " --n " + std::to_string(lengths.keys);
  if (!reads)
    return n;
  const bool random = std::holds_alternative<RandomInput>(scene.input.source);
  return inputText(scene.input) + (random ? "" : n);
}

std::string infoText(const Scene& scene, const Lengths& lengths) {
  const bool reads = needsData(scene.pattern);
  const std::string text = "attnx info " + patternText(scene.pattern);
  if (reads || lengths.square())
    return text + dataText(scene, lengths, reads);
  return text + " --n-q " + std::to_string(lengths.queries) + " --n-k " +
         std::to_string(lengths.keys) + " --align " +
         (scene.length.align == Align::TopLeft ? "top-left" : "bottom-right");
}

std::string reachText(const Scene& scene, const Lengths& lengths) {
  std::vector<Pattern> stack;
  for (const Panel& layer : scene.reach.stack)
    stack.push_back(layer.pattern);
  if (stack.empty())
    stack.push_back(scene.pattern);
  std::string text = "attnx reach " + patternText(stack.front());
  for (std::size_t k = 1; k < stack.size(); ++k)
    text +=
        " --then " + (isPlain(stack[k]) ? patternText(stack[k]) : quoted(toJson(stack[k]).dump()));
  text += dataText(scene, lengths, std::any_of(stack.begin(), stack.end(), needsData));
  text += " --layers " + std::to_string(scene.reach.layers);
  if (!scene.reach.residual)
    text += " --no-residual";
  const Pins& pins = scene.pins;
  const auto inside = [&](Index token) { return token >= 0 && token < lengths.keys; };
  if (pins.query && pins.key && inside(*pins.query) && inside(*pins.key))
    text += " --path " + std::to_string(*pins.query) + "," + std::to_string(*pins.key);
  return text;
}

// The score of the pattern on the head, or on all heads.
std::string scoreText(const Scene& scene, const Lengths& lengths) {
  InputSpec input = scene.input;
  std::string text = "attnx compare " + patternText(scene.pattern);
  if (auto* random = std::get_if<RandomInput>(&input.source)) {
    random->n = lengths.keys; // the first rows are the same at any length
    text += std::visit(InputFlags{}, input.source);
  } else {
    text += std::visit(InputFlags{}, input.source) + " --n " + std::to_string(lengths.keys);
  }
  if (scene.attention.picture != AttentionPicture::Heads)
    text +=
        " --batch " + std::to_string(input.batch) + " --head-index " + std::to_string(input.head);
  if (scene.attention.base != AttentionBase::Meaningful)
    text += scene.attention.base == AttentionBase::Full ? " --base full" : " --base causal";
  return text;
}

// Whether there is a score: of queries and keys, one of each a token.
bool hasScore(const Scene& scene, const Lengths& lengths) {
  const auto* files = std::get_if<FileInput>(&scene.input.source);
  const auto* random = std::get_if<RandomInput>(&scene.input.source);
  const bool weightsAlone = files && !files->attention.empty();
  const bool rectangular = random && random->keyCount() != random->n;
  return !std::holds_alternative<NoInput>(scene.input.source) && lengths.square() &&
         !weightsAlone && !rectangular;
}

// Q, K and V of the Kernels view.
std::string kernelsDataText(const Scene& scene) {
  const KernelsSpec& spec = scene.kernels;
  if (spec.loaded)
    return inputText(scene.input);
  return " --random gaussian --n " + std::to_string(spec.length) + " --d " +
         std::to_string(spec.d) + " --sigma " + shortest(spec.sigma) + " --seed " +
         std::to_string(spec.seed);
}

std::string listText(const std::vector<Index>& values) {
  std::string text;
  for (const Index value : values)
    text += (text.empty() ? "" : ",") + std::to_string(value);
  return text;
}

std::string kernelErrorText(const Scene& scene) {
  const KernelsSpec& spec = scene.kernels;
  const auto named = [](std::initializer_list<std::pair<bool, const char*>> names) {
    std::string text;
    for (const auto& [shown, name] : names)
      if (shown)
        text += (text.empty() ? "" : ",") + std::string(name);
    return text;
  };
  const KernelsCompared& with = spec.compared;
  std::string text =
      "attnx kernel-error" + kernelsDataText(scene) + " --m " + listText(spec.projections) +
      " --repeats " + std::to_string(spec.repeats) + " --features " +
      named({{with.trig, "trig"}, {with.positive, "positive"}, {with.hyperbolic, "hyperbolic"}}) +
      " --projection " + named({{with.iid, "iid"}, {with.orthogonal, "orthogonal"}});
  if (with.orthogonal && spec.norms == Norms::SqrtD)
    text += " --norms sqrt_d";
  if (spec.stabilize != Stabilize::Off)
    text += " --stabilize " + std::string(name(spec.stabilize));
  if (spec.eps > 0)
    text += " --eps " + shortest(spec.eps);
  if (spec.loaded && spec.seed > 0)
    text += " --seed " + std::to_string(spec.seed);
  if (spec.redraws > 0)
    text += " --redraws " + std::to_string(spec.redraws);
  return spec.causal ? text + " --causal" : text;
}

// The picture itself, of what its view reads of the Scene.
std::string figureText(const Scene& scene, bool readsInput) {
  Scene read;
  read.view = scene.view;
  read.kernels = scene.kernels;
  read.hashing = scene.hashing;
  read.timings = scene.timings;
  if (readsInput) {
    read.pattern = scene.pattern;
    read.length = scene.length;
    read.input = scene.input;
  }
  return "attnx figure " + quoted(toJson(read).dump()) + " -o " +
         std::string(kViewNames[static_cast<std::size_t>(scene.view)]) + ".png";
}

// Singular values, or the errors of features; of the other pictures, whose numbers no command
// tells, the picture.
std::string kernelsText(const Scene& scene) {
  const KernelsSpec& spec = scene.kernels;
  if (spec.picture == KernelsPicture::Error && spec.errorOf != KernelsErrorOf::Layers)
    return kernelErrorText(scene);
  if (spec.picture != KernelsPicture::Spectrum)
    return figureText(scene, spec.loaded);
  return "attnx lowrank" + kernelsDataText(scene) + (spec.exponentials ? " --matrix exp" : "") +
         (spec.causal ? " --causal" : "");
}

// The report of hashing with its buckets and orders; of the circle, which reads neither pattern nor
// input, and of clusters the picture itself.
std::string hashingText(const Scene& scene, const Lengths& lengths) {
  const bool circle = scene.hashing.picture == HashingPicture::Circle;
  if (circle || !std::holds_alternative<Lsh>(scene.pattern.mechanism) || !isPlain(scene.pattern))
    return figureText(scene, !circle);
  return "attnx lsh" + dataText(scene, lengths, true) + flagsOf(scene.pattern) + " --recall-keys " +
         std::to_string(scene.hashing.recallKeys);
}

// Numbers, each once, as a flag; nothing without any.
std::string listFlag(const std::string& name, std::vector<Index> numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::string list;
  for (const Index number : numbers)
    list += (list.empty() ? "" : ",") + std::to_string(number);
  return list.empty() ? "" : " --" + name + " " + list;
}

// Features of different m are timed with each of them; those that look back only beside others are
// no command's.
std::string timeText(const Scene& scene) {
  std::string text = "attnx time";
  std::string features;
  std::string kernels;
  std::vector<Index> projections;
  std::vector<Index> ranks;
  std::size_t causal = 0;
  std::size_t approximations = 0; // with a `causal` of their own
  for (const TimedMechanism& mechanism : mechanismsOf(scene.timings, scene.pattern)) {
    if (mechanism.kind == TimedMechanism::Kind::Features ||
        mechanism.kind == TimedMechanism::Kind::Kernel) {
      ++approximations;
      causal += mechanism.causal ? 1 : 0;
    }
    if (mechanism.kind == TimedMechanism::Kind::Features) {
      features += (features.empty() ? " --features " : ",") + std::string(name(mechanism.features));
      if (takesProjections(mechanism.features))
        projections.push_back(mechanism.m);
    } else if (mechanism.kind == TimedMechanism::Kind::Linformer) {
      ranks.push_back(mechanism.k);
    } else if (mechanism.kind == TimedMechanism::Kind::Kernel) {
      kernels += (kernels.empty() ? " --kernel " : ",") + std::string(name(mechanism.kernel));
    } else {
      const bool own = mechanism.kind == TimedMechanism::Kind::Own;
      text += " " + patternText(own ? scene.pattern : mechanism.pattern);
    }
  }
  if (causal > 0 && causal < approximations)
    return figureText(scene, true);
  return text + (causal > 0 ? " --causal" : "") + features + listFlag("m", projections) +
         listFlag("linformer", ranks) + kernels + listFlag("n", timedSizes(scene.timings)) +
         " --d " + std::to_string(scene.timings.d) + " --heads " +
         std::to_string(scene.timings.heads) + " --threads " +
         std::to_string(scene.timings.threads);
}

// The two whose difference is drawn.
std::string diffText(const Scene& scene, const Lengths& lengths) {
  checkCompare(scene.compare);
  const std::vector<Panel> panels = comparedOf(scene.compare);
  const auto patternAt = [&](Index place) -> const Pattern& {
    return panels.at(static_cast<std::size_t>(place)).pattern;
  };
  const Pattern& first = patternAt(scene.compare.first);
  const Pattern& second = patternAt(scene.compare.second);
  return "attnx diff " + patternText(first) + " --with " +
         (isPlain(second) ? patternText(second) : quoted(toJson(second).dump())) +
         dataText(scene, lengths, needsData(first) || needsData(second));
}

std::string axialText(const EncodingsSpec& spec) {
  const auto flag = [](const char* name, const auto& value) {
    return std::string(" --") + name + " " + value;
  };
  std::string text = "attnx axial" + flag("l1", std::to_string(spec.l1)) +
                     flag("l2", std::to_string(spec.l2)) + flag("d1", std::to_string(spec.d1)) +
                     flag("d2", std::to_string(spec.d2)) +
                     flag("reading", std::string(name(spec.reading)));
  if (spec.n)
    text += flag("n", std::to_string(*spec.n)) + " --truncate";
  text += flag("tables", std::string(kAxialTablesNames[static_cast<std::size_t>(spec.tables)]));
  if (spec.tables == AxialTables::Normal)
    text += flag("seed", std::to_string(spec.seed));
  return text + flag("at", std::to_string(positionOf(spec))) + " -o encodings.npy";
}

// Whether it is all of what the present Scene asks for.
template <class T>
bool isWhole(const Latest<T>& latest) {
  return latest && !latest.stale && !latest.pending && !latest.problem;
}

// Whether there is something, and not all.
template <class T>
bool isPart(const Latest<T>& latest) {
  return latest && !isWhole(latest);
}

// Whether a file of that name holds numbers, not a picture.
bool holdsData(const std::filesystem::path& file) {
  const std::string ending = endingOf(file);
  return ending == ".npy" || ending == ".csv" || ending == ".mtx";
}

} // namespace

void exportShown(const Scene& scene, const std::shared_ptr<const Input>& input,
                 const std::filesystem::path& file, const Run& run) {
  SceneFigureOptions made;
  made.input = input;
  exportShown(scene, made, file, run);
}

void exportShown(const Scene& scene, const SceneFigureOptions& shown,
                 const std::filesystem::path& file, const Run& run) {
  if (holdsData(file))
    return writeSceneData(scene, shown, file, run);
  FigureFileOptions options;
  options.scene = scene;
  writeFigure(figureOfScene(scene, shown, run), file, options, run);
}

SceneFigureOptions shownOptions(const Results& results) {
  SceneFigureOptions options;
  options.input = results.input.value;
  if (isWhole(results.reach))
    options.reach = {results.reach.value, &results.reach->answer};
  const KernelsResults& kernels = results.kernels;
  const bool partly = isPart(kernels.sweep) || isPart(kernels.matrices) || isPart(kernels.spectrum);
  if (isWhole(kernels.shown) && !kernels.problem && !partly)
    options.kernels = {kernels.shown.value, &kernels.shown->answer};
  if (results.timings && !results.timings.stale)
    options.timings = {results.timings.value, &results.timings->timings};
  return options;
}

std::string commandText(const Scene& scene, const Lengths& lengths) {
  switch (scene.view) {
  case View::Reach:
    return reachText(scene, lengths);
  case View::Attention:
    return hasScore(scene, lengths) ? scoreText(scene, lengths) : infoText(scene, lengths);
  case View::Kernels:
    return kernelsText(scene);
  case View::Hashing:
    return hashingText(scene, lengths);
  case View::Timings:
    return timeText(scene);
  case View::Encodings:
    return axialText(scene.encodings);
  case View::Compare:
    return diffText(scene, lengths);
  case View::Mask:
    break;
  }
  return infoText(scene, lengths);
}

std::string exportName(const Scene& scene, const Lengths& lengths, const std::string& ending) {
  if (scene.view == View::Attention)
    return "attention-" +
           std::string(kAttentionPictureNames[static_cast<std::size_t>(scene.attention.picture)]) +
           ending;
  if (scene.view == View::Kernels)
    return "kernels-" +
           std::string(kKernelsPictureNames[static_cast<std::size_t>(scene.kernels.picture)]) +
           ending;
  if (scene.view == View::Hashing)
    return "hashing-" +
           std::string(kHashingPictureNames[static_cast<std::size_t>(scene.hashing.picture)]) +
           ending;
  if (scene.view == View::Timings || scene.view == View::Encodings || scene.view == View::Compare)
    return std::string(kViewNames[static_cast<std::size_t>(scene.view)]) + ending;
  return description(scene.pattern).name + "-" + std::to_string(lengths.keys) + ending;
}

} // namespace attention::gui
