#include "core/model/verify_model.h"

#include "core/attention/modifiers.h"
#include "core/attention/weights.h"
#include "core/input/array_file.h"
#include "core/model/forward.h"
#include "core/model/logits.h"
#include "core/support/error.h"
#include "core/support/products.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

// An expected array, compared piece by piece.
class Comparison {
public:
  Comparison(const ArrayFile& file, const std::string& name, const std::vector<Index>& shape) {
    check_.name = name;
    const std::optional<Tensor> found = file.find(name);
    if (!found)
      return;
    expected_ = *found;
    if (found->shape != shape)
      check_.message = "has shape " + shapeText(found->shape) + "; it must be " + shapeText(shape);
    else if (!isFloat(found->dtype))
      check_.message = "holds no real numbers";
    else
      compares_ = true;
  }

  // It fails for this reason, whatever the file holds.
  void refuse(const char* why) {
    check_.message = why;
    compares_ = false;
  }

  bool exists() const { return expected_.data != nullptr; }
  bool compares() const { return compares_; }
  const ArrayCheck& check() const { return check_; }

  // Elements first, first + 1, … of the array in C order.
  template <class T>
  void take(Index first, std::span<const T> values) {
    for (std::size_t i = 0; compares_ && i < values.size(); ++i) {
      const double wanted = number(expected_, first + static_cast<Index>(i));
      const double apart = std::abs(static_cast<double>(values[i]) - wanted);
      check_.largest = std::max(check_.largest, std::abs(wanted));
      if (!std::isnan(check_.deviation) && !(apart <= check_.deviation))
        check_.deviation = apart;
    }
  }

private:
  ArrayCheck check_;
  Tensor expected_;
  bool compares_ = false;
};

// The weights of every head of a layer.
void compareAttention(const Model& model, const LayerView& view, Comparison& attention,
                      const Run& run) {
  const ModelLayer& layer = model.layers[static_cast<std::size_t>(view.layer)];
  const Index n = view.entry.rows;
  const Index d = model.headWidth;
  for (Index head = 0; attention.compares() && head < model.heads; ++head) {
    const Prepared& mask = *view.masks[static_cast<std::size_t>(head)];
    const auto q = headOf(view.projected.q, head, d);
    const auto k = headOf(view.projected.k, head * model.kvHeads / model.heads, d);
    const AttendOptions options = optionsOf(layer.modifiers, head, model.heads, n, run.threads);
    const std::vector<float> lse = logSumExp<float>(mask, q, k, options, run.quiet());
    const WeightSource<float> source{mask, q, k, lse, scoringOf(options, d, mask.lengths())};
    const Matrix<float> weights = weightsOf(source, mask.bounds(), run.threads, run.quiet());
    attention.take<float>((view.layer * model.heads + head) * n * n, weights.values());
  }
}

void compareLogits(const ForwardStates& states, Comparison& logits, const Run& run) {
  if (!logits.compares())
    return;
  LogitRows rows(*states.model, states.final->view(), run);
  for (Index i = 0; i < rows.rows(); ++i)
    logits.take<float>(i * rows.vocabulary(), rows.row(i));
}

void compareLoss(const ForwardStates& states, Comparison& loss, const Run& run) {
  if (!loss.compares())
    return;
  const std::vector<std::shared_ptr<const Matrix<float>>> finals{states.final};
  const auto all = predictions(*states.model, states.ids, finals, {}, run);
  loss.take<double>(0, all.front().loss);
}

std::vector<Index> idsOf(const ArrayFile& file) {
  const Tensor tensor = file.get("ids");
  std::vector<Index> ids;
  for (Index i = 0; i < tensor.elements(); ++i)
    ids.push_back(integer(tensor, i));
  return ids;
}

// E_UNKNOWN where nothing would be compared, which must not count as passed.
void requireArrays(const ArrayFile& file) {
  if (std::all_of(file.arrays.begin(), file.arrays.end(),
                  [](const NamedArray& array) { return array.name() == "ids"; }))
    throw Error(ErrorCode::Unknown, file.file,
                file.file + " has no array besides ids; it must have one of hidden, attention, "
                            "logits and loss");
}

} // namespace

void verifyModel(const std::filesystem::path& folder,
                 const std::function<void(const ArrayCheck&)>& report, const Run& run) {
  const ArrayFile file = readArrays(folder / "expected.safetensors");
  requireArrays(file);
  const std::shared_ptr<const Model> model = openModel(folder);
  const std::vector<Index> ids = idsOf(file);
  const auto n = static_cast<Index>(ids.size());
  const auto layers = static_cast<Index>(model->layers.size());
  Comparison hidden(file, "hidden", {layers + 1, n, model->width});
  Comparison attention(file, "attention", {layers, model->heads, n, n});
  Comparison logits(file, "logits", {n, model->logits.weight.rows});
  Comparison loss(file, "loss", {n - 1});
  if (model->encoder) {
    logits.refuse("is expected, but an encoder has no logits");
    loss.refuse("is expected, but an encoder has no loss");
  }
  ForwardOptions options;
  options.keepBytes = 0;
  options.watch = [&](const LayerView& view) {
    for (Index i = 0; i < n; ++i)
      hidden.take<float>((view.layer * n + i) * model->width, view.entry.row(i));
    compareAttention(*model, view, attention, run);
  };
  const ForwardStates states = forward(model, ids, {}, options, run);
  hidden.take<float>(layers * n * model->width, states.final->values());
  compareLogits(states, logits, run.quiet());
  compareLoss(states, loss, run.quiet());
  for (const NamedArray& array : file.arrays) {
    if (array.name() == "ids")
      continue;
    ArrayCheck check{array.name(), 0, 0, "is not an array that a model is compared with"};
    for (const Comparison* known : {&hidden, &attention, &logits, &loss})
      if (known->exists() && known->check().name == array.name())
        check = known->check();
    report(check);
  }
}

} // namespace attention
