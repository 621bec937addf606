#include "app/gui/pictures/figure_painter.h"

#include "app/gl/texture.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/rotated_text.h"
#include "app/gui/platform/imgui_compat.h"
#include "app/gui/platform/text_images.h"
#include "app/gui/widgets/drawing.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace attention::gui {
namespace {

constexpr float kEm = 13;         // of small type at scale 1
constexpr float kBaseline = 0.8F; // of a line's height, in both Inter and DejaVu Sans

// A font for type with this em, and ImGui's size of it: as it was rasterised where it has that em,
// else a larger one made smaller, as far as there is one.
struct TypeOf {
  ImFont* font;
  float height;
};

TypeOf typeOf(const Fonts& fonts, double em, bool bold) {
  constexpr float kSame = 0.5F; // pixels
  const auto wanted = static_cast<float>(em);
  const auto in = [&](const auto& sizes) -> TypeOf {
    const auto enough = std::find_if(sizes.begin(), sizes.end() - 1, [&](const Fonts::Sized& of) {
      return of.em * fonts.scale >= wanted - kSame;
    });
    const float has = enough->em * fonts.scale;
    const float height = fontSize(enough->font);
    return {enough->font, std::abs(has - wanted) < kSame ? height : height * wanted / has};
  };
  return bold ? in(fonts.strong) : in(fonts.plain);
}

ImVec2 sizeOf(const Fonts& fonts, std::string_view text, double em, bool bold) {
  const TypeOf type = typeOf(fonts, em, bold);
  return sizeOfText(type.font, type.height, text);
}

// The primitives that need no textures.
class Painter {
public:
  Painter(ImVec2 at, const Fonts& fonts) : at_(at), fonts_(fonts) {}

  void draw(const FillBoxes& fill) const {
    const ImU32 tint = tintOf(fill.color);
    for (const Box& box : fill.boxes) {
      const double x = fill.origin.x + box.x * fill.unit.width;
      const double y = fill.origin.y + box.y * fill.unit.height;
      list_.AddRectFilled(
          place({x, y}),
          place({x + box.width * fill.unit.width, y + box.height * fill.unit.height}), tint);
    }
  }

  void draw(const StrokeBox& stroke) const {
    list_.AddRect(place({stroke.box.x, stroke.box.y}),
                  place({stroke.box.right(), stroke.box.bottom()}), tintOf(stroke.color), 0, 0,
                  static_cast<float>(stroke.width));
  }

  void draw(const Polyline& line) const {
    const auto lengths = dashLengths(line.dash);
    if (!lengths.empty())
      return drawDashes(line, lengths);
    std::vector<ImVec2> points;
    for (const Point& point : line.points)
      points.push_back(place(point));
    stroke(points, line);
  }

  // Quads side by side, without soft edges, which would show as seams.
  void draw(const Strip& strip) const {
    const ImDrawListFlags flags = list_.Flags;
    list_.Flags &= ~ImDrawListFlags_AntiAliasedFill;
    for (std::size_t k = 1; k < strip.above.size(); ++k)
      list_.AddQuadFilled(place(strip.above[k - 1]), place(strip.above[k]), place(strip.below[k]),
                          place(strip.below[k - 1]), tintOf(strip.color));
    list_.Flags = flags;
  }

  void draw(const Markers& markers) const {
    for (const Point& centre : markers.centres)
      drawMarker(place(centre), markers.marker, static_cast<float>(markers.radius),
                 tintOf(markers.color));
  }

  void draw(const Text& text) const {
    const TypeOf type = typeOf(fonts_, text.size, text.bold);
    const float height = type.height;
    const ImVec2 size = sizeOfText(type.font, height, text.text);
    const float shift = text.align == TextAlign::Left     ? 0
                        : text.align == TextAlign::Center ? size.x / 2
                                                          : size.x;
    const ImVec2 at = place(text.at);
    if (text.upwards) {
      const Upwards upwards(ImVec2(at.x - kBaseline * height, at.y + shift));
      write(text, type, ImVec2(0, 0), OnMissing::Silent);
    } else {
      write(text, type, ImVec2(at.x - shift, at.y - kBaseline * height), OnMissing::TellsOnHover);
    }
  }

  ImVec2 place(const Point& point) const {
    return ImVec2(at_.x + static_cast<float>(point.x), at_.y + static_cast<float>(point.y));
  }
  ImDrawList& list() const { return list_; }

private:
  void write(const Text& text, const TypeOf& type, ImVec2 corner, OnMissing missing) const {
    addText(list_, type.font, type.height, corner, tintOf(text.color), text.text, missing);
  }

  static ImU32 tintOf(const Color& c) { return IM_COL32(c.r, c.g, c.b, c.a); }

  // In pieces that end where the line turns sharply: ImGui's corners would overshoot the values.
  void stroke(const std::vector<ImVec2>& points, const Polyline& line) const {
    std::size_t begin = 0;
    for (std::size_t k = 1; k + 1 < points.size(); ++k)
      if (turnsSharply(points[k - 1], points[k], points[k + 1])) {
        strokePiece(std::span(points).subspan(begin, k + 1 - begin), line);
        begin = k;
      }
    strokePiece(std::span(points).subspan(begin), line);
  }

  void strokePiece(std::span<const ImVec2> points, const Polyline& line) const {
    list_.AddPolyline(points.data(), static_cast<int>(points.size()), tintOf(line.color), 0,
                      static_cast<float>(line.width));
  }

  // Whether it turns by more than 60 degrees.
  static bool turnsSharply(const ImVec2& a, const ImVec2& b, const ImVec2& c) {
    const ImVec2 in(b.x - a.x, b.y - a.y);
    const ImVec2 out(c.x - b.x, c.y - b.y);
    return in.x * out.x + in.y * out.y < 0.5F * std::hypot(in.x, in.y) * std::hypot(out.x, out.y);
  }

  // The line cut into alternating dashes and gaps.
  void drawDashes(const Polyline& line, std::span<const double> lengths) const {
    std::size_t part = 0;
    double left = lengths[0] * line.width;
    std::vector<ImVec2> dash;
    for (std::size_t k = 1; k < line.points.size(); ++k) {
      Point from = line.points[k - 1];
      const Point& to = line.points[k];
      double length = std::hypot(to.x - from.x, to.y - from.y);
      if (part % 2 == 0 && dash.empty())
        dash.push_back(place(from));
      while (length > left) {
        from = {from.x + (to.x - from.x) * left / length, from.y + (to.y - from.y) * left / length};
        length -= left;
        if (part % 2 == 0) {
          dash.push_back(place(from));
          stroke(dash, line);
          dash.clear();
        } else {
          dash = {place(from)};
        }
        part = (part + 1) % lengths.size();
        left = lengths[part] * line.width;
      }
      left -= length;
      if (part % 2 == 0)
        dash.push_back(place(to));
    }
    if (dash.size() > 1)
      stroke(dash, line);
  }

  ImVec2 at_;
  const Fonts& fonts_;
  ImDrawList& list_ = *ImGui::GetWindowDrawList();
};

} // namespace

TextMeasure windowMeasure(const Fonts& fonts) {
  return [fonts](std::string_view text, double size, bool bold) {
    return static_cast<double>(sizeOf(fonts, text, size, bold).x);
  };
}

double plotType(const Fonts& fonts) {
  return static_cast<double>(kEm * fonts.scale);
}

struct FigurePainter::Shown {
  std::shared_ptr<const Image> image; // kept, so that its address stays its own
  gl::Texture texture;
  bool used = true;
};

FigurePainter::FigurePainter() = default;
FigurePainter::~FigurePainter() = default;

void FigurePainter::paint(const DisplayList& list,
                          std::span<const std::shared_ptr<const Image>> images, ImVec2 at,
                          const Ui& ui) {
  for (auto& [image, shown] : pictures_)
    shown.used = false;
  const Painter painter(at, ui.fonts);
  const auto imageOf = [&](const Picture& picture) -> std::shared_ptr<const Image> {
    if (picture.image || images.empty())
      return picture.image;
    const auto image = images.front();
    images = images.subspan(1);
    return image;
  };
  for (const Primitive2D& item : list.items)
    if (const auto* picture = std::get_if<Picture>(&item)) {
      if (const auto image = imageOf(*picture))
        drawPicture(image, picture->box, painter.place({picture->box.x, picture->box.y}));
    } else {
      std::visit(
          [&](const auto& primitive) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(primitive)>, Picture>)
              painter.draw(primitive);
          },
          item);
    }
  std::erase_if(pictures_, [](const auto& entry) { return !entry.second.used; });
}

void FigurePainter::drawPicture(const std::shared_ptr<const Image>& image, const Box& box,
                                ImVec2 at) {
  auto found = pictures_.find(image.get());
  if (found == pictures_.end()) {
    static_assert(sizeof(Color) == 4); // red, green, blue, opacity, like the texels
    gl::Texture texture(image->width, image->height, gl::TexelFormat::Rgba8);
    texture.upload(std::as_bytes(std::span(image->pixels)));
    found = pictures_.emplace(image.get(), Shown{image, std::move(texture)}).first;
  }
  found->second.used = true;
  drawSharpImage(
      textureHandle(found->second.texture), at,
      ImVec2(at.x + static_cast<float>(box.width), at.y + static_cast<float>(box.height)));
}

} // namespace attention::gui
