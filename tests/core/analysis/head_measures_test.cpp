// What heads do, against the definitions written out plainly.
#include "core/analysis/base.h"
#include "core/analysis/heads/head_measures.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"
#include "tests/core/attention/random_matrix.h"
#include "tests/core/attention/some_modifiers.h"
#include "tests/core/pattern/pattern_text.h"
#include "tests/core/pattern/random_pattern.h"

#include <cmath>

using namespace attention;

namespace {

// Weights over the keys of a base, slow and simple by design.
Matrix<double> plainWeights(const Prepared& base, const RandomQkv<double>& in,
                            const Scoring& scoring) {
  Matrix<double> p(in.q.rows(), in.k.rows());
  for (Index i = 0; i < p.rows(); ++i) {
    double sum = scoring.sink ? std::exp(*scoring.sink) : 0;
    for (Index j = 0; j < p.cols(); ++j) {
      double dot = 0;
      for (Index c = 0; c < in.q.cols(); ++c)
        dot += in.q(i, c) * in.k(j, c);
      p(i, j) = base.contains(i, j) ? std::exp(scoring(dot, i, j)) : 0;
      sum += p(i, j);
    }
    for (Index j = 0; j < p.cols() && sum > 0; ++j)
      p(i, j) /= sum;
  }
  return p;
}

// Σ over some keys, averaged over the queries that `counts` admits; nothing if there are none.
template <class Counts, class Takes>
std::optional<double> plainMean(const Matrix<double>& p, const Counts& counts, const Takes& takes) {
  double sum = 0;
  Index queries = 0;
  for (Index i = 0; i < p.rows(); ++i) {
    if (!counts(i))
      continue;
    ++queries;
    for (Index j = 0; j < p.cols(); ++j)
      sum += takes(i, j) ? p(i, j) : 0;
  }
  return queries > 0 ? std::optional(sum / static_cast<double>(queries)) : std::nullopt;
}

// The definitions of the command line's contract, query i being token i + offset.
HeadMeasures plainMeasures(const Matrix<double>& p, Index offset, Index near,
                           const std::vector<Index>& tokens) {
  const auto token = [&](Index i) { return i + offset; };
  const auto word = [&](Index t) {
    return t >= 0 && t < std::ssize(tokens) ? tokens[static_cast<std::size_t>(t)] : -1 - t;
  };
  const auto all = [](Index) { return true; };
  const auto follows = [&](Index i) { return token(i) >= 1; };
  const auto before = [&](Index i, Index j) {
    return j < token(i) && token(i) < p.cols() && word(j) == word(token(i));
  };
  const auto repeats = [&](Index i) {
    for (Index j = 0; j < p.cols(); ++j)
      if (before(i, j))
        return true;
    return false;
  };
  HeadMeasures m;
  m.self = *plainMean(p, all, [&](Index i, Index j) { return j == token(i); });
  m.previous = plainMean(p, follows, [&](Index i, Index j) { return j == token(i) - 1; });
  m.first = plainMean(p, follows, [](Index, Index j) { return j == 0; });
  m.within = *plainMean(p, all, [&](Index i, Index j) { return std::abs(token(i) - j) <= near; });
  m.beyond = 1 - m.within;
  for (Index i = 0; i < p.rows(); ++i) {
    double sum = 0; // less than 1 where there is a sink
    for (const double weight : p.view().row(i))
      sum += weight;
    for (const double weight : p.view().row(i))
      m.entropy -=
          weight > 0 ? weight / sum * std::log(weight / sum) / static_cast<double>(p.rows()) : 0;
  }
  if (tokens.empty())
    return m;
  m.previousOccurrence = plainMean(p, repeats, before);
  m.induction = plainMean(p, repeats, [&](Index i, Index j) { return j >= 1 && before(i, j - 1); });
  return m;
}

void checkEqual(const std::optional<double>& a, const std::optional<double>& b) {
  REQUIRE(a.has_value() == b.has_value());
  if (a)
    CHECK(*a == Approx(*b).margin(1e-12));
}

void checkMeasures(const HeadMeasures& measured, const HeadMeasures& plain) {
  CHECK(measured.self == Approx(plain.self).margin(1e-12));
  CHECK(measured.within == Approx(plain.within).margin(1e-12));
  CHECK(measured.beyond == Approx(plain.beyond).margin(1e-12));
  CHECK(measured.entropy == Approx(plain.entropy).margin(1e-12));
  checkEqual(measured.previous, plain.previous);
  checkEqual(measured.first, plain.first);
  checkEqual(measured.previousOccurrence, plain.previousOccurrence);
  checkEqual(measured.induction, plain.induction);
}

std::vector<Index> randomTokens(Dice& dice, Index n, Index kinds) {
  std::vector<Index> tokens;
  for (Index t = 0; t < n; ++t)
    tokens.push_back(dice.within(1, kinds));
  return tokens;
}

} // namespace

TEST_CASE("measures of heads are what their definitions say") {
  const Index n = GENERATE(1, 2, 7, 40, 90);
  const Index near = GENERATE(0, 1, 8, 1000);
  Dice dice(static_cast<int>(100 * n + near));
  const RandomQkv<double> in(n, n, 5, 1, static_cast<std::uint64_t>(n), 2);
  const std::vector<Index> tokens = randomTokens(dice, n, 1 + n / 3);
  const TokenRepeats repeats(tokens);
  const std::vector<ScoreModifiers> modifiers = someModifiers();
  AttendOptions options;
  if (dice.chance(2))
    options.softcap = 2;
  else
    options = optionsOf(
        modifiers[static_cast<std::size_t>(dice.within(0, std::ssize(modifiers) - 1))], 1, 2, n);
  for (const char* name : {"full", "causal", "local", "strided", "bigbird"}) {
    const auto base = prepare(patternNamed(name), squareLengths(n));
    INFO(name << " at n = " << n << ", near = " << near);
    const Matrix<double> p = plainWeights(*base, in, scoringOf(options, 5, base->lengths()));
    checkMeasures(headMeasures({*base, &repeats, near}, in.qView(), in.kView(), options),
                  plainMeasures(p, 0, near, tokens));
    checkMeasures(headMeasures({*base, nullptr, near}, in.qView(), in.kView(), options),
                  plainMeasures(p, 0, near, {}));
    if (!options.sink) // ready weights are normalised
      checkMeasures(headMeasures({*base, &repeats, near}, p), plainMeasures(p, 0, near, tokens));
  }
}

TEST_CASE("measures of rectangular masks are those of the tokens that queries act as") {
  const Index queries = GENERATE(1, 5, 30);
  const Index keys = GENERATE(1, 6, 33);
  const auto align = GENERATE(Align::TopLeft, Align::BottomRight);
  Dice dice(static_cast<int>(queries + 100 * keys));
  const RandomQkv<double> in(queries, keys, 3, 1, 9);
  const std::vector<Index> tokens = randomTokens(dice, keys, 3);
  const TokenRepeats repeats(tokens);
  const Lengths lengths = alignedLengths(queries, keys, align);
  for (const char* name : {"full", "causal"}) {
    const auto base = prepare(patternNamed(name), lengths);
    INFO(name << " of " << queries << " × " << keys << ", offset " << lengths.offset);
    const Matrix<double> p =
        plainWeights(*base, in, scoringOf(AttendOptions(), 3, base->lengths()));
    checkMeasures(headMeasures({*base, &repeats, 2}, in.qView(), in.kView()),
                  plainMeasures(p, lengths.offset, 2, tokens));
  }
}

TEST_CASE("ready weights are cut to the base and normalised again") {
  const Index n = 12;
  const Matrix<double> drawn = randomMatrix<double>(n, n, 3, 0);
  Matrix<double> ready(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      ready(i, j) = i == 4 ? 0 : std::abs(drawn(i, j)); // a row without any weight
  const auto causal = baseOf(Base::Causal, squareLengths(n));
  Matrix<double> cut(n, n);
  for (Index i = 0; i < n; ++i) {
    double sum = 0;
    for (Index j = 0; j <= i; ++j)
      sum += ready(i, j);
    for (Index j = 0; j <= i && sum > 0; ++j)
      cut(i, j) = ready(i, j) / sum;
  }
  const std::vector<Index> tokens{1, 2, 1, 3, 2, 2, 1, 4, 5, 4, 1, 6};
  const TokenRepeats repeats(tokens);
  checkMeasures(headMeasures({*causal, &repeats, 3}, ready), plainMeasures(cut, 0, 3, tokens));
}

TEST_CASE("a head that attends only to the previous token scores fully in that measure") {
  const Index n = 10;
  const auto causal = baseOf(Base::Causal, squareLengths(n));
  Matrix<double> previous(n, n);
  for (Index i = 0; i < n; ++i)
    previous(i, std::max<Index>(i - 1, 0)) = 1;
  const HeadMeasures m = headMeasures({*causal, nullptr, 1}, previous);
  CHECK(*m.previous == 1);
  CHECK(m.within == 1);
  CHECK(m.beyond == 0);
  CHECK(m.entropy == 0);
  CHECK(m.self == Approx(0.1)); // of the first query
  CHECK(*m.first == Approx(1.0 / 9));
  CHECK_FALSE(m.induction);
}

TEST_CASE("an induction head of a repeated text is found") {
  const std::vector<Index> tokens{5, 6, 7, 5, 6, 7, 5};
  const TokenRepeats repeats(tokens);
  const auto causal = baseOf(Base::Causal, squareLengths(7));
  Matrix<double> weights(7, 7);
  for (Index i = 0; i < 7; ++i)
    weights(i, i < 3 ? 0 : i - 2) = 1; // what came after the token, three before
  const HeadMeasures m = headMeasures({*causal, &repeats, 1}, weights);
  CHECK(*m.induction == 1);
  CHECK(*m.previousOccurrence == 0);
  CHECK(repeats.repeats(6));
  std::vector<Index> before;
  repeats.forEachBefore(6, [&](Index j) { before.push_back(j); });
  CHECK(before == std::vector<Index>{3, 0});
}

TEST_CASE("measures of heads are the same bits at any number of threads") {
  const RandomQkv<double> in(200, 200, 4, 1, 1);
  const auto causal = baseOf(Base::Causal, squareLengths(200));
  const auto with = [&](int threads) {
    AttendOptions options;
    options.threads = threads;
    return headMeasures({*causal, nullptr, 8}, in.qView(), in.kView(), options);
  };
  CHECK(with(1) == with(2));
  CHECK(with(1) == with(5));
}

TEST_CASE("measures of heads stop, and say what they cannot measure") {
  const RandomQkv<double> in(50, 50, 4, 1, 1);
  const auto full = baseOf(Base::Full, squareLengths(50));
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(
      headMeasures({*full, nullptr, 8}, in.qView(), in.kView(), {}, {stop.get_token(), {}}),
      Stopped);
  const RandomQkv<double> large(50, 50, 4, 1, 1, 1e200);
  CHECK(codeAndSubject([&] {
          headMeasures({*full, nullptr, 8}, large.qView(), large.kView());
        }) == "E_NONFINITE scores");
  const RandomQkv<double> other(50, 49, 4, 1, 1);
  CHECK(codeAndSubject([&] {
          headMeasures({*full, nullptr, 8}, other.qView(), other.kView());
        }) == "E_SHAPE K");
}
