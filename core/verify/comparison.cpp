#include "core/verify/comparison.h"

#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attention {
namespace {

std::string at(const std::string& what, std::size_t k) {
  return what + "[" + std::to_string(k) + "]";
}

} // namespace

const std::string Comparison::kNone;

double numberOf(const std::string& what, const CaseJson& json) {
  if (json.is_number())
    return json.get<double>();
  if (json == "inf")
    return std::numeric_limits<double>::infinity();
  if (json == "-inf")
    return -std::numeric_limits<double>::infinity();
  if (json == "nan")
    return std::numeric_limits<double>::quiet_NaN();
  throw Error(ErrorCode::Type, what,
              what + " is " + json.dump() + "; it must be a number, \"inf\" or \"-inf\"");
}

void Comparison::fail(const std::string& sentence) {
  if (!failure_)
    failure_ = sentence;
}

void Comparison::number(const std::string& what, double got, double expected) {
  if (got == expected || (std::isnan(got) && std::isnan(expected)))
    return;
  const double deviation = std::abs(got - expected);
  largest_ = std::isnan(deviation) ? std::numeric_limits<double>::infinity()
                                   : std::max(largest_, deviation);
  // Infinite or NaN on one side is beyond any tolerance.
  const bool finite = std::isfinite(got) && std::isfinite(expected);
  if (!finite || !(deviation <= tolerance_.abs + tolerance_.rel * std::abs(expected)))
    fail(what + " is " + shortest(got) + "; expected " + shortest(expected));
}

void Comparison::integer(const std::string& what, Index got, Index expected) {
  if (got == expected)
    return;
  largest_ = std::max(largest_, std::abs(static_cast<double>(got) - static_cast<double>(expected)));
  fail(what + " is " + std::to_string(got) + "; expected " + std::to_string(expected));
}

void Comparison::text(const std::string& what, const std::string& got,
                      const std::string& expected) {
  if (got != expected)
    fail(what + " is " + got + "; expected " + expected);
}

void Comparison::length(const std::string& what, std::size_t got, std::size_t expected) {
  if (got != expected)
    fail(what + " has " + std::to_string(got) + " elements; expected " + std::to_string(expected));
}

void Comparison::number(const std::string& what, double got, const CaseJson& expected) {
  number(what, got, numberOf(what, expected));
}

void Comparison::integer(const std::string& what, Index got, const CaseJson& expected) {
  if (!expected.is_number_integer())
    throw Error(ErrorCode::Type, what, what + " is " + expected.dump() + "; it must be an integer");
  integer(what, got, expected.get<Index>());
}

template <class T>
void Comparison::numbers(const std::string& what, std::span<const T> got,
                         const CaseJson& expected) {
  length(what, got.size(), expected.size());
  for (std::size_t k = 0; k < std::min(got.size(), expected.size()); ++k)
    number(at(what, k), static_cast<double>(got[k]), expected.at(k));
}

void Comparison::integers(const std::string& what, std::span<const Index> got,
                          const CaseJson& expected) {
  length(what, got.size(), expected.size());
  for (std::size_t k = 0; k < std::min(got.size(), expected.size()); ++k)
    integer(at(what, k), got[k], expected.at(k));
}

void Comparison::json(const std::string& what, const CaseJson& got, const CaseJson& expected) {
  if (got == expected)
    return;
  if (got.is_array() && expected.is_array() && got.size() == expected.size()) {
    for (std::size_t k = 0; k < got.size(); ++k)
      json(at(what, k), got[k], expected[k]);
  } else if (got.is_object() && expected.is_object()) {
    const std::string prefix = what + ".";
    for (const auto& [name, value] : expected.items())
      json(prefix + name, got.contains(name) ? got[name] : CaseJson(), value);
    for (const auto& [name, value] : got.items())
      if (!expected.contains(name))
        fail(prefix + name + " is there; expected none");
  } else {
    fail(what + " is " + shortened(got.dump(), 80) + "; expected " +
         shortened(expected.dump(), 80));
  }
}

template <class T>
void Comparison::numbers(const std::string& what, std::span<const T> got, const Tensor& expected) {
  const auto elements = static_cast<std::size_t>(expected.elements());
  length(what, got.size(), elements);
  for (std::size_t k = 0; k < std::min(got.size(), elements); ++k)
    number(at(what, k), static_cast<double>(got[k]),
           attention::number(expected, static_cast<Index>(k)));
}

template void Comparison::numbers(const std::string&, std::span<const float>, const CaseJson&);
template void Comparison::numbers(const std::string&, std::span<const double>, const CaseJson&);
template void Comparison::numbers(const std::string&, std::span<const float>, const Tensor&);
template void Comparison::numbers(const std::string&, std::span<const double>, const Tensor&);

} // namespace attention
