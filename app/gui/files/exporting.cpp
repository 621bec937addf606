#include "app/gui/files/exporting.h"

#include "core/figure/export_mask.h"
#include "core/figure/figure_file.h"
#include "core/figure/scene_figure.h"
#include "core/pattern/pattern_json.h"
#include "core/support/error.h"

#include <nlohmann/json.hpp>

namespace attention::gui {
namespace {

constexpr Index kMostCopiedPairs = 1'000'000;

// For a POSIX shell.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string flagsOf(const Pattern& pattern) {
  const auto json = toJson(pattern);
  const auto params = json.find("params");
  std::string flags;
  if (params == json.end())
    return flags;
  for (const auto& [name, value] : params->items()) {
    std::string flag = name;
    for (char& c : flag)
      c = c == '_' ? '-' : c;
    flags += " --p." + flag + " " +
             (value.is_string() ? quoted(value.get<std::string>()) : value.dump());
  }
  return flags;
}

// Flags where every parameter is a plain value, else the pattern's JSON.
std::string patternText(const Pattern& pattern) {
  const auto json = toJson(pattern);
  const auto params = json.find("params");
  bool plain = true;
  if (params != json.end())
    for (const auto& value : *params)
      plain = plain && !value.is_structured();
  if (plain)
    return description(pattern).name + flagsOf(pattern);
  return "--pattern-json " + quoted(json.dump());
}

std::string flag(const std::string& name, const std::string& value, const std::string& usual = {}) {
  return value == usual ? "" : " --" + name + " " + quoted(value);
}

// The flags of INPUT, for patterns that depend on it.
struct InputFlags {
  std::string operator()(const NoInput&) const { return {}; }
  std::string operator()(const AssetInput& asset) const { return flag("sample", asset.name); }
  std::string operator()(const RandomInput& random) const {
    std::string text = flag("random", random.generator) + " --n " + std::to_string(random.n) +
                       " --d " + std::to_string(random.d) + " --heads " +
                       std::to_string(random.heads) + " --seed " + std::to_string(random.seed);
    for (const auto& [name, values] : random.parameters) {
      std::string list;
      for (const double value : values)
        list += (list.empty() ? "" : ",") + nlohmann::json(value).dump();
      text += flag(name, list);
    }
    return text;
  }
  std::string operator()(const FileInput& files) const {
    std::string text = flag("input", files.input) + flag("q-name", files.qName, "q") +
                       flag("k-name", files.kName, "k") + flag("v-name", files.vName, "v") +
                       flag("q", files.q) + flag("k", files.k) + flag("v", files.v) +
                       flag("qk", files.qk) + flag("x", files.x) + flag("wq", files.wq) +
                       flag("wk", files.wk) + flag("wv", files.wv) + flag("wo", files.wo);
    return files.heads > 1 ? text + " --heads " + std::to_string(files.heads) : text;
  }
};

std::string inputText(const InputSpec& spec) {
  std::string text = std::visit(InputFlags{}, spec.source);
  if (spec.batch > 0)
    text += " --batch " + std::to_string(spec.batch);
  if (spec.head > 0)
    text += " --head-index " + std::to_string(spec.head);
  return text;
}

} // namespace

void exportShown(const Scene& scene, const Masks& masks, const std::shared_ptr<const Input>& input,
                 const std::filesystem::path& file, const Run& run) {
  const std::string ending = endingOf(file);
  if (isListEnding(ending)) {
    std::vector<std::shared_ptr<const Prepared>> heads;
    for (const MaskTile& tile : masks.tiles)
      heads.push_back(tile.prepared);
    exportMasks(heads, file, run);
    return;
  }
  SceneFigureOptions made;
  made.input = input;
  FigureFileOptions options;
  options.scene = scene;
  writeFigure(figureOfScene(scene, made, run), file, options, run);
}

std::string pairsText(const Masks& masks, const Run& run) {
  const Prepared& prepared = *masks.tiles.front().prepared;
  const Index pairs = prepared.pairs(run);
  if (pairs > kMostCopiedPairs)
    throwRange("pairs", std::to_string(pairs), "at most 1000000 on the clipboard; export them");
  std::string text = "i,j\n";
  KeyRanges ranges;
  for (Index i = 0; i < prepared.lengths().queries; ++i) {
    run.check();
    prepared.row(i, ranges);
    for (const KeyRange& range : ranges)
      forEachRun(range, [&](Index begin, Index end) {
        for (Index j = begin; j < end; ++j)
          text += std::to_string(i) + "," + std::to_string(j) + "\n";
      });
  }
  return text;
}

std::string commandText(const Scene& scene, const Lengths& lengths) {
  std::string text = "attnx info " + patternText(scene.pattern);
  if (needsData(scene.pattern)) {
    text += inputText(scene.input);
    const bool random = std::holds_alternative<RandomInput>(scene.input.source);
    return random ? text : text + " --n " + std::to_string(lengths.keys);
  }
  if (lengths.square())
    return text + " --n " + std::to_string(lengths.keys);
  return text + " --n-q " + std::to_string(lengths.queries) + " --n-k " +
         std::to_string(lengths.keys) + " --align " +
         (scene.length.align == Align::TopLeft ? "top-left" : "bottom-right");
}

std::string exportName(const Scene& scene, const Lengths& lengths, const std::string& ending) {
  return description(scene.pattern).name + "-" + std::to_string(lengths.keys) + ending;
}

} // namespace attention::gui
