#include "core/views/attention/scene_attention.h"

#include "core/input/model_metadata.h"
#include "core/scene/input_data.h"
#include "core/scene/own_mask.h"
#include "core/scene/pattern_files.h"
#include "core/support/error.h"
#include "core/support/part_of_run.h"
#include "core/support/text.h"
#include "core/views/mask/mask_words.h"
#include "core/views/scene_figure.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attention {
namespace {

std::optional<Index> pinIn(const std::optional<Index>& pin, Index begin, Index end) {
  return pin && *pin >= begin && *pin < end ? pin : std::nullopt;
}

// Where kMostLineTokens begin that have the token in their middle, as far as the ends allow.
Index partBegin(Index begin, Index end, const std::optional<Index>& token) {
  const Index wish = token ? *token - kMostLineTokens / 2 : begin;
  return std::clamp(wish, begin, std::max(begin, end - kMostLineTokens));
}

void requireLoaded(const Input* input, const AttentionQuestion& question) {
  if (!input)
    throw Error(ErrorCode::Unsupported, "input",
                "No input loaded. Open Q, K, V or attention weights.");
  requireCovered(*input, question.lengths, question.align);
}

std::shared_ptr<const HeadData> dataOf(const AttentionQuestion& question, const ModelHead& of,
                                       const Run& run) {
  const Input& input = *of.input;
  const Lengths& lengths = question.lengths;
  const Index first = firstQueryRow(input, lengths, question.align);
  HeadData data;
  if (!input.hasQkv()) {
    data.ready = cutOut(input.attention<float>(of.head, of.batch, run), first, lengths.queries,
                        lengths.keys);
    data.v = cutOut(valuesIfAny<float>(input, of.batch, of.head, run), 0, lengths.keys, input.dv);
    return std::make_shared<const HeadData>(std::move(data));
  }
  data.q = cutOut(input.q<float>(of.head, of.batch, run), first, lengths.queries, input.d);
  data.k = cutOut(input.k<float>(of.head, of.batch, run), 0, lengths.keys, input.d);
  data.v = cutOut(valuesIfAny<float>(input, of.batch, of.head, run), 0, lengths.keys, input.dv);
  data.scores = attendOptions(input, of.head);
  return std::make_shared<const HeadData>(std::move(data));
}

std::shared_ptr<const Prepared> preparedFor(const AttentionQuestion& question, const ModelHead& of,
                                            const Run& run) {
  PatternData data;
  if (needsData(question.pattern))
    data = inputData(std::span(&question.pattern, 1), *of.input, of.batch, of.head,
                     question.lengths, question.align, run.quiet());
  return prepare(resolveFiles(question.pattern, {}, run.quiet()), question.lengths, data,
                 run.quiet());
}

double meanOf(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Without what each key receives, which sketches do not show.
AttentionHead measuredHead(const AttentionQuestion& question, const ModelHead& of, const Run& run) {
  AttentionHead made;
  made.weights = headWeights(question, of, partOf(run, 0, 0.4));
  made.words = headWords(*of.input, of.batch, of.head);
  made.measures = queryMeasures(*made.weights, partOf(run, 0.4, 1));
  return made;
}

std::shared_ptr<const HeadSketch> sketchOf(const AttentionQuestion& question, const ModelHead& of,
                                           const Run& run) {
  const AttentionHead head = measuredHead(question, of, partOf(run, 0, 0.7));
  const Lengths& lengths = question.lengths;
  const Lattice lattice =
      latticeOver({0, lengths.queries, 0, lengths.keys}, std::min(lengths.queries, kSketchPixels),
                  std::min(lengths.keys, kSketchPixels));
  HeadSketch sketch{of.batch,
                    of.head,
                    weightMaps(*head.weights, lattice, partOf(run, 0.7, 1)),
                    {},
                    meanOf(head.measures.captured),
                    meanOf(head.measures.denseEntropy),
                    {},
                    head.weights->base()};
  if (!head.weights->head()->ready)
    sketch.logits = logitMap(*head.weights, lattice, run.quiet());
  for (const float logit : sketch.logits.values())
    if (std::isfinite(logit))
      sketch.largestLogit = std::max(sketch.largestLogit, std::abs(logit));
  if (head.measures.outputError)
    sketch.error = head.measures.outputError->relativeFrobenius;
  return std::make_shared<const HeadSketch>(std::move(sketch));
}

} // namespace

AttentionQuestion attentionQuestion(const Scene& scene, const Lengths& lengths) {
  const AttentionSpec& spec = scene.attention;
  const Index n = std::max(lengths.queries, lengths.keys);
  if (n > kMostAttentionTokens)
    throwRange("n", std::to_string(n),
               "at most " + std::to_string(kMostAttentionTokens) + " tokens in this view");
  if (!spec.maps.full && !spec.maps.pattern && !spec.maps.difference)
    throwRange("maps", "an empty list", "a list of at least one of full, pattern and difference");
  if (!(spec.least >= 0 && spec.least <= 1))
    throwRange("least", shortest(spec.least), "a number from 0 to 1");
  return {scene.pattern, lengths, spec.base, scene.length.align};
}

std::string headWords(const Input& input, Index batch, Index head) {
  std::string words;
  if (input.batches > 1 || !input.batchLabels.empty()) {
    const auto b = static_cast<std::size_t>(batch);
    words = b < input.batchLabels.size() ? input.batchLabels[b]
                                         : input.batchName + " " + std::to_string(batch);
  }
  if (input.heads > 1 || !headNumbers(input).empty())
    words += (words.empty() ? "head " : ", head ") + std::to_string(headNumber(input, head));
  return words;
}

std::shared_ptr<const HeadWeights> headWeights(const AttentionQuestion& question,
                                               const ModelHead& of, const Run& run) {
  requireLoaded(of.input.get(), question);
  const auto pattern = preparedFor(question, of, run);
  const auto data = dataOf(question, of, run.quiet());
  const std::optional<Base> base =
      baseFor(question.base, *of.input, of.batch, question.lengths,
              firstQueryRow(*of.input, question.lengths, question.align), run.quiet());
  return std::make_shared<const HeadWeights>(pattern, data, base, partOf(run, 0.1, 1));
}

AttentionHead attentionHead(const AttentionQuestion& question, const ModelHead& of,
                            const Run& run) {
  AttentionHead made = measuredHead(question, of, partOf(run, 0, 0.7));
  made.received = keyMass(*made.weights, partOf(run, 0.7, 1));
  return made;
}

Rect shownCells(const Scene& scene, const Lengths& lengths) {
  const Rect seen = cellsOf(scene.camera, lengths);
  if (scene.attention.picture != AttentionPicture::Lines)
    return seen;
  std::optional<Index> query = pinIn(scene.pins.query, seen.rowBegin, seen.rowEnd);
  std::optional<Index> key = pinIn(scene.pins.key, seen.keyBegin, seen.keyEnd);
  if (lengths.square()) {
    query = query ? query : key;
    key = key ? key : query;
    if (query && 2 * std::abs(*query - *key) < kMostLineTokens)
      query = (*query + *key + 1) / 2; // of an even number the second is in the middle
    key = query;
  }
  const Index row = partBegin(seen.rowBegin, seen.rowEnd, query);
  const Index column = partBegin(seen.keyBegin, seen.keyEnd, key);
  return intersection(seen, {row, row + kMostLineTokens, column, column + kMostLineTokens});
}

Rect mapCells(const Scene& scene, const Lengths& lengths) {
  if (std::max(lengths.queries, lengths.keys) <= kMostWholeTokens)
    return {0, lengths.queries, 0, lengths.keys};
  Rect cells = shownCells(scene, lengths);
  if (scene.attention.picture == AttentionPicture::Lines) {
    cells.keyBegin = 0;
    cells.keyEnd = lengths.keys;
  }
  return cells;
}

WeightMaps attentionMaps(const AttentionHead& head, const Rect& cells, AttentionPicture picture,
                         const Run& run) {
  const Index rows = cells.rowEnd - cells.rowBegin;
  const Index keys = cells.keyEnd - cells.keyBegin;
  const bool page = picture == AttentionPicture::Lines && rows <= kMostLineTokens;
  const Lattice lattice =
      latticeOver(cells, std::min(rows, kMapPixels), page ? keys : std::min(keys, kMapPixels));
  return weightMaps(*head.weights, lattice, run);
}

std::optional<TilesQuestion> tilesQuestion(const Scene& scene, const Lengths& lengths) {
  if (!scene.mask.tiles.shown || scene.attention.picture != AttentionPicture::Maps)
    return std::nullopt;
  return TilesQuestion{blockOf(scene.mask.tiles), shownCells(scene, lengths)};
}

WeightTiles attentionTiles(const AttentionHead& head, const TilesQuestion& question,
                           const Run& run) {
  const Lengths& lengths = head.weights->pattern()->lengths();
  return weightTiles(*head.weights,
                     tileGrid(question.cells, lengths, question.block, kMostTileSquares), run);
}

HeadSketches headSketches(const AttentionQuestion& question,
                          const std::shared_ptr<const Input>& input,
                          const std::function<void(const HeadSketches&)>& onPart, const Run& run) {
  requireLoaded(input.get(), question);
  HeadSketches sketches;
  sketches.batches = input->batches;
  sketches.heads = input->heads;
  sketches.batchName = input->batchName;
  sketches.batchLabels = input->batchLabels;
  const Index all = input->batches * input->heads;
  if (all > kMostHeadsDrawn)
    throwRange("heads", std::to_string(all),
               "at most " + std::to_string(kMostHeadsDrawn) + " side by side");
  for (Index k = 0; k < all; ++k) {
    const ModelHead of{input, k / input->heads, k % input->heads};
    sketches.made.push_back(sketchOf(question, of, stepOf(run, k, all)));
    if (onPart)
      onPart(sketches);
  }
  return sketches;
}

AttentionRow attentionRow(const AttentionHead& head, Index query) {
  const Index keys = head.weights->pattern()->lengths().keys;
  const Rect cells{query, query + 1, 0, keys};
  AttentionRow row;
  row.query = query;
  row.dense = head.weights->denseRows(cells).values();
  row.pattern = head.weights->patternRows(cells).values();
  row.top = topKeys(row.dense, row.pattern, kTopKeys);
  return row;
}

} // namespace attention
