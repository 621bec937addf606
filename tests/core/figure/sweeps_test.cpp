// What a sweep offers by default can be prepared, for the numbers of every mechanism.
#include "core/pattern/mechanism/graph.h"
#include "core/pattern/mechanism/lsh.h"
#include "core/support/error.h"
#include "core/views/animation.h"
#include "tests/catch.h"
#include "tests/core/pattern/random_pattern.h"

using namespace attention;

namespace {

constexpr Index kTokens = 16;

// "" where the pattern can be prepared for n tokens, else what is wrong.
std::string problemOf(const Pattern& pattern, Index n) {
  try {
    prepare(pattern, squareLengths(n), randomData(n));
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

// The mechanism with its defaults, and with every value of every choice, where possible.
std::vector<Pattern> variantsOf(const Pattern& mechanism) {
  std::vector<Pattern> all{mechanism};
  for (const Parameter& parameter : description(mechanism).parameters)
    for (const Choice& choice : parameter.choices) {
      Pattern chosen = mechanism;
      parameter.set(chosen, Value(choice.value));
      all.push_back(std::move(chosen));
    }
  std::erase_if(all, [](const Pattern& pattern) { return !problemOf(pattern, kTokens).empty(); });
  return all;
}

// Chunks that divide the tokens, for chunks that wrap over all rounds.
Pattern withChunks(Pattern pattern) {
  if (auto* lsh = pattern.as<Lsh>())
    lsh->chunk = kTokens / 4;
  return pattern;
}

void checkFrames(const Pattern& pattern) {
  Scene scene;
  scene.pattern = pattern;
  for (const std::string& name : sweepsOf(scene, kTokens)) {
    const Frames frames = framesOf(scene, {name}, kTokens);
    for (std::size_t k = 0; k < frames.values.size(); ++k) {
      INFO(shortText(pattern) << ": " << name << " = " << frames.values[k]);
      const Scene& frame = frames.scenes[k];
      CHECK(problemOf(frame.pattern, frame.length.n.value_or(kTokens)).empty());
    }
  }
}

} // namespace

TEST_CASE("Every value that a sweep of any mechanism offers can be prepared", "[animation]") {
  for (const Pattern& mechanism : allMechanisms())
    for (const Pattern& pattern : variantsOf(withChunks(mechanism)))
      checkFrames(pattern);
}

TEST_CASE("The rows of a grid sweep through the divisors of n", "[animation]") {
  Scene scene;
  Graph graph;
  graph.kind = Graph::Kind::Grid;
  scene.pattern = graph;
  CHECK(framesOf(scene, {"rows"}, 16).values == std::vector<double>{1, 2, 4, 8});
}

TEST_CASE("Chunks that wrap over all rounds sweep through the divisors of n", "[animation]") {
  using Values = std::vector<double>;
  Scene scene;
  Lsh lsh;
  lsh.chunk = 4;
  lsh.lookback = Lsh::Lookback::WrapAll;
  scene.pattern = lsh;
  CHECK(framesOf(scene, {"chunk"}, 16).values == Values{1, 2, 4, 8});
  CHECK(framesOf(scene, {"n"}, 16).values == Values{4, 8, 12, 16});
}
