// One layer of a model on the states of all tokens, n × width: attention by the engine
// (core/attention) under any masks, then the feed-forward block.
#pragma once

#include "core/model/layer_masks.h"
#include "core/model/linear.h"
#include "core/model/rotation_table.h"

#include <functional>
#include <memory>
#include <vector>

namespace attention {

// What a layer computes on the way. Views hold only during the call that they are passed to.
struct LayerView {
  Index layer = 0;
  MatrixView<const float> entry; // the states that enter it
  ProjectedLayer projected;
  const HeadMasks& masks;
};

// Matrices that all layers of a forward use, one after another: O(n · width of the model).
class LayerPass {
public:
  LayerPass(const Model& model, Index n);

  // Replaces the states `x` by what leaves the layer. `watch` may be empty. E_NONFINITE names the
  // layer; what prepare() throws; Stopped.
  LayerCost apply(Index layer, const ModelVariant& variant, MatrixView<float> x,
                  const std::function<void(const LayerView&)>& watch, const Run& run);

private:
  void project(const ModelLayer& layer, MatrixView<const float> x, const Run& run);
  void normalizeHeads(const Norm& norm, std::span<float> row) const;
  void attend(Index layer, const HeadMasks& masks, const Run& run);
  void feedForward(const ModelLayer& layer, MatrixView<const float> in, MatrixView<float> out,
                   bool add, const Run& run);
  void addFeedForward(const ModelLayer& layer, MatrixView<float> x, const Run& run);
  void addAttention(const ModelLayer& layer, MatrixView<float> x, const Run& run);
  MatrixView<const float> before(const Norm& norm, MatrixView<const float> x, const Run& run);
  void addBranch(const Norm& after, MatrixView<float> x, const Run& run);
  const RotationTable* rotationOf(const ModelLayer& layer);
  LayerCost costOf(const HeadMasks& masks, const Run& run);

  const Model& model_;
  MaskPreparer masks_;
  LinearRoom room_;
  Matrix<float> normed_; // n × width
  Matrix<float> branch_; // n × width, where a norm follows a block
  Matrix<float> q_;      // n × heads · headWidth
  Matrix<float> k_;      // n × kvHeads · headWidth
  Matrix<float> v_;
  Matrix<float> mixed_; // n × heads · headWidth
  Matrix<float> gate_;  // a block of rows × feedForwardWidth
  Matrix<float> up_;
  std::vector<std::pair<std::shared_ptr<const Rotation>, RotationTable>> rotations_;
  HeadMasks costed_; // the masks of the last cost
  LayerCost cost_;
};

} // namespace attention
