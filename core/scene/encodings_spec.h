// What the Encodings view shows: an axial positional encoding (core/encoding/axial.h) and one of
// its positions. Plain data of the Scene.
#pragma once

#include "core/encoding/axial_tables.h"
#include "core/scene/settings.h"

namespace attention {

struct EncodingsSpec {
  Index l1 = 16; // Hugging Face's sizes over 4
  Index l2 = 16;
  Index d1 = 16;
  Index d2 = 48;
  std::optional<Index> n; // the first n positions; l1 l2 where not given
  AxialReading reading = AxialReading::Docs;
  AxialTables tables = AxialTables::Sinusoidal;
  Index seed = 0;      // of normal tables
  Index position = 37; // traced through both tables; the last one where there are fewer
  bool operator==(const EncodingsSpec&) const = default;
};

constexpr Index kMostEncodingSide = 4096;              // of l1, l2, d1 and d2
constexpr Index kMostEncodingNumbers = Index{1} << 26; // n (d1 + d2), in a file

const Settings<EncodingsSpec>& encodingsSettings();

// E_RANGE: sides beyond these, n above l1 l2, a position below 0; E_N: n < 1.
AxialShape axialShape(const EncodingsSpec& spec);
// l1 l2, and how many of these positions are encoded: at least one each; for sizes that axialShape
// refuses, those of the nearest allowed ones.
Index gridOf(const EncodingsSpec& spec);
Index positionsOf(const EncodingsSpec& spec);
// The current position.
Index positionOf(const EncodingsSpec& spec);

} // namespace attention
