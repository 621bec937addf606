#include "core/plot/arrange_words.h"

#include "core/plot/panel_rows.h"
#include "core/plot/ticks.h"

#include <algorithm>

namespace attention {
namespace {

constexpr std::size_t kMostEntryLines = 2;
constexpr double kLegendLine = 1.15 * kLineHeight; // of a row of the figure's legend, of type
constexpr double kEntryGap = 1.6;                  // between entries in a row, of type

// The lines from one on as one.
std::string restOf(const Lines& lines, std::size_t first) {
  std::string all = lines[first];
  for (std::size_t k = first + 1; k < lines.size(); ++k)
    all += (all.ends_with('/') ? "" : " ") + lines[k];
  return all;
}

Lines titleIn(double room, std::string_view title, std::size_t most, const Type& type,
              const TextMeasure& measure) {
  Lines lines = wrapped(title, room, type, measure);
  if (lines.size() <= most)
    return lines;
  const std::string rest = restOf(lines, most - 1);
  // Panels with letters differ by these, so the part after a comma can go.
  std::string brief = title.starts_with('(') ? shortName(rest, room, type, measure) : "";
  lines[most - 1] = brief.empty() ? fitted(rest, room, type, measure) : std::move(brief);
  lines.resize(most);
  return lines;
}

// How many parentheses end in lines.
std::ptrdiff_t closings(const Lines& lines) {
  std::ptrdiff_t count = 0;
  for (const std::string& line : lines)
    count += std::count(line.begin(), line.end(), ')');
  return count;
}

// An entry takes few lines, or has no room.
Lines entryIn(double room, const LegendEntry& entry, double type, const TextMeasure& measure) {
  Lines lines = wrapped(entry.label, room, {type, false}, measure);
  if (lines.size() > kMostEntryLines || !sayAll(lines, entry.label))
    lines.clear();
  return lines;
}

void flowLegend(FigureWords& words, const std::vector<LegendEntry>& entries, double width,
                double type, const TextMeasure& measure) {
  double x = 0;
  for (const LegendEntry& entry : entries) {
    const double wide = 1.5 * type + measure(entry.label, type, false);
    if (words.legend.empty() || x + wide > width) {
      words.legendHeight += kLegendLine * type;
      x = 0;
    }
    const double baseline = words.legendHeight - (kLegendLine - 0.8 * kLineHeight) * type;
    words.legend.push_back({{x, baseline}, entry});
    x += wide + kEntryGap * type;
  }
}

} // namespace

PanelWords wordsIn(const PanelRoom& room, const FigurePanel& panel, std::size_t titleLines,
                   const PanelType& type, const TextMeasure& measure) {
  PanelWords words;
  words.title = titleIn(room.title, panel.title, titleLines, {type.title, true}, measure);
  for (const LegendEntry& entry : panel.legend)
    words.legend.push_back(entryIn(room.legend, entry, type.words, measure));
  return words;
}

std::size_t legendLines(const PanelWords& words) {
  std::size_t lines = 0;
  for (const Lines& entry : words.legend)
    lines += entry.size();
  return lines;
}

bool isWhole(const PanelWords& words, const FigurePanel& panel) {
  return sayAll(words.title, panel.title) &&
         std::none_of(words.legend.begin(), words.legend.end(),
                      [](const Lines& entry) { return entry.empty(); });
}

bool isTitleCut(const PanelWords& words, const FigurePanel& panel) {
  constexpr std::string_view kCut = "…"; // by `fitted`, which leaves nothing if that is too wide
  const bool ends = words.title.empty() || words.title.back().empty() ||
                    words.title.back().ends_with(kCut) ||
                    closings(words.title) < closings({panel.title});
  return ends && !sayAll(words.title, panel.title);
}

double wantedBeyond(const PanelRoom& room, const FigurePanel& panel, const PanelType& type,
                    const TextMeasure& measure) {
  double most = std::max(measure(panel.title, type.title, true) - room.title, 0.0);
  for (const LegendEntry& entry : panel.legend)
    most = std::max(most, measure(entry.label, type.words, false) - room.legend);
  return most;
}

FigureWords figureWords(const Figure& figure, double width, std::size_t titleLines, double type,
                        const TextMeasure& measure) {
  FigureWords words;
  words.heading = titleIn(width, figure.title, titleLines, {kTitleType * type, true}, measure);
  words.caption = wrapped(figure.caption, width, {type, false}, measure);
  words.source = wrapped(figure.source, width, {type, false}, measure);
  flowLegend(words, figure.legend, width, type, measure);
  return words;
}

double headHeight(const FigureWords& words, double type) {
  const auto lines = static_cast<double>(words.heading.size());
  return lines == 0 ? 0 : (2 + (lines - 1) * kTitleType) * kLineHeight * type;
}

double footHeight(const FigureWords& words, double type) {
  const std::size_t lines = words.caption.size() + words.source.size();
  double height = words.legendHeight;
  if (!words.legend.empty())
    height += kFigureGap / 2 * type;
  if (lines > 0)
    height += (kFigureGap / 2 + static_cast<double>(lines) * kLineHeight) * type;
  return height;
}

} // namespace attention
