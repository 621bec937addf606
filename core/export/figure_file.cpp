#include "core/export/figure_file.h"

#include "core/export/cairo_painter.h"
#include "core/export/embedded_scene.h"
#include "core/export/mask_lists.h"
#include "core/export/png_file.h"
#include "core/export/shaped_text.h"
#include "core/export/tikz_painter.h"
#include "core/input/replace_file.h"
#include "core/pattern/coverage.h"
#include "core/plot/layout.h"
#include "core/support/error.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <ostream>

namespace attention {
namespace {

constexpr Index kLargestCanvas = 16384; // pixels per side of a picture: what cairo holds in memory
constexpr double kPngScale = 2;         // pixels per unit of a PNG without a given size
constexpr double kVectorScale = 3;      // pixels per unit of pictures in SVG, PDF and TikZ
constexpr Index kMostTexBoxes =
    60000; // of all masks of a figure: about half of the memory of LaTeX

std::string sceneText(const FigureFileOptions& options) {
  return options.scene ? sceneLine(*options.scene) : std::string();
}

void requireCanvas(Index pixels, const std::string& name) {
  if (pixels < 1 || pixels > kLargestCanvas)
    throwRange(name, std::to_string(pixels) + " pixels",
               "an integer in 1 … " + std::to_string(kLargestCanvas));
}

std::optional<Size> sizeOf(const FigureFileOptions& options) {
  return options.size ? std::optional(canvasOf(*options.size)) : std::nullopt;
}

void writeText(const std::filesystem::path& path, const std::string& text) {
  replaceFile(path, [&](std::ostream& stream) { stream << text; });
}

void sayMissing(const DisplayList& list, const FigureFileOptions& options) {
  if (!options.onMissing)
    return;
  std::string all;
  for (const Primitive2D& item : list.items)
    if (const auto* text = std::get_if<Text>(&item))
      all += text->text;
  if (const std::string signs = missingSigns(all); !signs.empty())
    options.onMissing(signs);
}

bool writePng(const Figure& figure, const std::filesystem::path& path,
              const FigureFileOptions& options, const Run& run) {
  LayoutOptions how;
  how.threads = options.threads;
  how.pixelsPerUnit = options.size ? 1 : kPngScale;
  const DisplayList list = layout(figure, sizeOf(options), cairoMeasure(), how, run);
  const Image image = paintImage(list, how.pixelsPerUnit);
  replaceFile(path, [&](std::ostream& stream) {
    PngWriter png(stream, {image.width, image.height}, sceneText(options));
    png.rows(image.pixels);
    png.finish();
  });
  sayMissing(list, options);
  return list.exact;
}

DisplayList vectorList(const Figure& figure, const FigureFileOptions& options, const Run& run) {
  LayoutOptions how;
  how.threads = options.threads;
  how.pixelsPerUnit = kVectorScale;
  return layout(figure, sizeOf(options), cairoMeasure(), how, run);
}

// Whether LaTeX may get the mask cell by cell: all of its rows can be examined, and it has not too
// many pairs.
bool isListable(const MaskMark& mark, const FigureFileOptions& options, const Run& run) {
  return !samplesCoverage(*mark.pattern, mark.cells.rowEnd - mark.cells.rowBegin) &&
         mark.pattern->count(mark.cells, run, resolvedThreads(options.threads)) <= kMaxMaskEntries;
}

struct TexPicture {
  std::string text;
  DisplayList list;
};

// Masks cell by cell where LaTeX can take all of them, else as images.
TexPicture texPicture(const Figure& figure, const FigureFileOptions& options, const Run& run) {
  Index masks = 0;
  LayoutOptions how;
  how.threads = options.threads;
  how.pixelsPerUnit = kVectorScale;
  how.smallBoxes = true;
  for (const FigurePanel& panel : figure.panels)
    for (const Plot& plot : panel.plots)
      if (const auto* mask = std::get_if<MaskMark>(&plot.mark)) {
        ++masks;
        how.smallBoxes = how.smallBoxes && isListable(*mask, options, run.quiet());
      }
  if (how.smallBoxes)
    how.mostBoxes = static_cast<std::size_t>(kMostTexBoxes / std::max<Index>(masks, 1));
  DisplayList list = layout(figure, sizeOf(options), cairoMeasure(), how, run);
  std::string text = paintTikz(list, {options.standalone, figure.title, !how.smallBoxes});
  return {std::move(text), std::move(list)};
}

} // namespace

Size canvasOf(const PixelSize& size) {
  requireCanvas(size.width, "width");
  requireCanvas(size.height, "height");
  return {static_cast<double>(size.width), static_cast<double>(size.height)};
}

bool isFigureEnding(std::string_view ending) {
  return ending == ".png" || ending == ".svg" || ending == ".pdf" || ending == ".tex" ||
         ending == ".html";
}

std::string texOf(const Figure& figure, const FigureFileOptions& options, const Run& run) {
  return texPicture(figure, options, run).text;
}

void throwEnding(const std::filesystem::path& path, std::string_view allowed) {
  const std::string ending = endingOf(path);
  throw Error(ErrorCode::Unsupported, path.string(),
              path.string() + (ending.empty() ? " has no ending" : " ends with " + ending) +
                  "; it must be one of " + std::string(allowed));
}

bool writeFigure(const Figure& figure, const std::filesystem::path& path,
                 const FigureFileOptions& options, const Run& run) {
  const std::string ending = endingOf(path);
  if (ending == ".png")
    return writePng(figure, path, options, run);
  if (ending == ".tex") {
    const TexPicture picture = texPicture(figure, options, run);
    writeText(path, picture.text);
    sayMissing(picture.list, options);
    return picture.list.exact;
  }
  if (ending == ".html")
    return writePage({{{figure, {}}}, options.scene}, path,
                     {options.page, sizeOf(options), options.threads}, run);
  if (ending != ".svg" && ending != ".pdf")
    throwEnding(path, kFigureEndings);
  const DisplayList list = vectorList(figure, options, run);
  std::string bytes =
      ending == ".svg" ? paintSvg(list, options.svgWords) : paintPdf(list, figure.title);
  if (options.scene)
    bytes = ending == ".svg" ? withSceneInSvg(std::move(bytes), *options.scene)
                             : withSceneInPdf(std::move(bytes), *options.scene);
  writeText(path, bytes);
  if (ending == ".pdf" || options.svgWords == SvgWords::Outlines)
    sayMissing(list, options);
  return list.exact;
}

} // namespace attention
