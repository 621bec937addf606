// attnx heads: what each head of an input does, and what a pattern captures of it.
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/input_flags.h"
#include "app/cli/masks.h"
#include "app/cli/one_head.h"
#include "app/cli/report.h"
#include "app/cli/score_flags.h"
#include "app/cli/setting_flags.h"

#include "core/input/model_metadata.h"
#include "core/input/npy_writer.h"
#include "core/scene/head_list_spec.h"
#include "core/support/error.h"
#include "core/support/part_of_run.h"
#include "core/support/text.h"
#include "core/views/heads/measured_heads.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <ostream>

namespace attention::cli {
namespace {

// --near belongs to the command, even where a generator has a parameter of that name.
constexpr std::array<std::string_view, 1> kReadHere{"near"};

// More tokens than the view has lines for, too.
const SettingFlags<HeadListSpec>& listFlags() {
  static const SettingFlags<HeadListSpec> kFlags(
      headListSettings(),
      {{.setting = "near",
        .help = "keys at most W tokens from the query count as within, others as beyond",
        .bounds = FlagBounds::Least}});
  return kFlags;
}

HeadsQuestion questionFrom(const Arguments& arguments, const Input& input) {
  HeadsQuestion question;
  question.lengths = lengthsOfInput(arguments, input);
  if (arguments.has("align"))
    question.align = alignFrom(arguments);
  if (!arguments.patterns().empty())
    question.pattern = arguments.patterns().front();
  else if (hasHeadFlags(arguments))
    throw Error(ErrorCode::Type, "pattern",
                "heads of a mechanism are given without a pattern; it must be given too");
  question.mechanismHeads = headsOver(arguments, input);
  question.base = baseFrom(arguments);
  question.threads = threadsFrom(arguments);
  question.near = listFlags().read(arguments).near;
  if (arguments.has("batch"))
    question.batch = input.batch;
  if (arguments.has("head-index"))
    question.head = input.head;
  return question;
}

// `captured` needs a pattern; without one it is left out.
std::span<const HeadMeasure> measuresOf(const HeadsQuestion& question) {
  const std::span<const HeadMeasure> all = headMeasureList();
  return question.pattern ? all : all.first(all.size() - 1);
}

std::string baseName(std::span<const MeasuredHead> heads) {
  std::vector<Base> bases;
  for (const MeasuredHead& head : heads)
    bases.push_back(head.base);
  return std::string(name(commonBase(bases, Base::Full)));
}

Json reportJson(const HeadsQuestion& question, const Input& input,
                std::span<const MeasuredHead> heads) {
  Json rows = Json::array();
  for (const MeasuredHead& head : heads) {
    Json row{{"layer", head.batch}, {"head", head.head}};
    if (const auto numbers = numbersOf(input, head)) {
      row["layer_number"] = numbers->layer;
      row["head_number"] = numbers->head;
    }
    for (const HeadMeasure& measure : measuresOf(question))
      row[std::string(measure.name)] = orNull(measure.of(head));
    if (head.mass)
      row["mass"] = jsonNumber(*head.mass);
    rows.push_back(std::move(row));
  }
  return {{"n", question.lengths.keys},
          {"near", question.near},
          {"base", baseName(heads)},
          {"rows", std::move(rows)}};
}

// All heads have a sink, or none.
bool hasMass(std::span<const MeasuredHead> heads) {
  return !heads.empty() && heads.front().mass.has_value();
}

// As the file names it: "layer 16", else its number.
std::string layerName(const Input& input, Index batch) {
  const auto at = static_cast<std::size_t>(batch);
  return at < input.batchLabels.size() ? input.batchLabels[at] : std::to_string(batch);
}

void printReport(std::ostream& out, const HeadsQuestion& question, const Input& input,
                 std::span<const MeasuredHead> heads) {
  std::vector<Cells> lines{{"layer", "head"}};
  for (const HeadMeasure& measure : measuresOf(question)) {
    std::string words(measure.name);
    std::replace(words.begin(), words.end(), '_', ' ');
    lines.front().push_back(std::move(words));
  }
  if (hasMass(heads))
    lines.front().emplace_back("captured, with sink");
  for (const MeasuredHead& head : heads) {
    Cells line{layerName(input, head.batch), std::to_string(headNumber(input, head.head))};
    for (const HeadMeasure& measure : measuresOf(question)) {
      const std::optional<double> value = measure.of(head);
      line.push_back(value ? fixed(*value, 4) : "–");
    }
    if (head.mass)
      line.push_back(fixed(*head.mass, 4));
    lines.push_back(std::move(line));
  }
  printAligned(out, lines);
  out << "weights of " << wordOfBase(baseName(heads))
      << " attention, means over the queries; within " << question.near
      << (question.near == 1 ? " token" : " tokens") << "; entropy in nats\n";
}

// A row per head: its layer, its head and the measures, NaN where a number does not exist.
void writeArray(const std::string& path, std::span<const MeasuredHead> heads) {
  std::vector<double> values;
  for (const MeasuredHead& head : heads) {
    values.push_back(static_cast<double>(head.batch));
    values.push_back(static_cast<double>(head.head));
    for (const HeadMeasure& measure : headMeasureList())
      values.push_back(measure.of(head).value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  const std::array<Index, 2> shape{std::ssize(heads), std::ssize(values) / std::ssize(heads)};
  writeNpy<double>(path, shape, std::span<const double>(values));
}

void writeTo(const std::string& path, const HeadsQuestion& question, const Input& input,
             std::span<const MeasuredHead> heads) {
  const std::string ending = endingOf(path);
  if (ending == ".json")
    writeJson(path, reportJson(question, input, heads));
  else if (ending == ".npy")
    writeArray(path, heads);
  else
    writeCsv(path, headsTable(input, heads));
}

// Whether equal values stand at other places in `a` than in `b`.
template <class A, class B>
bool repeatsElsewhere(const std::vector<A>& a, const std::vector<B>& b) {
  if (a.size() != b.size())
    return false;
  std::map<A, B> toB;
  std::map<B, A> toA;
  for (std::size_t at = 0; at < a.size(); ++at)
    if (toB.try_emplace(a[at], b[at]).first->second != b[at] ||
        toA.try_emplace(b[at], a[at]).first->second != a[at])
      return true;
  return false;
}

// Tokens count as the same by the input's own, whatever their labels say.
void sayOtherTokens(const Arguments& arguments, const Input& input, std::ostream& notes) {
  if (!arguments.has("tokens"))
    return;
  const bool ids = !input.ids.empty();
  const bool differ = ids ? repeatsElsewhere(input.ids, input.tokens)
                          : !input.pieces.empty() && repeatsElsewhere(input.pieces, input.tokens);
  if (differ)
    notes << "attnx: note: " << arguments.text("tokens")
          << " gives only labels; repeated tokens are found by the input's own "
          << (ids ? "ids" : "tokens") << ", which repeat in other places\n";
}

int runHeads(const Arguments& arguments, const Context& context) {
  static constexpr std::array<std::string_view, 3> kEndings{".csv", ".json", ".npy"};
  const std::string path =
      arguments.has("output") ? outputPath(arguments, "output", kEndings) : std::string();
  const auto input = inputFrom(arguments, context.part(0, 0.05), kReadHere);
  sayOtherTokens(arguments, *input, context.notes);
  const HeadsQuestion question = questionFrom(arguments, *input);
  const std::vector<MeasuredHead> heads =
      measuredHeads(question, *input, {}, partOf(context.run, 0.05, 1));
  if (!path.empty())
    writeTo(path, question, *input, heads);
  if (arguments.on("json"))
    print(context.out, reportJson(question, *input, heads));
  else
    printReport(context.out, question, *input, heads);
  return 0;
}

} // namespace

Command headsCommand() {
  Grammar grammar;
  grammar.patterns = 1;
  grammar.optional = true;
  grammar.patternFirst = false; // --k and --seed belong to the input
  grammar.flags = inputFlags();
  std::erase_if(grammar.flags, [](const Flag& flag) { return flag.name == kReadHere.front(); });
  grammar.add(listFlags().flags());
  grammar.add({{"output", "FILE", ".csv .json, or .npy with the columns of the .csv (also -o)"},
               {"align", "top-left|bottom-right",
                "which token query i acts as, where queries and keys differ in number"},
               {"threads", "T", "number of threads; 0 uses all"},
               {"json", "", "one JSON object instead of lines"}});
  grammar.add(sharedHeadFlags());
  grammar.add(scoreFlags());
  grammar.flags.push_back(baseFlag());
  return {"heads", "INPUT [PATTERN] [--near W] [-o FILE]",
          "what each head does: its weight on the same, previous, near and repeated tokens",
          grammar, runHeads};
}

} // namespace attention::cli
