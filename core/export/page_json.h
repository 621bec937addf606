// What the areas of a page are written with.
#pragma once

#include "core/plot/display_list.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

namespace attention {

using PageJson = nlohmann::ordered_json; // fields in the order in which they are given

inline PageJson jsonOf(const Box& box) {
  const auto rounded = [](double value) { return std::round(100 * value) / 100; };
  return {rounded(box.x), rounded(box.y), rounded(box.width), rounded(box.height)};
}

// On one line; bytes that are no UTF-8 are replaced.
inline std::string textOf(const PageJson& json) {
  return json.dump(-1, ' ', false, PageJson::error_handler_t::replace);
}

} // namespace attention
