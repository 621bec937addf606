// The body of a FlexAttention mask_mod, pasted, as a formula (T12).
#pragma once

#include <string>
#include <string_view>

namespace attention {

// The formula of
//
//   def mask_mod(b, h, q_idx, kv_idx):
//       window = q_idx - kv_idx < 128   # names with formulas, each on its line
//       return (q_idx >= kv_idx) & window
//
// or of a body without its head, or of `return …` alone: "(q_idx >= kv_idx) & (q_idx - kv_idx <
// 128)". The arguments may have any names. Other text, a plain formula, is given back as it is.
// E_EXPR names a statement that no formula has, and says what to take out.
std::string formulaOfMaskMod(std::string_view text);

} // namespace attention
