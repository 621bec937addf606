#include "core/verify/case_file.h"

#include "core/input/array_file.h"
#include "core/input/mapped_file.h"
#include "core/pattern/pattern_json.h"
#include "core/scene/pattern_files.h"
#include "core/support/error.h"
#include "core/support/json_text.h"
#include "core/support/number_text.h"

#include <algorithm>

namespace attention {
namespace {

[[noreturn]] void throwType(const std::string& name, const CaseJson& found, const char* allowed) {
  throw Error(ErrorCode::Type, name, name + " is " + found.dump() + "; it must be " + allowed);
}

// Replaces the texts that stand for non-finite numbers, except in formulas.
void restoreNonFinite(CaseJson& json) {
  for (auto item = json.begin(); item != json.end(); ++item) {
    const bool formula = json.is_object() && item.key() == "expr";
    if (item->is_structured())
      restoreNonFinite(*item);
    else if (!formula && (*item == "inf" || *item == "-inf" || *item == "nan"))
      *item = numberOf("params", *item);
  }
}

// Rows of "#" and ".".
Pattern maskOfRows(const CaseJson& rows) {
  CaseJson cells = CaseJson::array();
  for (const CaseJson& row : rows) {
    if (!row.is_string() || row.get<std::string>().find_first_not_of("#.") != std::string::npos)
      throwType("rows", row, "a text of # and .");
    CaseJson one = CaseJson::array();
    for (const char c : row.get<std::string>())
      one.push_back(c == '#');
    cells.push_back(one);
  }
  return patternFromJson({{"mechanism", "given"}, {"params", {{"mask", cells}}}});
}

} // namespace

bool isGiven(const CaseJson& json, const std::string& name) {
  return json.contains(name) && !json[name].is_null();
}

const CaseJson& field(const CaseJson& json, const std::string& name) {
  if (!json.is_object())
    throwType("the case", json, "an object");
  const auto at = json.find(name);
  if (at == json.end())
    throw Error(ErrorCode::Type, name, name + " is missing from the case");
  return *at;
}

Index integerField(const CaseJson& json, const std::string& name) {
  const CaseJson& value = field(json, name);
  if (!value.is_number_integer())
    throwType(name, value, "an integer");
  return value.get<Index>();
}

std::string textField(const CaseJson& json, const std::string& name) {
  const CaseJson& value = field(json, name);
  if (!value.is_string())
    throwType(name, value, "a text");
  return value.get<std::string>();
}

const CaseJson& listField(const CaseJson& json, const std::string& name) {
  const CaseJson& value = field(json, name);
  if (!value.is_array())
    throwType(name, value, "a list");
  return value;
}

const CaseJson& itemsOf(const CaseJson& json) {
  const CaseJson& items = listField(json, "items");
  if (items.empty())
    throw Error(ErrorCode::Type, "items",
                "items is empty, which leaves nothing to compare; it must have at least one item");
  return items;
}

Lengths lengthsOf(const CaseJson& json, const Pattern& pattern) {
  return lengthsOf(json, ignoresAlignment(pattern) ? Alignment::Ignored : Alignment::Matters);
}

Lengths lengthsOf(const CaseJson& json, Alignment alignment) {
  const auto length = [&](const char* name) {
    const CaseJson& n = field(json, json.contains(name) && !json[name].is_null() ? name : "n");
    if (!n.is_number_integer())
      throw Error(ErrorCode::N, name,
                  std::string(name) + " is " + n.dump() + "; it must be an integer of at least 1");
    return n.get<Index>();
  };
  const Index queries = length("n_q");
  const Index keys = length("n_k");
  const bool aligned = json.contains("align") && !json["align"].is_null();
  const bool mask = json.contains("rows") || json.value("mechanism", CaseJson()) == "given";
  if (queries == keys && !aligned)
    return squareLengths(queries);
  if (!aligned && alignment == Alignment::Ignored)
    return alignedLengths(queries, keys, Align::TopLeft);
  if (!aligned && !mask)
    throw Error(ErrorCode::Shape, "align",
                "there are " + countText(queries, "query") + " and " + countText(keys, "key") +
                    "; align must be top-left or bottom-right");
  const std::string align = aligned           ? textField(json, "align")
                            : queries <= keys ? "bottom-right"
                                              : "top-left";
  if (align != "top-left" && align != "bottom-right")
    throw Error(ErrorCode::Range, "align",
                "align is " + align + "; it must be top-left or bottom-right");
  return alignedLengths(queries, keys, align == "top-left" ? Align::TopLeft : Align::BottomRight);
}

void requireTaken(const Pattern& pattern, const std::string& array) {
  const Description& d = description(pattern);
  if (std::none_of(d.arrays.begin(), d.arrays.end(),
                   [&](const OptionalArray& taken) { return taken.name == array; }))
    throw Error(ErrorCode::Unknown, array,
                "array " + array + " is given, but " + d.name + " takes none of that name");
}

MatrixSource sourceOf(const Tensor& tensor) {
  std::vector<double> values;
  for (Index at = 0; at < tensor.elements(); ++at)
    values.push_back(number(tensor, at));
  return {"", IndexList(tensor.shape), SharedList<double>(std::move(values))};
}

CaseFile::CaseFile(std::filesystem::path folder, const std::string& name, Run run)
    : folder_(std::move(folder)), name_(name), run_(std::move(run)) {
  const std::string file = name + ".json";
  json_ = parseJson(textOfFile(folder_ / file), file);
}

std::string CaseFile::id() const {
  return json_.is_object() && json_.contains("id") ? textField(json_, "id") : name_;
}

std::optional<Tolerance> CaseFile::tolerance(const std::string& dtype) const {
  const Tolerance usual = dtype == "float64" ? Tolerance{1e-12, 1e-11} : Tolerance{2e-5, 2e-4};
  const auto all = json_.find("tolerance");
  if (all == json_.end() || all->is_null())
    return usual;
  if (!all->is_object())
    throwType("tolerance", *all, "an object with float64 and float32");
  if (!isGiven(*all, dtype))
    return std::nullopt;
  const CaseJson& given = (*all)[dtype];
  if (!given.is_object())
    throwType("tolerance", given, "an object with abs and rel");
  return Tolerance{given.contains("abs") ? numberOf("abs", given["abs"]) : usual.abs,
                   given.contains("rel") ? numberOf("rel", given["rel"]) : usual.rel};
}

Pattern CaseFile::pattern(const CaseJson& json) const {
  if (json.is_object() && json.contains("rows"))
    return maskOfRows(listField(json, "rows"));
  CaseJson params = isGiven(json, "params") ? field(json, "params") : CaseJson::object();
  restoreNonFinite(params);
  const CaseJson description{{"mechanism", field(json, "mechanism")}, {"params", params}};
  return resolveFiles(patternFromJson(description), folder_, run_);
}

Tensor CaseFile::array(const CaseJson& json, const std::string& name) const {
  const ArrayFile file = readArrays(folder_ / textField(json, name));
  if (file.arrays.size() != 1)
    throw Error(ErrorCode::Unsupported, name,
                file.file + " holds " + countText(file.arrays.size(), "array") +
                    "; it must have one");
  return file.get(file.arrays.front().name());
}

bool CaseFile::hasInput(const std::string& name) const {
  return json_.contains("inputs") && isGiven(json_["inputs"], name);
}

std::map<std::string, MatrixSource> CaseFile::furtherInputs(const Pattern& pattern) const {
  std::map<std::string, MatrixSource> arrays;
  const CaseJson& inputs = field(json_, "inputs");
  for (const auto& [name, value] : inputs.items()) {
    if (name == "Q" || name == "K" || name == "V" || value.is_null())
      continue;
    requireTaken(pattern, name);
    arrays.emplace(name, sourceOf(array(inputs, name)));
  }
  return arrays;
}

void forEachMember(const CaseJson& expected, const Check& check) {
  bool any = false;
  for (const auto& [name, value] : expected.items()) {
    if (value.is_null())
      continue;
    any = true;
    if (!check(name, value))
      throw Error(ErrorCode::Unknown, name,
                  "the case expects " + name + ", which nothing is compared with");
  }
  if (!any)
    throw Error(ErrorCode::Type, "expected",
                "expected has nothing to compare; it must have at least one value");
}

} // namespace attention
