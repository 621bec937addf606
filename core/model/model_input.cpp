#include "core/model/model_input.h"

#include "core/input/model_metadata.h"
#include "core/model/capture.h"
#include "core/model/forward.h"
#include "core/model/given_text.h"
#include "core/model/model_path.h"
#include "core/model/tokenizer.h"
#include "core/support/error.h"

#include <chrono>
#include <mutex>
#include <numeric>

namespace attention {
namespace {

// The layer that was looked at last, and entries of the others within the budget of a forward.
class LookedAtLayer {
public:
  LookedAtLayer(std::shared_ptr<const Model> model, std::vector<Index> ids)
      : states_{std::move(model), std::move(ids), {}} {}

  Matrix<float> matrix(Role role, Index layer, Index head, const Run& run) {
    const std::unique_lock lock = locked(run);
    if (layer_ != layer)
      compute(layer, run);
    const Matrix<float>& all = role == Role::Query ? q_ : role == Role::Key ? k_ : v_;
    const Index width = states_.model->headWidth;
    const MatrixView<const float> one = headOf(all.view(), head, width);
    Matrix<float> copy(all.rows(), width);
    for (Index i = 0; i < copy.rows(); ++i)
      std::copy_n(one.row(i).begin(), width, copy.view().row(i).begin());
    return copy;
  }

private:
  // Whoever waits for a layer that another job computes can be stopped.
  std::unique_lock<std::timed_mutex> locked(const Run& run) {
    constexpr std::chrono::milliseconds kBetweenChecks{20};
    std::unique_lock lock(mutex_, std::defer_lock);
    while (!lock.try_lock_for(kBetweenChecks))
      run.check();
    return lock;
  }

  void compute(Index layer, const Run& run) {
    layer_.reset(); // a forward that is stopped leaves nothing
    ForwardOptions options;
    options.layers = layer + 1;
    options.watch = [&](const LayerView& view) {
      if (view.layer != layer)
        return;
      const auto factor = static_cast<float>(queryFactor(*states_.model, layer, 0));
      q_ = copyOf(view.projected.q, factor);
      k_ = copyOf(view.projected.k, 1);
      v_ = copyOf(view.projected.v, 1);
    };
    states_ = states_.entries.empty() ? forward(states_.model, states_.ids, {}, options, run)
                                      : forwardAgain(states_, options, run);
    layer_ = layer;
  }

  static Matrix<float> copyOf(MatrixView<const float> from, float factor) {
    Matrix<float> copy(from.rows, from.cols);
    for (Index i = 0; i < from.rows; ++i)
      std::transform(from.row(i).begin(), from.row(i).end(), copy.view().row(i).begin(),
                     [factor](float x) { return factor * x; });
    return copy;
  }

  std::timed_mutex mutex_;
  ForwardStates states_;
  std::optional<Index> layer_;
  Matrix<float> q_; // n × heads · headWidth
  Matrix<float> k_; // n × kvHeads · headWidth
  Matrix<float> v_;
};

void takeText(Input& input, const ModelInput& spec, const Model& model) {
  input.metadata["text"] = modelTextName(spec);
  if (!spec.ids.empty()) {
    input.ids = spec.ids;
    if (const auto tokenizer = findTokenizer(model.path))
      for (const Index id : input.ids)
        input.pieces.push_back(tokenizer->piece(id));
  } else {
    const std::filesystem::path file = textFile(spec);
    Encoding encoding =
        openTokenizer(model.path)->encode(file.empty() ? spec.typed : readModelText(file), false);
    input.ids = std::move(encoding.ids);
    input.pieces = std::move(encoding.pieces);
    requireKnown(model, input.ids);
  }
  if (input.ids.empty())
    throw Error(ErrorCode::Type, "text", "the text has no tokens; it must have at least one");
  if (spec.n < 1)
    throwRange("n", std::to_string(spec.n), "at least 1");
  const auto n = std::min(static_cast<std::size_t>(spec.n), input.ids.size());
  input.ids.resize(n);
  if (!input.pieces.empty())
    input.pieces.resize(n);
  input.tokens = pieceLabels(input.pieces);
}

void takeLayers(Input& input, const Model& model, const Run& run) {
  std::vector<Index> layers(model.layers.size());
  std::iota(layers.begin(), layers.end(), Index{0});
  input.modifiers = sharedModifiers(model, layers);
  input.batches = static_cast<Index>(layers.size());
  input.batchName = "layer";
  input.batchAxis = input.headAxis = true;
  for (const Index layer : layers) {
    input.batchLabels.push_back("layer " + std::to_string(layer));
    input.ownMasks.push_back(model.layers[static_cast<std::size_t>(layer)].pattern);
  }
  input.attends = attendsBy(input, run);
}

} // namespace

std::filesystem::path bundledText() {
  return assetFolder() / "samples" / "pride_and_prejudice_1.txt";
}

std::filesystem::path textFile(const ModelInput& spec) {
  if (!spec.text.empty())
    return spec.text;
  return spec.typed.empty() && spec.ids.empty() ? bundledText() : std::filesystem::path();
}

std::string modelTextName(const ModelInput& spec) {
  if (!spec.ids.empty())
    return "the given ids";
  const std::filesystem::path file = textFile(spec);
  return file.empty() ? "the typed text" : file.filename().string();
}

Input inputOfModel(const ModelInput& spec, const Run& run) {
  if (spec.model.empty())
    throw Error(ErrorCode::Type, "input.model",
                "input.model is empty; it must be a .gguf file, a folder with config.json, or a "
                "model's name");
  const std::shared_ptr<const Model> model = openModel(modelPath(spec.model));
  Input input;
  takeText(input, spec, *model);
  input.queries = input.keys = static_cast<Index>(input.ids.size());
  input.d = input.dv = model->headWidth;
  input.heads = model->heads;
  input.kvHeads = model->kvHeads;
  takeLayers(input, *model, run);
  input.metadata["model"] = model->name;
  input.description = model->name;
  const auto layer = std::make_shared<LookedAtLayer>(model, input.ids);
  input.source = Computed{[layer](Role role, Index at, Index head, const Run& of) {
    return layer->matrix(role, at, head, of);
  }};
  return input;
}

std::shared_ptr<const Input> openInput(const InputSpec& spec, const Run& run, Labels labels,
                                       const AssetPath& assetPath) {
  if (const auto* of = std::get_if<ModelInput>(&spec.source))
    return completed(inputOfModel(*of, run), spec, run, labels);
  return loadInput(spec, assetPath, run, labels);
}

} // namespace attention
