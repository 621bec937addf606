// Receptive fields of four layers on two threads beside a naive twin, which joins whole rows of
// bytes key by key. At n = 16 384 (S10's promise) ours is timed alone: rows of at most 512 keys or
// contiguous ranges within two seconds.
#include "bench/against_twin.h"
#include "core/analysis/reach/reach.h"
#include "core/pattern/mechanism/bigbird.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/mechanism/strided.h"
#include "core/pattern/pattern.h"
#include "core/support/philox.h"

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace attention;

constexpr Index kLayers = 4;
constexpr int kThreads = 2;

// `keys` keys of every query, anywhere.
std::shared_ptr<const Prepared> randomRows(Index n, Index keys) {
  RowTableBuilder rows;
  const philox::Stream stream{1, philox::Purpose::Data, 0};
  std::uint64_t drawn = 0;
  for (Index i = 0; i < n; ++i) {
    std::set<Index> row;
    while (static_cast<Index>(row.size()) < keys)
      row.insert(static_cast<Index>(
          philox::below(philox::draw(stream, drawn++).a, static_cast<std::uint64_t>(n))));
    for (const Index j : row)
      rows.add(i, j);
  }
  std::vector<Part> parts;
  parts.push_back({"keys", "random keys", rows.build()});
  return std::make_shared<const Prepared>(squareLengths(n), std::move(parts));
}

// reach[i] = OR of below[a] over the keys a of row i, and below[i].
Index naiveReach(const Prepared& pattern) {
  const auto n = static_cast<std::size_t>(pattern.lengths().keys);
  std::vector<unsigned char> below(n * n);
  for (std::size_t i = 0; i < n; ++i)
    below[i * n + i] = 1;
  KeyRanges ranges;
  for (Index t = 0; t < kLayers; ++t) {
    std::vector<unsigned char> reach = below;
    for (std::size_t i = 0; i < n; ++i) {
      pattern.row(static_cast<Index>(i), ranges);
      for (const KeyRange& range : ranges)
        forEachRun(range, [&](Index begin, Index end) {
          for (Index a = begin; a < end; ++a)
            for (std::size_t j = 0; j < n; ++j)
              reach[i * n + j] = static_cast<unsigned char>(
                  reach[i * n + j] | below[static_cast<std::size_t>(a) * n + j]);
        });
    }
    below = std::move(reach);
  }
  Index pairs = 0;
  for (const unsigned char cell : below)
    pairs += cell;
  return pairs;
}

void addReach(const std::string& name, const std::shared_ptr<const Prepared>& pattern) {
  const Index n = pattern->lengths().keys;
  const auto ours = [pattern] {
    benchmark::DoNotOptimize(receptiveField({{pattern}, true}, kLayers, kThreads).layers);
  };
  if (n == kMostReachTokens)
    return bench::add(name, n, ours);
  bench::add(name, n, ours, [pattern] { benchmark::DoNotOptimize(naiveReach(*pattern)); });
}

void addAll(Index n) {
  const Lengths lengths = squareLengths(n);
  Local local;
  local.window = 512;
  addReach("local_512", prepare(local, lengths));
  Strided strided;
  strided.stride = 128;
  addReach("strided_128", prepare(strided, lengths));
  BigBird bigbird;
  addReach("bigbird", prepare(bigbird, lengths));
  for (const Index keys : {8, 64, 512})
    addReach("random_" + std::to_string(keys), randomRows(n, keys));
}

} // namespace

int main(int argc, char** argv) {
  addAll(2048);
  addAll(kMostReachTokens);
  return runBenchmarks(argc, argv);
}
