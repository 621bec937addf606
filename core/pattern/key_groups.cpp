#include "core/pattern/key_groups.h"

#include <algorithm>
#include <utility>

namespace attention {
namespace {

using Keys = std::span<const std::int32_t>;

// A type with a name, so that groupsOf finds the groups again.
struct RowsOfGroups {
  std::shared_ptr<const KeyGroups> groups;
  void operator()(Index i, KeyRanges& ranges) const { groups->appendRow(i, ranges); }
};

Index below(Keys keys, Index j) {
  return std::lower_bound(keys.begin(), keys.end(), j) - keys.begin();
}

} // namespace

KeyGroups::KeyGroups(std::span<const KeyGroup> groups, bool causal, std::vector<bool> withoutSelf)
    : causal_(causal), withoutSelf_(std::move(withoutSelf)) {
  std::vector<std::pair<std::int32_t, std::int32_t>> members;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const Index i : groups[g].queries) {
      members_.push_back(static_cast<std::int32_t>(i));
      members.emplace_back(static_cast<std::int32_t>(i), static_cast<std::int32_t>(g));
    }
    memberEnds_.push_back(members_.size());
    for (const Index j : groups[g].keys)
      keys_.push_back(static_cast<std::int32_t>(j));
    keyEnds_.push_back(keys_.size());
  }
  std::sort(members.begin(), members.end());
  for (const auto& [query, group] : members) {
    queries_.push_back(query);
    groups_.push_back(group);
  }
}

std::size_t KeyGroups::firstQuery(Index i) const {
  return static_cast<std::size_t>(std::lower_bound(queries_.begin(), queries_.end(), i) -
                                  queries_.begin());
}

bool KeyGroups::dropsSelf(Index i) const {
  return !withoutSelf_.empty() && withoutSelf_[static_cast<std::size_t>(i)];
}

std::span<const std::int32_t> KeyGroups::queriesOf(std::size_t g) const {
  const std::size_t begin = g == 0 ? 0 : memberEnds_[g - 1];
  return {members_.data() + begin, memberEnds_[g] - begin};
}

Keys KeyGroups::keysOf(std::size_t g) const {
  const std::size_t begin = g == 0 ? 0 : keyEnds_[g - 1];
  return {keys_.data() + begin, keyEnds_[g] - begin};
}

Keys KeyGroups::keysOfRow(std::size_t k) const {
  const Keys keys = keysOf(static_cast<std::size_t>(groups_[k]));
  if (!causal_)
    return keys;
  return keys.first(static_cast<std::size_t>(below(keys, queries_[k] + Index{1})));
}

bool KeyGroups::contains(Index i, Index j) const {
  const std::size_t k = firstQuery(i);
  if (k == queries_.size() || queries_[k] != i || (i == j && dropsSelf(i)))
    return false;
  const Keys keys = keysOfRow(k);
  return std::binary_search(keys.begin(), keys.end(), j);
}

void KeyGroups::appendRow(Index i, KeyRanges& ranges) const {
  const std::size_t k = firstQuery(i);
  if (k == queries_.size() || queries_[k] != i)
    return;
  const bool skips = dropsSelf(i);
  Index end = -1; // of the run that was appended last
  for (const std::int32_t key : keysOfRow(k)) {
    if (skips && key == i)
      continue;
    if (key == end)
      ranges.back().end = key + 1;
    else
      ranges.push_back({key, key + 1, 1, 1});
    end = key + 1;
  }
}

Index KeyGroups::countRow(std::size_t k, Index j0, Index j1) const {
  const Keys keys = keysOfRow(k);
  const Index i = queries_[k];
  const bool self =
      dropsSelf(i) && i >= j0 && i < j1 && std::binary_search(keys.begin(), keys.end(), i);
  return below(keys, j1) - below(keys, j0) - (self ? 1 : 0);
}

Index KeyGroups::count(const Rect& rect) const {
  Index cells = 0;
  for (std::size_t k = firstQuery(rect.rowBegin); k < firstQuery(rect.rowEnd); ++k)
    cells += countRow(k, rect.keyBegin, rect.keyEnd);
  return cells;
}

void KeyGroups::addStrip(Index rowBegin, Index rowEnd, std::span<const Index> edges,
                         std::span<Index> counts) const {
  for (std::size_t k = firstQuery(rowBegin); k < firstQuery(rowEnd); ++k) {
    const Keys keys = keysOfRow(k);
    const Index i = queries_[k];
    std::size_t b = 0;
    for (std::size_t at = static_cast<std::size_t>(below(keys, edges.front())); at < keys.size();
         ++at) {
      const Index j = keys[at];
      while (b < counts.size() && edges[b + 1] <= j)
        ++b;
      if (b == counts.size())
        break;
      counts[b] += j == i && dropsSelf(i) ? 0 : 1;
    }
  }
}

CountedCells cellsOf(std::shared_ptr<const KeyGroups> groups) {
  CountedCells cells = counted(groups);
  cells.appendRow = RowsOfGroups{std::move(groups)};
  return cells;
}

std::shared_ptr<const KeyGroups> groupsOf(const Cells& cells) {
  const auto* const listed = std::get_if<CountedCells>(&cells);
  const auto* const rows = listed ? listed->appendRow.target<RowsOfGroups>() : nullptr;
  return rows ? rows->groups : nullptr;
}

std::shared_ptr<const std::vector<Index>> groupOrder(std::span<const KeyGroup> groups, Index n) {
  std::vector<Index> order;
  std::vector<bool> placed(static_cast<std::size_t>(n));
  for (const KeyGroup& group : groups)
    for (const Index i : group.queries) {
      order.push_back(i);
      placed[static_cast<std::size_t>(i)] = true;
    }
  for (Index i = 0; i < n; ++i)
    if (!placed[static_cast<std::size_t>(i)])
      order.push_back(i);
  return std::make_shared<const std::vector<Index>>(std::move(order));
}

} // namespace attention
