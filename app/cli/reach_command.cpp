// attnx reach: what a stack of layers can see (S10).
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/masks.h"
#include "app/cli/picture_flags.h"
#include "app/cli/reach_files.h"
#include "app/cli/report.h"
#include "app/cli/score_flags.h"
#include "app/cli/sweep_flag.h"

#include "core/analysis/reach/reach_forms.h"
#include "core/analysis/reach/token_reach.h"
#include "core/pattern/pattern_json.h"
#include "core/pattern/pattern_title.h"
#include "core/scene/pattern_files.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/part_of_run.h"
#include "core/views/reach/reach_figure.h"

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
  std::vector<Pattern> patterns; // in turn
  LayerStack stack;
  PatternData data;                   // that the patterns depend on
  std::shared_ptr<const Input> input; // that the data come from, or null
  Index layers = 0;
  int threads = 0;
  What what = What::Reach;

  Index n() const { return stack.n(); }
  // Whether a path must go through all layers: there is no residual connection, and the layers
  // differ.
  bool throughAll() const { return !stack.residual && patterns.size() > 1; }
  // "3 layers of local, window 4".
  std::string words() const {
    return countText(layers, "layer") + " of " +
           (patterns.size() == 1 ? titleText(patterns.front()) : "the patterns in turn");
  }
  // The pattern of every layer.
  std::vector<Pattern> all() const {
    std::vector<Pattern> each;
    for (Index t = 0; t < layers; ++t)
      each.push_back(patterns[static_cast<std::size_t>(t) % patterns.size()]);
    return each;
  }
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
  q.patterns = subject.patterns;
  q.stack.patterns = preparedPatterns(subject, partOf(part.run, 0.1, 1));
  q.data = std::move(subject.data);
  q.input = subject.input;
  q.stack.residual = !arguments.on("no-residual");
  q.layers = layersFrom(arguments, static_cast<Index>(q.patterns.size()));
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
  scene.pattern = q.patterns.front();
  if (q.patterns.size() > 1)
    for (const Pattern& pattern : q.patterns)
      scene.reach.stack.push_back({"", pattern});
  scene.reach.layers = q.layers;
  scene.reach.residual = q.stack.residual;
  scene.length.n = q.n();
  if (q.input)
    scene.input = maskInputSpec(arguments);
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

struct Answer {
  std::vector<LayerReach> layers;
  std::optional<Pattern> form;
  std::optional<Index> maxPath;
};

// The longest path, if it follows from the products already made.
std::optional<Index> knownLongest(const Question& q, const std::vector<LayerReach>& layers) {
  if (q.patterns.size() != 1)
    return std::nullopt;
  if (const auto form = maximumPathForm(q.patterns.front(), q.n(), q.stack.residual))
    return form;
  // With the residual connection the reach only grows: once it stops, it is complete.
  if (q.stack.residual)
    for (std::size_t t = 1; t < layers.size(); ++t)
      if (layers[t].pairs == layers[t - 1].pairs)
        return layers[t - 1].pairs == q.n() ? 0 : layers[t - 1].layer;
  return std::nullopt;
}

Answer answerByForms(const Question& q, const Context& context) {
  auto layers = layersByForms(q.all(), q.n(), q.data, q.stack.residual, q.threads, context.run);
  if (!layers)
    throwRange("n", std::to_string(q.n()),
               "at most " + std::to_string(kMostReachTokens) +
                   " where these layers have no closed form; --token T follows one token");
  const auto longest = knownLongest(q, *layers);
  return {std::move(*layers), {}, longest};
}

void writeHopsOf(const Question& q, const BitMatrix& reach, const Arguments& arguments,
                 const Context& context) {
  const HopMatrix hops = hopMatrix(q.stack, q.threads, context.run);
  const auto lost = lostPairs(hops, reach, q.layers, context.run.quiet());
  writeHops(hops, lost ? &*lost : nullptr, arguments.text("output"), pictureOf(q, arguments),
            context.run);
}

// With -o, the matrix is written on the way.
Answer answerByBits(const Question& q, const Arguments& arguments, const Context& context) {
  Answer answer;
  ReceptiveField field = receptiveField(q.stack, q.layers, q.threads, context.run);
  answer.layers = std::move(field.layers);
  const std::string* path = writesPage(q, arguments) ? nullptr : arguments.find("output");
  if (path && q.what == What::Reach)
    writeReach(std::move(field.reach), {q.layers, q.words()}, *path, pictureOf(q, arguments),
               context.run);
  else if (path && q.what == What::Hops)
    writeHopsOf(q, field.reach, arguments, context);
  field.reach = {};
  answer.maxPath = knownLongest(q, answer.layers);
  if (!answer.maxPath)
    answer.maxPath = maximumPath(q.stack, q.threads, context.run);
  return answer;
}

Answer answerOf(const Question& q, const Arguments& arguments, const Context& context) {
  const bool bits = q.n() <= kMostReachTokens;
  const bool matrix = q.what == What::Reach || q.what == What::Hops;
  if (!bits && matrix && arguments.has("output") && !writesPage(q, arguments))
    throwRange("n", std::to_string(q.n()),
               "at most " + std::to_string(kMostReachTokens) + " for a matrix (-o)");
  Answer answer = bits ? answerByBits(q, arguments, context) : answerByForms(q, context);
  answer.form = reachForm(q.all(), q.n(), q.stack.residual);
  return answer;
}

// The pictures that are not matrices; a graph shows the last token's field where no path is
// requested.
void writePlot(const Question& q, const Answer& answer, const std::vector<Index>& path,
               const Arguments& arguments, const Context& context) {
  const std::string file = arguments.text("output");
  const std::string layers = q.words();
  if (q.what == What::Growth) {
    const bool causal =
        std::all_of(q.stack.patterns.begin(), q.stack.patterns.end(), [&](const auto& pattern) {
          return meaningfulBase(pattern, context.run.quiet()) == Base::Causal;
        });
    const ReachGrowth growth{q.patterns.size() == 1 ? titleText(q.patterns.front())
                                                    : "the patterns in turn",
                             0, q.n(), causal, answer.layers};
    if (endingOf(file) == ".csv")
      return writeCsv(file, growthTable({growth}));
    writePicture(growthPlot({growth}), "What " + layers + " reach", file, pictureOf(q, arguments),
                 context.run);
    return;
  }
  const Index token = path.empty() ? q.n() - 1 : path.front();
  writePicture(layerGraph(q.stack, {q.layers, token, {}, path, {}}),
               "What token " + std::to_string(token) + " sees through " + layers, file,
               pictureOf(q, arguments), context.run);
}

Json layerJson(const LayerReach& layer) {
  return {{"layer", layer.layer},
          {"pairs", layer.pairs},
          {"fraction_full", jsonNumber(layer.ofFull)},
          {"fraction_causal", jsonNumber(layer.ofCausal)}};
}

Json answerJson(const Question& q, const Answer& answer) {
  const LayerReach top =
      answer.layers.empty() ? layerReach(0, q.n(), q.n(), q.n()) : answer.layers.back();
  Json json{{"n", q.n()}, {"layers_in_stack", q.layers}, {"residual", q.stack.residual}};
  json["pairs"] = top.pairs;
  json["fraction_full"] = jsonNumber(top.ofFull);
  json["fraction_causal"] = jsonNumber(top.ofCausal);
  json["layers"] = Json::array();
  for (const LayerReach& layer : answer.layers)
    json["layers"].push_back(layerJson(layer));
  json["max_path"] = answer.maxPath ? Json(*answer.maxPath) : Json(nullptr);
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

void printAnswer(const Json& json, const Answer& answer, const char* path, std::ostream& out) {
  Lines lines;
  for (const Json& layer : json["layers"])
    lines.emplace_back("layer " + reachText(layer["layer"]),
                       reachText(layer["pairs"]) + " pairs, " + reachText(layer["fraction_full"]) +
                           " of full, " + reachText(layer["fraction_causal"]) + " of causal");
  lines.emplace_back("longest path", answer.maxPath
                                         ? std::to_string(*answer.maxPath) +
                                               (*answer.maxPath == 1 ? " layer" : " layers") +
                                               ", over connected pairs"
                                         : "not known at this length");
  if (answer.form)
    lines.emplace_back("closed form", shortText(*answer.form));
  if (path)
    lines.emplace_back(path, pathText(json["path"]));
  print(out, lines);
}

Index members(const TokenSet& set, Index n) {
  return countBits(set, 0, n);
}

// --token: what one token sees and is seen by, after every layer.
int followToken(const Question& q, Index token, const Arguments& arguments,
                const Context& context) {
  Json json{{"n", q.n()}, {"token", token}, {"residual", q.stack.residual}};
  json["layers"] = Json::array();
  Lines lines;
  std::vector<Index> seesOf(static_cast<std::size_t>(q.layers) + 1);
  std::vector<Index> seenBy(seesOf.size());
  const auto countInto = [&](std::vector<Index>& counts) {
    return [&](Index layers, const TokenSet& set) {
      counts[static_cast<std::size_t>(layers)] = members(set, q.n());
    };
  };
  eachInfluencing(q.stack, token, q.layers, countInto(seesOf), partOf(context.run, 0, 0.5));
  eachInfluenced(q.stack, token, q.layers, countInto(seenBy), q.threads,
                 partOf(context.run, 0.5, 1));
  for (Index t = 1; t <= q.layers; ++t) {
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
    path = influencePath(q.stack, (*ends)[0], (*ends)[1], q.layers, q.threads, context.run);
  if (q.what == What::Graph && arguments.has("output")) // its limits come at once, too
    requireGraph(q.stack, q.layers);
  const Answer answer = answerOf(q, arguments, context);
  if (writesPage(q, arguments))
    writeScenePage(sceneOf(q, ends, arguments), q.input, arguments, context);
  else if (arguments.has("output") && (q.what == What::Graph || q.what == What::Growth))
    writePlot(q, answer, path.value_or(std::vector<Index>()), arguments, context);
  Json json = answerJson(q, answer);
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
      {"size", "WxH", "pixels of a picture"},
      {"standalone", "", "a .tex that is a complete document"},
      themeFlag(),
      svgWordsFlag(),
      {"rollout", "",
       "attention rollout: how much of input j is in output i, over the layers of INPUT"},
      {"residual-share", "S", "share of the residual connection in the rollout (0.5)"},
      {"threads", "T", "number of threads; 0 uses all"},
      {"json", "", "one JSON object instead of lines"}};
  const std::vector<Flag> scores = scoreFlags();
  grammar.dataFlags.insert(grammar.dataFlags.end(), scores.begin(), scores.end());
  return {"reach", "PATTERN [--then PATTERN …] --n N --layers L [-o FILE]",
          "what L layers reach; several patterns take turns, the first one lowest", grammar,
          runReach};
}

} // namespace attention::cli
