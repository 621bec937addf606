// The window's fonts: Inter (DejaVu Sans where Inter is missing at build time) with DejaVu Sans for
// the characters that it lacks, and DejaVu Sans Mono; embedded, so that no font file is needed at
// run time. Sizes are ImGui's: from the highest ascender to the lowest descender, in pixels of the
// screen at the current scale; at scale 1 the em of `text` is 14 px and of `small` 13 px.
#pragma once

#include "app/gui/platform/imgui_compat.h"
#include "core/plot/running_text.h"

#include <array>

namespace attention::gui {

struct Fonts {
  ImFont* text = nullptr;
  ImFont* bold = nullptr;
  ImFont* small = nullptr;     // captions and axes
  ImFont* smallBold = nullptr; // section headings
  ImFont* mono = nullptr;      // rules, definitions, code
  ImFont* title = nullptr;     // em of 20 px
  // Of a presentation; else title, text and bold stand in their place.
  ImFont* large = nullptr;       // bold, em of 28 px
  ImFont* reading = nullptr;     // em of 17 px
  ImFont* readingBold = nullptr; // em of 17 px
  // For pictures, whose type has any size: from small to large, the last ones alike where there are
  // no more. Glyphs that are drawn larger than they were rasterised are blurred.
  struct Sized {
    ImFont* font = nullptr;
    float em = 0; // at scale 1
  };
  std::array<Sized, 1 + kRunningSizes.size()> plain;
  std::array<Sized, 3> strong; // bold
  float scale = 1;             // the factor for all sizes
};

enum class TypeFor { Work, Presentation };

// Replaces the fonts of the current ImGui context by fonts of `scale`; `density` is framebuffer
// pixels per point (2 on a Mac's screen). Between frames only. They are drawn into their texture at
// the next frame: about 40 ms, a third of the time from start to the first picture, and a quarter
// of it more with those of a presentation.
Fonts buildFonts(float scale, float density, TypeFor use);

// Whether some embedded text font has a glyph for the character; characters without one are drawn
// as □.
bool hasGlyph(const Fonts& fonts, char32_t character);

// While it lives, text is drawn in `font`.
class UseFont {
public:
  explicit UseFont(ImFont* font) { pushFont(font); }
  ~UseFont() { popFont(); }
  UseFont(UseFont&&) = delete;
};

} // namespace attention::gui
