// Compares what a reference case expects with what was computed, number by number: |got − expected|
// ≤ abs + rel · |expected|; integers, cells and names exactly. Keeps the first mismatch as a
// sentence and the largest deviation of all.
#pragma once

#include "core/input/tensor.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <span>
#include <string>

namespace attention {

using CaseJson = nlohmann::json;

struct Tolerance {
  double abs = 0;
  double rel = 0;
};

class Comparison {
public:
  explicit Comparison(const Tolerance& tolerance) : tolerance_(tolerance) {}

  void number(const std::string& what, double got, double expected);
  void integer(const std::string& what, Index got, Index expected);
  void text(const std::string& what, const std::string& got, const std::string& expected);

  // Against a JSON number or "inf", "-inf", "nan"; against a list of them.
  void number(const std::string& what, double got, const CaseJson& expected);
  void integer(const std::string& what, Index got, const CaseJson& expected);
  template <class T>
  void numbers(const std::string& what, std::span<const T> got, const CaseJson& expected);
  void integers(const std::string& what, std::span<const Index> got, const CaseJson& expected);
  // Any value of integers, texts and truth values, compared as a whole; where lists or objects
  // differ, the first member that does is named.
  void json(const std::string& what, const CaseJson& got, const CaseJson& expected);
  // Against an array of the same number of elements.
  template <class T>
  void numbers(const std::string& what, std::span<const T> got, const Tensor& expected);

  // A length other than expected.
  void length(const std::string& what, std::size_t got, std::size_t expected);

  void fail(const std::string& sentence);
  bool passed() const { return !failure_; }
  const std::string& message() const { return failure_ ? *failure_ : kNone; }
  double largestDeviation() const { return largest_; }

private:
  static const std::string kNone;

  Tolerance tolerance_;
  double largest_ = 0;
  std::optional<std::string> failure_;
};

// A JSON number, or the meaning of the texts "inf", "-inf", "nan". E_TYPE names `what`.
double numberOf(const std::string& what, const CaseJson& json);

} // namespace attention
