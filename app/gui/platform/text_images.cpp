#include "app/gui/platform/text_images.h"

#include "app/gui/platform/utf8.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <vector>

namespace attention::gui {
namespace {

constexpr float kLinePerEm = 1.19F; // of Inter and DejaVu Sans: what ImGui calls size
constexpr float kBaseline = 0.8F;   // of a line's height
constexpr std::size_t kMostKept = 512;
constexpr std::size_t kMostWidths = 8192;
constexpr int kFramesKept = 120;
constexpr int kMostPixels = 8192; // side of a texture

TextImages* imagesOfContext() {
  return static_cast<TextImages*>(ImGui::GetIO().UserData);
}

// White, as opaque as the line.
gl::Texture textureOf(const TextImage& image) {
  std::vector<std::uint8_t> texels;
  texels.reserve(image.opacity.size() * 4);
  for (const std::uint8_t opacity : image.opacity)
    texels.insert(texels.end(), {255, 255, 255, opacity});
  gl::Texture texture(image.width, image.height, gl::TexelFormat::Rgba8, gl::TexelFilter::Linear);
  texture.upload(std::as_bytes(std::span(texels)));
  return texture;
}

template <class Visit>
void forEachLine(std::string_view text, const Visit& visit) {
  for (std::size_t at = 0;;) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    visit(text.substr(at, end - at));
    if (end == text.size())
      return;
    at = end + 1;
  }
}

std::string keyOf(std::string_view line, const TypeStyle& style) {
  return std::to_string(std::lround(style.size * 64)) + (style.bold ? "b" : "r") +
         std::string(line);
}

} // namespace

struct TextImages::Kept {
  TextImage image;
  std::string missing;
  std::optional<gl::Texture> texture;
  int drawn = 0; // frame
};

TextImages::TextImages() {
  ImGui::GetIO().UserData = this;
}
TextImages::~TextImages() = default;

void TextImages::useFonts(const Fonts& fonts, float density) {
  const ImFont* bold[] = {fonts.bold, fonts.smallBold, fonts.title, fonts.readingBold};
  std::copy(std::begin(bold), std::end(bold), std::begin(bold_));
  density_ = density;
  kept_.clear();
  widths_.clear();
}

void TextImages::beginFrame() {
  ++frame_;
  if (kept_.size() > kMostKept)
    std::erase_if(kept_, [&](const auto& of) { return of.second.drawn + kFramesKept < frame_; });
  if (widths_.size() > kMostWidths)
    widths_.clear();
}

TypeStyle TextImages::styleOf(const ImFont* font, float size) const {
  return {static_cast<double>(size * density_ / kLinePerEm),
          std::find(std::begin(bold_), std::end(bold_), font) != std::end(bold_)};
}

float TextImages::width(const ImFont* font, float size, std::string_view line) {
  const TypeStyle style = styleOf(font, size);
  const auto [at, fresh] = widths_.try_emplace(keyOf(line, style));
  if (fresh)
    at->second = static_cast<float>(shapedWidth(line, style)) / density_;
  return at->second;
}

TextImages::Kept& TextImages::keptOf(const ImFont* font, float size, std::string_view line) {
  const TypeStyle style = styleOf(font, size);
  const auto [at, fresh] = kept_.try_emplace(keyOf(line, style));
  Kept& kept = at->second;
  kept.drawn = frame_;
  if (!fresh)
    return kept;
  kept.image = shapedImage(line, style);
  kept.missing = missingSigns(line);
  const TextImage& image = kept.image;
  if (image.width > 0 && std::max(image.width, image.height) <= kMostPixels)
    kept.texture = textureOf(image);
  return kept;
}

std::string TextImages::draw(ImDrawList& list, const ImFont* font, float size, ImVec2 at,
                             ImU32 tint, std::string_view line) {
  const Kept& kept = keptOf(font, size, line);
  if (!kept.texture)
    return kept.missing;
  const auto snapped = [&](float points) { return std::round(points * density_) / density_; };
  const TextImage& image = kept.image;
  const ImVec2 from(snapped(at.x) + static_cast<float>(image.left) / density_,
                    snapped(at.y + kBaseline * size) - static_cast<float>(image.above) / density_);
  list.AddImage(textureHandle(*kept.texture), from,
                ImVec2(from.x + static_cast<float>(image.width) / density_,
                       from.y + static_cast<float>(image.height) / density_),
                ImVec2(0, 0), ImVec2(1, 1), tint);
  return kept.missing;
}

bool needsShaping(const ImFont* font, std::string_view line) {
  const auto ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (!imagesOfContext() || std::all_of(line.begin(), line.end(), ascii))
    return false;
  while (!line.empty())
    if (const char32_t sign = takeSign(line);
        sign >= 0x80 && (!standsAlone(sign) || !fontHasGlyph(const_cast<ImFont*>(font), sign)))
      return true;
  return false;
}

ImVec2 sizeOfText(const ImFont* font, float size, std::string_view text) {
  if (!needsShaping(font, text)) // CalcTextSizeA is const only in some versions of ImGui
    return const_cast<ImFont*>(font)->CalcTextSizeA(size, FLT_MAX, 0, text.data(),
                                                    text.data() + text.size());
  ImVec2 whole(0, 0);
  forEachLine(text, [&](std::string_view line) {
    const float width = needsShaping(font, line) ? imagesOfContext()->width(font, size, line)
                                                 : sizeOfText(font, size, line).x;
    whole = ImVec2(std::max(whole.x, width), whole.y + size);
  });
  return whole;
}

void addText(ImDrawList& list, ImFont* font, float size, ImVec2 at, ImU32 tint,
             std::string_view text, OnMissing missing) {
  if (!needsShaping(font, text))
    return list.AddText(font, size, at, tint, text.data(), text.data() + text.size());
  const ImVec2 from = at;
  std::string signs;
  forEachLine(text, [&](std::string_view line) {
    if (needsShaping(font, line))
      signs += imagesOfContext()->draw(list, font, size, at, tint, line);
    else
      list.AddText(font, size, at, tint, line.data(), line.data() + line.size());
    at.y += size;
  });
  if (missing == OnMissing::TellsOnHover && !signs.empty())
    tellMissing(text, from, ImVec2(from.x + sizeOfText(font, size, text).x, at.y));
}

void tellMissing(std::string_view text, ImVec2 from, ImVec2 to) {
  if (!ImGui::IsMouseHoveringRect(from, to) || !ImGui::IsWindowHovered())
    return;
  if (const std::string signs = missingSigns(text); !signs.empty())
    ImGui::SetTooltip("%s", missingText(signs).c_str());
}

} // namespace attention::gui
