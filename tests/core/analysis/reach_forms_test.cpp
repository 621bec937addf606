// The closed forms and published numbers of receptive fields (S10), and attention rollout.
#include "core/analysis/reach/reach.h"
#include "core/analysis/reach/reach_forms.h"
#include "core/analysis/reach/rollout.h"
#include "core/pattern/mechanism/all.h"
#include "core/support/error.h"
#include "tests/catch.h"
#include "tests/core/pattern/random_pattern.h"

using namespace attention;

namespace {

LayerStack stackOf(const std::vector<Pattern>& layers, Index n, bool residual) {
  LayerStack stack;
  for (const Pattern& layer : layers)
    stack.patterns.push_back(prepare(layer, squareLengths(n), randomData(n)));
  stack.residual = residual;
  return stack;
}

BitMatrix reachOf(const std::vector<Pattern>& layers, Index n, bool residual) {
  return receptiveField(stackOf(layers, n, residual), static_cast<Index>(layers.size()), 1).reach;
}

BitMatrix maskOf(const Pattern& pattern, Index n) {
  const auto p = prepare(pattern, squareLengths(n), randomData(n));
  return bitMatrix(n, [&](Index i, KeyRanges& ranges) { p->row(i, ranges); }, false, 1, {});
}

Index reached(const std::vector<Pattern>& layers, bool residual) {
  const Index n = 36;
  return receptiveField(stackOf(layers, n, residual), static_cast<Index>(layers.size()), 1)
      .layers.back()
      .pairs;
}

Strided strided(Factor head, Strided::Reading reading = Strided::Reading::Paper) {
  return {6, head, reading, true};
}
Fixed fixed(Factor head, Index columns) {
  return {6, columns, 0, head};
}

Pattern formOrFail(const std::vector<Pattern>& layers, Index n, bool residual) {
  const auto form = reachForm(layers, n, residual);
  REQUIRE(form.has_value());
  return *form;
}

} // namespace

TEST_CASE("closed forms hold for random stacks of every mechanism", "[reach]") {
  const int mechanism = GENERATE(range(0, static_cast<int>(allMechanisms().size())));
  int forms = 0;
  for (int seed = 0; seed < 60; ++seed) {
    Dice dice(100 * mechanism + seed);
    const Index n = dice.within(1, 26);
    const Pattern pattern = randomPattern(dice, static_cast<std::size_t>(mechanism), n);
    std::vector<Pattern> layers(static_cast<std::size_t>(dice.within(1, 4)), pattern);
    if (dice.chance(3)) // another one of the same kind
      layers.push_back(randomPattern(dice, static_cast<std::size_t>(mechanism), n));
    const bool residual = dice.chance(2);
    const auto form = reachForm(layers, n, residual);
    if (!form)
      continue;
    ++forms;
    INFO(shortText(pattern) << " and " << shortText(layers.back()) << ", " << layers.size()
                            << " layers, n = " << n << ", residual " << residual << ": "
                            << shortText(*form));
    REQUIRE(maskOf(*form, n) == reachOf(layers, n, residual));
  }
  CHECK(forms > 0);
}

TEST_CASE("longest paths of closed forms are those of random patterns of every mechanism",
          "[reach]") {
  const int mechanism = GENERATE(range(0, static_cast<int>(allMechanisms().size())));
  for (int seed = 0; seed < 150; ++seed) {
    Dice dice(1000 * mechanism + seed);
    const Index n = dice.within(1, 26);
    const Pattern pattern = randomPattern(dice, static_cast<std::size_t>(mechanism), n);
    const bool residual = dice.chance(2);
    const auto longest = maximumPathForm(pattern, n, residual);
    if (!longest)
      continue;
    INFO(shortText(pattern) << ", n = " << n << ", residual " << residual);
    CHECK(*longest == maximumPath(stackOf({pattern}, n, residual), 1));
  }
}

TEST_CASE("the longest path is given at any length for which there is a closed form", "[reach]") {
  const Index n = Index{1} << 24;
  Graph ring;
  ring.kind = Graph::Kind::Ring;
  ring.k = 4096;
  CHECK(maximumPathForm(Strided{}, n, true) == 2);
  CHECK(maximumPathForm(Strided{{}, Factor::Second}, n, true) == 1);
  CHECK(maximumPathForm(Fixed{}, n, true) == 2);
  CHECK(maximumPathForm(Fixed{{}, {}, 0, Factor::First}, n, true) == 1);
  CHECK(maximumPathForm(Longformer{}, n, true) == 2);
  CHECK(maximumPathForm(BigBird{}, n, true) == 2);
  CHECK(maximumPathForm(PrefixLm{5}, n, true) == 1);
  CHECK(maximumPathForm(Sinks{4, 1025}, n, true) == 16384); // 2^24 − 5 tokens by steps of 1024
  CHECK(maximumPathForm(ring, n, true) == 2048);
  CHECK(maximumPathForm(BlockLocal{64, 2, 1}, n, true) == 262143);
  CHECK_FALSE(maximumPathForm(VerticalSlash{}, n, true));
}

TEST_CASE("mixed stacks of windows and factors have the closed forms of the table", "[reach]") {
  const Index n = 40;
  const auto law = [&](const std::vector<Pattern>& layers, bool residual) {
    CHECK(maskOf(formOrFail(layers, n, residual), n) == reachOf(layers, n, residual));
  };
  for (const bool residual : {true, false}) {
    law({Local{5, true}, SlidingWindow{3, 2}, Dilated{2, 4, 1}}, residual);
    law({Dilated{2, 1, 3}, Dilated{1, 0, 3}}, residual);
    law({SlidingWindow{n - 1, n - 1}, Pattern(Longformer{})}, residual); // the whole square at once
    for (const auto reading : {Strided::Reading::Paper, Strided::Reading::Code}) {
      const Pattern a1 = strided(Factor::First, reading);
      const Pattern a2 = strided(Factor::Second, reading);
      const Pattern both = strided(Factor::Union, reading);
      for (const auto& layers : {std::vector{a1, a2},
                                 {a2, a1},
                                 {both, both},
                                 {both, both, both},
                                 {a2, a2, a2},
                                 {a1, a1},
                                 {a1, a2, both}})
        law(layers, residual);
      law({Strided{7, Factor::First, reading, false}, Strided{7, Factor::Second, reading, false}},
          residual);
    }
    law({Fixed{7, 2}, Fixed{7, 2}, Fixed{7, 2}}, residual);
    law({Sinks{2, 4}, Sinks{2, 3, Sinks::Reading::Inclusive}}, residual);
    law({Causal{}, Fixed{5, 1}}, residual);
  }
  law({Fixed{7, 2, 0, Factor::First}, Fixed{7, 2, 0, Factor::Second}}, true);
  law({Fixed{7, 2, 1, Factor::Second}, Fixed{7, 2, 1, Factor::First}}, true);
  law({Fixed{7, 2, 0, Factor::Second}}, true);
  CHECK_FALSE(reachForm(std::vector<Pattern>{Strided{5}, Local{3}}, n, true));
}

TEST_CASE("the sparse transformer with 36 tokens and stride 6 has the paper's numbers", "[reach]") {
  using R = Strided::Reading;
  CHECK(reached({strided(Factor::First)}, false) == 231);
  CHECK(reached({strided(Factor::First, R::Code)}, false) == 201);
  CHECK(reached({strided(Factor::Second)}, false) == 126);
  CHECK(reached({strided(Factor::Union)}, false) == 291);
  CHECK(reached({strided(Factor::Union, R::Code)}, false) == 291);
  for (const R reading : {R::Paper, R::Code})
    for (const bool residual : {true, false}) {
      const Strided a1 = strided(Factor::First, reading);
      const Strided a2 = strided(Factor::Second, reading);
      CHECK(reached({a1, a2}, residual) == 666);
      CHECK(reached({a2, a1}, residual) == 666);
    }
  const Index unions[] = {216, 306, 396};
  const Index second[] = {96, 198, 306};
  for (const Index c : {1, 2, 3}) {
    CHECK(reached({fixed(Factor::First, c)}, false) == 126);
    CHECK(reached({fixed(Factor::Second, c)}, false) == second[c - 1]);
    CHECK(reached({fixed(Factor::Union, c)}, false) == unions[c - 1]);
  }
  const Index order[] = {576, 606};
  for (const Index c : {1, 2}) {
    const Fixed h1 = fixed(Factor::First, c);
    const Fixed h2 = fixed(Factor::Second, c);
    CHECK(reached({h1, h2}, false) == order[c - 1]);
    CHECK(reached({h1, h2}, true) == 666);
    CHECK(reached({h2, h1}, true) == unions[c - 1]);
    CHECK(reached({h2, h1, h2}, true) == 666);
  }
}

TEST_CASE("other sub-blocks by themselves never reach the ends of earlier blocks", "[reach]") {
  const Index n = 31;
  const Index l = 6;
  const Index c = 2;
  for (const Index h : {1, 2}) {
    const BitMatrix reach = reachOf(std::vector<Pattern>(6, Fixed{l, c, h}), n, true);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        CHECK(reach(i, j) == (j <= i && (i / l == j / l || j % l < l - h * c)));
  }
}

TEST_CASE("windows of Mistral span what the paper says after 32 layers", "[reach]") {
  const auto span = [](const Pattern& layer) {
    const std::vector<Pattern> layers(32, layer);
    const Index n = Index{1} << 20;
    const auto form = prepare(formOrFail(layers, n, true), squareLengths(n));
    return form->rowCount(n - 1, 0, n);
  };
  CHECK(span(Local{4096, true}) == 131041);
  CHECK(span(SlidingWindow{4096, 0}) == 131073);
  CHECK(prepare(Local{3, true}, squareLengths(5))->pairs() == 12);
  CHECK(prepare(SlidingWindow{3, 0}, squareLengths(5))->pairs() == 14);
}

TEST_CASE("WaveNet layers reach sixteen tokens", "[reach]") {
  std::vector<Pattern> layers{SlidingWindow{1, 0}};
  for (const Index r : {1, 2, 4, 8})
    layers.push_back(Dilated{1, 0, r});
  const BitMatrix reach = reachOf(layers, 40, true);
  CHECK(countBits(reach.row(39), 0, 40) == 17);
  layers.erase(layers.begin());
  CHECK(countBits(reachOf(layers, 40, true).row(39), 0, 40) == 16);
}

TEST_CASE("rollout multiplies mixed weights and is zero outside the reach", "[reach]") {
  const Index n = 7;
  Dice dice(4);
  std::vector<Matrix<double>> weights;
  const std::vector<Pattern> layers{Local{3, true}, Strided{3}, Local{2, false}};
  for (const Pattern& layer : layers) {
    const auto p = prepare(layer, squareLengths(n));
    Matrix<double> a(n, n);
    for (Index i = 0; i < n; ++i) {
      double sum = 0;
      for (Index j = 0; j < n; ++j)
        sum += a(i, j) = p->contains(i, j) ? static_cast<double>(dice.within(1, 9)) : 0;
      for (Index j = 0; j < n; ++j)
        a(i, j) /= sum;
    }
    weights.push_back(std::move(a));
  }
  const Matrix<double> rollout = attentionRollout(weights);
  const BitMatrix reach = reachOf(layers, n, true);
  Matrix<double> expected(n, n);
  for (Index i = 0; i < n; ++i)
    expected(i, i) = 1;
  for (const Matrix<double>& a : weights) {
    Matrix<double> next(n, n);
    for (Index i = 0; i < n; ++i)
      for (Index k = 0; k < n; ++k)
        for (Index j = 0; j < n; ++j)
          next(i, j) += (0.5 * a(i, k) + (i == k ? 0.5 : 0)) * expected(k, j);
    expected = next;
  }
  for (Index i = 0; i < n; ++i) {
    double sum = 0;
    for (Index j = 0; j < n; ++j) {
      CHECK(rollout(i, j) == Approx(expected(i, j)).margin(1e-15));
      CHECK((rollout(i, j) > 0) == reach(i, j));
      sum += rollout(i, j);
    }
    CHECK(sum == Approx(1));
  }
}

TEST_CASE("rollout keeps tokens without weights and refuses what does not fit", "[reach]") {
  std::vector<Matrix<double>> empty{Matrix<double>(3, 3)};
  const Matrix<double> kept = attentionRollout(empty);
  CHECK(kept(1, 1) == 1);
  CHECK(kept(1, 0) == 0);
  CHECK(attentionRollout(empty, 0)(1, 1) == 0);
  CHECK_THROWS_AS(attentionRollout(empty, 1.5), Error);
  empty.emplace_back(2, 2);
  CHECK_THROWS_AS(attentionRollout(empty), Error);
  CHECK_THROWS_AS(attentionRollout({}), Error);
}

TEST_CASE("rollout of blocks of rows is the same bits at any number of threads", "[reach]") {
  const Index n = 150;
  Dice dice(8);
  std::vector<Matrix<double>> weights;
  for (int t = 0; t < 3; ++t) {
    Matrix<double> a(n, n);
    for (Index x = 0; x < n * n; ++x)
      a.data()[x] = static_cast<double>(dice.within(0, 9)) / (4.5 * n);
    weights.push_back(std::move(a));
  }
  const Matrix<double> one = attentionRollout(weights, 0.5, 1);
  CHECK(attentionRollout(weights, 0.5, 3) == one);
  // The first layer takes no product; each other one multiplies the one below by its own.
  Matrix<double> below = rolloutThrough(weights[0], nullptr);
  CHECK(below == attentionRollout(std::span(weights).first(1)));
  const Matrix<double> two = rolloutThrough(weights[1], &below);
  const Matrix<double> upper = rolloutThrough(weights[1], nullptr);
  for (const Index i : {Index{0}, Index{63}, Index{64}, n - 1})
    for (const Index j : {Index{0}, Index{70}, n - 1}) {
      double sum = 0;
      for (Index k = 0; k < n; ++k)
        sum += upper(i, k) * below(k, j);
      CHECK(two(i, j) == Approx(sum).epsilon(1e-12));
    }
}

TEST_CASE("rollout can be stopped within the product of a layer", "[reach]") {
  const Index n = 400;
  const std::vector<Matrix<double>> weights(2, Matrix<double>(n, n));
  std::stop_source source;
  Run run{source.get_token(), {}};
  double last = 0;
  run.progress = [&](double share) {
    last = share;
    if (share > 0.6)
      source.request_stop();
  };
  CHECK_THROWS_AS(attentionRollout(weights, 0.5, 1, run), Stopped);
  CHECK(last < 0.8); // the second of two layers is not done
}
