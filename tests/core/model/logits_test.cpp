// Predictions against logits of the whole text in double.
#include "core/model/logits.h"
#include "core/model/loss.h"
#include "core/pattern/mechanism/all.h"
#include "core/support/error.h"
#include "tests/catch.h"
#include "tests/core/model/small_weights.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <utility>

using namespace attention;
using namespace attention::test;

namespace {

using States = std::vector<std::shared_ptr<const Matrix<float>>>;

std::shared_ptr<const Matrix<float>> someStates(Index n, std::uint64_t seed) {
  return std::make_shared<const Matrix<float>>(someMatrix(n, 32, seed, 2));
}

// ln of the probabilities of every token behind row i.
std::vector<double> logShares(const Model& model, const Matrix<float>& states, Index i) {
  std::vector<double> z;
  std::vector<float> row(32);
  double sum = 0;
  for (Index o = 0; o < model.logits.weight.rows; ++o) {
    readRow(model.logits.weight, o, row);
    double product = 0;
    for (std::size_t c = 0; c < row.size(); ++c)
      product +=
          static_cast<double>(row[c]) * static_cast<double>(states(i, static_cast<Index>(c)));
    z.push_back(model.logitCap ? *model.logitCap * std::tanh(product / *model.logitCap) : product);
    sum += std::exp(z.back());
  }
  for (double& each : z)
    each -= std::log(sum);
  return z;
}

std::shared_ptr<Model> modelWithVocabulary(Index vocabulary) {
  const auto model = smallModel(1);
  model->vocabulary = vocabulary;
  model->embedding = weightsOf(someMatrix(vocabulary, 32, 1));
  model->logits = someLinear(vocabulary, 32, 3);
  return model;
}

} // namespace

TEST_CASE("predictions are the softmax over the vocabulary", "[model]") {
  // Below, at and beyond the part of the vocabulary and the rows that are computed together.
  const auto [vocabulary, n] =
      GENERATE(std::pair<Index, Index>{70, 9}, std::pair<Index, Index>{2049, 5},
               std::pair<Index, Index>{5000, 3}, std::pair<Index, Index>{9, 1030});
  const auto model = modelWithVocabulary(vocabulary);
  if (vocabulary == 70)
    model->logitCap = 1.5;
  const std::vector<Index> ids = someIds(n, vocabulary);
  const States states{someStates(n, 1), someStates(n, 2)};
  const std::vector<Predictions> all = predictions(*model, ids, states);
  REQUIRE(all.size() == 2);
  REQUIRE(static_cast<Index>(all[1].loss.size()) == n - 1);
  for (Index i = 0; i < n - 1; i += 1 + n / 50) {
    const auto at = static_cast<std::size_t>(i);
    const std::vector<double> base = logShares(*model, *states[0], i);
    const std::vector<double> other = logShares(*model, *states[1], i);
    double kl = 0;
    for (std::size_t o = 0; o < base.size(); ++o)
      kl += std::exp(base[o]) * (base[o] - other[o]);
    const auto next = static_cast<std::size_t>(ids[at + 1]);
    CHECK(all[0].loss[at] == Approx(-base[next]).margin(1e-5));
    CHECK(all[1].loss[at] == Approx(-other[next]).margin(1e-5));
    CHECK(all[1].kl[at] == Approx(kl).margin(1e-5));
    CHECK(all[0].kl[at] == 0);
    const auto top = std::max_element(other.begin(), other.end());
    CHECK(all[1].top[at] == top - other.begin());
    CHECK(all[1].share[at] == Approx(std::exp(*top)));
  }
}

TEST_CASE("predictions come block by block, the first tokens first, with the same bits",
          "[model][threads]") {
  const auto model = modelWithVocabulary(11);
  const std::vector<Index> ids = someIds(2500, 11);
  const States states{someStates(2500, 1)};
  std::vector<Index> ends;
  Run run;
  run.threads = 3;
  const auto ready = [&](Index begin, Index end, std::span<const Predictions> all) {
    CHECK(begin == (ends.empty() ? 0 : ends.back()));
    CHECK(all[0].loss[static_cast<std::size_t>(end) - 1] > 0);
    ends.push_back(end);
  };
  const auto all = predictions(*model, ids, states, ready, run);
  CHECK(ends.size() > 1);
  CHECK(ends.back() == 2499);
  run.threads = 1;
  CHECK(predictions(*model, ids, states, {}, run) == all);
}

TEST_CASE("a logit that is not finite is named, even where a cap would hide it", "[model]") {
  const float odd =
      GENERATE(std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity());
  const auto model = modelWithVocabulary(2060);
  Matrix<float> weights = someMatrix(2060, 32, 3);
  weights(2050, 3) = odd;
  model->logits.weight = weightsOf(weights);
  model->logitCap = 30;
  Matrix<float> x(5, 32);
  for (Index i = 0; i < 5; ++i)
    x(i, i) = 1; // row 3 alone meets the number, though 0 · ∞ is a NaN
  const std::vector<Index> ids = someIds(5, 2060);
  const States states{std::make_shared<const Matrix<float>>(x)};
  const auto refused = [](const auto& compute) {
    try {
      compute();
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::NonFinite);
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refused([&] {
          predictions(*model, ids, states);
        }).starts_with("the logit of vocabulary id 2050 for token "));
  LogitRows rows(*model, std::as_const(x).view(), {});
  CHECK(refused([&] { rows.row(0); }).starts_with("the logit of vocabulary id 2050 for token "));
}

TEST_CASE("blocks of logits take fewer rows the more states there are", "[model]") {
  const auto model = modelWithVocabulary(2048);
  const std::vector<Index> ids = someIds(400, 2048);
  const auto x = someStates(400, 1);
  const auto first = [&](std::size_t states) {
    Index end = 0;
    predictions(*model, ids, States(states, x),
                [&](Index begin, Index to, auto) { end = begin == 0 ? to : end; });
    return end;
  };
  CHECK(first(1) == 399);
  CHECK(first(64) == 128);
}

TEST_CASE("logits row by row are those of the predictions", "[model]") {
  const auto model = modelWithVocabulary(70);
  const Matrix<float> x = *someStates(4, 1);
  LogitRows rows(*model, x.view(), {});
  CHECK(rows.rows() == 4);
  for (const Index i : {0, 1, 3, 2}) {
    const std::span<const float> z = rows.row(i);
    const std::vector<double> expected = logShares(*model, x, i);
    REQUIRE(z.size() == 70);
    for (std::size_t o = 1; o < z.size(); ++o)
      CHECK(static_cast<double>(z[o] - z[0]) == Approx(expected[o] - expected[0]).margin(1e-5));
  }
}

TEST_CASE("a table of losses has the model first, and nothing for what does not exist", "[model]") {
  const auto model = smallModel();
  const std::vector<Index> ids = someIds(40);
  const std::vector<ModelVariant> variants{{"same", {{{}, {}, Causal{}}}},
                                           {"full", {{std::vector<Index>{2}, {}, Full{}}}}};
  const LossTable table = lossTable(model, ids, variants);
  REQUIRE(table.rows.size() == 3);
  CHECK(table.rows[0].name == "as it is");
  CHECK(table.rows[1].loss == table.rows[0].loss);
  CHECK(table.rows[1].kl == Approx(0).margin(1e-12));
  CHECK(table.rows[1].top1 == 1.0);
  CHECK(*table.rows[2].kl > 0);
  CHECK(table.rows[0].pairs == 820);
  CHECK(table.rows[2].pairs == (3 * 820 + 1600) / 4.0);
  // 2 P d + 5 P + 2 P d + n d of 16 heads, d = 16
  CHECK(table.rows[0].flops == 16.0 * (820 * (4 * 16 + 5) + 40 * 16));
  // 40 tokens, keys and values of 2 heads of width 16, 2 bytes, 4 layers
  CHECK(table.rows[0].kvBytes == 40 * 2 * 2 * 16 * 2 * 4);
  const auto json = toJson(table, 40, true);
  CHECK(json["tokens"] == 40);
  CHECK(json["rows"][2]["loss_by_position"].size() == 39);
  CHECK_FALSE(json["rows"][0].contains("change"));
  const auto one = toJson(lossTable(model, someIds(1), {}), 1, false);
  CHECK(one["rows"][0]["loss"].is_null());
  CHECK(one["rows"][0]["kl"].is_null());
}

TEST_CASE("an encoder's change stands instead of a loss", "[model]") {
  const auto model = smallModel();
  model->encoder = true;
  model->logits = {};
  const std::vector<ModelVariant> variants{{"full", {{std::vector<Index>{2}, {}, Full{}}}}};
  const LossTable table = lossTable(model, someIds(20), variants);
  CHECK(table.rows[0].change == 0.0);
  CHECK(*table.rows[1].change > 1e-3);
  CHECK_FALSE(table.rows[1].loss);
  CHECK_FALSE(table.rows[1].kvBytes);
  const auto json = toJson(table, 20, true);
  CHECK(json["rows"][1]["loss"].is_null());
  CHECK(json["rows"][1]["loss_by_position"].is_null());
}
