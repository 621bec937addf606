// Attention, random features and receptive fields through the C interface give core's results, for
// every layout of heads.
#include "core/analysis/reach/reach.h"
#include "core/attention/attend.h"
#include "core/attention/features/feature_attention.h"
#include "core/attention/features/projection.h"
#include "core/attention/modifiers.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/pattern.h"
#include "core/pattern/pattern_json.h"
#include "tests/catch.h"
#include "tests/core/attention/random_matrix.h"
#include "tests/core/c/opened.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <vector>

using namespace attention;

namespace {

constexpr Index kTokens = 70;
constexpr Index kHeads = 4;
constexpr Index kDimension = 8;
constexpr Index kValues = 6;

const char* const kWindow = R"({"mechanism": "local", "params": {"window": 5, "causal": true}})";

Pattern window() {
  Local local;
  local.window = 5;
  local.causal = true;
  return local;
}

std::vector<Matrix<float>> heads(Index count, Index cols, std::uint32_t sub) {
  std::vector<Matrix<float>> all;
  for (Index h = 0; h < count; ++h)
    all.push_back(randomMatrix<float>(kTokens, cols, 11, sub + 10 * static_cast<std::uint32_t>(h)));
  return all;
}

// Heads one after another (heads × n × d), or side by side within the rows (n × heads × d).
enum class Layout { Behind, Beside };

struct Packed {
  std::vector<float> values;
  attnx_tensor tensor;

  Packed(Index count, Index cols, Layout layout)
      : values(static_cast<std::size_t>(count * kTokens * cols), -5), tensor{nullptr, count,
                                                                             kTokens, cols,
                                                                             0,       0} {
    tensor.data = values.data();
    if (layout == Layout::Beside) {
      tensor.row_stride = count * cols;
      tensor.head_stride = cols;
    }
  }
  Packed(const Packed&) = delete;
  Packed& operator=(const Packed&) = delete;

  float& at(Index h, Index i, Index c) {
    const bool beside = tensor.row_stride > 0;
    const Index place = beside ? i * tensor.row_stride + h * tensor.head_stride + c
                               : (h * kTokens + i) * tensor.cols + c;
    return values[static_cast<std::size_t>(place)];
  }
  attnx_target target() {
    return {values.data(), tensor.heads,       tensor.rows,
            tensor.cols,   tensor.head_stride, tensor.row_stride};
  }
  void fill(const std::vector<Matrix<float>>& matrices) {
    for (std::size_t h = 0; h < matrices.size(); ++h)
      for (Index i = 0; i < kTokens; ++i)
        for (Index c = 0; c < tensor.cols; ++c)
          at(static_cast<Index>(h), i, c) = matrices[h](i, c);
  }
};

// Heads of one layout with two key/value heads for four query heads.
struct Heads {
  std::vector<Matrix<float>> q = heads(kHeads, kDimension, 0);
  std::vector<Matrix<float>> k = heads(kHeads / 2, kDimension, 1);
  std::vector<Matrix<float>> v = heads(kHeads / 2, kValues, 2);
  Packed packedQ, packedK, packedV, out;

  explicit Heads(Layout layout)
      : packedQ(kHeads, kDimension, layout), packedK(kHeads / 2, kDimension, layout),
        packedV(kHeads / 2, kValues, layout), out(kHeads, kValues, layout) {
    packedQ.fill(q);
    packedK.fill(k);
    packedV.fill(v);
  }
  attnx_input input() const { return {packedQ.tensor, packedK.tensor, packedV.tensor}; }
};

} // namespace

TEST_CASE("attention through C equals core's for any layout of heads and number of threads") {
  const Layout layout = GENERATE(Layout::Behind, Layout::Beside);
  const int threads = GENERATE(0, 1, 2, 3);
  const double scale = 0.7;
  Heads in(layout);
  const OpenPattern one = opened(kWindow, kTokens);
  const OpenPattern other = opened(R"({"mechanism": "full"})", kTokens);
  const attnx_pattern* patterns[] = {one.get(), other.get(), one.get(), other.get()};
  std::vector<float> lse(kHeads * kTokens);
  const attnx_attend_options options{&scale, threads, nullptr, nullptr};
  const attnx_attend_result result{in.out.target(), lse.data()};
  const attnx_input input = in.input();
  attnx_error error;
  REQUIRE(attnx_attend(patterns, kHeads, &input, &options, &result, &error) == ATTNX_OK);
  for (Index h = 0; h < kHeads; ++h) {
    const auto pattern = prepare(h % 2 == 0 ? window() : Pattern(Full{}), squareLengths(kTokens));
    AttendOptions own;
    own.scale = scale;
    own.threads = 1;
    const auto key = static_cast<std::size_t>(h / 2);
    const Attention<float> core =
        attend(*pattern, std::as_const(in.q[static_cast<std::size_t>(h)]).view(),
               std::as_const(in.k[key]).view(), std::as_const(in.v[key]).view(), own);
    for (Index i = 0; i < kTokens; ++i) {
      REQUIRE(lse[static_cast<std::size_t>(h * kTokens + i)] ==
              core.lse[static_cast<std::size_t>(i)]);
      for (Index c = 0; c < kValues; ++c)
        REQUIRE(in.out.at(h, i, c) == core.out(i, c));
    }
  }
}

TEST_CASE("modifiers through C are core's for each head") {
  Heads in(Layout::Behind);
  const OpenPattern one = opened(kWindow, kTokens);
  const attnx_pattern* pattern = one.get();
  std::vector<float> lse(kHeads * kTokens);
  const double scale = 0.7;
  const attnx_attend_options options{
      &scale, 2, nullptr,
      R"({"scale": 9, "softcap": 2, "bias": {"kind": "alibi"}, "sink": [1, 2, 3, 4]})"};
  const attnx_attend_result result{in.out.target(), lse.data()};
  const attnx_input input = in.input();
  attnx_error error;
  REQUIRE(attnx_attend(&pattern, 1, &input, &options, &result, &error) == ATTNX_OK);
  ScoreModifiers modifiers;
  modifiers.scale = scale;
  modifiers.softcap = 2;
  modifiers.bias = AlibiBias{};
  modifiers.sink = HeadNumbers{{1, 2, 3, 4}};
  const auto prepared = prepare(window(), squareLengths(kTokens));
  for (Index h = 0; h < kHeads; ++h) {
    const auto key = static_cast<std::size_t>(h / 2);
    const Attention<float> core =
        attend(*prepared, std::as_const(in.q[static_cast<std::size_t>(h)]).view(),
               std::as_const(in.k[key]).view(), std::as_const(in.v[key]).view(),
               optionsOf(modifiers, h, kHeads, kTokens, 1));
    for (Index i = 0; i < kTokens; ++i) {
      REQUIRE(lse[static_cast<std::size_t>(h * kTokens + i)] ==
              core.lse[static_cast<std::size_t>(i)]);
      for (Index c = 0; c < kValues; ++c)
        REQUIRE(in.out.at(h, i, c) == core.out(i, c));
    }
  }
  const attnx_attend_options wrong{nullptr, 1, nullptr, R"({"sink": [1]})"};
  CHECK(attnx_attend(&pattern, 1, &input, &wrong, &result, &error) != ATTNX_OK);
  CHECK(std::string(error.message).find("modifiers.sink has 1 number") != std::string::npos);
}

TEST_CASE("rows without keys are zeros with lse minus infinity through C") {
  const OpenPattern causal = opened(R"({"mechanism": "causal"})", {6, 3, ATTNX_BOTTOM_RIGHT});
  const Matrix<float> q = randomMatrix<float>(6, 4, 1, 0);
  const Matrix<float> k = randomMatrix<float>(3, 4, 1, 1);
  Matrix<float> out(6, 4);
  std::fill_n(out.data(), 24, -9.0F);
  float lse[6];
  const attnx_input input{tensorOf(q), tensorOf(k), tensorOf(k)};
  const attnx_attend_result result{targetOf(out), lse};
  const attnx_pattern* pattern = causal.get();
  REQUIRE(attnx_attend(&pattern, 1, &input, nullptr, &result, nullptr) == ATTNX_OK);
  for (Index i = 0; i < 3; ++i) {
    CHECK(lse[i] == -std::numeric_limits<float>::infinity());
    CHECK(out(i, 0) == 0.0F);
  }
  CHECK(std::isfinite(lse[3]));
  CHECK(out(3, 0) == k(0, 0));
}

TEST_CASE("random features through C equal core's") {
  const bool causal = GENERATE(false, true);
  const char* map = GENERATE("positive", "trig", "elu1");
  const int threads = GENERATE(1, 2, 3);
  constexpr Index kRows = 13;
  Heads in(Layout::Beside);
  const attnx_projection asked{nullptr, nullptr, kRows, kDimension, 4};
  std::vector<double> w(kRows * kDimension);
  REQUIRE(attnx_draw_projection(&asked, w.data(), kRows * kDimension, nullptr) == ATTNX_OK);
  const Matrix<double> drawn =
      drawProjection({ProjectionKind::Orthogonal, Norms::Chi, kRows, kDimension, 4});
  REQUIRE(w == drawn.values());
  const bool linear = std::string(map) == "elu1";
  const attnx_feature_options options{
      map, nullptr, nullptr, causal ? 1 : 0, 0, threads, linear ? 0 : kRows, w.data()};
  std::vector<float> denominators(kHeads * kTokens);
  int64_t flagged = -1;
  const attnx_feature_result result{in.out.target(), denominators.data(), &flagged};
  const attnx_input input = in.input();
  attnx_error error;
  REQUIRE(attnx_feature_attend(&input, &options, &result, &error) == ATTNX_OK);
  int64_t coreFlagged = 0;
  for (Index h = 0; h < kHeads; ++h) {
    FeatureOptions own;
    own.map = featureMapNamed(map);
    const auto key = static_cast<std::size_t>(h / 2);
    const KernelAttention<float> core = featureAttention(
        std::as_const(in.q[static_cast<std::size_t>(h)]).view(), std::as_const(in.k[key]).view(),
        std::as_const(in.v[key]).view(), linear ? Matrix<double>() : drawn, own, {causal, true, 1});
    coreFlagged += static_cast<int64_t>(core.flagged().size());
    for (Index i = 0; i < kTokens; ++i) {
      REQUIRE(denominators[static_cast<std::size_t>(h * kTokens + i)] ==
              core.denominators[static_cast<std::size_t>(i)]);
      for (Index c = 0; c < kValues; ++c)
        REQUIRE(in.out.at(h, i, c) == core.out(i, c));
    }
  }
  CHECK(flagged == coreFlagged);
}

TEST_CASE("receptive fields through C have core's bits and pairs") {
  // The second does not attend to the query itself, which the residual connection then adds.
  const std::string json =
      GENERATE(std::string(kWindow),
               std::string(R"({"mechanism": "expr", "params": {"expr": "j == i - 2"}})"));
  const OpenPattern open = opened(json, kTokens);
  const attnx_pattern* pattern = open.get();
  const int32_t residual = GENERATE(0, 1);
  const attnx_stack stack{&pattern, 1, 3, residual, 2};
  constexpr Index kWords = 2;
  std::vector<uint64_t> bits(kTokens * kWords, ~uint64_t{0});
  int64_t pairs[3];
  REQUIRE(attnx_reach(&stack, bits.data(), pairs, nullptr) == ATTNX_OK);
  const ReceptiveField core = receptiveField(
      {{prepare(patternFromJson(nlohmann::json::parse(json)), squareLengths(kTokens))},
       residual == 0},
      3, 1);
  for (Index i = 0; i < kTokens; ++i)
    for (Index j = 0; j < kWords * 64; ++j) {
      const uint64_t word = bits[static_cast<std::size_t>(i * kWords + j / 64)];
      REQUIRE((word >> (j % 64) & 1) == (j < kTokens && core.reach(i, j) ? 1U : 0U));
    }
  for (std::size_t t = 0; t < 3; ++t)
    CHECK(pairs[t] == core.layers[t].pairs);
  REQUIRE(attnx_reach(&stack, nullptr, nullptr, nullptr) == ATTNX_OK);
}

// Programs hold these structs by value: a struct that grows changes the interface.
TEST_CASE("the interface's structs have the sizes of its version") {
  CHECK(ATTNX_ABI == 2);
  CHECK(sizeof(attnx_error) == 1024);
  CHECK(sizeof(attnx_tensor) == 48);
  CHECK(sizeof(attnx_target) == 48);
  CHECK(sizeof(attnx_input) == 144);
  CHECK(sizeof(attnx_lengths) == 24);
  CHECK(sizeof(attnx_rect) == 32);
  CHECK(sizeof(attnx_range) == 32);
  CHECK(sizeof(attnx_attend_options) == 32);
  CHECK(sizeof(attnx_attend_result) == 56);
  CHECK(sizeof(attnx_projection) == 40);
  CHECK(sizeof(attnx_feature_options) == 56);
  CHECK(sizeof(attnx_feature_result) == 64);
  CHECK(sizeof(attnx_stack) == 32);
}

TEST_CASE("the library reports its version and a finite peak") {
  CHECK(attnx_abi() == ATTNX_ABI);
  CHECK(std::string(attnx_version()).find('.') != std::string::npos);
  CHECK(std::string(attnx_vectors()).size() >= 3);
  double flops = 0;
  REQUIRE(attnx_peak(100'000, 1, &flops, nullptr) == ATTNX_OK);
  CHECK(flops > 1e7);
  CHECK(std::isfinite(flops));
}
