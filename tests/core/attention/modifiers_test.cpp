// Score modifiers (T8): the twin against the formula written out, the float path against the twin.
#include "core/attention/dense_softmax.h"
#include "core/attention/implied_matrix.h"
#include "core/attention/modifiers.h"
#include "core/attention/weights.h"
#include "core/pattern/mechanism/bigbird.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/fixed.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/pattern.h"
#include "core/support/error.h"
#include "tests/core/attention/against_twin.h"
#include "tests/core/attention/family_inputs.h"
#include "tests/core/attention/some_modifiers.h"

using namespace attention;

namespace {

// u of T8, term by term.
double scoreByFormula(const ScoreModifiers& m, double product, Index head, Index i, Index j) {
  double bias = 0;
  const auto distance = static_cast<double>(j - i);
  if (const auto* alibi = std::get_if<AlibiBias>(&m.bias)) {
    const auto* slopes = std::get_if<HeadNumbers>(&alibi->slopes);
    const double slope = slopes ? slopes->values[static_cast<std::size_t>(head)]
                                : std::exp2(-8.0 * static_cast<double>(head + 1) / 2);
    bias = alibi->side == AlibiSide::Distance ? -slope * std::abs(distance)
           : alibi->side == AlibiSide::Signed ? slope * distance
                                              : slope * static_cast<double>(j);
  }
  if (const auto* relative = std::get_if<RelativeBias>(&m.bias))
    bias = relative->table[static_cast<std::size_t>(std::clamp<Index>(j - i, -2, 2) + 2)];
  if (const auto* t5 = std::get_if<T5Bias>(&m.bias)) {
    // Counted up with logarithms, as T5 does.
    Index buckets = std::ssize(t5->table);
    Index base = 0;
    Index far = std::max<Index>(i - j, 0);
    if (t5->bidirectional) {
      buckets /= 2;
      base = j > i ? buckets : 0;
      far = std::abs(j - i);
    }
    const Index exact = buckets / 2;
    Index bucket = far;
    if (far >= exact)
      bucket = std::min<Index>(
          buckets - 1, exact + static_cast<Index>(
                                   std::log(static_cast<double>(far) / static_cast<double>(exact)) /
                                       std::log(static_cast<double>(t5->maxDistance) /
                                                static_cast<double>(exact)) *
                                       static_cast<double>(buckets - exact) +
                                   1e-12));
    bias = t5->table[static_cast<std::size_t>(base + bucket)][static_cast<std::size_t>(head)];
  }
  double u = m.scale.value_or(0.5) * product; // d = 4
  if (m.biasFirst)
    u += bias;
  if (m.softcap)
    u = *m.softcap * std::tanh(u / *m.softcap);
  if (!m.biasFirst)
    u += bias;
  return u / m.temperature;
}

} // namespace

TEST_CASE("modified attention is the formula's in outputs, weights, log sums and sinks") {
  const Index n = 26;
  const RandomQkv<double> in(n, n, 4, 3, 21, 1.5);
  Fixed fixed;
  fixed.stride = 5;
  fixed.head = Factor::Second; // its first rows are empty
  for (const ScoreModifiers& modifiers : someModifiers())
    for (const Pattern& pattern : {Pattern(Full{}), Pattern(Causal{}), Pattern(fixed)})
      for (const Index head : {0, 1}) {
        const auto prepared = prepare(pattern, squareLengths(n));
        const AttendOptions options = optionsOf(modifiers, head, 2, n);
        const auto result = attend(*prepared, in.qView(), in.kView(), in.vView(), options);
        const Scoring scoring = scoringOf(options, 4, prepared->lengths());
        const WeightSource<double> source{*prepared, in.qView(), in.kView(), result.lse, scoring};
        const Matrix<double> weights = weightsOf(source, prepared->bounds());
        const Matrix<double> implied =
            impliedByPattern<double>(*prepared, in.qView(), in.kView(), options).rowsAt(0, n);
        const std::vector<double> keyLse = lseOfKeys(result);
        for (Index i = 0; i < n; ++i) {
          const auto r = static_cast<std::size_t>(i);
          double keys = 0;
          std::vector<double> p(static_cast<std::size_t>(n));
          for (Index j = 0; j < n; ++j) {
            double dot = 0;
            for (Index x = 0; x < 4; ++x)
              dot += in.q(i, x) * in.k(j, x);
            if (prepared->contains(i, j))
              keys += p[static_cast<std::size_t>(j)] =
                  std::exp(scoreByFormula(modifiers, dot, head, i, j));
          }
          const double sink = modifiers.sink ? std::exp(modifiers.sink->of(head)) : 0;
          const double all = keys + sink;
          if (all > 0)
            CHECK(result.lse[r] == Approx(std::log(all)).margin(1e-12));
          if (keys > 0)
            CHECK(keyLse[r] == Approx(std::log(keys)).margin(1e-12));
          for (Index x = 0; x < 3; ++x) {
            double out = 0;
            for (Index j = 0; j < n; ++j)
              out += all > 0 ? p[static_cast<std::size_t>(j)] / all * in.v(j, x) : 0;
            CHECK(result.out(i, x) == Approx(out).margin(1e-11));
          }
          for (Index j = 0; j < n; ++j) {
            const double weight = all > 0 ? p[static_cast<std::size_t>(j)] / all : 0;
            CHECK(weights(i, j) == Approx(weight).margin(1e-12));
            CHECK(implied(i, j) == Approx(weight).margin(1e-12));
            CHECK(weightAt(source, i, j) == Approx(weight).margin(1e-12));
          }
        }
      }
}

TEST_CASE(
    "modified attention in floats is the twin's over the whole family on every kind of vector") {
  const Index n = 90;
  onEveryKindOfVectors([n](const std::string&) {
    Dice dice(77);
    forEachMechanism(
        dice, n, 1, [n](std::size_t m) { return RandomQkv<float>(n, n, 5, 3, 40 + m, 2); },
        [n](const Prepared& pattern, const RandomQkv<float>& in) {
          int number = 0;
          for (const ScoreModifiers& modifiers : someModifiers()) {
            if (pattern.branches() && modifiers.hasBias())
              continue; // means of keys have no position
            INFO("modifiers " << number++);
            checkAgainstTwin(pattern, in, optionsOf(modifiers, 1, 2, n));
          }
        });
  });
}

TEST_CASE("a bias counts tokens where a mask is aligned at the bottom right") {
  const RandomQkv<float> in(30, 70, 6, 4, 9);
  Local local;
  local.window = 20;
  for (const ScoreModifiers& modifiers : someModifiers()) {
    const AttendOptions options = optionsOf(modifiers, 0, 2, 70);
    const auto cut = prepare(local, alignedLengths(30, 70, Align::BottomRight));
    checkAgainstTwin(*cut, in, options);
    // The last 30 rows of the square mask are the same queries.
    RandomQkv<float> square(70, 70, 6, 4, 9);
    square.k = in.k;
    square.v = in.v;
    for (Index i = 0; i < 30; ++i)
      for (Index c = 0; c < 6; ++c)
        square.q(40 + i, c) = in.q(i, c);
    const auto whole = attend(*prepare(local, squareLengths(70)), square.qView(), square.kView(),
                              square.vView(), options);
    const auto some = attend(*cut, in.qView(), in.kView(), in.vView(), options);
    for (Index i = 0; i < 30; ++i)
      for (Index c = 0; c < 4; ++c)
        CHECK(some.out(i, c) == Approx(whole.out(40 + i, c)).margin(1e-5));
  }
}

TEST_CASE("modified attention gives the same bits at any number of threads", "[threads]") {
  const Index n = 700;
  const RandomQkv<float> in(n, n, 8, 4, 6);
  for (const ScoreModifiers& modifiers : someModifiers())
    for (const Pattern& pattern : {Pattern(Causal{}), Pattern(BigBird{})}) {
      const auto prepared = prepare(pattern, squareLengths(n));
      AttendOptions options = optionsOf(modifiers, 0, 2, n, 1);
      const auto one = attend(*prepared, in.qView(), in.kView(), in.vView(), options);
      options.threads = 3;
      CHECK(sameBits(one, attend(*prepared, in.qView(), in.kView(), in.vView(), options)));
    }
}

TEST_CASE("dense attention takes the modifiers of exact attention") {
  const Index n = 70;
  const RandomQkv<double> in(n, n, 4, 3, 8, 2);
  for (const ScoreModifiers& modifiers : someModifiers())
    for (const bool causal : {false, true}) {
      const AttendOptions options = optionsOf(modifiers, 0, 2, n);
      const auto mask =
          causal ? prepare(Causal{}, squareLengths(n)) : prepare(Full{}, squareLengths(n));
      const auto exact = attend(*mask, in.qView(), in.kView(), in.vView(), options);
      const auto dense = denseSoftmax(in.qView(), in.kView(), in.vView(),
                                      {scoringOf(options, 4, mask->lengths()), causal, 1});
      for (std::size_t x = 0; x < exact.out.values().size(); ++x)
        CHECK(dense.out.values()[x] == Approx(exact.out.values()[x]).margin(1e-12));
      for (std::size_t i = 0; i < exact.lse.size(); ++i)
        CHECK(dense.lse[i] == Approx(exact.lse[i]).margin(1e-12));
    }
}

TEST_CASE("modifiers that do not fit are refused by name") {
  const auto error = [](const ScoreModifiers& modifiers, Index heads) {
    try {
      optionsOf(modifiers, 0, heads, 10);
    } catch (const Error& found) {
      return std::string(name(found.code())) + " " + found.subject();
    }
    return std::string();
  };
  ScoreModifiers modifiers;
  modifiers.sink = HeadNumbers{{1}};
  CHECK(error(modifiers, 2) == "E_SHAPE modifiers.sink");
  CHECK(error(modifiers, 1).empty());
  modifiers.sink = HeadNumbers{{1}, true};
  CHECK(error(modifiers, 2).empty());
  modifiers.temperature = 0;
  CHECK(error(modifiers, 2) == "E_RANGE modifiers.temperature");
  modifiers = {};
  modifiers.softcap = -1;
  CHECK(error(modifiers, 2) == "E_RANGE modifiers.softcap");
  modifiers = {};
  modifiers.bias = AlibiBias{HeadNumbers{{1, 2, 3}}};
  CHECK(error(modifiers, 2) == "E_SHAPE modifiers.bias.slopes");
  modifiers.bias = RelativeBias{{1, 2}};
  CHECK(error(modifiers, 2) == "E_SHAPE modifiers.bias.table");
  modifiers.bias = someT5(7, 2, true);
  CHECK(error(modifiers, 2).starts_with("E_RANGE"));
  modifiers.bias = someT5(8, 2, true);
  CHECK(error(modifiers, 3) == "E_SHAPE modifiers.bias.table[0]");
  modifiers = {};
  modifiers.scale = std::numeric_limits<double>::infinity();
  CHECK(error(modifiers, 1) == "E_NONFINITE modifiers.scale");
}
