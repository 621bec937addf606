// The user's formula (S4.16): expression.h has the grammar.
#pragma once

#include "core/pattern/mechanism/mechanism.h"
#include "core/pattern/value.h"

#include <optional>
#include <string>

namespace attention {

struct Expr {
  std::optional<std::string> expr; // required
  Variables vars;
  bool causal = false; // cells above the diagonal are not evaluated
  bool operator==(const Expr&) const = default;
};

const Description& describe(const Expr&);
// The formula is checked here and evaluated cell by cell on request, so its E_EXPR may come late.
std::shared_ptr<const Prepared> prepared(const Expr& expr, const Lengths& lengths, const Run& run);

} // namespace attention
