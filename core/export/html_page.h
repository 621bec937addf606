// Figures as one page of HTML that answers: pointing at them tells what lies there, a click keeps
// that, frames play, and a lesson goes step by step. The page needs nothing outside itself.
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
  std::string label;        // "layers = 2"; empty where there is one frame
  std::string reading = {}; // what it shows, for screen readers
};

struct PageFigure {
  std::vector<PageFrame> frames; // at least one; all drawn as large as the first
  std::optional<Scene> scene;    // travels in the page
  std::size_t shown = 0;         // the frame that the page opens with
  std::string moves = "Step";    // what differs from frame to frame
};

// A step of a lesson: words beside a figure, and a question whose answer is folded.
struct PageStep {
  std::string title;
  std::string words;
  std::string question;             // may be empty, then so is the answer
  std::vector<std::string> choices; // of the question; may be empty
  Index correct = 0;                // the right one of them, from 1
  std::string answer;
  PageFigure figure;
};

struct PageLesson {
  std::string title;
  std::vector<PageStep> steps; // at least one; the Scene of the first travels in the page
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
// One step at a time, with ← and → from one to the next. Throws as figurePage.
Page lessonPage(const PageLesson& lesson, const PageOptions& options = {}, const Run& run = {});

// Replaces `path` only by a complete page. Returns whether it is exact. E_IO, and as figurePage.
bool writePage(const Page& page, const std::filesystem::path& path);
bool writePage(const PageFigure& figure, const std::filesystem::path& path,
               const PageOptions& options = {}, const Run& run = {});

// How a page begins, and what stands before the embedded Scene (embedded_scene.h).
constexpr std::string_view kPageStart = "<!DOCTYPE html>\n<html lang=\"en\">\n";
constexpr std::string_view kSceneScript =
    "<script type=\"application/json\" id=\"attention-explorer-scene\">";

} // namespace attention
