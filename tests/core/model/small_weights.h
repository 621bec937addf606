// Matrices of weights and small models with random numbers, for tests.
#pragma once

#include "core/model/model.h"
#include "core/pattern/mechanism/causal.h"
#include "core/support/matrix.h"

#include <memory>
#include <vector>

namespace attention::test {

// Numbers from −scale to scale, the same for the same seed.
inline std::vector<float> someNumbers(Index count, std::uint64_t seed, float scale = 1) {
  std::vector<float> numbers;
  std::uint64_t state = seed * 2654435761U + 12345;
  for (Index i = 0; i < count; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    numbers.push_back(scale * (static_cast<float>(state >> 40U) / 8388608.0F - 1));
  }
  return numbers;
}

inline Matrix<float> someMatrix(Index rows, Index cols, std::uint64_t seed, float scale = 1) {
  return {rows, cols, someNumbers(rows * cols, seed, scale)};
}

// A matrix of floats that owns its numbers.
inline WeightMatrix weightsOf(const Matrix<float>& matrix) {
  const auto owner = std::make_shared<const Matrix<float>>(matrix);
  WeightMatrix weight;
  weight.rows = matrix.rows();
  weight.cols = matrix.cols();
  weight.stored = matrix.cols();
  weight.data = reinterpret_cast<const std::byte*>(owner->data());
  weight.owner = owner;
  return weight;
}

inline Linear someLinear(Index outputs, Index inputs, std::uint64_t seed, float scale = 0.3F) {
  return {weightsOf(someMatrix(outputs, inputs, seed, scale)), {}};
}

inline Norm someNorm(Index width, std::uint64_t seed) {
  Norm norm{someNumbers(width, seed, 0.2F), {}};
  for (float& weight : norm.weight)
    weight += 1;
  return norm;
}

// Llama's shape: two key/value heads for four heads of width 16, untied logits.
inline std::shared_ptr<Model> smallModel(Index layers = 4) {
  auto model = std::make_shared<Model>();
  model->family = "llama";
  model->name = "small";
  model->width = 32;
  model->heads = 4;
  model->kvHeads = 2;
  model->headWidth = 16;
  model->feedForwardWidth = 48;
  model->vocabulary = 70;
  model->embedding = weightsOf(someMatrix(70, 32, 1));
  model->finalNorm = someNorm(32, 2);
  model->logits = someLinear(70, 32, 3);
  const auto rotation = std::make_shared<const Rotation>(
      Rotation{16, {1, 0.5, 0.25, 0.125, 0.06, 0.03, 0.01, 0.005}, 1});
  for (Index l = 0; l < layers; ++l) {
    const auto seed = static_cast<std::uint64_t>(10 * l + 10);
    ModelLayer layer;
    layer.pattern = Causal{};
    layer.query = someLinear(64, 32, seed);
    layer.key = someLinear(32, 32, seed + 1);
    layer.value = someLinear(32, 32, seed + 2);
    layer.output = someLinear(32, 64, seed + 3);
    layer.rotation = rotation;
    layer.attentionNorms.before = someNorm(32, seed + 4);
    layer.feedForwardNorms.before = someNorm(32, seed + 5);
    layer.gate = someLinear(48, 32, seed + 6);
    layer.up = someLinear(48, 32, seed + 7);
    layer.down = someLinear(32, 48, seed + 8);
    model->layers.push_back(std::move(layer));
  }
  return model;
}

// Ids below the small model's vocabulary.
inline std::vector<Index> someIds(Index count, Index vocabulary = 70) {
  std::vector<Index> ids;
  for (Index i = 0; i < count; ++i)
    ids.push_back((i * i * 7 + i * 13 + 5) % vocabulary);
  return ids;
}

} // namespace attention::test
