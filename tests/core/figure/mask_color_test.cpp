#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/composed.h"
#include "core/pattern/mechanism/factor.h"
#include "core/pattern/mechanism/strided.h"
#include "core/pattern/pattern.h"
#include "core/plot/mask_color.h"
#include "tests/catch.h"

#include <array>

using namespace attention;

namespace {

const MaskPalette kTwo{colorOf(0xffffff), {colorOf(0x0000ff), colorOf(0xff0000)}};

Color color(std::vector<Index> counts, Index cells) {
  return pixelColor(counts, cells, kTwo);
}

} // namespace

TEST_CASE("a pixel without attended pairs has exactly the background colour") {
  CHECK(color({0, 0}, 16) == kTwo.ground);
}

TEST_CASE("a full pixel has exactly the hue of its part") {
  CHECK(color({16, 0}, 16) == kTwo.hues[0]);
  CHECK(color({0, 1}, 1) == kTwo.hues[1]);
}

TEST_CASE("a pixel of two parts mixes their hues by their counts") {
  CHECK(color({2, 2}, 4) == colorOf(0x800080));
  CHECK(color({3, 1}, 4) == colorOf(0x4000bf));
}

TEST_CASE("intensity is the coverage where that is clearly visible") {
  CHECK(color({12, 0}, 16) == colorOf(0x4040ff));
  CHECK(color({10, 0}, 16) == mix(kTwo.ground, kTwo.hues[0], 10.0 / 16));
}

TEST_CASE("the smallest coverage stays visible and more coverage is never paler") {
  const Color least = color({1, 0}, Index{1} << 40);
  CHECK(least == mix(kTwo.ground, kTwo.hues[0], leastShareOn(kTwo.ground)));
  CHECK(least.r <= 240);
  int last = 255;
  for (Index count = 1; count <= 1000; ++count) {
    const Color now = color({count, 0}, 1000);
    CHECK(now.r <= last);
    last = now.r;
  }
}

TEST_CASE("a pixel with a single pair stands out from the background of either theme") {
  const FigureTheme theme = GENERATE(FigureTheme::Light, FigureTheme::Dark);
  MaskPalette palette = maskPalette(*prepare(Strided{}, squareLengths(36)), theme);
  for (const Color& hue : figureColors(theme).series) {
    palette.hues = {hue};
    const Color one = pixelColor(std::array<Index, 1>{1}, Index{1} << 40, palette);
    CHECK(contrast(one, palette.ground) >= 1.39);
    double last = 1;
    for (Index count = 1; count <= 200; ++count) { // and more is never less
      const double now =
          contrast(pixelColor(std::array<Index, 1>{count}, 200, palette), palette.ground);
      CHECK(now >= last - 0.002); // bytes are rounded
      last = now;
    }
  }
}

TEST_CASE("each factor keeps its hue where the other is absent") {
  const auto& series = figureColors(FigureTheme::Light).series;
  const auto of = [](Factor factor) {
    Strided strided;
    strided.head = factor;
    return maskPalette(*prepare(strided, squareLengths(36)), FigureTheme::Light).hues;
  };
  CHECK(of(Factor::Union) == std::vector<Color>{series[0], series[1]});
  CHECK(of(Factor::First) == std::vector<Color>{series[0]});
  CHECK(of(Factor::Second) == std::vector<Color>{series[1]});
}

TEST_CASE("more than eight parts share one ramp") {
  std::vector<Pattern> of(9, Pattern(Causal{}));
  const auto nine = prepare(Compose(Operation::Union, of), squareLengths(8));
  CHECK(maskPalette(*nine, FigureTheme::Dark).hues.size() == 1);
}

TEST_CASE("weights go from the background through the first hue to the end of the ramp") {
  for (const FigureTheme theme : {FigureTheme::Light, FigureTheme::Dark}) {
    const FigureColors& colors = figureColors(theme);
    CHECK(weightColor(0, theme) == colors.ground);
    CHECK(weightColor(0.36, theme) == colors.series[0]);
    CHECK(weightColor(1, theme) == colors.weight);
    CHECK(!(weightColor(1e-9, theme) == colors.ground));
  }
}

TEST_CASE("the smallest weights and the most hops have a contrast of 1.5 to 1 to the background") {
  constexpr double kLeastContrast = 1.5;
  for (const FigureTheme theme : {FigureTheme::Light, FigureTheme::Dark}) {
    const Color& ground = figureColors(theme).ground;
    CHECK(contrast(weightColor(1e-9, theme), ground) >= kLeastContrast);
    CHECK(contrast(rampColor(Ramp::Signed, -1e-9, 1, theme), ground) >= kLeastContrast);
    CHECK(contrast(hopColor(5, 5, theme), ground) >= kLeastContrast);
    CHECK(hopColor(-1, 5, theme) == ground);
    CHECK(contrast(hopColor(-2, 5, theme), ground) >= kLeastContrast); // lost again
    for (const double hops : {0.0, 1.0, 3.0, 5.0})
      CHECK(!(hopColor(-2, 5, theme) == hopColor(hops, 5, theme)));
    double before = 1;
    for (const double share : {1e-4, 1e-3, 0.01, 0.03, 0.1, 0.2, 0.3}) { // none like another
      const double now = contrast(weightColor(share, theme), ground);
      CHECK(now > before);
      before = now;
    }
  }
}
