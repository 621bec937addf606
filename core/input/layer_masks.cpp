#include "core/input/layer_masks.h"

#include "core/input/mask_file.h"
#include "core/pattern/mechanism/given_mask.h"

#include <utility>

namespace attention {
namespace {

Tensor withoutLeadingOnes(Tensor tensor) {
  while (tensor.shape.size() > 2 && tensor.shape.front() == 1) {
    tensor.shape.erase(tensor.shape.begin());
    if (!tensor.strides.empty())
      tensor.strides.erase(tensor.strides.begin());
  }
  return tensor;
}

} // namespace

std::optional<LayerMasks> LayerMasks::of(const Input& input, const ArrayFile& file) {
  const std::optional<Tensor> found = file.find("mask");
  if (!found)
    return std::nullopt;
  Tensor masks = withoutLeadingOnes(*found);
  const bool single = masks.shape.size() == 4 && masks.fromEnd(2) == 1;
  const bool fits = masks.shape.size() >= 2 && masks.fromEnd(1) == input.queries &&
                    masks.fromEnd(0) == input.keys && (single || masks.shape.size() <= 3) &&
                    (masks.shape.size() == 2 || masks.fromEnd(single ? 3 : 2) == input.batches);
  if (!fits)
    throw Error(ErrorCode::Shape, found->label(),
                found->label() + " has shape " + shapeText(found->shape) + "; it must be " +
                    shapeText(std::vector<Index>{input.batches, input.queries, input.keys}) +
                    ", one mask for each " + input.batchName);
  return LayerMasks(std::move(masks));
}

Pattern LayerMasks::layer(Input& input, Index at, const Run& run) {
  if (common_)
    return *common_;
  const bool common = masks_.shape.size() == 2;
  MaskFile mask = maskOf(masks_, MaskPlane{common ? 0 : at, {}}, run);
  if (mask.runs.empty() && !std::exchange(noted_, true)) {
    const auto place = static_cast<std::size_t>(at);
    const std::string layer = place < input.batchLabels.size()
                                  ? input.batchLabels[place]
                                  : input.batchName + " " + std::to_string(at);
    input.notes.push_back(label() + ": in " + layer + " " + wordsOfEmpty(mask) + ".");
  }
  MaskSource source;
  source.rows = mask.rows;
  source.cols = mask.cols;
  source.runs = std::move(mask.runs);
  source.read = true;
  Pattern pattern = GivenMask{std::move(source)};
  if (common)
    common_ = pattern;
  return pattern;
}

} // namespace attention
