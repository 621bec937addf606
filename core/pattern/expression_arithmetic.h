// The arithmetic of a formula's instructions on one or two integers (expression.h).
#pragma once

#include "core/pattern/expression.h"

#include <algorithm>

namespace attention {

// Thrown when a formula fails in one cell.
struct ExpressionFailure {
  const char* what;
};

inline Index divided(Index a, Index b) {
  if (b == 0)
    throw ExpressionFailure{"divides by zero"};
  if (a == INT64_MIN && b == -1)
    throw ExpressionFailure{"overflows 64 bits"};
  const Index q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

inline Index remainder(Index a, Index b) {
  if (b == 0)
    throw ExpressionFailure{"divides by zero"};
  if (b == -1)
    return 0;
  const Index r = a % b;
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

inline Index negated(Index a) {
  if (a == INT64_MIN)
    throw ExpressionFailure{"overflows 64 bits"};
  return -a;
}

// a op b for every operator that is not a comparison.
inline Index combined(Expression::Op op, Index a, Index b) {
  using Op = Expression::Op;
  Index result = 0;
  bool overflow = false;
  switch (op) {
  case Op::Add:
    overflow = __builtin_add_overflow(a, b, &result);
    break;
  case Op::Subtract:
    overflow = __builtin_sub_overflow(a, b, &result);
    break;
  case Op::Multiply:
    overflow = __builtin_mul_overflow(a, b, &result);
    break;
  case Op::Divide:
    return divided(a, b);
  case Op::Modulo:
    return remainder(a, b);
  case Op::And:
    return a & b;
  case Op::Xor:
    return a ^ b;
  case Op::Or:
    return a | b;
  case Op::Min:
    return std::min(a, b);
  default:
    return std::max(a, b);
  }
  if (overflow)
    throw ExpressionFailure{"overflows 64 bits"};
  return result;
}

// A single comparison, from a chain or on its own.
inline Expression::Op comparisonOf(Expression::Op op) {
  using Op = Expression::Op;
  const int toChain = static_cast<int>(Op::ChainLess) - static_cast<int>(Op::Less);
  return op >= Op::ChainLess ? static_cast<Op>(static_cast<int>(op) - toChain) : op;
}

} // namespace attention
