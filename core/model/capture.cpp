#include "core/model/capture.h"

#include "core/attention/modifiers_json.h"
#include "core/input/replace_file.h"
#include "core/input/safetensors_writer.h"
#include "core/pattern/pattern_json.h"
#include "core/support/error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attention {
namespace {

double usualScale(const Model& model) {
  return std::pow(static_cast<double>(model.headWidth), -0.5);
}

double layerScale(const Model& model, Index layer) {
  return model.layers[static_cast<std::size_t>(layer)].modifiers.scale.value_or(usualScale(model));
}

std::map<std::string, std::string> metadataOf(const Model& model, std::span<const Index> ids,
                                              const CaptureOptions& options) {
  using nlohmann::ordered_json;
  ordered_json patterns = ordered_json::array();
  for (const Index layer : options.layers)
    patterns.push_back(toJson(model.layers[static_cast<std::size_t>(layer)].pattern));
  std::map<std::string, std::string> metadata{
      {"scale", ordered_json(layerScale(model, options.layers.front())).dump()},
      {"modifiers", toJson(sharedModifiers(model, options.layers)).dump()},
      {"patterns", patterns.dump()},
      {"ids", ordered_json(std::vector<Index>(ids.begin(), ids.end())).dump()},
      {"model", ordered_json(model.name).dump()},
      {"layers", ordered_json(options.layers).dump()},
      {"axis0", "layer"}};
  if (!options.pieces.empty())
    metadata["tokens"] = ordered_json(options.pieces).dump();
  return metadata;
}

// Writes layers as a forward passes them.
class LayerWriter {
public:
  LayerWriter(std::ostream& out, const Model& model, std::span<const Index> ids,
              const CaptureOptions& options)
      : model_(model), layers_(options.layers), n_(static_cast<Index>(ids.size())),
        writer_(out, arraysOf(options.dtype), metadataOf(model, ids, options)) {}

  void take(const LayerView& view) {
    for (std::size_t at = 0; at < layers_.size(); ++at)
      if (layers_[at] == view.layer) {
        const double factor = queryFactor(model_, view.layer, layers_.front());
        writeHeads(0, static_cast<Index>(at), view.projected.q, static_cast<float>(factor));
        writeHeads(1, static_cast<Index>(at), view.projected.k, 1);
        writeHeads(2, static_cast<Index>(at), view.projected.v, 1);
      }
  }

private:
  std::vector<SafetensorsArray> arraysOf(DType dtype) const {
    const auto shape = [&](Index heads) {
      return std::vector<Index>{static_cast<Index>(layers_.size()), heads, n_, model_.headWidth};
    };
    return {{"q", dtype, shape(model_.heads)},
            {"k", dtype, shape(model_.kvHeads)},
            {"v", dtype, shape(model_.kvHeads)}};
  }

  void writeHeads(std::size_t array, Index at, MatrixView<const float> all, float factor) {
    const Index d = model_.headWidth;
    const Index heads = all.cols / d;
    std::vector<float> values(static_cast<std::size_t>(n_ * d));
    for (Index head = 0; head < heads; ++head) {
      const MatrixView<const float> one = headOf(all, head, d);
      for (Index i = 0; i < n_; ++i)
        for (Index c = 0; c < d; ++c)
          values[static_cast<std::size_t>(i * d + c)] = factor * one(i, c);
      writer_.write(array, (at * heads + head) * n_ * d, values);
    }
  }

  const Model& model_;
  const std::vector<Index>& layers_;
  Index n_;
  SafetensorsWriter writer_;
};

// E_RANGE where a layer stands twice: two of the file's would have one name.
void requireOnce(std::vector<Index> layers) {
  std::sort(layers.begin(), layers.end());
  const auto twice = std::adjacent_find(layers.begin(), layers.end());
  if (twice != layers.end())
    throw Error(ErrorCode::Range, "layers",
                "layers names " + std::to_string(*twice) +
                    " twice; each layer must be listed once");
}

} // namespace

ScoreModifiers sharedModifiers(const Model& model, const std::vector<Index>& layers) {
  const auto withoutScale = [&](Index layer) {
    ScoreModifiers modifiers = model.layers[static_cast<std::size_t>(layer)].modifiers;
    modifiers.scale.reset();
    return modifiers;
  };
  ScoreModifiers shared = withoutScale(layers.front());
  for (const Index layer : layers)
    if (!(withoutScale(layer) == shared))
      throw Error(ErrorCode::Unsupported, "layers",
                  "layers " + std::to_string(layers.front()) + " and " + std::to_string(layer) +
                      " change scores in different ways, and a file has one way for all its "
                      "layers; they must be captured one by one");
  const double usual = usualScale(model);
  const double scale = layerScale(model, layers.front());
  if (std::abs(scale - usual) > 1e-12 * usual)
    shared.scale = scale;
  return shared;
}

double queryFactor(const Model& model, Index layer, Index first) {
  return layerScale(model, layer) / layerScale(model, first);
}

void captureTo(const std::filesystem::path& path, const std::shared_ptr<const Model>& model,
               std::span<const Index> ids, const CaptureOptions& options, const Run& run) {
  CaptureOptions chosen = options;
  if (chosen.layers.empty()) {
    chosen.layers.resize(model->layers.size());
    std::iota(chosen.layers.begin(), chosen.layers.end(), Index{0});
  }
  requireOnce(chosen.layers);
  replaceFile(path, [&](std::ostream& out) {
    LayerWriter writer(out, *model, ids, chosen);
    ForwardOptions forwardOptions;
    forwardOptions.keepBytes = 0;
    forwardOptions.layers = *std::max_element(chosen.layers.begin(), chosen.layers.end()) + 1;
    forwardOptions.watch = [&](const LayerView& view) { writer.take(view); };
    forward(model, ids, {}, forwardOptions, run);
  });
}

} // namespace attention
