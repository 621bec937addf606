#include "app/gui/platform/fonts.h"

#include "embedded/fonts.h"

#include <cmath>
#include <initializer_list>

namespace attention::gui {
namespace {

// Pairs of first and last character, ended by 0: Latin, modifiers, Greek, punctuation, sub- and
// superscripts, letter-like, number forms, arrows, operators, technical symbols, shapes, marks.
constexpr ImWchar kAllSigns[] = {
    0x0020, 0x017F, 0x02B0, 0x02E4, 0x0370, 0x03FF, 0x1D2C, 0x1D6A, 0x2000, 0x206F, 0x2070, 0x209F,
    0x2100, 0x218F, 0x2190, 0x21FF, 0x2200, 0x22FF, 0x2300, 0x23FF, 0x25A0, 0x25FF, 0x2605, 0x2606,
    0x2713, 0x2718, 0x275A, 0x275A, 0x27E6, 0x27EB, 0x2C7C, 0x2C7D, 0xFFFD, 0xFFFD, 0};
// Large type is for headings and presentations.
constexpr ImWchar kFewSigns[] = {0x0020, 0x00FF, 0x02B0, 0x02B8, 0x0391, 0x03C9, 0x1D2C, 0x1D6A,
                                 0x2009, 0x2033, 0x2070, 0x209F, 0x2113, 0x2113, 0x2190, 0x2193,
                                 0x21B5, 0x21B5, 0x2200, 0x222B, 0x2260, 0x2265, 0x22C0, 0x22C5,
                                 0x2308, 0x230B, 0x25A0, 0x25B6, 0x2713, 0x2718, 0};

constexpr ImWchar kMissing = 0x25A1; // □

struct Face {
  const char* file;
  float heightPerEm; // (ascender − descender) / units per em, what ImGui calls size
};

constexpr Face kSans{"DejaVuSans.ttf", 1.164F};
constexpr Face kSansBold{"DejaVuSans-Bold.ttf", 1.164F};
constexpr Face kMono{"DejaVuSansMono.ttf", 1.164F};

// Inter under either of its endings, or `otherwise` if it was not there at build time.
Face inter(const char* openType, const char* trueType, Face otherwise) {
  if (!embedded::fonts::text(openType).empty())
    return {openType, 1.21F};
  if (!embedded::fonts::text(trueType).empty())
    return {trueType, 1.21F};
  return otherwise;
}

class Builder {
public:
  Builder(ImFontAtlas& atlas, float pixelsPerPoint) : atlas_(atlas), scale_(pixelsPerPoint) {}

  // `faces` in order of preference, all with an em of `em` points.
  ImFont* add(std::initializer_list<Face> faces, float em, const ImWchar* signs) {
    ImFont* font = nullptr;
    for (const Face& face : faces) {
      const auto data = embedded::fonts::bytes(face.file);
      ImFontConfig config;
      config.FontDataOwnedByAtlas = false;
      config.OversampleH = em * scale_ > 24 ? 1 : 2;
      config.OversampleV = 1;
      config.MergeMode = font != nullptr;
      const float size = std::round(em * scale_ * face.heightPerEm);
      // ImGui does not write to data that it does not own.
      auto* bytes = const_cast<std::byte*>(data.data());
      ImFont* added =
          atlas_.AddFontFromMemoryTTF(bytes, static_cast<int>(data.size()), size, &config, signs);
      if (font == nullptr)
        font = added;
    }
    font->FallbackChar = kMissing;
    return font;
  }

private:
  ImFontAtlas& atlas_;
  float scale_;
};

} // namespace

Fonts buildFonts(float scale, float density, TypeFor use) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  setFontDensity(density);
#if IMGUI_VERSION_NUM >= 19200
  Builder builder(atlas, scale); // 1.92 rasterises for the framebuffer by itself
#else
  Builder builder(atlas, scale * density);
#endif
  const Face text = inter("Inter-Regular.otf", "Inter-Regular.ttf", kSans);
  const Face bold = inter("Inter-SemiBold.otf", "Inter-SemiBold.ttf", kSansBold);
  Fonts fonts;
  fonts.scale = scale;
  fonts.text = builder.add({text, kSans}, 14, kAllSigns);
  fonts.bold = builder.add({bold, kSansBold, kSans}, 14, kAllSigns);
  fonts.small = builder.add({text, kSans}, 13, kAllSigns);
  fonts.smallBold = builder.add({bold, kSansBold}, 13, kFewSigns);
  fonts.mono = builder.add({kMono, kSans}, 13, kAllSigns);
  fonts.title = builder.add({bold, kSansBold}, 20, kFewSigns);
  fonts.large = fonts.title;
  fonts.reading = fonts.text;
  fonts.readingBold = fonts.bold;
  if (use == TypeFor::Presentation) {
    fonts.large = builder.add({bold, kSansBold}, 28, kFewSigns);
    fonts.reading = builder.add({text, kSans}, 17, kFewSigns);
    fonts.readingBold = builder.add({bold, kSansBold}, 17, kFewSigns);
  }
  fonts.plain.front() = {fonts.small, 13};
  for (std::size_t k = 0; k < kRunningSizes.size(); ++k) {
    const auto em = static_cast<float>(kRunningSizes[k]);
    fonts.plain[k + 1] = {builder.add({text, kSans}, em, kFewSigns), em};
  }
  const bool presents = use == TypeFor::Presentation;
  fonts.strong = {{{fonts.smallBold, 13}, {fonts.title, 20}, {fonts.large, presents ? 28.0F : 20}}};
  setDefaultFont(fonts.text);
  return fonts;
}

bool hasGlyph(const Fonts& fonts, char32_t character) {
  return fontHasGlyph(fonts.text, character);
}

} // namespace attention::gui
