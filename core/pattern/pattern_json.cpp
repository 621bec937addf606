#include "core/pattern/pattern_json.h"

#include "core/pattern/json_values.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

namespace attention {

using json_values::hasMoreThan64Bits;
using json_values::integerFrom;
using json_values::integersFrom;
using json_values::throwType;

namespace {

using Json = nlohmann::json;
using Written = nlohmann::ordered_json; // keeps the order of parameters

PairList pairsFrom(const std::string& name, const Json& json) {
  if (!json.is_array())
    throwType(name, json, "a list of pairs of integers");
  std::vector<IndexPair> pairs;
  pairs.reserve(json.size());
  for (const Json& item : json) {
    if (!item.is_array() || item.size() != 2)
      throwType(name, item, "a pair of integers");
    pairs.emplace_back(integerFrom(name, item[0]), integerFrom(name, item[1]));
  }
  return pairs;
}

PathList pathsFrom(const std::string& name, const Json& json) {
  if (!json.is_array())
    throwType(name, json, "a list of lists of integers");
  std::vector<std::vector<Index>> paths;
  paths.reserve(json.size());
  for (const Json& item : json)
    paths.push_back(integersFrom(name, item));
  return paths;
}

bool truthFrom(const std::string& name, const Json& json) {
  if (!json.is_boolean())
    throwType(name, json, "true or false");
  return json.get<bool>();
}

TruthList truthsFrom(const std::string& name, const Json& json) {
  if (!json.is_array())
    throwType(name, json, "true or false, or a list of them");
  std::vector<Truth> truths;
  truths.reserve(json.size());
  for (const Json& item : json)
    truths.push_back(static_cast<Truth>(truthFrom(name, item)));
  return truths;
}

RealList realsFrom(const std::string& name, const Json& json) {
  if (!json.is_array())
    throwType(name, json, "a list of numbers");
  std::vector<double> list;
  for (const Json& item : json) {
    if (!item.is_number())
      throwType(name, item, "a number");
    list.push_back(item.get<double>());
  }
  return list;
}

Variables variablesFrom(const std::string& name, const Json& json) {
  if (!json.is_object())
    throwType(name, json, "an object of integers");
  const std::string prefix = name + ".";
  Variables variables;
  for (const auto& [key, value] : json.items())
    variables[key] = integerFrom(prefix + key, value);
  return variables;
}

// A file's name, which must not be empty. E_TYPE.
std::string fileFrom(const std::string& name, const Json& json, const char* forms) {
  std::string file = json.get<std::string>();
  if (file.empty())
    throwType(name, json, forms);
  return file;
}

constexpr const char* kMaskForms =
    "a file, rows of 0 and 1, pairs [i, j], or {\"shape\", \"pairs\"}";

MaskSource maskFromObject(const std::string& name, const Json& json) {
  MaskSource mask;
  for (const auto& [key, value] : json.items()) {
    if (key == "pairs")
      mask.pairs = pairsFrom(name, value);
    else if (key == "shape") {
      const IndexList shape = integersFrom(name, value);
      if (shape.size() != 2)
        throwType(name, value, "two lengths");
      mask.rows = shape[0];
      mask.cols = shape[1];
    } else
      throwType(name, json, kMaskForms);
  }
  return mask;
}

// Two integers in every item are a cell (i, j), or a row of a mask of two keys.
bool isListOfCells(const Json& json) {
  return std::all_of(json.begin(), json.end(), [](const Json& item) {
    return item.is_array() && item.size() == 2 && item[0].is_number_integer() &&
           item[1].is_number_integer();
  });
}

bool isBinary(const PairList& pairs) {
  return std::all_of(pairs.begin(), pairs.end(), [](const IndexPair& pair) {
    return 0 <= pair.first && pair.first <= 1 && 0 <= pair.second && pair.second <= 1;
  });
}

MaskSource maskFromRows(const std::string& name, const Json& json) {
  MaskSource mask;
  std::vector<IndexPair> pairs;
  mask.rows = static_cast<Index>(json.size());
  mask.cols = !json[0].is_array() ? 0 : static_cast<Index>(json[0].size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (!json[i].is_array())
      throwType(name, json[i], "a row of 0 and 1");
    if (static_cast<Index>(json[i].size()) != mask.cols)
      throw Error(ErrorCode::Shape, name, name + " has rows of different lengths");
    for (std::size_t j = 0; j < json[i].size(); ++j) {
      const Json& cell = json[i][j];
      const bool one = cell == Json(1) || cell == Json(true);
      if (!one && cell != Json(0) && cell != Json(false))
        throwType(name, cell, "0 or 1");
      if (one)
        pairs.emplace_back(static_cast<Index>(i), static_cast<Index>(j));
    }
  }
  mask.pairs = PairList(std::move(pairs));
  return mask;
}

// A mask by its file, as {"shape": [rows, cols], "pairs": [[i, j], …]}, as the pairs alone, or as
// rows of 0 and 1 (S4.19).
MaskSource maskFrom(const std::string& name, const Json& json) {
  if (json.is_string())
    return {fileFrom(name, json, kMaskForms), 0, 0, {}, {}};
  if (json.is_object())
    return maskFromObject(name, json);
  if (!json.is_array())
    throwType(name, json, kMaskForms);
  if (json.empty())
    throw Error(ErrorCode::Shape, name, name + " has no rows; it must have at least one");
  if (isListOfCells(json)) {
    MaskSource cells;
    cells.pairs = pairsFrom(name, json);
    cells.pairsOrRows = isBinary(cells.pairs);
    return cells;
  }
  return maskFromRows(name, json);
}

constexpr const char* kMatrixForms = "nested lists of numbers, or a file";

// The lengths of nested lists along the first of each.
std::vector<Index> shapeFrom(const std::string& name, const Json& json) {
  std::vector<Index> shape;
  for (const Json* list = &json; !list->is_number(); list = &list->front()) {
    if (!list->is_array() || list->empty() || shape.size() == 3)
      throwType(name, *list, kMatrixForms);
    shape.push_back(static_cast<Index>(list->size()));
  }
  return shape;
}

// Appends the numbers of nested lists of these lengths.
void appendNumbers(const std::string& name, const Json& json, std::span<const Index> shape,
                   std::vector<double>& values) {
  if (shape.empty()) {
    if (!json.is_number())
      throwType(name, json, "a number");
    values.push_back(json.get<double>());
    return;
  }
  if (!json.is_array())
    throwType(name, json, kMatrixForms);
  if (static_cast<Index>(json.size()) != shape.front())
    throw Error(ErrorCode::Shape, name,
                name + " has rows of different lengths; they must be equal");
  for (const Json& item : json)
    appendNumbers(name, item, shape.subspan(1), values);
}

// A matrix by its file, or as nested lists of two or three dimensions.
MatrixSource matrixFrom(const std::string& name, const Json& json) {
  MatrixSource matrix;
  if (json.is_string()) {
    matrix.file = fileFrom(name, json, kMatrixForms);
    return matrix;
  }
  std::vector<Index> shape = shapeFrom(name, json);
  if (shape.size() < 2)
    throwType(name, json, kMatrixForms);
  std::vector<double> values;
  appendNumbers(name, json, shape, values);
  matrix.shape = IndexList(std::move(shape));
  matrix.values = SharedList<double>(std::move(values));
  return matrix;
}

// The nested lists of dimension `depth` and below that begin at value `at`.
Written nested(const MatrixSource& matrix, std::size_t depth, std::size_t& at) {
  Written list = Written::array();
  for (Index k = 0; k < matrix.shape[depth]; ++k) {
    if (depth + 1 < matrix.shape.size())
      list.push_back(nested(matrix, depth + 1, at));
    else
      list.push_back(matrix.values[at++]);
  }
  return list;
}

Value patternsFrom(const std::string& name, const Json& json) {
  if (!json.is_array())
    throwType(name, json, "a list of patterns");
  PatternList patterns;
  for (const Json& item : json)
    patterns.push_back(patternFromJson(item));
  return std::make_shared<const PatternList>(std::move(patterns));
}

Value choiceFrom(const ParameterFacts& parameter, const Json& json) {
  if (json.is_string())
    return json.get<std::string>();
  // The factors are named 1 and 2, which JSON may write as numbers.
  const bool numbered =
      std::any_of(parameter.choices.begin(), parameter.choices.end(), [](const Choice& c) {
        return c.value.find_first_not_of("0123456789") == c.value.npos;
      });
  if (numbered && json.is_number_integer())
    return std::to_string(integerFrom(parameter.name, json));
  if (numbered) // refused by the names that are allowed
    return shortened(json.dump(), 40);
  throwType(parameter.name, json, "a name");
}

Value seedFrom(const std::string& name, const Json& json) {
  constexpr const char* kAllowed = "an integer from 0 to 2^64 − 1";
  if (hasMoreThan64Bits(json))
    throwRange(name, json.dump(), kAllowed);
  if (!json.is_number_integer())
    throwType(name, json, kAllowed);
  if (json.is_number_unsigned())
    return json.get<std::uint64_t>();
  return json.get<Index>();
}

// null means a parameter that was not given.
bool isGiven(const Json& params, const std::string& name) {
  const auto found = params.find(name);
  return found != params.end() && !found->is_null();
}

struct ToJson {
  Written operator()(std::monostate) const { return nullptr; }
  Written operator()(bool b) const { return b; }
  Written operator()(Index x) const { return x; }
  Written operator()(std::uint64_t x) const { return x; }
  Written operator()(double x) const { return x; }
  Written operator()(const std::string& s) const { return s; }
  Written operator()(const IndexList& list) const { return list.get(); }
  Written operator()(const RealList& list) const { return list.get(); }
  Written operator()(const PairList& list) const { return list.get(); }
  Written operator()(const Variables& variables) const { return variables; }
  Written operator()(const std::shared_ptr<const Pattern>& pattern) const {
    return pattern ? toJson(*pattern) : Written();
  }
  Written operator()(const std::shared_ptr<const PatternList>& patterns) const {
    Written list = Written::array();
    for (const Pattern& pattern : *patterns)
      list.push_back(toJson(pattern));
    return list;
  }
  Written operator()(const MaskSource& mask) const {
    if (!mask.file.empty())
      return mask.file;
    if (mask.pairsOrRows)
      return mask.pairs.get();
    return {{"shape", {mask.rows, mask.cols}}, {"pairs", mask.pairs.get()}};
  }
  Written operator()(const MatrixSource& matrix) const {
    if (!matrix.file.empty())
      return matrix.file;
    std::size_t at = 0;
    return matrix.shape.empty() ? Written() : nested(matrix, 0, at);
  }
  Written operator()(const StrokeList& strokes) const { return strokesToJson(strokes); }
  Written operator()(const TruthList& truths) const {
    Written list = Written::array();
    for (const Truth truth : truths)
      list.push_back(truth == Truth::True);
    return list;
  }
  Written operator()(const PathList& paths) const { return paths.get(); }
};

Value knownChoice(const ParameterFacts& parameter, Value name) {
  placeOfChoice(parameter.choices, name, parameter.name);
  return name;
}

} // namespace

Written toJson(const Pattern& pattern) {
  const Description& d = description(pattern);
  Written params = Written::object();
  for (const Parameter& parameter : d.parameters) {
    const Value value = parameter.given(pattern);
    if (!std::holds_alternative<std::monostate>(value))
      params[parameter.name] = valueToJson(value);
  }
  return {{"mechanism", d.name}, {"params", params}};
}

Written valueToJson(const Value& value) {
  return std::visit(ToJson{}, value);
}

Value valueFromJson(const ParameterFacts& parameter, const Json& json) {
  const std::string& name = parameter.name;
  if (json.is_null())
    return {};
  switch (parameter.type) {
  case ParameterType::Integer:
    return integerFrom(name, json);
  case ParameterType::Seed:
    return seedFrom(name, json);
  case ParameterType::Real:
    if (!json.is_number())
      throwType(name, json, "a number");
    return json.get<double>();
  case ParameterType::Boolean:
    return truthFrom(name, json);
  case ParameterType::Choice:
    return knownChoice(parameter, choiceFrom(parameter, json));
  case ParameterType::Text:
    if (!json.is_string())
      throwType(name, json, "a text");
    return json.get<std::string>();
  case ParameterType::Integers:
    return integersFrom(name, json);
  case ParameterType::Reals:
    return realsFrom(name, json);
  case ParameterType::IntegersOrCount:
  case ParameterType::IntegersOrOne:
    if (json.is_number())
      return integerFrom(name, json);
    return integersFrom(name, json);
  case ParameterType::BooleansOrOne:
    if (json.is_boolean())
      return json.get<bool>();
    return truthsFrom(name, json);
  case ParameterType::Pairs:
    return pairsFrom(name, json);
  case ParameterType::Paths:
    return pathsFrom(name, json);
  case ParameterType::Named:
    return variablesFrom(name, json);
  case ParameterType::Mask:
    return maskFrom(name, json);
  case ParameterType::Matrix:
    return matrixFrom(name, json);
  case ParameterType::Pattern:
    return std::make_shared<const Pattern>(patternFromJson(json));
  case ParameterType::Patterns:
    return patternsFrom(name, json);
  case ParameterType::Strokes:
    return strokesFromJson(name, json);
  }
  return {};
}

Pattern patternFromJson(const Json& json) {
  if (!json.is_object() || !json.contains("mechanism") || !json["mechanism"].is_string())
    throwType("pattern", json, "an object with \"mechanism\" and \"params\"");
  for (const auto& [key, value] : json.items())
    if (key != "mechanism" && key != "params")
      throw Error(ErrorCode::Unknown, key,
                  "field \"" + key + "\" of a pattern is unknown; it must be mechanism or params");
  Pattern pattern = patternNamed(json["mechanism"].get<std::string>());
  static const Json kNone = Json::object();
  const Json& params = json.contains("params") ? json["params"] : kNone;
  if (!params.is_object())
    throwType("params", params, "an object");
  // In the order of the description: a preset comes before what may override it.
  std::map<const Parameter*, const Json*> given;
  for (const auto& [key, value] : params.items())
    given[&parameterNamed(pattern, key)] = &value;
  for (const Parameter& parameter : description(pattern).parameters)
    if (const auto at = given.find(&parameter); at != given.end())
      parameter.set(pattern, valueFromJson(parameter, *at->second));
  for (const Parameter& parameter : description(pattern).parameters)
    if (parameter.required && parameter.type == ParameterType::Choice &&
        !isGiven(params, parameter.name))
      throw Error(ErrorCode::Type, parameter.name,
                  parameter.name + " is missing; " + description(pattern).name + " requires it");
  return pattern;
}

} // namespace attention
