#include "core/pattern/expression_run.h"

#include "core/pattern/expression_arithmetic.h"
#include "core/pattern/expression_lanes.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

namespace attention {
namespace {

using Op = Expression::Op;

constexpr std::uint64_t kAllBits = ~std::uint64_t{0};

// Leaves the run to the evaluation key by key.
[[noreturn]] void giveUp() {
  throw ExpressionFailure{"may fail"};
}

bool isDivision(Op op) {
  return op == Op::Divide || op == Op::Modulo;
}

struct ValueBounds {
  Index low = 0;
  Index high = 0;
};

// Bounds of a quotient towards −∞ or of its remainder; a divisor of 0 counts as 1.
ValueBounds divisionBounds(Op op, const ValueBounds& a, const ValueBounds& b) {
  if (op == Op::Modulo)
    return {std::min<Index>(b.low + 1, 0), std::max<Index>(b.high - 1, 0)};
  if (b.low > 0)
    return {std::min<Index>(floorDiv(a.low, b.low), 0), std::max<Index>(a.high / b.low, 0)};
  const Index most = std::max(std::abs(a.low), std::abs(a.high));
  return {-most, most};
}

// Bits of two combined numbers: as many as the longer one has.
ValueBounds bitBounds(const ValueBounds& a, const ValueBounds& b) {
  std::uint64_t used = 0;
  for (const Index x : {a.low, a.high, b.low, b.high})
    used |= static_cast<std::uint64_t>(x < 0 ? ~x : x);
  const auto most = static_cast<Index>(std::bit_ceil(used + 1) - 1);
  return {std::min(a.low, b.low) < 0 ? ~most : 0, most};
}

// Bounds of a op b. Throws where 64 bits might overflow.
ValueBounds boundsOf(Op op, const ValueBounds& a, const ValueBounds& b) {
  switch (op) {
  case Op::Add:
    return {combined(op, a.low, b.low), combined(op, a.high, b.high)};
  case Op::Subtract:
    return {combined(op, a.low, b.high), combined(op, a.high, b.low)};
  case Op::Multiply: {
    const auto [low, high] =
        std::minmax({combined(op, a.low, b.low), combined(op, a.low, b.high),
                     combined(op, a.high, b.low), combined(op, a.high, b.high)});
    return {low, high};
  }
  case Op::Divide:
  case Op::Modulo:
    return divisionBounds(op, a, b);
  case Op::And:
  case Op::Xor:
  case Op::Or:
    return bitBounds(a, b);
  default:
    return {combined(op, a.low, b.low), combined(op, a.high, b.high)};
  }
}

// The result of a comparison of all numbers within two bounds, if it is the same for all.
template <class Value>
std::optional<bool> decided(Op op, const Value& a, const Value& b) {
  switch (op) {
  case Op::Less:
    return a.high < b.low    ? std::optional(true)
           : a.low >= b.high ? std::optional(false)
                             : std::nullopt;
  case Op::LessEqual:
    return a.high <= b.low  ? std::optional(true)
           : a.low > b.high ? std::optional(false)
                            : std::nullopt;
  case Op::Greater:
    return decided(Op::Less, b, a);
  case Op::GreaterEqual:
    return decided(Op::LessEqual, b, a);
  default:
    break;
  }
  const bool equal = op == Op::Equal;
  if (a.high < b.low || b.high < a.low)
    return !equal;
  return a.uniform() && b.uniform() ? std::optional(equal) : std::nullopt;
}

// Whether vectors divide numbers within these bounds.
template <class Value>
bool dividable(const Value& value) {
  return value.low > -kMostDivided && value.high < kMostDivided;
}

} // namespace

ExpressionRun::ExpressionRun(const std::vector<Instruction>& program, std::size_t stack)
    : program_(program), stack_(stack), lanes_(stack) {
  for (std::size_t k = 0; k < stack; ++k)
    stack_[k].lanes = k;
}

void ExpressionRun::Value::setLine(Index first, Index step, Index last) {
  setBounds(Kind::Line, std::min(first, last), std::max(first, last));
  at = first;
  slope = step;
}

void ExpressionRun::Value::setBounds(Kind of, Index least, Index most) {
  kind = of;
  low = least;
  high = most;
}

bool ExpressionRun::mark(Index i, const KeySpan& keys, std::span<std::uint64_t> bits) {
  const Index here = keys.end - keys.begin;
  count_ = ceilDiv(here, 64) * 64;
  active_ = {};
  for (Index t = 0; t < here; t += 64)
    active_[static_cast<std::size_t>(t / 64)] =
        here - t >= 64 ? kAllBits : (std::uint64_t{1} << (here - t)) - 1;
  const Bits all = active_;
  held_ = 0;
  forks_.clear();
  try {
    for (std::size_t at = 0;;) {
      while (!forks_.empty() && forks_.back().target == at)
        join();
      if (at == program_.size())
        break;
      at = step(program_[at], at, keys, i);
    }
    toTruth(top());
  } catch (const ExpressionFailure&) {
    return false;
  }
  const Value& holds = top();
  for (std::size_t word = 0; word < static_cast<std::size_t>(count_ / 64); ++word)
    bits[word] = all[word] & (holds.uniform() ? (holds.at != 0 ? kAllBits : 0) : holds.bits[word]);
  return true;
}

// Returns the next instruction.
std::size_t ExpressionRun::step(const Instruction& instruction, std::size_t at, const KeySpan& keys,
                                Index i) {
  const auto& [op, position, value] = instruction;
  const auto target = static_cast<std::size_t>(value);
  switch (op) {
  case Op::Constant:
    push(value, 0);
    break;
  case Op::Query:
    push(i, 0);
    break;
  case Op::Key:
    push(keys.begin, 1);
    break;
  case Op::Negate:
    negate();
    break;
  case Op::Abs:
    takeAbsolute();
    break;
  case Op::Truth:
    toTruth(top());
    break;
  case Op::Not:
    toTruth(top());
    invert(top());
    break;
  case Op::SkipIfFalse:
  case Op::SkipIfTrue:
    toTruth(top());
    return fork(op == Op::SkipIfTrue, false, at, target);
  case Op::ChainLess:
  case Op::ChainLessEqual:
  case Op::ChainGreater:
  case Op::ChainGreaterEqual:
  case Op::ChainEqual:
  case Op::ChainNotEqual: {
    const Value right = top(); // stays for the next comparison, below this one's result
    compare(comparisonOf(op));
    top() = right;
    std::swap(top(), top(1));
    return fork(false, true, at, target);
  }
  case Op::Less:
  case Op::LessEqual:
  case Op::Greater:
  case Op::GreaterEqual:
  case Op::Equal:
  case Op::NotEqual:
    compare(op);
    drop();
    break;
  default:
    combine(op);
    drop();
  }
  return at + 1;
}

void ExpressionRun::push(Index first, Index slope) {
  ++held_;
  top().setLine(first, slope, combined(Op::Add, first, slope * (count_ - 1)));
}

// Puts a op b in the place of a, the value below the top.
void ExpressionRun::combine(Op op) {
  Value& a = top(1);
  Value& b = top();
  if (a.uniform() && b.uniform())
    return a.setUniform(combined(op, a.at, b.at));
  if (combinedTruths(op))
    return;
  if (isDivision(op) && b.uniform() && b.at > 0) {
    const Index quotient = floorDiv(a.low, b.at);
    if (quotient == floorDiv(a.high, b.at)) { // the same for all keys
      if (op == Op::Divide)
        return a.setUniform(quotient);
      b.setUniform(combined(Op::Multiply, quotient, b.at));
      op = Op::Subtract;
    }
  }
  if (combinedLines(op))
    return;
  if (isDivision(op))
    prepareDivision();
  const ValueBounds bounds = boundsOf(op, {a.low, a.high}, {b.low, b.high});
  if (op == Op::Modulo && a.kind == Kind::Line && b.uniform() && b.at > 0) {
    fillResidues(a.at, a.slope, b.at, count_, lanesOf(a));
  } else {
    toLanes(a);
    toLanes(b);
    combineLanes(op, lanesOf(b), count_, lanesOf(a));
  }
  a.setBounds(Kind::Lanes, bounds.low, bounds.high);
}

bool ExpressionRun::combinedTruths(Op op) {
  Value& a = top(1);
  const Value& b = top();
  if (a.kind != Kind::Truth || b.kind != Kind::Truth ||
      (op != Op::And && op != Op::Or && op != Op::Xor))
    return false;
  for (std::size_t word = 0; word < a.bits.size(); ++word)
    a.bits[word] = op == Op::And  ? a.bits[word] & b.bits[word]
                   : op == Op::Or ? a.bits[word] | b.bits[word]
                                  : a.bits[word] ^ b.bits[word];
  return true;
}

// Results of lines that are again a line.
bool ExpressionRun::combinedLines(Op op) {
  Value& a = top(1);
  Value& b = top();
  if (op == Op::Min || op == Op::Max) {
    if (a.high > b.low && b.high > a.low)
      return false;
    if ((a.high <= b.low) != (op == Op::Min))
      std::swap(a, b);
    return true;
  }
  if (a.kind != Kind::Line || b.kind != Kind::Line)
    return false;
  const bool product = op == Op::Multiply && (a.uniform() || b.uniform());
  if (!product && op != Op::Add && op != Op::Subtract)
    return false;
  const Index slope = product ? combined(op, a.uniform() ? a.at : b.at, a.slope + b.slope)
                              : combined(op, a.slope, b.slope);
  a.setLine(combined(op, a.at, b.at), slope, combined(op, a.last(), b.last()));
  return true;
}

// Gives up beyond what vectors divide, and where a key that needs its quotient divides by zero.
void ExpressionRun::prepareDivision() {
  Value& divisor = top();
  if (!dividable(top(1)) || !dividable(divisor))
    giveUp();
  if (divisor.low > 0 || divisor.high < 0)
    return;
  toLanes(divisor);
  Bits zero{};
  testLanes(LaneTest::Equal, lanesOf(divisor), Index{0}, count_, zero.data());
  for (Index t = 0; t < count_; ++t) {
    const auto word = static_cast<std::size_t>(t / 64);
    if ((zero[word] >> t % 64 & 1) == 0)
      continue;
    if ((active_[word] >> t % 64 & 1) != 0)
      giveUp();
    lanesOf(divisor)[t] = 1;
  }
  divisor.high = std::max<Index>(divisor.high, 1);
}

void ExpressionRun::negate() {
  Value& value = top();
  if (value.kind == Kind::Line)
    return value.setLine(negated(value.at), -value.slope, negated(value.last()));
  toLanes(value);
  const Index low = negated(value.high);
  value.setBounds(Kind::Lanes, low, negated(value.low));
  for (Index t = 0; t < count_; ++t)
    lanesOf(value)[t] = -lanesOf(value)[t];
}

void ExpressionRun::takeAbsolute() {
  Value& value = top();
  if (value.low >= 0)
    return;
  if (value.high <= 0)
    return negate();
  const Index high = std::max(negated(value.low), value.high);
  toLanes(value);
  value.setBounds(Kind::Lanes, 0, high);
  for (Index t = 0; t < count_; ++t)
    lanesOf(value)[t] = std::abs(lanesOf(value)[t]);
}

// Puts a op b in the place of a, the value below the top; b may become numbers.
void ExpressionRun::compare(Op op) {
  Value& a = top(1);
  Value& b = top();
  if (const std::optional<bool> all = decided(op, a, b))
    return a.setUniform(*all ? 1 : 0);
  toLanes(a);
  const LaneTest test = op == Op::Equal || op == Op::NotEqual      ? LaneTest::Equal
                        : op == Op::Greater || op == Op::LessEqual ? LaneTest::Greater
                                                                   : LaneTest::Less;
  if (b.uniform()) {
    testLanes(test, lanesOf(a), b.at, count_, a.bits.data());
  } else {
    toLanes(b);
    testLanes(test, lanesOf(a), lanesOf(b), count_, a.bits.data());
  }
  a.setBounds(Kind::Truth, 0, 1);
  if (op == Op::LessEqual || op == Op::GreaterEqual || op == Op::NotEqual)
    invert(a);
}

void ExpressionRun::toTruth(Value& value) {
  if (value.kind == Kind::Truth)
    return;
  if (value.low > 0 || value.high < 0)
    return value.setUniform(1);
  if (value.uniform())
    return value.setUniform(value.at != 0 ? 1 : 0);
  toLanes(value);
  testLanes(LaneTest::Equal, lanesOf(value), Index{0}, count_, value.bits.data());
  value.setBounds(Kind::Truth, 0, 1);
  invert(value);
}

void ExpressionRun::invert(Value& truth) {
  if (truth.uniform())
    return truth.setUniform(1 - truth.at);
  for (std::uint64_t& word : truth.bits)
    word = ~word;
}

void ExpressionRun::toLanes(Value& value) {
  if (value.kind == Kind::Line)
    fillLine(value.at, value.slope, count_, lanesOf(value));
  if (value.kind == Kind::Truth)
    for (Index t = 0; t < count_; ++t)
      lanesOf(value)[t] =
          static_cast<Index>(value.bits[static_cast<std::size_t>(t / 64)] >> t % 64 & 1);
  value.kind = Kind::Lanes;
}

// At a short circuit by the truth on the top, taken where it is `either`. If every key takes it,
// the deciding value stays (replacing an operand below, if any); else the truth value is dropped.
// Returns the next instruction.
std::size_t ExpressionRun::fork(bool either, bool overOperand, std::size_t at, std::size_t target) {
  const Value& truth = top();
  if (truth.uniform() && (truth.at != 0) != either) {
    drop();
    return at + 1;
  }
  if (!truth.uniform()) {
    Fork fork{target, either, truth.bits, active_};
    std::uint64_t any = 0;
    for (std::size_t word = 0; word < active_.size(); ++word)
      any |= fork.active[word] & (either ? ~truth.bits[word] : truth.bits[word]);
    if (any != 0) {
      for (std::size_t word = 0; word < active_.size(); ++word)
        active_[word] &= either ? ~truth.bits[word] : truth.bits[word];
      forks_.push_back(fork);
      drop();
      return at + 1;
    }
  }
  if (overOperand)
    drop();
  top().setUniform(either ? 1 : 0);
  return target;
}

// The keys of the last fork rejoin; the top holds the truth of those that went on.
void ExpressionRun::join() {
  const Fork fork = forks_.back();
  forks_.pop_back();
  active_ = fork.active;
  Value& value = top();
  if (value.uniform()) {
    if ((value.at != 0) == fork.either)
      return;
    value.bits = fork.decided;
    value.setBounds(Kind::Truth, 0, 1);
    return;
  }
  for (std::size_t word = 0; word < value.bits.size(); ++word)
    value.bits[word] =
        fork.either ? value.bits[word] | fork.decided[word] : value.bits[word] & fork.decided[word];
}

} // namespace attention
