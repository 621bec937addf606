#include "core/export/page_areas.h"

#include "core/export/packed_bytes.h"
#include "core/export/page_places.h"
#include "core/support/error.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace attention {
namespace {

constexpr Index kMostRows = 4096; // and columns, whose cells answer one by one
constexpr std::size_t kMostRowBytes = std::size_t{32}
                                      << 20; // of a mask's rows, before they are packed
constexpr Index kShares = 64;                // rows and columns of shares

Index rowsOf(const Rect& cells) {
  return cells.rowEnd - cells.rowBegin;
}
Index keysOf(const Rect& cells) {
  return cells.keyEnd - cells.keyBegin;
}

// Whether the names are not just the tokens' numbers, in any order.
bool namesTokens(const Axis& axis) {
  return std::any_of(axis.names.begin(), axis.names.end(), [](const std::string& name) {
    return name.find_first_not_of("0123456789") != std::string::npos;
  });
}

PageJson cellsArea(const char* kind, const Rect& cells, const PlacedMark& mark) {
  PageJson area{{"kind", kind}, {"box", jsonOf(mark.box)}};
  area["cells"] = {cells.rowBegin, cells.rowEnd, cells.keyBegin, cells.keyEnd};
  if (mark.plot.keys && namesTokens(*mark.plot.keys))
    area["keys"] = mark.plot.keys->names;
  if (mark.plot.queries && namesTokens(*mark.plot.queries))
    area["queries"] = mark.plot.queries->names;
  return area;
}

// ---- masks ----

// The keys of one part, row after row.
class PartRows {
public:
  PartRows(const MaskMark& mark, std::size_t part) : mark_(mark), part_(part) {}

  // Numbers of seven bits: how many ranges each row has, then the keys that are skipped before
  // each, then the keys that each holds. Nothing where they are more than `most` bytes.
  std::optional<std::string> ranges(std::size_t most, const Run& run) {
    std::string counts;
    std::string skipped;
    std::string held;
    bool few = true;
    eachRow(run, [&](const std::vector<std::pair<Index, Index>>& stretches) {
      appendVarint(counts, stretches.size());
      Index key = 0;
      for (const auto& [begin, end] : stretches) {
        appendVarint(skipped, static_cast<std::uint64_t>(begin - key));
        appendVarint(held, static_cast<std::uint64_t>(end - begin));
        key = end;
      }
      few = counts.size() + skipped.size() + held.size() <= most;
      return few;
    });
    return few ? std::optional(counts + skipped + held) : std::nullopt;
  }

  // A bit for each cell, the first one lowest; every row begins with a byte.
  std::string bits(const Run& run) {
    const Rect& cells = mark_.cells;
    const auto width = static_cast<std::size_t>(ceilDiv(keysOf(cells), 8));
    std::string bytes;
    eachRow(run, [&](const std::vector<std::pair<Index, Index>>& stretches) {
      const std::size_t row = bytes.size();
      bytes.resize(row + width, '\0');
      for (const auto& [begin, end] : stretches)
        for (Index key = begin - cells.keyBegin; key < end - cells.keyBegin; ++key) {
          char& byte = bytes[row + static_cast<std::size_t>(key / 8)];
          byte = static_cast<char>(byte | 1 << key % 8);
        }
      return true;
    });
    return bytes;
  }

private:
  // Until `take` has enough.
  template <class Take>
  void eachRow(const Run& run, const Take& take) {
    const Rect& cells = mark_.cells;
    KeyRanges row;
    std::vector<std::pair<Index, Index>> stretches;
    for (Index i = cells.rowBegin; i < cells.rowEnd; ++i) {
      run.check();
      mark_.pattern->row(part_, i, {cells.keyBegin, cells.keyEnd}, row);
      stretches.clear();
      for (const KeyRange& range : row)
        forEachRun(range, [&](Index begin, Index end) { stretches.emplace_back(begin, end); });
      std::sort(stretches.begin(), stretches.end()); // combs may interleave
      if (!take(stretches))
        return;
    }
  }

  const MaskMark& mark_;
  std::size_t part_;
};

// As ranges, or as bits where those are fewer bytes: bits of masks at random also pack better then.
// `bytes`: those of the parts so far.
PageJson packedRows(const MaskMark& mark, std::size_t part, std::size_t& bytes, const Run& run) {
  const Rect& cells = mark.cells;
  const auto ofBits = static_cast<std::size_t>(rowsOf(cells) * ceilDiv(keysOf(cells), 8));
  PartRows rows(mark, part);
  const std::optional<std::string> ranges = rows.ranges(ofBits, run);
  const std::string shorter = ranges ? *ranges : rows.bits(run);
  bytes += shorter.size();
  if (bytes > kMostRowBytes)
    throwRange("mask", "more than " + std::to_string(kMostRowBytes >> 20) + " MiB of rows",
               "smaller for a page of HTML; show fewer tokens, or zoom in");
  PageJson json;
  json[ranges ? "ranges" : "bits"] = packed(shorter);
  return json;
}

bool isCell(const PlaceWords& of) {
  return of.box.width > 0;
}

// What the plot itself says of cells, by their numbers, or in a mask by its parts from 1, 0 being
// none of them: sentences with {query} and {key}.
PageJson sentencesOf(const std::vector<PlaceWords>& told) {
  PageJson says = PageJson::object();
  for (const PlaceWords& of : told)
    if (!isCell(of))
      says[std::to_string(of.part)] = of.words;
  return says;
}

const Prepared& maskOf(const MaskMark& mark) {
  return mark.mask ? *mark.mask : *mark.pattern;
}

std::string packedLines(std::vector<std::string> lines) {
  std::string text;
  for (std::string& line : lines) {
    std::replace(line.begin(), line.end(), '\n', ' ');
    text += (text.empty() ? "" : "\n") + line;
  }
  return packed(text);
}

// Cell by cell.
std::vector<std::string> reasonsOf(const MaskMark& mark) {
  std::vector<std::string> reasons;
  for (Index i = mark.cells.rowBegin; i < mark.cells.rowEnd; ++i)
    for (Index j = mark.cells.keyBegin; j < mark.cells.keyEnd; ++j)
      reasons.push_back(maskOf(mark).why(i, j).text);
  return reasons;
}

// Sentences about the parts of a mask, and what the plot says of cells besides: of every cell, row
// by row, as the page counts them.
void addTold(const std::vector<PlaceWords>& told, PageJson& area) {
  area["says"] = sentencesOf(told);
  std::vector<std::string> ofCells;
  for (const PlaceWords& of : told)
    if (isCell(of))
      ofCells.push_back(of.words);
  if (!ofCells.empty())
    area["why"] = packedLines(std::move(ofCells));
}

// Exact where the pattern counts itself; else only the tokens are named.
PageJson sharesArea(const MaskMark& mark, const PlacedMark& placed, const Run& run) {
  const Rect& cells = mark.cells;
  const Index rows = std::min(kShares, rowsOf(cells));
  const Index keys = std::min(kShares, keysOf(cells));
  PageJson area = cellsArea("shares", cells, placed);
  area["grid"] = {rows, keys};
  if (!maskOf(mark).closedForm())
    return area;
  const auto edge = [](Index begin, Index length, Index k, Index of) {
    return begin + k * length / of;
  };
  std::vector<float> shares;
  for (Index r = 0; r < rows; ++r)
    for (Index c = 0; c < keys; ++c) {
      const Rect at{edge(cells.rowBegin, rowsOf(cells), r, rows),
                    edge(cells.rowBegin, rowsOf(cells), r + 1, rows),
                    edge(cells.keyBegin, keysOf(cells), c, keys),
                    edge(cells.keyBegin, keysOf(cells), c + 1, keys)};
      shares.push_back(
          static_cast<float>(static_cast<double>(maskOf(mark).count(at, run)) /
                             (static_cast<double>(rowsOf(at)) * static_cast<double>(keysOf(at)))));
    }
  area["packed"] = packedNumbers(shares);
  return area;
}

PageJson maskArea(const MaskMark& mark, const PlacedMark& placed, const Run& run) {
  if (rowsOf(mark.cells) > kMostRows || keysOf(mark.cells) > kMostRows)
    return sharesArea(mark, placed, run);
  PageJson area = cellsArea("mask", mark.cells, placed);
  PageJson names = PageJson::array();
  PageJson rows = PageJson::array();
  std::size_t bytes = 0;
  for (std::size_t part = 0; part < mark.pattern->parts().size(); ++part) {
    const Part& of = mark.pattern->parts()[part];
    names.push_back(of.label.empty() ? of.name : of.label);
    rows.push_back(packedRows(mark, part, bytes, run));
  }
  area["parts"] = std::move(names);
  area["own"] = maskOf(mark).parts().size(); // of the parts; the others are layers besides
  area["packed"] = std::move(rows);
  if (placed.plot.told)
    addTold(placed.plot.told(), area);
  else if (rowsOf(mark.cells) * keysOf(mark.cells) <= kMostReasons)
    area["why"] = packedLines(reasonsOf(mark));
  return area;
}

// ---- numbers ----

// The mask whose cells the numbers stand for, or a time line of it; null where there are too many.
PageJson behindArea(const ValuesMark& mark, const PlacedMark& placed, const Run& run) {
  const MaskBehind& behind = *mark.behind;
  const bool large = rowsOf(mark.cells) > kMostRows || keysOf(mark.cells) > kMostRows;
  if (large && !behind.fates.empty())
    return nullptr;
  PageJson area = maskArea({behind.pattern, mark.cells, {}, {}}, placed, run);
  if (!behind.queries.empty())
    area["query_order"] = behind.queries;
  if (!behind.keys.empty())
    area["key_order"] = behind.keys;
  if (!behind.fates.empty()) {
    area["kind"] = "times";
    area.erase("why");
    area["fates"] = behind.fates;
  }
  return area;
}

PageJson valuesArea(const ValuesMark& mark, const PlacedMark& placed) {
  const Matrix<float>& values = *mark.values;
  const bool hops = mark.ramp == Ramp::Hops && placed.plot.told;
  PageJson area = cellsArea(hops ? "hops" : "values", mark.cells, placed);
  if (hops)
    area["says"] = sentencesOf(placed.plot.told());
  area["grid"] = {values.rows(), values.cols()};
  area["packed"] = packedNumbers(entriesOf(values));
  return area;
}

std::vector<std::string> valuesAreas(const ValuesMark& mark, const PlacedMark& placed,
                                     const Run& run) {
  if (!mark.behind)
    return {textOf(valuesArea(mark, placed))};
  const PageJson area = behindArea(mark, placed, run);
  return area.is_null() ? std::vector<std::string>() : std::vector{textOf(area)};
}

} // namespace

std::vector<std::string> pageAreas(const PlacedMark& mark, const TextMeasure& measure,
                                   const Run& run) {
  if (const auto* mask = std::get_if<MaskMark>(&mark.plot.mark))
    return {textOf(maskArea(*mask, mark, run))};
  if (const auto* values = std::get_if<ValuesMark>(&mark.plot.mark))
    return valuesAreas(*values, mark, run);
  return pagePlaces(mark, measure);
}

} // namespace attention
