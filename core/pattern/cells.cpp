// The operations of each kind of cells. Rows are tokens.
#include "core/pattern/bit_runs.h"
#include "core/pattern/prepared.h"

#include <algorithm>

namespace attention {
namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

// Query of a token row: compositions hold Prepared patterns, which count queries.
Index queryOf(const Prepared& pattern, Index token) {
  return token - pattern.lengths().offset;
}

bool holds(const Composition& c, Index token, Index j) {
  const auto in = [&](const std::shared_ptr<const Prepared>& p) {
    return p->contains(queryOf(*p, token), j);
  };
  switch (c.operation) {
  case Operation::Union:
    return std::any_of(c.of.begin(), c.of.end(), in);
  case Operation::Intersection:
    return std::all_of(c.of.begin(), c.of.end(), in);
  case Operation::Difference:
    return in(c.of.front()) && std::none_of(c.of.begin() + 1, c.of.end(), in);
  case Operation::Complement:
    return !in(c.of.front());
  case Operation::SymmetricDifference:
    return std::count_if(c.of.begin(), c.of.end(), in) % 2 == 1;
  }
  return false;
}

void appendRuns(const KeyRanges& ranges, std::vector<std::pair<Index, int>>& edges) {
  for (const KeyRange& range : ranges)
    forEachRun(range, [&](Index begin, Index end) {
      edges.emplace_back(begin, 1);
      edges.emplace_back(end, -1);
    });
}

// Whether a key lies in the result, from the operands that hold it: `first` tells of the first
// operand, `others` counts the rest.
bool inResult(Operation operation, std::size_t operands, bool first, int others) {
  switch (operation) {
  case Operation::Union:
    return first || others > 0;
  case Operation::Intersection:
    return first && others + 1 == static_cast<int>(operands);
  case Operation::Difference:
    return first && others == 0;
  case Operation::Complement:
    return !first;
  case Operation::SymmetricDifference:
    return (others + (first ? 1 : 0)) % 2 == 1;
  }
  return false;
}

// Cuts what was appended from `first` on to the span. Whole ranges inside it stay unchanged.
void cutTo(const KeySpan& span, std::size_t first, KeyRanges& ranges) {
  const auto inside = [&](const KeyRange& r) { return r.begin >= span.begin && r.end <= span.end; };
  const auto from = ranges.begin() + static_cast<std::ptrdiff_t>(first);
  if (std::all_of(from, ranges.end(), inside))
    return;
  const KeyRanges whole(from, ranges.end());
  ranges.resize(first);
  for (const KeyRange& range : whole)
    appendCut(range, span.begin, span.end, ranges);
}

// One sweep over the edges of the operands' runs.
void appendCompositionRow(const Composition& c, Index token, const KeySpan& span,
                          KeyRanges& ranges) {
  if (c.operation == Operation::Union) {
    KeyRanges row;
    for (const auto& p : c.of) {
      p->row(queryOf(*p, token), span, row);
      ranges.insert(ranges.end(), row.begin(), row.end());
    }
    return;
  }
  std::vector<std::pair<Index, int>> first;
  std::vector<std::pair<Index, int>> others;
  KeyRanges row;
  for (std::size_t k = 0; k < c.of.size(); ++k) {
    c.of[k]->row(queryOf(*c.of[k], token), span, row);
    appendRuns(row, k == 0 ? first : others);
  }
  std::sort(first.begin(), first.end());
  std::sort(others.begin(), others.end());
  int inFirst = 0;
  int inOthers = 0;
  auto a = first.begin();
  auto b = others.begin();
  for (Index at = span.begin; at < span.end;) {
    for (; a != first.end() && a->first <= at; ++a)
      inFirst += a->second;
    for (; b != others.end() && b->first <= at; ++b)
      inOthers += b->second;
    Index next = span.end;
    if (a != first.end())
      next = std::min(next, a->first);
    if (b != others.end())
      next = std::min(next, b->first);
    if (inResult(c.operation, c.of.size(), inFirst > 0, inOthers))
      ranges.push_back({at, next, 1, 1});
    at = next;
  }
}

void appendAskedRow(const AskedCells& asked, Index token, const KeySpan& span, KeyRanges& ranges) {
  appendRanges(askedKeys(asked, token, span), span, ranges);
}

std::string explainSet(const PrimitiveSet& set, Index token, Index j) {
  std::string missing;
  for (const Primitive& primitive : set.primitives) {
    const std::string rule = explain(primitive, token, j);
    if (contains(primitive, token, j))
      return rule;
    // A long list (globals, slashes) has the same text for each: the first few are enough.
    if (missing.size() < 160 && missing.find(rule) == std::string::npos)
      missing += (missing.empty() ? "" : "; ") + rule;
  }
  return missing.empty() ? "the set is empty" : missing;
}

std::string explainListed(bool listed, Index token, Index j) {
  return "(" + std::to_string(token) + ", " + std::to_string(j) + ")" +
         (listed ? " is listed" : " is not listed");
}

std::string partName(std::size_t k) {
  constexpr std::array<const char*, 3> kOrdinals{"the first", "the second", "the third"};
  return k < kOrdinals.size() ? kOrdinals[k] : "part " + std::to_string(k + 1);
}

// Of a union the rule that holds, else why none does; of an intersection those that fail, else all.
// Of the others, which of the parts have the cell and why.
std::string explainComposition(const Composition& c, Index token, Index j) {
  constexpr std::size_t kLongest = 240; // bytes; a list of many parts is cut
  const bool joins = c.operation == Operation::Union || c.operation == Operation::Intersection;
  std::vector<Explanation> whys;
  for (const auto& part : c.of) {
    whys.push_back(part->why(queryOf(*part, token), j));
    if (c.operation == Operation::Union && whys.back().attends)
      return whys.back().text;
  }
  const bool all = std::ranges::all_of(whys, &Explanation::attends);
  std::string text;
  for (std::size_t k = 0; k < whys.size() && text.size() < kLongest; ++k) {
    const bool told = !joins || whys[k].attends == all;
    const auto before = whys.begin() + static_cast<std::ptrdiff_t>(k);
    const bool again = joins && std::any_of(whys.begin(), before, [&](const Explanation& why) {
                         return why.attends == whys[k].attends && why.text == whys[k].text;
                       });
    if (!told || again)
      continue;
    text += text.empty() ? "" : "; ";
    if (!joins)
      text += (whys[k].attends ? "in " : "not in ") + partName(k) + ": ";
    text += whys[k].text;
  }
  return text;
}

} // namespace

bool contains(const Cells& cells, Index token, Index j) {
  return std::visit(
      Overloaded{
          [&](const PrimitiveSet& set) {
            return std::any_of(set.primitives.begin(), set.primitives.end(),
                               [&](const Primitive& p) { return contains(p, token, j); });
          },
          [&](const std::shared_ptr<const RowTable>& table) { return table->contains(token, j); },
          [&](const CountedCells& counted) { return counted.contains(token, j); },
          [&](const AskedCells& asked) { return asked.contains(token, j); },
          [&](const Composition& c) { return holds(c, token, j); }},
      cells);
}

void appendRow(const Cells& cells, Index token, const KeySpan& span, KeyRanges& ranges) {
  const std::size_t first = ranges.size();
  std::visit(
      Overloaded{[&](const PrimitiveSet& set) {
                   for (const Primitive& p : set.primitives) {
                     Primitive cut = p;
                     cut.clip.keyBegin = std::max(cut.clip.keyBegin, span.begin);
                     cut.clip.keyEnd = std::min(cut.clip.keyEnd, span.end);
                     appendRow(cut, token, ranges);
                   }
                 },
                 [&](const std::shared_ptr<const RowTable>& table) {
                   table->appendRow(token, ranges);
                   cutTo(span, first, ranges);
                 },
                 [&](const CountedCells& counted) {
                   counted.appendRow(token, ranges);
                   cutTo(span, first, ranges);
                 },
                 [&](const AskedCells& asked) { appendAskedRow(asked, token, span, ranges); },
                 [&](const Composition& c) { appendCompositionRow(c, token, span, ranges); }},
      cells);
}

std::string explain(const Cells& cells, Index token, Index j) {
  return std::visit(
      Overloaded{[&](const PrimitiveSet& set) { return explainSet(set, token, j); },
                 [&](const std::shared_ptr<const RowTable>& table) {
                   return explainListed(table->contains(token, j), token, j);
                 },
                 [&](const CountedCells& counted) {
                   return explainListed(counted.contains(token, j), token, j);
                 },
                 [&](const AskedCells& asked) { return asked.explain(token, j); },
                 [&](const Composition& c) { return explainComposition(c, token, j); }},
      cells);
}

bool isListed(const Cells& cells) {
  return std::holds_alternative<std::shared_ptr<const RowTable>>(cells) ||
         std::holds_alternative<CountedCells>(cells);
}

Index countListed(const Cells& cells, const Rect& tokens) {
  if (const auto* table = std::get_if<std::shared_ptr<const RowTable>>(&cells))
    return (*table)->count(tokens);
  if (const auto* counted = std::get_if<CountedCells>(&cells))
    return counted->count(tokens);
  return 0;
}

} // namespace attention
