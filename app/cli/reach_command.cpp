// attnx reach: what a stack of layers can see (S10).
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/masks.h"
#include "app/cli/picture_flags.h"
#include "app/cli/report.h"
#include "app/cli/score_flags.h"
#include "app/cli/sweep_flag.h"

#include "core/analysis/reach/reach_text.h"
#include "core/analysis/reach/token_reach.h"
#include "core/pattern/pattern_json.h"
#include "core/scene/pattern_files.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/part_of_run.h"
#include "core/views/mask/export_mask.h"
#include "core/views/reach/scene_reach.h"

#include <algorithm>
#include <array>
#include <ostream>
#include <span>

namespace attention::cli {
namespace {

// What -o writes.
enum class What { Reach, Hops, Graph, Growth };
constexpr std::array<std::string_view, 4> kWhat{"reach", "hops", "graph", "growth"};

// What the command line asks for.
struct Question {
  ReachQuestion of; // of the view, but for any number of layers
  LayerStack stack;
  PatternData data;                   // that the patterns depend on
  std::shared_ptr<const Input> input; // that the data come from, or null
  int threads = 0;
  What what = What::Reach;

  Index n() const { return stack.n(); }
  // Whether a path must go through all layers: there is no residual connection, and the layers
  // differ.
  bool throughAll() const { return !of.residual && of.stack.size() > 1; }
};

// As many as there are patterns; not the view's setting, which counts the layers that it can draw:
// a command may follow a million of them, or none.
Index layersFrom(const Arguments& arguments, Index patterns) {
  const Index layers = arguments.integer("layers").value_or(patterns);
  constexpr Index kMostLayers = 1'000'000;
  if (layers < 0 || layers > kMostLayers)
    throwRange("layers", std::to_string(layers), "an integer from 0 to 1000000");
  return layers;
}

What whatFrom(const Arguments& arguments) {
  const std::string what = arguments.text("what", "reach");
  const auto found = std::find(kWhat.begin(), kWhat.end(), what);
  if (found == kWhat.end())
    throwRange("what", what, "one of reach, hops, graph, growth");
  return static_cast<What>(found - kWhat.begin());
}

// Checks before the work that -o can be written.
void requireOutput(const Arguments& arguments) {
  static constexpr std::array<std::string_view, 8> kEndings{".mtx", ".npy", ".csv", ".png",
                                                            ".svg", ".pdf", ".tex", ".html"};
  const std::span<const std::string_view> all(kEndings);
  const What what = whatFrom(arguments);
  if (!arguments.has("output"))
    return;
  const std::string path = outputPath(arguments, "output",
                                      what == What::Reach    ? all
                                      : what == What::Hops   ? all.subspan(1)
                                      : what == What::Growth ? all.subspan(2)
                                                             : all.subspan(3));
  requirePictureFlags(arguments, path);
}

Question questionFrom(const Arguments& arguments, const Context& context) {
  Question q;
  const Context part = context.part(0, 0.1);
  MaskSubject subject = subjectFrom(arguments, part.part(0, 0.1));
  q.of.stack = subject.patterns;
  if (subject.patterns.size() > 1)
    q.of.title = "the patterns in turn";
  q.of.lengths = subject.lengths;
  q.of.layers = layersFrom(arguments, static_cast<Index>(subject.patterns.size()));
  q.of.residual = !arguments.on("no-residual");
  q.stack = {preparedPatterns(subject, partOf(part.run, 0.1, 1)), q.of.residual};
  q.data = std::move(subject.data);
  q.input = subject.input;
  q.threads = threadsFrom(arguments);
  q.what = whatFrom(arguments);
  checkStack(q.stack);
  return q;
}

// Nothing where --path is absent.
std::optional<std::vector<Index>> pathAsked(const Arguments& arguments) {
  if (!arguments.has("path"))
    return std::nullopt;
  auto ends = integersFromText("path", arguments.text("path"));
  if (ends.size() != 2)
    throw Error(ErrorCode::Type, "path",
                "path has " + countText(ends.size(), "number") + "; it must be i,j");
  return ends;
}

// The Scene in which the Reach view shows the question. `ends`: of a path.
Scene sceneOf(const Question& q, const std::optional<std::vector<Index>>& ends,
              const Arguments& arguments) {
  Scene scene;
  scene.view = View::Reach;
  scene.pattern = q.of.stack.front();
  if (q.of.stack.size() > 1)
    for (const Pattern& pattern : q.of.stack)
      scene.reach.stack.push_back({"", pattern});
  scene.reach.layers = q.of.layers;
  scene.reach.residual = q.of.residual;
  scene.length.n = q.n();
  if (q.input)
    scene.input = maskInputSpec(arguments);
  rememberFiles(scene, q.input.get());
  placeFiles(scene, std::filesystem::current_path()); // the page may end up elsewhere
  if (ends)
    scene.pins = {ends->front(), ends->back()};
  return scene;
}

// Nothing where the view has no stack of so many layers.
std::optional<Scene> shownScene(const Question& q, const std::optional<std::vector<Index>>& ends,
                                const Arguments& arguments) {
  Scene scene = sceneOf(q, ends, arguments);
  try {
    check(scene.reach);
  } catch (const Error&) {
    return std::nullopt;
  }
  return scene;
}

// A picture that carries the Scene.
PictureOptions pictureOf(const Question& q, const Arguments& arguments) {
  PictureOptions picture = pictureFrom(arguments);
  picture.file.scene = shownScene(q, pathAsked(arguments), arguments);
  return picture;
}

// Whether -o is a page of what the view shows, layer by layer: it has every picture that --what
// could choose.
bool writesPage(const Question& q, const Arguments& arguments) {
  return endingOf(arguments.text("output", "")) == ".html" && !arguments.has("what") &&
         shownScene(q, std::nullopt, arguments).has_value();
}

// The pairs as a mask: bool, pairs i,j, a Matrix Market file, or a picture.
void writeReach(const Question& q, BitMatrix reach, const ReachAnswer& answer,
                const Arguments& arguments, const Run& run) {
  const PictureOptions how = pictureOf(q, arguments);
  MaskExportOptions options;
  options.title = "Receptive field of " + layersText(answer);
  for (const bool reaches : {false, true})
    options.says.push_back({{},
                            attention::reachText("{key}", "{query}", answer.layers, reaches),
                            {},
                            reaches ? 1 : 0});
  options.scene = how.file.scene;
  options.size = how.file.size;
  options.standalone = how.file.standalone;
  options.svgWords = how.file.svgWords;
  options.theme = how.theme;
  options.page = how.file.page;
  options.threads = how.file.threads;
  exportMask(reachPattern(std::move(reach)), arguments.text("output"), options, run);
}

// int32 with −1 for never; lines i,j,hops of the reached pairs; or a picture, paler for more hops,
// in which pairs that are lost again have a colour of their own.
void writeHops(const Question& q, const BitMatrix& reach, const Arguments& arguments,
               const Run& run) {
  const std::string path = arguments.text("output");
  const HopMatrix hops = hopMatrix(q.stack, q.threads, run);
  if (endingOf(path) == ".npy")
    return writeHopsNpy(hops, path, run);
  if (endingOf(path) == ".csv")
    return writeHopsCsv(hops, path, run);
  const auto lost = lostPairs(hops, reach, q.of.layers, run.quiet());
  const PictureOptions how = pictureOf(q, arguments);
  Plot plot = hopPlot(hops, longestOf(hops, run), lost ? &*lost : nullptr, {}, run);
  auto legend = hopLegend(plot, how.theme, {q.of.residual, lost.has_value(), "layer"});
  Figure figure;
  figure.theme = how.theme;
  figure.panels.push_back({kHopsTitle, {std::move(plot)}, std::move(legend)});
  writeFigure(figure, path, how.file, run);
}

// The pictures that are not matrices; a graph shows the last token's field where no path is
// requested.
void writePlot(const Question& q, const ReachAnswer& answer, const std::vector<Index>& path,
               const Arguments& arguments, const Run& run) {
  const std::string file = arguments.text("output");
  if (endingOf(file) == ".csv")
    return writeCsv(file, growthTable(answer.growth));
  const PictureOptions how = pictureOf(q, arguments);
  const Index token = path.empty() ? q.n() - 1 : path.front();
  const bool growth = q.what == What::Growth;
  Figure figure;
  figure.theme = how.theme;
  figure.title = growth ? titleOfGrowth(answer) : titleOfReach(answer, token);
  figure.panels.push_back({"",
                           {growth ? growthPlot(answer.growth)
                                   : layerGraph(q.stack, {q.of.layers, token, {}, path, {}})},
                           {}});
  writeFigure(figure, file, how.file, run);
}

// As the view has it, at any length and number of layers that have closed forms; with -o, what
// --what names is written on the way. Up to the lengths of matrices the longest path is known.
ReachAnswer answerOf(const Question& q, const std::vector<Index>& path, const Arguments& arguments,
                     const Context& context) {
  const bool writes = arguments.has("output") && !writesPage(q, arguments);
  const bool bits = q.n() <= kMostReachTokens;
  if (!bits && writes && (q.what == What::Reach || q.what == What::Hops))
    throwRange("n", std::to_string(q.n()),
               "at most " + std::to_string(kMostReachTokens) + " for a matrix (-o)");
  ReachAnswer answer;
  answer.stack = q.stack;
  if (!bits && !reachForm(q.of))
    throwRange("n", std::to_string(q.n()),
               "at most " + std::to_string(kMostReachTokens) +
                   " where these layers have no closed form; --token T follows one token");
  auto reach = followStack(answer, q.of, q.data, q.threads, context.run);
  if (writes && (q.what == What::Graph || q.what == What::Growth)) {
    writePlot(q, answer, path, arguments, context.run);
  } else if (writes) {
    if (!reach)
      reach = receptiveField(q.stack, q.of.layers, q.threads, context.run).reach;
    if (q.what == What::Hops)
      writeHops(q, *reach, arguments, context.run);
    else
      writeReach(q, std::move(*reach), answer, arguments, context.run);
  }
  if (!answer.longest && bits)
    answer.longest = maximumPath(q.stack, q.threads, context.run);
  return answer;
}

Json layerJson(const LayerReach& layer) {
  return {{"layer", layer.layer},
          {"pairs", layer.pairs},
          {"fraction_full", jsonNumber(layer.ofFull)},
          {"fraction_causal", jsonNumber(layer.ofCausal)}};
}

Json answerJson(const ReachAnswer& answer) {
  const Index n = answer.stack.n();
  const std::vector<LayerReach>& layers = answer.growth.front().layers;
  const LayerReach top = layers.empty() ? layerReach(0, n, n, n) : layers.back();
  Json json{{"n", n}, {"layers_in_stack", answer.layers}, {"residual", answer.stack.residual}};
  json["pairs"] = top.pairs;
  json["fraction_full"] = jsonNumber(top.ofFull);
  json["fraction_causal"] = jsonNumber(top.ofCausal);
  json["layers"] = Json::array();
  for (const LayerReach& layer : layers)
    json["layers"].push_back(layerJson(layer));
  json["max_path"] = answer.longest ? Json(*answer.longest) : Json(nullptr);
  json["closed_form"] = answer.form ? toJson(*answer.form) : Json(nullptr);
  json["path"] = nullptr;
  return json;
}

std::string pathText(const Json& path) {
  if (path.is_null())
    return "none within these layers";
  std::string text;
  for (const Json& token : path)
    text += (text.empty() ? "" : " → ") + token.dump();
  return text + " (" + countText(path.size() - 1, "layer") + ", from the top)";
}

std::string reachText(const Json& json) {
  return json.is_number_float() ? textNumber(json.get<double>()) : json.dump();
}

void printAnswer(const Json& json, const ReachAnswer& answer, const char* path, std::ostream& out) {
  Lines lines;
  for (const Json& layer : json["layers"])
    lines.emplace_back("layer " + reachText(layer["layer"]),
                       reachText(layer["pairs"]) + " pairs, " + reachText(layer["fraction_full"]) +
                           " of full, " + reachText(layer["fraction_causal"]) + " of causal");
  lines.emplace_back("longest path",
                     answer.longest ? countText(*answer.longest, "layer") + ", over connected pairs"
                                    : "not known at this length");
  if (answer.form)
    lines.emplace_back("closed form", shortText(*answer.form));
  if (path)
    lines.emplace_back(path, pathText(json["path"]));
  print(out, lines);
}

// --token: what one token sees and is seen by, after every layer.
int followToken(const Question& q, Index token, const Arguments& arguments,
                const Context& context) {
  Json json{{"n", q.n()}, {"token", token}, {"residual", q.of.residual}};
  json["layers"] = Json::array();
  Lines lines;
  std::vector<Index> seesOf(static_cast<std::size_t>(q.of.layers) + 1);
  std::vector<Index> seenBy(seesOf.size());
  const auto countInto = [&](std::vector<Index>& counts) {
    return [&](Index layers, const TokenSet& set) {
      counts[static_cast<std::size_t>(layers)] = countBits(set, 0, q.n());
    };
  };
  eachInfluencing(q.stack, token, q.of.layers, countInto(seesOf), partOf(context.run, 0, 0.5));
  eachInfluenced(q.stack, token, q.of.layers, countInto(seenBy), q.threads,
                 partOf(context.run, 0.5, 1));
  for (Index t = 1; t <= q.of.layers; ++t) {
    const Index sees = seesOf[static_cast<std::size_t>(t)];
    const Index seen = seenBy[static_cast<std::size_t>(t)];
    json["layers"].push_back({{"layer", t}, {"influenced_by", sees}, {"influences", seen}});
    lines.emplace_back("layer " + std::to_string(t), "influenced by " + countText(sees, "token") +
                                                         ", influences " + std::to_string(seen));
  }
  if (arguments.on("json"))
    print(context.out, json);
  else
    print(context.out, lines);
  return 0;
}

int runReach(const Arguments& arguments, const Context& context) {
  if (arguments.on("rollout"))
    return printRollout(arguments, context);
  if (arguments.has("residual-share"))
    throw Error(ErrorCode::Type, "residual-share",
                "--residual-share is given without --rollout, which it belongs to");
  refuseScoreFlags(arguments, "without --rollout", "only --rollout computes scores");
  requireOutput(arguments);
  for (const char* flag : {"output", "path", "what"})
    if (arguments.has("token") && arguments.has(flag))
      throw Error(ErrorCode::Type, flag,
                  "--" + std::string(flag) +
                      " is given with --token, which follows one token "
                      "instead of all pairs; give only one of the two");
  const Question q = questionFrom(arguments, context);
  const auto token = arguments.integer("token");
  if (token && !arguments.has("sweep"))
    return followToken(q, *token, arguments, context);
  const auto ends = pathAsked(arguments);
  if (sweepFrom(arguments)) {
    refuseBesideSweep(arguments, {"what", "token", "json"});
    writeScenePage(sceneOf(q, ends, arguments), q.input, arguments, context);
    return 0;
  }
  std::optional<std::vector<Index>> path;
  if (ends) // before the long work: its errors come at once
    path = influencePath(q.stack, (*ends)[0], (*ends)[1], q.of.layers, q.threads, context.run);
  if (q.what == What::Graph && arguments.has("output")) // its limits come at once, too
    requireGraph(q.stack, q.of.layers);
  const ReachAnswer answer = answerOf(q, path.value_or(std::vector<Index>()), arguments, context);
  if (writesPage(q, arguments))
    writeScenePage(sceneOf(q, ends, arguments), q.input, arguments, context);
  Json json = answerJson(answer);
  if (path)
    json["path"] = *path;
  if (arguments.on("json"))
    print(context.out, json);
  else
    printAnswer(json, answer,
                !ends ? nullptr : (q.throughAll() ? "path of all layers" : "shortest path"),
                context.out);
  return 0;
}

} // namespace

Command reachCommand() {
  Grammar grammar;
  grammar.patterns = 1;
  grammar.morePatterns = "then";
  grammar.dataFlags = inputFlags();
  grammar.dataSwitch = "rollout";
  grammar.flags = {
      {"n", "N", "length: queries and keys"},
      {"layers", "L",
       "layers in the stack (one per pattern); with more layers, the patterns repeat in turn"},
      {"no-residual", "", "layers without residual connections"},
      {"what", "reach|hops|graph|growth",
       "what -o writes: which pairs are reached, after how many layers (−1: never), the layers "
       "drawn as a graph, or the share reached against layers; a page of HTML has all of them"},
      {"path", "I,J",
       "a shortest path from output I down to input J; with --no-residual and several patterns, "
       "one through all layers"},
      {"token", "T", "follow one token, at any length, instead of all pairs"},
      {"output", "FILE",
       ".png .svg .pdf .tex .html; .csv except for graph; .npy for reach and hops; .mtx for reach "
       "(also "
       "-o)"},
      sweepFlag(),
      sizeFlag("pixels of a picture"),
      {"standalone", "", "a .tex that is a complete document"},
      themeFlag(),
      svgWordsFlag(),
      {"rollout", "",
       "attention rollout: how much of input j is in output i, over the layers of INPUT"},
      calledInCore("residual", {"residual-share", "S",
                                "share of the residual connection in the rollout (0.5)"}),
      {"threads", "T", "number of threads; 0 uses all"},
      {"json", "", "one JSON object instead of lines"}};
  const std::vector<Flag> scores = scoreFlags();
  grammar.dataFlags.insert(grammar.dataFlags.end(), scores.begin(), scores.end());
  return {"reach", "PATTERN [--then PATTERN …] --n N --layers L [-o FILE]",
          "what L layers reach; several patterns take turns, the first one lowest", grammar,
          runReach};
}

} // namespace attention::cli
