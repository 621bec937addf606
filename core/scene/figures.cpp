#include "core/scene/figures.h"

#include "core/scene/marked_words.h"
#include "core/scene/scene_json.h"
#include "core/support/error.h"

#include <algorithm>
#include <tuple>

namespace attention {
namespace {

namespace fs = std::filesystem;

// Files of the folder that hold figures, sorted by name.
std::vector<fs::path> figureFiles(const fs::path& assets) {
  const fs::path folder = assets / "figures";
  std::error_code code;
  fs::directory_iterator entries(folder, code);
  if (code)
    throw Error(ErrorCode::Io, folder.string(),
                "cannot read " + folder.string() + ": " + code.message());
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : entries)
    if (entry.path().extension() == ".json")
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

} // namespace

std::vector<ShippedFigure> listFigures(const fs::path& assets) {
  std::vector<ShippedFigure> figures;
  for (const fs::path& path : figureFiles(assets)) {
    const Scene scene = readScene(path).scene;
    figures.push_back({path.stem().string(),
                       std::string(kViewNames[static_cast<std::size_t>(scene.view)]),
                       plainWords(scene.title), scene.paper, path});
  }
  std::sort(figures.begin(), figures.end(), [](const ShippedFigure& a, const ShippedFigure& b) {
    return std::tie(a.paper, a.name) < std::tie(b.paper, b.name);
  });
  return figures;
}

Scene findFigure(const fs::path& assets, std::string_view name,
                 std::span<const std::string> lessons) {
  std::vector<std::string> names;
  for (const fs::path& path : figureFiles(assets)) {
    names.push_back(path.stem().string());
    if (names.back() == name)
      return readScene(path).scene;
  }
  names.insert(names.end(), lessons.begin(), lessons.end());
  const std::string hint = nearestHint(name, names);
  const bool both = !lessons.empty();
  throw Error(ErrorCode::Unknown, std::string(name),
              std::string(both ? "there is no figure or lesson " : "there is no figure ") +
                  std::string(name) +
                  (!hint.empty() ? hint
                   : both        ? "; figure --list and figure --lessons name them"
                                 : "; figure --list names them"));
}

} // namespace attention
