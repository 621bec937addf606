// A figure as one page of HTML that answers: pointing at it tells what lies there, a click keeps
// that, and frames play. The page needs nothing outside itself.
#pragma once

#include "core/plot/display_list.h"
#include "core/plot/figure.h"
#include "core/scene/scene.h"
#include "core/support/run.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

enum class PageTheme { Page, Light, Dark }; // Page: as the reader prefers

struct PageFrame {
  Figure figure;
  std::string label; // "layers = 2"; empty where there is one frame
};

struct PageFigure {
  std::vector<PageFrame> frames; // at least one; all drawn as large as the first
  std::optional<Scene> scene;    // travels in the page
  std::size_t shown = 0;         // the frame that the page opens with
};

struct PageOptions {
  PageTheme theme = PageTheme::Page;
  std::optional<Size> size = {}; // by default the size that the first frame needs
  int threads = 0;
};

struct Page {
  std::string text;
  bool exact = true; // false where pictures show sampled rows, as they say on themselves
};
// E_RANGE: too small for axes and words, or a page of more than 64 MiB.
Page figurePage(const PageFigure& figure, const PageOptions& options = {}, const Run& run = {});

// Replaces `path` only by a complete page. Returns whether it is exact. E_IO, and as figurePage.
bool writePage(const PageFigure& figure, const std::filesystem::path& path,
               const PageOptions& options = {}, const Run& run = {});

// How a page begins, and what stands before the embedded Scene (embedded_scene.h).
constexpr std::string_view kPageStart = "<!DOCTYPE html>\n<html lang=\"en\">\n";
constexpr std::string_view kSceneScript =
    "<script type=\"application/json\" id=\"attention-explorer-scene\">";

} // namespace attention
