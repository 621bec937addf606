#include "core/export/html_page.h"

#include "core/export/cairo_painter.h"
#include "core/export/embedded_scene.h"
#include "core/export/page_areas.h"
#include "core/export/svg_elements.h"
#include "core/input/replace_file.h"
#include "core/plot/figure_theme.h"
#include "core/plot/layout.h"
#include "core/support/error.h"

#include "embedded/page.h"

#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

namespace attention {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kImageScale = 2; // pixels per unit of pictures
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

// JSON inside a script element, which "</script>" in a string would end.
std::string inScript(std::string json) {
  for (std::size_t at = 0; (at = json.find("</", at)) != std::string::npos; at += 3)
    json.replace(at, 2, "<\\/");
  return json;
}

// Strings, each once, by their place.
class Table {
public:
  std::size_t placeOf(std::string text) {
    const auto [at, isNew] = places_.try_emplace(std::move(text), all_.size());
    if (isNew)
      all_.push_back(&at->first);
    return at->second;
  }
  const std::vector<const std::string*>& all() const { return all_; }

private:
  std::map<std::string, std::size_t> places_;
  std::vector<const std::string*> all_;
};

struct Frame {
  std::vector<std::size_t> items;
  std::vector<std::size_t> areas;
  std::string label;
};

class FigureWriter {
public:
  FigureWriter(const PageOptions& options, PageColors& colors, const Run& run)
      : options_(options), colors_(colors), run_(run), size_(options.size) {}

  void add(const PageFrame& frame) {
    const bool dark = options_.theme == PageTheme::Dark;
    std::vector<PlacedMark> marks;
    const DisplayList first =
        listOf(inTheme(frame.figure, dark ? FigureTheme::Dark : FigureTheme::Light), &marks);
    size_ = first.size;
    exact_ = exact_ && first.exact;
    Frame made{{}, {}, frame.label};
    for (std::string& element : elementsOf(frame.figure, first))
      made.items.push_back(items_.placeOf(std::move(element)));
    for (const PlacedMark& mark : marks)
      for (std::string& area : pageAreas(mark, measure_, run_.quiet()))
        made.areas.push_back(areas_.placeOf(std::move(area)));
    frames_.push_back(std::move(made));
  }

  bool exact() const { return exact_; }

  // It opens with the frame `shown`, of that figure.
  std::string html(const Figure& figure, std::size_t shown) const {
    const std::string says = figure.caption.empty() ? figure.title : figure.caption;
    std::string text = "<figure class=\"ax\" style=\"max-width: " + svgNumber(1.6 * size_->width) +
                       "px\">\n<svg viewBox=\"0 0 " + svgNumber(size_->width) + ' ' +
                       svgNumber(size_->height) +
                       "\" xmlns=\"http://www.w3.org/2000/svg\" role=\"application\" "
                       "tabindex=\"0\" aria-label=\"" +
                       escapedMarkup(figure.title) + "\"><desc>" + escapedMarkup(says) +
                       "</desc><g class=\"ax-drawing\">";
    for (const std::size_t item : frames_[shown].items)
      text += *items_.all()[item] + "\n";
    return text +
           "</g></svg>\n<div class=\"ax-player\" hidden><button aria-label=\"Play\">▶</button>"
           "<input type=\"range\" min=\"0\" value=\"0\" aria-label=\"Step\"><span></span></div>\n"
           "<div class=\"ax-tip\" hidden></div>"
           "<p class=\"ax-status\" role=\"status\" aria-live=\"polite\"></p>\n"
           "<script type=\"application/json\" class=\"ax-data\">" +
           inScript(data(shown)) + "</script>\n</figure>\n";
  }

private:
  DisplayList listOf(const Figure& figure, std::vector<PlacedMark>* marks) const {
    LayoutOptions how;
    how.threads = options_.threads;
    how.pixelsPerUnit = kImageScale;
    if (marks)
      how.placed = [marks](const Plot& plot, const Box& box, double type) {
        marks->push_back({plot, box, type});
      };
    return layout(figure, size_, measure_, how, run_.quiet());
  }

  // In two themes where the page follows its reader and both have the same primitives.
  std::vector<std::string> elementsOf(const Figure& figure, const DisplayList& first) const {
    if (options_.theme == PageTheme::Page)
      if (const DisplayList dark = listOf(inTheme(figure, FigureTheme::Dark), nullptr);
          sameShape(first, dark))
        return svgElements(first, dark, colors_, measure_);
    return svgElements(first, first, colors_, measure_);
  }

  std::string data(std::size_t shown) const {
    std::string areas;
    for (const std::string* area : areas_.all())
      areas += (areas.empty() ? "" : ",\n") + *area;
    Json frames = Json::array();
    for (const Frame& frame : frames_) {
      Json json{{"areas", frame.areas}};
      if (frames_.size() > 1) {
        json["items"] = frame.items;
        json["label"] = frame.label;
      }
      frames.push_back(std::move(json));
    }
    Json items = Json::array();
    if (frames_.size() > 1)
      for (const std::string* item : items_.all())
        items.push_back(*item);
    return "{\"areas\": [" + areas + "],\n\"items\": " + items.dump() +
           ",\n\"shown\": " + std::to_string(shown) + ",\n\"frames\": " + frames.dump() + "}";
  }

  const PageOptions& options_;
  PageColors& colors_;
  const Run& run_;
  std::optional<Size> size_;
  bool exact_ = true;
  TextMeasure measure_ = cairoMeasure();
  Table items_;
  Table areas_;
  std::vector<Frame> frames_;
};

std::string hex(const Color& color) {
  char text[16];
  std::snprintf(text, sizeof text, "#%02x%02x%02x%02x", color.r, color.g, color.b, color.a);
  return color.a == 255 ? std::string(text, 7) : text;
}

std::string rulesOf(const PageColors& colors, bool dark) {
  std::string rules;
  for (std::size_t k = 0; k < colors.pairs().size(); ++k) {
    const auto& [light, other] = colors.pairs()[k];
    const std::string color = hex(dark ? other : light);
    const std::string name = std::to_string(k);
    rules.append(".f").append(name).append("{fill:").append(color).append("}");
    rules.append(".s").append(name).append("{fill:none;stroke:").append(color).append("}\n");
  }
  return rules;
}

std::string styleOf(const PageColors& colors, PageTheme theme) {
  const auto page = [](FigureTheme of) {
    const FigureColors& all = figureColors(of);
    return "body{background:" + hex(all.ground) + ";color:" + hex(all.text) + "}\n";
  };
  std::string style(embedded::page::text("figure.css"));
  if (theme == PageTheme::Dark)
    return style + ":root{color-scheme:dark}\n" + page(FigureTheme::Dark) + rulesOf(colors, false);
  style += page(FigureTheme::Light) + rulesOf(colors, false);
  if (theme == PageTheme::Page)
    style += ":root{color-scheme:light dark}image.dark{display:none}\n"
             "@media (prefers-color-scheme: dark){image.light{display:none}"
             "image.dark{display:inline}\n" +
             page(FigureTheme::Dark) + rulesOf(colors, true) + "}\n";
  return style;
}

} // namespace

Page figurePage(const PageFigure& figure, const PageOptions& options, const Run& run) {
  PageColors colors;
  FigureWriter writer(options, colors, run);
  for (std::size_t k = 0; k < figure.frames.size(); ++k) {
    run.report(static_cast<double>(k) / static_cast<double>(figure.frames.size()));
    writer.add(figure.frames[k]);
  }
  const Figure& shown = figure.frames[figure.shown].figure;
  std::string page = std::string(kPageStart) +
                     "<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width\">\n<title>" +
                     escapedMarkup(shown.title.empty() ? "Attention Explorer" : shown.title) +
                     "</title>\n<style>\n" + styleOf(colors, options.theme) +
                     "</style>\n</head>\n<body>\n" + writer.html(shown, figure.shown);
  if (figure.scene)
    page += std::string(kSceneScript) + inScript(sceneLine(*figure.scene)) + "</script>\n";
  page += "<script>\n" + std::string(embedded::page::text("figure.js")) +
          "</script>\n</body>\n</html>\n";
  if (page.size() > kMostBytes)
    throwRange("page", std::to_string(page.size() >> 20) + " MiB",
               "at most " + std::to_string(kMostBytes >> 20) +
                   " MiB for a browser; show fewer tokens or fewer steps");
  return {std::move(page), writer.exact()};
}

bool writePage(const PageFigure& figure, const std::filesystem::path& path,
               const PageOptions& options, const Run& run) {
  const Page page = figurePage(figure, options, run);
  replaceFile(path, [&](std::ostream& stream) { stream << page.text; });
  return page.exact;
}

} // namespace attention
