#include "core/export/tikz_painter.h"

#include "core/export/tikz_pixels.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace attention {
namespace {

constexpr double kBigPointsPerPixel = 0.75;
constexpr double kPointsPerPixel = kBigPointsPerPixel * 72.27 / 72; // TeX points
constexpr std::size_t kBoxesPerPath = 96; // LaTeX is slower with longer ones
constexpr std::size_t kBoxesPerLine = 8;

std::string tikzNumber(double value, int decimals = 4) {
  char digits[64];
  const auto end =
      std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed, decimals);
  std::string text(digits, end.ptr);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.')
    text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string pair(double x, double y) {
  return "(" + tikzNumber(x) + "," + tikzNumber(y) + ")";
}

class TikzPainter {
public:
  TikzPainter(const DisplayList& list, bool images)
      : list_(list), pixels_(tikzPixels(list, images)) {}

  std::string picture() {
    findColors();
    // One unit is a pixel of the layout, y downwards.
    out_ += "\\begin{tikzpicture}[x=" + tikzNumber(kPointsPerPixel, 8) + "pt,y=-" +
            tikzNumber(kPointsPerPixel, 8) + "pt]\n";
    for (std::size_t k = 0; k < colors_.size(); ++k)
      out_ += "\\definecolor{attn" + std::to_string(k) + "}{RGB}{" + std::to_string(colors_[k].r) +
              "," + std::to_string(colors_[k].g) + "," + std::to_string(colors_[k].b) + "}\n";
    // Of a box: x, y, width, height.
    out_ += "\\def\\bx#1,#2,#3,#4;{\\pgfpathrectangle{\\pgfpointxy{#1}{#2}}"
            "{\\pgfpointxy{#3}{#4}}}\n";
    if (!(list_.ground == colorOf(0xffffff)))
      out_ += "\\fill[" + name(list_.ground) + "] (0,0) rectangle " +
              pair(list_.size.width, list_.size.height) + ";\n";
    else
      out_ +=
          "\\useasboundingbox (0,0) rectangle " + pair(list_.size.width, list_.size.height) + ";\n";
    for (const Primitive2D& item : list_.items)
      std::visit([&](const auto& primitive) { draw(primitive); }, item);
    return std::move(out_) + "\\end{tikzpicture}\n";
  }

private:
  // Colours are defined without their opacity, which is an option of what is drawn.
  void addColor(const Color& color) {
    if (const Color full = opaque(color);
        std::find(colors_.begin(), colors_.end(), full) == colors_.end())
      colors_.push_back(full);
  }

  static Color opaque(Color color) {
    color.a = 255;
    return color;
  }

  void findColors() {
    addColor(list_.ground);
    for (const Primitive2D& item : list_.items)
      std::visit(
          [&](const auto& primitive) {
            if constexpr (requires { primitive.color; })
              addColor(primitive.color);
          },
          item);
    for (const TikzPixels& picture : pixels_)
      for (const PixelBoxes& of : picture.boxes)
        addColor(of.color);
  }

  std::string name(const Color& color) const {
    const auto at = std::find(colors_.begin(), colors_.end(), opaque(color)) - colors_.begin();
    return "attn" + std::to_string(at);
  }

  // Units of the scope are those of the boxes.
  void beginBoxes(const Point& origin, const Size& unit) {
    out_ += "\\begin{scope}[shift={" + pair(origin.x, origin.y) +
            "},x=" + tikzNumber(unit.width * kPointsPerPixel, 8) + "pt,y=-" +
            tikzNumber(unit.height * kPointsPerPixel, 8) + "pt]\n";
  }

  void fillBoxes(const std::vector<Box>& boxes, const Color& color) {
    out_ += "\\pgfsetfillcolor{" + name(color) + "}%\n";
    for (std::size_t k = 0; k < boxes.size(); ++k) {
      const Box& box = boxes[k];
      out_ += "\\bx" + tikzNumber(box.x) + "," + tikzNumber(box.y) + "," + tikzNumber(box.width) +
              "," + tikzNumber(box.height) + ";";
      const bool last = k + 1 == boxes.size();
      if (last || (k + 1) % kBoxesPerPath == 0)
        out_ += "\\pgfusepath{fill}";
      if (last || (k + 1) % kBoxesPerLine == 0)
        out_ += "%\n";
    }
  }

  void draw(const FillBoxes& fill) {
    beginBoxes(fill.origin, fill.unit);
    fillBoxes(fill.boxes, fill.color);
    out_ += "\\end{scope}\n";
  }

  std::string pen(const Color& color, double width) const {
    return "\\draw[" + name(color) + ",line width=" + tikzNumber(width * kPointsPerPixel) + "pt] ";
  }

  void draw(const StrokeBox& stroke) {
    out_ += pen(stroke.color, stroke.width) + pair(stroke.box.x, stroke.box.y) + " rectangle " +
            pair(stroke.box.right(), stroke.box.bottom()) + ";\n";
  }

  void draw(const Polyline& line) {
    std::string options = name(line.color) +
                          ",line width=" + tikzNumber(line.width * kPointsPerPixel) + "pt" +
                          dashes(line) + opacity("draw", line.color);
    if (line.points.size() > 2)
      options += ",line join=round";
    out_ += "\\draw[" + options + "] ";
    for (std::size_t k = 0; k < line.points.size(); ++k)
      out_ += (k > 0 ? " -- " : "") + pair(line.points[k].x, line.points[k].y);
    out_ += ";\n";
  }

  static std::string dashes(const Polyline& line) {
    std::string pattern;
    bool on = true;
    for (const double length : dashLengths(line.dash)) {
      pattern += (on ? " on " : " off ") + tikzNumber(length * line.width * kPointsPerPixel) + "pt";
      on = !on;
    }
    return pattern.empty() ? pattern : ",dash pattern=" + pattern.substr(1);
  }

  static std::string opacity(std::string_view of, const Color& color) {
    return color.a < 255 ? "," + std::string(of) + " opacity=" + tikzNumber(color.a / 255.0) : "";
  }

  std::string filled(const Color& color) const {
    return "\\fill[" + name(color) + opacity("fill", color) + "] ";
  }

  void draw(const Strip& strip) {
    out_ += filled(strip.color);
    for (const Point& point : strip.above)
      out_ += pair(point.x, point.y) + " -- ";
    for (std::size_t k = strip.below.size(); k-- > 0;)
      out_ += pair(strip.below[k].x, strip.below[k].y) + " -- ";
    out_ += "cycle;\n";
  }

  void draw(const Markers& markers) {
    out_ += markers.marker.hollow ? pen(markers.color, kOutline * markers.radius)
                                  : filled(markers.color);
    for (const Point& centre : markers.centres) {
      const auto corners = cornersOf(markers.marker.shape, centre, markers.radius);
      if (corners.empty())
        out_ += pair(centre.x, centre.y) +
                " circle[radius=" + tikzNumber(markers.radius * kPointsPerPixel) + "pt] ";
      for (const Point& corner : corners)
        out_ += pair(corner.x, corner.y) + " -- ";
      out_ += corners.empty() ? "" : "cycle ";
    }
    out_ += ";\n";
  }

  void draw(const Text& text) {
    constexpr std::array kAnchors{"base west", "base", "base east"};
    const double size = text.size * kPointsPerPixel;
    out_ += "\\node[" + name(text.color) +
            ",anchor=" + kAnchors[static_cast<std::size_t>(text.align)] +
            ",inner sep=0pt,outer sep=0pt" + (text.upwards ? ",rotate=90" : "") +
            ",font=\\sffamily" + (text.bold ? "\\bfseries" : "") + "\\fontsize{" +
            tikzNumber(size) + "}{" + tikzNumber(1.2 * size) + "}\\selectfont] at " +
            pair(text.at.x, text.at.y) + " {" + escapedLatex(text.text) + "};\n";
  }

  void draw(const Picture& picture) {
    const TikzPixels& pixels = pixels_[pictures_++];
    const Box& box = picture.box;
    if (!pixels.image.empty())
      return drawImage(box, pixels.image);
    beginBoxes({box.x, box.y},
               {box.width / picture.image->width, box.height / picture.image->height});
    for (const PixelBoxes& of : pixels.boxes)
      fillBoxes(of.boxes, of.color);
    out_ += "\\end{scope}\n";
  }

  // The page's own unit is the big point.
  void drawImage(const Box& box, const std::string& image) {
    out_ += "\\begin{scope}[shift={" + pair(box.x, box.bottom()) +
            "}]\n\\pgflowlevelsynccm\\pgflowlevel{\\pgftransformcm{" +
            tikzNumber(box.width * kBigPointsPerPixel, 8) + "}{0}{0}{" +
            tikzNumber(box.height * kBigPointsPerPixel, 8) +
            "}{\\pgfpointorigin}}%\n\\csname pgfsys@invoke\\endcsname{" + image +
            "}\n\\end{scope}\n";
  }

  const DisplayList& list_;
  std::vector<TikzPixels> pixels_; // of the pictures of the list
  std::size_t pictures_ = 0;       // that are drawn
  std::vector<Color> colors_;
  std::string out_;
};

std::string comment(const std::string& title) {
  if (title.empty())
    return "";
  std::string line = "% " + title;
  std::replace_if(
      line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return line + "\n";
}

// A document whose one page is as large as the picture, with no class or package beside tikz, for
// pdfTeX, XeTeX (which share the names of the page's lengths) and LuaTeX.
std::string document(const std::string& picture) {
  return R"(\documentclass{article}
\usepackage{tikz}
\newsavebox{\drawing}
\begin{document}
\begin{lrbox}{\drawing}
)" + picture +
         R"(\end{lrbox}
% A page of the drawing's size.
\hoffset=-1in \voffset=-1in
\ifdefined\pagewidth \pagewidth=\wd\drawing \pageheight=\ht\drawing
\else \pdfpagewidth=\wd\drawing \pdfpageheight=\ht\drawing \fi
\shipout\box\drawing
\end{document}
)";
}

} // namespace

std::string paintTikz(const DisplayList& list, const TikzOptions& options) {
  const std::string picture = comment(options.title) + TikzPainter(list, options.images).picture();
  const std::string all = definitionsFor(picture) + picture;
  return options.standalone ? document(all) : all;
}

} // namespace attention
