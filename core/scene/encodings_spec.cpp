#include "core/scene/encodings_spec.h"

#include "core/scene/settings_builder.h"

#include <algorithm>

namespace attention {
namespace {

constexpr Index kHandyRows = 256; // of sliders; typed numbers may be larger
constexpr Index kHandyWidth = 512;
constexpr Index kHandySeed = 100;

} // namespace

const Settings<EncodingsSpec>& encodingsSettings() {
  using S = EncodingsSpec;
  const auto side = between(1, kMostEncodingSide);
  static const Settings<S> kAll =
      SettingsBuilder<S>()
          .integer("l1", "", &S::l1, "Rows of E1", "", side)
          .label("rows of E1 ℓ1")
          .handy(kHandyRows)
          .integer("l2", "", &S::l2, "Rows of E2", "", side)
          .label("rows of E2 ℓ2")
          .handy(kHandyRows)
          .integer("d1", "", &S::d1, "Width of E1: its share of an encoding", "", side)
          .label("width of E1 d1")
          .handy(kHandyWidth)
          .integer("d2", "", &S::d2, "Width of E2: its share of an encoding", "", side)
          .label("width of E2 d2")
          .handy(kHandyWidth)
          .given("n", "", &S::n, "How many of the ℓ1 · ℓ2 positions are used, from the first",
                 ParameterType::Integer, false,
                 [](const S& of, Index) {
                   return Bounds{1, static_cast<double>(gridOf(of))};
                 })
          .label("positions n")
          .visibleIf([](const S& of) { return of.n.has_value(); })
          .choice("reading", &S::reading, "Which table follows the position step by step",
                  {{AxialReading::Docs, "docs", "docs",
                    "E[j] = [E1[j mod ℓ1], E2[⌊j / ℓ1⌋]], as Hugging Face's documentation says"},
                   {AxialReading::Code, "code", "code",
                    "E[j] = [E1[⌊j / ℓ2⌋], E2[j mod ℓ2]], as its code and trax compute"}})
          .choice(
              "tables", &S::tables, "The contents of E1 and E2",
              {{AxialTables::Normal, "normal", "random", "Drawn from N(0, 1), as before training"},
               {AxialTables::Sinusoidal, "sinusoidal", "sinusoidal",
                "Sines and cosines of the row (Vaswani et al. 2017, section 3.5)"}})
          .integer("seed", "", &S::seed, "Seed of E1 and E2", "", atLeast(0))
          .handy(kHandySeed)
          .visibleIf([](const S& of) { return of.tables == AxialTables::Normal; })
          .integer("position", "", &S::position, "Traced through both tables", "", atLeast(0))
          .build();
  return kAll;
}

AxialShape axialShape(const EncodingsSpec& spec) {
  EncodingsSpec sides = spec;
  sides.n.reset(); // checked below, against the grid that the sides give
  checkSettings(encodingsSettings(), sides, "encodings");
  AxialShape shape;
  shape.l1 = spec.l1;
  shape.l2 = spec.l2;
  shape.d1 = spec.d1;
  shape.d2 = spec.d2;
  shape.n = spec.n;
  shape.reading = spec.reading;
  shape.truncate = spec.n.has_value();
  check(shape);
  return shape;
}

Index gridOf(const EncodingsSpec& spec) {
  const auto side = [](Index of) { return std::clamp<Index>(of, 1, kMostEncodingSide); };
  return side(spec.l1) * side(spec.l2);
}

Index positionsOf(const EncodingsSpec& spec) {
  const Index grid = gridOf(spec);
  return std::clamp<Index>(spec.n.value_or(grid), 1, grid);
}

Index positionOf(const EncodingsSpec& spec) {
  return std::clamp<Index>(spec.position, 0, positionsOf(spec) - 1);
}

} // namespace attention
