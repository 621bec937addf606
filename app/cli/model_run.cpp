// attnx model run: logits, or an encoder's final states. attnx model capture: Q, K and V.
#include "app/cli/model_actions.h"
#include "app/cli/model_text.h"
#include "app/cli/report.h"

#include "core/input/npy_writer.h"
#include "core/model/capture.h"
#include "core/model/logits.h"
#include "core/support/error.h"
#include "core/support/names.h"
#include "core/support/products.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <ostream>

namespace attention::cli {
namespace {

constexpr std::size_t kPrinted = 5; // of the most likely next tokens

// The variant that --variant names; the model as it is without.
ModelVariant chosenVariant(const Arguments& arguments, const Model& model, const Run& run) {
  const std::vector<ModelVariant> variants = variantsFrom(arguments, model, run);
  const std::string* wanted = arguments.find("variant");
  if (wanted && *wanted == kAsItIs)
    return {};
  if (!wanted) {
    if (!variants.empty())
      throw Error(ErrorCode::Type, "variant",
                  "variant is missing; it must be the name of a variant in --variants FILE, or "
                  "\"as it is\"");
    return {};
  }
  if (!arguments.has("variants"))
    throw Error(ErrorCode::Type, "variant", "variants is missing; it must be given with --variant");
  std::vector<std::string> names;
  for (const ModelVariant& variant : variants) {
    if (variant.name == *wanted)
      return variant;
    names.push_back(variant.name);
  }
  if (names.empty())
    throw Error(ErrorCode::Unknown, "variant",
                "variant " + excerpt(*wanted) + " is unknown; the file has no variants");
  names.emplace_back(kAsItIs);
  throw Error(ErrorCode::Unknown, "variant",
              "variant " + excerpt(*wanted) + " is unknown" + nearestHint(*wanted, names) +
                  "; it must be one of " + someOf(names));
}

struct NextToken {
  Index id = 0;
  double share = 0; // its probability
};

std::vector<NextToken> mostLikely(std::span<const float> logits) {
  std::vector<Index> ids(logits.size());
  std::iota(ids.begin(), ids.end(), Index{0});
  const auto logit = [&](Index id) { return logits[static_cast<std::size_t>(id)]; };
  const std::size_t count = std::min(kPrinted, ids.size());
  std::partial_sort(
      ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(count), ids.end(),
      [&](Index a, Index b) { return logit(a) != logit(b) ? logit(a) > logit(b) : a < b; });
  double sum = 0;
  for (const float z : logits)
    sum += std::exp(static_cast<double>(z) - static_cast<double>(logit(ids.front())));
  std::vector<NextToken> next;
  for (std::size_t k = 0; k < count; ++k)
    next.push_back({ids[k], std::exp(static_cast<double>(logit(ids[k])) -
                                     static_cast<double>(logit(ids.front()))) /
                                sum});
  return next;
}

void writeStates(const std::string& path, const ForwardStates& states, const Run& run) {
  if (states.model->encoder)
    return writeNpy(path, *states.final);
  LogitRows logits(*states.model, states.final->view(), run);
  const std::array<Index, 2> shape{logits.rows(), logits.vocabulary()};
  writeNpyRows<float>(
      path, shape,
      [&](Index row, std::span<float> values) {
        const std::span<const float> z = logits.row(row);
        std::copy(z.begin(), z.end(), values.begin());
      },
      run);
}

Json nextJson(std::span<const NextToken> next) {
  Json list = Json::array();
  for (const NextToken& token : next)
    list.push_back({{"id", token.id}, {"p", token.share}});
  return list;
}

void printNext(std::ostream& out, std::span<const NextToken> next,
               const std::filesystem::path& model) {
  std::vector<Index> ids;
  for (const NextToken& token : next)
    ids.push_back(token.id);
  const std::vector<std::string> pieces = piecesOf(ids, model);
  std::vector<Cells> lines{{"next", "p", "piece"}};
  for (std::size_t k = 0; k < next.size(); ++k)
    lines.push_back({std::to_string(next[k].id), fixed(next[k].share, 4),
                     pieces.empty() || pieces[k].empty() ? "–" : printableLabel(pieces[k])});
  printAligned(out, lines);
}

DType storedTypeFrom(const Arguments& arguments) {
  return arguments.text("dtype") == "float16" ? DType::Float16 : DType::Float32;
}

std::vector<Index> layersFrom(const Arguments& arguments, const Model& model) {
  const auto count = static_cast<Index>(model.layers.size());
  if (arguments.has("layers"))
    return indicesFromText(arguments.text("layers"), count, "layers");
  std::vector<Index> all(model.layers.size());
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

} // namespace

int modelRun(const Arguments& arguments, const std::filesystem::path& path,
             const Context& context) {
  static constexpr std::array<std::string_view, 1> kEndings{".npy"};
  const std::string output =
      arguments.has("output") ? outputPath(arguments, "output", kEndings) : std::string();
  const std::shared_ptr<const Model> model = openModel(path);
  if (model->encoder && output.empty() && !arguments.on("json"))
    throw Error(ErrorCode::Type, "output",
                "output is missing; it must be given by -o FILE, since an encoder has no next "
                "token to print");
  const ModelText text = modelTextFrom(arguments, *model, context);
  const ModelVariant variant = chosenVariant(arguments, *model, context.run.quiet());
  noteLaterTokens(variant, *model, std::ssize(text.ids), context);
  context.releaseNotes();
  const ForwardStates states =
      forward(model, text.ids, variant, ForwardOptions{0}, partOf(context.run, 0, 0.8));
  if (!output.empty())
    writeStates(output, states, partOf(context.run, 0.8, 1));
  const Index width = model->encoder ? model->width : model->logits.weight.rows;
  std::vector<NextToken> next;
  if (!model->encoder)
    next = mostLikely(
        LogitRows(*model, states.final->view(), context.run).row(states.final->rows() - 1));
  if (arguments.on("json"))
    print(context.out, Json{{"tokens", text.ids.size()},
                            {"variant", variant.name.empty() ? Json(nullptr) : Json(variant.name)},
                            {"shape", {states.final->rows(), width}},
                            {"next", model->encoder ? Json(nullptr) : nextJson(next)}});
  else if (!model->encoder)
    printNext(context.out, next, path);
  return 0;
}

int modelCapture(const Arguments& arguments, const std::filesystem::path& path,
                 const Context& context) {
  static constexpr std::array<std::string_view, 1> kEndings{".safetensors"};
  if (!arguments.has("output"))
    throw Error(ErrorCode::Type, "output", "output is missing; it must be given by -o FILE");
  const std::string output = outputPath(arguments, "output", kEndings);
  CaptureOptions options;
  options.dtype = storedTypeFrom(arguments);
  const std::shared_ptr<const Model> model = openModel(path);
  options.layers = layersFrom(arguments, *model);
  ModelText text = modelTextFrom(arguments, *model, context);
  options.pieces = arguments.has("ids") ? piecesOf(text.ids, path) : std::move(text.pieces);
  context.releaseNotes();
  captureTo(output, model, text.ids, options, context.run);
  if (arguments.on("json"))
    print(context.out, Json{{"tokens", text.ids.size()}, {"layers", options.layers}});
  return 0;
}

} // namespace attention::cli
