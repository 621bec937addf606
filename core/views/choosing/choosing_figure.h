// The pictures of the Choosing view as plots: the sorting with chunks and look-back (Kitaev et al.
// 2020, figure 2, left), the mask in the original and in the sorted order, what is captured, and
// points on a circle (figure 1).
#pragma once

#include "core/export/csv_table.h"
#include "core/plot/figure.h"
#include "core/views/choosing/choice_figure.h"
#include "core/views/choosing/hashed_tokens.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attention {

// The parts of a picture; those that it does not read may be null.
struct ChoosingAnswer {
  std::shared_ptr<const HashedTokens> tokens;
  std::shared_ptr<const CapturedCurves> curves;
  std::shared_ptr<const CircleAnswer> circle;
  std::shared_ptr<const ChosenKeys> chosen = {};
  std::shared_ptr<const BudgetCurves> budget = {};
  Index query = 0;                            // of a choice, that is shown in detail
  std::shared_ptr<const ChoiceRow> row = {};  // of it, in a pattern that ranks
  std::shared_ptr<const CacheStep> step = {}; // of it, in a cache
  std::vector<std::string> labels = {};       // of the tokens, or empty
  bool operator==(const ChoosingAnswer&) const = default;

  ChoiceLook look() const { return {query, labels}; }
  // Takes the choice, with what it did for the query.
  void take(std::shared_ptr<const ChosenKeys> keys, Index shown);
};

// Everything that the Scene's picture reads.
ChoosingAnswer choosingAnswer(const Scene& scene, const Lengths& lengths, const ModelHead& input,
                              const Run& run = {});
// Whether the answer has what the spec's picture reads.
bool complete(const ChoosingSpec& spec, const ChoosingAnswer& answer);
std::vector<FigurePanel> choosingPanels(const ChoosingSpec& spec, const ChoosingAnswer& answer);
std::string choosingTitle(const ChoosingSpec& spec, const ChoosingAnswer& answer);
std::string choosingCaption(const ChoosingSpec& spec, const ChoosingAnswer& answer);
// Where the picture comes from: "After Kitaev et al. 2020, figure 2".
std::string choosingSourceText(const ChoosingSpec& spec, const ChoosingAnswer& answer);
// Swatches of groups or of rounds; empty if there are none, or too many to tell apart.
std::vector<LegendEntry> choosingLegend(const ChoosingSpec& spec, const ChoosingAnswer& answer,
                                        FigureTheme theme);

Figure choosingFigure(const ChoosingSpec& spec, const ChoosingAnswer& answer, FigureTheme theme);

// The same panels with what they tell where one points at them.
std::vector<FigurePanel> toldPanels(const ChoosingSpec& spec, const ChoosingAnswer& answer);
// "token 3 “river”: bucket 5, place 12, chunk 3": its group in a round, and where it is sorted to.
std::string tokenWords(const HashedTokens& tokens, std::size_t round,
                       const std::vector<std::string>& labels, Index token);
// "3, 7"; "none" without any.
std::string listOf(const std::vector<Index>& groups);

// What to see, in sentences; `answer` must be complete.
std::vector<std::string> readingOf(const ChoosingSpec& spec, const ChoosingAnswer& answer);
// "4 rounds", "1 centroid": what the curves count.
std::string groupsCounted(const CapturedCurves& curves, Index count);

// The colour of a group in strip, matrices and legend: series groupHue % kGroupHues, as pale as
// groupShare(groupHue). Below 2 kGroupHues, for any label but kNoGroup.
std::size_t groupHue(Index group);

// ---- the sorting ----

// The places of the queries in the diagram at a moment, in its units; also used for the pointer.
class SortingPlaces {
public:
  SortingPlaces(const HashedTokens& tokens, std::size_t round, double moment);

  Box token(Index query) const;                  // on its way
  Box origin(Index query) const;                 // where it starts
  Box slot(Index rank) const;                    // in the order of groups
  Box round(std::size_t row, Index token) const; // in the rows of all rounds
  Index placeOfGroup(Index query) const {        // among the groups, as they arrive
    return static_cast<Index>(place_[static_cast<std::size_t>(query)]);
  }
  std::size_t rounds() const { return rounds_; } // rows; 0 if there is only one round
  double width() const;
  double height() const;
  double cell() const { return cell_; }
  double chunksAt() const; // the top of the band for brackets and arrows

  struct Place {
    std::optional<Index> query;       // under the pointer
    std::optional<std::size_t> round; // the round of its row
  };
  Place under(Point at) const;

private:
  const HashedTokens* tokens_;
  std::size_t round_;
  double moment_;
  double cell_;
  double row_;
  std::size_t rounds_;
  std::vector<double> steps_;      // of each group's way
  std::vector<std::size_t> place_; // of each query's group among them
};
Plot sortingPlot(const HashedTokens& tokens, const ChoosingSpec& spec,
                 const std::vector<std::string>& labels);

// ---- matrices ----

// A number per cell for Ramp::Hues: n × n, rows and columns in the original order, or sorted.
Plot groupedMatrix(const HashedTokens& tokens, const ChoosingSpec& spec, bool sorted,
                   const std::vector<std::string>& labels);
// The cells of one round, or of all (nothing), in at most 256 × 256 numbers: each is the commonest
// group among the attended cells that it stands for.
Plot smallMatrix(const HashedTokens& tokens, const ChoosingSpec& spec,
                 std::optional<std::size_t> round);
// Centroids as rows of numbers; none for buckets and given labels.
std::optional<Plot> centroidsPlot(const HashedTokens& tokens);

Plot capturedPlot(const CapturedCurves& curves);

// ---- the circle ----

constexpr double kCircleSide = 2.75; // units: the circle has radius 1
Plot circlePlot(const CircleAnswer& answer, std::size_t pair, std::size_t round);
Plot circleSharesPlot(const CircleAnswer& answer);
// "x at 20°: bucket 2", "bucket 2: points from 45° to 135°".
std::string pointWords(const CircleAnswer& answer, std::size_t pair, std::size_t round,
                       bool second);
std::string sectorWords(const Sector& sector);
// What circlePlot's diagram tells: its two points, then its sectors.
std::vector<PlaceWords> circleWords(const CircleAnswer& answer, std::size_t pair,
                                    std::size_t round);
constexpr double kNearAngle = 0.12; // radians within which a point of a circle is pointed at
// The angle of a point of circlePlot's diagram before it was turned, in [0, 2π); nothing outside
// the circle and its rim.
std::optional<double> angleUnder(const CircleAnswer& answer, std::size_t round, Point at);

// ---- the numbers behind the pictures, for files ----

// A line per round and token with its groups, places and chunk (and, for the sorting, its place at
// the spec's moment); the attended pairs with the rounds that show them; the curves' points; the
// points on the circle by round. `answer` must be complete.
CsvTable choosingTable(const ChoosingSpec& spec, const ChoosingAnswer& answer);

// Int64 for the sorting: group and rank of every query, 2 × rounds × n, with the smallest integer
// (kNoGroup) for no group, since labels may be negative; float64 for the others: the colour numbers
// of the matrix in the sorted order, 0 if not attended, n × n; count, captured mass, recall,
// share of pairs and mass at random, points × 5; the shares by angle, points × 2. Replaces `path`
// only by a complete file. E_IO.
void writeChoosingNpy(const ChoosingSpec& spec, const ChoosingAnswer& answer,
                      const std::filesystem::path& path);

} // namespace attention
