#include "core/views/mask/export_mask.h"

#include "core/export/embedded_scene.h"
#include "core/export/mask_lists.h"
#include "core/export/png_file.h"
#include "core/input/replace_file.h"
#include "core/support/error.h"
#include "core/views/mask/mask_figure.h"

#include <algorithm>
#include <ostream>

namespace attention {
namespace {

constexpr Index kMostPixelsUnasked = 4096; // a side
constexpr Index kSideOfFewCells = 1024;    // pixels per side that few cells are blown up to

// Fits n_q × n_k cells into `side` pixels per side.
PixelSize scaledTo(const Lengths& lengths, Index side) {
  const Index longer = std::max(lengths.queries, lengths.keys);
  const auto scaled = [&](Index cells) { return std::max<Index>(cells * side / longer, 1); };
  return {scaled(lengths.keys), scaled(lengths.queries)};
}

void requireOneSize(const MaskExportOptions& options) {
  if (options.size && options.cell)
    throw Error(ErrorCode::Unsupported, "cell",
                "cell and size are both given; give only one of them");
  if (options.cell && (*options.cell < 1 || *options.cell > kMostPixelsPerSide))
    throwRange("cell", std::to_string(*options.cell),
               "an integer in 1 … " + std::to_string(kMostPixelsPerSide));
}

constexpr const char* kSampledComment =
    "sampled, not exact: one row drawn from each of equal stretches, counted and scaled up";

// Bands of colours go to the file as they are made.
bool writeRaster(const Prepared& pattern, const std::filesystem::path& path,
                 const MaskExportOptions& options, const Run& run) {
  const PixelSize size = maskPixels(pattern.lengths(), options);
  const std::string scene = options.scene ? sceneLine(*options.scene) : std::string();
  const bool sampled = samplesRows(pattern, pattern.bounds(), size);
  replaceFile(path, [&](std::ostream& stream) {
    PngWriter png(stream, size, scene, sampled ? kSampledComment : "");
    rasterMask(
        pattern, pattern.bounds(), size, maskPalette(pattern, options.theme),
        [&](Index, std::span<const Color> pixels) { png.rows(pixels); }, options.threads, run);
    png.finish();
  });
  return !sampled;
}

// Sampled plots have it written on them.
bool writeWithAxes(const std::shared_ptr<const Prepared>& pattern,
                   const std::filesystem::path& path, const MaskExportOptions& options,
                   const Run& run) {
  Figure figure =
      maskFigure({{pattern, "", {}, options.names, std::nullopt, std::nullopt}}, options.theme);
  figure.title = options.title;
  if (!options.says.empty())
    figure.panels.front().plots.front().told = [says = options.says] { return says; };
  FigureFileOptions how;
  how.size = options.size;
  how.standalone = options.standalone;
  how.scene = options.scene;
  how.page = options.page;
  how.threads = options.threads;
  how.svgWords = options.svgWords;
  return writeFigure(figure, path, how, run);
}

} // namespace

PixelSize maskPixels(const Lengths& lengths, const MaskExportOptions& options) {
  requireOneSize(options);
  if (options.size)
    return *options.size;
  const Index longer = std::max(lengths.queries, lengths.keys);
  const Index cell = options.cell.value_or(std::max<Index>(kSideOfFewCells / longer, 1));
  if (!options.cell && longer > kMostPixelsUnasked)
    return scaledTo(lengths, kMostPixelsUnasked);
  return {lengths.keys * cell, lengths.queries * cell};
}

bool exportMask(const std::shared_ptr<const Prepared>& pattern, const std::filesystem::path& path,
                const MaskExportOptions& options, const Run& run) {
  const std::string ending = endingOf(path);
  requireOneSize(options);
  if (ending == ".npy")
    writeMaskNpy({&pattern, 1}, path, run);
  else if (ending == ".csv")
    writeMaskCsv(*pattern, path, options.threads, run);
  else if (ending == ".mtx")
    writeMaskMtx(*pattern, path, options.threads, run);
  if (isListEnding(ending))
    return true;
  if (ending == ".png" && !options.axes)
    return writeRaster(*pattern, path, options, run);
  if (!isFigureEnding(ending))
    throwEnding(path, kMaskEndings);
  return writeWithAxes(pattern, path, options, run);
}

bool isListEnding(std::string_view ending) {
  return ending == ".npy" || ending == ".csv" || ending == ".mtx";
}

void exportMasks(std::span<const std::shared_ptr<const Prepared>> masks,
                 const std::filesystem::path& path, const Run& run) {
  if (masks.size() == 1) {
    exportMask(masks.front(), path, {}, run);
    return;
  }
  if (endingOf(path) != ".npy")
    throw Error(ErrorCode::Unsupported, "heads",
                "a list of pairs holds one head; several are written as .npy or as a picture");
  writeMaskNpy(masks, path, run);
}

} // namespace attention
