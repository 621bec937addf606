// Handles of the C interface that close themselves, and calls that must succeed.
#pragma once

#include "core/c/attnx.h"
#include "core/support/matrix.h"
#include "tests/catch.h"

#include <memory>
#include <string>

namespace attention {

using OpenPattern = std::unique_ptr<attnx_pattern, decltype(&attnx_pattern_close)>;

inline attnx_tensor tensorOf(const Matrix<float>& m) {
  return {m.data(), 1, m.rows(), m.cols(), 0, 0};
}
inline attnx_target targetOf(Matrix<float>& m) {
  return {m.data(), 1, m.rows(), m.cols(), 0, 0};
}

inline OpenPattern opened(const std::string& json, const attnx_lengths& lengths,
                          const attnx_tensor* q = nullptr, const attnx_tensor* k = nullptr) {
  attnx_pattern* pattern = nullptr;
  attnx_error error;
  const int32_t code = attnx_pattern_open(json.c_str(), &lengths, q, k, 1, &pattern, &error);
  INFO(json << ": " << error.message);
  REQUIRE(code == ATTNX_OK);
  return {pattern, &attnx_pattern_close};
}
inline OpenPattern opened(const std::string& json, Index n) {
  return opened(json, {n, n, ATTNX_TOP_LEFT});
}

} // namespace attention
