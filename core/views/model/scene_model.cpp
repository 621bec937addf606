#include "core/views/model/scene_model.h"

#include "core/analysis/base.h"
#include "core/input/assets.h"
#include "core/input/mapped_file.h"
#include "core/model/model_path.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/composed.h"
#include "core/pattern/pattern_title.h"
#include "core/scene/pattern_files.h"
#include "core/support/error.h"
#include "core/support/part_of_run.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace attention {
namespace {

// Whether it may: of patterns that read data, nothing is known before.
bool seesFuture(const Pattern& pattern, Index n, const Run& run) {
  return needsData(pattern) || !ownBase(pattern, squareLengths(n), run).past;
}

// The text as the command line reads it: a byte order mark is a part of it.
std::string textIn(const std::filesystem::path& file) {
  const auto mapped = MappedFile::open(file);
  return readUnchanged(mapped->bytes().data(), [&] {
    return std::string(reinterpret_cast<const char*>(mapped->bytes().data()),
                       mapped->bytes().size());
  });
}

constexpr double kForwardShare = 0.75; // of the time that layers and logits take

Run forwardPart(const Run& run) {
  return partOf(run, 0, kForwardShare);
}

Run predictionsPart(const Run& run) {
  return partOf(run, kForwardShare, 1);
}

using FinalStates = std::vector<std::shared_ptr<const Matrix<float>>>;

std::shared_ptr<const VariantCost> costOf(const ModelAsItIs& base, const ModelVariant& variant,
                                          const Run& run) {
  auto cost = std::make_shared<VariantCost>();
  cost->variant = variant;
  const Model& model = *base.model;
  std::vector<ForwardStates> states{base.states};
  states.push_back(forward(base.states, variant, ForwardOptions{0}, forwardPart(run)));
  std::vector<Predictions> all;
  if (!model.encoder)
    all = predictions(model, base.tokens->ids, FinalStates{states[0].final, states[1].final}, {},
                      predictionsPart(run));
  LossTable table = lossTable(states, std::move(all));
  cost->row = std::move(table.rows[1]);
  if (!table.predictions.empty())
    cost->predictions = std::move(table.predictions[1]);
  return cost;
}

// What the variant of the Scene's own pattern is called.
std::string ownName(const ModelSpec& spec, const Pattern& own) {
  return freeVariantName(spec.variants, titleText(own));
}

ModelTokens shippedTokens(const ShippedCosts& shipped) {
  return {shipped.ids, shipped.costs.pieces, shipped.costs.given, shipped.costs.from, nullptr};
}

// The same masks under another name.
std::shared_ptr<const VariantCost> known(const ModelCosts* before, const ModelAsItIs& base,
                                         const ModelVariant& variant) {
  if (!before || before->base.get() != &base)
    return nullptr;
  for (const auto& cost : before->variants)
    if (cost->variant.rules == variant.rules) {
      if (cost->variant.name == variant.name)
        return cost;
      auto renamed = std::make_shared<VariantCost>(*cost);
      renamed->variant.name = renamed->row.name = variant.name;
      return renamed;
    }
  return nullptr;
}

} // namespace

ModelSource modelSource(const ModelSpec& spec) {
  check(spec);
  return {spec.model, spec.text, spec.typed, spec.ids, spec.n};
}

std::filesystem::path textFile(const ModelSource& source) {
  if (!source.text.empty())
    return source.text;
  const bool none = source.typed.empty() && source.ids.empty();
  return none ? assetFolder() / "samples" / kBundledText : std::filesystem::path();
}

bool isShipped(const ModelSource& source) {
  const bool otherText =
      !source.typed.empty() || !source.ids.empty() ||
      (!source.text.empty() && std::filesystem::path(source.text) != textFile(ModelSource()));
  return !otherText &&
         (source.model.empty() || (source.model == kShippedModel && !findModel(source.model)));
}

std::shared_ptr<const Model> openedModel(const ModelSource& source) {
  if (isShipped(source))
    return readShippedCosts()->model;
  if (source.model.empty())
    throw Error(ErrorCode::Type, "model",
                "no model is open; it must be a .gguf file or a folder with config.json");
  return openModel(modelPath(source.model));
}

bool hasWeights(const Model& model) {
  return !model.embedding.empty();
}

ModelTokens modelTokens(const Model& model, const ModelSource& source) {
  if (!hasWeights(model))
    return shippedTokens(*readShippedCosts());
  ModelTokens tokens;
  if (!source.ids.empty()) {
    tokens.ids = source.ids;
    tokens.from = "the given ids";
  } else {
    const std::filesystem::path file = textFile(source);
    tokens.tokenizer = openTokenizer(model.path);
    Encoding encoding = tokens.tokenizer->encode(file.empty() ? source.typed : textIn(file), false);
    tokens.ids = std::move(encoding.ids);
    tokens.pieces = std::move(encoding.pieces);
    tokens.from = file.empty() ? "the typed text" : file.filename().string();
  }
  if (tokens.ids.empty())
    throw Error(ErrorCode::Type, "text", "the text has no tokens; it must have at least one");
  tokens.given = static_cast<Index>(tokens.ids.size());
  const auto n = static_cast<std::size_t>(std::min(source.n, tokens.given));
  tokens.ids.resize(n);
  if (!tokens.pieces.empty())
    tokens.pieces.resize(n);
  return tokens;
}

ModelAsItIs modelAsItIs(std::shared_ptr<const Model> model,
                        std::shared_ptr<const ModelTokens> tokens, const Run& run) {
  ModelAsItIs base;
  base.states = forward(model, tokens->ids, {}, {}, forwardPart(run));
  if (!model->encoder)
    base.predictions =
        predictions(*model, tokens->ids, FinalStates{base.states.final}, {}, predictionsPart(run))
            .front();
  base.model = std::move(model);
  base.tokens = std::move(tokens);
  return base;
}

std::vector<ModelVariant> variantsOf(const ModelSpec& spec, const Pattern& own, const Model& model,
                                     const Run& run) {
  check(spec);
  std::vector<ModelVariant> all;
  const auto layers = static_cast<Index>(model.layers.size());
  if (spec.own)
    all.push_back({ownName(spec, own), {{{}, {}, maskFor(model, own, spec.n, run)}}});
  for (const ModelVariantSpec& variant : spec.variants) {
    ModelVariant made{variant.name};
    for (const ModelRuleSpec& rule : variant.rules)
      made.rules.push_back({placesFromText(rule.layers, layers, "layers of " + variant.name),
                            placesFromText(rule.heads, model.heads, "heads of " + variant.name),
                            maskFor(model, rule.pattern, spec.n, run)});
    all.push_back(std::move(made));
  }
  return all;
}

ModelVariant shownVariant(const ModelSpec& spec, const Pattern& own, const Model& model,
                          const Run& run) {
  std::vector<ModelVariant> all = variantsOf(spec, own, model, run);
  if (all.empty())
    return {kAsItIs};
  const std::size_t before = spec.own ? 1 : 0; // of the spec's own variants
  const auto chosen = chosenVariant(spec);
  return std::move(all[chosen ? *chosen + before : 0]);
}

const MeasuredRow* findShownRow(const ModelSpec& spec, const Pattern& own,
                                const MeasuredCosts& costs) {
  if (const auto chosen = chosenVariant(spec))
    return rowNamed(costs, spec.variants[*chosen].name);
  return spec.own ? rowNamed(costs, ownName(spec, own)) : nullptr;
}

const MeasuredRow& shownRow(const ModelSpec& spec, const Pattern& own, const MeasuredCosts& costs) {
  if (costs.encoder)
    throw Error(ErrorCode::Unsupported, "model",
                "an encoder predicts nothing, so its text cannot be shaded by what it predicts "
                "worse; it must be a decoder");
  const MeasuredRow* row = findShownRow(spec, own, costs);
  if (!row && (spec.own || !spec.variants.empty()))
    throw Error(ErrorCode::Unsupported, "variants",
                "the results that come with the program do not include this variant; download the "
                "model to compute it");
  if (!row)
    throw Error(ErrorCode::Unsupported, "variants",
                "there is no variant to shade the text by; turn on “pattern everywhere”, or keep "
                "a variant");
  if (row->loss.empty() && costs.tokens > 1)
    throw Error(ErrorCode::Unsupported, "variants",
                "the results that come with the program have only the mean loss of this variant; "
                "download the model to compute its text");
  return *row;
}

Pattern maskFor(const Model& model, const Pattern& pattern, Index n, const Run& run) {
  Pattern read = resolveFiles(pattern, {}, run);
  return model.encoder ? read : withoutFuture(read, n, run);
}

Pattern withoutFuture(const Pattern& pattern, Index n, const Run& run) {
  Pattern past = pattern;
  for (const Parameter& parameter : description(past).parameters)
    if (parameter.name == "causal" && parameter.type == ParameterType::Boolean) {
      parameter.set(past, Value(true));
      return past;
    }
  if (seesFuture(past, n, run))
    return Compose(Operation::Intersection, {past, Causal{}});
  return past;
}

ModelCosts modelCosts(std::shared_ptr<const ModelAsItIs> base, std::vector<ModelVariant> variants,
                      const ModelCosts* before,
                      const std::function<void(const ModelCosts&)>& onPart, const Run& run) {
  ModelCosts costs{std::move(base), {}, {}, std::move(variants)};
  const ModelAsItIs& own = *costs.base;
  std::vector<Predictions> first;
  if (!own.model->encoder)
    first.push_back(own.predictions);
  costs.asItIs = lossTable(std::span(&own.states, 1), std::move(first)).rows.front();
  const auto steps = static_cast<Index>(costs.asked.size());
  for (Index k = 0; k < steps; ++k) {
    if (onPart)
      onPart(costs);
    const ModelVariant& variant = costs.asked[static_cast<std::size_t>(k)];
    auto cost = known(before, own, variant);
    costs.variants.push_back(cost ? cost : costOf(own, variant, stepOf(run, k, steps)));
  }
  return costs;
}

MeasuredCosts measuredOf(const ModelCosts& costs) {
  const ModelAsItIs& base = *costs.base;
  const ModelTokens& tokens = *base.tokens;
  MeasuredCosts measured;
  measured.model = base.model->name;
  measured.note = base.model->note;
  measured.encoder = base.model->encoder;
  measured.tokens = std::ssize(tokens.ids);
  measured.given = tokens.given;
  measured.from = tokens.from;
  measured.pieces = tokens.pieces;
  const Tokenizer* tokenizer = tokens.tokenizer.get();
  measured.rows.push_back(measuredRow(costs.asItIs, base.predictions, tokenizer, 0));
  for (const auto& variant : costs.variants)
    measured.rows.push_back(
        measuredRow(variant->row, variant->predictions, tokenizer, measured.rows.size()));
  return measured;
}

std::shared_ptr<const ShippedCosts> shippedFor(const Model& model) {
  return !hasWeights(model) || model.path.stem() == kShippedModel ? readShippedCosts() : nullptr;
}

MeasuredCosts withShipped(MeasuredCosts computed, const ModelCosts& costs,
                          const ShippedCosts* shipped) {
  if (!shipped || costs.base->tokens->ids != shipped->ids)
    return computed;
  const std::size_t done = costs.variants.size();
  MeasuredCosts known = measuredOf(*shipped, std::span(costs.asked).subspan(done));
  if (known.rows.size() == 1)
    return computed;
  for (MeasuredRow& row : known.rows)
    row.hue += done;
  computed.rows.insert(computed.rows.end(), known.rows.begin() + 1, known.rows.end());
  computed.shipped = known.shipped;
  computed.partly = true;
  return computed;
}

MeasuredCosts measuredCostsOf(const Scene& scene, const AskedVariants& asked, const Run& run) {
  const ModelSource source = modelSource(scene.model);
  const auto model = openedModel(source);
  auto tokens = std::make_shared<const ModelTokens>(modelTokens(*model, source));
  run.check();
  auto variants = asked(*model, std::ssize(tokens->ids));
  if (!hasWeights(*model))
    return measuredOf(*readShippedCosts(), variants);
  const auto share = 1 / static_cast<double>(variants.size() + 1);
  auto base = std::make_shared<const ModelAsItIs>(
      modelAsItIs(model, std::move(tokens), partOf(run, 0, share)));
  return measuredOf(
      modelCosts(std::move(base), std::move(variants), nullptr, {}, partOf(run, share, 1)));
}

MeasuredCosts measuredCostsOf(const Scene& scene, const Run& run) {
  return measuredCostsOf(
      scene,
      [&](const Model& model, Index) {
        return variantsOf(scene.model, scene.pattern, model, run.quiet());
      },
      run);
}

} // namespace attention
