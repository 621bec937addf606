// What to see in maps, heads and lines, in sentences (attention_figure.h).
#include "core/pattern/branch_layers.h"
#include "core/support/number_text.h"
#include "core/views/attention/attention_figure.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

using Sentences = std::vector<std::string>;

constexpr Index kFewQueries = 8;        // with fewer nothing is said of "most queries"
constexpr double kLeastTogether = 0.2;  // of all attention: below, sinks are not worth a sentence
constexpr double kLeastShare = 0.02;    // that a sink receives,
constexpr double kLeastOfLargest = 0.5; // as a share of what the largest one does,
constexpr double kTimesEven = 3;        // and as a multiple of what equal weights would give it
constexpr std::size_t kMostNamed = 4;

std::string tokenText(const AttentionLook& look, Index token) {
  const auto at = static_cast<std::size_t>(token);
  return groupedDigits(token) + (at < look.names.size() ? " “" + look.names[at] + "”" : "");
}

std::string queryText(const AttentionLook& look, Index query) {
  return look.square ? tokenText(look, query) : groupedDigits(query);
}

// What the key would receive if every query gave all its keys the same weight.
double evenShare(const Prepared& dense, Index key) {
  const Lengths& lengths = dense.lengths();
  double sum = 0;
  for (Index i = 0; i < lengths.queries; ++i)
    if (dense.contains(i, key))
      sum += 1 / static_cast<double>(dense.rowCount(i, 0, lengths.keys));
  return sum / static_cast<double>(lengths.queries);
}

// The keys that receive by far the most of all attention, ascending.
std::vector<Index> sinksOf(const AttentionHead& head, const Run& run) {
  const std::vector<double>& received = head.received.dense;
  const Prepared& dense = *head.weights->dense();
  const double least =
      std::max(kLeastShare, kLeastOfLargest * *std::max_element(received.begin(), received.end()));
  std::vector<Index> sinks;
  for (std::size_t key = 0; key < received.size(); ++key) {
    if (received[key] < least)
      continue;
    run.check();
    // Or half of what is left above its even share, where three times that is hardly possible: the
    // first of a few causal tokens.
    const double even = evenShare(dense, static_cast<Index>(key));
    if (received[key] >= std::min(kTimesEven * even, (1 + even) / 2))
      sinks.push_back(static_cast<Index>(key));
  }
  return sinks;
}

// "0 “\n”, 1 “The” and 2 more".
std::string namesOf(const std::vector<Index>& keys, const AttentionLook& look) {
  const std::size_t named = std::min(keys.size(), kMostNamed);
  std::string names;
  for (std::size_t k = 0; k < named; ++k)
    names += (k == 0 ? "" : k + 1 < keys.size() ? ", " : " and ") + tokenText(look, keys[k]);
  return keys.size() > named ? names + " and " + groupedDigits(keys.size() - named) + " more"
                             : names;
}

void addSinks(Sentences& said, const AttentionHead& head, const AttentionLook& look,
              const Run& run) {
  if (head.received.dense.empty() || head.weights->dense()->lengths().queries < kFewQueries)
    return;
  const std::vector<Index> keys = sinksOf(head, run);
  double sum = 0;
  for (const Index key : keys)
    sum += head.received.dense[static_cast<std::size_t>(key)];
  if (sum < kLeastTogether)
    return;
  const std::string names = namesOf(keys, look);
  said.push_back(
      keys.size() == 1
          ? "Key " + names + " receives " + sharePercent(sum) +
                " of all attention: it is a sink, a key that most queries give weight to "
                "regardless of its content."
          : "Keys " + names + " together receive " + sharePercent(sum) +
                " of all attention: they are sinks, keys that most queries give weight to "
                "regardless of their content.");
}

Sentences readHead(const AttentionHead& head, const AttentionLook& look, const Run& run) {
  Sentences said;
  if (const Input* input = look.chosen.input.get(); input && input->attends != Attends::Unknown)
    said.push_back(attendsText(input->attends));
  const HeadWeights& weights = *head.weights;
  const MeasureSummary captured = measureSummary(head.measures.captured);
  const auto pairs = static_cast<double>(weights.pattern()->pairs(run));
  const auto all = static_cast<double>(weights.dense()->pairs(run));
  if (keepsAll(head))
    said.push_back("The pattern keeps all of " + wordOf(weights.base()) + " attention.");
  else if (all > 0)
    said.push_back("With " + sharePercent(pairs / all) + " of the pairs the pattern keeps " +
                   sharePercent(captured.mean) + " of the attention.");
  if (captured.least < 0.999)
    said.push_back("Query " + queryText(look, captured.leastAt) +
                   " loses the most: " + sharePercent(captured.least) + " is kept.");
  addSinks(said, head, look, run);
  for (std::string& sentence : weightSentences(*weights.pattern()))
    said.push_back(std::move(sentence));
  return said;
}

std::string headText(const AttentionLook& look, const HeadSketch& of) {
  const std::string words = headWords(*look.chosen.input, of.batch, of.head);
  return words.empty() ? "the head" : words;
}

// The heads with the largest and with the smallest logit of the picture.
void addLogits(Sentences& said, const HeadSketches& sketches, const AttentionLook& look) {
  const HeadSketch* high = nullptr;
  const HeadSketch* low = nullptr;
  float most = 0;
  float least = 0;
  for (const auto& sketch : sketches.made)
    for (const float logit : sketch->logits.values()) {
      if (!std::isfinite(logit))
        continue;
      if (!high || logit > most) {
        most = logit;
        high = sketch.get();
      }
      if (!low || logit < least) {
        least = logit;
        low = sketch.get();
      }
    }
  if (high)
    said.push_back("The logits shown range from " + readableNumber(static_cast<double>(least), 2) +
                   " in " + headText(look, *low) + " to " +
                   readableNumber(static_cast<double>(most), 2) + " in " + headText(look, *high) +
                   ".");
}

Sentences readHeads(const AttentionSpec& spec, const HeadSketches& all, const AttentionLook& look) {
  const auto [least, most] =
      std::minmax_element(all.made.begin(), all.made.end(),
                          [](const auto& a, const auto& b) { return a->captured < b->captured; });
  Sentences said;
  if (spec.of == WeightsOf::Logits)
    addLogits(said, all, look);
  if (sharePercent((*least)->captured) == sharePercent((*most)->captured))
    said.push_back("The pattern keeps " + sharePercent((*most)->captured) +
                   " of the attention of every head.");
  else
    said.push_back("The pattern keeps most of " + headText(look, **most) + " (" +
                   sharePercent((*most)->captured) + ") and least of " + headText(look, **least) +
                   " (" + sharePercent((*least)->captured) + ").");
  return said;
}

// How much of the pinned query's weight falls on the drawn keys; nothing where all are drawn.
std::string shownKeysText(const AttentionSpec& spec, const AttentionAnswer& answer,
                          const AttentionLook& look) {
  const Rect& cells = look.cells;
  const auto& query = look.pins.query;
  const Index keys = answer.head->weights->pattern()->lengths().keys;
  if (!query || *query < cells.rowBegin || *query >= cells.rowEnd ||
      cells.keyEnd - cells.keyBegin == keys)
    return {};
  const WeightMaps& maps = *answer.maps;
  const Matrix<float>& weights = spec.of == WeightsOf::Pattern ? maps.pattern : maps.dense;
  double sum = 0;
  for (Index j = cells.keyBegin; j < cells.keyEnd; ++j)
    sum += static_cast<double>(
        weights(*query - maps.lattice.rowEdges.front(), j - maps.lattice.keyEdges.front()));
  return sharePercent(sum) + " of the weight of query " + queryText(look, *query) +
         " falls on the keys shown.";
}

Sentences readLines(const AttentionSpec& spec, const AttentionAnswer& answer,
                    const AttentionLook& look) {
  const Plot plot = linksPlot(spec, answer, look);
  const auto& mark = std::get<LinksMark>(plot.mark);
  Sentences said{groupedDigits(mark.links.size()) +
                 agreeing(mark.links.size(), " line is", " lines are") +
                 " drawn: " + linesText(spec, mark) + "."};
  if (std::string shown = shownKeysText(spec, answer, look); !shown.empty())
    said.push_back(std::move(shown));
  return said;
}

} // namespace

std::vector<std::string> readingOf(const AttentionSpec& spec, const AttentionAnswer& answer,
                                   const AttentionLook& look, const Run& run) {
  if (spec.picture == AttentionPicture::Heads)
    return readHeads(spec, *answer.sketches, look);
  Sentences said;
  if (spec.picture == AttentionPicture::Lines)
    said = readLines(spec, answer, look);
  for (std::string& sentence : readHead(*answer.head, look, run))
    said.push_back(std::move(sentence));
  return said;
}

} // namespace attention
