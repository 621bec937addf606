// A mask as an expression of the token i and the key j, from which code in any language is written:
// a small tree of integers and truth values. Negation is pushed down to the comparisons, so that no
// language needs an operator for it.
#pragma once

#include "core/pattern/value.h"
#include "core/support/integers.h"

#include <vector>

namespace attention {

// Cells that no formula gives: the tokens of the runs `rows` hold the keys of the runs `keys`, runs
// being [begin, end).
struct ListedRows {
  std::vector<IndexPair> rows;
  std::vector<IndexPair> keys;
  bool operator==(const ListedRows&) const = default;
};

struct Formula {
  enum class Kind {
    // integers
    Number, // value
    Query,  // i, the token of the query
    Key,    // j
    Negate,
    Absolute,
    Add,
    Subtract,
    Multiply,
    Divide, // towards −∞
    Modulo, // in [0, divisor)
    Minimum,
    Maximum,
    BitAnd,
    BitOr,
    BitXor,
    Count, // 1 where the truth value holds, else 0
    Steps, // Σ of the second of the pairs whose first is at most the operand
    // truth values
    True,
    False,
    Less,
    LessEqual,
    Equal,
    NotEqual,
    Member, // the operand lies in one of the pairs [begin, end)
    NotMember,
    Listed,
    NotListed,
    And,
    Or,
    Differ, // exactly one of two truth values
    Same,
  };

  Kind kind = Kind::False;
  Index value = 0;
  std::vector<Formula> of;
  std::vector<IndexPair> pairs = {};
  std::vector<ListedRows> rows = {};

  bool isTruth() const { return kind >= Kind::True; }
};

Formula numberOf(Index value);
Formula queryToken();
Formula keyToken();
Formula operation(Formula::Kind kind, Formula a, Formula b);
Formula operation(Formula::Kind kind, Formula a);
Formula causalCells(); // j ≤ i

// Conjunction and disjunction, flattened, without what is always true or false.
Formula allOf(std::vector<Formula> truths);
Formula anyOf(std::vector<Formula> truths);
Formula negated(const Formula& truth);

// lo ≤ x ≤ hi for an x that is known to lie in [least, most]: what follows from that is omitted.
struct Range {
  Index least = 0;
  Index most = 0;
};
Formula within(const Formula& x, const Range& known, Index lo, Index hi);

// Integers as truth values (not zero) and truth values as integers (0, 1).
Formula truthOf(Formula x);
Formula integerOf(Formula x);

} // namespace attention
