#include "core/model/model_parts.h"

#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>
#include <functional>

namespace attention {
namespace {

// A part of a fused matrix, or all of it.
using Part = std::function<WeightMatrix(const WeightMatrix&)>;

WeightMatrix allRows(const WeightMatrix& matrix) {
  return matrix;
}

class WeightReader {
public:
  WeightReader(Model& model, const StoredWeights& stored, const WeightLayout& layout)
      : model_(model), stored_(stored), layout_(layout), names_(layout.names) {}

  void read() {
    readEmbeddings();
    for (Index i = 0; i < std::ssize(model_.layers); ++i)
      readLayer(i, model_.layers[static_cast<std::size_t>(i)]);
    if (!names_.finalNorm.empty())
      model_.finalNorm = norm(layout_.prefix + std::string(names_.finalNorm), model_.width);
    if (!model_.encoder)
      readLogits();
  }

private:
  void readEmbeddings() {
    const std::string name = layout_.prefix + std::string(names_.embedding) + ".weight";
    model_.vocabulary = stored_.matrix(name).rows;
    model_.embedding = stored_.matrix(name, model_.vocabulary, model_.width);
    if (!names_.positions.empty())
      readPositions();
    if (!names_.tokenTypes.empty())
      readTokenType();
    if (!names_.embeddingNorm.empty())
      model_.embeddingNorm = norm(layout_.prefix + std::string(names_.embeddingNorm), model_.width);
  }

  // As many as there are rows limit the context.
  void readPositions() {
    const std::string name = layout_.prefix + std::string(names_.positions) + ".weight";
    model_.context = stored_.matrix(name).rows;
    model_.positions = stored_.matrix(name, model_.context, model_.width);
  }

  // Type 0 of the sequences.
  void readTokenType() {
    const std::string name = layout_.prefix + std::string(names_.tokenTypes) + ".weight";
    const WeightMatrix types = stored_.matrix(name, stored_.matrix(name).rows, model_.width);
    model_.tokenType.resize(static_cast<std::size_t>(model_.width));
    readRow(types, 0, model_.tokenType);
  }

  // A matrix that is stored is used whatever the configuration says, as in transformers.
  void readLogits() {
    const std::vector<std::string_view> all = split(names_.logits, ' ');
    const auto found = std::find_if(all.rbegin(), all.rend(), [&](std::string_view name) {
      return stored_.has(std::string(name) + ".weight");
    });
    if (found == all.rend() && layout_.tied)
      model_.logits.weight = model_.embedding;
    else
      model_.logits.weight =
          stored_.matrix(std::string(found == all.rend() ? all.front() : *found) + ".weight",
                         model_.vocabulary, model_.width);
  }

  void readLayer(Index i, ModelLayer& layer) {
    std::string prefix = layout_.prefix + std::string(names_.layer);
    prefix.replace(prefix.find("{}"), 2, std::to_string(i));
    const auto named = [&](std::string_view name) { return prefix + std::string(name); };
    readHeads(prefix, layer);
    layer.output = linear({named(names_.output), layout_.biases.output}, model_.width,
                          model_.heads * model_.headWidth);
    readFeedForward(prefix, layer);
    const auto normNamed = [&](std::string_view name) {
      return name.empty() ? Norm() : norm(named(name), model_.width);
    };
    layer.attentionNorms = {normNamed(names_.attentionBefore), normNamed(names_.attentionAfter)};
    layer.feedForwardNorms = {normNamed(names_.feedForwardBefore),
                              normNamed(names_.feedForwardAfter)};
    if (!names_.queryNorm.empty()) {
      layer.queryNorm = headNorm(named(names_.queryNorm), model_.heads);
      layer.keyNorm = headNorm(named(names_.keyNorm), model_.kvHeads);
    }
  }

  void readHeads(const std::string& prefix, ModelLayer& layer) {
    const Index queries = model_.heads * model_.headWidth;
    const Index keys = model_.kvHeads * model_.headWidth;
    const std::string fused = prefix + std::string(names_.queryKeyValue);
    const std::array<Linear*, 3> parts{&layer.query, &layer.key, &layer.value};
    if (!names_.queryKeyValue.empty() && (names_.query.empty() || stored_.has(fused + ".weight"))) {
      for (std::size_t part = 0; part < parts.size(); ++part)
        *parts[part] =
            linear({fused, layout_.biases.heads}, queries + 2 * keys, model_.width, headPart(part));
      return;
    }
    const auto named = [&](std::string_view name) {
      return Named{prefix + std::string(name), layout_.biases.heads};
    };
    layer.query = linear(named(names_.query), queries, model_.width);
    layer.key = linear(named(names_.key), keys, model_.width);
    layer.value = linear(named(names_.value), keys, model_.width);
  }

  // Query, key or value of a fused matrix.
  Part headPart(std::size_t part) const {
    const Index d = model_.headWidth;
    const Index heads = model_.heads;
    if (layout_.threePerHead)
      return [=](const WeightMatrix& fused) {
        return rowGroups(fused, static_cast<Index>(part) * d, d, 3 * d, heads);
      };
    const std::array<Index, 4> ends{0, heads * d, (heads + model_.kvHeads) * d,
                                    (heads + 2 * model_.kvHeads) * d};
    return [=](const WeightMatrix& fused) { return rowsOf(fused, ends[part], ends[part + 1]); };
  }

  void readFeedForward(const std::string& prefix, ModelLayer& layer) {
    const std::string down = prefix + std::string(names_.down);
    const WeightMatrix stored = stored_.matrix(down + ".weight");
    const Index width = layout_.transposed ? stored.rows : stored.cols;
    if (model_.feedForwardWidth == 0)
      model_.feedForwardWidth = width;
    const bool biased = layout_.biases.feedForward;
    layer.down = linear({down, biased}, model_.width, model_.feedForwardWidth);
    const auto inner = [&](std::string_view name) {
      return linear({prefix + std::string(name), biased}, model_.feedForwardWidth, model_.width);
    };
    if (!names_.gateUp.empty()) {
      const Named fused{prefix + std::string(names_.gateUp), biased};
      const Index rows = model_.feedForwardWidth;
      layer.gate = linear(fused, 2 * rows, model_.width,
                          [=](const WeightMatrix& m) { return rowsOf(m, 0, rows); });
      layer.up = linear(fused, 2 * rows, model_.width,
                        [=](const WeightMatrix& m) { return rowsOf(m, rows, 2 * rows); });
      return;
    }
    if (!names_.gate.empty())
      layer.gate = inner(names_.gate);
    layer.up = inner(names_.up);
  }

  struct Named {
    std::string name;
    bool biased = true; // or a stored bias is not read
  };

  // NAME.weight and, where there is one, NAME.bias, of which `part` is taken.
  Linear linear(const Named& of, Index rows, Index cols, const Part& part = allRows) const {
    const std::string& name = of.name;
    Linear linear;
    linear.weight = part(stored_.matrix(name + ".weight", rows, cols, layout_.transposed));
    if (!of.biased || !stored_.has(name + ".bias"))
      return linear;
    stored_.vector(name + ".bias", rows); // checks shape and numbers
    const WeightMatrix bias = part(stored_.matrix(name + ".bias"));
    linear.bias.resize(static_cast<std::size_t>(bias.rows));
    for (Index r = 0; r < bias.rows; ++r)
      readRow(bias, r, std::span(linear.bias).subspan(static_cast<std::size_t>(r), 1));
    return linear;
  }

  // Older files of BERT call weight and bias gamma and beta.
  Norm norm(const std::string& name, Index width) const {
    const bool older = stored_.has(name + ".gamma");
    Norm norm;
    norm.weight = stored_.vector(name + (older ? ".gamma" : ".weight"), width);
    if (layout_.normsPlusOne)
      for (float& weight : norm.weight)
        weight += 1;
    const std::string bias = name + (older ? ".beta" : ".bias");
    if (model_.normKind == NormKind::Layer && stored_.has(bias))
      norm.bias = stored_.vector(bias, width);
    return norm;
  }

  // Of every head, or of all heads together.
  Norm headNorm(const std::string& name, Index heads) const {
    const Index width = stored_.matrix(name + ".weight").rows;
    const Index all = heads * model_.headWidth;
    return norm(name, width == all ? all : model_.headWidth);
  }

  Model& model_;
  const StoredWeights& stored_;
  const WeightLayout& layout_;
  const TensorNames& names_;
};

} // namespace

void addWeights(Model& model, const StoredWeights& stored, const WeightLayout& layout) {
  WeightReader(model, stored, layout).read();
}

} // namespace attention
