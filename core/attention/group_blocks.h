// Blocks of attention over groups of queries that see the same keys (clusters, centroids, hash
// buckets; key_groups.h), taken from the groups themselves: rows are never enumerated. A block
// consists of neighbours in the order of the groups of one part. Parts are taken in rounds, so that
// no query is in two blocks of a round, and a key that a query has seen in an earlier part is
// hidden from it.
#pragma once

#include "core/pattern/key_groups.h"
#include "core/pattern/prepared.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace attention {

// Keys that rows of a block see, and which rows: bit r for row r. A key may occur twice, for
// different rows.
struct KeyList {
  std::vector<std::int32_t> keys;
  std::vector<std::uint64_t> seen; // of each key, never 0

  void clear();
  void append(std::int32_t key, std::uint64_t rows);
};

// A row of a block and a group that holds it.
struct HeldRow {
  std::uint32_t part = 0;
  std::uint32_t group = 0;
  Index row = 0;

  auto operator<=>(const HeldRow&) const = default;
};

struct GroupBlock {
  std::vector<Index> queries;        // kBlockRows at most
  KeyList shared;                    // keys that enough rows see to be computed together
  KeyList lone;                      // keys of groups with fewer rows in the block
  std::vector<std::uint64_t> hidden; // scratch: of each key of a group, rows that have seen it
  std::vector<HeldRow> before;       // scratch: by groups of earlier parts
};

class GroupBlocks {
public:
  // Nothing unless one softmax takes the union of parts that all are groups.
  static std::optional<GroupBlocks> of(const Prepared& pattern);

  Index rounds() const { return static_cast<Index>(rounds_.size()); }
  Index blocks(Index round) const;
  // Overwrites `block`. O(keys of its groups, plus both lists of keys for each group of its rows in
  // an earlier part).
  void fill(Index round, Index block, GroupBlock& out) const;

private:
  // Consecutive rows of a block that belong to one group.
  struct Stretch {
    std::size_t group = 0;
    Index first = 0;
    Index end = 0;
  };
  struct Start {
    std::size_t part = 0;
    std::size_t group = 0;
    std::size_t query = 0; // of the group
  };

  explicit GroupBlocks(std::vector<std::shared_ptr<const KeyGroups>> parts, Index queries);
  void fillStretch(std::size_t part, const Stretch& stretch, GroupBlock& out) const;
  // A group that holds a query.
  struct Place {
    std::uint32_t part = 0;
    std::uint32_t group = 0;
  };

  void listPlaces(std::size_t queries);
  std::span<const Place> placesOf(Index query) const;
  void hideSeen(std::size_t part, const Stretch& stretch, GroupBlock& out) const;
  void hideFrom(const KeyGroups& before, std::size_t group, std::uint64_t rows,
                std::span<const std::int32_t> keys, GroupBlock& out) const;

  std::vector<std::shared_ptr<const KeyGroups>> parts_;
  std::vector<std::vector<Start>> rounds_; // where blocks begin
  // Query after query, parts ascending; none if no query is in two parts.
  std::vector<Place> places_;
  std::vector<std::size_t> placeEnds_; // of each query
};

} // namespace attention
