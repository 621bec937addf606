// The words of a figure in lines that fit: titles and legends of its panels, and the words above
// and below all panels.
#pragma once

#include "core/plot/figure.h"
#include "core/plot/text_fit.h"

#include <string>
#include <vector>

namespace attention {

constexpr double kTitleType = 1.2;         // of the figure's title, of type
constexpr double kSwatchRoom = 1.4;        // of type, before the words of a legend
constexpr std::size_t kMostTitleLines = 2; // of a panel's, and of the figure's
constexpr std::size_t kMostCutLines = 3;   // of a panel's that fewer cut

using Lines = std::vector<std::string>;

// The room in pixels for the words of a panel.
struct PanelRoom {
  double title = 0;
  double legend = 0; // beside its swatches
};

// Sizes of type, pixels.
struct PanelType {
  double words = 13;
  double title = 13;
};

struct PanelWords {
  Lines title;
  std::vector<Lines> legend; // by entry; no lines for one that does not fit
};

// The most lines of a title; the last one is shortened where the title needs more.
PanelWords wordsIn(const PanelRoom& room, const FigurePanel& panel, std::size_t titleLines,
                   const PanelType& type, const TextMeasure& measure);

std::size_t legendLines(const PanelWords& words); // of all entries

// Whether the words are all of the panel's words.
bool isWhole(const PanelWords& words, const FigurePanel& panel);

// Whether the title ends inside a word or a phrase, or lacks a parenthesis, where it cannot do
// without the rest.
bool isTitleCut(const PanelWords& words, const FigurePanel& panel);

// Pixels by which the widest of the panel's words, in one line, exceeds its room; 0 if none does.
double wantedBeyond(const PanelRoom& room, const FigurePanel& panel, const PanelType& type,
                    const TextMeasure& measure);

// A legend entry: its swatch is a square as large as the type, to the left of the line at `at`.
struct LegendPlace {
  Point at;
  LegendEntry entry;
};

// What belongs to all panels.
struct FigureWords {
  Lines heading;                   // the figure's title
  std::vector<LegendPlace> legend; // in rows from (0, 0) on
  double legendHeight = 0;
  Lines caption;
  Lines source;
};

FigureWords figureWords(const Figure& figure, double width, std::size_t titleLines, double type,
                        const TextMeasure& measure);

// The height that they take above and below the panels, including the gaps.
double headHeight(const FigureWords& words, double type);
double footHeight(const FigureWords& words, double type);

} // namespace attention
