#include "core/model/layer_pass.h"

#include "core/attention/attend.h"
#include "core/model/rows.h"
#include "core/support/error.h"
#include "core/support/products.h"

#include <algorithm>
#include <array>

namespace attention {
namespace {

constexpr Index kFeedForwardRows =
    2048;                         // at a time, since their width is several times the model's
constexpr Index kShortText = 512; // tokens up to which threads take heads, not queries

MatrixView<const float> reading(MatrixView<float> m) {
  return {m.data, m.rows, m.cols, m.stride};
}
MatrixView<const float> reading(const Matrix<float>& m) {
  return m.view();
}

// With the layer's number.
[[noreturn]] void throwInLayer(const Error& error, Index layer) {
  throw Error(error.code(), error.subject(),
              "layer " + std::to_string(layer) + ": " + error.what());
}

} // namespace

LayerPass::LayerPass(const Model& model, Index n)
    : model_(model), masks_(model, n), normed_(n, model.width), branch_(n, model.width),
      q_(n, model.heads * model.headWidth), k_(n, model.kvHeads * model.headWidth),
      v_(n, model.kvHeads * model.headWidth), mixed_(n, model.heads * model.headWidth),
      gate_(std::min(n, kFeedForwardRows), model.feedForwardWidth),
      up_(std::min(n, kFeedForwardRows), model.feedForwardWidth) {}

LayerCost LayerPass::apply(Index layer, const ModelVariant& variant, MatrixView<float> x,
                           const std::function<void(const LayerView&)>& watch, const Run& run) {
  const ModelLayer& of = model_.layers[static_cast<std::size_t>(layer)];
  const Run quiet = run.quiet();
  project(of, reading(x), quiet);
  const ProjectedLayer projected{reading(q_), reading(k_), reading(v_)};
  const HeadMasks masks = masks_.prepare(variant, layer, projected, quiet);
  const LayerCost cost = costOf(masks, quiet);
  if (watch)
    watch({layer, reading(x), projected, masks});
  run.report(0.25);
  attend(layer, masks, quiet);
  run.report(0.5);
  if (model_.parallelBlocks) {
    before(of.feedForwardNorms.before, reading(x), quiet); // of x without attention's part
    addAttention(of, x, quiet);
    feedForward(of, reading(normed_), x, true, quiet);
  } else {
    addAttention(of, x, quiet);
    addFeedForward(of, x, quiet);
  }
  return cost;
}

// x, or its norm.
MatrixView<const float> LayerPass::before(const Norm& norm, MatrixView<const float> x,
                                          const Run& run) {
  if (norm.empty() && !model_.parallelBlocks)
    return x;
  normalizeRows(norm, {model_.normKind, model_.normEpsilon}, x, normed_.view(), run);
  return reading(normed_);
}

void LayerPass::project(const ModelLayer& layer, MatrixView<const float> x, const Run& run) {
  const Index paired = layer.pairedRows ? model_.headWidth : 0;
  const std::array tasks{LinearTask{layer.query, q_.view(), false, paired},
                         LinearTask{layer.key, k_.view(), false, paired},
                         LinearTask{layer.value, v_.view()}};
  applyLinear(before(layer.attentionNorms.before, x, run), tasks, room_, run);
  const RotationTable* rotation = rotationOf(layer);
  if (!rotation && layer.queryNorm.empty() && layer.keyNorm.empty())
    return;
  forRows(x.rows, run, [&](Index i) {
    normalizeHeads(layer.queryNorm, q_.view().row(i));
    normalizeHeads(layer.keyNorm, k_.view().row(i));
    const auto d = static_cast<std::size_t>(model_.headWidth);
    for (const std::span<float> row : {q_.view().row(i), k_.view().row(i)})
      for (std::size_t at = 0; rotation && at < row.size(); at += d)
        rotation->turn(row.subspan(at, d), i);
  });
}

// Every head by itself where the norm is as wide as a head, else all of them together.
void LayerPass::normalizeHeads(const Norm& norm, std::span<float> row) const {
  if (norm.empty())
    return;
  for (std::size_t at = 0; at < row.size(); at += norm.weight.size())
    normalizeRow(norm, {model_.normKind, model_.normEpsilon}, row.subspan(at, norm.weight.size()));
}

const RotationTable* LayerPass::rotationOf(const ModelLayer& layer) {
  if (!layer.rotation)
    return nullptr;
  const auto found = std::find_if(rotations_.begin(), rotations_.end(),
                                  [&](const auto& known) { return known.first == layer.rotation; });
  if (found != rotations_.end())
    return &found->second;
  rotations_.emplace_back(layer.rotation, RotationTable(*layer.rotation, q_.rows()));
  return &rotations_.back().second;
}

// Layers with the same masks cost the same.
LayerCost LayerPass::costOf(const HeadMasks& masks, const Run& run) {
  if (costed_ != masks) {
    cost_ = attention::costOf(masks, run);
    costed_ = masks;
  }
  return cost_;
}

void LayerPass::attend(Index layer, const HeadMasks& masks, const Run& run) {
  const Index d = model_.headWidth;
  const bool byHeads = q_.rows() <= kShortText;
  const ScoreModifiers& modifiers = model_.layers[static_cast<std::size_t>(layer)].modifiers;
  const auto attendHead = [&](Index head) {
    const Index kvHead = head * model_.kvHeads / model_.heads;
    const MatrixView<float> out{mixed_.data() + head * d, mixed_.rows(), d, mixed_.cols()};
    attendInto(*masks[static_cast<std::size_t>(head)], headOf(reading(q_), head, d),
               headOf(reading(k_), kvHead, d), headOf(reading(v_), kvHead, d), out, {},
               optionsOf(modifiers, head, model_.heads, q_.rows(), byHeads ? 1 : run.threads), run);
  };
  try {
    parallelFor(model_.heads, byHeads ? run.threads : 1, run, attendHead);
  } catch (const Error& error) {
    throwInLayer(error, layer);
  }
}

void LayerPass::addAttention(const ModelLayer& layer, MatrixView<float> x, const Run& run) {
  const Norm& after = layer.attentionNorms.after;
  const bool direct = after.empty() || model_.afterSum;
  const std::array tasks{LinearTask{layer.output, direct ? x : branch_.view(), direct}};
  applyLinear(reading(mixed_), tasks, room_, run);
  addBranch(after, x, run);
}

void LayerPass::addFeedForward(const ModelLayer& layer, MatrixView<float> x, const Run& run) {
  const Norm& after = layer.feedForwardNorms.after;
  const bool direct = after.empty() || model_.afterSum;
  feedForward(layer, before(layer.feedForwardNorms.before, reading(x), run),
              direct ? x : branch_.view(), direct, run);
  addBranch(after, x, run);
}

// A norm of the sum in place of the sum, or of the branch before it is added.
void LayerPass::addBranch(const Norm& after, MatrixView<float> x, const Run& run) {
  if (after.empty())
    return;
  const NormRule rule{model_.normKind, model_.normEpsilon};
  if (model_.afterSum)
    return normalizeRows(after, rule, reading(x), x, run);
  forRows(x.rows, run, [&](Index i) {
    const std::span<float> part = branch_.view().row(i);
    normalizeRow(after, rule, part);
    const std::span<float> sum = x.row(i);
    for (std::size_t c = 0; c < sum.size(); ++c)
      sum[c] += part[c];
  });
}

void LayerPass::feedForward(const ModelLayer& layer, MatrixView<const float> in,
                            MatrixView<float> out, bool add, const Run& run) {
  for (Index begin = 0; begin < in.rows; begin += kFeedForwardRows) {
    const Index end = std::min(in.rows, begin + kFeedForwardRows);
    const MatrixView<float> up = rowsOf(up_.view(), 0, end - begin);
    const MatrixView<float> gate = rowsOf(gate_.view(), 0, end - begin);
    std::vector<LinearTask> maps{{layer.up, up}};
    if (!layer.gate.empty())
      maps.push_back({layer.gate, gate});
    applyLinear(rowsOf(in, begin, end), maps, room_, run);
    forRows(up.rows, run, [&](Index i) {
      if (layer.gate.empty())
        activate(model_.activation, up.row(i));
      else
        activate(model_.activation, gate.row(i), up.row(i));
    });
    const std::array down{LinearTask{layer.down, rowsOf(out, begin, end), add}};
    applyLinear(reading(layer.gate.empty() ? up : gate), down, room_, run);
  }
}

} // namespace attention
