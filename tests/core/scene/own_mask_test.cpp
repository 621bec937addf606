// The model's own mask as what patterns are measured against.
#include "core/analysis/metrics.h"
#include "core/pattern/mechanism/bigbird.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/composed.h"
#include "core/pattern/mechanism/document.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/given_mask.h"
#include "core/pattern/mechanism/graph.h"
#include "core/pattern/mechanism/local.h"
#include "core/scene/own_mask.h"
#include "core/support/philox.h"
#include "tests/catch.h"
#include "tests/core/input/own_masks_for_tests.h"

using namespace attention;
using namespace attention::test;

namespace {

// The cells with j ≤ i whose sum is even.
Pattern evenCells(Index n) {
  MaskSource source;
  source.rows = source.cols = n;
  source.read = true;
  std::vector<QueryRun> runs;
  for (std::int32_t i = 0; i < n; ++i)
    for (std::int32_t j = i % 2; j <= i; j += 2)
      runs.push_back({i, j, j + 1});
  source.runs = std::move(runs);
  return GivenMask{std::move(source)};
}

} // namespace

TEST_CASE("a model's mask is the base: full, causal, or its own") {
  const Lengths lengths = squareLengths(8);
  CHECK(*ownBase(withMasks({Pattern(Full{true})}, 8), 0, lengths) == Base::Causal);
  const Input input =
      withMasks({Pattern(Full{}), Pattern(Causal{}), causalBand(3), evenCells(8)}, 8);
  CHECK(*ownBase(input, 0, lengths) == Base::Full);
  CHECK(*ownBase(input, 1, lengths) == Base::Causal);
  for (const Index layer : {2, 3}) {
    const Base base = *ownBase(input, layer, lengths);
    CHECK(name(base) == "own");
    CHECK(base.past);
    const auto cells = baseOf(base, lengths);
    for (Index i = 0; i < 8; ++i)
      for (Index j = 0; j < 8; ++j)
        CHECK(cells->contains(i, j) == (j <= i && (layer == 2 ? i - j < 3 : (i + j) % 2 == 0)));
  }
  CHECK_FALSE(ownBase(withMasks({}, 8), 0, lengths));
  CHECK_FALSE(ownBase(withMasks({patternNamed("topk")}, 8), 0, lengths)); // depends on the data
  CHECK_FALSE(ownBase(input, 0, squareLengths(9)));
}

TEST_CASE("a mask array is cut to the queries and keys that are shown") {
  const Input input = withMasks({evenCells(9)}, 9);
  const auto cut = baseOf(*ownBase(input, 0, squareLengths(5)), squareLengths(5));
  for (Index i = 0; i < 5; ++i)
    for (Index j = 0; j < 5; ++j)
      CHECK(cut->contains(i, j) == (j <= i && (i + j) % 2 == 0));
}

TEST_CASE("a model's mask can be cut to fewer tokens, whatever it is made of") {
  constexpr Index kAll = 12;
  Document documents;
  documents.lengths = IndexList({5, 0, 7});
  Document other;
  other.ids = IndexList({1, 1, 2, 2, 2, 1, 3, 3, 3, 3, 3, 1});
  Graph graph;
  graph.kind = Graph::Kind::Edges;
  graph.edges = PairList({{0, 11}, {3, 4}, {2, 9}});
  BigBird ends; // its last global block is the last of all
  ends.blockSize = 2;
  ends.randomBlocks = 0;
  for (const Pattern& own :
       {Pattern(ends), patternNamed("strided"), Pattern(documents), Pattern(other), Pattern(graph),
        evenCells(kAll), Pattern(Compose(Operation::Complement, {evenCells(kAll)})),
        Pattern(Compose(Operation::Union, {Pattern(documents), causalBand(2)}))}) {
    CAPTURE(shortText(own));
    const Input input = withMasks({own}, kAll);
    const auto whole = prepare(own, squareLengths(kAll));
    for (const Index keys : {1, 5, 9, 12})
      for (Index firstRow = 0; firstRow < keys; firstRow += 4) {
        const Lengths lengths{keys - firstRow, keys, firstRow};
        const std::optional<Pattern> cut = ownPattern(input, 0, lengths, firstRow);
        REQUIRE(cut);
        const auto cells = prepare(*cut, lengths);
        for (Index i = 0; i < lengths.queries; ++i)
          for (Index j = 0; j < keys; ++j)
            REQUIRE(cells->contains(i, j) == whole->contains(firstRow + i, j));
        CHECK(ownBase(input, 0, lengths, firstRow));
      }
  }
  // Its lengths do not sum to the input's either: nothing to measure against, and no exception.
  CHECK_FALSE(ownBase(withMasks({Pattern(documents)}, 13), 0, squareLengths(9)));
}

TEST_CASE("captured mass against the model's mask counts only that mask's keys") {
  const Index n = 12;
  const auto drawn = [](std::uint64_t seed) {
    const philox::Stream stream{seed, philox::Purpose::Data, 0};
    Matrix<double> m(12, 4);
    for (Index k = 0; k < 48; ++k)
      m.data()[k] = philox::normal(stream, static_cast<std::uint64_t>(k));
    return m;
  };
  const Matrix<double> q = drawn(5);
  const Matrix<double> k = drawn(6);
  const Base base = ownBase(causalBand(4), squareLengths(n));
  Local two;
  two.window = 2;
  two.causal = false; // keys after the query too, which the base does not have
  const auto pattern = prepare(two, squareLengths(n));
  const auto mass = capturedMass<double>(pattern, q.view(), k.view(), base);
  for (Index i = 0; i < n; ++i) {
    double all = 0;
    double kept = 0;
    for (Index j = std::max<Index>(0, i - 3); j <= i; ++j) {
      double s = 0;
      for (Index c = 0; c < 4; ++c)
        s += q(i, c) * k(j, c);
      all += std::exp(s / 2);
      kept += pattern->contains(i, j) ? std::exp(s / 2) : 0;
    }
    CHECK(mass.rows[static_cast<std::size_t>(i)] == Approx(kept / all));
  }
}

TEST_CASE("a scene's choice takes precedence over the model's mask") {
  const Input input = withMasks({causalBand(3)}, 8);
  const Lengths lengths = squareLengths(8);
  CHECK(*baseFor(AttentionBase::Full, input, 0, lengths) == Base::Full);
  CHECK(*baseFor(AttentionBase::Causal, input, 0, lengths) == Base::Causal);
  CHECK(name(*baseFor(AttentionBase::Meaningful, input, 0, lengths)) == "own");
}

TEST_CASE("a window begins with the pattern of the chosen layer, or with the file of its mask") {
  const Input input = withMasks({causalBand(3), evenCells(8)}, 8);
  InputSpec spec;
  CHECK(*beginningPattern(input, spec) == causalBand(3));
  spec.batch = 1;
  CHECK_FALSE(beginningPattern(input, spec)); // a Scene holds no cells
  FileInput files;
  files.input = "model.npz";
  spec.source = files;
  const std::optional<Pattern> own = beginningPattern(input, spec);
  REQUIRE(own);
  CHECK(own->as<GivenMask>()->mask->file == "model.npz[batch=1]");
}
