#include "core/pattern/expression.h"

#include "core/pattern/expression_arithmetic.h"
#include "core/pattern/expression_parser.h"
#include "core/pattern/expression_run.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>

namespace attention {
namespace {

using Op = Expression::Op;

// For a single comparison (comparisonOf).
bool compared(Op op, Index a, Index b) {
  switch (op) {
  case Op::Less:
    return a < b;
  case Op::LessEqual:
    return a <= b;
  case Op::Greater:
    return a > b;
  case Op::GreaterEqual:
    return a >= b;
  case Op::Equal:
    return a == b;
  default:
    return a != b;
  }
}

constexpr Index kLeastRun = 32; // fewer keys are evaluated one by one

// Runs the program; `at` tells the caller which instruction a failure comes from.
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
      if (compared(comparisonOf(op), top[0], top[1])) {
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
      top[0] = combined(op, top[0], top[1]);
    }
  }
  return *top;
}

} // namespace

Expression::Expression(std::string_view text, Index n, const Variables& variables)
    : text_(formulaOfMaskMod(text)), pasted_(text_ != text) {
  ExpressionParser(*this, n, variables).parse();
}

std::string Expression::placeOf(std::size_t position) const {
  return "position " + std::to_string(position) +
         (pasted_ ? " of \"" + shortened(text_, 80) + "\"" : "");
}

bool Expression::holds(Index i, Index j) const {
  std::array<Index, 32> few; // most formulas fit; filled by the program before it is read
  std::vector<Index> many(stack_ > few.size() ? stack_ : 0);
  std::size_t at = 0;
  try {
    return evaluated(program_, i, j, many.empty() ? few.data() : many.data(), at) != 0;
  } catch (const ExpressionFailure& failure) {
    throw Error(ErrorCode::Expr, "expr",
                std::string("expr ") + failure.what + " at " +
                    placeOf(static_cast<std::size_t>(program_[at].position)) +
                    " for i = " + std::to_string(i) + ", j = " + std::to_string(j));
  }
}

// Runs of keys are evaluated together, except where one of them might fail: then one after another,
// so that the first that fails is named.
void Expression::mark(Index i, const KeySpan& keys, std::span<std::uint64_t> bits) const {
  std::fill(bits.begin(), bits.end(), 0);
  const auto markAlone = [&](Index begin, Index end) {
    for (Index j = begin; j < end; ++j)
      if (holds(i, j))
        bits[static_cast<std::size_t>((j - keys.begin) / 64)] |= std::uint64_t{1}
                                                                 << (j - keys.begin) % 64;
  };
  if (keys.end - keys.begin < kLeastRun)
    return markAlone(keys.begin, keys.end);
  ExpressionRun run(program_, stack_);
  for (Index begin = keys.begin; begin < keys.end; begin += kRunKeys) {
    const Index end = std::min(begin + kRunKeys, keys.end);
    const auto words = bits.subspan(static_cast<std::size_t>((begin - keys.begin) / 64));
    if (!run.mark(i, {begin, end}, words))
      markAlone(begin, end);
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
