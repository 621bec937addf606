#include "core/pattern/mechanism/expr.h"

#include "core/pattern/description_builder.h"
#include "core/pattern/expression.h"

#include <algorithm>
#include <memory>
#include <string>

namespace attention {
namespace {

void checkNames(const Variables& variables) {
  for (const char* taken : {"i", "j", "n", "true", "false", "and", "or", "not", "q_idx", "kv_idx"})
    if (variables.count(taken) != 0)
      throwRange("vars", std::string("an object with the name ") + taken,
                 "names other than i, j, n, true, false, and, or, not, q_idx, kv_idx");
}

} // namespace

const Description& describe(const Expr&) {
  static const Description kDescription =
      DescriptionBuilder<Expr>("expr", "Formula", "Formulas")
          .summary("A formula of your own over the query i and the key j.")
          .source("FlexAttention's mask_mod, as a formula")
          .definition({"Sᵢ = { j : formula(i, j, n) is true }"})
          .conventions("// and % round towards −∞; 0 <= i-j < 4 means both; !i == j means "
                       "!(i == j); q_idx is i, kv_idx is j, b and h are 0.")
          .complexity("O(n²) evaluations")
          .given("expr", "", &Expr::expr, "The formula, as in j <= i && (i - j) % 4 == 0",
                 ParameterType::Text, true, [](const Expr&, Index) { return Bounds{}; })
          .value("vars", "", &Expr::vars, "Named integers of the formula", ParameterType::Named,
                 [](const Expr&, Index) { return Bounds{}; })
          .boolean("causal", &Expr::causal, causalMeaning())
          .build();
  return kDescription;
}

std::shared_ptr<const Prepared> prepared(const Expr& expr, const Lengths& lengths, const Run&) {
  checkNames(expr.vars);
  const auto formula = std::make_shared<const Expression>(*expr.expr, lengths.keys, expr.vars);
  const auto rule = [formula, causal = expr.causal](Index i, Index j) {
    if (causal && j > i)
      return "key " + std::to_string(j) + " > query " + std::to_string(i);
    return formula->withNumbers(i, j) + (formula->holds(i, j) ? " is true" : " is false");
  };
  // Cells above the diagonal are not evaluated where causal: they may fail.
  const auto in = [formula, causal = expr.causal](Index i, Index j) {
    return (!causal || j <= i) && formula->holds(i, j);
  };
  const auto mark = [formula, causal = expr.causal](Index i, const KeySpan& span,
                                                    std::span<std::uint64_t> bits) {
    const Index end = causal ? std::min(span.end, i + 1) : span.end;
    if (span.begin < end)
      formula->mark(i, {span.begin, end}, bits);
  };
  return fromParts(lengths, {{"formula", "formula", AskedCells{in, rule, mark}, {}}});
}

} // namespace attention
