#include "core/pattern/prepared.h"

#include "core/pattern/branch_layers.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace attention {
namespace {

// The signed terms of the union of all parts that are primitives, if all others are listed.
std::optional<Terms> unionOfParts(std::span<const Part> parts) {
  Terms terms;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (isListed(parts[k].cells))
      continue;
    const auto* set = std::get_if<PrimitiveSet>(&parts[k].cells);
    if (!set || !unite(terms, set->primitives, static_cast<int>(k)))
      return std::nullopt;
  }
  return terms;
}

Index sum(const KeyRanges& ranges) {
  Index keys = 0;
  for (const KeyRange& range : ranges)
    keys += count(range);
  return keys;
}

// Keys of a row of cells that must be evaluated one by one: only the counted ones.
Index countAsked(const AskedCells& asked, Index token, Index j0, Index j1) {
  Index keys = 0;
  for (const std::uint64_t word : askedKeys(asked, token, {j0, j1}))
    keys += std::popcount(word);
  return keys;
}

} // namespace

Prepared::Prepared(const Lengths& lengths, std::vector<Part> parts, std::optional<Terms> composed)
    : lengths_(lengths), parts_(std::move(parts)), terms_(std::move(composed)) {
  if (!terms_)
    terms_ = unionOfParts(parts_);
  hasTables_ = std::any_of(parts_.begin(), parts_.end(),
                           [](const Part& part) { return isListed(part.cells); });
  for (const Part& part : parts_)
    partTerms_.push_back(parts_.size() == 1 ? terms_ : unionOfParts({&part, 1}));
}

Prepared::Prepared(const Lengths& lengths, std::vector<Part> parts, const Outputs& outputs,
                   Parts meet, std::shared_ptr<const TokenGroups> groups)
    : Prepared(lengths, std::move(parts)) {
  outputs_ = outputs;
  groups_ = std::move(groups);
  if (meet == Parts::Overlapping && parts_.size() > 1)
    terms_.reset();
}

std::shared_ptr<const Prepared> Prepared::asUnion(const KeyRule& keys) const {
  Prepared copy = *this;
  copy.outputs_ = {Combine::Union, keys, std::nullopt};
  copy.branches_.reset();
  return std::make_shared<const Prepared>(std::move(copy));
}

std::shared_ptr<const Prepared> Prepared::withChoice(KeyChoice choice) const {
  Prepared copy = *this;
  copy.choice_ = std::make_shared<const KeyChoice>(std::move(choice));
  return std::make_shared<const Prepared>(std::move(copy));
}

std::shared_ptr<const Prepared> Prepared::withBranches(Branches branches) const {
  Prepared copy = *this;
  copy.branches_ = std::make_shared<const Branches>(std::move(branches));
  return std::make_shared<const Prepared>(std::move(copy));
}

std::shared_ptr<const Prepared> Prepared::withLooks(std::span<const PartLook> looks) const {
  Prepared copy = *this;
  for (std::size_t k = 0; k < std::min(looks.size(), copy.parts_.size()); ++k) {
    if (!looks[k].label.empty())
      copy.parts_[k].label = looks[k].label;
    if (looks[k].hue)
      copy.parts_[k].hue = looks[k].hue;
  }
  return std::make_shared<const Prepared>(std::move(copy));
}

bool Prepared::contains(std::size_t part, Index i, Index j) const {
  const Index token = i + lengths_.offset;
  return token >= 0 && bounds().contains(i, j) && attention::contains(parts_[part].cells, token, j);
}

bool Prepared::contains(Index i, Index j) const {
  for (std::size_t k = 0; k < parts_.size(); ++k)
    if (contains(k, i, j))
      return true;
  return false;
}

bool Prepared::hasRow(Index i) const {
  return i >= 0 && i < lengths_.queries && i + lengths_.offset >= 0;
}

void Prepared::rowOf(const Cells& cells, Index i, const KeySpan& span, KeyRanges& ranges) const {
  ranges.clear();
  if (!hasRow(i))
    return;
  appendRow(cells, i + lengths_.offset, span, ranges);
  normalise(ranges);
}

void Prepared::row(std::size_t part, Index i, const KeySpan& span, KeyRanges& ranges) const {
  rowOf(parts_[part].cells, i, span, ranges);
}

void Prepared::repeatRow(std::size_t part, std::size_t layer, Index i, KeyRanges& ranges) const {
  rowOf(parts_[part].repeats[layer], i, {0, lengths_.keys}, ranges);
}

void Prepared::row(Index i, const KeySpan& span, KeyRanges& ranges) const {
  ranges.clear();
  if (!hasRow(i))
    return;
  for (const Part& part : parts_)
    appendRow(part.cells, i + lengths_.offset, span, ranges);
  normalise(ranges);
}

Index Prepared::countClosed(const Rect& tokens) const {
  Index cells = attention::count(*terms_, tokens);
  if (hasTables_)
    for (const Part& part : parts_)
      cells += countListed(part.cells, tokens);
  return cells;
}

Index Prepared::rowCount(Index i, Index j0, Index j1) const {
  const Index token = i + lengths_.offset;
  const Rect row = intersection({i, i + 1, j0, j1}, bounds());
  if (token < 0 || row.empty())
    return 0;
  if (closedForm())
    return countClosed({token, token + 1, row.keyBegin, row.keyEnd});
  if (parts_.size() == 1)
    if (const auto* asked = std::get_if<AskedCells>(&parts_.front().cells))
      return countAsked(*asked, token, row.keyBegin, row.keyEnd);
  KeyRanges ranges;
  this->row(i, {row.keyBegin, row.keyEnd}, ranges);
  return sum(ranges);
}

Index Prepared::countRows(const Rect& rect, const Run& run, int threads) const {
  // About 4 million keys per chunk: there are never seconds between two checks of the stop token.
  const Index rows = std::clamp<Index>((Index{1} << 22) / lengths_.keys, 1, 1024);
  const Index chunks = ceilDiv(rect.rowEnd - rect.rowBegin, rows);
  std::vector<Index> sums(static_cast<std::size_t>(chunks));
  parallelFor(chunks, threads, run, [&](Index chunk) {
    const Index begin = rect.rowBegin + chunk * rows;
    Index cells = 0;
    for (Index i = begin; i < std::min(begin + rows, rect.rowEnd); ++i)
      cells += rowCount(i, rect.keyBegin, rect.keyEnd);
    sums[static_cast<std::size_t>(chunk)] = cells;
  });
  Index total = 0;
  for (const Index cells : sums)
    total += cells;
  return total;
}

// The rows and keys of `rect` that the mask has and whose tokens exist.
Rect Prepared::cut(const Rect& rect) const {
  Rect inside = intersection(rect, bounds());
  inside.rowBegin = std::max(inside.rowBegin, -lengths_.offset);
  return inside;
}

Index Prepared::count(const Rect& rect, const Run& run, int threads) const {
  Rect inside = cut(rect);
  if (inside.empty())
    return 0;
  if (!closedForm())
    return countRows(inside, run, threads);
  inside.rowBegin += lengths_.offset;
  inside.rowEnd += lengths_.offset;
  return countClosed(inside);
}

Index Prepared::countPartRows(std::size_t part, const Rect& rect, const Run& run) const {
  Index cells = 0;
  KeyRanges ranges;
  for (Index i = rect.rowBegin; i < rect.rowEnd; ++i) {
    run.check();
    row(part, i, {rect.keyBegin, rect.keyEnd}, ranges);
    cells += sum(ranges);
  }
  return cells;
}

Index Prepared::count(std::size_t part, const Rect& rect, const Run& run) const {
  const Rect inside = cut(rect);
  if (inside.empty())
    return 0;
  const Rect tokens{inside.rowBegin + lengths_.offset, inside.rowEnd + lengths_.offset,
                    inside.keyBegin, inside.keyEnd};
  if (isListed(parts_[part].cells))
    return countListed(parts_[part].cells, tokens);
  if (partTerms_[part])
    return attention::count(*partTerms_[part], tokens);
  if (parts_.size() == 1)
    return countRows(inside, run, 1);
  // A composition's operand counts itself.
  if (const auto* operand = std::get_if<Composition>(&parts_[part].cells))
    if (operand->operation == Operation::Union && operand->of.size() == 1)
      return operand->of.front()->count(inside, run);
  return countPartRows(part, inside, run);
}

namespace {

// Why a cell is in none of these parts.
struct Missing {
  std::string rule;
  std::string parts; // their names
};

// The rules, each with its parts where they differ.
std::string textOf(const std::vector<Missing>& missing) {
  std::string text;
  for (const Missing& m : missing)
    text += (text.empty() ? "" : "; ") + m.rule + (missing.size() > 1 ? " (" + m.parts + ")" : "");
  return text;
}

} // namespace

Explanation Prepared::why(Index i, Index j) const {
  assert(bounds().contains(i, j));
  const Index token = i + lengths_.offset;
  if (token < 0)
    return {false, -1,
            "query " + std::to_string(i) + " acts as token " + std::to_string(token) +
                " < 0: its row is empty"};
  std::vector<Missing> missing;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const Part& part = parts_[k];
    const std::string rule = part.explain ? part.explain(token, j) : explain(part.cells, token, j);
    if (contains(k, i, j))
      return {true, static_cast<int>(k), rule};
    const auto same = std::find_if(missing.begin(), missing.end(),
                                   [&](const Missing& m) { return m.rule == rule; });
    if (same == missing.end())
      missing.push_back({rule, part.name});
    else
      same->parts += ", " + part.name;
  }
  std::string within; // compressed keys
  for (const Part* layer : layersAt(*this, i, j))
    within += layer->explain(token, j) + "; not by itself: ";
  return {false, -1, within + textOf(missing)};
}

std::vector<std::uint64_t> askedKeys(const AskedCells& asked, Index token, const KeySpan& span) {
  const Index keys = std::max<Index>(span.end - span.begin, 0);
  std::vector<std::uint64_t> bits(static_cast<std::size_t>(ceilDiv(keys, 64)));
  if (asked.mark) {
    asked.mark(token, span, bits);
    return bits;
  }
  for (Index t = 0; t < keys; ++t)
    if (asked.contains(token, span.begin + t))
      bits[static_cast<std::size_t>(t / 64)] |= std::uint64_t{1} << t % 64;
  return bits;
}

} // namespace attention
