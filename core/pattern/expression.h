// A formula over i (query), j (key), n and named integers, as in "j <= i && (i - j) % 4 == 0"
// (S4.16), compiled once to a short program for a stack machine. Integers have 64 bits; overflow
// and division by zero are E_EXPR during evaluation.
//
//   atoms        integers, true, false, i, j, n, vars, ( … ), abs(a), min(a, b, …), max(a, b, …);
//                q_idx is i and kv_idx is j, b and h are 0 where vars does not have them, so that
//                the body of a FlexAttention mask_mod is a formula; "return …" and a whole
//                function with such a body are read too (formulaOfMaskMod)
//   unary −      binds tighter than * // % (floor division and modulus), then + −
//   & then ^ then |, then < <= > >= == != (chains mean conjunction), then ! not,
//   then && and, then || or (short circuit)
#pragma once

#include "core/pattern/key_range.h"
#include "core/pattern/value.h"
#include "core/support/integers.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

class Expression {
public:
  // Throws E_EXPR with the position (from 1) where the text breaks the grammar above, has an
  // unknown name or is nested deeper than 256.
  Expression(std::string_view text, Index n, const Variables& variables);

  // Whether the formula is true (non-zero) for query i and key j. Throws E_EXPR.
  bool holds(Index i, Index j) const;

  // The same for all keys of a span, hundreds at a time: bit j − keys.begin of `bits`, one word per
  // 64 keys, the bits after the last key 0. Throws what holds() throws for the first key that
  // fails.
  void mark(Index i, const KeySpan& keys, std::span<std::uint64_t> bits) const;

  // The formula; of a function, what it returns, with what its names stand for.
  const std::string& text() const { return text_; }

  // The text with the numbers substituted: "3 <= 5 && (5 - 3) % 4 == 0".
  std::string withNumbers(Index i, Index j) const;

  enum class Op {
    Constant, // value
    Query,
    Key,
    Negate,
    Not,
    Truth, // non-zero to 1
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    And,
    Xor,
    Or,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    Abs,
    Min,
    Max,
    SkipIfFalse, // && : false stays and jumps to target, true is dropped
    SkipIfTrue,  // ||
    ChainLess,   // a < b < … : true leaves b, false leaves false and jumps to target
    ChainLessEqual,
    ChainGreater,
    ChainGreaterEqual,
    ChainEqual,
    ChainNotEqual,
  };

  struct Instruction {
    Op op = Op::Constant;
    int position = 0; // in the text, from 1
    Index value = 0;  // of Constant; value of Constant; target of jumps
  };

  // What holds() runs: each instruction works on the top of a stack; a jump keeps the top.
  const std::vector<Instruction>& program() const { return program_; }

private:
  struct Name { // a place for a number
    std::size_t begin = 0;
    std::size_t length = 0;
    Op op = Op::Constant;
    Index value = 0;
  };

  friend class ExpressionParser;

  // "position 9", and of which formula where it is not the text that was given.
  std::string placeOf(std::size_t position) const;

  std::string text_;
  bool pasted_ = false; // as a function
  std::vector<Instruction> program_;
  std::vector<Name> names_;
  std::size_t stack_ = 0; // values held at most
};

// The formula of the body of a FlexAttention mask_mod, pasted (T12):
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
