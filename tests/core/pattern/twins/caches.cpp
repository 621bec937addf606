// Twins of KV caches (S30): the keys that each query finds, by the table of the specification.
#include "tests/core/pattern/twins/rows.h"
#include "tests/core/pattern/twins/twins.h"

namespace attention::twins {
namespace {

using Keys = std::vector<Index>;

Keys range(Index begin, Index end) {
  Keys keys;
  for (Index j = begin; j < end; ++j)
    keys.push_back(j);
  return keys;
}

// The keys with the `count` largest numbers, ascending.
Keys best(const Keys& keys, const Row& numbers, Index count) {
  Keys kept;
  for (const std::size_t t : largest(numbers, count))
    kept.push_back(keys[t]);
  std::sort(kept.begin(), kept.end());
  return kept;
}

class CacheTwin {
public:
  CacheTwin(const Cache& cache, const PatternData& data)
      : cache_(cache), q_(rowsOf(*data.q)), k_(rowsOf(*data.k)), n_(static_cast<Index>(q_.size())),
        scale_(data.scale.value_or(1 / std::sqrt(static_cast<double>(data.q->cols())))),
        prompt_(std::min(
            n_, cache.prompt.value_or(cache.policy == Cache::Policy::SnapKv ? n_ / 2 : 1))) {
    prompt_ = std::max<Index>(prompt_, 1);
    for (Index i = 0; i < prompt_; ++i)
      rows_.push_back(range(0, i + 1));
    switch (cache.policy) {
    case Cache::Policy::H2O:
      heavyHitters();
      break;
    case Cache::Policy::Tova:
      tova(cache.budget.value_or(std::max<Index>(1, n_ / 4)));
      break;
    case Cache::Policy::SnapKv:
      snapKv(cache.budget.value_or(2048), cache.window.value_or(32), cache.kernel.value_or(5));
      break;
    case Cache::Policy::Streaming:
      streaming(cache.sinks.value_or(4), cache.recent.value_or(512));
      break;
    }
  }

  const std::vector<Keys>& rows() const { return rows_; }

private:
  // p_ij over the keys.
  Row weights(Index i, const Keys& keys) const {
    Row scores;
    for (const Index j : keys)
      scores.push_back(scale_ *
                       dot(q_[static_cast<std::size_t>(i)], k_[static_cast<std::size_t>(j)]));
    const double most = *std::max_element(scores.begin(), scores.end());
    double sum = 0;
    for (double& s : scores)
      sum += s = std::exp(s - most);
    for (double& s : scores)
      s /= sum;
    return scores;
  }

  void account(Index i, const Keys& keys, Row& sums) const {
    const Row p = weights(i, keys);
    for (std::size_t t = 0; t < keys.size(); ++t)
      sums[static_cast<std::size_t>(keys[t])] += p[t];
  }

  static Row of(const Row& sums, const Keys& keys) {
    Row numbers;
    for (const Index j : keys)
      numbers.push_back(sums[static_cast<std::size_t>(j)]);
    return numbers;
  }

  void heavyHitters() {
    const Index tenth = std::max<Index>(1, n_ / 10);
    const Index heavy = cache_.heavy.value_or(tenth);
    const Index recent = cache_.recent.value_or(tenth);
    Row sums(static_cast<std::size_t>(n_));
    for (Index i = 0; i < prompt_; ++i)
      account(i, rows_[static_cast<std::size_t>(i)], sums);
    Keys kept = range(0, prompt_);
    for (Index i = prompt_; i < n_; ++i) {
      Keys keys;
      if (cache_.reading == Cache::Reading::Masked) {
        keys = range(0, i + 1);
        if (i > heavy + recent) {
          const Keys old = range(0, i - recent);
          keys = best(old, of(sums, old), heavy);
          for (const Index j : old)
            if (std::find(keys.begin(), keys.end(), j) == keys.end())
              sums[static_cast<std::size_t>(j)] = 0;
          const Keys last = range(i - recent + 1, i + 1);
          keys.insert(keys.end(), last.begin(), last.end());
        }
      } else {
        if (static_cast<Index>(kept.size()) > heavy + recent) {
          const Keys old(kept.begin(), kept.end() - recent);
          const Keys last(kept.end() - recent, kept.end());
          kept = best(old, of(sums, old), heavy);
          kept.insert(kept.end(), last.begin(), last.end());
        }
        kept.push_back(i);
        keys = kept;
      }
      account(i, keys, sums);
      rows_.push_back(keys);
    }
  }

  void tova(Index budget) {
    Keys kept = range(0, prompt_);
    for (Index i = prompt_; i < n_; ++i) {
      if (static_cast<Index>(kept.size()) > budget)
        kept = best(kept, weights(i - 1, kept), budget);
      kept.push_back(i);
      rows_.push_back(kept);
    }
  }

  void snapKv(Index budget, Index window, Index kernel) {
    Keys kept = range(0, prompt_);
    if (prompt_ >= budget) {
      const Index old = prompt_ - window;
      Row sums(static_cast<std::size_t>(n_));
      for (Index i = old; i < prompt_; ++i)
        account(i, range(0, i + 1), sums);
      Row pooled;
      for (Index j = 0; j < old; ++j) {
        double all = 0;
        double most = 0;
        for (Index t = std::max<Index>(0, j - kernel / 2); t <= std::min(old - 1, j + kernel / 2);
             ++t) {
          all += sums[static_cast<std::size_t>(t)];
          most = std::max(most, sums[static_cast<std::size_t>(t)]);
        }
        pooled.push_back(
            cache_.pooling == Cache::Pooling::Maximum ? most : all / static_cast<double>(kernel));
      }
      kept = best(range(0, old), pooled, budget - window);
      const Keys last = range(old, prompt_);
      kept.insert(kept.end(), last.begin(), last.end());
    }
    for (Index i = prompt_; i < n_; ++i) {
      kept.push_back(i);
      rows_.push_back(kept);
    }
  }

  void streaming(Index sinks, Index recent) {
    Keys kept = range(0, prompt_);
    const bool after = cache_.order == Cache::Order::After;
    const auto cut = [&](Index last) {
      Keys both;
      const auto size = static_cast<Index>(kept.size());
      for (Index t = 0; t < size; ++t)
        if (t < sinks || t >= size - last)
          both.push_back(kept[static_cast<std::size_t>(t)]);
      kept = both;
    };
    for (Index i = prompt_; i < n_; ++i) {
      const auto size = static_cast<Index>(kept.size());
      if (after && size > sinks + recent)
        cut(recent);
      if (!after && size + 1 > sinks + recent)
        cut(std::max<Index>(recent - 1, 0));
      kept.push_back(i);
      rows_.push_back(kept);
    }
  }

  Cache cache_;
  Rows q_;
  Rows k_;
  Index n_;
  double scale_;
  Index prompt_;
  std::vector<Keys> rows_;
};

} // namespace

Cells cellsOf(const Cache& cache, const PatternData& data) {
  return [rows = CacheTwin(cache, data).rows()](Index i, Index j) {
    const Keys& keys = rows[static_cast<std::size_t>(i)];
    return std::find(keys.begin(), keys.end(), j) != keys.end();
  };
}

} // namespace attention::twins
