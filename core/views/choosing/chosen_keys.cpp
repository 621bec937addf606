#include "core/views/choosing/chosen_keys.h"

#include "core/attention/sink.h"
#include "core/pattern/block_tables.h"
#include "core/pattern/mechanism/all.h"
#include "core/pattern/similarities.h"
#include "core/plot/mask_color.h"
#include "core/scene/pattern_files.h"
#include "core/support/error.h"
#include "core/support/parallel.h"
#include "core/support/part_of_run.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

constexpr Index kMostCounted = Index{1} << 20; // pairs of blocks

Index mostTokens(ChoosingPicture picture) {
  return picture == ChoosingPicture::Budget ? kMostBudgetTokens : kMostChosenTokens;
}

// Tokens that row or column t of a picture stands for.
struct Stretch {
  Index begin;
  Index end;
  Index middle() const { return (begin + end) / 2; }
};
Stretch stretchOf(Index t, Index n, Index side) {
  return {t * n / side, std::max(t * n / side + 1, (t + 1) * n / side)};
}

// Where a score lies between the least and the most of its row.
class Strengths {
public:
  explicit Strengths(const std::vector<double>& scores) {
    for (const double s : scores)
      if (!std::isnan(s)) {
        least_ = std::min(least_, s);
        most_ = std::max(most_, s);
      }
  }
  double of(double score) const {
    if (std::isnan(score))
      return 0.5;
    return most_ > least_ ? (score - least_) / (most_ - least_) : 1;
  }

private:
  double least_ = std::numeric_limits<double>::infinity();
  double most_ = -std::numeric_limits<double>::infinity();
};

// The numbers of a row of blocks.
std::vector<float> codesOf(const ChosenKeys& of, const ChoiceRow& row) {
  const Strengths strengths(row.scores);
  std::vector<float> codes(row.scores.size());
  for (std::size_t c = 0; c < codes.size(); ++c) {
    const Taken taken = row.taken[c];
    const double strength = strengths.of(row.scores[c]);
    if (taken == Taken::Ranked)
      codes[c] = std::isnan(row.scores[c]) ? 0 : choiceValue(std::nullopt, strength);
    else if (taken != Taken::Never)
      codes[c] = choiceValue(of.hueOf(row.block, static_cast<Index>(c), taken), strength);
  }
  return codes;
}

// Of the blocks that a column stands for, the one to which the most happened.
float columnCode(const ChoiceRow& row, const std::vector<float>& codes, const Stretch& keys,
                 Index block) {
  auto best = static_cast<std::size_t>(keys.begin / block);
  for (Index c = keys.begin / block; c <= (keys.end - 1) / block; ++c) {
    const auto at = static_cast<std::size_t>(c);
    if (std::pair(row.taken[at], codes[at]) > std::pair(row.taken[best], codes[best]))
      best = at;
  }
  return codes[best];
}

Matrix<float> scoreCells(const ChosenKeys& of, const Run& run) {
  const Index n = of.n();
  const Index side = std::min(n, kMostChosenCells);
  Matrix<float> cells(side, side);
  parallelFor(side, 0, run, [&](Index r) {
    const ChoiceRow row = choiceRow(of, stretchOf(r, n, side).middle());
    const std::vector<float> codes = codesOf(of, row);
    for (Index t = 0; t < side; ++t)
      cells(r, t) = columnCode(row, codes, stretchOf(t, n, side), of.choice().keyBlock);
  });
  return cells;
}

std::vector<Index> timesChosen(const ChosenKeys& of, const Run& run) {
  const ChosenBlocks blocks(*of.prepared);
  std::vector<Index> times;
  if (blocks.queryBlocks() * blocks.keyBlocks() > kMostCounted)
    return times;
  times.resize(static_cast<std::size_t>(blocks.keyBlocks()));
  for (Index a = 0; a < blocks.queryBlocks(); ++a) {
    run.check();
    for (Index c = 0; c < blocks.candidates(a); ++c)
      times[static_cast<std::size_t>(c)] +=
          blocks.contains(a, c) && !of.choice().scores->forced(a, c) ? 1 : 0;
  }
  return times;
}

// A row per key, a column per step.
Matrix<float> cacheCells(const ChosenKeys& of, const Run& run) {
  const Index n = of.n();
  const Index side = std::min(n, kMostChosenCells);
  const auto parts = of.prepared->parts();
  Matrix<float> cells(side, side);
  KeyRanges ranges;
  for (Index t = 0; t < side; ++t) {
    run.check();
    for (std::size_t p = 0; p < parts.size(); ++p) {
      of.prepared->row(p, stretchOf(t, n, side).middle(), ranges);
      const auto hue = static_cast<float>(1 + hueIndex(parts, p));
      for (const KeyRange& range : ranges)
        forEachRun(range, [&](Index begin, Index end) {
          for (Index r = begin * side / n; r <= (end - 1) * side / n; ++r)
            cells(r, t) = hue;
        });
    }
  }
  return cells;
}

// What a pattern that needs no data could still show of the input: weights, where its tokens reach.
bool readsTokens(const Pattern& pattern, const Input& input, Index n) {
  return needsData(pattern) || (input.hasQkv() && input.queries == input.keys && input.keys >= n);
}

bool mixesForced(const ChosenKeys& of) {
  return of.choice().part.has_value() || of.pattern.is<FlexPrefill>();
}

// Counted once: a legend is drawn in every frame.
void takeHues(ChosenKeys& of) {
  const auto parts = of.prepared->parts();
  for (std::size_t p = 0; p < parts.size(); ++p)
    if (of.prepared->count(p, of.prepared->bounds()) > 0)
      of.hues.emplace_back(hueIndex(parts, p), parts[p].label);
  if (of.isCache() || !mixesForced(of))
    return;
  const ChosenBlocks blocks(*of.prepared);
  const Index a = blocks.queryBlocks() - 1;
  for (Index c = 0; c < blocks.candidates(a) && !of.marksForced; ++c)
    of.marksForced = of.choice().scores->forced(a, c);
}

double lseOf(const std::vector<double>& scores) {
  double most = -std::numeric_limits<double>::infinity();
  for (const double score : scores)
    most = std::max(most, score);
  double sum = 0;
  for (const double score : scores)
    sum += std::exp(score - most);
  return most + std::log(sum);
}

} // namespace

bool suits(ChoosingPicture picture, const Pattern& pattern) {
  switch (picture) {
  case ChoosingPicture::Scores:
    return ranksKeys(pattern);
  case ChoosingPicture::Cache:
    return evictsKeys(pattern);
  case ChoosingPicture::Budget:
    return ranksKeys(pattern) || evictsKeys(pattern);
  case ChoosingPicture::Sorting:
  case ChoosingPicture::Matrices:
  case ChoosingPicture::Captured:
    return groupsTokens(pattern);
  case ChoosingPicture::Circle:
    break;
  }
  return true;
}

ChoosingQuestion choosingQuestion(const Scene& scene, const Lengths& lengths) {
  const ChoosingPicture picture = scene.choosing.picture;
  checkSettings(choosingSettings(), scene.choosing);
  if (!suits(picture, scene.pattern))
    throw Error(ErrorCode::Unsupported, "pattern",
                "the pattern is " + description(scene.pattern).name +
                    (picture == ChoosingPicture::Cache
                         ? "; it must be cache"
                         : "; it must be one of moba, nsa, dsa, msa, quest, xattention, "
                           "flexprefill, sparge, block_topk and topk"));
  if (lengths.keys < 1 || lengths.keys > mostTokens(picture))
    throwRange("n", std::to_string(lengths.keys),
               "1 to " + std::to_string(mostTokens(picture)) + " tokens in this picture");
  if (!lengths.square())
    throw Error(ErrorCode::Unsupported, "queries",
                "the mask is " + std::to_string(lengths.queries) + " × " +
                    std::to_string(lengths.keys) + "; it must be square");
  return {scene.pattern, lengths.keys};
}

Index choosingQuery(const Scene& scene, Index n) {
  return std::clamp<Index>(scene.pins.query.value_or(n - 1), 0, std::max<Index>(n - 1, 0));
}

std::size_t ChosenKeys::hueOf(Index a, Index c, Taken taken) const {
  if (taken == Taken::Forced && mixesForced(*this))
    return kForcedHue;
  const Index i =
      std::min((a + 1) * choice().queryBlock, prepared->lengths().queries) - 1; // sees all of it
  const auto parts = prepared->parts();
  std::size_t part = choice().part.value_or(0);
  while (!choice().part && part + 1 < parts.size() &&
         !prepared->contains(part, i, c * choice().keyBlock))
    ++part;
  return hueIndex(parts, part);
}

ChosenKeys chosenKeys(const ChoosingQuestion& question, const ModelHead& input, const Run& run) {
  ChosenKeys of;
  of.pattern = resolveFiles(question.pattern, {}, run.quiet());
  if (input.input) {
    of.how = attendOptions(*input.input, input.head, run.threads);
    if (readsTokens(of.pattern, *input.input, question.n))
      of.data = inputData(*input.input, input.batch, input.head, question.n, run.quiet());
  }
  of.prepared = prepare(of.pattern, squareLengths(question.n), of.data, partOf(run, 0, 0.5));
  of.pairs = of.prepared->pairs(run.quiet(), run.threads);
  if (of.isCache())
    of.evictedAt = evictedAt(*of.prepared);
  else
    of.chosenBy = timesChosen(of, run);
  const Run rest = partOf(run, 0.5, 1);
  takeHues(of);
  of.cells = std::make_shared<const Matrix<float>>(of.isCache() ? cacheCells(of, rest)
                                                                : scoreCells(of, rest));
  return of;
}

ChoiceRow choiceRow(const ChosenKeys& of, Index query) {
  const ChoiceScores& scores = *of.choice().scores;
  const ChosenBlocks blocks(*of.prepared);
  ChoiceRow row;
  row.query = query;
  row.block = query / of.choice().queryBlock;
  row.scores.resize(static_cast<std::size_t>(blocks.keyBlocks()));
  scores.row(row.block, row.scores);
  row.taken.resize(row.scores.size(), Taken::Never);
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  for (Index c = 0; c < blocks.candidates(row.block); ++c) {
    const auto at = static_cast<std::size_t>(c);
    const double score = row.scores[at];
    const bool in = blocks.contains(row.block, c);
    row.taken[at] = !in                           ? Taken::Ranked
                    : scores.forced(row.block, c) ? Taken::Forced
                                                  : Taken::Chosen;
    row.forced += row.taken[at] == Taken::Forced ? 1 : 0;
    row.chosen += row.taken[at] == Taken::Chosen ? 1 : 0;
    row.ranked += row.taken[at] != Taken::Forced && !std::isnan(score) ? 1 : 0;
    if (row.taken[at] == Taken::Chosen)
      least = std::min(least, score);
    else if (row.taken[at] == Taken::Ranked && !std::isnan(score))
      most = std::max(most, score);
  }
  if (row.chosen > 0 && least >= most)
    row.cut = least;
  row.keys = of.prepared->rowCount(query, 0, of.n());
  return row;
}

CacheStep cacheStep(const ChosenKeys& of, Index step) {
  CacheStep at;
  at.step = step;
  KeyRanges ranges;
  of.prepared->row(step, ranges);
  for (const KeyRange& range : ranges)
    forEachRun(range, [&](Index begin, Index end) {
      for (Index j = begin; j < end; ++j)
        at.keys.push_back(j);
    });
  for (const Index j : at.keys) {
    std::size_t part = 0;
    while (!of.prepared->contains(part, step, j))
      ++part;
    at.parts.push_back(part);
  }
  at.evicted = std::count_if(of.evictedAt.begin(), of.evictedAt.begin() + step,
                             [&](Index gone) { return gone >= 0 && gone <= step; });
  if (!of.data)
    return at;
  const Scoring scoring = scoringOf(of.how, of.data.q->cols(), of.prepared->lengths());
  for (const Index j : at.keys) {
    double dot = 0;
    for (Index c = 0; c < of.data.q->cols(); ++c)
      dot += (*of.data.q)(step, c) * (*of.data.k)(j, c);
    at.weights.push_back(scoring(dot, step, j));
  }
  double lse = lseOf(at.weights);
  if (scoring.sink)
    lse = withSink(lse, *scoring.sink);
  for (double& weight : at.weights)
    weight = std::exp(weight - lse);
  return at;
}

} // namespace attention
