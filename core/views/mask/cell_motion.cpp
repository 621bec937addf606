#include "core/views/mask/cell_motion.h"

#include "core/plot/cell_rects.h"
#include "core/plot/mask_color.h"

#include <algorithm>
#include <cstdlib>

namespace attention {
namespace {

constexpr Index kFarthest = 4;     // a cell slides at most a share of 1 / kFarthest of the keys
constexpr double kLeastSize = 0.5; // from which cells grow

using RowColors = std::vector<std::optional<Color>>; // by key

// The hue of each cell, row by row.
std::vector<RowColors> colorsOf(const Prepared& mask, FigureTheme theme) {
  const Lengths& lengths = mask.lengths();
  const MaskPalette palette = maskPalette(mask, theme);
  std::vector<RowColors> rows(static_cast<std::size_t>(lengths.queries),
                              RowColors(static_cast<std::size_t>(lengths.keys)));
  constexpr auto kMostCells = static_cast<std::size_t>(kMostMovingTokens * kMostMovingTokens);
  const auto rects = cellRects(mask, {0, lengths.queries, 0, lengths.keys}, kMostCells).value();
  for (const CellRect& rect : rects)
    for (Index i = rect.cells.rowBegin; i < rect.cells.rowEnd; ++i)
      for (Index j = rect.cells.keyBegin; j < rect.cells.keyEnd; ++j)
        rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = palette.hues[rect.part];
  return rows;
}

// A cell that only one of the masks has.
struct LoneCell {
  Index key = 0;
  Color color;
  bool left = false;  // of the diagonal, or on it
  Index distance = 0; // from it
};

bool matches(const LoneCell& a, const LoneCell& b) {
  return a.color == b.color && a.left == b.left;
}

void sortFromDiagonal(std::vector<LoneCell>& cells) {
  std::stable_sort(cells.begin(), cells.end(),
                   [](const LoneCell& a, const LoneCell& b) { return a.distance < b.distance; });
}

class RowMotion {
public:
  RowMotion(Index query, const Lengths& lengths, std::vector<CellPath>& paths)
      : query_(query), diagonal_(query + lengths.offset), farthest_(lengths.keys / kFarthest),
        paths_(paths) {}

  void add(const RowColors& before, const RowColors& after) {
    for (std::size_t j = 0; j < before.size(); ++j) {
      const auto key = static_cast<Index>(j);
      if (before[j] && after[j])
        paths_.push_back({query_, key, key, before[j], after[j]});
      else if (before[j])
        removed_.push_back(lone(key, *before[j]));
      else if (after[j])
        added_.push_back(lone(key, *after[j]));
    }
    sortFromDiagonal(removed_);
    sortFromDiagonal(added_);
    for (const LoneCell& cell : removed_)
      moveOn(cell);
    for (const LoneCell& cell : added_)
      paths_.push_back({query_, cell.key, cell.key, std::nullopt, cell.color});
  }

private:
  LoneCell lone(Index key, const Color& color) const {
    return {key, color, key <= diagonal_, std::abs(key - diagonal_)};
  }

  // To the first added cell that is left for it; both are settled then.
  void moveOn(const LoneCell& cell) {
    const auto next = std::find_if(added_.begin(), added_.end(),
                                   [&](const LoneCell& other) { return matches(cell, other); });
    if (next == added_.end() || std::abs(next->key - cell.key) > farthest_) {
      paths_.push_back({query_, cell.key, cell.key, cell.color, std::nullopt});
      return;
    }
    paths_.push_back({query_, cell.key, next->key, cell.color, next->color});
    added_.erase(next);
  }

  Index query_;
  Index diagonal_;
  Index farthest_;
  std::vector<CellPath>& paths_;
  std::vector<LoneCell> removed_;
  std::vector<LoneCell> added_;
};

bool stays(const CellPath& path) {
  return path.from == path.to && path.before == path.after;
}

} // namespace

bool canMove(const Prepared& before, const Prepared& after) {
  const Lengths& lengths = after.lengths();
  return before.lengths() == lengths &&
         std::max(lengths.queries, lengths.keys) <= kMostMovingTokens;
}

CellMotion cellMotion(const Prepared& before, const Prepared& after, FigureTheme theme) {
  CellMotion motion{maskPalette(after, theme).ground, {}};
  const std::vector<RowColors> from = colorsOf(before, theme);
  const std::vector<RowColors> to = colorsOf(after, theme);
  for (std::size_t i = 0; i < from.size(); ++i)
    RowMotion(static_cast<Index>(i), after.lengths(), motion.paths).add(from[i], to[i]);
  if (std::all_of(motion.paths.begin(), motion.paths.end(), stays))
    motion.paths.clear();
  return motion;
}

std::vector<MovedCell> cellsAt(const CellMotion& motion, double t) {
  std::vector<MovedCell> cells;
  for (const CellPath& path : motion.paths) {
    const double there = !path.before ? t : !path.after ? 1 - t : 1; // share that is shown
    if (there <= 0)
      continue;
    const Color hue = path.before && path.after
                          ? mix(*path.before, *path.after, t)
                          : path.before.value_or(path.after.value_or(Color()));
    const auto from = static_cast<double>(path.from);
    cells.push_back({path.query, from + t * (static_cast<double>(path.to) - from),
                     kLeastSize + (1 - kLeastSize) * there, mix(motion.ground, hue, there)});
  }
  return cells;
}

} // namespace attention
