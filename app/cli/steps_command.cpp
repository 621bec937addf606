// attnx steps: one query computed, with every intermediate number.
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/feature_flags.h"
#include "app/cli/input_flags.h"
#include "app/cli/masks.h"
#include "app/cli/one_head.h"
#include "app/cli/picture_flags.h"
#include "app/cli/report.h"
#include "app/cli/score_flags.h"
#include "app/cli/setting_flags.h"
#include "app/cli/sweep_flag.h"

#include "core/input/npy_writer.h"
#include "core/pattern/parameter.h"
#include "core/scene/pattern_files.h"
#include "core/support/error.h"
#include "core/support/part_of_run.h"
#include "core/views/board/board_figure.h"
#include "core/views/steps/board_words.h"
#include "core/views/steps/steps_board.h"
#include "core/views/steps/steps_lists.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>

namespace attention::cli {
namespace {

constexpr std::size_t kPrintedNumbers = 16; // of an output

Json numbersJson(const std::vector<double>& numbers) {
  Json list = Json::array();
  for (const double number : numbers)
    list.push_back(jsonNumber(number));
  return list;
}

Json maskedJson(const std::vector<double>& masked) {
  Json list = Json::array();
  for (const double s : masked)
    list.push_back(std::isfinite(s) ? jsonNumber(s) : Json(nullptr));
  return list;
}

// Of each key the rule that forbids it, null where it is visible.
Json rulesJson(const StepsAnswer& answer, const Prepared& pattern) {
  Json list = Json::array();
  for (std::size_t j = 0; j < answer.softmax.masked.size(); ++j)
    list.push_back(std::isfinite(answer.softmax.masked[j])
                       ? Json(nullptr)
                       : Json(pattern.why(answer.query, static_cast<Index>(j)).text));
  return list;
}

void addSoftmax(Json& json, const SoftmaxSteps& steps) {
  json["dot"] = numbersJson(steps.dot);
  json["scaled"] = numbersJson(steps.scaled);
  json["masked"] = maskedJson(steps.masked);
  json["max"] = orNull(steps.max);
  json["exp"] = steps.exp.empty() ? Json(nullptr) : numbersJson(steps.exp);
  json["sum"] = orNull(steps.sum);
  json["p"] = steps.p.empty() && !steps.dot.empty() ? Json(nullptr) : numbersJson(steps.p);
  if (steps.parts.empty())
    return;
  json["parts"] = Json::array();
  for (const SoftmaxPart& part : steps.parts)
    json["parts"].push_back({{"keys", part.keys},
                             {"max", jsonNumber(part.max)},
                             {"sum", jsonNumber(part.sum)},
                             {"share", jsonNumber(part.share)}});
}

void addOnline(Json& json, const OnlineSteps& steps) {
  json["tiles"] = Json::array();
  for (const OnlineTile& tile : steps.tiles)
    json["tiles"].push_back({{"keys", {tile.begin, tile.end}},
                             {"max", jsonNumber(tile.max)},
                             {"sum", jsonNumber(tile.sum)},
                             {"correction", jsonNumber(tile.correction)},
                             {"output", numbersJson(tile.output)}});
}

void addFeatures(Json& json, const FeatureSteps& steps) {
  json["phi_q"] = numbersJson(steps.phiQ);
  json["numerator"] = numbersJson(steps.numerator);
  json["denominator"] = jsonNumber(steps.denominator);
  json["exact"] = numbersJson(steps.exact);
}

// What the sink takes of the softmax.
std::optional<double> sinkMass(const SoftmaxSteps& steps) {
  return steps.sinkExp ? std::optional(*steps.sinkExp / *steps.sum) : std::nullopt;
}

void addWay(Json& json, const StepsAnswer& answer) {
  if (answer.online)
    addOnline(json, *answer.online);
  else if (answer.features)
    addFeatures(json, *answer.features);
  else
    addSoftmax(json, answer.softmax);
}

Json outputJson(const StepsAnswer& answer) {
  return answer.output().empty() ? Json(nullptr) : numbersJson(answer.output());
}

// Each softmax of several with gates, over keys of its own; compressed ones have block and stride.
Json branchJson(const BranchAnswer& branch) {
  const bool compressed = branch.block > 0;
  Json json{{"name", branch.name},
            {"gate", jsonNumber(branch.gate)},
            {"block", compressed ? Json(branch.block) : Json(nullptr)},
            {"stride", compressed ? Json(branch.stride) : Json(nullptr)},
            {"sink_mass", orNull(sinkMass(branch.steps.softmax))},
            {"visible", branch.steps.softmax.visible}};
  addWay(json, branch.steps);
  json["output"] = outputJson(branch.steps);
  return json;
}

// A line with nothing but a name above those of a branch.
bool namesBranch(const BoardLine& line) {
  return line.ruled && std::all_of(line.cells.begin() + 1, line.cells.end(), [](const auto& cell) {
           return cell.text.empty() && cell.strip.empty();
         });
}

Json stepsJson(const StepsAnswer& answer, const Prepared& pattern) {
  Json json{{"query", answer.query},
            {"by", name(answer.by)},
            {"scale", jsonNumber(answer.scoring.scale)},
            {"softcap", orNull(answer.scoring.softcap)},
            {"temperature", jsonNumber(answer.scoring.temperature)},
            {"sink", orNull(answer.scoring.sink)},
            {"sink_mass", orNull(sinkMass(answer.softmax))},
            {"visible", answer.softmax.visible}};
  addWay(json, answer);
  if (answer.by == StepsBy::Softmax)
    json["rules"] = rulesJson(answer, pattern);
  for (const BranchAnswer& branch : answer.branches)
    json["branches"].push_back(branchJson(branch));
  json["output"] = outputJson(answer);
  return json;
}

void printSteps(std::ostream& out, const StepsAnswer& answer, std::span<const std::string> tokens) {
  const Board board = stepsBoard(answer, tokens);
  out << board.title << '\n';
  std::vector<Cells> lines(1);
  for (const BoardColumn& column : board.columns)
    if (!column.strip)
      lines.front().push_back(column.heading);
  for (const BoardLine& line : board.lines) {
    Cells cells;
    bool numbers = false; // beside the name of the line
    for (std::size_t c = 0; c < line.cells.size(); ++c) {
      if (board.columns[c].strip)
        continue;
      numbers = numbers || (c > 0 && !line.cells[c].text.empty());
      cells.push_back(line.cells[c].text);
    }
    if (numbers || namesBranch(line))
      lines.push_back(std::move(cells));
  }
  printAligned(out, lines);
  out << board.formula << '\n';
  if (answer.by == StepsBy::Softmax && answer.hidden && !isListed(answer, answer.hidden->key))
    out << hiddenText(answer, tokens) << '\n';
  for (const BranchAnswer& branch : answer.branches)
    if (!branch.steps.output().empty())
      out << branch.name << ": " << numbersText(branch.steps.output(), kPrintedNumbers) << '\n';
  if (!answer.output().empty())
    out << "output: " << numbersText(answer.output(), kPrintedNumbers) << '\n';
}

// --seed is that of the projections too, whatever the input is.
constexpr std::array<std::string_view, 1> kReadHere{"seed"};

const SettingFlags<StepsSpec>& wayFlag() {
  static const SettingFlags<StepsSpec> kFlags(stepsSettings(), {{.setting = "by"}});
  return kFlags;
}

// Tiles may be larger than those that the view has room for.
const SettingFlags<StepsSpec>& stepFlags() {
  static const SettingFlags<StepsSpec> kFlags(
      stepsSettings(),
      {{.setting = "key_tile", .help = "online: keys per tile", .bounds = FlagBounds::Least},
       {.setting = "m", .help = "features: number of random projections"},
       {.setting = "seed",
        .name = "projection-seed",
        .help = "features: seed of the projections, where it is not --seed",
        .saysDefault = true},
       {.setting = "normalized", .help = "linear, features: divide by the denominator"}});
  return kFlags;
}

bool usesFeatures(StepsBy by) {
  return by == StepsBy::Linear || by == StepsBy::Features;
}

// Flags that do not apply to the chosen way are mistakes.
void refuseUnreadFlags(const Arguments& arguments, StepsBy by) {
  const std::string because = "with --by " + std::string(name(by)) + "; it belongs to --by ";
  if (by != StepsBy::Online)
    refuse(arguments, {"key-tile"}, because + "online");
  if (by != StepsBy::Features)
    refuse(arguments, {"m", "projection-seed"}, because + "features");
  if (by != StepsBy::Features && !arguments.has("random"))
    refuse(arguments, {"seed"}, because + "features or to a random input");
  if (!usesFeatures(by))
    refuse(arguments, {"normalized"}, because + "linear or features");
}

StepsSpec stepsFrom(const Arguments& arguments) {
  StepsSpec spec = wayFlag().read(arguments);
  refuseUnreadFlags(arguments, spec.by);
  spec = stepFlags().read(arguments, spec);
  if (spec.by == StepsBy::Features && !arguments.has("projection-seed"))
    spec.seed = seedFrom(arguments);
  return spec;
}

StepFeatures featuresFrom(const StepsSpec& spec, Index d) {
  StepFeatures features;
  features.normalized = spec.normalized;
  if (spec.by == StepsBy::Linear) {
    features.map.map = FeatureMap::Elu1;
    return features;
  }
  Projection projection;
  projection.rows = spec.m;
  projection.d = d;
  projection.seed = spec.seed;
  features.w = drawProjection(projection);
  return features;
}

Index queryFrom(const Arguments& arguments, const Input& input) {
  const auto query = arguments.integer("query");
  const Index last = input.queries - 1;
  if (!query)
    throw Error(ErrorCode::Type, "query",
                "query is missing; it must be given by --query, an integer from 0 to " +
                    std::to_string(last));
  checkValue("query", *query, {0, static_cast<double>(last)}, ParameterType::Integer);
  return *query;
}

// The Scene that shows the question in the Steps picture.
Scene sceneOf(const Arguments& arguments, const StepsSpec& spec, const Input& input) {
  Scene scene;
  scene.view = View::Attention;
  scene.attention.picture = AttentionPicture::Steps;
  scene.pattern = arguments.patterns().front();
  scene.input = inputSpecFrom(arguments, kReadHere);
  scene.input.modifiers = input.modifiers;
  placeFiles(scene, std::filesystem::current_path()); // the page may end up elsewhere
  scene.length.align = alignOf(arguments, input.queries, input.keys).value_or(Align::TopLeft);
  if (input.queries != input.keys)
    scene.length.queries = input.queries;
  rememberFiles(scene, &input);
  scene.attention.steps = spec;
  const auto sweep = sweepFrom(arguments);
  if (!sweep || sweep->of != "query")
    scene.pins.query = queryFrom(arguments, input);
  return scene;
}

void writePicture(const Arguments& arguments, const std::string& path, const StepsAnswer& answer,
                  std::span<const std::string> tokens, std::optional<Scene> scene,
                  const Context& context) {
  PictureOptions options = pictureFrom(arguments);
  options.file.scene = std::move(scene);
  options.file.onMissing = missingSayer(context.notes, path);
  writeFigure(boardFigure(stepsBoard(answer, tokens), options.theme), path, options.file,
              context.run);
}

// Nothing where the view has no such picture: of a head of the mechanism's own, or of larger tiles.
std::optional<Scene> shownScene(const Arguments& arguments, const StepsSpec& spec,
                                const Input& input) {
  if (hasHeadFlags(arguments))
    return std::nullopt;
  try {
    checkSettings(stepsSettings(), spec);
  } catch (const Error&) {
    return std::nullopt;
  }
  return sceneOf(arguments, spec, input);
}

void writeTo(const Arguments& arguments, const std::string& path, const StepsAnswer& answer,
             const OneHead& head, const std::shared_ptr<const Input>& input,
             const Context& context) {
  const std::span<const std::string> tokens(input->tokens);
  const std::string ending = endingOf(path);
  if (ending == ".json")
    return writeJson(path, stepsJson(answer, *head.pattern));
  if (ending == ".csv")
    return writeCsv(path, stepsTable(answer, tokens));
  if (ending != ".npy") {
    const auto scene = shownScene(arguments, stepsFrom(arguments), *input);
    if (scene && ending == ".html")
      return writeScenePage(*scene, input, arguments, context);
    return writePicture(arguments, path, answer, tokens, scene, context);
  }
  const std::array<Index, 1> shape{std::ssize(answer.output())};
  writeNpy<double>(path, shape, std::span<const double>(answer.output()));
}

std::string pathFrom(const Arguments& arguments) {
  static constexpr std::array<std::string_view, 8> kEndings{".csv", ".json", ".npy", ".png",
                                                            ".svg", ".pdf",  ".tex", ".html"};
  const std::string path =
      arguments.has("output") ? outputPath(arguments, "output", kEndings) : std::string();
  requirePictureFlags(arguments, path);
  return path;
}

int runSteps(const Arguments& arguments, const Context& context) {
  const StepsSpec spec = stepsFrom(arguments);
  const std::string path = pathFrom(arguments);
  const auto input = inputFrom(arguments, context.part(0, 0.2), kReadHere);
  sayOneHead(arguments, *input, context.notes);
  if (endingOf(path) == ".npy")
    requireValuesForOutputs(*input);
  if (sweepFrom(arguments)) {
    refuseBesideSweep(arguments, {"heads", "json"});
    writeScenePage(sceneOf(arguments, spec, *input), input, arguments, context.part(0.2, 1));
    return 0;
  }
  const Index query = queryFrom(arguments, *input);
  const OneHead head = oneHeadFrom(arguments, *input, partOf(context.run, 0.2, 0.8));
  const StepsInput asked{
      *head.pattern,   head.in.qView(), head.in.kView(),
      head.in.vView(), query,           attendOptions(*input, input->head, threadsFrom(arguments))};
  StepsQuestion question;
  question.by = spec.by;
  question.keyTile = spec.keyTile;
  if (usesFeatures(spec.by))
    question.features = featuresFrom(spec, input->d);
  const StepsAnswer answer = stepsAnswer(asked, question);
  if (!path.empty())
    writeTo(arguments, path, answer, head, input, context.part(0.8, 1));
  if (arguments.on("json"))
    print(context.out, stepsJson(answer, *head.pattern));
  else
    printSteps(context.out, answer, input->tokens);
  return 0;
}

} // namespace

Command stepsCommand() {
  Grammar grammar;
  grammar.patterns = 1;
  grammar.patternFirst = false; // --k and --seed belong to the input
  grammar.flags = queryKeyFlags();
  grammar.flags.push_back({"query", "I", "the query, from 0"});
  grammar.add(wayFlag().flags());
  grammar.add(stepFlags().flags());
  grammar.add({{"output", "FILE",
                ".csv .json, .npy of the output, or a picture .png .svg .pdf .tex .html (also -o)"},
               {"align", "top-left|bottom-right",
                "which token query i acts as, where queries and keys differ in number"},
               sweepFlag(),
               sizeFlag("size of a picture in pixels"),
               themeFlag(),
               {"standalone", "", "a .tex that is a complete document"},
               svgWordsFlag(),
               {"threads", "T", "number of threads; 0 uses all"},
               {"json", "", "one JSON object instead of lines"}});
  grammar.add(sharedHeadFlags());
  grammar.add(scoreFlags());
  for (Flag& flag : grammar.flags)
    if (flag.name == "seed")
      flag.help = "seed of a random input and, with --by features, of the projections (0)";
  return {"steps", "PATTERN INPUT --query I [--by softmax|online|linear|features] [-o FILE]",
          "one query computed step by step, with every number", grammar, runSteps};
}

} // namespace attention::cli
