// Reference cases (S15): JSON files with arrays beside them and expected numbers from elsewhere.
// Verifying computes the same through the library's public functions, in double and in float
// precision, and compares with the tolerances that the case states: masks and counts exactly.
#pragma once

#include "core/support/run.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace attention {

struct CaseResult {
  std::string id;
  std::string kind;
  bool passed = false;
  std::string dtype;           // what was compared: "float64", "float64 float32", or "exact"
  double largestDeviation = 0; // |got − expected| over all numbers compared
  std::string message;         // one sentence where it failed, else empty
};

// The case `folder`/`name`.json. Passes if every dtype that it has a tolerance for passes. An
// unknown kind, mechanism or file format is a failure with a sentence, never an exception.
CaseResult verifyCase(const std::filesystem::path& folder, const std::string& name,
                      const Run& run = {});

// Names of the cases in `folder`: its .json files except index.json, sorted. E_IO.
std::vector<std::string> caseNames(const std::filesystem::path& folder);

// Every case of the folder in that order; `onCase` is called with each as it ends. E_IO;
// E_UNSUPPORTED where the folder has no case.
std::vector<CaseResult> verifyFolder(const std::filesystem::path& folder,
                                     const std::function<void(const CaseResult&)>& onCase = {},
                                     const Run& run = {});

} // namespace attention
