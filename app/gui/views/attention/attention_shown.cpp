#include "app/gui/interface/jargon.h"
#include "app/gui/platform/utf8.h"
#include "app/gui/views/attention/weights_view.h"
#include "app/gui/widgets/group_digits.h"
#include "core/support/number_text.h"

#include <algorithm>

namespace attention::gui {
namespace {

std::string tokenText(const AttentionLook& look, Index token) {
  const auto at = static_cast<std::size_t>(token);
  return groupDigits(token) +
         (at < look.names.size() ? " “" + visibleText(look.names[at]) + "”" : "");
}

std::string queryText(const AttentionLook& look, Index query) {
  return look.square ? tokenText(look, query) : groupDigits(query);
}

void addMeasures(AttentionShown& shown) {
  const QueryMeasures& of = shown.answer.head->measures;
  const auto add = [&](const std::string& label, const std::string& value, const std::string& tip) {
    shown.facts.add(label, value, tip);
  };
  const auto at = [&](double value, Index query) {
    return shortNumber(value, 3) + " at " + queryText(shown.look, query);
  };
  const MeasureSummary captured = measureSummary(of.captured);
  add("captured mass, mean", shortNumber(captured.mean, 3),
      explained("Mean over the queries.", jargon::kCapturedMass));
  add("   lowest", at(captured.least, captured.leastAt), "The query that loses the most");
  if (of.outputError) {
    const MeasureSummary error = measureSummary(of.error);
    add("output error", shortNumber(of.outputError->relativeFrobenius, 3),
        explained("|O − O*| / |O*| over all queries, Frobenius norm.", jargon::kOutputError));
    add("   mean of queries", shortNumber(error.mean, 3), "Mean of |oᵢ − oᵢ*| / |oᵢ*|");
    add("   lowest", at(error.least, error.leastAt), "The query with the smallest error");
    add("   highest", at(error.most, error.mostAt), "The query with the largest error");
  }
  const auto entropy = [&](const std::string& label, const std::vector<double>& values) {
    const MeasureSummary sum = measureSummary(values);
    add("entropy, " + label, shortNumber(sum.mean, 3) + " nats",
        explained("−Σ p ln p, mean over the queries.", jargon::kEntropy));
    add("   lowest", at(sum.least, sum.leastAt), "The most focused query");
    add("   highest", at(sum.most, sum.mostAt), "The least focused query");
  };
  entropy(std::string(name(shown.answer.head->weights->base())), of.denseEntropy);
  entropy("pattern", of.patternEntropy);
}

void addHead(AttentionShown& shown) {
  const HeadData& head = *shown.answer.head->weights->head();
  shown.facts.heading = "Against " + wordOf(shown.answer.head->weights->base()) + " attention";
  addMeasures(shown);
  if (head.ready)
    shown.notes.push_back(
        head.v.cols() > 0
            ? "The input has attention weights: they are cut to the pattern and normalised again."
            : "The input has attention weights but no values: they are cut to the pattern and "
              "normalised again, and the output error is unknown.");
}

std::string headText(const AttentionShown& shown, const HeadSketch& of) {
  const std::string words = headWords(*shown.look.chosen.input, of.batch, of.head);
  return words.empty() ? "the head" : words;
}

void addHeads(AttentionShown& shown) {
  const HeadSketches& all = *shown.answer.sketches;
  const auto by = [](double HeadSketch::*measure) {
    return [measure](const auto& a, const auto& b) { return (*a).*measure < (*b).*measure; };
  };
  const auto [least, most] =
      std::minmax_element(all.made.begin(), all.made.end(), by(&HeadSketch::captured));
  const auto [sharpest, broadest] =
      std::minmax_element(all.made.begin(), all.made.end(), by(&HeadSketch::entropy));
  double sum = 0;
  for (const auto& sketch : all.made)
    sum += sketch->captured;
  shown.facts.heading = groupDigits(static_cast<std::int64_t>(all.made.size())) + " of " +
                        counted(all.batches * all.heads, "head");
  shown.facts.lines = {
      {"captured mass, mean", shortNumber(sum / static_cast<double>(all.made.size()), 3),
       explained("Mean over the heads.", jargon::kCapturedMass)},
      {"   lowest", shortNumber((*least)->captured, 3) + " · " + headText(shown, **least),
       "The head that loses the most"},
      {"   highest", shortNumber((*most)->captured, 3) + " · " + headText(shown, **most),
       "The head that loses the least"},
      {"entropy, lowest",
       shortNumber((*sharpest)->entropy, 3) + " · " + headText(shown, **sharpest),
       explained("The head that attends to the fewest keys.", jargon::kEntropy)},
      {"entropy, highest",
       shortNumber((*broadest)->entropy, 3) + " · " + headText(shown, **broadest),
       explained("The head that attends to the most keys.", jargon::kEntropy)}};
}

} // namespace

AttentionShown makeAttentionShown(const AttentionSpec& spec, const AttentionAnswer& answer,
                                  const AttentionLook& look, const Run& run) {
  AttentionShown shown;
  shown.spec = spec;
  shown.answer = answer;
  shown.look = look;
  shown.title = attentionTitle(spec, answer, look);
  AttentionDrawn drawn = attentionDrawn(spec, answer, look);
  shown.panels = std::move(drawn.panels);
  shown.caption = std::move(drawn.caption);
  shown.reading = readingOf(spec, answer, look, run);
  if (spec.picture == AttentionPicture::Heads) {
    addHeads(shown);
    return shown;
  }
  addHead(shown);
  for (const FigurePanel& panel : shown.panels)
    shown.maps += std::holds_alternative<ValuesMark>(panel.plots.front().mark) ? 1U : 0U;
  return shown;
}

} // namespace attention::gui
