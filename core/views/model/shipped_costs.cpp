#include "core/views/model/shipped_costs.h"

#include "core/input/assets.h"
#include "core/input/mapped_file.h"
#include "core/pattern/pattern_json.h"
#include "core/scene/fields.h"
#include "core/support/error.h"
#include "core/support/json_text.h"
#include "core/support/number_text.h"
#include "core/support/text.h"
#include "core/views/model/first_tokens.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace attention {
namespace {

using fields::Json;

constexpr const char* kType = "attention-explorer results";
constexpr Index kVersion = 1;

fields::Written patternsJson(const std::vector<ModelLayer>& layers) {
  fields::Written patterns = fields::Written::array();
  for (const ModelLayer& layer : layers)
    patterns.push_back(toJson(layer.pattern));
  return patterns;
}

std::vector<ModelLayer> layersFromJson(const Json& patterns) {
  if (!patterns.is_array())
    fields::throwType("model.patterns", "a list of patterns");
  std::vector<ModelLayer> layers;
  for (const Json& pattern : patterns)
    layers.emplace_back().pattern = patternFromJson(pattern);
  return layers;
}

} // namespace

// Reads or writes a value, field by field (core/scene/fields.h).
struct ResultsShape {
  Model model;
};

template <class F, fields::Either<ResultsShape> T>
void describe(F& f, T& x) {
  f.field("family", x.model.family);
  f.field("name", x.model.name);
  f.field("heads", x.model.heads);
  f.field("kv_heads", x.model.kvHeads);
  f.field("head_width", x.model.headWidth);
  f.field("width", x.model.width);
  f.field("vocabulary", x.model.vocabulary);
  f.field("context", x.model.context);
  f.field("encoder", x.model.encoder);
  f.own("patterns", x.model.layers, patternsJson, layersFromJson);
}

struct ResultsText {
  std::vector<Index> ids;
  MeasuredCosts costs;
};

template <class F, fields::Either<ResultsText> T>
void describe(F& f, T& x) {
  f.field("from", x.costs.from);
  f.field("given", x.costs.given);
  f.list("ids", x.ids);
  f.list("pieces", x.costs.pieces);
}

template <class F, fields::Either<MeasuredRow> T>
void describe(F& f, T& x) {
  f.field("name", x.row.name);
  f.field("pairs", x.row.pairs);
  f.field("loss", x.row.loss);
  f.field("perplexity", x.row.perplexity);
  f.field("kl", x.row.kl);
  f.field("top1", x.row.top1);
  f.field("change", x.row.change);
  f.field("flops", x.row.flops);
  f.field("kv_bytes", x.row.kvBytes);
  f.list("loss_by_position", x.loss);
  f.list("expected", x.expected);
  f.list("expected_share", x.share);
}

namespace {

// Lists of a row have a number per prediction, or none.
void checkLengths(const MeasuredCosts& costs, const std::string& file) {
  const auto predictions = static_cast<std::size_t>(std::max<Index>(costs.tokens - 1, 0));
  const auto fits = [&](const auto& list) { return list.empty() || list.size() == predictions; };
  if (!costs.pieces.empty() && std::ssize(costs.pieces) != costs.tokens)
    throwRange(file + ": text.pieces", countText(std::ssize(costs.pieces), "piece"),
               "one for each of the ids");
  const bool none = costs.rows.front().loss.empty();
  for (const MeasuredRow& row : costs.rows)
    if ((none && !row.loss.empty()) || !fits(row.loss) || !fits(row.expected) || !fits(row.share))
      throwRange(file + ": rows", "a list of another length in " + excerpt(row.row.name),
                 "a number for each prediction, " + std::to_string(predictions) + ", or none");
}

} // namespace

nlohmann::ordered_json toJson(const ShippedCosts& results) {
  fields::Writer writer;
  writer.field("type", std::string(kType));
  writer.field("version", kVersion);
  writer.field("made_by", results.costs.shipped);
  writer.object("model", ResultsShape{*results.model});
  writer.object("text", ResultsText{results.ids, results.costs});
  writer.json["variants"] = toJson(std::span<const ModelVariant>(results.variants));
  writer.objects("rows", results.costs.rows);
  return std::move(writer.json);
}

ShippedCosts shippedFromJson(const Json& json, const std::string& file) {
  fields::requireThisVersion(json, file, "results", kVersion);
  std::vector<std::string> unknown; // fields of later programs are left out
  fields::Reader reader(json, file, unknown, ": ");
  ShippedCosts shipped;
  MeasuredCosts& costs = shipped.costs;
  ResultsShape shape;
  ResultsText text;
  reader.field("made_by", costs.shipped);
  reader.object("model", shape);
  reader.object("text", text);
  reader.objects("rows", costs.rows);
  reader.own("variants", shipped.variants, nullptr, [&](const Json& list) {
    return variantsFromJson(list, shape.model, file + ": variants");
  });
  costs.model = shape.model.name;
  costs.encoder = shape.model.encoder;
  costs.tokens = std::ssize(text.ids);
  costs.given = text.costs.given;
  costs.from = std::move(text.costs.from);
  costs.pieces = std::move(text.costs.pieces);
  shipped.ids = std::move(text.ids);
  shipped.model = std::make_shared<const Model>(std::move(shape.model));
  if (costs.rows.size() != shipped.variants.size() + 1)
    throwRange(file + ": rows", countText(costs.rows.size(), "row"),
               "the model as it is and a row for each of the variants");
  checkLengths(costs, file);
  return shipped;
}

std::filesystem::path shippedFile() {
  return assetFolder() / "results" / "smollm2_pride.json";
}

std::shared_ptr<const ShippedCosts> readShippedCosts() {
  const std::filesystem::path file = shippedFile();
  return std::make_shared<const ShippedCosts>(
      shippedFromJson(parseJson(textOfFile(file), file.string()), file.string()));
}

namespace {

// Of the variant with these rules, or the model as it is where the masks are its own; else null.
const MeasuredRow* rowOf(const ShippedCosts& shipped, const ModelVariant& variant) {
  const auto at =
      std::find_if(shipped.variants.begin(), shipped.variants.end(),
                   [&](const ModelVariant& known) { return known.rules == variant.rules; });
  if (at != shipped.variants.end())
    return &shipped.costs.rows[static_cast<std::size_t>(at - shipped.variants.begin()) + 1];
  const Index n = shipped.costs.tokens;
  return ownTokens(*shipped.model, variant, n) == n ? &shipped.costs.rows.front() : nullptr;
}

} // namespace

MeasuredCosts measuredOf(const ShippedCosts& shipped, std::span<const ModelVariant> asked) {
  MeasuredCosts costs = shipped.costs;
  costs.rows.resize(1);
  std::size_t hue = 0;
  for (const ModelVariant& variant : asked) {
    ++hue;
    const MeasuredRow* row = rowOf(shipped, variant);
    if (!row) {
      costs.lacking.push_back(variant.name);
      continue;
    }
    costs.rows.push_back(*row);
    costs.rows.back().row.name = variant.name;
    costs.rows.back().hue = hue;
  }
  return costs;
}

} // namespace attention
