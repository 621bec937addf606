#include "core/views/attention/attention_figure.h"

#include "core/pattern/pattern_title.h"
#include "core/scene/input_data.h"
#include "core/support/number_text.h"
#include "core/support/part_of_run.h"
#include "core/views/mask/mask_words.h"
#include "core/views/scene_figure.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace attention {
namespace {

// "Captured mass 0.87 on average, lowest 0.31 at query 17; output error 0.12."
std::string measuresText(const AttentionHead& head) {
  if (keepsAll(head))
    return "The pattern keeps all of " + wordOf(head.weights->base()) + " attention.";
  const MeasureSummary captured = measureSummary(head.measures.captured);
  std::string text = "Captured mass " + readableNumber(captured.mean) + " on average, lowest " +
                     readableNumber(captured.least) + " at query " +
                     groupedDigits(captured.leastAt);
  if (head.measures.outputError)
    text +=
        "; relative output error " + readableNumber(head.measures.outputError->relativeFrobenius);
  return text + ", against " + wordOf(head.weights->base()) + " attention.";
}

// " Numbers, where there is room, are the share of all attention in each 32 × 32 tile; empty ones
// have 3.1 % of dense …".
std::string tilesCaption(const WeightTiles& tiles, bool difference) {
  const TileGrid& grid = tiles.layer.grid;
  std::string text = " Numbers, where there is room, are the share of all attention in each " +
                     blockText(grid.block) + " tile";
  if (grid.group > 1)
    text = " Numbers, where there is room, are the share of all attention in each square of " +
           groupedDigits(grid.group) + " × " + groupedDigits(grid.group) + " tiles of " +
           blockText(grid.block);
  return text + "; empty ones have " + sharePercent(denseMassIn(tiles, TileKind::Empty)) +
         " of dense attention, partial ones " +
         sharePercent(denseMassIn(tiles, TileKind::Partial)) + " and full ones " +
         sharePercent(denseMassIn(tiles, TileKind::Full)) + "." +
         (difference ? " Under “pattern − dense” numbers are what each gains or loses." : "");
}

constexpr Index kSmallCells = 100; // tokens: with more, cells may be smaller than pixels

std::string mapsCaption(const AttentionSpec& spec, const AttentionAnswer& answer) {
  std::string text =
      measuresText(*answer.head) +
      " Bars above each matrix show the share of all attention that each key receives.";
  const Lattice& lattice = answer.maps->lattice;
  const Index rows = lattice.rowEdges.back() - lattice.rowEdges.front();
  const Index keys = lattice.keyEdges.back() - lattice.keyEdges.front();
  if (lattice.rows() < rows || lattice.cols() < keys)
    text += " Each pixel shows the largest of up to " +
            std::to_string(ceilDiv(rows, lattice.rows())) + " × " +
            countText(ceilDiv(keys, lattice.cols()), "cell") + ".";
  else if (std::max(rows, keys) > kSmallCells)
    text += " Where several weights share a pixel, it shows the largest; labelled keys are drawn "
            "wider.";
  if (answer.tiles)
    text += tilesCaption(*answer.tiles, spec.maps.difference);
  const HeadData& head = *answer.head->weights->head();
  if (head.ready && head.v.cols() == 0)
    text += " The input has weights but no values, so the output error is unknown.";
  return text;
}

bool hasLine(const LinksMark& mark, Index key) {
  return std::any_of(mark.links.begin(), mark.links.end(),
                     [&](const Link& link) { return link.key == key; });
}

std::string linesCaption(const AttentionSpec& spec, const AttentionAnswer& answer,
                         const AttentionLook& look, const LinksMark& mark) {
  std::string text = "Wider lines are larger weights. Drawn: " + linesText(spec, mark) + ".";
  std::string of;
  if (mark.query)
    of = "query " + groupedDigits(*look.pins.query);
  if (mark.key)
    of += (of.empty() ? "key " : " and key ") + groupedDigits(*look.pins.key);
  if (!of.empty())
    text += mark.some ? " Only those of " + of + " are drawn." : " No weight falls on " + of + ".";
  if (mark.some && mark.query && mark.key && !hasLine(mark, *mark.key))
    text += " No weight falls on key " + groupedDigits(*look.pins.key) + ".";
  const Lengths& lengths = answer.head->weights->pattern()->lengths();
  if (look.cells != Rect{0, lengths.queries, 0, lengths.keys})
    text += " Only part of the " + groupedDigits(lengths.keys) +
            " tokens is shown; ↑ and ↓ mark keys outside it.";
  return text;
}

std::string headsCaption(const HeadSketches& sketches, WeightsOf of) {
  const HeadSketch& first = *sketches.made.front();
  const Lengths lengths{first.maps.lattice.rowEdges.back(), first.maps.lattice.keyEdges.back(), 0};
  const bool several = std::max(lengths.queries, lengths.keys) > kSketchPixels;
  if (of == WeightsOf::Logits)
    return std::string("Logits, the scores before the softmax: q·k / √d, or q·k times the input's "
                       "own scale. All heads share one colour scale") +
           (first.base == Base::Full     ? ""
            : first.base == Base::Causal ? "; keys after the query are blank"
                                         : "; keys that the model hides are blank") +
           (several ? ". Each pixel shows the mean of several logits." : ".");
  std::string text = "Each head has its own colour scale, on which weights near zero fade into the "
                     "background; the number below is the share of " +
                     wordOf(first.base) + " attention that the pattern keeps.";
  if (several)
    text += " Each pixel shows the largest of several weights.";
  return text;
}

} // namespace

AttentionLook attentionLook(const Scene& scene, const Lengths& lengths, const ModelHead& head) {
  AttentionLook look;
  look.cells = shownCells(scene, lengths);
  look.pins = scene.pins;
  look.about = scene.pins;
  look.chosen = head;
  look.square = lengths.square();
  look.names = keptTokenLabels(scene, head.input.get(), lengths.keys);
  look.pattern = mechanismTitle(scene.pattern);
  return look;
}

AttentionAnswer attentionAnswer(const Scene& scene, const Lengths& lengths, const ModelHead& head,
                                const Run& run) {
  const AttentionQuestion question = attentionQuestion(scene, lengths);
  AttentionAnswer answer;
  if (scene.attention.picture == AttentionPicture::Heads) {
    answer.sketches =
        std::make_shared<const HeadSketches>(headSketches(question, head.input, {}, run));
    return answer;
  }
  answer.head =
      std::make_shared<const AttentionHead>(attentionHead(question, head, partOf(run, 0, 0.6)));
  answer.maps = std::make_shared<const WeightMaps>(attentionMaps(
      *answer.head, mapCells(scene, lengths), scene.attention.picture, partOf(run, 0.6, 0.8)));
  if (const auto tiles = tilesQuestion(scene, lengths))
    answer.tiles = std::make_shared<const WeightTiles>(
        attentionTiles(*answer.head, *tiles, partOf(run, 0.8, 1)));
  return answer;
}

bool complete(const AttentionSpec& spec, const AttentionAnswer& answer) {
  if (spec.picture == AttentionPicture::Heads)
    return answer.sketches && !answer.sketches->made.empty();
  return answer.head && answer.maps;
}

std::string tileText(const AttentionAnswer& answer, Index query, Index key) {
  if (!answer.tiles)
    return {};
  const WeightTiles& tiles = *answer.tiles;
  const Lattice& lattice = tiles.layer.grid.lattice;
  const auto squareOf = [](const std::vector<Index>& edges, Index at) {
    return std::upper_bound(edges.begin(), edges.end(), at) - edges.begin() - 1;
  };
  const auto row = squareOf(lattice.rowEdges, query);
  const auto column = squareOf(lattice.keyEdges, key);
  if (row < 0 || column < 0 || row >= lattice.rows() || column >= lattice.cols())
    return {};
  const auto at = static_cast<std::size_t>(row * lattice.cols() + column);
  const TileKind kind = tiles.layer.kinds[at];
  const char* name = kind == TileKind::Full      ? "full"
                     : kind == TileKind::Partial ? "partial"
                                                 : "empty";
  return std::string(name) + (tiles.layer.grid.group > 1 ? " tiles, " : " tile, ") +
         sharePercent(tiles.dense[at]) + " of " + wordOf(answer.head->weights->base()) +
         " attention, " + sharePercent(tiles.pattern[at]) + " through the pattern";
}

std::string linesText(const AttentionSpec& spec, const LinksMark& mark) {
  constexpr double kSlack = 1 - 1e-6; // shares are rounded
  const auto weightOf = [&](const Link& link) { return link.share * mark.largest; };
  const auto isLarge = [&](const Link& link) { return weightOf(link) >= spec.least * kSlack; };
  // The line of a pinned key that no query looks at is drawn for its sake alone.
  const auto isUsual = [&](const Link& link) {
    return std::find(mark.all.begin(), mark.all.end(), link) != mark.all.end();
  };
  const auto pinned = std::find_if_not(mark.links.begin(), mark.links.end(), isUsual);
  std::vector<Link> usual;
  std::copy_if(mark.links.begin(), mark.links.end(), std::back_inserter(usual), isUsual);
  std::string text = "weights of at least " + readableNumber(spec.least);
  if (!usual.empty() && !isLarge(usual.front())) // in the order of their sizes
    text = (isLarge(usual.back()) ? text + " and each query's largest"
                                  : std::string("each query's largest weight")) +
           "; the smallest is " + readableNumber(weightOf(usual.front()));
  if (pinned == mark.links.end())
    return text;
  const LinkKey& key = mark.keys[static_cast<std::size_t>(pinned->key)];
  const std::string pin = "the pinned key " + groupedDigits(key.token);
  const std::string weight = "a weight of " + readableNumber(weightOf(*pinned));
  return usual.empty() ? weight + " on " + pin : text + "; also " + pin + ", with " + weight;
}

AttentionDrawn attentionDrawn(const AttentionSpec& spec, const AttentionAnswer& answer,
                              const AttentionLook& look) {
  if (spec.picture == AttentionPicture::Heads)
    return {{{"", {headsPlot(spec, *answer.sketches, look)}, {}}},
            headsCaption(*answer.sketches, spec.of)};
  if (spec.picture == AttentionPicture::Lines) {
    Plot lines = linksPlot(spec, answer, look);
    std::string caption = linesCaption(spec, answer, look, std::get<LinksMark>(lines.mark));
    return {{{"", {std::move(lines)}, {}}}, std::move(caption)};
  }
  AttentionDrawn drawn{mapPanels(spec, answer, look), mapsCaption(spec, answer)};
  if (spec.curves)
    for (FigurePanel& panel : measurePanels(answer, look))
      drawn.panels.push_back(std::move(panel));
  return drawn;
}

std::string attentionTitle(const AttentionSpec& spec, const AttentionAnswer& answer,
                           const AttentionLook& look) {
  const bool heads = spec.picture == AttentionPicture::Heads;
  const Base base = heads ? answer.sketches->made.front()->base : answer.head->weights->base();
  const std::string whole = base == Base::Full     ? "Full attention"
                            : base == Base::Causal ? "Causal attention"
                                                   : "The model's own attention";
  const std::string kept = "through the pattern “" + look.pattern + "”";
  if (heads && spec.of == WeightsOf::Logits)
    return "Attention logits of every head";
  if (heads)
    return spec.of == WeightsOf::Full ? whole + " of every head" : "Every head " + kept;
  const std::string of = answer.head->words.empty() ? "" : " of " + answer.head->words;
  if (spec.picture == AttentionPicture::Lines)
    return (spec.of == WeightsOf::Pattern ? "Attention" + of + " " + kept : whole + of);
  // Weights through a pattern that has all keys are the same.
  if (keepsAll(*answer.head))
    return whole + of;
  return whole + of + ", and the same " + kept;
}

Figure attentionFigure(const AttentionSpec& spec, const AttentionAnswer& answer,
                       const AttentionLook& look, FigureTheme theme) {
  Figure figure;
  figure.theme = theme;
  figure.title = attentionTitle(spec, answer, look);
  AttentionDrawn drawn = attentionDrawn(spec, answer, look);
  figure.panels = std::move(drawn.panels);
  figure.caption = std::move(drawn.caption);
  figure.source = spec.picture == AttentionPicture::Maps
                      ? "Weights: Vaswani et al. 2017, equation 1"
                      : "After Vig 2019, BertViz";
  figure.legend = attentionLegend(spec, answer, theme);
  return figure;
}

} // namespace attention
