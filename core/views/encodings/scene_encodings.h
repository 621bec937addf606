// What the Encodings view of a Scene shows: the tables E1 and E2, the encoding E that they make,
// and which rows every position uses.
#pragma once

#include "core/encoding/axial.h"
#include "core/export/csv_table.h"
#include "core/plot/figure.h"
#include "core/scene/encodings_spec.h"
#include "core/support/run.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace attention {

struct EncodingsAnswer {
  EncodingsSpec spec;
  AxialShape shape;
  Matrix<float> e1;      // l1 × d1
  Matrix<float> e2;      // l2 × d2
  bool distinct1 = true; // no two rows are equal
  bool distinct2 = true;
  float top = 1; // the largest size of an entry
  // Per pixel, the mean of its entries; for `positions` the first number, −1 beyond n.
  std::shared_ptr<const Matrix<float>> pixels1;
  std::shared_ptr<const Matrix<float>> pixels2;
  std::shared_ptr<const Matrix<float>> pixels;
  std::shared_ptr<const Matrix<float>> positions;
};

// The tables as float32. Errors as axialShape.
std::pair<Matrix<float>, Matrix<float>> encodingTables(const EncodingsSpec& spec);

// E is not held: O(l1 d1 + l2 d2 + pixels) memory. Errors as axialShape, Stopped.
EncodingsAnswer encodingsAnswer(const EncodingsSpec& spec, const Run& run = {});

// The four plots, without marks of a position: rows run downwards from 0.
struct EncodingsPlots {
  Plot e1; // feature against row
  Plot e2;
  Plot e;         // feature against position
  Plot positions; // row of E1 against row of E2
};
EncodingsPlots encodingsPlots(const EncodingsAnswer& answer);
std::string encodingsTitle(const EncodingsAnswer& answer);
std::vector<LegendEntry> encodingsLegend(const EncodingsAnswer& answer, FigureTheme theme);
// What to see, in sentences, from nothing but the numbers.
std::vector<std::string> readingOf(const EncodingsAnswer& answer);
// "position 37 is row 5 of E1 beside row 2 of E2".
std::string traceText(const AxialShape& shape, Index position);

// "row 3 of E1 belongs to 16 positions: 3, 19, 35 …"; of E2 if not `first`.
std::string rowText(const AxialShape& shape, bool first, Index row);

// With the Scene's position marked in all plots.
Figure encodingsFigure(const EncodingsAnswer& answer, FigureTheme theme);

// ---- the numbers behind the pictures, for files ----

constexpr Index kMostTableNumbers = 4'000'000; // of an encoding as a table

// A row per position: j, its rows of E1 and E2, then e0, e1 … Errors as axialShape; E_RANGE above
// kMostTableNumbers numbers.
CsvTable encodingsTable(const EncodingsSpec& spec, const Run& run = {});

// E as float32. Replaces `path` only by a complete file. E_RANGE above kMostEncodingNumbers, E_IO.
void writeEncodingsNpy(const EncodingsSpec& spec, const std::filesystem::path& path,
                       const Run& run = {});

} // namespace attention
