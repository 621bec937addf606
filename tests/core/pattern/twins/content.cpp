// Twins of the mechanisms that read queries and keys (S5, S6).
#include "core/pattern/mechanism/cluster.h"
#include "core/pattern/mechanism/lsh.h"
#include "core/pattern/mechanism/routing.h"
#include "core/pattern/mechanism/topk.h"
#include "core/pattern/mechanism/vertical_slash_estimated.h"
#include "core/support/philox.h"
#include "tests/core/pattern/twins/rows.h"
#include "tests/core/pattern/twins/twins.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace attention::twins {
namespace {

using twins::rowsOf;
using twins::unit;

Rows rowsOf(const MatrixSource& source) {
  const auto width = static_cast<std::size_t>(source.shape[1]);
  Rows rows;
  for (std::size_t at = 0; at < source.values.size(); at += width) {
    rows.emplace_back();
    for (std::size_t c = 0; c < width; ++c)
      rows.back().push_back(source.values[at + c]);
  }
  return rows;
}

double distance(const Row& a, const Row& b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c)
    sum += (a[c] - b[c]) * (a[c] - b[c]);
  return sum;
}

Rows unit(Rows rows) {
  for (Row& row : rows)
    row = unit(row);
  return rows;
}

bool holds(const std::vector<std::size_t>& list, Index token) {
  return std::find(list.begin(), list.end(), static_cast<std::size_t>(token)) != list.end();
}

std::size_t nearest(const Row& point, const Rows& centroids, bool spherical) {
  Row scores;
  for (const Row& centroid : centroids)
    scores.push_back(spherical ? dot(point, centroid) : -distance(point, centroid));
  return largest(scores, 1).front();
}

// k different rows by a partial shuffle of 0 … N − 1 (S9, purpose 8).
Rows drawnRows(const Rows& points, Index k, std::uint64_t seed) {
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Rows drawn;
  for (std::size_t t = 0; t < static_cast<std::size_t>(k); ++t) {
    const std::uint64_t u = philox::draw({seed, philox::Purpose::KMeans, 0}, t).a;
    std::swap(order[t], order[t + philox::below(u, points.size() - t)]);
    drawn.push_back(points[order[t]]);
  }
  return drawn;
}

// Lloyd's k-means without early stopping; an empty centroid keeps its place (S5.2).
Rows centroidsOf(const Rows& points, Rows centroids, Index iterations, bool spherical) {
  for (Index step = 0; step < iterations; ++step) {
    Rows sums(centroids.size(), Row(points[0].size()));
    std::vector<double> members(centroids.size());
    for (const Row& point : points) {
      const std::size_t c = nearest(point, centroids, spherical);
      members[c] += 1;
      for (std::size_t t = 0; t < point.size(); ++t)
        sums[c][t] += point[t];
    }
    for (std::size_t c = 0; c < centroids.size(); ++c) {
      for (double& x : sums[c])
        x /= members[c];
      if (members[c] > 0)
        centroids[c] = spherical ? unit(sums[c]) : sums[c];
    }
  }
  return centroids;
}

Rows clusteredPoints(const PatternData& data) {
  Rows points = rowsOf(*data.q);
  const Rows keys = rowsOf(*data.k);
  if (!data.sharedQk())
    points.insert(points.end(), keys.begin(), keys.end());
  return points;
}

double score(TopK::Metric metric, const Row& q, const Row& k) {
  if (metric == TopK::Metric::Euclidean)
    return -distance(q, k);
  return metric == TopK::Metric::Dot ? dot(q, k) : dot(unit(q), unit(k));
}

// Buckets of one round: [round][token] (S6.1).
using Buckets = std::vector<std::vector<Index>>;

Index factorBucket(const Row& x, const Lsh& p, Index round, Index column, Index half,
                   Index columns) {
  Row y;
  for (Index b = column; b < column + half; ++b) {
    double sum = 0;
    for (std::size_t f = 0; f < x.size(); ++f) {
      const philox::Stream stream{p.seed, philox::Purpose::LshRotations,
                                  static_cast<std::uint32_t>(round)};
      sum += x[f] * philox::normal(stream, f * static_cast<std::uint64_t>(columns) +
                                               static_cast<std::uint64_t>(b));
    }
    y.push_back(sum);
  }
  for (Index b = 0; b < half; ++b)
    y.push_back(-y[static_cast<std::size_t>(b)]);
  return static_cast<Index>(largest(y, 1).front());
}

Buckets bucketsOf(const Lsh& p, const IndexList& factors, const Rows& x) {
  Index columns = 0;
  for (const Index f : factors)
    columns += f / 2;
  Buckets buckets;
  for (Index r = 0; r < p.rounds; ++r) {
    buckets.emplace_back();
    for (const Row& row : x) {
      Index bucket = 0;
      Index unitOf = 1;
      Index column = 0;
      for (const Index f : factors) {
        bucket += unitOf * factorBucket(row, p, r, column, f / 2, columns);
        unitOf *= f;
        column += f / 2;
      }
      buckets.back().push_back(bucket);
    }
  }
  return buckets;
}

// The rank of every token in the order of (bucket, position).
std::vector<Index> ranksOf(const std::vector<Index>& bucket) {
  std::vector<Index> ranks;
  for (std::size_t i = 0; i < bucket.size(); ++i) {
    Index rank = 0;
    for (std::size_t j = 0; j < bucket.size(); ++j)
      rank += bucket[j] < bucket[i] || (bucket[j] == bucket[i] && j < i) ? 1 : 0;
    ranks.push_back(rank);
  }
  return ranks;
}

// Whether round r shows key j to query i before the causal rule and the rule for own keys (S6.3).
struct Shown {
  Lsh p;
  Index chunk;
  Index chunks;
  Buckets buckets;
  Buckets ranks;

  Index at(const Buckets& table, Index round, Index token) const {
    return table[static_cast<std::size_t>(round)][static_cast<std::size_t>(token)];
  }

  bool operator()(Index r, Index i, Index j) const {
    const bool same = at(buckets, r, i) == at(buckets, r, j);
    if (p.within == Lsh::Within::Bucket)
      return same;
    for (Index o = -p.before; o <= p.after; ++o) {
      Index round = r;
      Index c = at(ranks, r, i) / chunk + o;
      if (p.lookback == Lsh::Lookback::WrapRound)
        c = modulo(c, chunks);
      if (p.lookback == Lsh::Lookback::WrapAll) {
        const Index all = modulo(r * chunks + c, p.rounds * chunks);
        round = all / chunks;
        c = all % chunks;
      }
      const bool bucket = p.within == Lsh::Within::Chunk || (same && round == r);
      if (bucket && at(ranks, round, j) / chunk == c)
        return true;
    }
    return false;
  }
};

IndexList bucketFactors(const Lsh& p, Index n) {
  if (p.buckets)
    return *p.buckets;
  const Index most = 2 * std::max<Index>(1, n / (p.chunk ? *p.chunk : 64));
  Index buckets = 1;
  while (buckets * 2 <= most)
    buckets *= 2;
  return {buckets};
}

} // namespace

Cells cellsOf(const TopK& p, const PatternData& data) {
  const Rows q = rowsOf(*data.q);
  const Rows k = rowsOf(*data.k);
  return [=](Index i, Index j) {
    Row scores;
    for (Index c = 0; c < static_cast<Index>(k.size()); ++c) {
      const bool candidate = (!p.causal || c <= i) && (!p.excludeSelf || c != i);
      scores.push_back(candidate ? score(p.metric, q[static_cast<std::size_t>(i)],
                                         k[static_cast<std::size_t>(c)])
                                 : -std::numeric_limits<double>::infinity());
    }
    return holds(largest(scores, p.k), j) && std::isfinite(scores[static_cast<std::size_t>(j)]);
  };
}

Cells cellsOf(const Cluster& p, Index, const PatternData& data) {
  if (p.labels)
    return [=](Index i, Index j) {
      const auto label = [&](Index token) { return (*p.labels)[static_cast<std::size_t>(token)]; };
      return label(i) == label(j) && (!p.causal || j <= i);
    };
  const Rows points = p.spherical ? unit(clusteredPoints(data)) : clusteredPoints(data);
  Rows first = p.centroids ? rowsOf(*p.centroids) : drawnRows(points, p.k, p.seed);
  if (p.spherical)
    first = unit(first);
  const Rows centroids = centroidsOf(points, first, p.iterations, p.spherical);
  const auto keys = points.size() - static_cast<std::size_t>(data.k->rows());
  return [=](Index i, Index j) {
    const Row& q = points[static_cast<std::size_t>(i)];
    const Row& k = points[keys + static_cast<std::size_t>(j)];
    return nearest(q, centroids, p.spherical) == nearest(k, centroids, p.spherical) &&
           (!p.causal || j <= i);
  };
}

Cells cellsOf(const Routing& p, const PatternData& data) {
  const Rows points = unit(clusteredPoints(data));
  const Rows centroids =
      p.centroids ? unit(rowsOf(*p.centroids))
                  : centroidsOf(points, drawnRows(points, p.k, p.seed), p.iterations, true);
  const Index n = data.q->rows();
  const auto count = static_cast<Index>(centroids.size());
  const Index w = p.window ? *p.window : (n + count - 1) / count;
  const auto routed = [&](const Rows& rows, const Row& centroid) {
    Row scores;
    for (const Row& row : rows)
      scores.push_back(dot(unit(row), centroid));
    return largest(scores, w);
  };
  std::vector<std::vector<std::size_t>> queries;
  std::vector<std::vector<std::size_t>> keys;
  for (const Row& centroid : centroids) {
    queries.push_back(routed(rowsOf(*data.q), centroid));
    keys.push_back(routed(rowsOf(*data.k), centroid));
  }
  return [=](Index i, Index j) {
    bool together = false;
    for (std::size_t c = 0; c < queries.size(); ++c)
      together = together || (holds(queries[c], i) && holds(keys[c], j));
    return together && (!p.causal || j <= i);
  };
}

Cells cellsOf(const VerticalSlashEstimated& p, const PatternData& data) {
  const Rows q = rowsOf(*data.q);
  const Rows k = rowsOf(*data.k);
  const auto n = static_cast<Index>(q.size());
  Row vertical(q.size());
  Row slash(q.size());
  for (Index i = std::max<Index>(0, n - p.lastQ); i < n; ++i) {
    Row weights;
    for (Index j = 0; j <= i; ++j)
      weights.push_back(
          std::exp(dot(q[static_cast<std::size_t>(i)], k[static_cast<std::size_t>(j)]) /
                   std::sqrt(static_cast<double>(q[0].size()))));
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (Index j = 0; j <= i; ++j) {
      vertical[static_cast<std::size_t>(j)] += weights[static_cast<std::size_t>(j)] / sum;
      slash[static_cast<std::size_t>(i - j)] += weights[static_cast<std::size_t>(j)] / sum;
    }
  }
  const auto force = [&](Row& scores, Index first) {
    for (Index at = 0; at < std::min(first, n); ++at)
      scores[static_cast<std::size_t>(at)] = std::numeric_limits<double>::infinity();
  };
  force(vertical, p.forceFirst);
  force(slash, p.forceLocal);
  const auto columns = largest(vertical, p.nVertical);
  const auto offsets = largest(slash, p.nSlash);
  return [=](Index i, Index j) { return j <= i && (holds(columns, j) || holds(offsets, i - j)); };
}

Cells cellsOf(const Lsh& p, const PatternData& data) {
  const Index n = data.q->rows();
  const IndexList factors = bucketFactors(p, n);
  Index product = 1;
  for (const Index f : factors)
    product *= f;
  const Index chunk = p.chunk ? *p.chunk : p.buckets ? (2 * n + product - 1) / product : 64;
  Shown shown{p, chunk, (n + chunk - 1) / chunk, bucketsOf(p, factors, rowsOf(*data.q)), {}};
  for (const std::vector<Index>& bucket : shown.buckets)
    shown.ranks.push_back(ranksOf(bucket));
  const auto seen = [=](Index i, Index j) {
    bool in = false;
    for (Index r = 0; r < p.rounds; ++r)
      in = in || shown(r, i, j);
    return in && (!p.causal || j <= i);
  };
  return [=](Index i, Index j) {
    if (i != j || p.self == Lsh::Self::Allow)
      return seen(i, j);
    bool others = false;
    for (Index key = 0; key < n; ++key)
      others = others || (key != i && seen(i, key));
    return (p.self == Lsh::Self::Fallback && !others) || (p.self == Lsh::Self::FirstOnly && i == 0);
  };
}

} // namespace attention::twins
