#include "core/export/shaped_text.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <pango/pangocairo.h>

namespace attention {
namespace {

constexpr const char* kMissing = "□";

struct Unref {
  void operator()(void* object) const { g_object_unref(object); }
};
struct DestroyContext {
  void operator()(cairo_t* cr) const { cairo_destroy(cr); }
};
struct DestroySurface {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
using Layout = std::unique_ptr<PangoLayout, Unref>;

// The default font map is the thread's own.
Layout newLayout(const TypeStyle& style) {
  const std::unique_ptr<PangoContext, Unref> context(
      pango_font_map_create_context(pango_cairo_font_map_get_default()));
  pango_context_set_round_glyph_positions(context.get(), FALSE);
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options(context.get(), options);
  cairo_font_options_destroy(options);
  Layout layout(pango_layout_new(context.get()));
  PangoFontDescription* font = pango_font_description_new();
  pango_font_description_set_family_static(font, kTypeface);
  pango_font_description_set_absolute_size(font, style.size * PANGO_SCALE);
  pango_font_description_set_weight(font, style.bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
  pango_layout_set_font_description(layout.get(), font);
  pango_font_description_free(font);
  pango_layout_set_single_paragraph_mode(layout.get(), TRUE);
  return layout;
}

PangoLayoutLine* lineOf(PangoLayout* layout) {
  return pango_layout_get_line_readonly(layout, 0);
}

// Calls visit(run) for the stretches of the line, in the order of drawing.
template <class Visit>
void forEachRun(PangoLayout* layout, const Visit& visit) {
  for (GSList* at = lineOf(layout)->runs; at != nullptr; at = at->next)
    visit(*static_cast<PangoGlyphItem*>(at->data));
}

// The places in the text of characters that no font has.
std::vector<std::size_t> missingAt(PangoLayout* layout) {
  std::vector<std::size_t> places;
  if (pango_layout_get_unknown_glyphs_count(layout) == 0)
    return places;
  forEachRun(layout, [&](const PangoGlyphItem& run) {
    for (int k = 0; k < run.glyphs->num_glyphs; ++k)
      if ((run.glyphs->glyphs[k].glyph & PANGO_GLYPH_UNKNOWN_FLAG) != 0)
        places.push_back(static_cast<std::size_t>(run.item->offset + run.glyphs->log_clusters[k]));
  });
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

std::string signAt(const std::string& text, std::size_t at) {
  const char* begin = text.c_str() + at;
  const char* end = g_utf8_next_char(begin);
  return std::string(begin, end);
}

void setText(PangoLayout* layout, const std::string& text) {
  pango_layout_set_text(layout, text.c_str(), static_cast<int>(text.size()));
}

// The line; characters that no font has are boxes.
Layout layoutOf(std::string_view text, const TypeStyle& style) {
  Layout layout = newLayout(style);
  std::string valid = validUtf8(text);
  setText(layout.get(), valid);
  const auto missing = missingAt(layout.get());
  for (auto at = missing.rbegin(); at != missing.rend(); ++at)
    valid.replace(*at, signAt(valid, *at).size(), kMissing);
  if (!missing.empty())
    setText(layout.get(), valid);
  return layout;
}

double advanceOf(PangoLayout* layout) {
  PangoRectangle logical;
  pango_layout_line_get_extents(lineOf(layout), nullptr, &logical);
  return logical.width / static_cast<double>(PANGO_SCALE);
}

struct Range {
  char32_t first;
  char32_t last;
};

// Combining marks, and the scripts whose letters join, stack or run right to left.
constexpr Range kTogether[] = {
    {0x0300, 0x036F},   {0x0483, 0x0489},   {0x0590, 0x109F},   {0x135D, 0x135F},
    {0x1712, 0x1734},   {0x1780, 0x17FF},   {0x1800, 0x18AF},   {0x1A00, 0x1CFF},
    {0x1DC0, 0x1DFF},   {0x200B, 0x200F},   {0x202A, 0x202E},   {0x2060, 0x2064},
    {0x20D0, 0x20FF},   {0x302A, 0x302F},   {0x3099, 0x309A},   {0xA800, 0xABFF},
    {0xFB1D, 0xFDFF},   {0xFE00, 0xFE0F},   {0xFE20, 0xFE2F},   {0xFE70, 0xFEFC},
    {0x10800, 0x11FFF}, {0x1E800, 0x1EFFF}, {0x1F1E6, 0x1F1FF}, {0x1F3FB, 0x1F3FF},
    {0xE0000, 0xE01EF}};

// Such as U+FFFE: never a character (Unicode, section 23.7), and refused by cairo.
bool isNoncharacter(gunichar sign) {
  return (sign & 0xFFFE) == 0xFFFE || (sign >= 0xFDD0 && sign <= 0xFDEF);
}

// `text`, which is UTF-8, with noncharacters as U+FFFD.
std::string withoutNoncharacters(std::string_view text) {
  std::string drawn;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at < end; at = g_utf8_next_char(at)) {
    const char* const next = g_utf8_next_char(at);
    if (isNoncharacter(g_utf8_get_char(at)))
      drawn += "\uFFFD";
    else
      drawn.append(at, next);
  }
  return drawn;
}

} // namespace

// cairo and Pango refuse text that is not UTF-8 for good.
std::string validUtf8(std::string_view text) {
  std::string valid;
  while (!text.empty()) {
    const char* end = nullptr;
    g_utf8_validate(text.data(), static_cast<gssize>(text.size()), &end);
    const auto good = static_cast<std::size_t>(end - text.data());
    valid += withoutNoncharacters(text.substr(0, good));
    text.remove_prefix(good);
    if (text.empty())
      break;
    valid += '?';
    text.remove_prefix(1);
  }
  return valid;
}

bool standsAlone(char32_t sign) {
  return std::none_of(std::begin(kTogether), std::end(kTogether), [&](const Range& range) {
    return sign >= range.first && sign <= range.last;
  });
}

bool standAlone(std::string_view text) {
  const auto low = [](char c) { return static_cast<unsigned char>(c) < 0xCC; }; // below U+0300
  if (std::all_of(text.begin(), text.end(), low))
    return true;
  const std::string valid = validUtf8(text);
  for (const char* at = valid.c_str(); *at != '\0'; at = g_utf8_next_char(at))
    if (!standsAlone(g_utf8_get_char(at)))
      return false;
  return true;
}

std::string missingSigns(std::string_view text) {
  const Layout layout = newLayout({});
  const std::string valid = validUtf8(text);
  setText(layout.get(), valid);
  std::string signs;
  for (const std::size_t at : missingAt(layout.get()))
    if (const std::string sign = signAt(valid, at); signs.find(sign) == std::string::npos)
      signs += sign;
  return signs;
}

std::string missingText(std::string_view signs) {
  constexpr int kMostNamed = 5;
  const std::string valid = validUtf8(signs);
  std::string named;
  int count = 0;
  for (const char* at = valid.c_str(); *at != '\0'; at = g_utf8_next_char(at), ++count)
    if (count < kMostNamed) {
      char number[16];
      std::snprintf(number, sizeof number, "U+%04X", static_cast<unsigned>(g_utf8_get_char(at)));
      named += (named.empty() ? "" : ", ") + std::string(number);
    }
  if (count > kMostNamed)
    named += " and " + std::to_string(count - kMostNamed) + " more characters";
  return "no font on this system has " + named + " (install one that does, such as Noto)";
}

double shapedWidth(std::string_view text, const TypeStyle& style) {
  return advanceOf(layoutOf(text, style).get());
}

void showShaped(cairo_t* cr, std::string_view text, const TypeStyle& style) {
  const Layout layout = layoutOf(text, style);
  pango_cairo_show_layout_line(cr, lineOf(layout.get()));
}

TextImage shapedImage(std::string_view text, const TypeStyle& style) {
  const Layout layout = layoutOf(text, style);
  PangoRectangle ink;
  pango_layout_line_get_pixel_extents(lineOf(layout.get()), &ink, nullptr);
  constexpr int kRoom = 1; // for soft edges
  TextImage image;
  image.advance = advanceOf(layout.get());
  if (ink.width <= 0 || ink.height <= 0)
    return image;
  image.width = ink.width + 2 * kRoom;
  image.height = ink.height + 2 * kRoom;
  image.left = ink.x - kRoom;
  image.above = kRoom - ink.y;
  const std::unique_ptr<cairo_surface_t, DestroySurface> surface(
      cairo_image_surface_create(CAIRO_FORMAT_A8, image.width, image.height));
  const std::unique_ptr<cairo_t, DestroyContext> cr(cairo_create(surface.get()));
  cairo_move_to(cr.get(), -image.left, image.above);
  pango_cairo_show_layout_line(cr.get(), lineOf(layout.get()));
  cairo_surface_flush(surface.get());
  const unsigned char* row = cairo_image_surface_get_data(surface.get());
  if (row == nullptr) // a line beyond what cairo draws
    return {0, 0, 0, 0, image.advance, {}};
  const int stride = cairo_image_surface_get_stride(surface.get());
  for (int y = 0; y < image.height; ++y, row += stride)
    image.opacity.insert(image.opacity.end(), row, row + image.width);
  return image;
}

std::vector<FontRun> fontRuns(std::string_view text, bool bold) {
  const Layout layout = newLayout({13, bold});
  const std::string valid = validUtf8(text);
  setText(layout.get(), valid);
  const auto missing = missingAt(layout.get());
  std::vector<std::pair<int, FontRun>> runs;
  forEachRun(layout.get(), [&](const PangoGlyphItem& run) {
    const PangoItem& item = *run.item;
    const auto begin = static_cast<std::size_t>(item.offset);
    const auto end = begin + static_cast<std::size_t>(item.length);
    const bool unknown = std::any_of(missing.begin(), missing.end(),
                                     [&](std::size_t at) { return at >= begin && at < end; });
    PangoFontDescription* font = pango_font_describe(item.analysis.font);
    const char* family = pango_font_description_get_family(font);
    runs.emplace_back(item.offset,
                      FontRun{valid.substr(begin, end - begin), unknown || !family ? "" : family,
                              (item.analysis.level & 1) != 0});
    pango_font_description_free(font);
  });
  std::sort(runs.begin(), runs.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<FontRun> ordered;
  for (auto& [offset, run] : runs)
    ordered.push_back(std::move(run));
  return ordered;
}

std::string composed(std::string_view text) {
  const std::string valid = validUtf8(text);
  gchar* joined = g_utf8_normalize(valid.c_str(), static_cast<gssize>(valid.size()),
                                   G_NORMALIZE_DEFAULT_COMPOSE);
  std::string result(joined != nullptr ? joined : valid);
  g_free(joined);
  return result;
}

} // namespace attention
