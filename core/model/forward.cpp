#include "core/model/forward.h"

#include "core/attention/vector_rows.h"
#include "core/input/mapped_file.h"
#include "core/model/rows.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/part_of_run.h"

#include <algorithm>
#include <utility>

namespace attention {
namespace {

// Every which layer's entry is kept, from that layer on: embeddings are fast to make again. 0:
// none.
Index keptEvery(const Model& model, Index n, Index budget) {
  const Index bytes = n * model.width * static_cast<Index>(sizeof(float));
  const Index held = budget / bytes;
  return held == 0 ? 0 : ceilDiv(static_cast<Index>(model.layers.size()), held + 1);
}

// The last layer up to `until` at which a state is kept; 0 needs none.
Index lastKept(const ForwardStates& states, Index until) {
  const auto layers = static_cast<Index>(states.entries.size());
  for (Index layer = std::min(until, layers - 1); layer > 0; --layer)
    if (states.entries[static_cast<std::size_t>(layer)])
      return layer;
  return 0;
}

// Layers [states.computedFrom, …) on `x`, and the final norm.
void computeLayers(ForwardStates& states, Matrix<float> x, const ForwardOptions& options,
                   const Run& run) {
  const Model& model = *states.model;
  const Index layers = options.layers.value_or(static_cast<Index>(model.layers.size()));
  const Index every = keptEvery(model, x.rows(), options.keepBytes);
  LayerPass pass(model, x.rows());
  for (Index layer = states.computedFrom; layer < layers; ++layer) {
    const auto at = static_cast<std::size_t>(layer);
    if (every > 0 && layer > 0 && layer % every == 0 && !states.entries[at])
      states.entries[at] = std::make_shared<const Matrix<float>>(x);
    const Run step = stepOf(run, layer - states.computedFrom, layers - states.computedFrom);
    states.costs[at] = pass.apply(layer, states.variant, x.view(), options.watch, step);
    requireUnchanged(model.layers[at].query.weight.data);
  }
  normalizeRows(model.finalNorm, {model.normKind, model.normEpsilon}, std::as_const(x).view(),
                x.view(), run);
  for (Index i = 0; i < x.rows(); ++i)
    if (!allFinite<float>(x.view().row(i)))
      throw Error(ErrorCode::NonFinite, "final states",
                  "the final state of token " + std::to_string(i) +
                      " is not finite; all its numbers must be");
  states.final = std::make_shared<const Matrix<float>>(std::move(x));
  run.report(1);
}

void requireIds(const Model& model, std::span<const Index> ids) {
  if (ids.empty())
    throw Error(ErrorCode::Type, "ids", "ids is empty; it must hold at least one token");
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (ids[i] < 0 || ids[i] >= model.embedding.rows)
      throw Error(ErrorCode::Range, "ids",
                  "the token id at position " + std::to_string(i) + " is " +
                      std::to_string(ids[i]) + "; it must be from 0 to " +
                      std::to_string(model.embedding.rows - 1));
  const auto n = static_cast<Index>(ids.size());
  if (!model.positions.empty() && n > model.positions.rows)
    throwRange("n", std::to_string(n),
               "at most " + std::to_string(model.positions.rows) +
                   ", the number of positions in the model");
}

} // namespace

Matrix<float> embed(const Model& model, std::span<const Index> ids, const Run& run) {
  requireIds(model, ids);
  Matrix<float> x(static_cast<Index>(ids.size()), model.width);
  std::vector<float> position(static_cast<std::size_t>(model.width));
  const auto factor = static_cast<float>(model.embeddingFactor);
  for (Index i = 0; i < x.rows(); ++i) {
    const std::span<float> row = x.view().row(i);
    readRow(model.embedding, ids[static_cast<std::size_t>(i)], row);
    if (!model.positions.empty())
      readRow(model.positions, i, position);
    for (std::size_t c = 0; c < row.size(); ++c)
      row[c] = row[c] * factor + (model.tokenType.empty() ? 0 : model.tokenType[c]) + position[c];
  }
  normalizeRows(model.embeddingNorm, {model.normKind, model.normEpsilon}, std::as_const(x).view(),
                x.view(), run);
  return x;
}

ForwardStates forward(const std::shared_ptr<const Model>& model, std::span<const Index> ids,
                      const ModelVariant& variant, const ForwardOptions& options, const Run& run) {
  checkVariant(*model, variant);
  ForwardStates states{model, {ids.begin(), ids.end()}, variant};
  states.entries.resize(model->layers.size());
  states.costs.resize(model->layers.size());
  computeUnchanged(*model, [&] { computeLayers(states, embed(*model, ids, run), options, run); });
  return states;
}

ForwardStates forward(const ForwardStates& before, const ModelVariant& variant,
                      const ForwardOptions& options, const Run& run) {
  const Model& model = *before.model;
  checkVariant(model, variant);
  const Index differs = firstDifference(model, before.variant, variant);
  if (differs == static_cast<Index>(model.layers.size())) {
    ForwardStates same = before;
    same.variant = variant;
    same.computedFrom = differs;
    return same;
  }
  const Index from = lastKept(before, differs);
  if (from == 0)
    return forward(before.model, before.ids, variant, options, run);
  ForwardStates states{before.model, before.ids, variant, before.entries, before.costs};
  states.computedFrom = from;
  for (std::size_t later = static_cast<std::size_t>(from) + 1; later < states.entries.size();
       ++later)
    states.entries[later] = nullptr;
  computeUnchanged(model, [&] {
    computeLayers(states, *before.entries[static_cast<std::size_t>(from)], options, run);
  });
  return states;
}

ForwardStates forwardAgain(const ForwardStates& before, const ForwardOptions& options,
                           const Run& run) {
  const Model& model = *before.model;
  const Index layers = options.layers.value_or(static_cast<Index>(model.layers.size()));
  const Index from = lastKept(before, layers - 1);
  if (from == 0)
    return forward(before.model, before.ids, before.variant, options, run);
  ForwardStates states{before.model, before.ids, before.variant, before.entries, before.costs};
  states.computedFrom = from;
  computeUnchanged(model, [&] {
    computeLayers(states, *before.entries[static_cast<std::size_t>(from)], options, run);
  });
  return states;
}

ForwardStates firstTokens(const ForwardStates& before, Index count) {
  ForwardStates first{
      before.model, {before.ids.begin(), before.ids.begin() + count}, before.variant};
  for (const auto& entry : before.entries) {
    first.entries.emplace_back();
    if (!entry)
      continue;
    const auto rows =
        std::span(entry->values()).first(static_cast<std::size_t>(count * entry->cols()));
    first.entries.back() = std::make_shared<const Matrix<float>>(
        count, entry->cols(), std::vector<float>(rows.begin(), rows.end()));
  }
  first.costs.resize(before.costs.size());
  return first;
}

} // namespace attention
