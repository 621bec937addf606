// A formula for one query and a run of keys at once. What does not depend on the key is computed
// once, what grows by a constant step from key to key is kept as a line, and comparisons that the
// bounds decide are decided for all keys at once; the rest is computed in vectors
// (expression_lanes.h). Truth values take one bit per key. A short circuit skips the keys that need
// nothing after it, and is taken when none is left.
#pragma once

#include "core/pattern/expression.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace attention {

constexpr Index kRunKeys = 512;

class ExpressionRun {
public:
  using Instruction = Expression::Instruction;

  // The program must outlive this; holds at most `stack` values.
  ExpressionRun(const std::vector<Instruction>& program, std::size_t stack);

  // Writes bit j − keys.begin for the keys, 1 to kRunKeys of them, zeros up to the word's end;
  // false, with nothing written, where a key might fail or needs numbers too large for the vectors
  // to divide.
  bool mark(Index i, const KeySpan& keys, std::span<std::uint64_t> bits);

private:
  using Op = Expression::Op;
  using Bits = std::array<std::uint64_t, static_cast<std::size_t>(kRunKeys / 64)>;
  struct alignas(64) Lanes {
    std::array<Index, static_cast<std::size_t>(kRunKeys)> at;
  };

  enum class Kind { Line, Lanes, Truth };
  // A value for each key. Skipped keys have arbitrary values within the bounds.
  struct Value {
    Kind kind = Kind::Line;
    Index low = 0; // bounds
    Index high = 0;
    Index at = 0; // of a line: of the first key, and from key to key
    Index slope = 0;
    Bits bits{};           // of a truth value
    std::size_t lanes = 0; // place of its numbers

    bool uniform() const { return kind == Kind::Line && slope == 0; }
    Index last() const { return slope < 0 ? low : high; } // of a line
    void setLine(Index first, Index step, Index last);
    void setUniform(Index value) { setLine(value, 0, value); }
    void setBounds(Kind of, Index least, Index most);
  };
  // A short circuit that some keys take and others do not, until both reach `target`.
  struct Fork {
    std::size_t target = 0;
    bool either = false; // ||: true for those that take it
    Bits decided{};
    Bits active{}; // before it
  };

  std::size_t step(const Instruction& instruction, std::size_t at, const KeySpan& keys, Index i);
  void push(Index first, Index slope);
  void drop() { --held_; }

  void combine(Op op);
  bool combinedTruths(Op op);
  bool combinedLines(Op op);
  void prepareDivision();
  void negate();
  void takeAbsolute();
  void compare(Op op);
  void toTruth(Value& value);
  static void invert(Value& truth);
  void toLanes(Value& value);

  std::size_t fork(bool either, bool overOperand, std::size_t at, std::size_t target);
  void join();

  Value& top(std::size_t below = 0) { return stack_[held_ - 1 - below]; }
  Index* lanesOf(const Value& value) { return lanes_[value.lanes].at.data(); }

  const std::vector<Instruction>& program_;
  std::vector<Value> stack_;
  std::vector<Lanes> lanes_; // one per value
  std::size_t held_ = 0;
  std::vector<Fork> forks_;
  Bits active_{};
  Index count_ = 0; // keys, rounded up to a multiple of 64
};

} // namespace attention
