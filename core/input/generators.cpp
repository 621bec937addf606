#include "core/input/generators.h"

#include "core/input/allocate.h"
#include "core/support/parallel.h"
#include "core/support/philox.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attention {
namespace {

using philox::Purpose;
using philox::Stream;

// Where draws begin that must not collide with the normal numbers 0 … n·d − 1 of the same stream.
constexpr std::uint64_t kLabelDraws = std::uint64_t{1} << 40;
constexpr std::uint64_t kNoiseNumbers = std::uint64_t{1} << 48;
constexpr std::uint32_t kSharedSub = std::uint32_t{1} << 30;
constexpr Index kRowsPerChunk = 256;

Stream roleStream(const RandomInput& input, Role role, Index head) {
  return {input.seed, Purpose::Data,
          static_cast<std::uint32_t>(3 * head + static_cast<Index>(role))};
}

Stream sharedStream(const RandomInput& input, Index head) {
  return {input.seed, Purpose::Data, kSharedSub + static_cast<std::uint32_t>(head)};
}

// A matrix whose entry (r, c) is normal number first + r·cols + c.
class Normals {
public:
  Normals(Stream stream, Index cols, std::uint64_t first = 0)
      : stream_(stream), cols_(cols), first_(first) {}
  double operator()(Index r, Index c) const {
    return philox::normal(stream_, first_ + static_cast<std::uint64_t>(r * cols_ + c));
  }

private:
  Stream stream_;
  Index cols_;
  std::uint64_t first_;
};

double single(const RandomInput& input, std::string_view name) {
  return parameterValues(input, name).front();
}

// Each fills one row of doubles, `row` of `role`; built once per matrix.
struct GaussianRows {
  Normals normals;
  double sigma;
  void operator()(Index r, std::span<double> row) const {
    for (std::size_t c = 0; c < row.size(); ++c)
      row[c] = sigma * normals(r, static_cast<Index>(c));
  }
};

struct UnitRows {
  Normals normals;
  double norm;
  void operator()(Index r, std::span<double> row) const {
    double squares = 0.0;
    for (std::size_t c = 0; c < row.size(); ++c) {
      row[c] = normals(r, static_cast<Index>(c));
      squares += row[c] * row[c];
    }
    const double length = std::sqrt(squares);
    for (double& value : row)
      value = length > 0.0 ? norm * (value / length) : 0.0;
  }
};

struct ClusteredRows {
  Normals normals;
  Normals centres;
  Stream labels;
  Role role;
  double sigma;
  double spread;
  std::uint64_t clusters;
  void operator()(Index r, std::span<double> row) const {
    const philox::Draw draw = philox::draw(labels, kLabelDraws + static_cast<std::uint64_t>(r));
    const auto label =
        static_cast<Index>(philox::below(role == Role::Query ? draw.a : draw.b, clusters));
    for (std::size_t c = 0; c < row.size(); ++c) {
      const auto column = static_cast<Index>(c);
      row[c] = sigma * centres(label, column) + spread * normals(r, column);
    }
  }
};

struct LowRankRows {
  Normals left;
  Normals noiseNumbers;
  Matrix<double> right; // rank × d
  double sigma;
  double noise;
  void operator()(Index r, std::span<double> row) const {
    const Index rank = right.rows();
    std::fill(row.begin(), row.end(), 0.0);
    for (Index k = 0; k < rank; ++k) {
      const double factor = left(r, k);
      for (std::size_t c = 0; c < row.size(); ++c)
        row[c] += factor * right(k, static_cast<Index>(c));
    }
    const double unit = sigma / std::sqrt(static_cast<double>(rank));
    for (std::size_t c = 0; c < row.size(); ++c) {
      row[c] *= unit;
      if (noise != 0.0)
        row[c] += noise * noiseNumbers(r, static_cast<Index>(c));
    }
  }
};

struct PeriodicRows {
  Normals normals;
  Matrix<double> phases; // periods × d
  GeneratorValues periods;
  double sigma;
  double noise;
  void operator()(Index r, std::span<double> row) const {
    const double amplitude = sigma * std::sqrt(2.0 / static_cast<double>(periods.size()));
    for (std::size_t c = 0; c < row.size(); ++c) {
      const auto column = static_cast<Index>(c);
      double sum = 0.0;
      for (std::size_t p = 0; p < periods.size(); ++p)
        sum += std::cos(2.0 * std::numbers::pi * std::fmod(static_cast<double>(r), periods[p]) /
                            periods[p] +
                        phases(static_cast<Index>(p), column));
      row[c] = amplitude * sum;
      if (noise != 0.0)
        row[c] += noise * normals(r, column);
    }
  }
};

struct SinkRows {
  Normals normals;
  double first = 0; // in column 0: of every query, of the first keys
  Index count = 0;  // rows that have it
  double near = 0;
  double turn = 0; // of a row
  double noise = 0;
  void operator()(Index r, std::span<double> row) const {
    const double angle = turn * static_cast<double>(r);
    for (std::size_t c = 0; c < row.size(); ++c)
      row[c] = noise == 0.0 ? 0.0 : noise * normals(r, static_cast<Index>(c));
    if (r < count)
      row[0] += first;
    row[1] += near * std::cos(angle);
    row[2] += near * std::sin(angle);
  }
};

template <class T, class Rows>
Matrix<T> fill(Index rows, Index cols, int threads, const Run& run, const Rows& fillRow) {
  Matrix<T> matrix = allocated<T>(rows, cols, "n × d");
  parallelFor(ceilDiv(rows, kRowsPerChunk), threads, run, [&](Index chunk) {
    std::vector<double> row(static_cast<std::size_t>(cols));
    const Index end = std::min(rows, (chunk + 1) * kRowsPerChunk);
    for (Index r = chunk * kRowsPerChunk; r < end; ++r) {
      fillRow(r, std::span<double>(row));
      for (Index c = 0; c < cols; ++c)
        matrix(r, c) = static_cast<T>(row[static_cast<std::size_t>(c)]);
    }
  });
  return matrix;
}

LowRankRows lowRankRows(const RandomInput& input, Role role, Index head) {
  const auto rank = static_cast<Index>(single(input, "rank"));
  const Normals shared(sharedStream(input, head), input.d);
  Matrix<double> right(rank, input.d);
  for (Index k = 0; k < rank; ++k)
    for (Index c = 0; c < input.d; ++c)
      right(k, c) = shared(k, c);
  const Stream stream = roleStream(input, role, head);
  return {Normals(stream, rank), Normals(stream, input.d, kNoiseNumbers), std::move(right),
          single(input, "sigma"), single(input, "noise")};
}

PeriodicRows periodicRows(const RandomInput& input, Role role, Index head) {
  GeneratorValues periods = parameterValues(input, "periods");
  const Stream shared = sharedStream(input, head);
  Matrix<double> phases(static_cast<Index>(periods.size()), input.d);
  for (Index p = 0; p < phases.rows(); ++p)
    for (Index c = 0; c < input.d; ++c)
      phases(p, c) =
          2.0 * std::numbers::pi *
          philox::unit(philox::draw(shared, static_cast<std::uint64_t>(p * input.d + c)).a);
  return {Normals(roleStream(input, role, head), input.d), std::move(phases), std::move(periods),
          single(input, "sigma"), single(input, "noise")};
}

double ofHead(const RandomInput& input, std::string_view name, Index head) {
  const GeneratorValues values = parameterValues(input, name);
  return values[std::min(static_cast<std::size_t>(head), values.size() - 1)];
}

SinkRows sinkRows(const RandomInput& input, Role role, Index head) {
  const double root = std::sqrt(static_cast<double>(input.d));
  SinkRows rows{Normals(roleStream(input, role, head), input.d)};
  rows.first = std::sqrt(root * ofHead(input, "sink", head));
  rows.count = role == Role::Query ? input.n : static_cast<Index>(single(input, "sink_keys"));
  rows.near = std::sqrt(root * ofHead(input, "near", head));
  rows.turn = std::numbers::pi / (2 * single(input, "near_span"));
  rows.noise = single(input, "noise");
  return rows;
}

} // namespace

template <class T>
Matrix<T> randomMatrix(const RandomInput& input, Role role, Index head, int threads,
                       const Run& run) {
  const Index rows = role == Role::Query ? input.n : input.keyCount();
  const Normals normals(roleStream(input, role, head), input.d);
  const auto with = [&](const auto& fillRow) {
    return fill<T>(rows, input.d, threads, run, fillRow);
  };
  if (role == Role::Value)
    return with(GaussianRows{normals, 1.0});
  if (input.generator == "gaussian")
    return with(GaussianRows{normals, single(input, "sigma")});
  if (input.generator == "unit")
    return with(UnitRows{normals, single(input, "norm")});
  if (input.generator == "lowrank")
    return with(lowRankRows(input, role, head));
  if (input.generator == "periodic")
    return with(periodicRows(input, role, head));
  if (input.generator == "sinks")
    return with(sinkRows(input, role, head));
  const Stream shared = sharedStream(input, head);
  return with(ClusteredRows{normals, Normals(shared, input.d), shared, role, single(input, "sigma"),
                            single(input, "spread"),
                            static_cast<std::uint64_t>(single(input, "clusters"))});
}

template Matrix<float> randomMatrix<float>(const RandomInput&, Role, Index, int, const Run&);
template Matrix<double> randomMatrix<double>(const RandomInput&, Role, Index, int, const Run&);

} // namespace attention
