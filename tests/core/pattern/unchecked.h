// What the window and the command line ask of a pattern before anything has checked its values:
// defaults, bounds, titles, words. Every question must be answered, or refused with an Error,
// whatever the values are. Tests and fuzz targets ask all of it.
#pragma once

#include "core/pattern/beginning.h"
#include "core/pattern/mechanism/all.h"
#include "core/pattern/pattern_json.h"
#include "core/pattern/pattern_title.h"
#include "core/support/error.h"

#include <array>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

namespace attention::test {

// `question` may throw an Error, and nothing else.
template <class Question>
void ask(const Question& question) {
  try {
    question();
  } catch (const Error&) { // refused
  }
}

// Numbers that no parameter expects, and some that some parameters do.
inline std::vector<Index> badIntegers() {
  using Limits = std::numeric_limits<Index>;
  return {0,
          -1,
          1,
          3,
          kMaxLength,
          kMaxLength + 1,
          Index{1} << 32,
          Limits::max() - 1,
          Limits::max(),
          Limits::min() + 1,
          Limits::min()};
}

// Values of every type, right and wrong for a parameter.
inline std::vector<Value> badValues() {
  using Reals = std::numeric_limits<double>;
  std::vector<Value> values{Value{},
                            true,
                            std::string(),
                            std::string("No match"),
                            std::numeric_limits<std::uint64_t>::max(),
                            Variables{},
                            Variables{{"", 0}},
                            std::make_shared<const Pattern>(),
                            std::shared_ptr<const Pattern>(),
                            std::make_shared<const PatternList>(),
                            StrokeList(),
                            StrokeList{Stroke{}},
                            MaskSource(),
                            MatrixSource()};
  for (const double real :
       {1e300, -1e300, 0.0, -0.5, 5e-324, Reals::quiet_NaN(), Reals::infinity()})
    values.emplace_back(real);
  for (const Index x : badIntegers()) {
    values.emplace_back(x);
    values.emplace_back(IndexList{x});
    values.emplace_back(IndexList{x, x});
    values.emplace_back(IndexList{0, x, 3});
    values.emplace_back(PairList{{x, x}});
    values.emplace_back(PairList{{0, x}, {x, 1}});
    values.emplace_back(Variables{{"a", x}});
    for (const auto shape : {Stroke::Shape::Cells, Stroke::Shape::Rectangle, Stroke::Shape::Row,
                             Stroke::Shape::Diagonal}) {
      values.emplace_back(StrokeList{{true, shape, {{x, 1, 0, x}}, x, true}});
      values.emplace_back(StrokeList{{true, shape, {{0, x}, {x, 2}, {x}, {1}}}});
      values.emplace_back(StrokeList{{false, shape, {{0, x}}, 3}, {true, shape, {{x}}, x}});
    }
    values.emplace_back(MaskSource{"", x, x, {{0, 0}}, {}, false});
    values.emplace_back(MaskSource{"", 0, 0, {{x, x}}, {}, false});
  }
  values.emplace_back(MatrixSource{"", {1, 1}, {1e300}});
  values.emplace_back(MatrixSource{"", {1, 2, 1}, {0.0, -1e300}});
  values.emplace_back(MatrixSource{"nowhere.npy", {}, {}});
  values.emplace_back(MaskSource{"nowhere.npy", 0, 0, {}, {}, false});
  values.emplace_back(IndexList());
  values.emplace_back(PairList());
  return values;
}

// What may stand in a file in place of any value.
inline std::vector<nlohmann::json> badJson() {
  using Json = nlohmann::json;
  std::vector<Json> values{nullptr,
                           true,
                           "",
                           "No match",
                           0.5,
                           -0.5,
                           1e300,
                           -1e300,
                           5e-324,
                           Json::array(),
                           Json::object(),
                           Json::array({Json::array()}),
                           Json::array({"", "x"}),
                           Json::array({Json::array({Json::array()})}),
                           Json::array({Json::array({1e300, 0})}),
                           std::numeric_limits<std::uint64_t>::max()};
  for (const Index x : badIntegers()) {
    values.emplace_back(x);
    values.push_back(Json::array({x}));
    values.push_back(Json::array({0, x, 3}));
    values.push_back(Json::array({{{"shape", "cells"}, {"at", {{x, 0}, {0, x}}}, {"repeat", x}}}));
    values.push_back(
        Json::array({{{"shape", "column"}, {"at", {x}}, {"repeat", {{"period", 2}}}}}));
  }
  return values;
}

inline void askUnchecked(const Pattern& pattern) {
  const Pattern standard = patternNamed(description(pattern).name);
  const std::array<const Pattern*, 2> both{&pattern, &standard};
  ask([&] { shortText(pattern); });
  ask([&] { titleText(pattern, both); });
  ask([&] { titleAmong(pattern, both); });
  ask([&] { definitionOf(pattern); });
  ask([&] { needsData(pattern); });
  ask([&] { toJson(pattern).dump(); });
  for (const Index n : {Index{1}, Index{2}, Index{7}, Index{64}, kMaxLength}) {
    for (const Parameter& parameter : description(pattern).parameters) {
      ask([&] { parameter.given(pattern); });
      ask([&] { parameter.visible(pattern); });
      ask([&] { parameter.resolved(pattern, n); });
      ask([&] { parameter.bounds(pattern, n); });
    }
    ask([&] { beginning(pattern, n); });
    ask([&] { check(pattern, squareLengths(n)); });
    ask([&] { check(pattern, {n, 3, 0}); });
  }
  for (const Pattern* operand : operandsOf(pattern))
    askUnchecked(*operand);
}

} // namespace attention::test
