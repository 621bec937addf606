#include "core/export/page_figure.h"

#include "core/plot/figure.h"
#include "core/plot/layout.h"

#include <nlohmann/json.hpp>

namespace attention {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kImageScale = 2; // pixels per unit of pictures

// In words, for screen readers.
std::string saidOf(const Figure& figure, const std::string& reading) {
  std::string says = figure.caption.empty() ? figure.title : figure.caption;
  if (!says.empty() && !says.ends_with('.'))
    says += '.';
  return reading.empty() ? says : says + (says.empty() ? "" : " ") + reading;
}

} // namespace

std::string inScript(std::string json) {
  for (std::size_t at = 0; (at = json.find("</", at)) != std::string::npos; at += 3)
    json.replace(at, 2, "<\\/");
  return json;
}

void PageFigureWriter::takeSizeOf(const Figure& figure) {
  if (!size_)
    size_ = listOf(figure, nullptr).size;
}

void PageFigureWriter::add(const PageFrame& frame) {
  const bool dark = options_.theme == PageTheme::Dark;
  std::vector<PlacedMark> marks;
  const DisplayList first =
      listOf(inTheme(frame.figure, dark ? FigureTheme::Dark : FigureTheme::Light), &marks);
  drawn_ = first.size;
  exact_ = exact_ && first.exact;
  Frame made{{}, {}, frame.label};
  for (std::string& element : elementsOf(frame.figure, first))
    made.items.push_back(items_.placeOf(std::move(element)));
  for (const PlacedMark& mark : marks)
    for (std::string& area : pageAreas(mark, measure_, run_.quiet()))
      made.areas.push_back(areas_.placeOf(std::move(area)));
  frames_.push_back(std::move(made));
}

std::string PageFigureWriter::html(const PageFigure& page) const {
  const std::size_t shown = page.shown;
  const Figure& figure = page.frames[shown].figure;
  const std::string width = svgNumber(drawn_.width);
  std::string text =
      "<figure class=\"ax\" style=\"--width: " + width +
      "px\">\n<div class=\"ax-view\"><svg viewBox=\"0 0 " + width + ' ' + svgNumber(drawn_.height) +
      "\" xmlns=\"http://www.w3.org/2000/svg\" role=\"application\" "
      "tabindex=\"0\" aria-label=\"" +
      escapedMarkup(figure.title) + "\"><desc>" + escapedMarkup(saidOf(figure, page.reading)) +
      "</desc><g class=\"ax-drawing\">";
  for (const std::size_t item : frames_[shown].items)
    text += *items_.all()[item] + "\n";
  return text +
         "</g></svg></div>\n<div class=\"ax-player\" hidden><button aria-label=\"Play\">▶</button>"
         "<input type=\"range\" min=\"0\" value=\"0\" aria-label=\"Step\"><span></span></div>\n"
         "<div class=\"ax-tip\" hidden></div>"
         "<p class=\"ax-status\" role=\"status\" aria-live=\"polite\"></p>\n"
         "<script type=\"application/json\" class=\"ax-data\">" +
         inScript(data(shown)) + "</script>\n</figure>\n";
}

DisplayList PageFigureWriter::listOf(const Figure& figure, std::vector<PlacedMark>* marks) const {
  LayoutOptions how;
  how.threads = options_.threads;
  how.pixelsPerUnit = kImageScale;
  if (marks)
    how.placed = [marks](const Plot& plot, const Box& box, double type) {
      marks->push_back({plot, box, type});
    };
  return layout(figure, size_, measure_, how, run_.quiet());
}

// In two themes where the page follows its reader: as one drawing where both have the same
// primitives, else as two, of which one is shown.
std::vector<std::string> PageFigureWriter::elementsOf(const Figure& figure,
                                                      const DisplayList& first) const {
  if (options_.theme != PageTheme::Page)
    return svgElements(first, first, colors_, measure_);
  const DisplayList dark = listOf(inTheme(figure, FigureTheme::Dark), nullptr);
  if (sameShape(first, dark))
    return svgElements(first, dark, colors_, measure_);
  const auto drawing = [&](const char* theme, const DisplayList& list) {
    std::string text = std::string("<g class=\"") + theme + "\">";
    for (const std::string& element : svgElements(list, list, colors_, measure_))
      text += element;
    return text + "</g>";
  };
  return {drawing("light", first), drawing("dark", dark)};
}

// The items of the shown frame are not repeated: they stand in the drawing.
std::string PageFigureWriter::data(std::size_t shown) const {
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
  if (frames_.size() > 1) {
    for (const std::string* item : items_.all())
      items.push_back(*item);
    for (const std::size_t item : frames_[shown].items)
      items[item] = nullptr;
  }
  return "{\"areas\": [" + areas + "],\n\"items\": " + items.dump() +
         ",\n\"shown\": " + std::to_string(shown) + ",\n\"frames\": " + frames.dump() + "}";
}

} // namespace attention
