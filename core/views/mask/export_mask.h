// One mask as a file, by the ending of its name: a picture (.png .svg .pdf .tex .html) or numbers
// (.npy .csv .mtx).
#pragma once

#include "core/export/figure_file.h"
#include "core/pattern/prepared.h"
#include "core/support/run.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attention {

struct MaskExportOptions {
  std::optional<PixelSize> size; // .png: pixels of exact coverage; others: of the whole figure
  std::optional<Index> cell;     // .png: pixels per cell; not together with size
  bool axes = false;             // .png: with axes and legend, as the other pictures always are
  bool standalone = false;       // .tex
  FigureTheme theme = FigureTheme::Light;
  std::string title;                      // above the picture with axes
  std::vector<std::string> names;         // labels of tokens, for axes
  std::optional<Scene> scene;             // travels in .png, .svg and .pdf
  SvgWords svgWords = SvgWords::Outlines; // .svg
  PageTheme page = PageTheme::Page;       // colours of .html
  int threads = 0;                        // 0: the machine's
  // What .html says of its cells (part 1) and of all others (part 0), with {query} and {key} for
  // their numbers; empty: whether the one attends to the other, and by which rule.
  std::vector<PlaceWords> says = {};
};

constexpr std::string_view kMaskEndings = ".npy, .png, .svg, .pdf, .tex, .html, .csv and .mtx";

// Replaces `path` only by a complete file. E_UNSUPPORTED: another ending; E_RANGE: over a limit
// (mask_lists.h, pixels); E_IO. Returns whether the file is exact: a picture with very many rows
// and no closed form is sampled (mask_raster.h) and carries a note that says so, a .png without
// axes in its comment.
bool exportMask(const std::shared_ptr<const Prepared>& pattern, const std::filesystem::path& path,
                const MaskExportOptions& options = {}, const Run& run = {});

// Whether files of that ending hold numbers, not a picture.
bool isListEnding(std::string_view ending);

// Several masks of the same lengths as numbers: .npy as [masks, n_q, n_k]. E_UNSUPPORTED for lists
// of pairs, which hold one mask, and pictures, which are figures of their own.
void exportMasks(std::span<const std::shared_ptr<const Prepared>> masks,
                 const std::filesystem::path& path, const Run& run = {});

// The pixels of a .png without axes: as requested, else whole pixels per cell where cells are few,
// one per cell up to 4096, and exact coverage above.
PixelSize maskPixels(const Lengths& lengths, const MaskExportOptions& options);

} // namespace attention
