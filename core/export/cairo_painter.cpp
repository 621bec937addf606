#include "core/export/cairo_painter.h"

#include "core/export/shaped_text.h"
#include "core/plot/display_list.h"
#include "core/support/error.h"

#include <algorithm>
#include <array>
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <string>

namespace attention {
namespace {

std::string number(double value) {
  char digits[32];
  const auto end =
      std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed, 2);
  return {digits, end.ptr};
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text)
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (static_cast<unsigned char>(c) >= 0x20) // XML has no other control characters
      result += c;
  return result;
}

std::string elementOf(const Text& text) {
  constexpr std::array kAnchors{"start", "middle", "end"};
  char color[8];
  std::snprintf(color, sizeof color, "#%02x%02x%02x", text.color.r, text.color.g, text.color.b);
  const std::string x = number(text.at.x);
  const std::string y = number(text.at.y);
  std::string element = "<text x=\"" + x + "\" y=\"" + y + "\" font-size=\"" + number(text.size) +
                        "\" fill=\"" + color + "\"";
  if (text.color.a != 255)
    element += " fill-opacity=\"" + number(text.color.a / 255.0) + "\"";
  if (text.align != TextAlign::Left)
    element +=
        std::string(" text-anchor=\"") + kAnchors[static_cast<std::size_t>(text.align)] + "\"";
  if (text.bold)
    element += " font-weight=\"bold\"";
  if (text.upwards)
    element += " transform=\"rotate(-90 " + x + " " + y + ")\"";
  return element + ">" + escaped(validUtf8(text.text)) + "</text>\n";
}

// Everything except the words.
DisplayList withoutWords(const DisplayList& list) {
  DisplayList rest = list;
  std::erase_if(rest.items,
                [](const Primitive2D& item) { return std::holds_alternative<Text>(item); });
  return rest;
}

// `svg`, which must end with </svg>, with the words of the list on top.
std::string withWordsInSvg(std::string svg, const DisplayList& list) {
  std::string words =
      std::string("<g font-family=\"") + kTypeface + ", sans-serif\" xml:space=\"preserve\">\n";
  for (const Primitive2D& item : list.items)
    if (const auto* text = std::get_if<Text>(&item))
      words += elementOf(*text);
  svg.insert(svg.rfind("</svg>"), words + "</g>\n");
  return svg;
}

constexpr double kPointsPerPixel = 0.75;

struct DestroySurface {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
struct DestroyContext {
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};
struct DestroyFont {
  void operator()(cairo_font_options_t* options) const { cairo_font_options_destroy(options); }
};
using Surface = std::unique_ptr<cairo_surface_t, DestroySurface>;
using Context = std::unique_ptr<cairo_t, DestroyContext>;

void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS)
    throw Error(ErrorCode::Io, "figure",
                std::string("the figure cannot be drawn: ") + cairo_status_to_string(status));
}

// Glyphs keep their widths at every scale, so that measures hold for all files.
void useType(cairo_t* cr, double size, bool bold) {
  const std::unique_ptr<cairo_font_options_t, DestroyFont> options(cairo_font_options_create());
  cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
  cairo_set_font_options(cr, options.get());
  cairo_select_font_face(cr, kTypeface, CAIRO_FONT_SLANT_NORMAL,
                         bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cr, size);
}

double advance(cairo_t* cr, const std::string& text) {
  cairo_text_extents_t extents;
  cairo_text_extents(cr, text.c_str(), &extents);
  return extents.x_advance;
}

// Whether the typeface has all characters, and they simply follow one another.
bool isSimple(cairo_t* cr, const std::string& text) {
  if (std::all_of(text.begin(), text.end(),
                  [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
    return true;
  if (!standAlone(text))
    return false;
  cairo_glyph_t* glyphs = nullptr;
  int count = 0;
  check(cairo_scaled_font_text_to_glyphs(cairo_get_scaled_font(cr), 0, 0, text.c_str(),
                                         static_cast<int>(text.size()), &glyphs, &count, nullptr,
                                         nullptr, nullptr));
  const bool all = std::all_of(glyphs, glyphs + count,
                               [](const cairo_glyph_t& glyph) { return glyph.index != 0; });
  cairo_glyph_free(glyphs);
  return all;
}

// In the current type, which has this size.
double widthOf(cairo_t* cr, const std::string& text, const TypeStyle& style) {
  return isSimple(cr, text) ? advance(cr, text) : shapedWidth(text, style);
}

class CairoPainter {
public:
  explicit CairoPainter(cairo_t* cr) : cr_(cr) {}

  void paint(const DisplayList& list) {
    use(list.ground);
    cairo_rectangle(cr_, 0, 0, list.size.width, list.size.height);
    cairo_fill(cr_);
    for (const Primitive2D& item : list.items)
      std::visit([&](const auto& primitive) { draw(primitive); }, item);
    check(cairo_status(cr_));
  }

private:
  void use(const Color& color) {
    cairo_set_source_rgba(cr_, color.r / 255.0, color.g / 255.0, color.b / 255.0, color.a / 255.0);
  }

  void draw(const FillBoxes& fill) {
    use(fill.color);
    // Edges on whole pixels stay sharp, and boxes side by side show no seam.
    cairo_set_antialias(cr_, CAIRO_ANTIALIAS_NONE);
    for (const Box& box : fill.boxes)
      cairo_rectangle(cr_, fill.origin.x + box.x * fill.unit.width,
                      fill.origin.y + box.y * fill.unit.height, box.width * fill.unit.width,
                      box.height * fill.unit.height);
    cairo_fill(cr_);
    cairo_set_antialias(cr_, CAIRO_ANTIALIAS_DEFAULT);
  }

  void draw(const StrokeBox& stroke) {
    use(stroke.color);
    cairo_set_line_width(cr_, stroke.width);
    cairo_rectangle(cr_, stroke.box.x, stroke.box.y, stroke.box.width, stroke.box.height);
    cairo_stroke(cr_);
  }

  void draw(const Polyline& line) {
    use(line.color);
    cairo_set_line_width(cr_, line.width);
    std::vector<double> dashes;
    for (const double length : dashLengths(line.dash))
      dashes.push_back(length * line.width);
    cairo_set_dash(cr_, dashes.data(), static_cast<int>(dashes.size()), 0);
    cairo_set_line_join(cr_, CAIRO_LINE_JOIN_ROUND);
    cairo_new_path(cr_); // text leaves a current point
    for (const Point& point : line.points)
      cairo_line_to(cr_, point.x, point.y);
    cairo_stroke(cr_);
    cairo_set_line_join(cr_, CAIRO_LINE_JOIN_MITER);
    cairo_set_dash(cr_, nullptr, 0, 0);
  }

  void draw(const Strip& strip) {
    use(strip.color);
    cairo_new_path(cr_);
    for (const Point& point : strip.above)
      cairo_line_to(cr_, point.x, point.y);
    for (std::size_t k = strip.below.size(); k-- > 0;)
      cairo_line_to(cr_, strip.below[k].x, strip.below[k].y);
    cairo_fill(cr_);
  }

  void draw(const Markers& markers) {
    use(markers.color);
    for (const Point& centre : markers.centres) {
      cairo_new_sub_path(cr_);
      const auto corners = cornersOf(markers.marker.shape, centre, markers.radius);
      if (corners.empty())
        cairo_arc(cr_, centre.x, centre.y, markers.radius, 0, 4 * std::acos(0.0));
      for (const Point& corner : corners)
        cairo_line_to(cr_, corner.x, corner.y);
      cairo_close_path(cr_);
    }
    cairo_set_line_width(cr_, kOutline * markers.radius);
    if (markers.marker.hollow)
      cairo_stroke(cr_);
    else
      cairo_fill(cr_);
  }

  void draw(const Text& text) {
    const std::string valid = validUtf8(text.text);
    useType(cr_, text.size, text.bold);
    use(text.color);
    const TypeStyle style{text.size, text.bold};
    const double width = text.align == TextAlign::Left ? 0 : widthOf(cr_, valid, style);
    cairo_save(cr_);
    cairo_translate(cr_, text.at.x, text.at.y);
    if (text.upwards)
      cairo_rotate(cr_, -std::acos(0.0));
    cairo_move_to(cr_, text.align == TextAlign::Center ? -width / 2 : -width, 0);
    if (isSimple(cr_, valid))
      cairo_show_text(cr_, valid.c_str());
    else
      showShaped(cr_, valid, style);
    cairo_restore(cr_);
  }

  void draw(const Picture& picture) {
    const Image& image = *picture.image;
    const Surface surface(
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, image.width, image.height));
    check(cairo_surface_status(surface.get()));
    copyPixels(image, surface.get());
    cairo_save(cr_);
    cairo_translate(cr_, picture.box.x, picture.box.y);
    cairo_scale(cr_, picture.box.width / image.width, picture.box.height / image.height);
    cairo_set_source_surface(cr_, surface.get(), 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cr_), CAIRO_FILTER_NEAREST);
    cairo_paint(cr_);
    cairo_restore(cr_);
  }

  static void copyPixels(const Image& image, cairo_surface_t* surface) {
    cairo_surface_flush(surface);
    unsigned char* bytes = cairo_image_surface_get_data(surface);
    const int stride = cairo_image_surface_get_stride(surface);
    const Color* pixel = image.pixels.data();
    for (int y = 0; y < image.height; ++y) {
      auto* row = reinterpret_cast<std::uint32_t*>(bytes + static_cast<std::ptrdiff_t>(y) * stride);
      for (int x = 0; x < image.width; ++x, ++pixel)
        row[x] = std::uint32_t{pixel->r} << 16 | std::uint32_t{pixel->g} << 8 | pixel->b;
    }
    cairo_surface_mark_dirty(surface);
  }

  cairo_t* cr_;
};

cairo_status_t append(void* out, const unsigned char* bytes, unsigned int count) {
  static_cast<std::string*>(out)->append(reinterpret_cast<const char*>(bytes), count);
  return CAIRO_STATUS_SUCCESS;
}

void paintOn(cairo_surface_t* surface, const DisplayList& list, double scale) {
  check(cairo_surface_status(surface));
  const Context context(cairo_create(surface));
  cairo_scale(context.get(), scale, scale);
  CairoPainter(context.get()).paint(list);
}

Image imageOf(cairo_surface_t* surface) {
  cairo_surface_flush(surface);
  Image image{cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface), {}};
  image.pixels.reserve(static_cast<std::size_t>(image.width) *
                       static_cast<std::size_t>(image.height));
  const unsigned char* bytes = cairo_image_surface_get_data(surface);
  const int stride = cairo_image_surface_get_stride(surface);
  for (int y = 0; y < image.height; ++y) {
    const auto* row =
        reinterpret_cast<const std::uint32_t*>(bytes + static_cast<std::ptrdiff_t>(y) * stride);
    for (int x = 0; x < image.width; ++x)
      image.pixels.push_back(colorOf(row[x] & 0xFFFFFF));
  }
  return image;
}

} // namespace

TextMeasure cairoMeasure() {
  const auto surface = std::shared_ptr<cairo_surface_t>(
      cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1), DestroySurface());
  const auto context = std::shared_ptr<cairo_t>(cairo_create(surface.get()), DestroyContext());
  check(cairo_status(context.get()));
  return [context](std::string_view text, double size, bool bold) {
    useType(context.get(), size, bold);
    return widthOf(context.get(), validUtf8(text), {size, bold});
  };
}

Image paintImage(const DisplayList& list, double scale) {
  const auto pixels = [&](double length) {
    return std::max(static_cast<int>(std::lround(length * scale)), 1);
  };
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, pixels(list.size.width),
                                                   pixels(list.size.height)));
  paintOn(surface.get(), list, scale);
  return imageOf(surface.get());
}

std::string paintSvg(const DisplayList& list, SvgWords words) {
  if (words == SvgWords::Text)
    return withWordsInSvg(paintSvg(withoutWords(list)), list);
  std::string text;
  {
    const Surface surface(
        cairo_svg_surface_create_for_stream(append, &text, list.size.width, list.size.height));
    cairo_svg_surface_set_document_unit(surface.get(), CAIRO_SVG_UNIT_PX);
    paintOn(surface.get(), list, 1);
    cairo_surface_finish(surface.get());
    check(cairo_surface_status(surface.get()));
  }
  return text;
}

std::string paintPdf(const DisplayList& list, const std::string& title) {
  std::string bytes;
  {
    const Surface surface(cairo_pdf_surface_create_for_stream(
        append, &bytes, list.size.width * kPointsPerPixel, list.size.height * kPointsPerPixel));
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE,
                                   validUtf8(title).c_str());
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATOR, "Attention Explorer");
    paintOn(surface.get(), list, kPointsPerPixel);
    cairo_surface_finish(surface.get());
    check(cairo_surface_status(surface.get()));
  }
  return bytes;
}

} // namespace attention
