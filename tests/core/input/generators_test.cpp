#include "core/input/generators.h"
#include "core/support/philox.h"
#include "tests/catch.h"
#include "tests/core/input/input_files_for_tests.h"

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

using namespace attention;
using attention::test::errorOf;

namespace {

RandomInput made(const std::string& generator) {
  RandomInput input;
  input.generator = generator;
  input.n = 40;
  input.d = 6;
  input.seed = 3;
  return input;
}

double dot(const Matrix<double>& a, Index i, const Matrix<double>& b, Index j) {
  double sum = 0.0;
  for (Index c = 0; c < a.cols(); ++c)
    sum += a(i, c) * b(j, c);
  return sum;
}

// Rank by Gaussian elimination with full pivoting.
Index rankOf(Matrix<double> m) {
  for (Index rank = 0; rank < std::min(m.rows(), m.cols()); ++rank) {
    Index row = rank;
    Index col = rank;
    for (Index i = rank; i < m.rows(); ++i)
      for (Index j = rank; j < m.cols(); ++j)
        if (std::abs(m(i, j)) > std::abs(m(row, col))) {
          row = i;
          col = j;
        }
    if (std::abs(m(row, col)) < 1e-9)
      return rank;
    for (Index j = 0; j < m.cols(); ++j)
      std::swap(m(rank, j), m(row, j));
    for (Index i = 0; i < m.rows(); ++i)
      std::swap(m(i, rank), m(i, col));
    for (Index i = rank + 1; i < m.rows(); ++i) {
      const double factor = m(i, rank) / m(rank, rank);
      for (Index j = rank; j < m.cols(); ++j)
        m(i, j) -= factor * m(rank, j);
    }
  }
  return std::min(m.rows(), m.cols());
}

} // namespace

TEST_CASE("Gaussian queries begin with the normal numbers of the specification") {
  RandomInput input;
  input.n = 2;
  input.d = 2;
  const Matrix<double> q = randomMatrix<double>(input, Role::Query, 0);
  CHECK(q(0, 0) == Approx(-1.5051760519481703).epsilon(1e-15));
  CHECK(q(0, 1) == Approx(-1.7047509018105707).epsilon(1e-15));
  CHECK(q(1, 0) == Approx(-1.2095546212704258).epsilon(1e-15));
  CHECK(q(1, 1) == Approx(-0.9150142267611555).epsilon(1e-15));
  input.parameters["sigma"] = {0.5};
  CHECK(randomMatrix<double>(input, Role::Query, 0)(1, 1) == 0.5 * q(1, 1));
}

TEST_CASE("heads draw from sub 3h to 3h plus 2 and values ignore sigma") {
  RandomInput input = made("gaussian");
  input.heads = 4;
  input.parameters["sigma"] = {2.0};
  const Index head = GENERATE(0, 1, 3);
  const auto sub = static_cast<std::uint32_t>(3 * head);
  const auto expected = [&](std::uint32_t offset, std::uint64_t k) {
    return philox::normal({3, philox::Purpose::Data, sub + offset}, k);
  };
  CHECK(randomMatrix<double>(input, Role::Query, head)(7, 5) == 2.0 * expected(0, 47));
  CHECK(randomMatrix<double>(input, Role::Key, head)(7, 5) == 2.0 * expected(1, 47));
  CHECK(randomMatrix<double>(input, Role::Value, head)(7, 5) == expected(2, 47));
}

TEST_CASE("every generator gives the same bits at one and at many threads and in float") {
  for (const GeneratorInfo& info : generators()) {
    RandomInput input = made(std::string(info.name));
    input.n = 700; // more than one chunk of rows
    INFO(info.name);
    checkRandom(input);
    const auto role = GENERATE(Role::Query, Role::Key, Role::Value);
    const Matrix<double> one = randomMatrix<double>(input, role, 0, 1);
    CHECK(one == randomMatrix<double>(input, role, 0, 4));
    const Matrix<float> narrow = randomMatrix<float>(input, role, 0, 3);
    CHECK(narrow(699, 5) == static_cast<float>(one(699, 5)));
    RandomInput other = input;
    other.seed = 4;
    CHECK_FALSE(randomMatrix<double>(other, role, 0) == one);
    CHECK_FALSE(randomMatrix<double>(input, role, 1) == one);
  }
}

TEST_CASE("unit rows have the requested length") {
  RandomInput input = made("unit");
  input.parameters["norm"] = {2.5};
  const Matrix<double> k = randomMatrix<double>(input, Role::Key, 0);
  for (Index i = 0; i < k.rows(); ++i)
    CHECK(std::sqrt(dot(k, i, k, i)) == Approx(2.5).epsilon(1e-14));
}

TEST_CASE("clustered rows without spread are their centres") {
  RandomInput input = made("clustered");
  input.parameters["spread"] = {0.0};
  input.parameters["clusters"] = {3.0};
  const Matrix<double> q = randomMatrix<double>(input, Role::Query, 0);
  const Matrix<double> k = randomMatrix<double>(input, Role::Key, 0);
  std::vector<double> firsts;
  for (const Matrix<double>* m : {&q, &k})
    for (Index i = 0; i < m->rows(); ++i)
      if (std::find(firsts.begin(), firsts.end(), (*m)(i, 0)) == firsts.end())
        firsts.push_back((*m)(i, 0));
  CHECK(firsts.size() == 3); // queries and keys share them
  CHECK(std::find(firsts.begin(), firsts.end(),
                  philox::normal({3, philox::Purpose::Data, 1U << 30}, 0)) != firsts.end());
}

TEST_CASE("low rank queries and keys span the subspace and nothing more") {
  RandomInput input = made("lowrank");
  const Index rank = GENERATE(1, 2, 5);
  input.parameters["rank"] = {static_cast<double>(rank)};
  const Matrix<double> q = randomMatrix<double>(input, Role::Query, 0);
  const Matrix<double> k = randomMatrix<double>(input, Role::Key, 0);
  CHECK(rankOf(q) == rank);
  Matrix<double> both(q.rows() + k.rows(), q.cols());
  for (Index c = 0; c < q.cols(); ++c)
    for (Index i = 0; i < q.rows(); ++i) {
      both(i, c) = q(i, c);
      both(q.rows() + i, c) = k(i, c);
    }
  CHECK(rankOf(both) == rank);
  input.parameters["noise"] = {0.1};
  CHECK(rankOf(randomMatrix<double>(input, Role::Query, 0)) == 6);
}

TEST_CASE("periodic rows without noise repeat with their period and have no other frequency") {
  RandomInput input = made("periodic");
  input.parameters["noise"] = {0.0};
  input.parameters["periods"] = {5.0, 8.0};
  const Matrix<double> q = randomMatrix<double>(input, Role::Query, 0);
  for (Index c = 0; c < q.cols(); ++c) {
    // The discrete Fourier transform over 40 rows = 8 periods of 5 and 5 of 8.
    for (Index frequency = 0; frequency <= 20; ++frequency) {
      std::complex<double> sum = 0.0;
      for (Index i = 0; i < 40; ++i)
        sum += q(i, c) *
               std::polar(1.0, -2.0 * std::numbers::pi * static_cast<double>(i * frequency) / 40.0);
      const bool expected = frequency == 8 || frequency == 5;
      // Amplitude σ √(2/P) = 1 gives a line of height n / 2.
      CHECK(std::abs(sum) == Approx(expected ? 20.0 : 0.0).margin(1e-9));
    }
  }
}

TEST_CASE("sinks without noise have the logits of their formula head by head") {
  RandomInput input = made("sinks");
  input.heads = 3;
  input.parameters = {{"sink", {5.0, 2.0}},
                      {"sink_keys", {2.0}},
                      {"near", {0.0, 1.5, 3.0}},
                      {"near_span", {8.0}},
                      {"noise", {0.0}}};
  for (const Index head : {0, 1, 2}) {
    const Matrix<double> q = randomMatrix<double>(input, Role::Query, head);
    const Matrix<double> k = randomMatrix<double>(input, Role::Key, head);
    const double sink = head == 0 ? 5.0 : 2.0; // the last of the list applies to all further heads
    const double near = 1.5 * static_cast<double>(head);
    for (const Index i : {0, 1, 7, 39})
      for (const Index j : {0, 1, 2, 20, 39}) {
        const double logit = (j < 2 ? sink : 0.0) +
                             near * std::cos(std::numbers::pi * static_cast<double>(i - j) / 16);
        CHECK(dot(q, i, k, j) / std::sqrt(6.0) == Approx(logit).margin(1e-12));
      }
  }
}

TEST_CASE("sinks need three columns") {
  RandomInput input = made("sinks");
  input.d = 2;
  CHECK(errorOf([&] { checkRandom(input); }) ==
        "E_RANGE: d is 2; it must be at least 3 with the sinks generator");
  input.d = 3;
  CHECK(errorOf([&] { checkRandom(input); }) == "");
}

TEST_CASE("wrong generators and parameters are refused with one sentence") {
  RandomInput input = made("gaussian");
  input.n = 0;
  CHECK(errorOf([&] { checkRandom(input); }) == "E_N: n is 0; it must be an integer of at least 1");
  input = made("gausian");
  CHECK(errorOf([&] { checkRandom(input); }) ==
        "E_UNKNOWN: generator \"gausian\" is unknown; the nearest is gaussian; it must be one of "
        "gaussian, unit, clustered, lowrank, periodic, sinks");
  input = made("clustered");
  input.parameters["clusters"] = {2.5};
  CHECK(errorOf([&] { checkRandom(input); }) ==
        "E_RANGE: clusters is 2.5; it must be an integer from 1 to 65536");
  input.parameters["clusters"] = {1.0, 2.0};
  CHECK(errorOf([&] { checkRandom(input); }) == "E_TYPE: clusters has 2 values; it must have one");
  input = made("periodic");
  input.parameters["periods"] = {std::numeric_limits<double>::quiet_NaN()};
  CHECK(errorOf([&] { checkRandom(input); }).substr(0, 11) == "E_NONFINITE");
  input.parameters["periods"] = {1.0};
  CHECK(errorOf([&] { checkRandom(input); }).substr(0, 7) == "E_RANGE");
  input = made("unit");
  input.parameters["sigma"] = {1.0};
  CHECK(errorOf([&] { checkRandom(input); }) ==
        "E_UNKNOWN: parameter of the unit generator \"sigma\" is unknown; it must be one of norm");
  input = made("gaussian");
  input.n = Index{1} << 30;
  CHECK(errorOf([&] { randomMatrix<float>(input, Role::Query, 0); }) ==
        "E_RANGE: n × d is 1073741824 × 6 numbers; it must be at most 2^32 numbers in a matrix");
}

TEST_CASE("the table of generators has defaults that it allows") {
  for (const GeneratorInfo& info : generators()) {
    RandomInput input = made(std::string(info.name));
    for (const GeneratorParameter& parameter : info.parameters)
      input.parameters[std::string(parameter.name)] = parameter.standard;
    CHECK(errorOf([&] { checkRandom(input); }) == "");
  }
  CHECK(generators().front().name == "gaussian");
}
