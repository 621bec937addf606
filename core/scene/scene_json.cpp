#include "core/scene/scene_json.h"

#include "core/input/mapped_file.h"
#include "core/input/replace_file.h"
#include "core/scene/choosing_picture.h"
#include "core/scene/fields.h"
#include "core/scene/pattern_files.h"
#include "core/support/json_text.h"

#include <concepts>
#include <ostream>
#include <type_traits>

namespace attention {

using fields::Either;
using fields::Json;

namespace {

constexpr const char* kSceneType = "attention-explorer scene";

template <class F, class T>
void patternField(F& f, T& pattern) {
  f.own(
      "pattern", pattern, [](const Pattern& p) { return toJson(p); },
      [](const Json& json) { return patternFromJson(json); });
}

// The input without fields at their defaults, but for what it is.
Json briefInput(const InputSpec& spec) {
  InputSpec usual;
  std::visit([&]<class Source>(const Source&) { usual.source = Source(); }, spec.source);
  const Json known = toJson(usual);
  Json brief = toJson(spec);
  for (const auto& [name, value] : known.items())
    if (name != "kind" && name != "generator" && brief.contains(name) && brief[name] == value)
      brief.erase(name);
  return brief;
}

} // namespace

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
  f.part("heads", headsSettings(), x.heads);
  f.settings(maskSettings(), x);
  f.part("image", imageSettings(), x.image);
  f.part("tiles", tilesSettings(), x.tiles);
  f.part("ranks", ranksSettings(), x.ranks);
  f.part("check", maskCheckSettings(), x.check);
  f.list("hidden", x.hidden);
  f.objects("panels", x.panels);
}

template <class F, Either<StackedModel> T>
void describe(F& f, T& x) {
  f.text("name", x.name);
  f.text("config", x.config);
}

template <class F, Either<ReachSpec> T>
void describe(F& f, T& x) {
  f.settings(reachSettings(), x);
  f.objects("stack", x.stack);
  f.objects("beside", x.beside);
  f.objects("models", x.models);
}

template <class F, Either<AttentionSpec> T>
void describe(F& f, T& x) {
  f.settings(attentionSettings(), x);
  f.part("maps", attentionMapsSettings(), x.maps);
  f.part("list", headListSettings(), x.list);
  f.part("steps", stepsSettings(), x.steps);
  f.part("text", textSettings(), x.text);
}

template <class F, Either<KernelsSpec> T>
void describe(F& f, T& x) {
  f.settings(kernelsSettings(), x);
  f.part("compared", kernelsComparedSettings(), x.compared);
}

template <class F, Either<ChoosingSpec> T>
void describe(F& f, T& x) {
  f.settings(choosingSettings(), x);
  f.part("circle", circleSettings(), x.circle);
}

template <class F, Either<TimedMechanism> T>
void describe(F& f, T& x) {
  f.settings(timedSettings(), x);
  patternField(f, x.pattern);
}

template <class F, Either<TimingsSpec> T>
void describe(F& f, T& x) {
  f.objects("mechanisms", x.mechanisms);
  f.settings(timingsSettings(), x);
}

template <class F, Either<CompareSpec> T>
void describe(F& f, T& x) {
  f.objects("patterns", x.patterns);
  f.settings(compareSettings(), x);
  f.objects("scored", x.scored);
}

template <class F, Either<ModelRuleSpec> T>
void describe(F& f, T& x) {
  f.settings(modelRuleSettings(), x);
  patternField(f, x.pattern);
}

template <class F, Either<ModelVariantSpec> T>
void describe(F& f, T& x) {
  f.field("name", x.name);
  f.objects("rules", x.rules);
}

template <class F, Either<ModelSpec> T>
void describe(F& f, T& x) {
  f.settings(modelSettings(), x);
  f.objects("variants", x.variants);
  f.part("sweep", modelSweepSettings(), x.sweep);
}

template <class F, Either<Scene> T>
void describe(F& f, T& x) {
  f.field("title", x.title);
  f.field("caption", x.caption);
  f.field("source", x.source);
  f.text("paper", x.paper);
  const fields::FormerName<View> former{kFormerViewName, View::Choosing};
  f.choice("about", x.about, kViewNames, former);
  f.choice("view", x.view, kViewNames, former);
  patternField(f, x.pattern);
  f.part("length", lengthSettings(), x.length);
  f.list("labels", x.labels);
  f.own(
      "input", x.input, [](const InputSpec& spec) { return fields::Written(toJson(spec)); },
      [](const Json& json) { return inputSpecFromJson(json); },
      [](const Json& json) { return unknownFields(json); });
  f.object("mask", x.mask);
  f.object("reach", x.reach);
  f.object("attention", x.attention);
  f.object("kernels", x.kernels);
  f.object("choosing", x.choosing, kFormerViewName);
  f.object("timings", x.timings);
  f.part("encodings", encodingsSettings(), x.encodings);
  f.object("compare", x.compare);
  f.object("model", x.model);
  f.part("camera", cameraSettings(), x.camera);
  f.part("pins", pinsSettings(), x.pins);
}

namespace {

// What a Choosing view opens on that states no picture: a chooser's or a cache's own.
ChoosingPicture openingPicture(const Scene& scene) {
  const bool chooses = ranksKeys(scene.pattern) || evictsKeys(scene.pattern);
  return scene.view == View::Choosing && chooses ? pictureFor(scene.pattern)
                                                 : ChoosingSpec().picture;
}

} // namespace

fields::Written toJson(const Scene& scene) {
  fields::Writer writer;
  writer.field("type", std::string(kSceneType));
  writer.field("version", kSceneVersion);
  describe(writer, scene);
  return std::move(writer.json);
}

fields::Written toBriefJson(const Scene& scene) {
  Scene none;
  none.choosing.picture = openingPicture(scene);
  fields::Writer usual;
  describe(usual, none);
  fields::Writer writer(usual.json);
  writer.field("type", std::string(kSceneType));
  writer.field("version", kSceneVersion);
  describe(writer, scene);
  if (writer.json.contains("input"))
    writer.json["input"] = briefInput(scene.input);
  return std::move(writer.json);
}

std::string toText(const Scene& scene) {
  return toJson(scene).dump(2, ' ', false, fields::Written::error_handler_t::replace) + "\n";
}

ReadScene sceneFromJson(const Json& json, std::string_view what, const char* joint) {
  fields::requireThisVersion(json, std::string(what), "scene", kSceneVersion);
  ReadScene read;
  fields::Reader reader(json, std::string(what), read.warnings, joint);
  std::string type;
  Index version = 0;
  reader.field("type", type);
  reader.field("version", version);
  describe(reader, read.scene);
  const std::string_view part = json.contains("choosing") ? "choosing" : kFormerViewName;
  if (!json.contains(part) || !json[part].contains("picture"))
    read.scene.choosing.picture = openingPicture(read.scene);
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
