// "Copy command": whatever the window shows, the copied line runs and gives its numbers. Every view
// of every shipped scene on every kind of input, with few tokens.
#include "app/gui/state/document.h"
#include "core/views/steps/scene_steps.h"
#include "tests/app/cli/copied_command.h"
#include "tests/environment.h"

#include "core/analysis/cost.h"
#include "core/analysis/difference.h"
#include "core/analysis/row_statistics.h"
#include "core/scene/pattern_files.h"
#include "core/views/choosing/choosing_figure.h"
#include "core/views/choosing/hashed_tokens.h"
#include "core/views/encodings/scene_encodings.h"
#include "core/views/kernels/kernels_figure.h"
#include "core/views/mask/shown_masks.h"
#include "core/views/model/shipped_costs.h"
#include "core/views/reach/scene_reach.h"
#include "core/views/scene_figure.h"
#include "core/views/shown_patterns.h"

#include <map>
#include <numeric>
#include <set>
#include <sstream>

namespace attention::cli {
namespace {

using Json = nlohmann::json;

// Whether nothing else is said: an input may have notes, but an error is not a note.
bool isNotes(const std::string& said) {
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("attnx: note: "))
      return false;
  return true;
}

double meanOf(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// NaN and infinity are null and words in JSON.
void checkNear(const Json& found, double wanted) {
  if (std::isfinite(wanted))
    CHECK(found.get<double>() == Approx(wanted).epsilon(1e-4).margin(1e-6));
  else
    CHECK_FALSE(found.is_number());
}

void checkMeasures(const Json& said, const AttentionHead& head) {
  checkNear(said["captured_mass"], meanOf(head.measures.captured));
  checkNear(said["entropy"], meanOf(head.measures.patternEntropy));
  checkNear(said["base_entropy"], meanOf(head.measures.denseEntropy));
  CHECK(said["base"] == name(head.weights->base()));
  if (const auto& error = head.measures.outputError)
    checkNear(said["output_error"]["relative_frobenius"], error->relativeFrobenius);
  else
    CHECK(said["output_error"].is_null());
}

void checkCounts(const Json& said, const Prepared& prepared) {
  const RowStatistics rows = rowStatistics(prepared);
  CHECK(said["pairs"] == rows.pairs);
  CHECK(said["row_min"] == rows.minimum);
  CHECK(said["row_max"] == rows.maximum);
  CHECK(said["empty_rows"] == rows.emptyRows);
}

void checkMask(const ShownScene& shown, const Json& said) {
  const ShownMasks masks = shownMasks(shown.scene, shown.lengths, shown.input.get());
  const ShownMask& first = masks.masks.front();
  checkCounts(said, *first.prepared);
  const Index d = shown.input && shown.input->d > 0 ? shown.input->d : 64;
  const Index dv = shown.input && shown.input->dv > 0 ? shown.input->dv : shown.input ? d : 64;
  checkNear(said["flops"], sparseCost(shown.lengths.queries, d, dv, first.prepared->pairs()).flops);
  if (shown.covered() && gui::hasFlags(shown.scene.input))
    checkMeasures(said, attentionHead({first.pattern, shown.lengths, AttentionBase::Meaningful,
                                       shown.scene.length.align},
                                      shown.head()));
}

void checkReach(const ShownScene& shown, const Json& said) {
  const ReachAnswer answer = reachOfScene(shown.scene, shown.input.get(), 1);
  const auto& layers = answer.growth.front().layers;
  for (const Json& layer : said["layers"]) {
    const auto same = std::find_if(layers.begin(), layers.end(), [&](const LayerReach& of) {
      return layer["layer"] == of.layer;
    });
    REQUIRE(same != layers.end());
    CHECK(layer["pairs"] == same->pairs);
  }
  CHECK(said["layers_in_stack"] == answer.layers);
  if (answer.longest)
    CHECK(said["max_path"] == *answer.longest);
}

void checkSteps(const ShownScene& shown, const Json& said) {
  const auto answer = std::get<StepsAnswer>(
      sceneSteps(sceneStepsQuestion(shown.scene, shown.lengths), shown.head()));
  CHECK(said["query"] == answer.query);
  CHECK(said["by"] == name(answer.by));
  CHECK(said["visible"] == answer.softmax.visible);
  if (answer.output().empty()) {
    CHECK(said["output"].is_null());
    return;
  }
  REQUIRE(said["output"].size() == answer.output().size());
  for (std::size_t c = 0; c < answer.output().size(); ++c)
    checkNear(said["output"][c], answer.output()[c]);
}

void checkAttention(const ShownScene& shown, const Json& said) {
  const bool steps = shown.scene.attention.picture == AttentionPicture::Steps;
  if (steps && shown.input && shown.input->hasQkv())
    return checkSteps(shown, said);
  const AttentionHead head =
      attentionHead(attentionQuestion(shown.scene, shown.lengths), shown.head());
  checkCounts(said, *head.weights->pattern());
  checkMeasures(said, head);
}

void checkKernels(const ShownScene& shown, const Json& said) {
  const Scene& scene = shown.scene;
  const ModelHead input = modelHead(scene, shown.input);
  if (scene.kernels.picture == KernelsPicture::Spectrum) {
    const KernelSpectrum of = kernelSpectrum(spectrumQuestion(scene, shown.lengths), input);
    const auto rank = static_cast<std::size_t>(std::min(scene.kernels.chosen, of.n));
    CHECK(said["rows"][0]["rank"] == rank);
    return checkNear(said["rows"][0]["relative_frobenius"],
                     rank == 0 || rank > of.best.size() ? 0 : of.best[rank - 1].y);
  }
  const KernelSweep sweep = kernelSweep(sweepQuestion(scene, shown.lengths), input);
  REQUIRE(said["rows"].size() == sweep.result.rows.size());
  checkNear(said["baseline"], sweep.result.baseline);
  for (const KernelErrorRow& row : sweep.result.rows) {
    const auto same = std::find_if(said["rows"].begin(), said["rows"].end(), [&](const Json& of) {
      return of["features"] == name(row.curve.map) &&
             of["projection"] == name(row.curve.projection) && of["m"] == row.projections;
    });
    REQUIRE(same != said["rows"].end());
    checkNear((*same)["mean"], row.output.mean);
    checkNear((*same)["median"], row.output.median);
  }
}

void checkChoosing(const ShownScene& shown, const Json& said) {
  const ModelHead input = modelHead(shown.scene, shown.input);
  const ChoosingQuestion question = groupsQuestion(shown.scene, shown.lengths);
  const HashedTokens tokens = hashedTokens(question, input);
  CHECK(said["pairs"] == tokens.pairs);
  const CapturedCurves curves = capturedCurves(question, shown.scene.choosing, input);
  const CapturedPoint* own = curves.at(curves.current);
  REQUIRE(own);
  checkNear(said["captured_mass"], own->mass);
  checkNear(said["recall"], own->recall);
  CHECK(said["rounds"].size() == tokens.partPairs.size());
  for (std::size_t r = 0; r < tokens.partPairs.size(); ++r)
    CHECK(said["rounds"][r]["pairs"] == tokens.partPairs[r]);
}

void checkTimings(const ShownScene& shown, const Json& said) {
  const auto mechanisms = mechanismsOf(shown.scene.timings, shown.scene.pattern);
  const auto sizes = timedSizes(shown.scene.timings);
  std::set<std::string> names;
  for (const TimedMechanism& mechanism : mechanisms)
    names.insert(methodText(scoredMethod(mechanism, shown.scene.pattern, shown.scene.timings.d)));
  for (const Json& row : said["rows"]) {
    CHECK(names.count(row["mechanism"].get<std::string>()) == 1);
    CHECK(std::count(sizes.begin(), sizes.end(), row["n"].get<Index>()) == 1);
  }
  CHECK(said["rows"].size() == names.size() * sizes.size());
}

void checkEncodings(const ShownScene& shown, const Json& said) {
  const EncodingsAnswer answer = encodingsAnswer(shown.scene.encodings);
  CHECK(said["n"] == answer.shape.length());
  CHECK(said["at"]["position"] == positionOf(shown.scene.encodings));
}

void checkCompared(const ShownScene& shown, const Json& said) {
  const ShownMasks masks = shownMasks(shown.scene, shown.lengths, shown.input.get());
  const auto at = [&](Index place) {
    return masks.masks.at(static_cast<std::size_t>(place)).prepared;
  };
  const Difference of =
      difference(at(shown.scene.compare.first), at(shown.scene.compare.second), 1);
  CHECK(said["only_first"] == of.onlyFirst);
  CHECK(said["only_second"] == of.onlySecond);
  CHECK(said["both"] == of.both);
  checkNear(said["iou"], of.iou);
}

using Check = void (*)(const ShownScene&, const Json&);
constexpr std::array<Check, 8> kChecks{checkMask,     checkReach,   checkAttention, checkKernels,
                                       checkChoosing, checkTimings, checkEncodings, checkCompared};

// The picture's numbers as written from the Scene itself; nothing if they cannot be, and the window
// shows why.
std::optional<std::string> tableOf(const ShownScene& shown, const std::string& file) {
  try {
    SceneFigureOptions options;
    options.input = shown.input;
    writeSceneData(shown.scene, options, file);
    return textOf(file);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// The fields of a line of CSV, with their quotes.
std::vector<std::string> fieldsOf(const std::string& line) {
  std::vector<std::string> fields{""};
  bool quoted = false;
  for (const char c : line) {
    quoted = quoted != (c == '"');
    if (c == ',' && !quoted)
      fields.emplace_back();
    else
      fields.back() += c;
  }
  return fields;
}

// Times are never the same twice: of Timings only the mechanisms and lengths are compared.
bool isTime(View view, std::size_t column, const std::string& heading) {
  return view == View::Timings ? column > 1 : view == View::Compare && heading.ends_with("seconds");
}

std::string withoutTimes(View view, const std::string& table) {
  std::istringstream lines(table);
  std::string kept;
  std::vector<std::string> headings;
  for (std::string line; std::getline(lines, line); kept += '\n') {
    const std::vector<std::string> fields = fieldsOf(line);
    if (headings.empty())
      headings = fields;
    for (std::size_t k = 0; k < fields.size(); ++k)
      if (k >= headings.size() || !isTime(view, k, headings[k]))
        kept += fields[k] + ',';
  }
  return kept;
}

void checkTable(const ShownScene& shown, std::vector<std::string> words,
                const TemporaryFolder& folder) {
  const auto wanted = tableOf(shown, folder.file("wanted.csv"));
  words.back() = folder.file("copied.csv");
  const Said said = attnx(words);
  if (!wanted) {
    CHECK(said.code != 0);
    return;
  }
  REQUIRE(said.err.empty());
  CHECK(withoutTimes(shown.scene.view, textOf(folder.file("copied.csv"))) ==
        withoutTimes(shown.scene.view, *wanted));
}

// Whether the window has numbers to show.
bool hasNumbers(const ShownScene& shown) {
  try {
    checkShown(shown.scene, shown.lengths.keys);
    if (shown.scene.view == View::Mask || shown.scene.view == View::Compare)
      shownMasks(shown.scene, shown.lengths, shown.input.get());
    if (shown.scene.view == View::Reach)
      reachOfScene(shown.scene, shown.input.get(), 1);
    if (shown.scene.view == View::Attention)
      attentionHead(attentionQuestion(shown.scene, shown.lengths), shown.head());
    if (shown.scene.view == View::Kernels)
      kernelsAnswer(shown.scene, shown.lengths, modelHead(shown.scene, shown.input));
    if (shown.scene.view == View::Timings)
      for (const TimedMechanism& timed : mechanismsOf(shown.scene.timings, shown.scene.pattern))
        for (const Index n : timedSizes(shown.scene.timings))
          if (const auto method = scoredMethod(timed, shown.scene.pattern, shown.scene.timings.d);
              std::holds_alternative<Pattern>(method))
            check(resolveFiles(std::get<Pattern>(method)), squareLengths(n));
    if (shown.scene.view == View::Choosing && isChoice(shown.scene.choosing.picture))
      choosingAnswer(shown.scene, shown.lengths, modelHead(shown.scene, shown.input));
    else if (shown.scene.view == View::Choosing)
      hashedTokens(groupsQuestion(shown.scene, shown.lengths), modelHead(shown.scene, shown.input));
    return true;
  } catch (const Error&) {
    return false;
  }
}

// The commands of a line, which stand behind one another with && between them.
std::vector<std::vector<std::string>> commandsOf(const std::string& line) {
  std::vector<std::vector<std::string>> commands{{}};
  for (std::string& word : wordsOfShell(line))
    if (word == "&&")
      commands.emplace_back();
    else
      commands.back().push_back(std::move(word));
  return commands;
}

void checkCommand(const ShownScene& shown, std::vector<std::string> words,
                  const TemporaryFolder& folder) {
  REQUIRE(words.front() == "attnx");
  words.erase(words.begin());
  if (words.front() == "figure")
    return checkTable(shown, words, folder);
  if (words.front() == "axial")
    words.back() = folder.file("e.npy");
  words.emplace_back("--json");
  if (words.front() == "time")
    for (const char* quick : {"--samples", "2", "--seconds", "20"})
      words.emplace_back(quick);
  const Said said = attnx(words);
  CHECK(isNotes(said.err));
  REQUIRE(said.code == 0);
  kChecks[static_cast<std::size_t>(shown.scene.view)](shown, said.json());
}

// What was run: how often each command, and for how many commands that name it each kind of input.
struct Told {
  std::map<std::string, int> commands;
  std::map<std::string, int> kinds;
};

// Runs what is copied in the view, each line once.
Told checkView(View view) {
  const TemporaryFolder folder;
  const std::vector<NamedInput> inputs = kindsOfInput(folder);
  std::set<std::string> seen;
  Told told;
  for (const NamedInput& kind : inputs)
    told.kinds[kind.name] = 0;
  for (const auto& [name, scene] : scenesOf(view))
    for (const NamedInput& kind : inputs) {
      const ShownScene shown = shownOf(scene, view, kind);
      const std::string command = gui::commandText(shown.scene, shown.lengths, shown.input.get());
      if (seen.count(command) > 0 || !hasNumbers(shown))
        continue;
      seen.insert(command);
      INFO(name << " on " << kind.name << ":\n" << command);
      for (const std::vector<std::string>& words : commandsOf(command)) {
        checkCommand(shown, words, folder);
        ++told.commands[words.at(1)];
      }
      told.kinds[kind.name] += command.find(kind.mark) == std::string::npos ? 0 : 1;
    }
  for (const NamedInput& kind : inputs)
    if (kind.mark.empty()) // others may already have run all of theirs
      told.kinds.erase(kind.name);
  return told;
}

// Every command that the view copies was run, with every kind of input except those that the view
// cannot show or does not read.
void checkTold(const Told& told, const std::set<std::string>& commands,
               const std::set<std::string>& notShown = {}) {
  std::set<std::string> run;
  for (const auto& [command, times] : told.commands)
    run.insert(command);
  CHECK(run == commands);
  std::set<std::string> missing;
  for (const auto& [kind, times] : told.kinds)
    if (times == 0)
      missing.insert(kind);
  CHECK(missing == notShown);
}

// Inputs without square Q and K.
const std::set<std::string> kRectangles{"random, more keys than queries", "fewer queries than keys",
                                        "queries of the last tokens", "a mask of fewer queries"};
const std::set<std::string> kReady{"ready weights", "ready weights with values",
                                   "ready weights by name"};
const std::set<std::string> kMasksAlone{"a mask without an input", "pairs of a file",
                                        "a sparse matrix", "listed cells"};
const std::set<std::string> kMasksBeside{"the mask of a head", "the mask of a layer and head",
                                         "a mask per head, none chosen", "a mask in a union"};

std::set<std::string> all(std::initializer_list<std::set<std::string>> sets) {
  std::set<std::string> together;
  for (const auto& set : sets)
    together.insert(set.begin(), set.end());
  return together;
}

// What is copied in a view of a new Scene, where `change` has made a difference.
template <class Change>
std::string copied(View view, const Change& change) {
  Scene scene;
  scene.view = view;
  change(scene);
  return gui::commandText(scene, squareLengths(64));
}
std::string copied(View view) {
  return copied(view, [](Scene&) {});
}

} // namespace

TEST_CASE("A copied command leaves out what is meant anyhow", "[copied]") {
  CHECK(copied(View::Mask) == "attnx info full --n 64");
  CHECK(copied(View::Reach) == "attnx reach full --n 64 --layers 4");
  CHECK(copied(View::Reach, [](Scene& scene) { scene.reach.layers = 1; }) ==
        "attnx reach full --n 64");
  CHECK(copied(View::Kernels, [](Scene& scene) { scene.kernels.compared.hyperbolic = true; }) ==
        "attnx kernel-error --random 'gaussian' --n 1024 --d 16 --sigma '0.5'");
  CHECK(copied(View::Kernels,
               [](Scene& scene) {
                 scene.kernels.picture = KernelsPicture::Normalisers;
                 scene.kernels.seed = 3;
               }) == "attnx figure '{\"type\":\"attention-explorer scene\",\"version\":1,"
                     "\"view\":\"kernels\",\"kernels\":{\"picture\":\"normalisers\",\"seed\":3}}' "
                     "-o kernels.csv");
  CHECK(copied(View::Timings, [](Scene& scene) {
          scene.timings.mechanisms.resize(1);
          scene.timings.d = 32;
        }).ends_with(" --d 32"));
  CHECK(copied(View::Encodings, [](Scene& scene) {
          const AxialShape usual;
          scene.encodings.l1 = usual.l1;
          scene.encodings.l2 = usual.l2;
          scene.encodings.d1 = usual.d1;
          scene.encodings.d2 = usual.d2;
        }) == "attnx axial --tables sinusoidal --at 37 -o encodings.npy");
}

TEST_CASE("The copied command of masks gives their counts and measures", "[copied]") {
  const Told told = checkView(View::Mask);
  checkTold(told, {"info", "figure"}); // figure: for a random input that no flags draw
  CHECK(told.commands.at("info") > 1000);
}
TEST_CASE("The copied command of Reach gives the pairs of every layer", "[copied]") {
  checkTold(
      checkView(View::Reach), {"reach", "figure"},
      {"random, more keys than queries", "queries of the last tokens", "a mask of fewer queries"});
}
TEST_CASE("The copied command of Attention gives what the pattern keeps", "[copied]") {
  const Told told = checkView(View::Attention);
  checkTold(told, {"info", "figure", "steps"}, kMasksAlone);
  CHECK(told.commands.at("info") > 1000);
}
TEST_CASE("The copied command of Kernels gives the errors of the picture", "[copied]") {
  checkTold(checkView(View::Kernels), {"kernel-error", "lowrank", "figure"},
            all({kRectangles,
                 kReady,
                 kMasksAlone,
                 kMasksBeside,
                 {"random, shorter", "queries and keys alone", "a soft cap", "score modifiers"}}));
}
TEST_CASE("The copied command of Choosing gives groups and what they capture", "[copied]") {
  // The time line of a streaming cache needs only as many tokens as there are keys.
  checkTold(checkView(View::Choosing), {"lsh", "figure"},
            all({kMasksAlone,
                 kMasksBeside,
                 {"random, more keys than queries", "queries of the last tokens",
                  "a mask of fewer queries"}}));
}
TEST_CASE("The copied command of Timings times the same mechanisms", "[copied]") {
  const Told told = checkView(View::Timings);
  CHECK(told.commands.at("time") > 5);
  CHECK(told.commands.at("figure") > 0);
}
TEST_CASE("The copied command of Encodings gives the traced position", "[copied]") {
  const Told told = checkView(View::Encodings);
  CHECK(told.commands.at("axial") > 1);
}
TEST_CASE("The copied command of Compare gives the difference and the score board", "[copied]") {
  const Told told = checkView(View::Compare);
  checkTold(told, {"diff", "figure"},
            all({kReady, {"random, more keys than queries", "queries of the last tokens"}}));
  CHECK(told.commands.at("figure") > 10);
}
TEST_CASE("Without the model at hand the copied command gives the shipped results", "[copied]") {
  const TemporaryFolder folder;
  const Variable data("XDG_DATA_HOME", folder.file("nothing here"));
  for (const char* model : {"", kShippedModel})
    for (const ModelPicture picture :
         {ModelPicture::Costs, ModelPicture::Text, ModelPicture::Sweep, ModelPicture::Layers}) {
      ShownScene shown{gui::defaultScene(), nullptr, squareLengths(kShippedTokens)};
      shown.scene.view = View::Model;
      shown.scene.input = InputSpec();
      shown.scene.model = ModelSpec();
      shown.scene.model.model = model;
      shown.scene.model.picture = picture;
      const std::string command = gui::commandText(shown.scene, shown.lengths);
      INFO(command);
      const auto commands = commandsOf(command);
      REQUIRE(commands.size() == 1);
      REQUIRE(tableOf(shown, folder.file("shown.csv")));
      checkCommand(shown, commands.front(), folder);
    }
}

} // namespace attention::cli
