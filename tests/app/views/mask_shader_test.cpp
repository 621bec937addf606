// The shader counts the same integers as computeCoverage.
#include "app/gl/context.h"
#include "app/gui/pictures/mask_shader.h"
#include "app/gui/pictures/raster_image.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/fixed.h"
#include "core/pattern/mechanism/strided.h"
#include "core/pattern/pattern.h"
#include "core/support/error.h"
#include "tests/catch.h"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <set>

using namespace attention;
using namespace attention::gui;

namespace {

// Ascending random edges in [from, to).
std::vector<Index> randomEdges(std::mt19937& random, Index from, Index to, std::size_t count) {
  std::set<Index> edges{from, to};
  std::uniform_int_distribution<Index> pick(from, to);
  for (std::size_t k = 0; k + 2 < count; ++k)
    edges.insert(pick(random));
  return {edges.begin(), edges.end()};
}

// The whole mask, its far corner cell by cell, and random pixels around the diagonal.
std::vector<Lattice> latticesOf(const Lengths& lengths, std::mt19937& random) {
  const attention::Rect all{0, lengths.queries, 0, lengths.keys};
  const Index corner = std::min<Index>({lengths.queries, lengths.keys, 60});
  const Index side = std::min<Index>(lengths.queries, 40);
  std::vector<Lattice> lattices{
      latticeOver(all, side, std::min<Index>(lengths.keys, 50)),
      latticeOver({lengths.queries - corner, lengths.queries, lengths.keys - corner, lengths.keys},
                  corner, corner)};
  for (int k = 0; k < 3; ++k) {
    const Index at = std::uniform_int_distribution<Index>(0, lengths.queries - 1)(random);
    const Index from = std::max<Index>(at - 2000, 0);
    const Index to = std::min(at + 2000, std::min(lengths.queries, lengths.keys));
    if (from < to)
      lattices.push_back({randomEdges(random, from, to, 30), randomEdges(random, from, to, 30)});
  }
  return lattices;
}

int wrongPixels(MaskShader& shader, const Prepared& prepared, const Lattice& lattice) {
  const Coverage coverage = computeCoverage(prepared, lattice);
  int wrong = 0;
  for (std::size_t plane = 0; plane < coverage.counts.size(); ++plane) {
    const std::vector<std::uint32_t> found =
        shader.counts(prepared, lattice, static_cast<int>(plane));
    for (std::size_t k = 0; k < found.size(); ++k)
      wrong += found[k] == static_cast<std::uint32_t>(coverage.counts[plane][k]) ? 0 : 1;
  }
  return wrong;
}

std::shared_ptr<const Prepared> preparedOrNull(const Pattern& pattern, const Lengths& lengths) {
  try {
    return prepare(pattern, lengths);
  } catch (const Error&) {
    return nullptr; // needs parameters that have no default
  }
}

} // namespace

TEST_CASE("The shader counts what computeCoverage counts for every closed form") {
  const gl::HeadlessContext context;
  MaskShader shader{gl::ShaderSources()};
  const Index n = GENERATE(1, 7, 100, 1 << 20, 1 << 24);
  std::mt19937 random(7);
  int served = 0;
  for (const Pattern& pattern : allMechanisms()) {
    const auto prepared = preparedOrNull(pattern, squareLengths(n));
    if (!prepared || !prepared->closedForm() || prepared->hasTables())
      continue;
    for (const Lattice& lattice : latticesOf(prepared->lengths(), random)) {
      if (!MaskShader::serves(*prepared, lattice))
        continue;
      ++served;
      INFO(description(pattern).name << " at n = " << n);
      CHECK(wrongPixels(shader, *prepared, lattice) == 0);
    }
  }
  CHECK(served > 20);
}

TEST_CASE("The shader counts rectangular masks and other parameters correctly") {
  const gl::HeadlessContext context;
  MaskShader shader{gl::ShaderSources()};
  std::mt19937 random(8);
  const Lengths lengths = GENERATE(alignedLengths(300, 1000, Align::BottomRight),
                                   alignedLengths(1000, 300, Align::BottomRight),
                                   alignedLengths(70000, 1 << 20, Align::TopLeft));
  Strided strided;
  strided.stride = 37;
  Strided both = strided;
  both.causal = false;
  Fixed fixed;
  fixed.causal = false;
  for (const Pattern& pattern :
       {Pattern(Causal{}), Pattern(strided), Pattern(both), Pattern(fixed)})
    for (const Lattice& lattice : latticesOf(lengths, random)) {
      const auto prepared = prepare(pattern, lengths);
      if (!MaskShader::serves(*prepared, lattice))
        continue;
      INFO(description(pattern).name);
      CHECK(wrongPixels(shader, *prepared, lattice) == 0);
    }
}

TEST_CASE("The shader is not asked for what it cannot count") {
  const auto prepared = prepare(Pattern(Causal{}), squareLengths(1 << 24));
  CHECK_FALSE(MaskShader::serves(*prepared, latticeOver(prepared->bounds(), 4, 4)));
  CHECK(MaskShader::serves(*prepared, latticeOver(prepared->bounds(), 1000, 1000)));
}

TEST_CASE("The shader mixes the colours that pixelColor mixes") {
  const gl::HeadlessContext context;
  MaskShader shader{gl::ShaderSources()};
  const auto prepared = prepare(Pattern(Strided{}), squareLengths(5000));
  const Lattice lattice = latticeOver(prepared->bounds(), 200, 300);
  const MaskPalette palette = maskPalette(*prepared, FigureTheme::Light);
  const gl::Framebuffer target(300, 200);
  shader.draw(*prepared, lattice, palette, target);
  const gl::Pixels drawn = target.read();
  const gl::Pixels wanted = coverageImage(computeCoverage(*prepared, lattice), lattice, palette);
  int largest = 0;
  for (int y = 0; y < 200; ++y)
    for (int x = 0; x < 300; ++x)
      for (int c = 0; c < 3; ++c)
        largest = std::max(largest, std::abs(drawn.at(x, 199 - y)[c] - wanted.at(x, y)[c]));
  CHECK(largest <= 2);
}
