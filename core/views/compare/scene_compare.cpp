#include "core/views/compare/scene_compare.h"

#include "core/pattern/beginning.h"
#include "core/plot/curves.h"
#include "core/scene/input_data.h"
#include "core/scene/own_mask.h"
#include "core/scene/pattern_files.h"
#include "core/scene/score_words.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/part_of_run.h"
#include "core/support/text.h"
#include "core/views/model/variant_names.h"
#include "core/views/scene_figure.h"
#include "core/views/timings/scene_timings.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace attention {
namespace {

constexpr std::size_t kOtherHue = 7;

void requireInput(const Input* input, Index n) {
  if (!input || !input->hasQkv())
    throw Error(ErrorCode::Unsupported, "input",
                input ? "the input has only attention weights; open one with Q, K and V"
                      : "No input loaded. Open Q, K and V.");
  if (input->keys < n || input->queries < n)
    throw Error(ErrorCode::Shape, "n",
                "n is " + std::to_string(n) + "; it must be at most " +
                    std::to_string(std::min(input->keys, input->queries)) +
                    ", the length of the input");
}

Matrix<float> firstRows(const Matrix<float>& all, Index n) {
  const auto count = static_cast<std::ptrdiff_t>(n * all.cols());
  return {n, all.cols(), std::vector<float>(all.values().begin(), all.values().begin() + count)};
}

ScoredInput<float> scoredInput(const ScoresQuestion& question, const ModelHead& of,
                               const Run& run) {
  return {question.n, 1,
          [&question, &of, run](Index) {
            const Input& input = *of.input;
            return ScoredHead<float>{
                firstRows(input.q<float>(of.head, of.batch, run), question.n),
                firstRows(input.k<float>(of.head, of.batch, run), question.n),
                firstRows(valuesOrZeros<float>(input, of.batch, of.head, run), question.n),
                inputData(input, of.batch, of.head, question.n, run),
                attendOptions(input, of.head)};
          },
          of.input->hasValues()};
}

struct Methods {
  std::vector<ScoredMethod> methods;
  std::vector<ScoreLine> lines;    // names, scores to come
  std::vector<std::size_t> scored; // of each line, its method
};

// What compared patterns are called; those of one name have their letters.
std::vector<std::string> namesOf(const std::vector<Panel>& patterns) {
  const std::vector<std::string> titles = titlesOf(patterns);
  std::vector<std::string> names = titles;
  for (std::size_t k = 0; k < names.size(); ++k)
    if (std::count(titles.begin(), titles.end(), titles[k]) > 1)
      names[k] += std::string(" (") + static_cast<char>('a' + k) + ")";
  return names;
}

// The first line of a method that the lines have already.
std::optional<std::size_t> lineOf(const Methods& all, const ScoredMethod& method) {
  const auto* pattern = std::get_if<Pattern>(&method);
  for (std::size_t k = 0; pattern && k < all.lines.size(); ++k)
    if (const auto* known = std::get_if<Pattern>(&all.methods[all.scored[k]]);
        known && *known == *pattern)
      return k;
  return std::nullopt;
}

// By that name, or by it and its letter.
bool isCalled(const ScoreLine& line, const std::string& name) {
  return line.name == name || (line.compared && line.name.starts_with(name + " ("));
}

// What is scored already is not scored twice: its lines share a score.
void add(Methods& to, ScoredMethod method, std::string name, std::optional<std::size_t> compared) {
  const auto seed = seedOf(method);
  const auto same = lineOf(to, method);
  to.scored.push_back(same ? to.scored[*same] : to.methods.size());
  to.lines.push_back({std::move(name), compared, {}, seed, same});
  if (!same)
    to.methods.push_back(std::move(method));
}

// The meaning of a Scene's choice: what all compared patterns have in common.
Base boardBase(const ScoresQuestion& question, const ModelHead& input, const Run& run) {
  const Lengths lengths = squareLengths(question.n);
  if (const auto base = baseFor(question.base, *input.input, input.batch, lengths, 0, run))
    return *base;
  const PatternData data = inputData(*input.input, input.batch, input.head, question.n, run);
  const auto looksBack = [&](const Panel& panel) {
    const auto prepared = prepare(resolveFiles(panel.pattern, {}, run), lengths, data, run);
    return meaningfulBase(prepared, run) == Base::Causal;
  };
  return std::all_of(question.patterns.begin(), question.patterns.end(), looksBack) ? Base::Causal
                                                                                    : Base::Full;
}

Methods methodsOf(const ScoresQuestion& question, const Base& base, const ModelHead& of,
                  const Run& run) {
  const Input& input = *of.input;
  const AttendOptions scores = attendOptions(input, of.head);
  Methods all;
  std::vector<std::string> names = namesOf(question.patterns);
  for (std::size_t k = 0; k < question.patterns.size(); ++k)
    add(all, resolveFiles(question.patterns[k].pattern, {}, run), std::move(names[k]), k);
  for (const TimedMechanism& mechanism : question.mechanisms) {
    if (base.past && mechanism.kind == TimedMechanism::Kind::Linformer)
      continue;
    ScoredMethod method = scoredMethod(mechanism, question.own, input.d);
    if (!suitsScores(method, scores, input.d))
      continue;
    if (auto* pattern = std::get_if<Pattern>(&method))
      *pattern = resolveFiles(*pattern, {}, run);
    std::string name = boardName(mechanism, method, question.n);
    const auto same = lineOf(all, method);
    const auto isNamed = [&](const std::string& by) { return isCalled(all.lines[*same], by); };
    if (!same || (!isNamed(name) && !isNamed(nameOf(mechanism, method)))) // a line for each name
      add(all, std::move(method), std::move(name), {});
  }
  return all;
}

// Words about the mechanisms left out because of the input's scores; empty if none are.
std::string unsuited(const ScoresQuestion& question, const ModelHead& of) {
  const Input& input = *of.input;
  const AttendOptions scores = attendOptions(input, of.head);
  std::string names;
  for (const TimedMechanism& mechanism : question.mechanisms) {
    const ScoredMethod method = scoredMethod(mechanism, question.own, input.d);
    if (!suitsScores(method, scores, input.d))
      names += (names.empty() ? "" : "; ") + boardName(mechanism, method, question.n);
  }
  return names;
}

} // namespace

std::string boardName(const TimedMechanism& mechanism, const ScoredMethod& method, Index n) {
  const auto* pattern = std::get_if<Pattern>(&method);
  return pattern && mechanism.title.empty() ? sizedTitle(*pattern, n) : nameOf(mechanism, method);
}

std::optional<double> numberOf(const ScoreLine& line, ScoreColumn column) {
  const Score& score = line.score;
  const auto ofChoice = [&line](auto number) -> std::optional<double> {
    return line.choice ? std::optional(std::invoke(number, *line.choice)) : std::nullopt;
  };
  switch (column) {
  case ScoreColumn::Pairs:
    return score.pairs ? std::optional(static_cast<double>(*score.pairs)) : std::nullopt;
  case ScoreColumn::Mass:
    return score.capturedMass;
  case ScoreColumn::Error:
    return relativeError(score);
  case ScoreColumn::Recall:
    return score.recall;
  case ScoreColumn::Entropy:
    return score.entropy;
  case ScoreColumn::Flops:
    return score.flops;
  case ScoreColumn::Bytes:
    return score.bytes;
  case ScoreColumn::PrepareSeconds:
    return score.prepareSeconds;
  case ScoreColumn::Seconds:
    return score.seconds;
  case ScoreColumn::ChoiceRecall:
    return ofChoice(&ChoiceScore::recall);
  case ScoreColumn::OracleBlocks:
    return ofChoice(&ChoiceScore::oracleBlocksRecall);
  case ScoreColumn::OracleKeys:
    return ofChoice(&ChoiceScore::oracleKeysRecall);
  case ScoreColumn::BlockOverlap:
    return ofChoice(&ChoiceScore::blockOverlap);
  case ScoreColumn::BlockDensity:
    return ofChoice(&ChoiceScore::blockDensity);
  case ScoreColumn::ChoosingShare:
    return ofChoice(&ChoiceScore::choosingShare);
  case ScoreColumn::Name:
    break;
  }
  return std::nullopt;
}

namespace {

// A point per mechanism with its name beside it, what is compared in its hue, and the front as a
// line. A mechanism without the number, and one that is another's equal, is a point at NaN, which
// is not drawn: so that the others have the same number in every such plot. Costs reach as far as
// the points, which stand apart.
Plot frontPlot(const std::vector<ScoreLine>& lines, ScoreColumn column, const std::string& label,
               bool moreIsBetter) {
  CurvesMark mark;
  std::vector<Point> points;
  std::vector<double> costs;
  std::vector<double> values{0};
  for (const ScoreLine& line : lines) {
    const Point point{line.score.flops, line.same ? NAN : numberOf(line, column).value_or(NAN)};
    mark.named.push_back({point, listedName(line), line.compared.value_or(kOtherHue)});
    points.push_back(point);
    if (!std::isfinite(point.y))
      continue;
    costs.push_back(point.x);
    values.push_back(point.y);
  }
  mark.x = axisOver("FLOPs by the cost model", Scale::Log10, costs);
  mark.y = axisOver(label, Scale::Linear, values);
  mark.curves.push_back(frontCurve(points, moreIsBetter));
  return {std::move(mark), std::nullopt, std::nullopt};
}

std::string cell(const std::optional<double>& value) {
  return value && !std::isnan(*value) ? csvNumber(*value) : "";
}

} // namespace

ScoresQuestion scoresQuestion(const Scene& scene, const Lengths& lengths) {
  checkCompare(scene.compare);
  if (lengths.keys > kMostScoredTokens)
    throwRange("n", std::to_string(lengths.keys),
               "at most " + std::to_string(kMostScoredTokens) + " tokens for the score board");
  if (lengths.queries != lengths.keys || lengths.offset != 0)
    throw Error(ErrorCode::Unsupported, "queries",
                "the mask has " + countText(lengths.queries, "query") + " and " +
                    countText(lengths.keys, "key") +
                    "; the score board needs as many queries as keys");
  ScoresQuestion question{comparedOf(scene.compare),
                          scoredAt(scene.compare, lengths.keys),
                          {},
                          scene.compare.base,
                          lengths.keys};
  for (const TimedMechanism& mechanism : question.mechanisms)
    if (mechanism.kind == TimedMechanism::Kind::Own)
      question.own = scene.pattern;
  return question;
}

std::vector<ScoreLine> scoresOf(const ScoresQuestion& question, const ModelHead& input,
                                const std::function<void(const std::vector<ScoreLine>&)>& onLine,
                                const Run& run) {
  requireInput(input.input.get(), question.n);
  ScoreOptions options;
  options.base = boardBase(question, input, run.quiet());
  Methods all = methodsOf(question, *options.base, input, run.quiet());
  options.threads = run.threads;
  std::vector<Score> so;
  const auto linesSoFar = [&] {
    std::vector<ScoreLine> lines;
    for (std::size_t k = 0; k < all.lines.size(); ++k)
      if (all.scored[k] < so.size()) {
        lines.push_back(all.lines[k]);
        lines.back().score = so[all.scored[k]];
      }
    return lines;
  };
  const auto onScore = [&](std::size_t, const Score& score) {
    so.push_back(score);
    if (onLine)
      onLine(linesSoFar());
  };
  const ScoredInput<float> scored = scoredInput(question, input, run.quiet());
  so = scoreBoard<float>(all.methods, scored, options, onScore, run);
  return linesSoFar();
}

bool anyChooses(const std::vector<ScoreLine>& lines) {
  return std::any_of(lines.begin(), lines.end(),
                     [](const ScoreLine& line) { return line.score.chooses; });
}

bool tellsChoices(const CompareSpec& spec, const std::vector<ScoreLine>& lines) {
  const auto compared = [](const ScoreLine& line) { return line.compared && line.score.chooses; };
  return anyChooses(lines) &&
         (asksForChoices(spec) || std::any_of(lines.begin(), lines.end(), compared));
}

std::vector<ScoreLine> withChoices(std::vector<ScoreLine> lines, const ScoresQuestion& question,
                                   const ModelHead& input, const Run& run) {
  requireInput(input.input.get(), question.n);
  if (lines.empty())
    return lines;
  const Methods all = methodsOf(question, lines.front().score.base, input, run.quiet());
  assert(all.lines.size() == lines.size());
  ScoreOptions options;
  options.threads = run.threads;
  const auto choices =
      choiceScores<float>(all.methods, scoredInput(question, input, run.quiet()), options, run);
  for (std::size_t k = 0; k < lines.size(); ++k)
    lines[k].choice = choices[all.scored[k]];
  return lines;
}

std::vector<ScoreLine> sorted(std::vector<ScoreLine> lines, ScoreColumn column, bool rising) {
  std::stable_sort(lines.begin(), lines.end(), [&](const ScoreLine& a, const ScoreLine& b) {
    if (column == ScoreColumn::Name)
      return rising ? a.name < b.name : b.name < a.name;
    const auto x = numberOf(a, column);
    const auto y = numberOf(b, column);
    const bool hasX = x && !std::isnan(*x);
    const bool hasY = y && !std::isnan(*y);
    if (!hasX || !hasY)
      return hasX && !hasY;
    return rising ? *x < *y : *y < *x;
  });
  return lines;
}

std::string listedName(const ScoreLine& line) {
  return line.same ? line.name + ", same as " + std::to_string(*line.same + 1) : line.name;
}

std::string baseText(const std::vector<ScoreLine>& lines) {
  if (lines.empty())
    return "";
  return wordOf(lines.front().score.base) + " attention";
}

std::string choicesText(const std::vector<ScoreLine>& lines) {
  std::string text;
  for (const ScoreLine& line : lines) {
    if (!line.compared || !line.choice || line.same || !line.choice->chooses)
      continue;
    const ChoiceScore& of = *line.choice;
    const bool blocks = of.oracleBlocksRecall != of.oracleKeysRecall;
    text +=
        (text.empty() ? "" : " ") + line.name + " keeps " + sharePercent(of.recall) +
        " of dense attention over the keys it may choose; the best choice of the same number of " +
        (blocks ? "blocks would keep " + sharePercent(of.oracleBlocksRecall) +
                      ", of the same number of "
                : std::string()) +
        "keys " + (blocks ? "" : "would keep ") + sharePercent(of.oracleKeysRecall) + ".";
  }
  return text;
}

Plot massPlot(const std::vector<ScoreLine>& lines) {
  return frontPlot(lines, ScoreColumn::Mass, "captured mass", true);
}

Plot errorPlot(const std::vector<ScoreLine>& lines) {
  return frontPlot(lines, ScoreColumn::Error, "relative error", false);
}

Camera wholeCamera(const Lengths& lengths) {
  return {static_cast<double>(lengths.queries) / 2, static_cast<double>(lengths.keys) / 2,
          static_cast<double>(std::max(lengths.queries, lengths.keys))};
}

std::optional<Camera> comparedCamera(const Scene& scene, const Lengths& lengths,
                                     const Difference* difference) {
  if (scene.camera || !difference || !difference->firstRow || !difference->firstKey ||
      std::max(lengths.queries, lengths.keys) <= kWholeCells)
    return scene.camera;
  constexpr Index kStep = kComparedCells / 2;
  constexpr Index kBefore = 4; // cells that are seen before it at least
  const auto middle = [](Index at, Index n) {
    const Index begin = floorDiv(at - kBefore, kStep) * kStep;
    return static_cast<double>(
               std::clamp<Index>(begin, 0, std::max<Index>(n - kComparedCells, 0))) +
           static_cast<double>(kComparedCells) / 2;
  };
  return Camera{middle(*difference->firstRow, lengths.queries),
                middle(*difference->firstKey, lengths.keys), static_cast<double>(kComparedCells)};
}

Pins comparedPins(const Scene& scene, const Lengths& lengths, const Difference* difference) {
  const Rect cells = cellsOf(comparedCamera(scene, lengths, difference), lengths);
  Pins pins = scene.pins;
  if (pins.query && (*pins.query < cells.rowBegin || *pins.query >= cells.rowEnd))
    pins.query.reset();
  if (pins.key && (*pins.key < cells.keyBegin || *pins.key >= cells.keyEnd))
    pins.key.reset();
  return pins;
}

std::string shownCellsText(const Rect& cells, const Lengths& lengths) {
  if (cells.rowEnd - cells.rowBegin >= lengths.queries &&
      cells.keyEnd - cells.keyBegin >= lengths.keys)
    return {};
  const auto span = [](Index begin, Index end) {
    return groupedDigits(begin) + (end - begin > 1 ? "–" + groupedDigits(end - 1) : "");
  };
  const std::string queries = "queries " + span(cells.rowBegin, cells.rowEnd);
  const std::string keys =
      "keys " + span(cells.keyBegin, cells.keyEnd) + " of " + groupedDigits(lengths.keys);
  return queries + (lengths.square() ? "" : " of " + groupedDigits(lengths.queries)) + ", " + keys;
}

std::string differenceText(const Difference& of) {
  if (!of.firstRow)
    return "The two patterns have exactly the same pairs.";
  const std::string first = of.onlyFirst == 0   ? "No pair is"
                            : of.onlyFirst == 1 ? "1 pair is"
                                                : groupedDigits(of.onlyFirst) + " pairs are";
  return first + " only in the first, " + groupedDigits(of.onlySecond) + " only in the second, " +
         groupedDigits(of.both) + " in both; query " + groupedDigits(*of.firstRow) +
         " is the first that differs.";
}

std::vector<std::string> readingOf(const ScoresQuestion& question, const ModelHead& input,
                                   const std::vector<ScoreLine>& lines) {
  std::vector<CostAndGain> points;
  points.reserve(lines.size());
  for (const ScoreLine& line : lines)
    points.push_back({line.score.flops, line.score.error
                                            ? -line.score.error->relativeFrobenius
                                            : std::numeric_limits<double>::quiet_NaN()});
  const std::vector<std::size_t> front = paretoFront(points);
  std::string names;
  for (const std::size_t k : front)
    names += (names.empty() ? "" : "; ") + lines[k].name; // names hold commas
  std::vector<std::string> sentences;
  if (lines.empty())
    return sentences;
  if (!front.empty())
    sentences.push_back("Measured against " + baseText(lines) +
                        ", no other mechanism is both cheaper and more accurate than " +
                        (front.size() == 1 ? "" : "these, the Pareto front: ") + names + ".");
  const auto linformer = [](const TimedMechanism& mechanism) {
    return mechanism.kind == TimedMechanism::Kind::Linformer;
  };
  if (lines.front().score.base.past &&
      std::any_of(question.mechanisms.begin(), question.mechanisms.end(), linformer))
    sentences.push_back("Linformer mixes all keys and has no causal form, so it is left out.");
  if (std::string choices = choicesText(lines); !choices.empty())
    sentences.push_back(std::move(choices));
  if (const std::string left = unsuited(question, input); !left.empty())
    sentences.push_back("Left out, since the input " + scoreChange(input.input->modifiers) + ": " +
                        left + ".");
  return sentences;
}

CsvTable scoreTable(const std::vector<ScoreLine>& lines) {
  CsvTable table{{"name", "pairs", "captured_mass", "relative_frobenius", "max_abs", "topk_recall",
                  "entropy", "flops", "bytes", "seconds", "prepare_seconds", "base", "flagged_rows",
                  "seed"},
                 {}};
  const bool choices = std::any_of(lines.begin(), lines.end(),
                                   [](const ScoreLine& line) { return line.choice.has_value(); });
  if (choices)
    for (const ChoiceColumn& column : choiceColumns())
      table.headings.emplace_back(column.name);
  for (const ScoreLine& line : lines) {
    const Score& score = line.score;
    table.rows.push_back({csvText(line.name), score.pairs ? std::to_string(*score.pairs) : "",
                          cell(score.capturedMass), cell(relativeError(score)),
                          cell(largestError(score)), csvNumber(score.recall), cell(score.entropy),
                          csvNumber(score.flops), csvNumber(score.bytes), csvNumber(score.seconds),
                          csvNumber(score.prepareSeconds), std::string(name(score.base)),
                          std::to_string(score.flaggedRows),
                          line.seed ? std::to_string(*line.seed) : ""});
    if (choices)
      for (const ChoiceColumn& column : choiceColumns())
        table.rows.back().push_back(line.choice ? csvNumber(column.of(*line.choice)) : "");
  }
  return table;
}

std::vector<TimedMechanism> scoredAt(const CompareSpec& spec, Index n) {
  std::vector<TimedMechanism> all = scoredOf(spec);
  if (spec.scored.empty())
    for (TimedMechanism& mechanism : all)
      if (mechanism.kind == TimedMechanism::Kind::Pattern)
        mechanism.pattern = beginning(mechanism.pattern, n);
  return all;
}

} // namespace attention
