#include "core/pattern/description.h"

#include "core/pattern/description_builder.h"
#include "core/support/text.h"

#include <algorithm>

namespace attention {
namespace {

std::string allowedType(ParameterType type) {
  switch (type) {
  case ParameterType::Integer:
    return "an integer";
  case ParameterType::Seed:
    return "an integer from 0 to 2^64 − 1";
  case ParameterType::Real:
    return "a number";
  case ParameterType::Boolean:
    return "true or false";
  case ParameterType::Choice:
    return "a name";
  case ParameterType::Text:
    return "a text";
  case ParameterType::Integers:
    return "a list of integers";
  case ParameterType::IntegersOrCount:
    return "a list of integers or one integer";
  case ParameterType::Pairs:
    return "a list of pairs of integers";
  case ParameterType::Named:
    return "names with integers";
  case ParameterType::Mask:
    return "a mask file";
  case ParameterType::Matrix:
    return "nested lists of numbers, or a file";
  case ParameterType::Patterns:
    return "a list of patterns";
  }
  return "a value";
}

struct Found {
  std::string operator()(std::monostate) const { return "missing"; }
  std::string operator()(bool b) const { return b ? "true" : "false"; }
  std::string operator()(Index x) const { return std::to_string(x); }
  std::string operator()(std::uint64_t x) const { return std::to_string(x); }
  std::string operator()(double) const { return "a number that is not an integer"; }
  std::string operator()(const std::string& s) const { return "the text " + excerpt(s); }
  std::string operator()(const IndexList&) const { return "a list of integers"; }
  std::string operator()(const PairList&) const { return "a list of pairs"; }
  std::string operator()(const Variables&) const { return "names with integers"; }
  std::string operator()(const std::shared_ptr<const PatternList>&) const {
    return "a list of patterns";
  }
  std::string operator()(const MaskSource&) const { return "a mask"; }
  std::string operator()(const MatrixSource&) const { return "a matrix"; }
};

} // namespace

const Parameter* Description::find(std::string_view parameter) const {
  const auto at = std::find_if(parameters.begin(), parameters.end(),
                               [&](const Parameter& p) { return sameName(p.name, parameter); });
  return at == parameters.end() ? nullptr : &*at;
}

void throwType(const std::string& parameter, const Value& found, ParameterType type) {
  throw Error(ErrorCode::Type, parameter,
              parameter + " is " + std::visit(Found{}, found) + "; it must be " +
                  allowedType(type));
}

} // namespace attention
