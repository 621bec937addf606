#include "core/export/page_figure.h"

#include "core/export/packed_bytes.h"
#include "core/plot/figure.h"
#include "core/plot/layout.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace attention {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kImageScale = 2; // pixels per unit of pictures
constexpr double kPageType = 9;   // pixels of the smallest type, for which high figures scroll

// In words, for screen readers.
std::string saidOf(const Figure& figure, const std::string& reading) {
  std::string says = figure.caption.empty() ? figure.title : figure.caption;
  if (!says.empty() && !says.ends_with('.'))
    says += '.';
  return reading.empty() ? says : says + (says.empty() ? "" : " ") + reading;
}

} // namespace

std::string inScript(std::string json) {
  for (std::size_t at = 0; (at = json.find('<', at)) != std::string::npos; ++at)
    if (json.compare(at, 2, "</") == 0 || json.compare(at, 4, "<!--") == 0)
      json.replace(at, 1, "\\u003c");
  return json;
}

std::size_t PageDrawings::add(std::vector<std::string> elements) {
  std::vector<std::size_t>& drawing = drawings_.emplace_back();
  for (std::string& element : elements)
    drawing.push_back(elements_.placeOf(std::move(element)));
  return drawings_.size() - 1;
}

std::string PageDrawings::html() const {
  if (drawings_.empty())
    return {};
  Json elements = Json::array();
  for (const std::string* element : elements_.all())
    elements.push_back(*element);
  const Json all{{"elements", std::move(elements)}, {"drawings", drawings_}};
  return "<script type=\"text/plain\" class=\"ax-drawings\">" +
         packed(all.dump(-1, ' ', false, Json::error_handler_t::replace)) + "</script>\n";
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
  noteType(first);
  exact_ = exact_ && first.exact;
  Frame made{{}, {}, frame.label, frame.figure.title, saidOf(frame.figure, frame.reading)};
  const ThemedLists lists = listsOf(frame.figure, first);
  if (frames_.size() == page_.shown)
    standing_ = drawingOf(lists);
  if (page_.frames.size() > 1)
    made.drawing = parts_.drawings.add(elementsOf(lists));
  for (const PlacedMark& mark : marks)
    for (std::string& area : pageAreas(mark, measure_, run_.quiet()))
      made.areas.push_back(areas_.placeOf(std::move(area)));
  frames_.push_back(std::move(made));
}

std::string PageFigureWriter::html() const {
  const Frame& frame = frames_[page_.shown];
  const std::string width = svgNumber(drawn_.width);
  return "<figure class=\"ax\" style=\"--width: " + width +
         "px; --height: " + svgNumber(drawn_.height) +
         "px; --least: " + svgNumber(std::min(kPageType / smallestType_, 1.0)) +
         "\">\n<div class=\"ax-view\"><svg viewBox=\"0 0 " + width + ' ' +
         svgNumber(drawn_.height) +
         "\" xmlns=\"http://www.w3.org/2000/svg\" role=\"application\" "
         "tabindex=\"0\" aria-label=\"" +
         escapedMarkup(frame.title) + "\"><desc>" + escapedMarkup(frame.says) +
         "</desc><g class=\"ax-drawing\" aria-hidden=\"true\">" + standing_ +
         "</g></svg></div>\n<div class=\"ax-player\" hidden><button aria-label=\"Play\">▶</button>"
         "<input type=\"range\" min=\"0\" value=\"0\" aria-label=\"" +
         escapedMarkup(page_.moves) +
         "\"><span></span></div>\n"
         "<div class=\"ax-tip\" hidden></div>"
         "<p class=\"ax-status\" role=\"status\" aria-live=\"polite\"></p>\n"
         "<script type=\"application/json\" class=\"ax-data\">" +
         inScript(data()) + "</script>\n</figure>\n";
}

void PageFigureWriter::noteType(const DisplayList& list) {
  for (const Primitive2D& item : list.items)
    if (const auto* text = std::get_if<Text>(&item))
      smallestType_ = std::min(smallestType_, text->size);
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

PageFigureWriter::ThemedLists PageFigureWriter::listsOf(const Figure& figure,
                                                        const DisplayList& first) const {
  if (options_.theme != PageTheme::Page)
    return {first, std::nullopt};
  return {first, listOf(inTheme(figure, FigureTheme::Dark), nullptr)};
}

std::vector<std::string> PageFigureWriter::elementsOf(const ThemedLists& lists) const {
  if (lists.asOne())
    return svgElements(lists.first, lists.other(), parts_.colors, measure_);
  return {drawingIn("light", lists.first), drawingIn("dark", *lists.dark)};
}

std::string PageFigureWriter::drawingOf(const ThemedLists& lists) const {
  return lists.asOne()
             ? svgDrawing(lists.first, lists.other(), parts_.colors, measure_, run_.quiet())
             : drawingIn("light", lists.first) + drawingIn("dark", *lists.dark);
}

std::string PageFigureWriter::drawingIn(const char* theme, const DisplayList& list) const {
  return std::string("<g class=\"") + theme + "\">" +
         svgDrawing(list, list, parts_.colors, measure_, run_.quiet()) + "</g>";
}

std::string PageFigureWriter::data() const {
  std::string areas;
  for (const std::string* area : areas_.all())
    areas += (areas.empty() ? "" : ",\n") + *area;
  Json frames = Json::array();
  for (const Frame& frame : frames_) {
    Json json{{"areas", frame.areas}};
    if (frame.drawing)
      json["drawing"] = *frame.drawing;
    if (frames_.size() > 1) {
      json["label"] = frame.label;
      json["title"] = frame.title;
      json["says"] = frame.says;
    }
    frames.push_back(std::move(json));
  }
  return "{\"areas\": [" + areas + "],\n\"shown\": " + std::to_string(page_.shown) +
         ",\n\"frames\": " + frames.dump(-1, ' ', false, Json::error_handler_t::replace) + "}";
}

} // namespace attention
