#include "core/code/mask_formula.h"

#include <algorithm>

namespace attention {
namespace {

using Kind = Formula::Kind;

Range differences(const TokenRanges& r) {
  return {r.query.least - r.key.most, r.query.most - r.key.least};
}

// lo ≤ i − j ≤ hi, written as one compares tokens: j ≤ i for 0 ≤ i − j.
Formula bandOf(const Primitive& p, const TokenRanges& r) {
  const Range known = differences(r);
  const Formula distance = operation(Kind::Subtract, queryToken(), keyToken());
  std::vector<Formula> all;
  if (p.lo == 0 && p.hi == 0)
    return operation(Kind::Equal, queryToken(), keyToken());
  if (p.lo == 0 && p.lo > known.least) {
    all.push_back(causalCells());
    all.push_back(within(distance, {0, known.most}, 0, p.hi));
  } else {
    all.push_back(within(distance, known, p.lo, p.hi));
  }
  if (p.period > 1)
    all.push_back(
        operation(Kind::Equal, operation(Kind::Modulo, distance, numberOf(p.period)), numberOf(0)));
  return allOf(std::move(all));
}

Formula residueOf(const Primitive& p, const TokenRanges& r) {
  if (p.period > r.key.most)
    return within(keyToken(), r.key, p.lo, p.hi - 1);
  return within(operation(Kind::Modulo, keyToken(), numberOf(p.period)), {0, p.period - 1}, p.lo,
                p.hi - 1);
}

Formula blockOffset(Index period, Index lo, Index hi, const TokenRanges& r) {
  const Formula key = operation(Kind::Divide, keyToken(), numberOf(period));
  const Formula query = operation(Kind::Divide, queryToken(), numberOf(period));
  if (lo == 0 && hi == 0)
    return operation(Kind::Equal, key, query);
  const Range known{r.key.least / period - r.query.most / period,
                    r.key.most / period - r.query.least / period};
  return within(operation(Kind::Subtract, key, query), known, lo, hi);
}

Formula shapeOf(const Primitive& p, const TokenRanges& r) {
  switch (p.shape) {
  case Shape::Area:
    return {Kind::True, 0, {}};
  case Shape::Band:
    return bandOf(p, r);
  case Shape::Columns:
    return residueOf(p, r);
  case Shape::Blocks:
    return blockOffset(p.period, p.lo, p.hi, r);
  case Shape::BlockColumns:
    return allOf({blockOffset(p.period, 0, 0, r), residueOf(p, r)});
  }
  return {};
}

// Runs the program on formulas instead of numbers. A jump ends where its two branches meet: the
// left operands of && and || and the links of chains wait for that place.
class Decompiler {
public:
  using Op = Expression::Op;

  Formula run(const std::vector<Expression::Instruction>& program) {
    for (std::size_t at = 0; at < program.size(); ++at) {
      close(at);
      step(program[at]);
    }
    close(program.size());
    return truthOf(take());
  }

private:
  struct Waiting {
    Kind kind;
    Formula left;
    std::size_t target;
  };

  void close(std::size_t at) {
    while (!waiting_.empty() && waiting_.back().target == at) {
      Waiting left = std::move(waiting_.back());
      waiting_.pop_back();
      std::vector<Formula> both{std::move(left.left), truthOf(take())};
      push(left.kind == Kind::And ? allOf(std::move(both)) : anyOf(std::move(both)));
    }
  }

  void step(const Expression::Instruction& instruction) {
    const auto target = static_cast<std::size_t>(instruction.value);
    switch (instruction.op) {
    case Op::Constant:
      return push(numberOf(instruction.value));
    case Op::Query:
      return push(queryToken());
    case Op::Key:
      return push(keyToken());
    case Op::Negate:
      return push(operation(Kind::Negate, integerOf(take())));
    case Op::Abs:
      return push(operation(Kind::Absolute, integerOf(take())));
    case Op::Not:
      return push(negated(truthOf(take())));
    case Op::Truth:
      return push(truthOf(take()));
    case Op::SkipIfFalse:
      waiting_.push_back({Kind::And, truthOf(take()), target});
      return;
    case Op::SkipIfTrue:
      waiting_.push_back({Kind::Or, truthOf(take()), target});
      return;
    default:
      return stepTwo(instruction.op, target);
    }
  }

  void stepTwo(Op op, std::size_t target) {
    Formula b = integerOf(take());
    Formula a = integerOf(take());
    if (op >= Op::ChainLess) {
      const int toPlain = static_cast<int>(Op::ChainLess) - static_cast<int>(Op::Less);
      waiting_.push_back(
          {Kind::And, compared(static_cast<Op>(static_cast<int>(op) - toPlain), a, b), target});
      return push(std::move(b));
    }
    if (op >= Op::Less && op <= Op::NotEqual)
      return push(compared(op, std::move(a), std::move(b)));
    push(operation(arithmetic(op), std::move(a), std::move(b)));
  }

  static Formula compared(Op op, Formula a, Formula b) {
    switch (op) {
    case Op::Less:
      return operation(Kind::Less, std::move(a), std::move(b));
    case Op::LessEqual:
      return operation(Kind::LessEqual, std::move(a), std::move(b));
    case Op::Greater:
      return operation(Kind::Less, std::move(b), std::move(a));
    case Op::GreaterEqual:
      return operation(Kind::LessEqual, std::move(b), std::move(a));
    case Op::Equal:
      return operation(Kind::Equal, std::move(a), std::move(b));
    default:
      return operation(Kind::NotEqual, std::move(a), std::move(b));
    }
  }

  static Kind arithmetic(Op op) {
    switch (op) {
    case Op::Add:
      return Kind::Add;
    case Op::Subtract:
      return Kind::Subtract;
    case Op::Multiply:
      return Kind::Multiply;
    case Op::Divide:
      return Kind::Divide;
    case Op::Modulo:
      return Kind::Modulo;
    case Op::And:
      return Kind::BitAnd;
    case Op::Or:
      return Kind::BitOr;
    case Op::Xor:
      return Kind::BitXor;
    case Op::Min:
      return Kind::Minimum;
    default:
      return Kind::Maximum;
    }
  }

  void push(Formula formula) { stack_.push_back(std::move(formula)); }
  Formula take() {
    Formula top = std::move(stack_.back());
    stack_.pop_back();
    return top;
  }

  std::vector<Formula> stack_;
  std::vector<Waiting> waiting_;
};

} // namespace

Formula formulaOf(const Primitive& p, const TokenRanges& r) {
  const Rect& clip = p.clip;
  return allOf({within(queryToken(), r.query, clip.rowBegin, clip.rowEnd - 1),
                within(keyToken(), r.key, clip.keyBegin, clip.keyEnd - 1), shapeOf(p, r),
                p.causal ? causalCells() : Formula{Kind::True, 0, {}}});
}

Formula formulaOf(const Expression& expression) {
  return Decompiler().run(expression.program());
}

} // namespace attention
