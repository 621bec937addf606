#include "core/scene/scene_json.h"

#include "core/input/mapped_file.h"
#include "core/input/replace_file.h"
#include "core/scene/attention_fields.h"
#include "core/scene/fields.h"
#include "core/scene/hashing_fields.h"
#include "core/scene/kernels_fields.h"
#include "core/scene/pattern_files.h"
#include "core/support/json_text.h"

#include <concepts>
#include <ostream>
#include <type_traits>

namespace attention {

namespace {

using fields::Json;

constexpr const char* kType = "attention-explorer scene";
constexpr fields::Names<2> kAligns{"top-left", "bottom-right"};
constexpr fields::Names<3> kHeadsShown{"one", "side_by_side", "merged"};
constexpr fields::Names<3> kWeights{"off", "maximum", "sum"};

// T or const T: the same list of fields reads and writes.
template <class T, class Of>
concept Either = std::same_as<std::remove_const_t<T>, Of>;

template <class F, class T>
void patternField(F& f, T& pattern) {
  f.own(
      "pattern", pattern, [](const Pattern& p) { return toJson(p); },
      [](const Json& json) { return patternFromJson(json); });
}

FeatureMap featuresFromJson(const Json& json) {
  if (!json.is_string())
    fields::throwType("features", "a name");
  return featureMapNamed(json.get<std::string>());
}

Kernel kernelFromJson(const Json& json) {
  if (!json.is_string())
    fields::throwType("kernel", "a name");
  return kernelNamed(json.get<std::string>());
}

} // namespace

template <class F, Either<LengthSpec> T>
void describe(F& f, T& x) {
  f.field("n", x.n);
  f.field("queries", x.queries);
  f.choice("align", x.align, kAligns);
}

template <class F, Either<Camera> T>
void describe(F& f, T& x) {
  f.field("query", x.query);
  f.field("key", x.key);
  f.field("cells", x.cells);
}

template <class F, Either<Pins> T>
void describe(F& f, T& x) {
  f.field("query", x.query);
  f.field("key", x.key);
}

template <class F, Either<HeadsSpec> T>
void describe(F& f, T& x) {
  f.choice("shown", x.shown, kHeadsShown);
  f.field("heads", x.heads);
  f.field("alternate", x.alternate);
  f.field("subblocks", x.subblocks);
  f.field("dilations", x.dilations);
}

template <class F, Either<ImageSpec> T>
void describe(F& f, T& x) {
  f.field("shown", x.shown);
  f.field("rows", x.rows);
  f.field("columns", x.columns);
}

template <class F, Either<PartLook> T>
void describe(F& f, T& x) {
  f.text("label", x.label);
  f.field("hue", x.hue);
}

template <class F, Either<Panel> T>
void describe(F& f, T& x) {
  f.field("title", x.title);
  patternField(f, x.pattern);
  f.objects("parts", x.parts);
  f.list("queries", x.queries);
  f.list("keys", x.keys);
}

template <class F, Either<MaskSpec> T>
void describe(F& f, T& x) {
  f.object("heads", x.heads);
  f.choice("weights", x.weights, kWeights);
  f.object("image", x.image);
  f.objects("panels", x.panels);
}

template <class F, Either<ReachSpec> T>
void describe(F& f, T& x) {
  f.field("layers", x.layers);
  f.objects("stack", x.stack);
  f.field("chosen", x.chosen);
  f.field("residual", x.residual);
  f.field("shown", x.shown);
  f.objects("beside", x.beside);
}

template <class F, Either<TimedMechanism> T>
void describe(F& f, T& x) {
  f.choice("kind", x.kind, kTimedKinds);
  f.text("title", x.title);
  patternField(f, x.pattern);
  f.own(
      "features", x.features, [](FeatureMap map) { return std::string(name(map)); },
      [](const Json& json) { return featuresFromJson(json); });
  f.field("m", x.m);
  f.field("causal", x.causal);
  f.field("k", x.k);
  f.own(
      "kernel", x.kernel, [](Kernel kernel) { return std::string(name(kernel)); },
      [](const Json& json) { return kernelFromJson(json); });
}

template <class F, Either<TimingsSpec> T>
void describe(F& f, T& x) {
  f.objects("mechanisms", x.mechanisms);
  f.field("from", x.from);
  f.field("to", x.to);
  f.field("d", x.d);
  f.field("heads", x.heads);
  f.field("threads", x.threads);
}

template <class F, Either<EncodingsSpec> T>
void describe(F& f, T& x) {
  f.field("l1", x.l1);
  f.field("l2", x.l2);
  f.field("d1", x.d1);
  f.field("d2", x.d2);
  f.field("n", x.n);
  f.choice("reading", x.reading, kReadingNames);
  f.choice("tables", x.tables, kAxialTablesNames);
  f.field("seed", x.seed);
  f.field("position", x.position);
}

template <class F, Either<CompareSpec> T>
void describe(F& f, T& x) {
  f.objects("patterns", x.patterns);
  f.field("first", x.first);
  f.field("second", x.second);
  f.field("chosen", x.chosen);
  f.field("match_pairs", x.matchPairs);
  f.objects("scored", x.scored);
  f.choice("base", x.base, fields::Names<3>{"meaningful", "full", "causal"});
  f.choice("sorted_by", x.sortedBy, kScoreColumnNames);
  f.field("rising", x.rising);
}

template <class F, Either<Scene> T>
void describe(F& f, T& x) {
  f.field("title", x.title);
  f.field("caption", x.caption);
  f.field("source", x.source);
  f.text("paper", x.paper);
  f.choice("about", x.about, kViewNames);
  f.choice("view", x.view, kViewNames);
  patternField(f, x.pattern);
  f.object("length", x.length);
  f.list("labels", x.labels);
  f.own(
      "input", x.input, [](const InputSpec& spec) { return fields::Written(toJson(spec)); },
      [](const Json& json) { return inputSpecFromJson(json); },
      [](const Json& json) { return unknownFields(json); });
  f.object("mask", x.mask);
  f.object("reach", x.reach);
  f.object("attention", x.attention);
  f.object("kernels", x.kernels);
  f.object("hashing", x.hashing);
  f.object("timings", x.timings);
  f.object("encodings", x.encodings);
  f.object("compare", x.compare);
  f.object("camera", x.camera);
  f.object("pins", x.pins);
}

namespace {

void requireThisVersion(const Json& json, const std::string& what) {
  if (!json.is_object() || !json.contains("type") || json["type"] != kType)
    throw Error(ErrorCode::Type, what,
                what + " is not a scene; it must be an object with \"type\": \"" + kType + "\"");
  const auto version = json.find("version");
  if (version == json.end() || !version->is_number_integer())
    throw Error(ErrorCode::Type, what, what + " has no version; it must be an integer");
  if (*version > kSceneVersion)
    throw Error(ErrorCode::Unsupported, what,
                what + " has version " + version->dump() +
                    ", made by a newer program; this one "
                    "reads up to version " +
                    std::to_string(kSceneVersion));
}

} // namespace

fields::Written toJson(const Scene& scene) {
  fields::Writer writer;
  writer.field("type", std::string(kType));
  writer.field("version", kSceneVersion);
  describe(writer, scene);
  return std::move(writer.json);
}

std::string toText(const Scene& scene) {
  return toJson(scene).dump(2, ' ', false, fields::Written::error_handler_t::replace) + "\n";
}

ReadScene sceneFromJson(const Json& json, std::string_view what) {
  requireThisVersion(json, std::string(what));
  ReadScene read;
  fields::Reader reader(json, std::string(what), read.warnings);
  std::string type;
  Index version = 0;
  reader.field("type", type);
  reader.field("version", version);
  describe(reader, read.scene);
  reader.warnOfUnknown();
  return read;
}

ReadScene sceneFromText(std::string_view text, std::string_view what) {
  return sceneFromJson(parseJson(text, std::string(what)), what);
}

ReadScene readScene(const std::filesystem::path& path) {
  ReadScene read = sceneFromText(textOfFile(path), path.string());
  placeFiles(read.scene, folderOf(path));
  return read;
}

void writeScene(const Scene& scene, const std::filesystem::path& path) {
  replaceFile(path, [&](std::ostream& stream) { stream << toText(scene); });
}

} // namespace attention
