#include "core/export/mask_lists.h"

#include "core/input/npy_writer.h"
#include "core/input/replace_file.h"
#include "core/support/error.h"
#include "core/support/parallel.h"
#include "core/support/part_of_run.h"

#include <algorithm>
#include <charconv>
#include <ostream>

namespace attention {
namespace {

constexpr Index kRowsBetweenReports = 1024;

// Calls visit(i, j) for each attended pair, by query and then by key.
template <class Visit>
void forEachPair(const Prepared& pattern, const Run& run, Visit visit) {
  KeyRanges ranges;
  std::vector<Index> keys;
  const Index queries = pattern.lengths().queries;
  for (Index i = 0; i < queries; ++i) {
    if (i % kRowsBetweenReports == 0)
      run.report(static_cast<double>(i) / static_cast<double>(queries));
    pattern.row(i, ranges);
    keys.clear();
    for (const KeyRange& range : ranges)
      forEachRun(range, [&](Index begin, Index end) {
        for (Index j = begin; j < end; ++j)
          keys.push_back(j);
      });
    // Combs and windows of one row interleave.
    std::sort(keys.begin(), keys.end());
    for (const Index j : keys)
      visit(i, j);
  }
}

void writePair(std::ostream& stream, Index first, char between, Index second) {
  char line[48];
  char* end = std::to_chars(line, line + 20, first).ptr;
  *end++ = between;
  end = std::to_chars(end, end + 20, second).ptr;
  *end++ = '\n';
  stream.write(line, end - line);
}

} // namespace

Index requireFewEntries(const Prepared& pattern, const std::string& ending, int threads,
                        const Run& run) {
  const Index pairs = pattern.pairs(run, resolvedThreads(threads));
  if (pairs > kMaxMaskEntries)
    throwRange("mask", std::to_string(pairs) + " attended pairs",
               "at most " + std::to_string(kMaxMaskEntries) + " in a " + ending + " file");
  return pairs;
}

void writeMaskNpy(std::span<const std::shared_ptr<const Prepared>> masks,
                  const std::filesystem::path& path, const Run& run) {
  const Lengths& lengths = masks.front()->lengths();
  std::vector<Index> shape{lengths.queries, lengths.keys};
  if (masks.size() > 1)
    shape.insert(shape.begin(), static_cast<Index>(masks.size()));
  KeyRanges ranges;
  writeNpyRows<std::uint8_t>(
      path, shape,
      [&](Index row, std::span<std::uint8_t> values) {
        const auto mask = static_cast<std::size_t>(row / lengths.queries);
        masks[mask]->row(row % lengths.queries, ranges);
        for (const KeyRange& range : ranges)
          forEachRun(range, [&](Index begin, Index end) {
            std::fill(values.begin() + begin, values.begin() + end, std::uint8_t{1});
          });
      },
      run);
}

void writeMaskCsv(const Prepared& pattern, const std::filesystem::path& path, int threads,
                  const Run& run) {
  requireFewEntries(pattern, ".csv", threads, partOf(run, 0, 0.5));
  replaceFile(path, [&](std::ostream& stream) {
    stream << "i,j\n";
    forEachPair(pattern, partOf(run, 0.5, 1),
                [&](Index i, Index j) { writePair(stream, i, ',', j); });
  });
}

void writeMaskMtx(const Prepared& pattern, const std::filesystem::path& path, int threads,
                  const Run& run) {
  const Index pairs = requireFewEntries(pattern, ".mtx", threads, partOf(run, 0, 0.5));
  replaceFile(path, [&](std::ostream& stream) {
    const Lengths& lengths = pattern.lengths();
    stream << "%%MatrixMarket matrix coordinate pattern general\n";
    stream << std::to_string(lengths.queries) << ' ' << std::to_string(lengths.keys) << ' '
           << std::to_string(pairs) << '\n';
    forEachPair(pattern, partOf(run, 0.5, 1),
                [&](Index i, Index j) { writePair(stream, i + 1, ' ', j + 1); });
  });
}

} // namespace attention
