// The forward of a model for given token ids: embeddings, layers, final norm. A plain, exact
// computation in floats with weights as stored: no sampling, no cache of keys, the whole text at
// once. Memory beyond the model: O(n · width) and a few megabytes of weights as floats.
//
// States can be kept at the entries of layers, so that another variant of the same text is computed
// only from the first layer on where it differs.
#pragma once

#include "core/model/layer_pass.h"
#include "core/model/variant.h"
#include "core/support/run.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace attention {

struct ForwardStates {
  std::shared_ptr<const Model> model;
  std::vector<Index> ids;
  ModelVariant variant;
  // What enters each layer, n × width; null where it is not kept. Shared with the states from which
  // these were computed, up to the layer where they part.
  std::vector<std::shared_ptr<const Matrix<float>>> entries = {};
  std::vector<LayerCost> costs = {};               // of every layer
  std::shared_ptr<const Matrix<float>> final = {}; // n × width, after the final norm
  Index computedFrom = 0;                          // the first layer that was computed
};

struct ForwardOptions {
  // For states at the entries of layers behind the first. Where it does not hold all, every second
  // or third … layer is kept. 0: none.
  Index keepBytes = Index{256} << 20U;
  // Layers that are computed; nothing: all. Without the others, `final` is not the model's.
  std::optional<Index> layers = {};
  // Called in every layer before its attention; may be empty.
  std::function<void(const LayerView&)> watch = {};
};

// E_TYPE: no ids; E_RANGE: an id that the vocabulary has not, more tokens than a model with learned
// positions has, a rule for a layer or head that is not there; E_NONFINITE names the layer; E_IO:
// the file was rewritten meanwhile; what prepare() throws; Stopped. Progress by layers. The same
// bits at any number of threads.
ForwardStates forward(const std::shared_ptr<const Model>& model, std::span<const Index> ids,
                      const ModelVariant& variant = {}, const ForwardOptions& options = {},
                      const Run& run = {});

// The same text under another variant, from the last kept entry on that both have in common.
ForwardStates forward(const ForwardStates& before, const ModelVariant& variant,
                      const ForwardOptions& options = {}, const Run& run = {});

// The same computation up to options.layers, from the last kept entry that these layers need.
ForwardStates forwardAgain(const ForwardStates& before, const ForwardOptions& options,
                           const Run& run = {});

// What the same computation has of the first `count` tokens, without `final` and costs, to compute
// variants of the shorter text from. The masks of `before` let no token read a later one.
ForwardStates firstTokens(const ForwardStates& before, Index count);

// The states that enter layer 0: ids.size() × width.
Matrix<float> embed(const Model& model, std::span<const Index> ids, const Run& run = {});

} // namespace attention
