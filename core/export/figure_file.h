// Figures as files: .png, .svg, .pdf, .tex and .html, by the ending of the name; replaced only by a
// complete new one.
#pragma once

#include "core/export/cairo_painter.h"
#include "core/export/html_page.h"
#include "core/plot/figure.h"
#include "core/plot/mask_raster.h"
#include "core/scene/scene.h"
#include "core/support/text.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace attention {

struct FigureFileOptions {
  std::optional<PixelSize> size;    // pixels; by default the size that the figure needs
  bool standalone = false;          // .tex: a document of its own
  std::optional<Scene> scene;       // travels in .png, .svg, .pdf and .html
  PageTheme page = PageTheme::Page; // colours of .html
  int threads = 0;
  SvgWords svgWords = SvgWords::Outlines; // .svg Called with the characters, each once, that no
                                          // font on this system has: they are drawn as □.
  std::function<void(const std::string& signs)> onMissing = {};
};

// The same in units of a canvas. E_RANGE names the width or the height that is too large to draw.
Size canvasOf(const PixelSize& size);

constexpr std::string_view kFigureEndings = ".png, .svg, .pdf, .tex and .html";
bool isFigureEnding(std::string_view ending);

// E_UNSUPPORTED: another ending; E_IO; E_RANGE: too small for axes and words, or a side of more
// than kMostPixelsPerSide pixels. Returns whether the file is exact: pictures with very many rows
// and no closed form are sampled (mask_raster.h), and carry a note that says so.
bool writeFigure(const Figure& figure, const std::filesystem::path& path,
                 const FigureFileOptions& options = {}, const Run& run = {});

// The text of a .tex file.
std::string texOf(const Figure& figure, const FigureFileOptions& options = {}, const Run& run = {});

// E_UNSUPPORTED that names what was found and the endings that are allowed.
[[noreturn]] void throwEnding(const std::filesystem::path& path, std::string_view allowed);

} // namespace attention
