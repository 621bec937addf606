// LSH attention against the steps of the specification written out plainly (S6), and parts that
// combine by lse and mean against the sums that they stand for.
#include "core/analysis/metrics.h"
#include "core/attention/reference.h"
#include "core/attention/weights.h"
#include "core/pattern/mechanism/lsh.h"
#include "core/pattern/mechanism/lsh_rounds.h"
#include "core/pattern/mechanism/routing.h"
#include "core/pattern/pattern.h"
#include "core/support/error.h"
#include "tests/catch.h"
#include "tests/core/attention/random_matrix.h"
#include "tests/core/pattern/random_pattern.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace attention;

namespace {

using Keys = std::vector<Index>; // with repetitions

// Everything of S6 for one input, slow and simple.
class Plain {
public:
  Plain(const Lsh& lsh, const LshRounds& hashed, Index n) : lsh_(lsh), hashed_(hashed), n_(n) {
    for (std::size_t r = 0; r < hashed.rounds.size(); ++r) {
      keys_.emplace_back();
      for (Index i = 0; i < n; ++i)
        keys_.back().push_back(visible(r, i));
    }
  }

  // S6.3 and S6.4.
  const Keys& keys(std::size_t r, Index i) const { return keys_[r][static_cast<std::size_t>(i)]; }
  std::size_t rounds() const { return keys_.size(); }

  // S6.5 on a list.
  Keys withSelfRule(Index i, const Keys& all) const {
    if (lsh_.self == Lsh::Self::Allow || (lsh_.self == Lsh::Self::FirstOnly && i == 0))
      return all;
    Keys others;
    std::copy_if(all.begin(), all.end(), std::back_inserter(others),
                 [&](Index j) { return j != i; });
    if (lsh_.self == Lsh::Self::Fallback && others.empty() && !all.empty())
      return {i};
    return others;
  }

  Keys set(Index i) const {
    std::set<Index> all;
    for (std::size_t r = 0; r < rounds(); ++r)
      all.insert(keys(r, i).begin(), keys(r, i).end());
    return withSelfRule(i, Keys(all.begin(), all.end()));
  }

private:
  Index bucket(std::size_t r, Index i) const {
    return hashed_.rounds[r].bucket[static_cast<std::size_t>(i)];
  }

  Keys chunk(std::size_t r, Index c) const {
    const auto& order = hashed_.rounds[r].order;
    const Index begin = c * hashed_.chunk;
    const Index end = std::min(n_, begin + hashed_.chunk);
    return {order.begin() + begin, order.begin() + end};
  }

  Keys seenFrom(std::size_t r, Index c) const {
    const Index chunks = (n_ + hashed_.chunk - 1) / hashed_.chunk;
    Keys seen;
    for (Index o = -lsh_.before; o <= lsh_.after; ++o) {
      std::size_t round = r;
      Index at = c + o;
      if (lsh_.lookback == Lsh::Lookback::Clip && (at < 0 || at >= chunks))
        continue;
      if (lsh_.lookback == Lsh::Lookback::WrapRound)
        at = (at % chunks + chunks) % chunks;
      if (lsh_.lookback == Lsh::Lookback::WrapAll) {
        const Index all = chunks * lsh_.rounds;
        const Index g = ((static_cast<Index>(r) * chunks + at) % all + all) % all;
        round = static_cast<std::size_t>(g / chunks);
        at = g % chunks;
        if (lsh_.within == Lsh::Within::ChunkBucket && round != r)
          continue;
      }
      for (const Index j : chunk(round, at))
        if (lsh_.lookback != Lsh::Lookback::WrapRound ||
            std::find(seen.begin(), seen.end(), j) == seen.end())
          seen.push_back(j);
    }
    return seen;
  }

  Keys visible(std::size_t r, Index i) const {
    Keys all;
    const auto& order = hashed_.rounds[r].order;
    const Index rank = std::find(order.begin(), order.end(), i) - order.begin();
    Keys seen = lsh_.within == Lsh::Within::Bucket ? order : seenFrom(r, rank / hashed_.chunk);
    for (const Index j : seen)
      if ((lsh_.within == Lsh::Within::Chunk || bucket(r, i) == bucket(r, j)) &&
          (!lsh_.causal || j <= i))
        all.push_back(j);
    return all;
  }

  const Lsh& lsh_;
  const LshRounds& hashed_;
  Index n_;
  std::vector<std::vector<Keys>> keys_;
};

struct Case {
  Index n;
  Lsh lsh;
  RandomQkv<double> in;
  PatternData data;
  LshRounds hashed;
  Plain plain;
  std::shared_ptr<const Prepared> prepared;

  Case(Index tokens, const Lsh& of, std::uint64_t seed)
      : n(tokens), lsh(of), in(tokens, tokens, 4, 3, seed),
        data(patternData<double>(in.qView(), in.qView(), true)),
        hashed(lshRounds(lsh, squareLengths(n), data)), plain(lsh, hashed, n),
        prepared(prepare(lsh, squareLengths(n), data)) {}

  double logit(Index i, Index j) const {
    double products = 0;
    double squares = 0;
    for (Index c = 0; c < 4; ++c) {
      products += in.q(i, c) * in.q(j, c);
      squares += in.q(j, c) * in.q(j, c);
    }
    double length = 1;
    if (lsh.keyNorm == KeyNorm::Rms)
      length = std::sqrt(squares / 4 + 1e-6);
    if (lsh.keyNorm == KeyNorm::Unit)
      length = std::max(std::sqrt(squares), 1e-12);
    return products / length / 2;
  }
};

Lsh randomLsh(Dice& dice, Index n) {
  Lsh lsh;
  lsh.buckets = dice.chance(3) ? IndexList{2, 4} : IndexList{2 * dice.within(1, 4)};
  lsh.rounds = dice.within(1, 3);
  lsh.chunk = dice.within(1, n);
  lsh.before = dice.within(0, 3);
  lsh.after = dice.within(0, 2);
  lsh.within = static_cast<Lsh::Within>(dice.within(0, 2));
  lsh.lookback = static_cast<Lsh::Lookback>(dice.within(0, 2));
  while (lsh.lookback == Lsh::Lookback::WrapAll && n % *lsh.chunk != 0)
    lsh.chunk = *lsh.chunk - 1;
  lsh.self = static_cast<Lsh::Self>(dice.within(0, 3));
  lsh.combine = static_cast<Combine>(dice.within(0, 2));
  lsh.keyNorm = static_cast<KeyNorm>(dice.within(0, 2));
  lsh.causal = dice.chance(2);
  lsh.seed = static_cast<std::uint64_t>(dice.within(0, 99));
  return lsh;
}

// A softmax of its own: output, lse.
struct Softmax {
  std::vector<double> out = std::vector<double>(3);
  double lse = -std::numeric_limits<double>::infinity();
};

Softmax softmaxOf(const Case& of, const Keys& keys, const std::vector<double>& logits) {
  Softmax result;
  if (keys.empty())
    return result;
  const double most = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (std::size_t t = 0; t < keys.size(); ++t) {
    const double p = std::exp(logits[t] - most);
    sum += p;
    for (std::size_t c = 0; c < 3; ++c)
      result.out[c] += p * of.in.v(keys[t], static_cast<Index>(c));
  }
  for (double& o : result.out)
    o /= sum;
  result.lse = most + std::log(sum);
  return result;
}

Softmax softmaxOf(const Case& of, Index i, const Keys& keys) {
  std::vector<double> logits;
  for (const Index j : keys)
    logits.push_back(of.logit(i, j));
  return softmaxOf(of, keys, logits);
}

// S6.7 for query i.
std::vector<double> plainOutput(const Case& of, Index i) {
  if (of.lsh.combine == Combine::Union)
    return softmaxOf(of, i, of.plain.set(i)).out;
  std::vector<Softmax> rounds;
  for (std::size_t r = 0; r < of.plain.rounds(); ++r) {
    const Keys keys = of.plain.withSelfRule(i, of.plain.keys(r, i));
    const bool lone = of.lsh.self == Lsh::Self::Fallback && keys == Keys{i};
    if (!keys.empty())
      rounds.push_back(lone ? softmaxOf(of, keys, {-1e5}) : softmaxOf(of, i, keys));
  }
  std::vector<double> out(3);
  double most = -std::numeric_limits<double>::infinity();
  for (const Softmax& round : rounds)
    most = std::max(most, round.lse);
  double sum = 0;
  for (const Softmax& round : rounds) {
    const double weight = of.lsh.combine == Combine::Mean ? 1.0 : std::exp(round.lse - most);
    sum += weight;
    for (std::size_t c = 0; c < 3; ++c)
      out[c] += weight * round.out[c];
  }
  for (double& o : out)
    o = rounds.empty() ? 0.0 : o / sum;
  return out;
}

} // namespace

TEST_CASE("Tokens fall into the bucket of the largest entry of y and −y", "[lsh]") {
  Lsh lsh;
  lsh.buckets = GENERATE(IndexList{2}, IndexList{8}, IndexList{4, 2, 6});
  lsh.rounds = 2;
  const Case c(30, lsh, 5);
  for (const LshRound& round : c.hashed.rounds)
    for (Index i = 0; i < c.n; ++i) {
      Index bucket = 0;
      Index unit = 1;
      Index column = 0;
      for (const Index f : *lsh.buckets) {
        Index best = 0;
        double most = -std::numeric_limits<double>::infinity();
        for (Index b = 0; b < f; ++b) {
          double y = 0;
          for (Index d = 0; d < 4; ++d)
            y += c.in.q(i, d) * round.rotation(d, column + b % (f / 2));
          y = b < f / 2 ? y : -y;
          if (y > most) {
            most = y;
            best = b;
          }
        }
        bucket += unit * best;
        unit *= f;
        column += f / 2;
      }
      CHECK(round.bucket[static_cast<std::size_t>(i)] == bucket);
      CHECK(round.margin[static_cast<std::size_t>(i)] > 0);
    }
}

TEST_CASE("The zero vector falls into bucket 0 and drawn rotations are those of the stream",
          "[lsh]") {
  const Matrix<double> zero(3, 2);
  const PatternData data = patternData<double>(zero.view(), zero.view(), true);
  Lsh lsh;
  lsh.buckets = IndexList{6};
  lsh.seed = 8;
  const LshRounds hashed = lshRounds(lsh, squareLengths(3), data);
  CHECK(hashed.rounds[0].bucket == std::vector<Index>{0, 0, 0});
  CHECK(hashed.rounds[0].rotation(1, 2) ==
        philox::normal({8, philox::Purpose::LshRotations, 0}, 5));
  lsh.rotations = MatrixSource{"", {1, 2, 3}, SharedList<double>{1, 2, 3, 4, 5, 6}};
  CHECK(lshRounds(lsh, squareLengths(3), data).rounds[0].rotation(1, 0) == 4);
}

TEST_CASE("LSH shows every query what the steps of the paper show", "[lsh]") {
  const int seed = GENERATE(range(0, 150));
  Dice dice(seed);
  const Index n = dice.within(1, 26);
  const Case c(n, randomLsh(dice, n), static_cast<std::uint64_t>(seed));
  INFO(shortText(Pattern(c.lsh)) << ", n = " << n);
  KeyRanges row;
  for (Index i = 0; i < n; ++i) {
    const Keys expected = c.plain.set(i);
    c.prepared->row(i, row);
    Keys got;
    for (const KeyRange& range : row)
      forEachRun(range, [&](Index begin, Index end) {
        for (Index j = begin; j < end; ++j)
          got.push_back(j);
      });
    REQUIRE(got == expected);
    for (Index j = 0; j < n; ++j)
      REQUIRE(c.prepared->contains(i, j) ==
              std::binary_search(expected.begin(), expected.end(), j));
  }
}

TEST_CASE("LSH attention combines rounds as the specification says", "[lsh]") {
  const int seed = GENERATE(range(0, 150));
  Dice dice(seed + 1000);
  const Index n = dice.within(1, 26);
  const Case c(n, randomLsh(dice, n), static_cast<std::uint64_t>(seed));
  INFO(shortText(Pattern(c.lsh)) << ", n = " << n);
  const auto reference = attendReference(*c.prepared, c.in.qView(), c.in.kView(), c.in.vView());
  const Matrix<double> weights =
      weightsOf(WeightSource<double>{*c.prepared, c.in.qView(), c.in.kView(), reference.lse, {0.5}},
                c.prepared->bounds());
  for (Index i = 0; i < n; ++i) {
    const std::vector<double> expected = plainOutput(c, i);
    for (std::size_t t = 0; t < 3; ++t) {
      REQUIRE(reference.out(i, static_cast<Index>(t)) == Approx(expected[t]).margin(1e-12));
      double sum = 0;
      for (Index j = 0; j < n; ++j)
        sum += weights(i, j) * c.in.v(j, static_cast<Index>(t));
      REQUIRE(sum == Approx(expected[t]).margin(1e-10));
    }
  }
}

TEST_CASE("The union of rounds is the per round form that takes log N from every logit", "[lsh]") {
  const int seed = GENERATE(range(0, 20));
  Dice dice(seed + 2000);
  Lsh lsh = randomLsh(dice, 24);
  lsh.rounds = 3;
  lsh.combine = Combine::Union;
  lsh.self = Lsh::Self::Exclude;
  lsh.lookback = Lsh::Lookback::Clip;
  const Case c(24, lsh, static_cast<std::uint64_t>(seed));
  const auto result = attendReference(*c.prepared, c.in.qView(), c.in.kView(), c.in.vView());
  for (Index i = 0; i < c.n; ++i) {
    std::vector<double> out(3);
    double total = 0;
    for (std::size_t r = 0; r < 3; ++r)
      for (const Index j : c.plain.withSelfRule(i, c.plain.keys(r, i))) {
        double times = 0;
        for (std::size_t s = 0; s < 3; ++s)
          times += static_cast<double>(
              std::count(c.plain.keys(s, i).begin(), c.plain.keys(s, i).end(), j));
        const double weight = std::exp(c.logit(i, j) - std::log(times));
        total += weight;
        for (std::size_t t = 0; t < 3; ++t)
          out[t] += weight * c.in.v(j, static_cast<Index>(t));
      }
    for (std::size_t t = 0; t < 3 && total > 0; ++t)
      CHECK(result.out(i, static_cast<Index>(t)) == Approx(out[t] / total).margin(1e-12));
  }
}

TEST_CASE("Hashing and LSH attention are the same bits at any number of threads",
          "[lsh][threads]") {
  Lsh lsh;
  lsh.rounds = 3;
  lsh.combine = GENERATE(Combine::Union, Combine::Lse, Combine::Mean);
  const Index n = 400;
  const RandomQkv<float> in(n, n, 8, 4, 3);
  const PatternData data = patternData<float>(in.qView(), in.kView());
  const LshRounds one = lshRounds(lsh, squareLengths(n), data, {}, 1);
  const LshRounds many = lshRounds(lsh, squareLengths(n), data, {}, 4);
  for (std::size_t r = 0; r < 3; ++r) {
    CHECK(one.rounds[r].bucket == many.rounds[r].bucket);
    CHECK(one.rounds[r].order == many.rounds[r].order);
    CHECK(one.rounds[r].margin == many.rounds[r].margin);
  }
  const auto p = prepare(lsh, squareLengths(n), data);
  AttendOptions options;
  options.threads = 1;
  const auto a = attend(*p, in.qView(), in.kView(), in.vView(), options);
  options.threads = 3;
  const auto b = attend(*p, in.qView(), in.kView(), in.vView(), options);
  CHECK(a.out == b.out);
  CHECK(a.lse == b.lse);
}

TEST_CASE("The preset hf sets what Hugging Face computes and may be changed after", "[lsh]") {
  Pattern pattern = patternNamed("lsh");
  set(pattern, "preset", "hf");
  const Lsh& lsh = *pattern.as<Lsh>();
  CHECK(lsh.within == Lsh::Within::Chunk);
  CHECK(lsh.lookback == Lsh::Lookback::WrapAll);
  CHECK(lsh.combine == Combine::Lse);
  const Parameter& preset = parameterNamed(pattern, "preset");
  CHECK(std::get<std::string>(preset.resolved(pattern, 64)) == "hf");
  set(pattern, "combine", "mean");
  CHECK(std::holds_alternative<std::monostate>(preset.resolved(pattern, 64)));
  CHECK_THROWS_AS(set(pattern, "preset", "nosuch"), Error);
}

TEST_CASE("The scatter mean of routes is the mean of one softmax per centroid", "[lsh]") {
  const Index n = 30;
  const RandomQkv<double> in(n, n, 4, 3, 17);
  const PatternData data = patternData<double>(in.qView(), in.kView());
  Routing routing;
  routing.k = 3;
  routing.window = 14;
  routing.combine = Combine::Mean;
  routing.causal = GENERATE(false, true);
  const Routes routes = routesOf(routing, squareLengths(n), data, {});
  const auto p = prepare(routing, squareLengths(n), data);
  const auto result = attendReference(*p, in.qView(), in.kView(), in.vView());
  for (Index i = 0; i < n; ++i) {
    std::vector<double> out(3);
    double visible = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      std::vector<double> part(3);
      double sum = 0;
      for (const Index j : routes.keys[c]) {
        if (!std::binary_search(routes.queries[c].begin(), routes.queries[c].end(), i) ||
            (routing.causal && j > i))
          continue;
        double logit = 0;
        for (Index t = 0; t < 4; ++t)
          logit += in.q(i, t) * in.k(j, t) / 2;
        sum += std::exp(logit);
        for (std::size_t t = 0; t < 3; ++t)
          part[t] += std::exp(logit) * in.v(j, static_cast<Index>(t));
      }
      visible += sum > 0 ? 1 : 0;
      for (std::size_t t = 0; t < 3 && sum > 0; ++t)
        out[t] += part[t] / sum;
    }
    for (std::size_t t = 0; t < 3; ++t)
      CHECK(result.out(i, static_cast<Index>(t)) ==
            Approx(visible > 0 ? out[t] / visible : 0.0).margin(1e-12));
  }
}

TEST_CASE("Captured mass and entropy use the keys that logits use", "[lsh]") {
  Lsh lsh;
  lsh.buckets = IndexList{2};
  lsh.chunk = 20;
  lsh.within = Lsh::Within::Chunk;
  lsh.self = Lsh::Self::Allow;
  lsh.rounds = 2;
  lsh.combine = GENERATE(Combine::Union, Combine::Lse, Combine::Mean);
  const Case c(20, lsh, 3); // in one chunk every query can attend to every key
  CHECK(capturedMass(c.prepared, c.in.qView(), c.in.kView(), Base::Full).mean == Approx(1));
  const auto dense =
      attend(*baseOf(Base::Full, *c.prepared), c.in.qView(), c.in.kView(), c.in.vView());
  const auto hashed = attend(*c.prepared, c.in.qView(), c.in.kView(), c.in.vView());
  CHECK(outputError(hashed.out, dense.out).relativeFrobenius < 1e-12);
  const auto entropies = [&](const Prepared& p, const std::vector<double>& lse) {
    return rowEntropies<double>(p, c.in.qView(), c.in.kView(), lse);
  };
  const auto a = entropies(*c.prepared, hashed.lse);
  const auto b = entropies(*baseOf(Base::Full, *c.prepared), dense.lse);
  for (std::size_t i = 0; i < a.size(); ++i)
    CHECK(a[i] == Approx(b[i]));
}
