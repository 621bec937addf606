// The model as it is and what variants cost it, computed one by one, the first tokens first.
#include "core/support/part_of_run.h"
#include "core/views/model/first_tokens.h"
#include "core/views/model/scene_model.h"

#include <algorithm>
#include <numeric>
#include <type_traits>
#include <utility>

namespace attention {
namespace {

constexpr double kForwardShare = 0.75; // of the time that layers and logits take

Run forwardPart(const Run& run) {
  return partOf(run, 0, kForwardShare);
}

Run predictionsPart(const Run& run) {
  return partOf(run, kForwardShare, 1);
}

using FinalStates = std::vector<std::shared_ptr<const Matrix<float>>>;

using FirstTokensReady = std::function<void(FirstTokens)>;

// The predictions of the first tokens of what `all` will be, as far as they are there.
FirstTokens firstOf(const ModelVariant& variant, const Predictions& all, Index tokens) {
  const auto part = [&](const auto& list) {
    return std::decay_t<decltype(list)>(list.begin(), list.begin() + (tokens - 1));
  };
  return {variant.name, tokens, {part(all.loss), part(all.top), part(all.share), part(all.kl)}};
}

// A text of these tokens alone: their predictions are those of the whole.
FirstTokens computedFirst(const ModelAsItIs& base, const ModelVariant& variant, Index tokens,
                          const Run& run) {
  const ForwardStates states =
      forward(firstTokens(base.states, tokens), variant, ForwardOptions{0}, forwardPart(run));
  const auto all =
      predictions(*base.model, states.ids, FinalStates{states.final}, {}, predictionsPart(run));
  return firstOf(variant, all.front(), tokens);
}

// Masks that are the model's own, whatever patterns they are of.
std::shared_ptr<const VariantCost> sameAsItIs(const ModelCosts& costs,
                                              const ModelVariant& variant) {
  auto same = std::make_shared<VariantCost>();
  same->variant = variant;
  same->row = costs.asItIs;
  same->row.name = variant.name;
  same->predictions = costs.base->predictions;
  return same;
}

// The share of the time that the first ones of n tokens take.
double shareOfFirst(Index n, const std::optional<Index>& first) {
  const auto of = static_cast<double>(first.value_or(0));
  return of / (static_cast<double>(n) + of);
}

// `ready` may be empty: then nothing is computed twice.
std::shared_ptr<const VariantCost> costOf(const ModelCosts& costs, const ModelVariant& variant,
                                          const FirstTokensReady& ready, const Run& run) {
  const ModelAsItIs& base = *costs.base;
  const auto n = static_cast<Index>(base.tokens->ids.size());
  const Index own = ownTokens(*base.model, variant, n, run.quiet());
  if (own == n)
    return sameAsItIs(costs, variant);
  if (ready && own >= kLeastFirstTokens)
    ready(firstOf(variant, base.predictions, own));
  const auto first =
      ready ? firstTokensOf(*base.model, variant, n, own, run.quiet()) : std::nullopt;
  const double whole = shareOfFirst(n, first);
  if (first)
    ready(computedFirst(base, variant, *first, partOf(run, 0, whole)));
  const Run rest = partOf(run, whole, 1);
  auto cost = std::make_shared<VariantCost>();
  cost->variant = variant;
  const Model& model = *base.model;
  std::vector<ForwardStates> states{base.states};
  states.push_back(forward(base.states, variant, ForwardOptions{0}, forwardPart(rest)));
  std::vector<Predictions> all;
  const auto part = [&](Index, Index end, std::span<const Predictions> some) {
    if (ready && end + 1 < n && end + 1 > std::max(own, first.value_or(0))) // of long texts
      ready(firstOf(variant, some[1], end + 1));
  };
  if (!model.encoder)
    all = predictions(model, base.tokens->ids, FinalStates{states[0].final, states[1].final}, part,
                      predictionsPart(rest));
  LossTable table = lossTable(states, std::move(all));
  cost->row = std::move(table.rows[1]);
  if (!table.predictions.empty())
    cost->predictions = std::move(table.predictions[1]);
  return cost;
}

// The same masks under another name.
std::shared_ptr<const VariantCost> known(const ModelCosts* before, const ModelAsItIs& base,
                                         const ModelVariant& variant) {
  if (!before || before->base.get() != &base)
    return nullptr;
  for (const auto& cost : before->variants)
    if (cost->variant.rules == variant.rules) {
      if (cost->variant.name == variant.name)
        return cost;
      auto renamed = std::make_shared<VariantCost>(*cost);
      renamed->variant.name = renamed->row.name = variant.name;
      return renamed;
    }
  return nullptr;
}

// Of the first tokens alone: the loss, and nothing that stands beside numbers of the whole.
MeasuredRow rowOf(const FirstTokens& first, const Tokenizer* tokenizer, std::size_t hue) {
  const std::vector<double>& loss = first.predictions.loss;
  LossRow row;
  row.name = first.name;
  row.loss = std::accumulate(loss.begin(), loss.end(), 0.0) / static_cast<double>(loss.size());
  return measuredRow(row, first.predictions, tokenizer, hue);
}

// What is said of model and text, without numbers.
MeasuredCosts measuredText(const Model& model, const ModelTokens& tokens) {
  MeasuredCosts measured;
  measured.model = model.name;
  measured.note = model.note;
  measured.encoder = model.encoder;
  measured.tokens = std::ssize(tokens.ids);
  measured.given = tokens.given;
  measured.from = tokens.from;
  measured.pieces = tokens.pieces;
  return measured;
}

std::shared_ptr<const ModelTokens> beginningOf(const ModelTokens& tokens, Index count) {
  auto first = std::make_shared<ModelTokens>(tokens);
  first->ids.resize(static_cast<std::size_t>(count));
  first->shipped = false; // whose text is longer
  if (!first->pieces.empty())
    first->pieces.resize(static_cast<std::size_t>(count));
  return first;
}

ModelAsItIs computedAsItIs(std::shared_ptr<const Model> model,
                           std::shared_ptr<const ModelTokens> tokens, const Run& run) {
  ModelAsItIs base;
  base.states = forward(model, tokens->ids, {}, {}, forwardPart(run));
  if (!model->encoder)
    base.predictions =
        predictions(*model, tokens->ids, FinalStates{base.states.final}, {}, predictionsPart(run))
            .front();
  base.model = std::move(model);
  base.tokens = std::move(tokens);
  return base;
}

} // namespace

ModelAsItIs modelAsItIs(std::shared_ptr<const Model> model,
                        std::shared_ptr<const ModelTokens> tokens,
                        const std::function<void(ModelAsItIs)>& begun, const Run& run) {
  const auto n = static_cast<Index>(tokens->ids.size());
  const auto first = begun ? firstTokensOf(*model, {}, n, 0, run.quiet()) : std::nullopt;
  const double whole = shareOfFirst(n, first);
  if (first)
    begun(computedAsItIs(model, beginningOf(*tokens, *first), partOf(run, 0, whole)));
  return computedAsItIs(std::move(model), std::move(tokens), partOf(run, whole, 1));
}

ModelCosts modelCosts(std::shared_ptr<const ModelAsItIs> base, std::vector<ModelVariant> variants,
                      const ModelCosts* before, const CostsHeard& heard, const Run& run) {
  ModelCosts costs{std::move(base), {}, {}, std::move(variants)};
  const ModelAsItIs& own = *costs.base;
  std::vector<Predictions> first;
  if (!own.model->encoder)
    first.push_back(own.predictions);
  costs.asItIs = lossTable(std::span(&own.states, 1), std::move(first)).rows.front();
  FirstTokensReady ready;
  if (heard.part && heard.firstTokens)
    ready = [&](FirstTokens begun) {
      costs.begun = std::move(begun);
      heard.part(costs);
    };
  const auto steps = static_cast<Index>(costs.asked.size());
  for (Index k = 0; k < steps; ++k) {
    if (heard.part)
      heard.part(costs);
    const ModelVariant& variant = costs.asked[static_cast<std::size_t>(k)];
    auto cost = known(before, own, variant);
    if (!cost)
      cost = known(&costs, own, variant);
    if (!cost)
      cost = costOf(costs, variant, ready, stepOf(run, k, steps));
    costs.begun.reset();
    costs.variants.push_back(std::move(cost));
  }
  return costs;
}

MeasuredCosts measuredOf(const ModelCosts& costs) {
  const ModelAsItIs& base = *costs.base;
  MeasuredCosts measured = measuredText(*base.model, *base.tokens);
  const Tokenizer* tokenizer = base.tokens->tokenizer.get();
  measured.rows.push_back(measuredRow(costs.asItIs, base.predictions, tokenizer, 0));
  for (const auto& variant : costs.variants)
    measured.rows.push_back(
        measuredRow(variant->row, variant->predictions, tokenizer, measured.rows.size()));
  if (costs.begun)
    measured.begun = rowOf(*costs.begun, tokenizer, measured.rows.size());
  return measured;
}

MeasuredCosts begunOf(const ModelAsItIs& first, const ModelTokens& tokens) {
  MeasuredCosts measured = measuredText(*first.model, tokens);
  measured.begun =
      rowOf({kAsItIs, std::ssize(first.tokens->ids), first.predictions}, tokens.tokenizer.get(), 0);
  return measured;
}

} // namespace attention
