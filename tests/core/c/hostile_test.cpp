// Whatever a caller gives, the C interface answers with a code and a sentence.
#include "tests/catch.h"
#include "tests/core/attention/random_matrix.h"
#include "tests/core/c/opened.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <vector>

using namespace attention;

namespace {

// A call that must fail with this code and this part of its sentence.
void refuses(int32_t code, const std::string& piece,
             const std::function<int32_t(attnx_error*)>& call) {
  attnx_error error{-1, "untouched"};
  INFO(piece);
  CHECK(call(&error) == code);
  CHECK(error.code == code);
  CAPTURE(error.message);
  CHECK(std::string(error.message).find(piece) != std::string::npos);
  CHECK(call(nullptr) == code);
}

int32_t open(const char* json, const attnx_lengths& lengths, attnx_error* error,
             const attnx_tensor* q = nullptr, int32_t threads = 1) {
  attnx_pattern* pattern = nullptr;
  const int32_t code = attnx_pattern_open(json, &lengths, q, nullptr, threads, &pattern, error);
  CHECK((pattern == nullptr) == (code != ATTNX_OK));
  attnx_pattern_close(pattern);
  return code;
}

void refusesToOpen(int32_t code, const std::string& piece, const std::string& json,
                   const attnx_lengths& lengths = {8, 8, 0}) {
  refuses(code, piece, [&](attnx_error* error) { return open(json.c_str(), lengths, error); });
}

// Attention of one head of 8 tokens, before something is made wrong.
struct Call {
  OpenPattern pattern = opened(R"({"mechanism": "causal"})", 8);
  Matrix<float> x = randomMatrix<float>(8, 4, 1, 0);
  Matrix<float> y{8, 4};
  const attnx_pattern* handle = pattern.get();
  int64_t count = 1;
  attnx_input input{tensorOf(x), tensorOf(x), tensorOf(x)};
  attnx_attend_options options{nullptr, 1, nullptr, nullptr};
  attnx_attend_result result{targetOf(y), nullptr};
  attnx_feature_options features{"elu1", nullptr, nullptr, 0, 0, 1, 0, nullptr};

  int32_t attend(attnx_error* error) const {
    return attnx_attend(&handle, count, &input, &options, &result, error);
  }
  int32_t featureAttend(attnx_error* error) const {
    const attnx_feature_result out{result.out, nullptr, nullptr};
    return attnx_feature_attend(&input, &features, &out, error);
  }
};

void refusesToAttend(int32_t code, const std::string& piece,
                     const std::function<void(Call&)>& spoil) {
  Call call;
  REQUIRE(call.attend(nullptr) == ATTNX_OK);
  spoil(call);
  refuses(code, piece, [&](attnx_error* error) { return call.attend(error); });
}

void refusesFeatures(int32_t code, const std::string& piece,
                     const std::function<void(Call&)>& spoil) {
  Call call;
  REQUIRE(call.featureAttend(nullptr) == ATTNX_OK);
  spoil(call);
  refuses(code, piece, [&](attnx_error* error) { return call.featureAttend(error); });
}

} // namespace

TEST_CASE("a message ends at the end of its sentence and fits into its buffer") {
  const auto said = [](const std::string& json) {
    attnx_error error;
    std::fill(std::begin(error.message), std::end(error.message), 'x');
    CHECK(open(json.c_str(), {8, 8, 0}, &error) != ATTNX_OK);
    const auto end = std::find(std::begin(error.message), std::end(error.message), '\0');
    REQUIRE(end != std::end(error.message));
    return std::string(std::begin(error.message), end);
  };
  CHECK(said(R"({"mechanism": "strided", "params": {"stride": 0}})") ==
        "stride is 0; it must be an integer of at least 1");
  const std::string name(5000, 'q');
  CHECK(said(R"({"mechanism": ")" + name + R"("})").size() == sizeof(attnx_error::message) - 1);
}

TEST_CASE("random features take queries of one column") {
  Call call;
  call.x = randomMatrix<float>(8, 1, 1, 0);
  call.y = Matrix<float>(8, 1);
  call.input = {tensorOf(call.x), tensorOf(call.x), tensorOf(call.x)};
  call.result.out = targetOf(call.y);
  attnx_error error;
  CHECK(call.featureAttend(&error) == ATTNX_OK);
}

TEST_CASE("masks of other shapes than their lengths are refused") {
  const std::vector<uint8_t> mask(6, 1);
  attnx_pattern* pattern = nullptr;
  const auto refusesMask = [&](int32_t code, const char* piece, const uint8_t* cells, int64_t rows,
                               int64_t cols, attnx_lengths lengths) {
    refuses(code, piece, [&](attnx_error* error) {
      return attnx_pattern_open_mask(cells, rows, cols, &lengths, &pattern, error);
    });
  };
  refusesMask(ATTNX_E_SHAPE, "mask is 2 × 3; it must be 3 × 2", mask.data(), 2, 3, {3, 2, 0});
  refusesMask(ATTNX_E_RANGE, "rows is 0", mask.data(), 0, 0, {3, 2, 0});
  refusesMask(ATTNX_E_RANGE, "rows is -1", mask.data(), -1, 2, {3, 2, 0});
  refusesMask(ATTNX_E_SHAPE, "it must be 3 × 2", mask.data(), 3, INT64_MAX, {3, 2, 0});
  refusesMask(ATTNX_E_TYPE, "mask", nullptr, 3, 2, {3, 2, 0});
  refusesMask(ATTNX_E_UNSUPPORTED, "bottom-right", mask.data(), 3, 2, {3, 2, ATTNX_BOTTOM_RIGHT});
}

TEST_CASE("null pointers are refused by their names") {
  const attnx_lengths lengths{8, 8, 0};
  attnx_pattern* pattern = nullptr;
  refuses(ATTNX_E_TYPE, "json", [&](attnx_error* error) {
    return attnx_pattern_open(nullptr, &lengths, nullptr, nullptr, 1, &pattern, error);
  });
  refuses(ATTNX_E_TYPE, "lengths", [&](attnx_error* error) {
    return attnx_pattern_open("{}", nullptr, nullptr, nullptr, 1, &pattern, error);
  });
  refuses(ATTNX_E_TYPE, "pattern is a null pointer", [&](attnx_error* error) {
    return attnx_pattern_open("{}", &lengths, nullptr, nullptr, 1, nullptr, error);
  });
  int64_t number = 0;
  refuses(ATTNX_E_TYPE, "pattern", [&](attnx_error* error) {
    return attnx_pattern_count(nullptr, nullptr, 1, &number, error);
  });
  refuses(ATTNX_E_TYPE, "pattern", [&](attnx_error* error) {
    return attnx_pattern_row(nullptr, 0, nullptr, 0, &number, error);
  });
  refuses(ATTNX_E_TYPE, "stack",
          [&](attnx_error* error) { return attnx_reach(nullptr, nullptr, nullptr, error); });
  refuses(ATTNX_E_TYPE, "projection",
          [&](attnx_error* error) { return attnx_draw_projection(nullptr, nullptr, 0, error); });
  refuses(ATTNX_E_TYPE, "flops",
          [&](attnx_error* error) { return attnx_peak(1, 1, nullptr, error); });
  refuses(ATTNX_E_TYPE, "input", [&](attnx_error* error) {
    return attnx_feature_attend(nullptr, nullptr, nullptr, error);
  });
  attnx_pattern_close(nullptr);
}

TEST_CASE("outputs that are null are refused by their names") {
  const OpenPattern open = opened(R"({"mechanism": "causal"})", 8);
  int32_t exact = 0;
  int64_t count = 0;
  refuses(ATTNX_E_TYPE, "pairs", [&](attnx_error* error) {
    return attnx_pattern_count(open.get(), nullptr, 1, nullptr, error);
  });
  refuses(ATTNX_E_TYPE, "mask", [&](attnx_error* error) {
    return attnx_pattern_mask(open.get(), nullptr, nullptr, 64, error);
  });
  refuses(ATTNX_E_TYPE, "counts", [&](attnx_error* error) {
    return attnx_pattern_coverage(open.get(), nullptr, 4, 4, 1, nullptr, &exact, error);
  });
  refuses(ATTNX_E_TYPE, "ranges", [&](attnx_error* error) {
    return attnx_pattern_row(open.get(), 3, nullptr, 2, &count, error);
  });
  refuses(ATTNX_E_TYPE, "count", [&](attnx_error* error) {
    return attnx_pattern_row(open.get(), 3, nullptr, 0, nullptr, error);
  });
}

TEST_CASE("descriptions that are not a pattern are refused in core's words") {
  refusesToOpen(ATTNX_E_TYPE, "the pattern", "{");
  refusesToOpen(ATTNX_E_TYPE, "the pattern", "");
  refusesToOpen(ATTNX_E_TYPE, "the pattern", "\xff\xfe");
  refusesToOpen(ATTNX_E_TYPE, "mechanism", "{}");
  refusesToOpen(ATTNX_E_TYPE, "", "[1, 2]");
  refusesToOpen(ATTNX_E_TYPE, "the pattern", std::string(100'000, '['));
  refusesToOpen(ATTNX_E_UNKNOWN, "strided", R"({"mechanism": "stridet"})");
  refusesToOpen(ATTNX_E_UNKNOWN, "stride", R"({"mechanism": "strided", "params": {"strade": 4}})");
  refusesToOpen(ATTNX_E_RANGE, "stride is 0",
                R"({"mechanism": "strided", "params": {"stride": 0}})");
  refusesToOpen(ATTNX_E_TYPE, "input", R"({"mechanism": "topk"})");
  refusesToOpen(ATTNX_E_EXPR, "", R"({"mechanism": "expr", "params": {"expr": "i <"}})");
}

TEST_CASE("invalid lengths are refused") {
  const char* const causal = R"({"mechanism": "causal"})";
  refusesToOpen(ATTNX_E_N, "0", causal, {0, 8, 0});
  refusesToOpen(ATTNX_E_N, "-3", causal, {8, -3, 0});
  refusesToOpen(ATTNX_E_RANGE, "2^30", causal, {std::numeric_limits<int64_t>::max(), 8, 0});
  refusesToOpen(ATTNX_E_RANGE, "align", causal, {8, 8, 2});
  refusesToOpen(ATTNX_E_UNSUPPORTED, "square", R"({"mechanism": "topk"})", {4, 8, 0});
  for (const int32_t threads : {-1, 1025})
    refuses(ATTNX_E_RANGE, "threads", [&](attnx_error* error) {
      return open(causal, {8, 8, 0}, error, nullptr, threads);
    });
}

TEST_CASE("data of another shape and data that are not numbers are refused") {
  Matrix<float> q = randomMatrix<float>(6, 4, 1, 0);
  const char* const topk = R"({"mechanism": "topk"})";
  attnx_tensor tensor = tensorOf(q);
  const auto refused = [&](int32_t code, const char* piece) {
    refuses(code, piece, [&](attnx_error* error) { return open(topk, {8, 8, 0}, error, &tensor); });
  };
  refused(ATTNX_E_SHAPE, "8 rows");
  tensor = {q.data(), 2, 3, 4, 0, 0};
  refused(ATTNX_E_SHAPE, "heads");
  q(2, 1) = std::numeric_limits<float>::quiet_NaN();
  tensor = tensorOf(q);
  refuses(ATTNX_E_NONFINITE, "NaN", [&](attnx_error* error) {
    return open(topk, {6, 6, 0}, error, &tensor);
  });
}

TEST_CASE("rectangles and rows and sizes beyond the mask are refused") {
  const OpenPattern open = opened(R"({"mechanism": "causal"})", 8);
  int64_t number = 0;
  int32_t exact = 0;
  for (const attnx_rect& rect :
       {attnx_rect{-1, 4, 0, 8}, attnx_rect{0, 9, 0, 8}, attnx_rect{4, 3, 0, 8},
        attnx_rect{0, 8, 0, std::numeric_limits<int64_t>::max()}})
    refuses(ATTNX_E_RANGE, "rect", [&](attnx_error* error) {
      return attnx_pattern_count(open.get(), &rect, 1, &number, error);
    });
  for (const int64_t query : {int64_t{-1}, int64_t{8}})
    refuses(ATTNX_E_RANGE, "query", [&](attnx_error* error) {
      return attnx_pattern_row(open.get(), query, nullptr, 0, &number, error);
    });
  refuses(ATTNX_E_RANGE, "capacity", [&](attnx_error* error) {
    return attnx_pattern_row(open.get(), 0, nullptr, -1, &number, error);
  });
  std::vector<uint8_t> mask(64);
  for (const int64_t size : {int64_t{-1}, int64_t{63}, int64_t{65}})
    refuses(ATTNX_E_RANGE, "size", [&](attnx_error* error) {
      return attnx_pattern_mask(open.get(), nullptr, mask.data(), size, error);
    });
  std::vector<int64_t> counts(4);
  for (const int64_t pixels : {int64_t{0}, int64_t{-4}, int64_t{32769}}) {
    refuses(ATTNX_E_RANGE, "height", [&](attnx_error* error) {
      return attnx_pattern_coverage(open.get(), nullptr, pixels, 2, 1, counts.data(), &exact,
                                    error);
    });
    refuses(ATTNX_E_RANGE, "width", [&](attnx_error* error) {
      return attnx_pattern_coverage(open.get(), nullptr, 2, pixels, 1, counts.data(), &exact,
                                    error);
    });
  }
}

TEST_CASE("an empty rectangle has no cells and is no error") {
  const OpenPattern open = opened(R"({"mechanism": "causal"})", 8);
  const attnx_rect none{3, 3, 0, 8};
  int64_t pairs = -1;
  CHECK(attnx_pattern_count(open.get(), &none, 1, &pairs, nullptr) == ATTNX_OK);
  CHECK(pairs == 0);
  CHECK(attnx_pattern_mask(open.get(), &none, nullptr, 0, nullptr) == ATTNX_OK);
}

TEST_CASE("attention refuses tensors that do not fit together") {
  refusesToAttend(ATTNX_E_TYPE, "q.data", [](Call& call) { call.input.q.data = nullptr; });
  refusesToAttend(ATTNX_E_SHAPE, "k.rows", [](Call& call) { call.input.k.rows = -8; });
  refusesToAttend(ATTNX_E_SHAPE, "v.heads", [](Call& call) { call.input.v.heads = 0; });
  refusesToAttend(ATTNX_E_SHAPE, "q.cols", [](Call& call) { call.input.q.cols = -1; });
  refusesToAttend(ATTNX_E_SHAPE, "row_stride", [](Call& call) { call.input.q.row_stride = -4; });
  refusesToAttend(ATTNX_E_SHAPE, "2^46",
                  [](Call& call) { call.input.q.row_stride = int64_t{1} << 45; });
  refusesToAttend(ATTNX_E_SHAPE, "head_stride", [](Call& call) {
    call.input.k.head_stride = std::numeric_limits<int64_t>::max();
  });
  refusesToAttend(ATTNX_E_SHAPE, "K", [](Call& call) { call.input.k.rows = 7; });
  refusesToAttend(ATTNX_E_SHAPE, "K", [](Call& call) { call.input.k.cols = 3; });
  refusesToAttend(ATTNX_E_SHAPE, "Q",
                  [](Call& call) { call.input.q.cols = call.input.k.cols = 0; });
  refusesToAttend(ATTNX_E_SHAPE, "out", [](Call& call) { call.result.out.rows = 9; });
  refusesToAttend(ATTNX_E_SHAPE, "overlap", [](Call& call) { call.result.out.row_stride = 3; });
  refusesToAttend(ATTNX_E_TYPE, "out.data", [](Call& call) { call.result.out.data = nullptr; });
}

TEST_CASE("attention refuses head counts that do not divide and outputs whose heads overlap") {
  const std::vector<float> floats(3 * 8 * 4);
  std::vector<float> outs(3 * 8 * 4);
  Call call;
  call.input.q = {floats.data(), 3, 8, 4, 0, 0};
  call.input.k = call.input.v = {floats.data(), 2, 8, 4, 0, 0};
  call.result.out = {outs.data(), 3, 8, 4, 0, 0};
  refuses(ATTNX_E_SHAPE, "must divide", [&](attnx_error* error) { return call.attend(error); });
  call.input.k.heads = 3;
  refuses(ATTNX_E_SHAPE, "v has 2 heads", [&](attnx_error* error) { return call.attend(error); });
  call.input.v.heads = 3;
  call.result.out.head_stride = 4;
  refuses(ATTNX_E_SHAPE, "overlap", [&](attnx_error* error) { return call.attend(error); });
  call.result.out.row_stride = 12;
  CHECK(call.attend(nullptr) == ATTNX_OK);
}

TEST_CASE("results that overlap an input or each other are refused, adjacent ones are not") {
  std::vector<float> floats(6 * 32);
  const auto at = [&](int64_t k) { return floats.data() + k; };
  Call call;
  std::vector<float> lse(16);
  call.input = {{at(0), 2, 8, 4, 0, 0}, {at(64), 1, 8, 4, 0, 0}, {at(96), 1, 8, 4, 0, 0}};
  call.result = {{at(128), 2, 8, 4, 0, 0}, lse.data()};
  CHECK(call.attend(nullptr) == ATTNX_OK);
  const auto refused = [&](const std::string& piece, int64_t begin, float* sums) {
    call.result = {{at(begin), 2, 8, 4, 0, 0}, sums};
    refuses(ATTNX_E_SHAPE, piece, [&](attnx_error* error) { return call.attend(error); });
  };
  refused("out overlaps v", 127, nullptr);
  refused("out overlaps", 64, nullptr);
  refused("out overlaps", 0, nullptr);
  refused("overlaps v", 128, at(96 + 16));
  refused("overlaps q", 128, at(0));
  refused("row sums", 128, at(191));
  call.input.q = {at(32), 2, 8, 4, 96, 0}; // heads with others between them
  refused("out overlaps q", 127, nullptr);
  call.input = {{at(64), 1, 8, 4, 0, 0}, {at(64), 1, 8, 4, 0, 0}, {at(64), 1, 8, 4, 0, 0}};
  call.result.out = {at(32), 1, 8, 4, 0, 0};
  CHECK(call.attend(nullptr) == ATTNX_OK);
  CHECK(call.featureAttend(nullptr) == ATTNX_OK);
  call.result.out.data = at(33);
  refuses(ATTNX_E_SHAPE, "overlaps", [&](attnx_error* error) { return call.attend(error); });
  refuses(ATTNX_E_SHAPE, "overlaps", [&](attnx_error* error) { return call.featureAttend(error); });
}

TEST_CASE("heads of results interleaved with heads of inputs do not overlap") {
  Call call;
  std::vector<float> floats(4 * 32); // input, result, input, result
  for (const std::ptrdiff_t at : {0, 64})
    std::copy_n(call.x.data(), 32, floats.begin() + at);
  REQUIRE(call.attend(nullptr) == ATTNX_OK);
  const attnx_tensor input{floats.data(), 2, 8, 4, 64, 0};
  call.input = {input, input, input};
  call.result.out = {floats.data() + 32, 2, 8, 4, 64, 0};
  REQUIRE(call.attend(nullptr) == ATTNX_OK);
  for (const std::ptrdiff_t at : {32, 96})
    CHECK(std::equal(call.y.values().begin(), call.y.values().end(), floats.begin() + at));
}

TEST_CASE("attention refuses invalid patterns, threads, scales and numbers") {
  refusesToAttend(ATTNX_E_RANGE, "count", [](Call& call) { call.count = 0; });
  refusesToAttend(ATTNX_E_RANGE, "count", [](Call& call) { call.count = -1; });
  refusesToAttend(ATTNX_E_TYPE, "patterns[0]", [](Call& call) { call.handle = nullptr; });
  refusesToAttend(ATTNX_E_RANGE, "threads", [](Call& call) { call.options.threads = -2; });
  const double infinite = std::numeric_limits<double>::infinity();
  refusesToAttend(ATTNX_E_NONFINITE, "scale", [&](Call& call) { call.options.scale = &infinite; });
  const double huge = 1e300; // with which all scores exceed the range of float
  refusesToAttend(ATTNX_E_NONFINITE, "scores", [&](Call& call) { call.options.scale = &huge; });
  refusesToAttend(ATTNX_E_NONFINITE, "row 3, column 2",
                  [](Call& call) { call.x(3, 2) = std::numeric_limits<float>::infinity(); });
  Call call;
  const attnx_pattern* two[] = {call.handle, call.handle};
  refuses(ATTNX_E_SHAPE, "2 patterns", [&](attnx_error* error) {
    return attnx_attend(two, 2, &call.input, nullptr, &call.result, error);
  });
  refuses(ATTNX_E_TYPE, "patterns", [&](attnx_error* error) {
    return attnx_attend(nullptr, 1, &call.input, nullptr, &call.result, error);
  });
  refuses(ATTNX_E_TYPE, "result", [&](attnx_error* error) {
    return attnx_attend(two, 1, &call.input, nullptr, nullptr, error);
  });
}

TEST_CASE("features refuse invalid names, sizes and projections") {
  refusesFeatures(ATTNX_E_UNKNOWN, "positive", [](Call& call) { call.features.map = "positiv"; });
  refusesFeatures(ATTNX_E_RANGE, "reference",
                  [](Call& call) { call.features.stabilize = "refrence"; });
  refusesFeatures(ATTNX_E_RANGE, "projections", [](Call& call) { call.features.projections = -1; });
  refusesFeatures(ATTNX_E_RANGE, "projections", [](Call& call) {
    call.features.projections = std::numeric_limits<int64_t>::max();
  });
  refusesFeatures(ATTNX_E_TYPE, "w", [](Call& call) { call.features.projections = 3; });
  refusesFeatures(ATTNX_E_TYPE, "", [](Call& call) { call.features.map = "positive"; });
  refusesFeatures(ATTNX_E_RANGE, "causal", [](Call& call) { call.features.causal = 7; });
  refusesFeatures(ATTNX_E_RANGE, "unnormalized",
                  [](Call& call) { call.features.unnormalized = -1; });
  refusesFeatures(ATTNX_E_RANGE, "threads", [](Call& call) { call.features.threads = 5000; });
  refusesFeatures(ATTNX_E_SHAPE, "out", [](Call& call) { call.result.out.cols = 3; });
  std::vector<double> w(6);
  const auto draw = [&](const attnx_projection& projection, int64_t size) {
    return [&w, projection, size](attnx_error* error) {
      return attnx_draw_projection(&projection, w.data(), size, error);
    };
  };
  refuses(ATTNX_E_RANGE, "size", draw({nullptr, nullptr, 3, 2, 0}, 5));
  refuses(ATTNX_E_RANGE, "-3", draw({nullptr, nullptr, -3, 2, 0}, 6));
  refuses(ATTNX_E_RANGE, "d is 0", draw({nullptr, nullptr, 3, 0, 0}, 0));
  refuses(ATTNX_E_RANGE, "2^30", draw({nullptr, nullptr, int64_t{1} << 40, 1 << 20, 0}, 6));
  refuses(ATTNX_E_RANGE, "iid", draw({"identical", nullptr, 3, 2, 0}, 6));
  refuses(ATTNX_E_RANGE, "chi", draw({nullptr, "khi", 3, 2, 0}, 6));
}

TEST_CASE("receptive fields and the peak refuse invalid sizes") {
  const OpenPattern small = opened(R"({"mechanism": "causal"})", 8);
  const OpenPattern other = opened(R"({"mechanism": "causal"})", 9);
  const OpenPattern large = opened(R"({"mechanism": "causal"})", 1 << 20);
  const attnx_pattern* both[] = {small.get(), other.get()};
  const attnx_pattern* big = large.get();
  const auto reach = [](const attnx_stack& stack) {
    return [stack](attnx_error* error) { return attnx_reach(&stack, nullptr, nullptr, error); };
  };
  refuses(ATTNX_E_SHAPE, "", reach({both, 2, 2, 0, 1}));
  refuses(ATTNX_E_RANGE, "layers", reach({both, 1, -1, 0, 1}));
  refuses(ATTNX_E_RANGE, "no_residual", reach({both, 1, 1, 2, 1}));
  refuses(ATTNX_E_RANGE, "count", reach({both, 0, 1, 0, 1}));
  refuses(ATTNX_E_TYPE, "patterns", reach({nullptr, 1, 1, 0, 1}));
  refuses(ATTNX_E_RANGE, "16384", reach({&big, 1, 1, 0, 1}));
  double flops = 0;
  for (const int64_t rounds : {int64_t{0}, int64_t{-5}, int64_t{1} << 41})
    refuses(ATTNX_E_RANGE, "rounds",
            [&](attnx_error* error) { return attnx_peak(rounds, 1, &flops, error); });
}
