// A pattern prepared for given lengths: checked, defaults resolved, random parts drawn, formulas
// compiled. Everything that uses a pattern (masks, pictures, attention, reach, export) works
// through this. Immutable and shared; safe to read from any number of threads.
#pragma once

#include "core/pattern/key_choice.h"
#include "core/pattern/key_range.h"
#include "core/pattern/lengths.h"
#include "core/pattern/outputs.h"
#include "core/pattern/primitive.h"
#include "core/pattern/row_table.h"
#include "core/pattern/signed_terms.h"
#include "core/pattern/token_groups.h"
#include "core/support/run.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace attention {

class Prepared;

// A union of primitives. Rows are tokens here and in all cells below.
struct PrimitiveSet {
  std::vector<Primitive> primitives;
};

// Cells with an exact count of their own: lists of lines, documents, grids. Made from a table by
// counted().
struct CountedCells {
  std::function<bool(Index i, Index j)> contains;
  std::function<void(Index i, KeyRanges& ranges)> appendRow; // may be unsorted, below n_k
  std::function<Index(const Rect& rect)> count;
  // How the number of keys of a row changes with the row (row_breaks.h): appends the rows at which
  // a new stretch begins and returns the period within stretches; nothing if every row must be
  // examined; may be empty.
  std::function<std::optional<Index>(std::vector<Index>& breaks)> rowBreaks;
  // Adds to counts[b] the cells of rows [rowBegin, rowEnd) with keys in [edges[b], edges[b + 1]).
  // Absent: counted one by one.
  std::function<void(Index rowBegin, Index rowEnd, std::span<const Index> edges,
                     std::span<Index> counts)>
      addStrip;
};

// The cells of any table with contains(i, j), appendRow(i, ranges), count(rect), and perhaps
// rowBreaks(breaks).
template <class Table>
CountedCells counted(std::shared_ptr<const Table> table) {
  CountedCells cells{[table](Index i, Index j) { return table->contains(i, j); },
                     [table](Index i, KeyRanges& ranges) { table->appendRow(i, ranges); },
                     [table](const Rect& rect) { return table->count(rect); },
                     {},
                     {}};
  if constexpr (requires(std::vector<Index> & breaks) { table->rowBreaks(breaks); })
    cells.rowBreaks = [table](std::vector<Index>& breaks) { return table->rowBreaks(breaks); };
  if constexpr (requires(std::span<Index> counts) { table->addStrip(0, 0, counts, counts); })
    cells.addStrip = [table](Index rowBegin, Index rowEnd, std::span<const Index> edges,
                             std::span<Index> counts) {
      table->addStrip(rowBegin, rowEnd, edges, counts);
    };
  return cells;
}

// Cells known only by evaluation (a formula): contains(i, j) may throw E_EXPR; explain gives the
// rule.
struct AskedCells {
  std::function<bool(Index i, Index j)> contains;
  std::function<std::string(Index i, Index j)> explain;
  // Sets bit j − span.begin of `bits`, which start as zeros, for the keys of row i, hundreds at a
  // time; may throw E_EXPR. Absent: they are evaluated one by one.
  std::function<void(Index i, const KeySpan& span, std::span<std::uint64_t> bits)> mark = {};
};

enum class Operation { Union, Intersection, Difference, Complement, SymmetricDifference };

// Boolean algebra over prepared patterns of the same lengths (S4.18). Difference is the first less
// all others; complement takes exactly one.
struct Composition {
  Operation operation = Operation::Union;
  std::vector<std::shared_ptr<const Prepared>> of;
};

using Cells = std::variant<PrimitiveSet, std::shared_ptr<const RowTable>, CountedCells, AskedCells,
                           Composition>;

// A labelled subset with a hue of its own: A1, A2; window, global, random; an operand.
struct Part {
  std::string name;  // short: "A1", "window"
  std::string label; // for a legend: "previous l"
  Cells cells;
  // The rule with the numbers of (token, key) substituted, where the cells cannot give it
  // themselves.
  std::function<std::string(Index token, Index j)> explain = {};
  // Keys that count more than once where attention combines by Lse or Mean: repeats[t] holds those
  // that the part sees at least t + 2 times.
  std::vector<Cells> repeats = {};
  // All queries in an order in which neighbours share keys; null: in natural order.
  std::shared_ptr<const std::vector<Index>> order = {};
  std::optional<Index> hue = {}; // index into the hues of parts; absent: by name and place
};

// One of several softmaxes over the same square whose outputs are added with a weight for every
// query (S22). Its keys are those of its part; or compressed keys of its own, each the mean of
// `block` keys, `stride` apart, of which a query sees the first ones.
struct Branch {
  Part part;       // the cells that it reads or stands for
  Index block = 0; // 0: the keys of the part
  Index stride = 0;
  std::vector<Index> visible = {};                 // compressed keys that each query sees
  std::shared_ptr<const Matrix<double>> keys = {}; // given in place of means; else null
  std::shared_ptr<const Matrix<double>> values = {};
};
struct Branches {
  std::vector<Branch> of;
  Matrix<double> gates; // n_q × branches, or one row for all queries
};

// Words and hue that replace a part's own, in a panel of a figure with several.
struct PartLook {
  std::string label;             // empty: the part's own
  std::optional<Index> hue = {}; // 0 … 7; absent: the part's own
  bool operator==(const PartLook&) const = default;
};

// Whether a cell may lie in several table parts.
enum class Parts { Disjoint, Overlapping };

struct Explanation {
  bool attends = false;
  int part = -1;    // the first part that holds the cell
  std::string text; // the rule with the numbers substituted
};

class Prepared {
public:
  // `keys` is n of the formulas. Row tables and counted cells among several parts must be disjoint
  // from the other parts. `composed` is the list of signed terms where it does not follow from the
  // parts.
  Prepared(const Lengths& lengths, std::vector<Part> parts,
           std::optional<Terms> composed = std::nullopt);
  // For parts that are all tables, read by attention as `outputs` says. Where they overlap, counts
  // are sums over the rows' unions. `groups`: how tokens were grouped, if they were.
  Prepared(const Lengths& lengths, std::vector<Part> parts, const Outputs& outputs, Parts meet,
           std::shared_ptr<const TokenGroups> groups = {});

  const Lengths& lengths() const { return lengths_; }
  Rect bounds() const { return {0, lengths_.queries, 0, lengths_.keys}; }
  std::span<const Part> parts() const { return parts_; }
  const Outputs& outputs() const { return outputs_; }
  // The groups that a data-dependent pattern has found; null for all other patterns.
  const std::shared_ptr<const TokenGroups>& groups() const { return groups_; }
  // How a mechanism chose its blocks or keys (S20); null for all others.
  const std::shared_ptr<const KeyChoice>& choice() const { return choice_; }
  std::shared_ptr<const Prepared> withChoice(KeyChoice choice) const;
  // The softmaxes that attention adds up in place of one over the cells; null: there is one.
  const std::shared_ptr<const Branches>& branches() const { return branches_; }
  std::shared_ptr<const Prepared> withBranches(Branches branches) const;
  // The same cells, read by attention as one softmax over their union with these keys.
  std::shared_ptr<const Prepared> asUnion(const KeyRule& keys) const;
  // The same cells under the words and hues of `looks`, one per part in their order; parts beyond
  // them keep their own.
  std::shared_ptr<const Prepared> withLooks(std::span<const PartLook> looks) const;

  bool contains(Index i, Index j) const;
  bool contains(std::size_t part, Index i, Index j) const;

  // Keys of query i, disjoint and sorted. `ranges` is overwritten; pass the same one in loops.
  void row(Index i, KeyRanges& ranges) const { row(i, {0, lengths_.keys}, ranges); }
  void row(std::size_t part, Index i, KeyRanges& ranges) const {
    row(part, i, {0, lengths_.keys}, ranges);
  }
  // Those within a span of keys; formulas are evaluated only there (S4.21).
  void row(Index i, const KeySpan& span, KeyRanges& ranges) const;
  void row(std::size_t part, Index i, const KeySpan& span, KeyRanges& ranges) const;
  // Of parts()[part].repeats[layer].
  void repeatRow(std::size_t part, std::size_t layer, Index i, KeyRanges& ranges) const;

  // Keys of query i in [j0, j1). O(terms) where closedForm().
  Index rowCount(Index i, Index j0, Index j1) const;

  // Exact number of attended pairs in `rect` (cut to the mask). O(1) in n where closedForm(), else
  // a sum over rows that reports to `run` and uses `threads` of them.
  Index count(const Rect& rect, const Run& run = {}, int threads = 1) const;
  Index count(std::size_t part, const Rect& rect, const Run& run = {}) const;
  Index pairs(const Run& run = {}, int threads = 1) const { return count(bounds(), run, threads); }

  // Whether the time of count() does not grow with n times n_k: only signed terms, row tables and
  // counted cells.
  bool closedForm() const { return terms_.has_value(); }
  // The signed terms in token rows (query + lengths().offset), if closedForm(); cells of row tables
  // and counted cells must be added, as the part with their index.
  std::span<const Term> terms() const {
    return terms_ ? std::span<const Term>(*terms_) : std::span<const Term>();
  }
  bool hasTables() const { return hasTables_; } // row tables or counted cells

  // Whether i attends to j, through which part, and the rule; if not, what each part misses.
  Explanation why(Index i, Index j) const;

private:
  void rowOf(const Cells& cells, Index i, const KeySpan& span, KeyRanges& ranges) const;
  Rect cut(const Rect& rect) const;
  bool hasRow(Index i) const;
  Index countClosed(const Rect& tokens) const;
  Index countRows(const Rect& rect, const Run& run, int threads) const;
  Index countPartRows(std::size_t part, const Rect& rect, const Run& run) const;

  Lengths lengths_;
  std::vector<Part> parts_;
  Outputs outputs_;
  std::shared_ptr<const TokenGroups> groups_;
  std::shared_ptr<const KeyChoice> choice_;
  std::shared_ptr<const Branches> branches_;
  std::optional<Terms> terms_;
  std::vector<std::optional<Terms>> partTerms_; // of each part by itself, if of primitives
  bool hasTables_ = false;
};

// The cells of `cells` in token row i with keys in `span`; ranges may overlap and are appended
// unsorted.
void appendRow(const Cells& cells, Index token, const KeySpan& span, KeyRanges& ranges);
bool contains(const Cells& cells, Index token, Index j);
std::string explain(const Cells& cells, Index token, Index j);

// Whether the cells count themselves: row tables and counted cells.
bool isListed(const Cells& cells);
// The number of cells in `tokens` (rows are tokens, keys below n_k); 0 for other kinds.
Index countListed(const Cells& cells, const Rect& tokens);

// The composition of prepared patterns: membership from the operands, counts by the algebra of
// signed terms where every operand has them. A union has one part per operand, with `names` as
// labels.
std::shared_ptr<const Prepared> compose(Operation operation,
                                        std::vector<std::shared_ptr<const Prepared>> of,
                                        const std::vector<std::string>& names);

// The keys of a row of evaluated cells as bits. Bit j − span.begin: whether token row i has key j;
// zeros after the last key. Evaluated together where possible. Throws E_EXPR.
std::vector<std::uint64_t> askedKeys(const AskedCells& asked, Index token, const KeySpan& span);

// Whether the rows of a mask can be counted within a frame or two: by a closed form, or where there
// are few queries.
inline bool countsSoon(const Prepared& mask) {
  constexpr Index kMostCounted = 4096; // queries, where counting goes through all rows
  return mask.closedForm() || mask.lengths().queries <= kMostCounted;
}

} // namespace attention
