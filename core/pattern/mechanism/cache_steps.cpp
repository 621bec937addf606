#include "core/pattern/mechanism/cache_steps.h"

#include "core/pattern/block_tables.h"
#include "core/pattern/similarities.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace attention {
namespace {

using KeyList = std::vector<Index>;

constexpr Index kScoredRows = 64;
constexpr Index kScoredKeys = 512;

std::size_t at(Index k) {
  return static_cast<std::size_t>(k);
}

// Rows of scaled scores, computed 64 at a time.
class CacheScores {
public:
  CacheScores(const PatternData& data, const Run& run)
      : data_(data), run_(run), keys_(SimilarityScore::Dot, *data.k), scale_(scaleOf(data)),
        rows_(std::min(kScoredRows, data.q->rows()), data.q->rows()) {}

  // Those of query i with keys 0 … i.
  std::span<const double> row(Index i) {
    if (i / kScoredRows != chunk_)
      compute(i / kScoredRows);
    return std::as_const(rows_).view().row(i % kScoredRows).first(at(i) + 1);
  }

  // The softmax of query i over some keys.
  std::vector<double> weights(Index i, std::span<const Index> keys) {
    const std::span<const double> scores = row(i);
    std::vector<double> weights;
    weights.reserve(keys.size());
    for (const Index j : keys)
      weights.push_back(scores[at(j)]);
    softmax(weights);
    return weights;
  }
  // Over all keys up to itself.
  std::vector<double> weights(Index i) {
    const std::span<const double> scores = row(i);
    std::vector<double> weights(scores.begin(), scores.end());
    softmax(weights);
    return weights;
  }

private:
  void compute(Index chunk) {
    const Index first = chunk * kScoredRows;
    const Index end = std::min(first + kScoredRows, data_.q->rows());
    run_.report(static_cast<double>(first) / static_cast<double>(data_.q->rows()));
    parallelFor(ceilDiv(end, kScoredKeys), 0, run_.quiet(), [&](Index tile) {
      const Index j = tile * kScoredKeys;
      const MatrixView<double> scores{&rows_(0, j), end - first, std::min(kScoredKeys, end - j),
                                      rows_.cols()};
      const Matrix<double>& q = *data_.q;
      keys_.compute({&q(first, 0), end - first, q.cols(), q.cols()}, j, scores);
      for (Index r = 0; r < scores.rows; ++r)
        for (double& s : scores.row(r))
          s *= scale_;
    });
    chunk_ = chunk;
  }

  const PatternData& data_;
  const Run& run_;
  Similarities keys_;
  double scale_;
  Matrix<double> rows_;
  Index chunk_ = -1;
};

// The `count` of `keys` with the largest weights, ascending; weights[t] is that of keys[t], which
// ascend. Ties to the smaller key.
KeyList heaviest(const KeyList& keys, std::span<const double> weights, Index count) {
  if (count >= static_cast<Index>(keys.size()))
    return keys;
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::nth_element(order.begin(), order.begin() + count, order.end(),
                   [&](std::size_t a, std::size_t b) {
                     return weights[a] > weights[b] || (weights[a] == weights[b] && a < b);
                   });
  order.resize(at(count));
  std::sort(order.begin(), order.end());
  KeyList chosen;
  for (const std::size_t t : order)
    chosen.push_back(keys[t]);
  return chosen;
}

// Tells which of `keys` are not among `kept`, which were chosen of them; both ascend.
void tellEvicted(const KeyList& keys, std::span<const double> weights, const KeyList& kept,
                 Index from, const CacheEvictions& evicted) {
  std::vector<Eviction> gone;
  Eviction lightest; // its rival
  std::size_t next = 0;
  for (std::size_t t = 0; t < keys.size(); ++t) {
    if (next == kept.size() || kept[next] != keys[t]) {
      gone.push_back({keys[t], from, -1, weights[t], 0});
      continue;
    }
    ++next;
    if (lightest.rival < 0 || weights[t] <= lightest.rivalWeight) { // of equals, the last stayed
      lightest.rival = keys[t];
      lightest.rivalWeight = weights[t];
    }
  }
  for (Eviction& eviction : gone) {
    eviction.rival = lightest.rival;
    eviction.rivalWeight = lightest.rivalWeight;
    evicted(eviction);
  }
}

KeyList upTo(Index end) {
  KeyList keys(at(end));
  std::iota(keys.begin(), keys.end(), Index{0});
  return keys;
}

// Σ of the weights that queries 0 … end − 1 give to each key.
std::vector<double> receivedWeights(CacheScores& scores, Index end, Index n) {
  std::vector<double> sums(at(n));
  for (Index i = 0; i < end; ++i) {
    const std::vector<double> weights = scores.weights(i);
    for (std::size_t j = 0; j < weights.size(); ++j)
      sums[j] += weights[j];
  }
  return sums;
}

// ---- h2o ----

// What one query of h2o finds, of which the first `heavy` members are kept by score.
class HeavyHitters {
public:
  HeavyHitters(const CacheNumbers& numbers, Index n, CacheScores& scores, const CacheSteps& step,
               const CacheEvictions& evicted)
      : of_(numbers), n_(n), scores_(scores), step_(step), evicted_(evicted),
        sums_(receivedWeights(scores, numbers.prompt, n)),
        cost_(static_cast<double>(triangle(numbers.prompt))) {}

  // Keys that are evicted are gone, and so are their sums.
  double drop() {
    KeyList kept = upTo(of_.prompt);
    Index heavy = evict(kept, of_.prompt);
    for (Index i = of_.prompt; i < n_; ++i) {
      kept.push_back(i);
      attend(i, kept, heavy);
      heavy = evict(kept, i + 1);
    }
    return cost_;
  }

  // Nothing is deleted: a key in neither set is away for a step, and may come back.
  double masked() {
    for (Index i = of_.prompt; i < n_; ++i) {
      if (i <= of_.heavy + of_.recent) {
        attend(i, upTo(i + 1), 0);
        continue;
      }
      const Index old = i - of_.recent;
      KeyList keys = heaviest(upTo(old), std::span(sums_).first(at(old)), of_.heavy);
      const auto heavy = static_cast<Index>(keys.size());
      tellHidden(i, old, keys);
      forget(keys, old);
      for (Index j = old + 1; j <= i; ++j)
        keys.push_back(j);
      attend(i, keys, heavy);
    }
    return cost_;
  }

private:
  // Of the keys that the query before found; the latest that is not recent is hidden unweighed.
  void tellHidden(Index i, Index old, const KeyList& heavy) const {
    std::vector<Index> before;
    if (found_.empty())
      before = upTo(i);
    for (const CachedKey& cached : found_)
      before.push_back(cached.key);
    KeyList candidates;
    std::set_union(before.begin(), std::lower_bound(before.begin(), before.end(), old),
                   heavy.begin(), heavy.end(), std::back_inserter(candidates));
    std::vector<double> weights;
    for (const Index j : candidates)
      weights.push_back(sums_[at(j)]);
    tellEvicted(candidates, weights, heavy, i, evicted_);
    evicted_({old, i});
  }

  // The sums of the first `old` keys that are not among `heavy`.
  void forget(const KeyList& heavy, Index old) {
    std::size_t t = 0;
    for (Index j = 0; j < old; ++j) {
      if (t < heavy.size() && heavy[t] == j)
        ++t;
      else
        sums_[at(j)] = 0;
    }
  }

  void attend(Index i, const KeyList& keys, Index heavy) {
    found_.clear();
    for (std::size_t t = 0; t < keys.size(); ++t)
      found_.push_back({keys[t], static_cast<Index>(t) < heavy ? kHeavyPart : kRecentPart});
    step_(i, found_);
    const std::vector<double> weights = scores_.weights(i, keys);
    for (std::size_t t = 0; t < keys.size(); ++t)
      sums_[at(keys[t])] += weights[t];
    cost_ += static_cast<double>(keys.size());
  }

  // Leaves the heaviest of the old ones and the recent ones; returns how many were kept by weight.
  Index evict(KeyList& keys, Index from) const {
    if (static_cast<Index>(keys.size()) <= of_.heavy + of_.recent)
      return 0;
    const auto recent = keys.end() - std::min(of_.recent, static_cast<Index>(keys.size()));
    const KeyList old(keys.begin(), recent);
    std::vector<double> weights;
    for (const Index j : old)
      weights.push_back(sums_[at(j)]);
    KeyList kept = heaviest(old, weights, of_.heavy);
    tellEvicted(old, weights, kept, from, evicted_);
    const auto heavy = static_cast<Index>(kept.size());
    kept.insert(kept.end(), recent, keys.end());
    keys = std::move(kept);
    return heavy;
  }

  CacheNumbers of_;
  Index n_;
  CacheScores& scores_;
  const CacheSteps& step_;
  const CacheEvictions& evicted_;
  std::vector<double> sums_;
  std::vector<CachedKey> found_;
  double cost_;
};

// ---- the others ----

constexpr std::size_t kKeptPart = 1;
constexpr std::size_t kNewPart = 2;

void playTova(const CacheNumbers& numbers, Index n, CacheScores& scores, const CacheSteps& step,
              const CacheEvictions& evicted) {
  KeyList kept = upTo(numbers.prompt);
  const auto shrink = [&](Index i) {
    if (static_cast<Index>(kept.size()) <= numbers.budget)
      return;
    const std::vector<double> weights = scores.weights(i, kept);
    KeyList left = heaviest(kept, weights, numbers.budget);
    tellEvicted(kept, weights, left, i + 1, evicted);
    kept = std::move(left);
  };
  shrink(numbers.prompt - 1);
  std::vector<CachedKey> found;
  for (Index i = numbers.prompt; i < n; ++i) {
    kept.push_back(i);
    found.clear();
    for (const Index j : kept)
      found.push_back({j, j == i ? kNewPart : kKeptPart});
    step(i, found);
    shrink(i);
  }
}

// Neighbours' weights together, in the order of their indices, so that equal windows tie.
std::vector<double> pooledWeights(const std::vector<double>& weights, Index kernel,
                                  Cache::Pooling pooling) {
  const auto m = static_cast<Index>(weights.size());
  const Index half = std::min(kernel / 2, m);
  std::vector<double> pooled(weights.size());
  for (Index j = 0; j < m; ++j) {
    const auto begin = weights.begin() + std::max<Index>(0, j - half);
    const auto end = weights.begin() + std::min(m, j + half + 1);
    pooled[at(j)] = pooling == Cache::Pooling::Average
                        ? std::accumulate(begin, end, 0.0) / static_cast<double>(kernel)
                        : *std::max_element(begin, end);
  }
  return pooled;
}

// The keys of the prompt that stay, and what that cost.
KeyList observedKeys(const CacheNumbers& numbers, Cache::Pooling pooling, Index d,
                     CacheScores& scores, const CacheEvictions& evicted, double& cost) {
  const Index old = numbers.prompt - numbers.window;
  std::vector<double> sums(at(old));
  for (Index i = old; i < numbers.prompt; ++i) {
    const std::vector<double> weights = scores.weights(i);
    for (std::size_t j = 0; j < sums.size(); ++j)
      sums[j] += weights[j];
    cost += static_cast<double>((i + 1) * (2 * d + 5) + old);
  }
  cost += static_cast<double>(old) * static_cast<double>(numbers.kernel);
  const KeyList keys = upTo(old);
  const std::vector<double> pooled = pooledWeights(sums, numbers.kernel, pooling);
  KeyList kept = heaviest(keys, pooled, numbers.budget - numbers.window);
  tellEvicted(keys, pooled, kept, numbers.prompt, evicted);
  for (Index j = old; j < numbers.prompt; ++j)
    kept.push_back(j);
  return kept;
}

constexpr std::size_t kChosenPart = 1;
constexpr std::size_t kWindowPart = 2;
constexpr std::size_t kGeneratedPart = 3;

double playSnapKv(const CacheNumbers& numbers, Cache::Pooling pooling, Index n, Index d,
                  CacheScores& scores, const CacheSteps& step, const CacheEvictions& evicted) {
  double cost = 0;
  const KeyList kept = numbers.prompt >= numbers.budget
                           ? observedKeys(numbers, pooling, d, scores, evicted, cost)
                           : upTo(numbers.prompt);
  std::vector<CachedKey> found;
  for (const Index j : kept)
    found.push_back({j, j >= numbers.prompt - numbers.window ? kWindowPart : kChosenPart});
  for (Index i = numbers.prompt; i < n; ++i) {
    found.push_back({i, kGeneratedPart});
    step(i, found);
  }
  return cost;
}

constexpr std::size_t kSinkPart = 1;
constexpr std::size_t kLatestPart = 2;

void playStreaming(const CacheNumbers& numbers, Cache::Order order, Index n, const CacheSteps& step,
                   const CacheEvictions& evicted, const Run& run) {
  KeyList kept = upTo(numbers.prompt);
  const auto full = [&](Index more) {
    return static_cast<Index>(kept.size()) + more > numbers.sinks + numbers.recent;
  };
  // Leaves the first `sinks` and the last `recent` keys.
  const auto cutMiddle = [&](Index recent, Index from) {
    const auto size = static_cast<Index>(kept.size());
    const auto begin = kept.begin() + std::min(numbers.sinks, size);
    const auto end = kept.end() - std::min(recent, size);
    std::for_each(begin, end, [&](Index key) { evicted({key, from}); });
    kept.erase(begin, end);
  };
  std::vector<CachedKey> found;
  const bool after = order == Cache::Order::After;
  if (after && full(0))
    cutMiddle(numbers.recent, numbers.prompt);
  for (Index i = numbers.prompt; i < n; ++i) {
    if (i % kScoredRows == 0)
      run.report(static_cast<double>(i) / static_cast<double>(n));
    if (!after && full(1))
      cutMiddle(std::max<Index>(numbers.recent - 1, 0), i);
    kept.push_back(i);
    found.clear();
    for (const Index j : kept)
      found.push_back({j, j < numbers.sinks ? kSinkPart : kLatestPart});
    step(i, found);
    if (after && full(0))
      cutMiddle(numbers.recent, i + 1);
  }
}

} // namespace

double playCache(const Cache& cache, Index n, const PatternData& data, const CacheSteps& step,
                 const CacheEvictions& evicted, const Run& run) {
  const CacheNumbers numbers = numbersOf(cache, n);
  if (cache.policy == Cache::Policy::Streaming) {
    playStreaming(numbers, cache.order.value_or(Cache::Order::Before), n, step, evicted, run);
    return 0;
  }
  CacheScores scores(data, run);
  switch (cache.policy) {
  case Cache::Policy::H2O: {
    HeavyHitters hitters(numbers, n, scores, step, evicted);
    return cache.reading == Cache::Reading::Masked ? hitters.masked() : hitters.drop();
  }
  case Cache::Policy::Tova:
    playTova(numbers, n, scores, step, evicted);
    return 0;
  case Cache::Policy::SnapKv:
    return playSnapKv(numbers, cache.pooling.value_or(Cache::Pooling::Average), n, data.q->cols(),
                      scores, step, evicted);
  case Cache::Policy::Streaming:
    break;
  }
  return 0;
}

} // namespace attention
