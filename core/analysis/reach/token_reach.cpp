#include "core/analysis/reach/token_reach.h"

#include "core/support/error.h"
#include "core/support/parallel.h"
#include "core/support/part_of_run.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace attention {
namespace {

constexpr Index kMostPathWords = Index{1} << 27; // of the sets that a path comes from: 1 GiB
constexpr Index kRowsPerChunk = 1024;            // a multiple of kWordBits: chunks share no word

void checkToken(const LayerStack& stack, const char* name, Index token) {
  checkStack(stack);
  if (stack.n() > kMostFrontierTokens)
    throwRange("n", std::to_string(stack.n()), "at most 2^26 = 67108864 to follow a token");
  if (token < 0 || token >= stack.n())
    throwRange(name, std::to_string(token),
               "an integer from 0 to " + std::to_string(stack.n() - 1));
}

TokenSet only(Index n, Index token) {
  TokenSet set(static_cast<std::size_t>(ceilDiv(n, kWordBits)));
  setBits(set, token, token + 1);
  return set;
}

// A growing set of tokens that visits each of them once, however often ranges cover it.
class Painter {
public:
  explicit Painter(Index n)
      : n_(n), set_(static_cast<std::size_t>(ceilDiv(n, kWordBits))),
        next_(static_cast<std::size_t>(n) + 1) {
    std::iota(next_.begin(), next_.end(), std::uint32_t{0});
  }

  void add(const KeyRange& range) {
    attention::forEachRun(range, [&](Index begin, Index end) {
      for (Index j = free(begin); j < end; j = free(j)) {
        setBits(set_, j, j + 1);
        next_[static_cast<std::size_t>(j)] = static_cast<std::uint32_t>(j + 1);
        ++painted_;
      }
    });
  }

  bool full() const { return painted_ == n_; }
  TokenSet take() { return std::move(set_); }

private:
  // The first token from j on that is not in the set (n where there is none).
  Index free(Index j) {
    auto at = static_cast<std::uint32_t>(j);
    while (next_[at] != at) {
      next_[at] = next_[next_[at]];
      at = next_[at];
    }
    return at;
  }

  Index n_;
  Index painted_ = 0;
  TokenSet set_;
  std::vector<std::uint32_t> next_;
};

// The union of the rows of the tokens in `above`.
TokenSet unionOfRows(const Prepared& pattern, const TokenSet& above, bool residual,
                     const Run& run) {
  Painter painter(pattern.lengths().keys);
  KeyRanges ranges;
  attention::forEachRun(above, [&](Index begin, Index end) {
    for (Index a = begin; a < end && !painter.full(); ++a) {
      if (a % kRowsPerChunk == 0)
        run.check();
      pattern.row(a, ranges);
      for (const KeyRange& range : ranges)
        painter.add(range);
      if (residual)
        painter.add({a, a + 1, 1, 1});
    }
  });
  return painter.take();
}

// How many tokens of a set lie in [begin, end), in O(1).
class Counts {
public:
  explicit Counts(const TokenSet& set) : set_(set), before_(set.size() + 1) {
    for (std::size_t w = 0; w < set.size(); ++w)
      before_[w + 1] = before_[w] + std::popcount(set[w]);
  }
  bool any(Index begin, Index end) const { return below(end) > below(begin); }

private:
  Index below(Index j) const {
    const auto word = static_cast<std::size_t>(j / kWordBits);
    const Index bits = j % kWordBits;
    return before_[word] + (bits == 0 ? 0 : std::popcount(set_[word] << (kWordBits - bits)));
  }

  const TokenSet& set_;
  std::vector<Index> before_;
};

bool meets(const KeyRange& range, const Counts& counts) {
  if (!counts.any(range.begin, range.end))
    return false;
  bool met = false;
  attention::forEachRun(range,
                        [&](Index begin, Index end) { met = met || counts.any(begin, end); });
  return met;
}

// The queries that see a token of `below`.
TokenSet queriesOf(const Prepared& pattern, const TokenSet& below, bool residual, int threads,
                   const Run& run) {
  const Index n = pattern.lengths().queries;
  TokenSet above = residual ? below : TokenSet(below.size());
  const Counts counts(below);
  parallelFor(ceilDiv(n, kRowsPerChunk), threads, run.quiet(), [&](Index chunk) {
    KeyRanges ranges;
    for (Index i = chunk * kRowsPerChunk; i < std::min(n, (chunk + 1) * kRowsPerChunk); ++i) {
      if (bitAt(above, i))
        continue;
      pattern.row(i, ranges);
      const bool sees = std::any_of(ranges.begin(), ranges.end(),
                                    [&](const KeyRange& range) { return meets(range, counts); });
      if (sees)
        setBits(above, i, i + 1);
    }
  });
  return above;
}

// The smallest key of query i in layer `t` that lies in `below`; i itself through the residual
// connection.
Index stepDown(const LayerStack& stack, Index t, Index i, const TokenSet& below) {
  KeyRanges ranges;
  stack.pattern(t).row(i, ranges);
  Index best = stack.residual && bitAt(below, i) ? i : kUnbounded;
  for (const KeyRange& range : ranges)
    attention::forEachRun(range, [&](Index begin, Index end) {
      for (Index j = begin; j < std::min(end, best); ++j)
        if (bitAt(below, j))
          best = j;
    });
  return best;
}

// From `query` in the last of the sets down to the only token of the first one.
std::vector<Index> descent(const LayerStack& stack, Index query,
                           const std::vector<TokenSet>& reached) {
  std::vector<Index> path{query};
  for (std::size_t t = reached.size() - 1; t > 0; --t)
    path.push_back(stepDown(stack, static_cast<Index>(t), path.back(), reached[t - 1]));
  return path;
}

} // namespace

TokenSet influencing(const LayerStack& stack, Index token, Index layers, const Run& run) {
  checkToken(stack, "token", token);
  TokenSet set = only(stack.n(), token);
  for (Index t = layers; t >= 1; --t) {
    set = unionOfRows(stack.pattern(t), set, stack.residual, run);
    run.report(static_cast<double>(layers - t + 1) / static_cast<double>(layers));
  }
  return set;
}

void eachInfluencing(const LayerStack& stack, Index token, Index layers, const EachLayer& each,
                     const Run& run) {
  checkToken(stack, "token", token);
  const auto patterns = static_cast<Index>(stack.patterns.size());
  const Index tops = std::min(patterns, layers);
  for (Index top = 1; top <= tops; ++top) { // layers top, top + patterns … are of one pattern
    const Run part = stepOf(run, top - 1, tops);
    const Index most = top + (layers - top) / patterns * patterns;
    TokenSet set = only(stack.n(), token);
    for (Index t = most; t >= 1; --t) {
      set = unionOfRows(stack.pattern(t), set, stack.residual, part);
      const Index followed = most - t + 1;
      if (followed % patterns == top % patterns)
        each(followed, set);
      part.report(static_cast<double>(followed) / static_cast<double>(most));
    }
  }
}

TokenSet influenced(const LayerStack& stack, Index token, Index layers, int threads,
                    const Run& run) {
  checkToken(stack, "token", token);
  TokenSet set = only(stack.n(), token);
  eachInfluenced(
      stack, token, layers, [&](Index, const TokenSet& of) { set = of; }, threads, run);
  return set;
}

void eachInfluenced(const LayerStack& stack, Index token, Index layers, const EachLayer& each,
                    int threads, const Run& run) {
  checkToken(stack, "token", token);
  TokenSet set = only(stack.n(), token);
  for (Index t = 1; t <= layers; ++t) {
    set = queriesOf(stack.pattern(t), set, stack.residual, threads, run);
    each(t, set);
    run.report(static_cast<double>(t) / static_cast<double>(layers));
  }
}

std::optional<std::vector<Index>> pathThrough(const LayerStack& stack, Index query, Index key,
                                              Index layers, int threads, const Run& run) {
  checkToken(stack, "i", query);
  checkToken(stack, "j", key);
  const Index most = kMostPathWords / ceilDiv(stack.n(), kWordBits);
  if (layers < 0 || layers > most)
    throwRange("layers", std::to_string(layers),
               "an integer from 0 to " + std::to_string(most) + " for a path through all of them");
  std::vector<TokenSet> reached{only(stack.n(), key)};
  for (Index t = 1; t <= layers; ++t) {
    run.report(static_cast<double>(t - 1) / static_cast<double>(layers));
    reached.push_back(queriesOf(stack.pattern(t), reached.back(), stack.residual, threads, run));
  }
  if (!bitAt(reached.back(), query))
    return std::nullopt;
  return descent(stack, query, reached);
}

std::optional<std::vector<Index>> shortestPath(const LayerStack& stack, Index query, Index key,
                                               Index mostLayers, int threads, const Run& run) {
  checkToken(stack, "i", query);
  checkToken(stack, "j", key);
  std::vector<TokenSet> reached{only(stack.n(), key)};
  const auto found = [&](Index t) {
    return (t > 0 || stack.residual) && bitAt(reached[static_cast<std::size_t>(t)], query);
  };
  Index t = 0;
  for (; !found(t); ++t) {
    if (t == mostLayers)
      return std::nullopt;
    reached.push_back(
        queriesOf(stack.pattern(t + 1), reached.back(), stack.residual, threads, run));
  }
  return descent(stack, query, reached);
}

std::optional<std::vector<Index>> influencePath(const LayerStack& stack, Index query, Index key,
                                                Index layers, int threads, const Run& run) {
  const bool throughAll = !stack.residual && stack.patterns.size() > 1;
  return (throughAll ? pathThrough : shortestPath)(stack, query, key, layers, threads, run);
}

} // namespace attention
