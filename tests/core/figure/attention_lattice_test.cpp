// The cells that maps and sketches of attention hold: as many rows as queries, as many columns as
// keys, and in each the weight of its own cell.
#include "core/pattern/mechanism/full.h"
#include "core/views/attention/scene_attention.h"
#include "tests/catch.h"
#include "tests/core/figure/scene_input.h"

#include <cmath>

using namespace attention;

namespace {

Scene sceneOf(Index queries, Index keys) {
  Scene scene;
  scene.view = View::Attention;
  scene.pattern = Full{};
  RandomInput random;
  random.n = queries;
  random.keys = keys;
  random.d = 4;
  scene.input.source = random;
  scene.length = {keys, queries, Align::BottomRight};
  return scene;
}

// S3.1 over all keys.
Matrix<double> softmaxOf(const Input& input) {
  const Matrix<double> q = input.q<double>(0);
  const Matrix<double> k = input.k<double>(0);
  Matrix<double> weights(q.rows(), k.rows());
  for (Index i = 0; i < q.rows(); ++i) {
    double sum = 0;
    for (Index j = 0; j < k.rows(); ++j) {
      double score = 0;
      for (Index c = 0; c < q.cols(); ++c)
        score += q(i, c) * k(j, c);
      sum += weights(i, j) = std::exp(score / std::sqrt(static_cast<double>(q.cols())));
    }
    for (Index j = 0; j < k.rows(); ++j)
      weights(i, j) /= sum;
  }
  return weights;
}

} // namespace

TEST_CASE("maps of a part have the part's queries as rows and its keys as columns") {
  const Index queries = GENERATE(5, 9);
  const Index keys = 9;
  const Scene scene = sceneOf(queries, keys);
  const auto input = loadedInput(scene);
  const Lengths lengths = lengthsOf(scene.length, keys);
  const AttentionHead head = attentionHead(attentionQuestion(scene, lengths), {input, 0, 0});
  const Matrix<double> expected = softmaxOf(*input);
  for (const Rect& cells : {Rect{0, queries, 0, keys}, Rect{1, 4, 2, 9}, Rect{0, 5, 8, 9}}) {
    const WeightMaps maps = attentionMaps(head, cells, AttentionPicture::Maps);
    REQUIRE(maps.dense.rows() == cells.rowEnd - cells.rowBegin);
    REQUIRE(maps.dense.cols() == cells.keyEnd - cells.keyBegin);
    CHECK(maps.lattice.rowEdges.front() == cells.rowBegin);
    CHECK(maps.lattice.rowEdges.back() == cells.rowEnd);
    CHECK(maps.lattice.keyEdges.front() == cells.keyBegin);
    CHECK(maps.lattice.keyEdges.back() == cells.keyEnd);
    for (Index i = 0; i < maps.dense.rows(); ++i)
      for (Index j = 0; j < maps.dense.cols(); ++j) {
        const double p = expected(cells.rowBegin + i, cells.keyBegin + j);
        CHECK(static_cast<double>(maps.dense(i, j)) == Approx(p).epsilon(1e-4));
        CHECK(static_cast<double>(maps.pattern(i, j)) == Approx(p).epsilon(1e-4));
      }
  }
}

TEST_CASE("a few queries of many keys have pixels in maps and every key in lines") {
  constexpr Index kKeys = kMapPixels + 70;
  const Scene scene = sceneOf(3, kKeys);
  const AttentionHead head = attentionHead(attentionQuestion(scene, lengthsOf(scene.length, kKeys)),
                                           {loadedInput(scene), 0, 0});
  const auto columns = [&](AttentionPicture picture) {
    return attentionMaps(head, {0, 3, 0, kKeys}, picture).dense.cols();
  };
  CHECK(columns(AttentionPicture::Maps) == kMapPixels);
  CHECK(columns(AttentionPicture::Lines) == kKeys);
}

TEST_CASE("sketches of heads have one row per query and one column per key, up to 64 of each") {
  const auto [queries, keys] =
      GENERATE(table<Index, Index>({{5, 9}, {9, 9}, {64, 70}, {70, 70}, {3, 200}}));
  const Scene scene = sceneOf(queries, keys);
  const auto input = loadedInput(scene);
  const Lengths lengths = lengthsOf(scene.length, keys);
  const HeadSketches sketches = headSketches(attentionQuestion(scene, lengths), input);
  REQUIRE_FALSE(sketches.made.empty());
  for (const auto& sketch : sketches.made) {
    const Index rows = std::min<Index>(queries, 64);
    const Index columns = std::min<Index>(keys, 64);
    CHECK(sketch->maps.dense.rows() == rows);
    CHECK(sketch->maps.dense.cols() == columns);
    CHECK(sketch->maps.pattern.rows() == rows);
    CHECK(sketch->logits.rows() == rows);
    CHECK(sketch->logits.cols() == columns);
    CHECK(sketch->maps.lattice.rowEdges.back() == queries);
    CHECK(sketch->maps.lattice.keyEdges.back() == keys);
  }
}
