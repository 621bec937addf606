#include "app/gui/views/mask/mask_screen.h"

#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/picture_parts.h"
#include "app/gui/pictures/raster_image.h"
#include "app/gui/views/mask/mask_marks.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/group_digits.h"
#include "core/scene/input_data.h"
#include "core/views/compare/scene_compare.h"
#include "core/views/mask/mask_figure.h"
#include "core/views/shown_patterns.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace attention::gui {
namespace {

constexpr float kMargin = 14;                   // at scale 1
constexpr std::string_view kBeforeNote = " · "; // of a title, as the number of its pairs

std::span<const std::string> tokensOf(const ViewContext& context) {
  const Results& results = context.results;
  return tokenLabels(context.scene, results.inputCovers ? results.input.value.get() : nullptr,
                     results.lengths.keys);
}

MaskLayoutSpec layoutSpec(const MaskScreen& screen) {
  const Masks& masks = screen.masks;
  const Ui& ui = screen.context.ui;
  MaskLayoutSpec spec;
  spec.area = screen.context.area;
  spec.lengths = masks.lengths;
  spec.tiles = masks.tiles.size();
  spec.image = screen.image;
  if (screen.context.imageRoom)
    spec.imageRoom = screen.context.imageRoom->area;
  spec.hint = showsHint(screen.context) || showsPart(screen.context);
  spec.axisWidth = axisWidth(ui, masks.lengths);
  spec.axisHeight = axisHeight(ui);
  const auto half = [&](Index token) {
    return std::ceil(textSize(ui.fonts.small, groupDigits(token)).x / 2);
  };
  spec.beyond = half(masks.lengths.keys);
  spec.numbersApart = spec.beyond + half(0) + ui.px(9);
  for (const ShownMask& mask : masks.tiles) {
    const ImVec2 own = roomOfLabels(ui, mask.queries, mask.keys);
    spec.ownLabels = ImVec2(std::max(spec.ownLabels.x, own.x), std::max(spec.ownLabels.y, own.y));
  }
  return spec;
}

// Whether words stand beside the whole mask; its place stays when they come and go with the zoom.
bool takesWords(const MaskScreen& screen, const MaskLayout& layout) {
  return wordsFit(screen.context.ui,
                  frameOf(screen.lengths(), std::nullopt, layout.matrices.front()));
}

bool cornersAreFree(const MaskScreen& screen) {
  if (screen.masks.tiles.size() == 1 && showsWeights(screen.context))
    return true; // the legend of weights lies in the corner regardless
  const Lengths& lengths = screen.lengths();
  if (showsDifference(screen.context.scene) &&
      std::max(lengths.queries, lengths.keys) > kWholeCells)
    return false; // it opens zoomed in on its first difference, where any corner may have cells
  for (std::size_t k = 0; k < screen.legends.size(); ++k)
    if (!cornerIsFree(screen.context.ui, screen.masks.tiles[k], screen.layout.matrices[k],
                      screen.legends[k]))
      return false;
  return true;
}

// The most lines of titles and legends below any matrix at the current width.
void countLines(const MaskScreen& screen, MaskLayoutSpec& spec) {
  for (std::size_t k = 0; k < screen.legends.size(); ++k) {
    const float width = screen.wordsRight(k) - screen.layout.matrices[k].x0;
    const std::string title = titleBelow(screen, k, width);
    if (!title.empty())
      spec.titleLines = std::max<std::size_t>(
          spec.titleLines,
          1 + static_cast<std::size_t>(std::count(title.begin(), title.end(), '\n')));
    if (!screen.cornerLegends && !screen.legendsBeside && !screen.legendAfter(k))
      spec.legendLines =
          std::max(spec.legendLines, swatchLines(screen.context.ui, screen.legends[k], width));
  }
}

// The width of the widest words below a matrix if they were in one line.
float wordsWidth(const MaskScreen& screen) {
  const Ui& ui = screen.context.ui;
  float widest = 0;
  for (std::size_t k = 0; k < screen.legends.size(); ++k) {
    const std::string title = titleBelow(screen, k, std::numeric_limits<float>::max());
    widest = std::max(widest, textSize(ui.fonts.small, title).x);
    if (!screen.cornerLegends && !screen.legendsBeside)
      widest = std::max(widest, swatchesWidth(ui, screen.legends[k]));
  }
  return std::ceil(widest) + 1;
}

// Words below the matrices make them smaller, which in turn needs more lines of words.
void layOutWords(MaskScreen& screen, MaskLayoutSpec spec) {
  spec.wordsWidth = wordsWidth(screen);
  screen.layout = layoutMask(screen.context.ui, spec);
  constexpr int kMostRounds = 3;
  for (int round = 0; round < kMostRounds; ++round) {
    const auto before = std::pair(spec.titleLines, spec.legendLines);
    countLines(screen, spec);
    if (before == std::pair(spec.titleLines, spec.legendLines))
      return;
    screen.layout = layoutMask(screen.context.ui, spec);
  }
}

// Legends, each in a column beside its matrix. A legend for only the last takes room from no other.
void layOutBeside(MaskScreen& screen, MaskLayoutSpec spec) {
  const Ui& ui = screen.context.ui;
  screen.legendsBeside = true;
  std::size_t lines = 0;
  for (const std::vector<LegendEntry>& legend : screen.legends) {
    lines = std::max(lines, legend.size());
    for (const LegendEntry& entry : legend)
      spec.legendWidth = std::max(spec.legendWidth, std::ceil(swatchesWidth(ui, {&entry, 1})) + 1);
  }
  if (std::all_of(screen.legends.begin(), screen.legends.end() - 1,
                  [](const std::vector<LegendEntry>& legend) { return legend.empty(); }))
    screen.lastLegend = spec.lastLegend = std::exchange(spec.legendWidth, 0);
  layOutWords(screen, spec);
  if (static_cast<float>(lines) * lineBelow(ui) > heightOf(screen.layout.matrices.front()))
    screen.layout = {};
}

// Legends stand in corners without cells, else below the matrices, or beside them where that makes
// them clearly larger.
void arrange(MaskScreen& screen, const MaskLayoutSpec& spec) {
  constexpr float kPlainly = 1.1F;
  screen.layout = layoutMask(screen.context.ui, spec);
  screen.cornerLegends = cornersAreFree(screen);
  MaskScreen beside = screen;
  layOutWords(screen, spec);
  if (screen.cornerLegends || spec.image)
    return;
  layOutBeside(beside, spec);
  if (!beside.layout.matrices.empty() && widthOf(beside.layout.matrices.front()) >
                                             kPlainly * widthOf(screen.layout.matrices.front())) {
    screen.layout = beside.layout;
    screen.legendsBeside = true;
    screen.lastLegend = beside.lastLegend;
  }
}

// Tokens' words get more room than numbers and titles, up to a share of the area; the matrices get
// what that room, titles and legends leave.
void layOut(MaskScreen& screen) {
  constexpr float kMostShare = 0.14F;
  const MaskLayoutSpec spec = layoutSpec(screen);
  const ImVec2 wanted = roomForWords(screen.context);
  if (wanted.y > 0 && takesWords(screen, layoutMask(screen.context.ui, spec))) {
    const float most = kMostShare * std::min(widthOf(spec.area), heightOf(spec.area));
    MaskLayoutSpec wordy = spec;
    wordy.words = ImVec2(std::min(wanted.x, most), std::min(wanted.y, most));
    arrange(screen, wordy);
    if (takesWords(screen, screen.layout))
      return;
    screen.legendsBeside = false;
    screen.lastLegend = 0;
  }
  arrange(screen, spec);
}

// "openai/sparse_attention" may be broken after the slash where a line is too short for it.
std::string breakable(const ImFont* font, std::string title, float width) {
  const std::size_t stroke = title.rfind('/');
  if (stroke == std::string::npos || stroke + 1 == title.size())
    return title;
  const std::size_t before = title.rfind(' ', stroke);
  const std::size_t from = before == std::string::npos ? 0 : before + 1;
  const std::size_t end = std::min(title.find(' ', stroke), title.size());
  if (textSize(font, title.substr(from, end - from)).x > width)
    title.insert(stroke + 1, " ");
  return title;
}

std::size_t linesOf(const std::string& text) {
  return 1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// The note behind a title on a line of its own where that takes no more lines than the whole or
// two.
std::string titleLines(const ImFont* font, const std::string& title, float width) {
  const auto broken = [&](const std::string& words) {
    return inLines(font, breakable(font, words, width), width);
  };
  const std::string whole = broken(title);
  const std::size_t note = title.rfind(kBeforeNote);
  if (linesOf(whole) == 1 || note == std::string::npos)
    return whole;
  const std::string apart =
      broken(title.substr(0, note)) + '\n' + broken(title.substr(note + kBeforeNote.size()));
  return linesOf(apart) <= std::max<std::size_t>(linesOf(whole), 2) ? apart : whole;
}

// At most three, each cut where it is too long; the last has the words of all that would follow.
std::string cutLines(const ImFont* font, const std::string& lines, float width) {
  constexpr std::size_t kMostLines = 3;
  std::string cut;
  std::size_t from = 0;
  for (std::size_t line = 1; from <= lines.size(); ++line) {
    const bool last = line == kMostLines;
    const std::size_t end = last ? lines.size() : std::min(lines.find('\n', from), lines.size());
    std::string words = lines.substr(from, end - from);
    std::replace(words.begin(), words.end(), '\n', ' ');
    cut += (line > 1 ? "\n" : "") + cutToWidth(font, words, width);
    from = end + 1;
  }
  return cut;
}

} // namespace

float MaskScreen::wordsRight(std::size_t tile) const {
  const Ui& ui = context.ui;
  return layout.matrices.size() > 1 ? layout.matrices[tile].x0 + layout.wordsWidth
                                    : context.area.x1 - ui.px(kMargin);
}

bool MaskScreen::legendAfter(std::size_t tile) const {
  const std::size_t tiles = layout.matrices.size();
  if (tile + 1 != tiles || tiles % layout.columns == 0)
    return false;
  const float width = layout.wordsWidth;
  const std::vector<LegendEntry>& entries = legends[tile];
  const std::size_t lines = swatchLines(context.ui, entries, width);
  const bool longest = std::none_of(legends.begin(), legends.end() - 1, [&](const auto& other) {
    return swatchLines(context.ui, other, width) >= lines;
  });
  return longest &&
         static_cast<float>(lines) * lineBelow(context.ui) <= heightOf(layout.matrices[tile]) &&
         std::all_of(entries.begin(), entries.end(), [&](const LegendEntry& entry) {
           return swatchesWidth(context.ui, {&entry, 1}) <= width;
         });
}

Rect MaskScreen::legendPlace(std::size_t tile) const {
  const Rect& matrix = layout.matrices[tile];
  if (legendsBeside) {
    const float right = layout.matrices.size() > 1 ? matrix.x1 : layout.column.x1;
    const float left = right + context.ui.px(kMargin) / 2;
    return {left, matrix.y0, std::max(wordsRight(tile), left + lastLegend), matrix.y1};
  }
  if (legendAfter(tile)) {
    const float left = layout.matrices[layout.matrices.size() % layout.columns].x0;
    return {left, matrix.y0, left + layout.wordsWidth, matrix.y1};
  }
  const float top = matrix.y1 + layout.legendTop;
  return {matrix.x0, top, wordsRight(tile), top};
}

std::string titleBelow(const MaskScreen& screen, std::size_t tile, float width) {
  const ViewContext& context = screen.context;
  std::string title = letteredTitle(screen.masks.tiles[tile]);
  if (title.empty())
    return title;
  const bool weighted = tile == 0 && screen.masks.tiles.size() > 1 && showsWeights(context);
  title += weighted ? " · weights" : "";
  const ImFont* font = context.ui.fonts.small;
  return cutLines(font, titleLines(font, title, width), width);
}

bool lacksWeights(const ViewContext& context) {
  return currentWeights(context.scene) != WeightsShown::Off &&
         (!context.results.attention || !context.results.inputCovers);
}

bool showsHint(const ViewContext& context) {
  constexpr float kRoomy = 360; // points at scale 1
  const bool roomy =
      context.results.masks->tiles.size() > 1 || heightOf(context.area) >= context.ui.px(kRoomy);
  return !context.presented && (roomy || lacksWeights(context));
}

bool showsPart(const ViewContext& context) {
  const Lengths& lengths = context.results.masks->lengths;
  const auto& camera = context.scene.camera;
  return showsDifference(context.scene) && camera &&
         camera->cells < static_cast<double>(std::max(lengths.queries, lengths.keys));
}

bool showsWeights(const ViewContext& context) {
  const auto& attention = context.results.attention;
  return currentWeights(context.scene) != WeightsShown::Off && attention &&
         context.results.inputCovers &&
         attention->prepared->lengths() == context.results.masks->lengths;
}

ImVec2 roomForWords(const ViewContext& context) {
  const Lengths& lengths = context.results.masks->lengths;
  const std::span<const std::string> tokens = tokensOf(context);
  // Where even bare matrices leave tokens no room, no word is measured.
  if (tokens.empty() || !wordsFit(context.ui, frameOf(lengths, std::nullopt, context.area)))
    return ImVec2(0, 0);
  const auto queries = lengths.square() ? tokens : std::span<const std::string>();
  return roomOfLabels(context.ui, queries, tokens);
}

MaskScreen maskScreen(const ViewContext& context) {
  return maskScreen(context, *context.results.masks);
}

MaskScreen maskScreen(const ViewContext& context, const Masks& masks) {
  MaskScreen screen{context,
                    masks,
                    {},
                    maskLegends(masks, figureTheme(context.ui.theme), showsWeights(context)),
                    true,
                    {},
                    shownImage(context.scene, masks.lengths),
                    ImGui::GetIO().DisplayFramebufferScale.x};
  if (currentTiles(context.scene)) {
    const std::vector<LegendEntry> tiles = tileLegend(figureTheme(context.ui.theme));
    screen.legends.front().insert(screen.legends.front().end(), tiles.begin(), tiles.end());
  }
  layOut(screen);
  for (const Rect& area : screen.layout.matrices)
    screen.frames.push_back(frameOf(masks.lengths, context.scene.camera, area));
  if (wordsFit(context.ui, screen.frames.front()))
    screen.words = tokensOf(context);
  return screen;
}

Rect imagePlace(const MaskScreen& screen, std::size_t tile) {
  const auto& rooms = screen.layout.images;
  return rooms.size() == 1 ? imageArea(screen.context.ui, rooms[tile], *screen.image) : rooms[tile];
}

} // namespace attention::gui
