// Context parallelism: which rank computes which queries, and how many pairs that is (spec T10).
#pragma once

#include "core/pattern/prepared.h"
#include "core/support/run.h"

#include <span>
#include <string_view>
#include <vector>

namespace attention {

// How queries are split over devices.
enum class RankScheme {
  Contiguous, // rank r has the rows [r n / R, (r + 1) n / R)
  Zigzag,     // 2 R such chunks; ranks go there and back (PyTorch's head-tail balancer)
  Striped,    // chunk after chunk, in turn
  Sorted,     // chunks by falling work, dealt there and back (PyTorch's round robin)
  Greedy      // chunks by falling work, each to the rank with the least so far
};

std::span<const std::string_view> rankSchemeNames();
// E_RANGE with the names that there are.
RankScheme rankSchemeNamed(std::string_view name);

struct RankQuestion {
  Index ranks = 1;
  RankScheme scheme = RankScheme::Contiguous;
  Index chunk = 1; // queries of a chunk, of Striped, Sorted and Greedy
};

struct RankWork {
  std::vector<Index> pairs; // by rank
  std::vector<Index> rows;  // by rank
  std::vector<Index> owner; // by query
  double imbalance = 1;     // the largest number of pairs over the mean; 1 where there are none
};

constexpr Index kMostRankedQueries = Index{1} << 26; // 40 bytes each while they are shared out

// E_RANGE: ranks or chunk below 1, more queries than that. O(n log n) beyond the count of every
// row.
RankWork rankWork(const Prepared& pattern, const RankQuestion& question, int threads = 0,
                  const Run& run = {});

} // namespace attention
