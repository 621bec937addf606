// A model against what another program computed of it: expected.safetensors beside
// model.safetensors, with `ids` [n] and any of `hidden` [layers + 1, n, width] (what enters each
// layer, then the final states), `attention` [layers, heads, n, n], `logits` [n, vocabulary] and
// `loss` [n − 1].
#pragma once

#include "core/support/integers.h"
#include "core/support/run.h"

#include <filesystem>
#include <functional>
#include <string>

namespace attention {

// Of an expected array's largest absolute value.
constexpr double kModelTolerance = 2e-4;

struct ArrayCheck {
  std::string name;
  double deviation = 0; // the largest absolute one
  double largest = 0;   // absolute value expected
  std::string message;  // why it cannot be compared; else empty

  bool passed() const { return message.empty() && deviation <= kModelTolerance * largest; }
};

// Calls report(check) for every array but `ids`, in the order of their names. E_IO; E_UNKNOWN
// without ids, or with ids alone; what openModel and forward throw.
void verifyModel(const std::filesystem::path& folder,
                 const std::function<void(const ArrayCheck&)>& report, const Run& run = {});

} // namespace attention
