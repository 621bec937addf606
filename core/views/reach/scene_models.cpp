#include "core/views/reach/scene_models.h"

#include "core/pattern/pattern_json.h"
#include "core/pattern/prepared.h"
#include "core/support/error.h"
#include "core/support/json_text.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <array>
#include <map>

namespace attention {
namespace {

constexpr Index kTellingWindows = 4; // a length has so many windows
constexpr Index kLongestFirst = 16384;

std::string kindWord(const std::string& kind) {
  std::string word = kind.substr(0, kind.find("_attention"));
  std::replace(word.begin(), word.end(), '_', ' ');
  return word;
}

[[noreturn]] void throwNoMask(const Stack& stack, Index layer) {
  throw Error(ErrorCode::Unsupported, "model",
              stack.title + " has " + kindWord(stack.layers[static_cast<std::size_t>(layer)].kind) +
                  " attention in layer " + std::to_string(layer) +
                  ", which has no mask; every layer of a stack must have one");
}

// The fewest layers that, repeated in turn, give all.
std::size_t periodOf(const std::vector<Panel>& layers) {
  for (std::size_t period = 1; period < layers.size(); ++period) {
    bool same = true;
    for (std::size_t at = period; at < layers.size() && same; ++at)
      same = layers[at].pattern == layers[at - period].pattern;
    if (same)
      return period;
  }
  return layers.size();
}

// The largest window of a layer.
std::optional<Index> windowOf(const Stack& stack) {
  std::optional<Index> window;
  for (const StackLayer& layer : stack.layers)
    if (layer.cache.window)
      window = std::max(window.value_or(0), *layer.cache.window);
  return window;
}

Index tellingLength(const Stack& stack) {
  const Index window = std::clamp<Index>(windowOf(stack).value_or(1024), 1, kLongestFirst);
  const Index wanted = std::min(kTellingWindows * window, kLongestFirst);
  return std::max<Index>(std::min(wanted, stack.context.value_or(wanted)), 1);
}

// "29 sliding, window 1024; 5 full".
std::string kindsText(const Stack& stack) {
  std::vector<std::pair<std::string, Index>> kinds;
  for (const StackLayer& layer : stack.layers) {
    std::string word = kindWord(layer.kind);
    if (layer.cache.window)
      word += (layer.kind == "chunked_attention" ? ", chunks of " : ", window ") +
              std::to_string(*layer.cache.window);
    const auto at =
        std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.first == word; });
    if (at == kinds.end())
      kinds.emplace_back(word, 1);
    else
      ++at->second;
  }
  std::string text;
  for (const auto& [word, count] : kinds)
    text += (text.empty() ? "" : "; ") + std::to_string(count) + " " + word;
  return text;
}

std::optional<Index> pairsOf(const Stack& stack, Index n, const Run& run) {
  std::map<std::string, Index> counted; // of masks that are alike
  Index pairs = 0;
  for (const StackLayer& layer : stack.layers) {
    if (layer.pattern.is_null())
      return std::nullopt;
    const auto [at, isNew] = counted.emplace(layer.pattern.dump(), 0);
    if (isNew) {
      const Pattern pattern = patternFromJson(nlohmann::json(layer.pattern));
      if (needsData(pattern))
        return std::nullopt;
      at->second = prepare(pattern, squareLengths(n), run)->pairs(run);
    }
    pairs += at->second;
  }
  return pairs;
}

Curve cacheCurve(const ModelFacts& of, KvPolicy policy, std::span<const double> sizes) {
  constexpr std::array kDashes{Dash::Solid, Dash::Dashed, Dash::DashDotted, Dash::Dotted};
  Curve curve;
  curve.label = of.stack.title;
  curve.hue = of.hue;
  curve.dash = kDashes[of.hue % kDashes.size()];
  for (const double n : sizes)
    if (const auto bytes = kvBytes(of.stack, {static_cast<Index>(n), 2, policy}))
      curve.points.push_back({n, static_cast<double>(*bytes)});
  return curve;
}

// A model alone stands beside itself with full attention everywhere, where that keeps more.
void addWithoutWindows(std::vector<Curve>& curves, const ModelFacts& of,
                       std::span<const double> sizes) {
  Curve full = cacheCurve(of, KvPolicy::Full, sizes);
  if (full.points == curves.front().points)
    return;
  full.label = "without windows";
  full.kind = CurveKind::Theory;
  full.dash = Dash::Dashed;
  curves.push_back(std::move(full));
}

// Turns the bytes of all curves into the unit of their largest number.
ByteUnit inOneUnit(std::vector<Curve>& curves) {
  double most = 0;
  for (const Curve& curve : curves)
    for (const Point& point : curve.points)
      most = std::max(most, point.y);
  const ByteUnit unit = byteUnitFor(most);
  for (Curve& curve : curves)
    for (Point& point : curve.points)
      point.y /= unit.bytes;
  return unit;
}

// Powers of two up to the longest context.
std::optional<Plot> cachePlot(const std::vector<ModelFacts>& models) {
  constexpr Index kFirst = 256;
  constexpr Index kUsualLast = 131072;
  constexpr Index kLast = Index{1} << 20;
  Index last = kUsualLast;
  for (const ModelFacts& of : models)
    last = std::max(last, std::min(of.stack.context.value_or(0), kLast));
  std::vector<double> sizes;
  for (Index n = kFirst; n <= last; n *= 2)
    sizes.push_back(static_cast<double>(n));
  CurvesMark mark;
  for (const ModelFacts& of : models)
    if (!of.stack.encoder && of.cache)
      mark.curves.push_back(cacheCurve(of, KvPolicy::Windowed, sizes));
  if (mark.curves.empty())
    return std::nullopt;
  if (models.size() == 1)
    addWithoutWindows(mark.curves, models.front(), sizes);
  const ByteUnit unit = inOneUnit(mark.curves);
  std::vector<double> seen;
  for (const Curve& curve : mark.curves)
    for (const Point& point : curve.points)
      seen.push_back(point.y);
  mark.x = axisOver("n", Scale::Log2, sizes, /*round=*/false);
  mark.y = axisOver(std::string("KV cache in ") + unit.name, Scale::Log10, seen);
  return Plot{std::move(mark), std::nullopt, std::nullopt};
}

} // namespace

Stack stackOfModel(const StackedModel& model) {
  return model.name.empty() ? stackFromConfig(parseJson(model.config, "config.json"))
                            : modelNamed(model.name);
}

StackedModel modelOfConfig(const std::string& text, const std::string& file) {
  const nlohmann::json config = parseJson(text, file);
  try {
    stackFromConfig(config);
  } catch (const Error& error) {
    throw Error(error.code(), file, file + ": " + error.what());
  }
  return {"", config.dump()};
}

std::vector<Panel> panelsOfStack(const Stack& stack) {
  const auto layers = std::ssize(stack.layers);
  if (layers > kMostLayersShown)
    throwRange("layers", countText(layers, "layer") + " of " + stack.title,
               "at most " + std::to_string(kMostLayersShown));
  std::vector<Panel> panels;
  for (Index layer = 0; layer < layers; ++layer) {
    if (stack.layers[static_cast<std::size_t>(layer)].pattern.is_null())
      throwNoMask(stack, layer);
    panels.push_back({"", patternOfLayer(stack, layer)});
  }
  panels.resize(periodOf(panels));
  return panels;
}

bool allMasked(const Stack& stack) {
  return std::ssize(stack.layers) <= kMostLayersShown &&
         std::none_of(stack.layers.begin(), stack.layers.end(),
                      [](const StackLayer& layer) { return layer.pattern.is_null(); });
}

bool canStack(const ModelRow& row) {
  return row.layers <= kMostLayersShown &&
         std::all_of(row.period.begin(), row.period.end(), [&](char letter) {
           return letter == 'S' || letter == 'F' || letter == 'C' ||
                  (letter == 'X' && !row.extras.own.empty());
         });
}

void stackModel(Scene& scene, const StackedModel& model) {
  const Stack stack = stackOfModel(model);
  std::vector<Panel> panels = panelsOfStack(stack);
  scene.view = View::Reach;
  scene.length = LengthSpec();
  scene.length.n = tellingLength(stack);
  scene.camera.reset();
  scene.pins = {};
  ReachSpec& reach = scene.reach;
  reach.stack = std::move(panels);
  reach.layers = std::ssize(stack.layers);
  reach.chosen = 0;
  reach.residual = true;
  reach.shown.reset();
  reach.models = {model};
}

bool isStacked(Index layers, const std::vector<Pattern>& inTurn, const Stack& stack) {
  return layers == std::ssize(stack.layers) && allMasked(stack) &&
         std::ranges::equal(panelsOfStack(stack), inTurn, {}, &Panel::pattern);
}

ModelsAnswer modelsAnswer(const ReachSpec& spec, Index n, const Run& run) {
  ModelsAnswer answer{n, {}, {}};
  ModelHues hues(spec.beside.size());
  std::vector<Pattern> inTurn;
  for (const Panel& panel : spec.stack)
    inTurn.push_back(panel.pattern);
  for (const StackedModel& model : spec.models) {
    run.check();
    ModelFacts facts{stackOfModel(model), false, 0, {}, {}, {}, {}};
    facts.stacked = isStacked(spec.layers, inTurn, facts.stack);
    facts.hue = hues.take(facts.stacked);
    facts.kinds = kindsText(facts.stack);
    facts.pairs = pairsOf(facts.stack, n, run.quiet());
    facts.cache = kvBytes(facts.stack, {n});
    if (facts.stack.context)
      facts.atContext = kvBytes(facts.stack, {*facts.stack.context});
    answer.models.push_back(std::move(facts));
  }
  answer.cache = cachePlot(answer.models);
  return answer;
}

std::vector<std::string> readingOf(const ModelsAnswer& answer) {
  std::vector<std::string> sentences;
  for (const ModelFacts& of : answer.models) {
    const auto full = kvBytes(of.stack, {answer.n, 2, KvPolicy::Full});
    if (!of.cache || !full || *full == 0)
      continue;
    sentences.push_back(
        of.stack.title + " keeps " + bytesText(*of.cache) + " at n = " + groupedDigits(answer.n) +
        (*of.cache < *full ? ", " +
                                 readableNumber(100 * static_cast<double>(*of.cache) /
                                                static_cast<double>(*full)) +
                                 " % of what it would keep without its windows."
                           : ", as much as without windows."));
  }
  return sentences;
}

} // namespace attention
