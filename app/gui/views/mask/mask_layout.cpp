#include "app/gui/views/mask/mask_layout.h"

#include "app/gui/pictures/paint.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

// Width over height of a matrix's frame: that of the mask, but never too thin to use.
float aspectOf(const Lengths& lengths) {
  const auto ratio = static_cast<float>(lengths.keys) / static_cast<float>(lengths.queries);
  return std::clamp(ratio, 0.25F, 4.0F);
}

// The largest box of that aspect in width × height; `more` is the size of what stands beside or
// under it, in widths of the box.
ImVec2 boxIn(float width, float height, float aspect, ImVec2 more) {
  const float side = std::min(width / (1 + more.x), height / (1 / aspect + more.y));
  return ImVec2(side, side / aspect);
}

// Width over height of an image, never too thin to read.
float shapeOf(const std::pair<Index, Index>& image) {
  return std::clamp(static_cast<float>(image.second) / static_cast<float>(image.first), 0.2F, 5.0F);
}

constexpr float kPad = 14;          // around everything, at scale 1
constexpr float kAroundWords = 6;   // above and below the words under a matrix
constexpr float kImageShare = 0.6F; // of a matrix's width, for the image of each of several

// Size of the image of a matrix of this width, for each of several.
ImVec2 imageOf(const MaskLayoutSpec& spec, float width) {
  if (!spec.image || spec.tiles < 2)
    return ImVec2(0, 0);
  const float shape = shapeOf(*spec.image);
  const float taken = width * kImageShare * std::min(shape, 1.0F);
  return ImVec2(std::floor(taken), std::floor(taken / shape));
}

// By what factor matrices must become larger.
constexpr float kWorthBreaking = 1.4F; // for words that break
constexpr float kWorthBeside = 1.3F;   // for images that do not stand below, as they do in papers

struct Grid {
  std::size_t columns = 1;
  std::size_t rows = 1;
  ImVec2 box;          // of each matrix
  float words = 0;     // width of the words below each; at least the matrix's
  bool beside = false; // where the image stands
};

struct Measures {
  float gap;    // between things that belong together
  ImVec2 gaps;  // between matrices, with the labels that each has of its own
  float words;  // title and legend below a matrix
  float bottom; // caption, strip, hint
  float side;   // gap and strip of the key's column
  float left;   // title and labels
  float top;
  float right; // for each of several: its legend, or the room for the numbers above
};

// The largest matrices in rows of this many, each with its image beside or below; an image that is
// higher than its matrix does not stand beside it.
Grid gridOf(const MaskLayoutSpec& spec, const Measures& m, ImVec2 room, std::size_t columns,
            bool beside) {
  const float aspect = aspectOf(spec.lengths);
  const ImVec2 image = imageOf(spec, 1000);
  const ImVec2 share(image.x / 1000, image.y / 1000);
  const ImVec2 gap(beside ? m.gap : 0, !beside && share.y > 0 ? m.gap : 0);
  Grid grid{columns, (spec.tiles + columns - 1) / columns, {}, 0, beside};
  if (beside && (share.y == 0 || share.y > 1 / aspect))
    return grid;
  const auto c = static_cast<float>(columns);
  const auto r = static_cast<float>(grid.rows);
  grid.words = (room.x - (c - 1) * m.gaps.x) / c;
  const float height = (room.y - (r - 1) * m.gaps.y) / r - m.words;
  const float width = grid.words - gap.x - m.right;
  if (width > 0 && height > gap.y)
    grid.box =
        boxIn(width, height - gap.y, aspect, beside ? ImVec2(share.x, 0) : ImVec2(0, share.y));
  return grid;
}

Grid gridIn(const MaskLayoutSpec& spec, const Measures& m, ImVec2 room) {
  Grid best;
  best.columns = spec.tiles; // where nothing fits
  for (const bool beside : {false, true})
    for (std::size_t columns = 1; columns <= spec.tiles; ++columns) {
      const Grid grid = gridOf(spec, m, room, columns, beside);
      // Fewer columns come first: more of them must be worth cut or wrapped words.
      const bool breaks = spec.wordsWidth > grid.words && best.words >= spec.wordsWidth;
      const float worth =
          (breaks ? kWorthBreaking : 1) * (beside && !best.beside ? kWorthBeside : 1);
      if (grid.box.x * grid.box.y > worth * best.box.x * best.box.y)
        best = grid;
    }
  const auto whole = [&](float length) { return std::max(std::floor(length), 16.0F); };
  best.box = ImVec2(whole(best.box.x), whole(best.box.y));
  // Low matrices leave width between them, which their words take.
  const auto c = static_cast<float>(best.columns);
  const float most = std::floor((room.x - (c - 1) * m.gaps.x) / c);
  const float image = best.beside ? m.gap + imageOf(spec, best.box.x).x : 0;
  best.words = std::max(best.box.x + image + m.right, std::min(spec.wordsWidth, most));
  return best;
}

Measures measuresOf(const Ui& ui, const MaskLayoutSpec& spec) {
  const float line = fontSize(ui.fonts.small);
  Measures m{};
  m.gap = ui.px(14);
  m.gaps = ImVec2(m.gap + spec.ownLabels.x, m.gap + spec.ownLabels.y);
  const auto lines = static_cast<float>(spec.titleLines + spec.legendLines);
  m.words = lines > 0 ? lines * lineBelow(ui) + ui.px(kAroundWords) : 0;
  m.bottom = spec.tiles > 1 ? 2 * line + ui.px(22) : 2 * line + ui.px(48);
  if (spec.tiles > 1 && spec.image)
    m.bottom += line + ui.px(4);
  if (!spec.hint)
    m.bottom -= line + ui.px(7);
  m.left = line + ui.px(4) + std::max(spec.axisWidth, spec.ownLabels.x);
  if (spec.tiles > 1)
    m.right = std::max(spec.numbersApart - m.gaps.x, 0.0F);
  if (spec.legendWidth > 0)
    m.right = std::max(m.right, spec.legendWidth + m.gap / 2);
  const float column = spec.tiles > 1 ? 0 : ui.px(22); // the key's strip
  // The last number overhangs the matrix by half its width; a single matrix has the margin for
  // that too, where n is below 10⁹.
  m.side = std::max({column, spec.beyond - (spec.tiles > 1 ? m.right : ui.px(kPad)), 0.0F});
  if (spec.lastLegend > 0)
    m.side = std::max(m.side, column + spec.lastLegend + m.gap / 2);
  m.top = line + ui.px(2) + std::max(spec.axisHeight, spec.ownLabels.y);
  m.left = std::max(m.left, std::ceil(spec.words.x + ui.px(kLeftOfWords - kPad)));
  m.top = std::max(m.top, std::ceil(spec.words.y + ui.px(kAboveWords - kPad)));
  return m;
}

// The image's part of what it shares with a single matrix: at least a fifth, plus what a full-size
// matrix leaves.
float imageShare(const Ui& ui, float shared, float matrix, float most) {
  const float least = std::max(shared * 0.2F, ui.px(90));
  return std::min(std::clamp(shared - matrix, least, std::max(ui.px(420), least)), most);
}

// Splits `content` between a single matrix and its image, which stands where that leaves the matrix
// larger: beside it or below.
Rect takeImage(const Ui& ui, const MaskLayoutSpec& spec, const Measures& m, Rect& content) {
  const float captions = 2 * fontSize(ui.fonts.small) + ui.px(16);
  const float shape = shapeOf(*spec.image);
  const float aspect = aspectOf(spec.lengths);
  const float width = widthOf(content) - m.left - m.side;
  const float height = heightOf(content) - m.top - m.bottom;
  const float right = imageShare(ui, width - m.gap, height * aspect, height * shape);
  const float under = ui.px(6) + captions;
  const float low = imageShare(ui, height - under, width / aspect, widthOf(content) / shape);
  Rect image = content;
  if (std::min(width - m.gap - right, height * aspect) >=
      std::min(width, (height - under - low) * aspect)) {
    image.x0 = content.x1 - right;
    content.x1 = image.x0 - m.gap;
    image.y0 += m.top - fontSize(ui.fonts.small) - ui.px(6);
    image.y1 = std::min(image.y1, image.y0 + captions + right / shape);
    return image;
  }
  image.y0 = content.y1 - captions - low;
  content.y1 = image.y0 - ui.px(6);
  return image;
}

void placeMatrices(const MaskLayoutSpec& spec, const Measures& m, const Grid& grid, ImVec2 from,
                   MaskLayout& layout) {
  // Whole points too: beside a fraction of one the last cell would end a hair before its matrix.
  const float stepX = std::floor(grid.words + m.gaps.x);
  const ImVec2 image = imageOf(spec, grid.box.x);
  const float below = m.words + (image.y > 0 && !grid.beside ? image.y + m.gap : 0);
  const float stepY = std::floor(grid.box.y + m.gaps.y + below);
  for (std::size_t k = 0; k < spec.tiles; ++k) {
    const float x = from.x + stepX * static_cast<float>(k % grid.columns);
    const std::size_t row = k / grid.columns;
    const float y = from.y + stepY * static_cast<float>(row);
    layout.matrices.push_back({x, y, x + grid.box.x, y + grid.box.y});
    if (image.y > 0) {
      const float left = grid.beside ? x + grid.box.x + m.gap : x;
      const float top = grid.beside ? y : std::round(y + grid.box.y + m.words + m.gap / 2);
      layout.images.push_back({left, top, left + image.x, top + image.y});
    }
  }
  const Rect& last = layout.matrices.back();
  layout.block = {from.x, from.y,
                  from.x + stepX * static_cast<float>(grid.columns - 1) + grid.box.x,
                  last.y1 + below};
}

void placeStrips(const Ui& ui, const MaskLayoutSpec& spec, MaskLayout& layout) {
  const float line = fontSize(ui.fonts.small);
  const Rect& block = layout.block;
  layout.captionTop = block.y1 + ui.px(10);
  layout.imageCaptionTop = layout.captionTop + line + ui.px(4);
  layout.hintTop = spec.image ? layout.imageCaptionTop + line + ui.px(4) : layout.imageCaptionTop;
  if (spec.tiles > 1)
    return;
  const float top = std::round(layout.captionTop + line + ui.px(4));
  layout.strip = {block.x0, top, block.x1, top + ui.px(22)};
  layout.column = {block.x1 + ui.px(7), block.y0, block.x1 + ui.px(21), layout.matrices.front().y1};
  layout.hintTop = layout.strip.y1 + ui.px(7);
}

} // namespace

float lineBelow(const Ui& ui) {
  return fontSize(ui.fonts.small) + ui.px(2);
}

MaskLayout layoutMask(const Ui& ui, const MaskLayoutSpec& spec) {
  const Measures m = measuresOf(ui, spec);
  const float pad = ui.px(kPad);
  Rect content{spec.area.x0 + pad, spec.area.y0 + pad, spec.area.x1 - pad, spec.area.y1 - pad};
  MaskLayout layout;
  std::optional<Rect> image;
  if (spec.image && spec.tiles < 2)
    image = spec.imageRoom ? *spec.imageRoom : takeImage(ui, spec, m, content);
  const float width = widthOf(content) - m.left - m.side;
  const float height = heightOf(content) - m.top - m.bottom;
  const Grid grid = gridIn(spec, m, ImVec2(width, height));
  layout.columns = grid.columns;
  layout.wordsWidth = grid.words;
  const auto columns = static_cast<float>(grid.columns);
  const float used = columns * grid.words + (columns - 1) * m.gaps.x;
  const float left = std::floor(content.x0 + m.left + std::max(width - used, 0.0F) / 2);
  placeMatrices(spec, m, grid, ImVec2(left, std::floor(content.y0 + m.top)), layout);
  layout.titleLeft = std::round(left - m.left);
  layout.titleTop = std::round(content.y0);
  layout.wordsTop = ui.px(kAroundWords - 1);
  layout.legendTop = layout.wordsTop + static_cast<float>(spec.titleLines) * lineBelow(ui);
  placeStrips(ui, spec, layout);
  // One point more: the corner and the matrices stand on whole ones.
  layout.leastWidth = used + m.left + m.side + 2 * pad + 1;
  layout.leastHeight = layout.block.y1 - spec.area.y0 + m.bottom + pad + 1;
  if (image)
    layout.images.push_back(*image);
  if (image && !spec.imageRoom && image->y0 > layout.block.y1)
    layout.images.front().x0 = left;
  return layout;
}

} // namespace attention::gui
