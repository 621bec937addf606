// Twins of the mechanisms that choose blocks or keys (S21 – S29), for square masks.
#include "tests/core/pattern/twins/rows.h"
#include "tests/core/pattern/twins/twins.h"

#include <limits>
#include <set>

namespace attention::twins {
namespace {

using Blocks = std::set<Index>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Index size(const Rows& rows) {
  return static_cast<Index>(rows.size());
}
const Row& at(const Rows& rows, Index i) {
  return rows[static_cast<std::size_t>(i)];
}

// Row i attends to the blocks rows[i / queryBlock].
Cells blockCells(std::vector<Blocks> rows, Index queryBlock, Index keyBlock, bool causal) {
  return [=](Index i, Index j) {
    return rows[static_cast<std::size_t>(i / queryBlock)].contains(j / keyBlock) &&
           (!causal || j <= i);
  };
}

Row mean(const Rows& rows, Index begin, Index end, Index count) {
  Row sum(rows[0].size());
  for (Index i = begin; i < end; ++i)
    for (std::size_t c = 0; c < sum.size(); ++c)
      sum[c] += at(rows, i)[c] / static_cast<double>(count);
  return sum;
}

Rows means(const Rows& rows, Index block, bool padded = false) {
  Rows all;
  for (Index begin = 0; begin < size(rows); begin += block) {
    const Index end = std::min(begin + block, size(rows));
    all.push_back(mean(rows, begin, end, padded ? block : end - begin));
  }
  return all;
}

Row softmaxOf(Row scores) {
  const double most = scores.empty() ? 0 : *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (double& s : scores)
    sum += s = std::exp(s - most);
  for (double& s : scores)
    s /= sum;
  return scores;
}

Row scored(const Row& q, const Rows& keys, Index count, double scale = 1) {
  Row scores;
  for (Index j = 0; j < count; ++j)
    scores.push_back(scale * dot(q, at(keys, j)));
  return scores;
}

double scaleFor(const PatternData& data) {
  return data.scale.value_or(1 / std::sqrt(static_cast<double>(data.q->cols())));
}

// Forced blocks among 0 … own, and the best others up to `count` in all.
Blocks withForced(Row scores, Index own, Index first, Index last, Index count) {
  Blocks blocks;
  for (Index c = 0; c <= own; ++c)
    if (c < first || c > own - last)
      blocks.insert(c);
  for (const Index c : blocks)
    scores[static_cast<std::size_t>(c)] = -kInfinity;
  const Index left = std::min(count, own + 1) - static_cast<Index>(blocks.size());
  for (const std::size_t c : largest(scores, std::max<Index>(left, 0)))
    blocks.insert(static_cast<Index>(c));
  return blocks;
}

Rows firstColumns(Rows rows, const std::optional<Index>& columns) {
  for (Row& row : rows)
    row.resize(static_cast<std::size_t>(columns.value_or(static_cast<Index>(row.size()))));
  return rows;
}

} // namespace

Cells cellsOf(const Moba& p, const PatternData& data) {
  const Rows q = rowsOf(*data.q);
  const Rows k = means(rowsOf(*data.k), p.blockSize);
  std::vector<Blocks> rows;
  for (Index i = 0; i < size(q); ++i) {
    const Index own = i / p.blockSize;
    Blocks blocks{own};
    for (const std::size_t c : largest(scored(at(q, i), k, own), p.topK - 1))
      blocks.insert(static_cast<Index>(c));
    if (p.topK == 1 && p.reading == Moba::Reading::Efficient)
      for (Index c = 0; c < own; ++c)
        blocks.insert(c);
    rows.push_back(blocks);
  }
  return blockCells(rows, 1, p.blockSize, true);
}

Cells cellsOf(const Nsa& p, const PatternData& data) {
  const Rows q = rowsOf(*data.q);
  const Rows k = rowsOf(*data.k);
  const Index n = size(q);
  const Index l = p.compressBlock;
  const Index s = p.compressStride;
  const Index b = p.selectBlock;
  std::vector<Blocks> rows;
  for (Index i = 0; i < n; ++i) {
    Row scores;
    for (Index c = 0; c * s + l - 1 <= i; ++c)
      scores.push_back(scaleFor(data) * dot(at(q, i), mean(k, c * s, c * s + l, l)));
    const Row weights = softmaxOf(scores);
    Row blocks;
    for (Index t = 0; t <= i / b; ++t) {
      blocks.push_back(0);
      for (Index m = 0; m < b / s; ++m)
        for (Index u = 0; u < l / s; ++u)
          if (const Index c = t * b / s + m - u; c >= 0 && c < static_cast<Index>(weights.size()))
            blocks.back() += weights[static_cast<std::size_t>(c)];
    }
    rows.push_back(withForced(blocks, i / b, p.initBlocks, p.localBlocks, p.selectCount));
  }
  const Cells selected = blockCells(rows, 1, b, true);
  return [=](Index i, Index j) { return selected(i, j) || (j <= i && i - j < p.window); };
}

Cells cellsOf(const Dsa& p, const PatternData& data) {
  const Rows q = firstColumns(rowsOf(*data.q), p.indexDim);
  const Rows k = firstColumns(rowsOf(*data.k), p.indexDim);
  std::vector<Blocks> rows;
  for (Index i = 0; i < size(q); ++i) {
    Row scores = scored(at(q, i), k, p.causal ? i + 1 : size(k));
    if (p.activation == Dsa::Activation::Relu)
      for (double& x : scores)
        x = std::max(x, 0.0);
    Blocks keys;
    for (const std::size_t j : largest(scores, p.k))
      keys.insert(static_cast<Index>(j));
    rows.push_back(keys);
  }
  return blockCells(rows, 1, 1, p.causal);
}

Cells cellsOf(const Msa& p, const PatternData& data) {
  const Rows q = firstColumns(rowsOf(*data.q), p.indexDim);
  const Rows k = firstColumns(rowsOf(*data.k), p.indexDim);
  std::vector<Blocks> rows;
  for (Index i = 0; i < size(q); ++i) {
    const Index own = i / p.blockSize;
    Row best(static_cast<std::size_t>(own) + 1, -kInfinity);
    for (Index j = 0; j <= i; ++j) {
      double& most = best[static_cast<std::size_t>(j / p.blockSize)];
      most = std::max(most, dot(at(q, i), at(k, j)));
    }
    rows.push_back(withForced(best, own, 0, p.localBlocks, p.topK));
  }
  return blockCells(rows, 1, p.blockSize, true);
}

Cells cellsOf(const Quest& p, const PatternData& data) {
  const Rows q = rowsOf(*data.q);
  const Rows k = rowsOf(*data.k);
  const Index b = p.pageSize;
  std::vector<Blocks> rows;
  for (Index t = 0; t < size(q); ++t) {
    const Index last = t / b;
    Row bounds;
    for (Index c = 0; c <= last; ++c) {
      double bound = 0;
      for (std::size_t e = 0; e < q[0].size(); ++e) {
        double most = -kInfinity;
        for (Index j = c * b; j < std::min(c * b + b, t + 1); ++j)
          most = std::max(most, at(q, t)[e] * at(k, j)[e]);
        bound += most;
      }
      bounds.push_back(bound);
    }
    if (p.reading == Quest::Reading::Kernel) {
      const Index pages = std::max<Index>(1, p.tokenBudget / b);
      rows.push_back(withForced(bounds, last, 0, 1, pages));
    } else {
      const Index pages = std::max<Index>(3, std::min(t + 1, p.tokenBudget) / b);
      rows.push_back(withForced(bounds, last, 0, 0, pages));
    }
  }
  return blockCells(rows, 1, b, true);
}

Cells cellsOf(const BlockTopK& p, const PatternData& data) {
  const bool padded = p.pool == BlockTopK::Pool::Padded;
  const Rows q = means(rowsOf(*data.q), p.blockSize, padded);
  const Rows k = means(rowsOf(*data.k), p.blockSize, padded);
  std::vector<Blocks> rows;
  for (Index a = 0; a < size(q); ++a)
    rows.push_back(withForced(scored(at(q, a), k, a + 1), a, p.sinkBlocks, p.localBlocks, p.topK));
  return blockCells(rows, p.blockSize, p.blockSize, true);
}

namespace {

// W of S26: softmaxes of antidiagonal sums, added up over blocks.
Rows antidiagonalWeights(const XAttention& p, const PatternData& data) {
  const Rows q = rowsOf(*data.q);
  const Rows k = rowsOf(*data.k);
  const Index n = size(q);
  const Index s = p.stride;
  const Index groups = (n + s - 1) / s;
  const Index blocks = (n + p.blockSize - 1) / p.blockSize;
  Rows sums(static_cast<std::size_t>(blocks), Row(static_cast<std::size_t>(blocks)));
  for (Index r = 0; r < groups; ++r) {
    Row scores;
    for (Index c = 0; c < (p.causal ? r + 1 : groups); ++c) {
      double sum = 0;
      for (Index u = 0; u < s; ++u)
        if (r * s + s - 1 - u < n && c * s + u < n)
          sum += dot(at(q, r * s + s - 1 - u), at(k, c * s + u));
      scores.push_back(scaleFor(data) / static_cast<double>(s) * sum);
    }
    const Row weights = softmaxOf(scores);
    for (std::size_t c = 0; c < weights.size(); ++c)
      sums[static_cast<std::size_t>(r * s / p.blockSize)]
          [c * static_cast<std::size_t>(s) / static_cast<std::size_t>(p.blockSize)] += weights[c];
  }
  return sums;
}

Blocks takenByWeight(const XAttention& p, const Row& weights, Index a, Index candidates) {
  const bool first = p.causal && a * p.blockSize < p.firstChunk;
  Blocks forced;
  if (p.causal)
    forced = first ? Blocks{a} : Blocks{0, a};
  double all = 0;
  double sum = 0;
  for (Index c = 0; c < candidates; ++c)
    all += weights[static_cast<std::size_t>(c)];
  for (const Index c : forced)
    sum += weights[static_cast<std::size_t>(c)];
  Blocks taken = forced;
  double last = -1; // of the block taken last, which the first chunk does not count yet
  const Row among(weights.begin(), weights.begin() + candidates);
  for (const std::size_t c : largest(among, candidates)) {
    if (forced.contains(static_cast<Index>(c)))
      continue;
    const bool always = first && last < 0 && p.threshold > 0;
    if (p.threshold < 1 && !always && !(sum < p.threshold * all))
      break;
    taken.insert(static_cast<Index>(c));
    if (first)
      sum += std::max(last, 0.0);
    else
      sum += weights[c];
    last = weights[c];
  }
  taken.insert(0);
  return taken;
}

} // namespace

Cells cellsOf(const XAttention& p, const PatternData& data) {
  const Rows weights = antidiagonalWeights(p, data);
  std::vector<Blocks> rows;
  for (Index a = 0; a < size(weights); ++a)
    rows.push_back(takenByWeight(p, at(weights, a), a, p.causal ? a + 1 : size(weights)));
  return blockCells(rows, p.blockSize, p.blockSize, p.causal);
}

Cells cellsOf(const Sparge& p, const PatternData& data) {
  const Rows q = rowsOf(*data.q);
  Rows k = rowsOf(*data.k);
  const Row middle = mean(k, 0, size(k), size(k));
  for (Row& row : k)
    for (std::size_t c = 0; c < row.size() && p.smoothK; ++c)
      row[c] -= middle[c];
  const auto similar = [&](const Rows& rows, Index block, Index t) {
    const Index end = std::min((t + 1) * block, size(rows));
    if (end - t * block < block && p.shortBlock == Sparge::ShortBlock::Dissimilar)
      return false;
    double cosines = 0;
    for (Index i = t * block; i < end; ++i)
      for (Index j = t * block; j < end; ++j)
        cosines += dot(unit(at(rows, i)), unit(at(rows, j)));
    return cosines / static_cast<double>((end - t * block) * (end - t * block)) > p.similarity;
  };
  const Rows queries = means(q, p.blockQ);
  const Rows keys = means(k, p.blockK);
  std::vector<Blocks> rows;
  for (Index a = 0; a < size(queries); ++a) {
    Blocks taken;
    std::vector<Index> live;
    Row scores;
    for (Index c = 0; c < size(keys) && (!p.causal || c * p.blockK < (a + 1) * p.blockQ); ++c) {
      if (!similar(q, p.blockQ, a) || !similar(k, p.blockK, c) || (p.sink && c == 0))
        taken.insert(c);
      if (!similar(k, p.blockK, c))
        continue;
      live.push_back(c);
      scores.push_back(scaleFor(data) * dot(at(queries, a), at(keys, c)));
    }
    const Row weights = softmaxOf(scores);
    double sum = 0;
    std::size_t count = 0;
    for (const std::size_t t : largest(weights, static_cast<Index>(live.size()))) {
      sum += weights[t];
      const double share = p.cdf.value_or(0.98);
      const bool fits = p.ratio ? static_cast<double>(count) + 1 <=
                                      std::floor(*p.ratio * static_cast<double>(size(keys)))
                                : share == 1 || sum <= share;
      if (count > 0 && !fits)
        break;
      taken.insert(live[t]);
      ++count;
    }
    rows.push_back(taken);
  }
  return blockCells(rows, p.blockQ, p.blockK, p.causal);
}

namespace {

Index blocksFor(Row weights, double gamma, Index unit) {
  std::sort(weights.begin(), weights.end(), std::greater<>());
  double sum = 0;
  Index count = 1;
  for (const double w : weights)
    count += (sum += w) <= gamma ? 1 : 0;
  return count / unit + 1;
}

Blocks firstAndLargest(Row weights, Index count) {
  weights[0] = kInfinity;
  Blocks blocks;
  for (const std::size_t c : largest(weights, count))
    blocks.insert(static_cast<Index>(c));
  return blocks;
}

// The heaviest blocks (a, c) of all rows together.
std::set<IndexPair> heaviestBlocks(const FlexPrefill& p, const Rows& q, const Rows& k,
                                   double scale) {
  Row weights;
  std::vector<IndexPair> places;
  for (Index a = 0; a < size(q); ++a) {
    const Row row = softmaxOf(scored(at(q, a), k, a + 1, scale));
    for (Index c = 0; c <= a; ++c) {
      places.emplace_back(a, c);
      weights.push_back(row[static_cast<std::size_t>(c)]);
    }
  }
  const double goal = p.gamma * static_cast<double>(size(q));
  std::set<IndexPair> taken;
  double sum = 0;
  for (const std::size_t t : largest(weights, static_cast<Index>(weights.size()))) {
    const bool ends = p.cover == FlexPrefill::Cover::Reach ? !taken.empty() && sum >= goal
                                                           : sum + weights[t] > goal;
    if (p.gamma < 1 && ends)
      break;
    sum += weights[t];
    taken.insert(places[t]);
  }
  return taken;
}

} // namespace

Cells cellsOf(const FlexPrefill& p, const PatternData& data) {
  const Rows q = rowsOf(*data.q);
  const Rows k = rowsOf(*data.k);
  const Index n = size(q);
  const Index b = p.blockSize;
  const Index blocks = (n + b - 1) / b;
  const Index least = (p.minBudget + b - 1) / b;
  if (n <= std::max(2 * b, least * b))
    return [](Index i, Index j) { return j <= i; };
  const double scale = scaleFor(data);
  Row keys(static_cast<std::size_t>(n));
  Row distances(static_cast<std::size_t>(n));
  for (Index i = n - b; i < n; ++i) {
    const Row weights = softmaxOf(scored(at(q, i), k, i + 1, scale));
    for (Index j = 0; j <= i; ++j) {
      const double w = weights[static_cast<std::size_t>(j)] / static_cast<double>(b);
      keys[static_cast<std::size_t>(j)] += w;
      distances[static_cast<std::size_t>(i - j)] += w;
    }
  }
  Row columns(static_cast<std::size_t>(blocks));
  Row diagonals(static_cast<std::size_t>(blocks));
  for (Index j = 0; j < n; ++j) {
    columns[static_cast<std::size_t>(j / b)] += keys[static_cast<std::size_t>(j)];
    diagonals[static_cast<std::size_t>(blocks - 1 - j / b)] +=
        distances[static_cast<std::size_t>(n - 1 - j)];
  }
  const Rows meanKeys = means(k, b);
  const Row expected = softmaxOf(scored(mean(q, n - b, n, b), meanKeys, blocks, scale));
  double js = 0;
  for (std::size_t c = 0; c < expected.size(); ++c)
    for (const double x : {expected[c], columns[c]})
      js += x > 0 ? x / 2 * std::log(2 * x / (expected[c] + columns[c])) : 0;
  const bool aware = std::sqrt(std::max(js, 0.0)) < p.tau;
  const Index most = p.maxBudget ? std::min(blocks, (*p.maxBudget + b - 1) / b) : blocks;
  const auto needed = [&](const Row& weights) {
    const Index count = blocksFor(weights, p.gamma, p.countUnit.value_or(b));
    return aware ? least : std::min(std::max(count, least), most);
  };
  const Blocks vertical = firstAndLargest(columns, needed(keys));
  const Blocks slash = firstAndLargest(diagonals, needed(distances));
  const auto heaviest =
      aware ? heaviestBlocks(p, means(q, b), meanKeys, scale) : std::set<IndexPair>();
  return [=](Index i, Index j) {
    return j <= i && (vertical.contains(j / b) || slash.contains(i / b - j / b) ||
                      heaviest.contains({i / b, j / b}));
  };
}

} // namespace attention::twins
