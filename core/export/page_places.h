// The places of a plot that have words of their own: points of curves, fields of colours, boxes of
// diagrams, tokens of graphs, images and texts, lines between tokens; and what they and all areas
// of a page (page_areas.h) are written with.
#pragma once

#include "core/export/page_areas.h"
#include "core/plot/display_list.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace attention {

// As pageAreas; nothing for masks and matrices.
std::vector<std::string> pagePlaces(const PlacedMark& mark, const TextMeasure& measure);

using PageJson = nlohmann::ordered_json; // fields in the order in which they are given

inline double toHundredths(double value) {
  return std::round(100 * value) / 100;
}

inline PageJson jsonOf(const std::vector<Point>& points) {
  PageJson list = PageJson::array();
  for (const Point& point : points)
    list.push_back({toHundredths(point.x), toHundredths(point.y)});
  return list;
}

inline PageJson jsonOf(const Box& box) {
  return {toHundredths(box.x), toHundredths(box.y), toHundredths(box.width),
          toHundredths(box.height)};
}

// On one line; bytes that are no UTF-8 are replaced.
inline std::string textOf(const PageJson& json) {
  return json.dump(-1, ' ', false, PageJson::error_handler_t::replace);
}

} // namespace attention
