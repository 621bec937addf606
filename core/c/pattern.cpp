#include "core/pattern/pattern.h"
#include "core/c/border.h"
#include "core/pattern/coverage_rows.h"
#include "core/pattern/mechanism/given_mask.h"
#include "core/pattern/pattern_json.h"
#include "core/pattern/sources.h"
#include "core/support/error.h"
#include "core/support/json_text.h"
#include "core/support/number_text.h"
#include "core/support/parallel.h"
#include "core/support/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace attention;
using namespace attention::c;

constexpr Index kMostPixels = 32768; // along an axis

Lengths lengthsOf(const attnx_lengths& lengths) {
  if (lengths.align != ATTNX_TOP_LEFT && lengths.align != ATTNX_BOTTOM_RIGHT)
    throwRange("align", std::to_string(lengths.align), "0 (top left) or 1 (bottom right)");
  return alignedLengths(lengths.queries, lengths.keys,
                        lengths.align == ATTNX_TOP_LEFT ? Align::TopLeft : Align::BottomRight);
}

MatrixView<const float> oneHead(const attnx_tensor& tensor, const char* name) {
  const auto heads = headsOf(tensor, name);
  if (heads.size() != 1)
    throw Error(ErrorCode::Shape, name,
                std::string(name) + " has " + countText(heads.size(), "head") +
                    "; it must have one, since the pattern chooses keys by it");
  return heads.front();
}

// Nothing for patterns of index arithmetic.
PatternData dataOf(const Pattern& pattern, const attnx_tensor* q, const attnx_tensor* k) {
  if (q == nullptr || !needsData(pattern))
    return {};
  const MatrixView<const float> queries = oneHead(*q, "q");
  return patternData<float>(queries, k == nullptr ? queries : oneHead(*k, "k"), k == nullptr);
}

Run runOn(int32_t threads) {
  return {{}, {}, threadsOf(threads)};
}

void requirePixels(const char* name, Index found) {
  if (found < 1 || found > kMostPixels)
    throwRange(name, std::to_string(found), "an integer from 1 to " + std::to_string(kMostPixels));
}

// counts: lattice.rows() × lattice.cols(), pixels, counted row by row, all planes
// in one. Whether they are exact.
bool countPixels(const Prepared& pattern, const Lattice& lattice, int threads, int64_t* counts) {
  const CoverageRows rows(pattern, lattice);
  const auto cols = static_cast<std::size_t>(lattice.cols());
  constexpr Index kRowsPerChunk = 8; // that share the memory of their planes
  parallelFor(ceilDiv(lattice.rows(), kRowsPerChunk), threads, {}, [&](Index chunk) {
    std::vector<Index> others((rows.planes() - 1) * cols); // all but the first
    std::vector<std::span<Index>> planes(rows.planes());
    for (std::size_t k = 1; k < planes.size(); ++k)
      planes[k] = std::span(others).subspan((k - 1) * cols, cols);
    const Index end = std::min(lattice.rows(), (chunk + 1) * kRowsPerChunk);
    for (Index row = chunk * kRowsPerChunk; row < end; ++row) {
      planes[0] = std::span(counts + row * lattice.cols(), cols);
      for (const std::span<Index> plane : planes)
        std::fill(plane.begin(), plane.end(), Index{0});
      rows.add(row, planes);
      for (std::size_t k = 1; k < planes.size(); ++k)
        std::transform(planes[k].begin(), planes[k].end(), planes[0].begin(), planes[0].begin(),
                       std::plus<>());
    }
  });
  return rows.exact();
}

void fillRow(const Prepared& pattern, Index i, const Rect& rect, KeyRanges& ranges,
             uint8_t* cells) {
  std::fill_n(cells, rect.keyEnd - rect.keyBegin, uint8_t{0});
  pattern.row(i, KeySpan{rect.keyBegin, rect.keyEnd}, ranges);
  for (const KeyRange& range : ranges)
    forEachRun(range, [&](Index begin, Index end) {
      std::fill_n(cells + begin - rect.keyBegin, end - begin, uint8_t{1});
    });
}

// The stretches of bytes that are not 0, row by row.
SharedList<QueryRun> runsOf(const uint8_t* mask, Index rows, Index cols) {
  std::vector<QueryRun> runs;
  const auto narrow = [](Index place) { return static_cast<std::int32_t>(place); };
  for (Index i = 0; i < rows; ++i) {
    const uint8_t* row = mask + i * cols;
    const auto next = [&](Index from, bool attends) {
      while (from < cols && (row[from] != 0) != attends)
        ++from;
      return from;
    };
    for (Index begin = next(0, true); begin < cols;) {
      const Index end = next(begin, false);
      runs.push_back({narrow(i), narrow(begin), narrow(end)});
      begin = next(end, true);
    }
  }
  return SharedList<QueryRun>(std::move(runs));
}

} // namespace

int32_t attnx_pattern_open(const char* json, const attnx_lengths* lengths, const attnx_tensor* q,
                           const attnx_tensor* k, int32_t threads, attnx_pattern** pattern,
                           attnx_error* error) {
  return guarded(error, [&] {
    required(pattern, "pattern") = nullptr;
    const Lengths asked = lengthsOf(required(lengths, "lengths"));
    const Pattern parsed = patternFromJson(parseJson(&required(json, "json"), "the pattern"));
    if (const std::string file = unreadFile(parsed); !file.empty())
      throw Error(ErrorCode::Type, "pattern",
                  "the pattern names the file " + excerpt(file) +
                      ", and the library reads no files; it must hold what is in that file");
    *pattern = new attnx_pattern{prepare(parsed, asked, dataOf(parsed, q, k), runOn(threads))};
  });
}

int32_t attnx_pattern_open_mask(const uint8_t* mask, int64_t rows, int64_t cols,
                                const attnx_lengths* lengths, attnx_pattern** pattern,
                                attnx_error* error) {
  return guarded(error, [&] {
    required(pattern, "pattern") = nullptr;
    const Lengths asked = lengthsOf(required(lengths, "lengths"));
    required(mask, "mask");
    if (rows < 1)
      throwRange("rows", std::to_string(rows), "an integer of at least 1");
    GivenMask given{MaskSource()};
    given.mask->rows = rows;
    given.mask->cols = cols;
    checkLengths(given, asked); // before any cell is read
    given.mask->runs = runsOf(mask, rows, cols);
    *pattern = new attnx_pattern{prepare(given, asked)};
  });
}

void attnx_pattern_close(attnx_pattern* pattern) {
  delete pattern;
}

int32_t attnx_pattern_count(const attnx_pattern* pattern, const attnx_rect* rect, int32_t threads,
                            int64_t* pairs, attnx_error* error) {
  return guarded(error, [&] {
    const Prepared& prepared = preparedOf(pattern);
    required(pairs, "pairs") = prepared.count(rectOf(prepared, rect), {}, threadsOf(threads));
  });
}

int32_t attnx_pattern_row(const attnx_pattern* pattern, int64_t query, attnx_range* ranges,
                          int64_t capacity, int64_t* count, attnx_error* error) {
  return guarded(error, [&] {
    const Prepared& prepared = preparedOf(pattern);
    if (query < 0 || query >= prepared.lengths().queries)
      throwRange("query", std::to_string(query),
                 "an integer from 0 to " + std::to_string(prepared.lengths().queries - 1));
    if (capacity < 0)
      throwRange("capacity", std::to_string(capacity), "an integer of at least 0");
    if (capacity > 0)
      required(ranges, "ranges");
    KeyRanges row;
    prepared.row(query, row);
    const auto all = static_cast<Index>(row.size());
    for (Index k = 0; k < std::min(all, capacity); ++k) {
      const KeyRange& range = row[static_cast<std::size_t>(k)];
      ranges[k] = {range.begin, range.end, range.period, range.width};
    }
    required(count, "count") = all;
  });
}

int32_t attnx_pattern_mask(const attnx_pattern* pattern, const attnx_rect* rect, uint8_t* mask,
                           int64_t size, attnx_error* error) {
  return guarded(error, [&] {
    const Prepared& prepared = preparedOf(pattern);
    const Rect cells = rectOf(prepared, rect);
    if (size != cells.cells())
      throwRange("size", std::to_string(size),
                 "the " + countText(cells.cells(), "cell") + " of the rectangle");
    if (size > 0)
      required(mask, "mask");
    KeyRanges ranges;
    for (Index i = cells.rowBegin; size > 0 && i < cells.rowEnd; ++i)
      fillRow(prepared, i, cells, ranges,
              mask + (i - cells.rowBegin) * (cells.keyEnd - cells.keyBegin));
  });
}

int32_t attnx_pattern_coverage(const attnx_pattern* pattern, const attnx_rect* rect, int64_t height,
                               int64_t width, int32_t threads, int64_t* counts, int32_t* exact,
                               attnx_error* error) {
  return guarded(error, [&] {
    const Prepared& prepared = preparedOf(pattern);
    requirePixels("height", height);
    requirePixels("width", width);
    required(counts, "counts");
    required(exact, "exact");
    const Lattice lattice = latticeOver(rectOf(prepared, rect), height, width);
    *exact = countPixels(prepared, lattice, threadsOf(threads), counts) ? 1 : 0;
  });
}
