#include "core/attention/group_blocks.h"

#include "core/attention/tile_plan.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace attention {
namespace {

// The least rows of a group that are worth a vector of their own.
constexpr Index kLeastRows = 6;

std::uint64_t rowsOf(Index begin, Index end) {
  const std::uint64_t below = end >= kBlockRows ? ~std::uint64_t{0} : (std::uint64_t{1} << end) - 1;
  return below & ~((std::uint64_t{1} << begin) - 1);
}

} // namespace

void KeyList::clear() {
  keys.clear();
  seen.clear();
}

void KeyList::append(std::int32_t key, std::uint64_t rows) {
  keys.push_back(key);
  seen.push_back(rows);
}

std::optional<GroupBlocks> GroupBlocks::of(const Prepared& pattern) {
  if (pattern.outputs().combine != Combine::Union || !pattern.lengths().square())
    return {};
  std::vector<std::shared_ptr<const KeyGroups>> parts;
  for (const Part& part : pattern.parts()) {
    parts.push_back(groupsOf(part.cells));
    if (!parts.back())
      return {};
  }
  return GroupBlocks(std::move(parts), pattern.lengths().queries);
}

GroupBlocks::GroupBlocks(std::vector<std::shared_ptr<const KeyGroups>> parts, Index queries)
    : parts_(std::move(parts)) {
  std::vector<std::size_t> lastRound(static_cast<std::size_t>(queries)); // plus one; 0: none
  bool again = false; // a query is in more than one part
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const KeyGroups& groups = *parts_[p];
    bool meets = rounds_.empty();
    for (std::size_t g = 0; g < groups.groups(); ++g)
      for (const std::int32_t i : groups.queriesOf(g)) {
        const auto query = static_cast<std::size_t>(i);
        again = again || lastRound[query] > 0;
        meets = meets || lastRound[query] == rounds_.size();
      }
    if (meets)
      rounds_.emplace_back();
    Index row = 0;
    for (std::size_t g = 0; g < groups.groups(); ++g) {
      const std::span<const std::int32_t> members = groups.queriesOf(g);
      for (std::size_t k = 0; k < members.size(); ++k, ++row) {
        if (row % kBlockRows == 0)
          rounds_.back().push_back({p, g, k});
        lastRound[static_cast<std::size_t>(members[k])] = rounds_.size();
      }
    }
  }
  if (again)
    listPlaces(lastRound.size());
}

// By counting: a query's places come in the order of their parts.
void GroupBlocks::listPlaces(std::size_t queries) {
  std::vector<std::size_t> next(queries + 1);
  const auto each = [&](const auto& act) {
    for (std::size_t p = 0; p < parts_.size(); ++p)
      for (std::size_t g = 0; g < parts_[p]->groups(); ++g)
        for (const std::int32_t i : parts_[p]->queriesOf(g))
          act(static_cast<std::size_t>(i),
              Place{static_cast<std::uint32_t>(p), static_cast<std::uint32_t>(g)});
  };
  each([&](std::size_t query, Place) { ++next[query + 1]; });
  std::partial_sum(next.begin(), next.end(), next.begin());
  placeEnds_.assign(next.begin() + 1, next.end());
  places_.resize(placeEnds_.back());
  each([&](std::size_t query, Place place) { places_[next[query]++] = place; });
}

std::span<const GroupBlocks::Place> GroupBlocks::placesOf(Index query) const {
  if (placeEnds_.empty())
    return {};
  const auto at = static_cast<std::size_t>(query);
  const std::size_t begin = at == 0 ? 0 : placeEnds_[at - 1];
  return std::span(places_).subspan(begin, placeEnds_[at] - begin);
}

Index GroupBlocks::blocks(Index round) const {
  return static_cast<Index>(rounds_[static_cast<std::size_t>(round)].size());
}

void GroupBlocks::fill(Index round, Index block, GroupBlock& out) const {
  const Start& start = rounds_[static_cast<std::size_t>(round)][static_cast<std::size_t>(block)];
  const KeyGroups& groups = *parts_[start.part];
  out.queries.clear();
  out.shared.clear();
  out.lone.clear();
  Index row = 0;
  std::size_t at = start.query;
  for (std::size_t g = start.group; g < groups.groups() && row < kBlockRows; ++g, at = 0) {
    const std::span<const std::int32_t> members = groups.queriesOf(g).subspan(at);
    const Index end = std::min(row + static_cast<Index>(members.size()), kBlockRows);
    if (end == row)
      continue;
    out.queries.insert(out.queries.end(), members.begin(), members.begin() + (end - row));
    fillStretch(start.part, {g, row, end}, out);
    row = end;
  }
}

// The keys of one group for its rows of the block, both rising.
void GroupBlocks::fillStretch(std::size_t part, const Stretch& stretch, GroupBlock& out) const {
  const KeyGroups& groups = *parts_[part];
  const std::span<const std::int32_t> keys = groups.keysOf(stretch.group);
  hideSeen(part, stretch, out);
  KeyList& list = stretch.end - stretch.first >= kLeastRows ? out.shared : out.lone;
  const auto query = [&](Index r) { return out.queries[static_cast<std::size_t>(r)]; };
  Index atOrAfter = stretch.first; // the first row whose query is the key or one after it
  for (std::size_t k = 0; k < keys.size(); ++k) {
    while (atOrAfter < stretch.end && query(atOrAfter) < keys[k])
      ++atOrAfter;
    const bool self = atOrAfter < stretch.end && query(atOrAfter) == keys[k];
    if (groups.causal() && atOrAfter == stretch.end)
      break;
    std::uint64_t rows = rowsOf(groups.causal() ? atOrAfter : stretch.first, stretch.end);
    if (self && groups.dropsSelf(keys[k]))
      rows &= ~(std::uint64_t{1} << atOrAfter);
    if (!out.hidden.empty())
      rows &= ~out.hidden[k];
    if (rows != 0)
      list.append(keys[k], rows);
  }
}

// Which rows have seen which keys of the group in the parts before; nothing if none was there.
void GroupBlocks::hideSeen(std::size_t part, const Stretch& stretch, GroupBlock& out) const {
  out.hidden.clear();
  out.before.clear();
  for (Index r = stretch.first; r < stretch.end; ++r)
    for (const Place& place : placesOf(out.queries[static_cast<std::size_t>(r)])) {
      if (place.part >= part)
        break;
      out.before.push_back({place.part, place.group, r});
    }
  if (out.before.empty())
    return;
  std::sort(out.before.begin(), out.before.end()); // rows of one group together
  const std::span<const std::int32_t> keys = parts_[part]->keysOf(stretch.group);
  out.hidden.assign(keys.size(), 0);
  for (std::size_t b = 0; b < out.before.size();) {
    const HeldRow first = out.before[b];
    std::uint64_t rows = 0;
    for (; b < out.before.size() && out.before[b].part == first.part &&
           out.before[b].group == first.group;
         ++b)
      rows |= std::uint64_t{1} << out.before[b].row;
    hideFrom(*parts_[first.part], first.group, rows, keys, out);
  }
}

// Hides the keys shared with a group of an earlier part, except a query's own key if that group
// dropped it.
void GroupBlocks::hideFrom(const KeyGroups& before, std::size_t group, std::uint64_t rows,
                           std::span<const std::int32_t> keys, GroupBlock& out) const {
  const std::span<const std::int32_t> theirs = before.keysOf(group);
  std::size_t t = 0;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    while (t < theirs.size() && theirs[t] < keys[k])
      ++t;
    if (t == theirs.size())
      return;
    if (theirs[t] != keys[k])
      continue;
    std::uint64_t saw = rows;
    if (before.dropsSelf(keys[k]))
      for (std::uint64_t rest = rows; rest != 0; rest &= rest - 1) {
        const auto r = static_cast<std::size_t>(std::countr_zero(rest));
        if (out.queries[r] == keys[k])
          saw &= ~(std::uint64_t{1} << r);
      }
    out.hidden[k] |= saw;
  }
}

} // namespace attention
