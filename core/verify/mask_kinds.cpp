// Kinds that are only about masks: counts, coverage, head_masks, mask_metrics, errors.
#include "core/verify/kinds.h"

#include "core/analysis/difference.h"
#include "core/analysis/metrics.h"
#include "core/pattern/pattern_json.h"
#include "core/support/error.h"

#include <string>

namespace attention {
namespace {

// Most patterns choose keys by the data of every token.
void requireTokens(const Pattern& pattern, const Lengths& lengths) {
  if (!mayBeRectangular(pattern) && !lengths.square())
    throw Error(ErrorCode::Shape, "n_q",
                "a pattern depends on the data of every token; n_q must equal n_k");
}

Matrix<double> ones(Index rows, Index columns) {
  return {rows, columns, std::vector<double>(static_cast<std::size_t>(rows * columns), 1.0)};
}

// Nested lists of numbers, the file of an array, or the lengths of an array of ones.
MatrixSource arrayFrom(const CaseFile& file, const CaseJson& arrays, const std::string& name) {
  const CaseJson& value = field(arrays, name);
  if (value.is_string())
    return sourceOf(file.array(arrays, name));
  if (value.is_array() && !value.empty() && value.front().is_number_integer()) {
    MatrixSource array{"", IndexList(value.get<std::vector<Index>>()), {}};
    Index size = 1;
    for (const Index length : array.shape)
      size *= length;
    array.values = ones(size, 1).values();
    return array;
  }
  Parameter matrix;
  matrix.name = name;
  matrix.type = ParameterType::Matrix;
  return std::get<MatrixSource>(valueFromJson(matrix, value));
}

// Where a pattern depends on the data, which these kinds do not have, every token is the same: ones
// in d columns (S32). `item` has the lengths.
std::shared_ptr<const Prepared> preparedOf(const CaseJson& json, const CaseJson& item,
                                           const CaseFile& file) {
  const Pattern pattern = file.pattern(json);
  const Lengths lengths = lengthsOf(item, pattern);
  requireTokens(pattern, lengths);
  PatternData data;
  const Index d = json.contains("d") ? integerField(json, "d") : 2;
  if (needsData(pattern)) {
    const Matrix<double> q = ones(lengths.queries, d);
    const Matrix<double> k = ones(lengths.keys, d);
    data = patternData<double>(q.view(), k.view());
  }
  if (isGiven(json, "arrays"))
    for (const auto& [name, value] : json["arrays"].items()) {
      requireTaken(pattern, name);
      data.arrays.emplace(name, arrayFrom(file, json["arrays"], name));
    }
  if (isGiven(json, "scale") && json["scale"] != "1/sqrt(d)")
    data.scale = numberOf("scale", json["scale"]);
  return prepare(pattern, lengths, data, file.run());
}

Rect rectOf(const CaseJson& item) {
  const CaseJson& numbers = listField(item, "rect");
  if (numbers.size() != 4)
    throw Error(ErrorCode::Type, "rect",
                "rect is " + numbers.dump() + "; it must be four integers i0, i1, j0, j1");
  std::vector<Index> edges;
  for (const CaseJson& number : numbers)
    edges.push_back(number.get<Index>());
  return {edges[0], edges[1], edges[2], edges[3]};
}

} // namespace

void compareMask(const Prepared& pattern, const Tensor& expected, Index plane,
                 Comparison& compare) {
  const Lengths& lengths = pattern.lengths();
  const Index cells = lengths.queries * lengths.keys;
  if (expected.fromEnd(0) != lengths.keys || expected.fromEnd(1) != lengths.queries ||
      expected.elements() < (plane + 1) * cells)
    return compare.fail("the expected mask is " + shapeText(expected.shape) + "; it must be " +
                        std::to_string(lengths.queries) + " × " + std::to_string(lengths.keys) +
                        " for every head");
  for (Index i = 0; i < lengths.queries; ++i)
    for (Index j = 0; j < lengths.keys; ++j) {
      const bool attends = number(expected, plane * cells + i * lengths.keys + j) != 0;
      if (pattern.contains(i, j) != attends)
        compare.fail("mask(" + std::to_string(i) + ", " + std::to_string(j) + ") is " +
                     (attends ? "false; expected true" : "true; expected false"));
    }
}

void verifyCoverage(const CaseFile& file, Comparison& compare) {
  for (const CaseJson& item : itemsOf(file.json())) {
    const auto pattern = preparedOf(item, item, file);
    const Rect rect = rectOf(item);
    const Index attended = pattern->count(rect, file.run());
    const Index cells = intersection(rect, pattern->bounds()).cells();
    compare.integer("attended", attended, field(item, "attended"));
    compare.integer("cells", cells, field(item, "cells"));
    const double coverage =
        cells == 0 ? 0.0 : static_cast<double>(attended) / static_cast<double>(cells);
    compare.number("coverage", coverage, field(item, "coverage"));
  }
}

// Numbers of pairs at any length.
void verifyCounts(const CaseFile& file, Comparison& compare) {
  for (const CaseJson& item : itemsOf(file.json()))
    forEachMember(field(item, "expected"), [&](const std::string& name, const CaseJson& value) {
      if (name != "pairs")
        return false;
      compare.integer(textField(item, "mechanism") + " pairs",
                      preparedOf(item, item, file)->pairs(file.run()), value);
      return true;
    });
}

void verifyHeadMasks(const CaseFile& file, Comparison& compare) {
  const auto heads = headsOf(file);
  file.forEachExpected([&](const std::string& name, const CaseJson& value) {
    if (name == "masks") {
      const Tensor masks = file.array(file.expected(), name);
      compare.length(name, heads.size(), static_cast<std::size_t>(masks.fromEnd(2)));
      for (std::size_t h = 0; h < heads.size(); ++h)
        compareMask(*heads[h], masks, static_cast<Index>(h), compare);
    } else if (name == "pairs") {
      std::vector<Index> pairs;
      pairs.reserve(heads.size());
      for (const auto& head : heads)
        pairs.push_back(head->pairs());
      compare.integers(name, pairs, value);
    } else
      return false;
    return true;
  });
}

void verifyMaskMetrics(const CaseFile& file, Comparison& compare) {
  for (const CaseJson& item : itemsOf(file.json())) {
    const Lengths lengths = lengthsOf(item);
    const auto a = preparedOf(field(item, "a"), item, file);
    const auto b = preparedOf(field(item, "b"), item, file);
    compare.number("iou", difference(a, b, 0, file.run()).iou, field(item, "iou"));
    compare.number("density_a", density(a->pairs(), lengths), field(item, "density_a"));
    compare.number("density_b", density(b->pairs(), lengths), field(item, "density_b"));
  }
}

void verifyErrors(const CaseFile& file, Comparison& compare) {
  for (const CaseJson& item : itemsOf(file.json())) {
    std::string code = "no error";
    try {
      // Formulas fail at a cell, so the whole mask is evaluated (S4.21).
      if (!computeBesideMasks(item, file))
        preparedOf(item, item, file)->pairs(file.run());
    } catch (const Error& error) {
      code = name(error.code());
    }
    const CaseJson& expected = item.contains("expected") ? field(item, "expected") : item;
    compare.text("the code of " + item.dump(), code, textField(expected, "error"));
  }
}

} // namespace attention
