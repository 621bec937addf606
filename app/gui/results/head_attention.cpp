#include "app/gui/results/make_results.h"
#include "app/gui/results/ready_weights.h"

#include "core/analysis/metrics.h"
#include "core/analysis/ready_weights.h"
#include "core/attention/weights.h"
#include "core/scene/input_data.h"
#include "core/scene/own_mask.h"
#include "core/scene/score_words.h"

#include <numeric>

namespace attention::gui {
namespace {

double meanOf(const std::vector<double>& values) {
  return values.empty() ? 0.0
                        : std::accumulate(values.begin(), values.end(), 0.0) /
                              static_cast<double>(values.size());
}

} // namespace

HeadAttention makeAttention(const Masks& masks, const ModelHead& of, Index firstRow,
                            const Run& run) {
  HeadAttention made;
  made.prepared = masks.tiles.front().prepared;
  made.input = of.input;
  made.batch = of.batch;
  made.head = of.head;
  made.firstRow = firstRow;
  const Lengths& lengths = made.prepared->lengths();
  const Input& input = *of.input;
  if (!input.hasQkv()) {
    made.ready = cutOut(input.attention<float>(of.head, of.batch, run), firstRow, lengths.queries,
                        lengths.keys);
    made.v = cutOut(valuesIfAny<float>(input, of.batch, of.head, run), 0, lengths.keys, input.dv);
    return made;
  }
  made.q = cutOut(input.q<float>(of.head, of.batch, run), firstRow, lengths.queries, input.d);
  made.k = cutOut(input.k<float>(of.head, of.batch, run), 0, lengths.keys, input.d);
  made.v = cutOut(valuesIfAny<float>(input, of.batch, of.head, run), 0, lengths.keys, input.dv);
  made.scores = attendOptions(input, of.head);
  made.scoring = scoringOf(made.scores, input.d, lengths);
  const HeadAttention& ready = made;
  made.result =
      attend(*made.prepared, ready.q.view(), ready.k.view(), ready.v.view(), made.scores, run);
  made.weightKeys =
      std::make_unique<const WeightKeys<float>>(*made.prepared, ready.q.view(), ready.k.view());
  return made;
}

HeadMetrics makeMetrics(const HeadAttention& a, const Run& run) {
  HeadMetrics metrics;
  const std::optional<Base> own =
      ownBase(*a.input, a.batch, a.prepared->lengths(), a.firstRow, run.quiet());
  metrics.base = own ? *own : meaningfulBase(a.prepared, run);
  if (a.ready) {
    metrics.capturedMass =
        readyMass(*a.ready, a.prepared, baseOf(metrics.base, *a.prepared), run).mean;
    if (a.v.cols() > 0)
      metrics.outputError =
          outputError(readyOutputs(*a.ready, *a.prepared, a.v.view(), run),
                      readyOutputs(*a.ready, *baseOf(metrics.base, *a.prepared), a.v.view(), run));
    return metrics;
  }
  const auto base = baseOf(metrics.base, *a.prepared);
  const Attention<float> dense = attend(*base, a.q.view(), a.k.view(), a.v.view(), a.scores, run);
  const bool inside = metrics.base == Base::Full || (!own && metrics.base == Base::Causal);
  const CapturedMass mass =
      inside ? capturedMass<float>(unionLse<float>(*a.prepared, a.q.view(), a.k.view(),
                                                   lseOfKeys(a.result), a.scores, run),
                                   lseOfKeys(dense), a.scores.sink)
             : capturedMass<float>(a.prepared, a.q.view(), a.k.view(), metrics.base, a.scores, run);
  metrics.capturedMass = mass.mean;
  metrics.massOfAll = mass.meanOfAll;
  if (a.v.cols() > 0)
    metrics.outputError = outputError(a.result.out, dense.out);
  metrics.entropy =
      meanOf(rowEntropies<float>(*a.prepared, a.q.view(), a.k.view(), a.result.lse, a.scores, run));
  return metrics;
}

WeightSource<float> weightSource(const HeadAttention& a) {
  return {*a.prepared, a.q.view(), a.k.view(), a.result.lse, a.scoring, a.weightKeys.get()};
}

std::optional<double> cellWeight(const HeadAttention& a, Index query, Index key) {
  if (a.ready)
    return a.prepared->contains(query, key) ? (*a.ready)(query, key) : 0.0F;
  return weightAt(weightSource(a), query, key);
}

std::string cellScore(const HeadAttention& a, Index query, Index key) {
  if (a.ready || !a.prepared->outputs().keys.plain() || !a.prepared->contains(query, key))
    return {};
  double product = 0;
  for (Index c = 0; c < a.q.cols(); ++c)
    product += static_cast<double>(a.q(query, c)) * static_cast<double>(a.k(key, c));
  return scorePath(a.scoring, product, query, key);
}

} // namespace attention::gui
