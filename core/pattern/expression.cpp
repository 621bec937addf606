#include "core/pattern/expression.h"

#include "core/pattern/expression_parser.h"
#include "core/support/error.h"

#include <algorithm>
#include <array>

namespace attention {
namespace {

using Op = Expression::Op;

// A formula that fails in one cell.
struct Failure {
  const char* what;
};

Index divided(Index a, Index b) {
  if (b == 0)
    throw Failure{"divides by zero"};
  if (a == INT64_MIN && b == -1)
    throw Failure{"overflows 64 bits"};
  const Index q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

Index remainder(Index a, Index b) {
  if (b == 0)
    throw Failure{"divides by zero"};
  if (b == -1)
    return 0;
  const Index r = a % b;
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

Index negated(Index a) {
  if (a == INT64_MIN)
    throw Failure{"overflows 64 bits"};
  return -a;
}

Index binary(Op op, Index a, Index b) {
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
    throw Failure{"overflows 64 bits"};
  return result;
}

bool compared(Op op, Index a, Index b) {
  switch (op) {
  case Op::Less:
  case Op::ChainLess:
    return a < b;
  case Op::LessEqual:
  case Op::ChainLessEqual:
    return a <= b;
  case Op::Greater:
  case Op::ChainGreater:
    return a > b;
  case Op::GreaterEqual:
  case Op::ChainGreaterEqual:
    return a >= b;
  case Op::Equal:
  case Op::ChainEqual:
    return a == b;
  default:
    return a != b;
  }
}

// Runs the program; `at` tells the caller which instruction a Failure comes from.
Index evaluated(const std::vector<Expression::Instruction>& program, Index i, Index j, Index* stack,
                std::size_t& at) {
  Index* top = stack - 1;
  for (at = 0; at < program.size(); ++at) {
    const auto& [op, position, value] = program[at];
    switch (op) {
    case Op::Constant:
      *++top = value;
      break;
    case Op::Query:
      *++top = i;
      break;
    case Op::Key:
      *++top = j;
      break;
    case Op::Negate:
      *top = negated(*top);
      break;
    case Op::Abs:
      *top = *top < 0 ? negated(*top) : *top;
      break;
    case Op::Not:
      *top = *top == 0 ? 1 : 0;
      break;
    case Op::Truth:
      *top = *top != 0 ? 1 : 0;
      break;
    case Op::SkipIfFalse:
    case Op::SkipIfTrue:
      *top = *top != 0 ? 1 : 0;
      if ((*top == 1) == (op == Op::SkipIfTrue))
        at = static_cast<std::size_t>(value) - 1;
      else
        --top;
      break;
    case Op::ChainLess:
    case Op::ChainLessEqual:
    case Op::ChainGreater:
    case Op::ChainGreaterEqual:
    case Op::ChainEqual:
    case Op::ChainNotEqual:
      --top;
      if (compared(op, top[0], top[1])) {
        top[0] = top[1];
      } else {
        top[0] = 0;
        at = static_cast<std::size_t>(value) - 1;
      }
      break;
    case Op::Less:
    case Op::LessEqual:
    case Op::Greater:
    case Op::GreaterEqual:
    case Op::Equal:
    case Op::NotEqual:
      --top;
      top[0] = compared(op, top[0], top[1]) ? 1 : 0;
      break;
    default:
      --top;
      top[0] = binary(op, top[0], top[1]);
    }
  }
  return *top;
}

} // namespace

Expression::Expression(std::string_view text, Index n, const Variables& variables) : text_(text) {
  ExpressionParser(*this, n, variables).parse();
}

bool Expression::holds(Index i, Index j) const {
  std::array<Index, 32> few; // most formulas fit; filled by the program before it is read
  std::vector<Index> many(stack_ > few.size() ? stack_ : 0);
  std::size_t at = 0;
  try {
    return evaluated(program_, i, j, many.empty() ? few.data() : many.data(), at) != 0;
  } catch (const Failure& failure) {
    throw Error(ErrorCode::Expr, "expr",
                std::string("expr ") + failure.what + " at position " +
                    std::to_string(program_[at].position) + " for i = " + std::to_string(i) +
                    ", j = " + std::to_string(j));
  }
}

std::string Expression::withNumbers(Index i, Index j) const {
  std::string words;
  std::size_t from = 0;
  for (const Name& name : names_) {
    const Index value = name.op == Op::Query ? i : name.op == Op::Key ? j : name.value;
    words += text_.substr(from, name.begin - from);
    words += value < 0 ? "(" + std::to_string(value) + ")" : std::to_string(value);
    from = name.begin + name.length;
  }
  return words + text_.substr(from);
}

} // namespace attention
