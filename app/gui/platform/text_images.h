// Lines of text in the window. What the font atlas has is drawn from it; characters that it lacks,
// and lines that run right to left or have joined letters, are shaped with the system's fonts
// (core/export/shaped_text.h) and kept as textures between frames.
#pragma once

#include "app/gui/platform/fonts.h"
#include "app/gui/platform/imgui_compat.h"
#include "core/export/shaped_text.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace attention::gui {

// For one ImGui context; its OpenGL context must be current wherever it draws and is destroyed.
class TextImages {
public:
  // Makes itself the one of the current ImGui context.
  TextImages();
  TextImages(TextImages&&) = delete;
  ~TextImages();

  // The fonts have changed: drops what was kept.
  void useFonts(const Fonts& fonts, float density);
  // Drops what has not been drawn for a while.
  void beginFrame();

  // Points. `size` as in ImGui: of the line.
  float width(const ImFont* font, float size, std::string_view line);
  // Draws it with its upper left corner at `at`; returns the missing characters, which are drawn as
  // boxes.
  std::string draw(ImDrawList& list, const ImFont* font, float size, ImVec2 at, ImU32 tint,
                   std::string_view line);

private:
  struct Kept;
  TypeStyle styleOf(const ImFont* font, float size) const; // in pixels
  Kept& keptOf(const ImFont* font, float size, std::string_view line);

  const ImFont* bold_[4] = {};
  float density_ = 1;
  int frame_ = 0;
  std::map<std::string, Kept> kept_;
  std::unordered_map<std::string, float> widths_;
};

// Whether a line is more than the font's glyphs one after the other.
bool needsShaping(const ImFont* font, std::string_view line);

// Size of text in lines, in points; `size`: of a line.
ImVec2 sizeOfText(const ImFont* font, float size, std::string_view text);

// Whether pointing at missing characters says which they are: not where the text is rotated later.
enum class OnMissing { TellsOnHover, Silent };
void addText(ImDrawList& list, ImFont* font, float size, ImVec2 at, ImU32 tint,
             std::string_view text, OnMissing missing = OnMissing::TellsOnHover);

// Says at the pointer, if it is in the rectangle, which characters of the text are missing.
void tellMissing(std::string_view text, ImVec2 from, ImVec2 to);

} // namespace attention::gui
