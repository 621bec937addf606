#include "core/views/model/scene_model.h"

#include "core/input/assets.h"
#include "core/model/given_text.h"
#include "core/model/model_path.h"
#include "core/support/error.h"
#include "core/support/part_of_run.h"
#include "core/views/model/variant_names.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace attention {
namespace {

// What the variant of the Scene's own pattern is called.
std::string ownName(const ModelSpec& spec, const Pattern& own) {
  return freeVariantName(spec.variants, sizedTitle(own));
}

bool hasShippedText(const ModelSource& source) {
  const bool otherText =
      !source.text.empty() && std::filesystem::path(source.text) != textFile(ModelSource());
  return source.typed.empty() && source.ids.empty() && !otherText;
}

ModelTokens shippedTokens(const ShippedCosts& shipped) {
  return {shipped.ids, shipped.costs.pieces, shipped.costs.given, shipped.costs.from, nullptr,
          true};
}

} // namespace

ModelSource modelSource(const ModelSpec& spec) {
  check(spec);
  return modelInput(spec);
}

bool isShipped(const ModelSource& source) {
  return hasShippedText(source) &&
         (source.model.empty() || (source.model == kShippedModel && !findModel(source.model)));
}

bool mayBeShipped(const ModelSource& source) {
  const std::string file = std::filesystem::path(source.model).filename().string();
  return hasShippedText(source) && source.n == kShippedTokens &&
         (file == kShippedModel || file == kShippedModel + std::string(".gguf"));
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
    Encoding encoding =
        tokens.tokenizer->encode(file.empty() ? source.typed : readModelText(file), false);
    tokens.ids = std::move(encoding.ids);
    tokens.pieces = std::move(encoding.pieces);
    tokens.from = file.empty() ? "the typed text" : file.filename().string();
  }
  const bool tokenized = source.ids.empty();
  if (tokens.ids.empty())
    throw Error(ErrorCode::Type, "text", "the text has no tokens; it must have at least one");
  tokens.given = static_cast<Index>(tokens.ids.size());
  const auto n = static_cast<std::size_t>(std::min(source.n, tokens.given));
  tokens.ids.resize(n);
  if (!tokens.pieces.empty())
    tokens.pieces.resize(n);
  if (tokenized)
    requireKnown(model, tokens.ids);
  const auto shipped = shippedFor(model);
  tokens.shipped = shipped && shipped->ids == tokens.ids;
  return tokens;
}

std::vector<ModelVariant> givenVariants(const ModelSpec& spec, const Pattern& own,
                                        const Model& model) {
  check(spec);
  std::vector<ModelVariant> all;
  const auto layers = static_cast<Index>(model.layers.size());
  if (spec.own)
    all.push_back({ownName(spec, own), {{{}, {}, own}}});
  for (const ModelVariantSpec& variant : spec.variants) {
    ModelVariant made{variant.name};
    for (const ModelRuleSpec& rule : variant.rules)
      made.rules.push_back(
          {placesFromText(rule.layers, layers, "layers of " + variant.name),
           placesFromText(rule.heads, model.heads, "heads of " + variant.name, model.kvHeads),
           rule.pattern});
    all.push_back(std::move(made));
  }
  return all;
}

std::vector<ModelVariant> variantsOf(const ModelSpec& spec, const Pattern& own, const Model& model,
                                     const Run& run) {
  std::vector<ModelVariant> all = givenVariants(spec, own, model);
  for (ModelVariant& variant : all)
    for (Rule& rule : variant.rules)
      rule.pattern = maskFor(model, rule.pattern, spec.n, run);
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
  const auto chosen = chosenVariant(spec);
  if (!chosen && !spec.own)
    return nullptr;
  const std::string name = chosen ? spec.variants[*chosen].name : ownName(spec, own);
  const MeasuredRow* row = rowNamed(costs, name);
  return !row && costs.begun && costs.begun->row.name == name ? &*costs.begun : row;
}

std::vector<const MeasuredRow*> singleRows(const ModelSpec& spec, const Pattern& own,
                                           const MeasuredCosts& costs) {
  std::vector<const MeasuredRow*> rows;
  if (!spec.single)
    return rows;
  if (!costs.rows.empty())
    rows.push_back(&costs.rows.front());
  if (const MeasuredRow* shown = findShownRow(spec, own, costs))
    rows.push_back(shown);
  std::erase_if(rows, [](const MeasuredRow* row) { return row->loss.empty(); });
  return rows;
}

const MeasuredRow& shownRow(const ModelSpec& spec, const Pattern& own, const MeasuredCosts& costs) {
  if (costs.encoder)
    throw Error(ErrorCode::Unsupported, "model",
                "an encoder predicts nothing, so its text cannot be shaded by what it predicts "
                "worse; Costs and Sweep show how its final states change");
  const MeasuredRow* row = findShownRow(spec, own, costs);
  if (!row && (spec.own || !spec.variants.empty()))
    throw Error(ErrorCode::Unsupported, "variants",
                "the results that come with the program do not include this variant; download the "
                "model to compute it");
  if (!row)
    throw Error(ErrorCode::Unsupported, "variants",
                "there is no variant to shade the text by; turn on “the pattern in every "
                "head”, or keep a variant");
  if (row->loss.empty() && costs.tokens > 1)
    throw Error(ErrorCode::Unsupported, "variants",
                "the results that come with the program have only the mean loss of this variant; "
                "download the model to compute its text");
  return *row;
}

std::shared_ptr<const ShippedCosts> shippedFor(const Model& model) {
  if (hasWeights(model) && model.path.stem() != kShippedModel)
    return nullptr;
  auto shipped = readShippedCosts();
  const Model& known = *shipped->model;
  const bool same = model.width == known.width && model.vocabulary == known.vocabulary &&
                    model.layers.size() == known.layers.size();
  return same ? shipped : nullptr;
}

MeasuredCosts withShipped(MeasuredCosts computed, const ModelCosts& costs,
                          const ShippedCosts* shipped) {
  if (!shipped || !costs.base->tokens->shipped)
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
  if (computed.begun && rowNamed(computed, computed.begun->row.name))
    computed.begun.reset(); // the whole is known
  return computed;
}

namespace {

// Rows of sweeps have only means.
bool hasLossesAlong(const MeasuredCosts& costs) {
  return std::none_of(costs.rows.begin(), costs.rows.end(),
                      [](const MeasuredRow& row) { return row.loss.empty(); });
}

} // namespace

MeasuredCosts measuredCostsOf(const Scene& scene, const AskedVariants& asked, const Run& run) {
  const ModelSource source = modelSource(scene.model);
  const auto model = openedModel(source);
  auto tokens = std::make_shared<const ModelTokens>(modelTokens(*model, source));
  run.check();
  auto variants = asked(*model, std::ssize(tokens->ids));
  if (tokens->shipped) {
    MeasuredCosts known = measuredOf(*readShippedCosts(), variants);
    const bool enough = scene.model.picture == ModelPicture::Sweep || hasLossesAlong(known);
    if (!hasWeights(*model) || (known.lacking.empty() && enough))
      return known;
  }
  const auto share = 1 / static_cast<double>(variants.size() + 1);
  auto base = std::make_shared<const ModelAsItIs>(
      modelAsItIs(model, std::move(tokens), {}, partOf(run, 0, share)));
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
