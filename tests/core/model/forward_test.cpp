// Laws of a forward: threads, prefixes, variants, kept states, errors.
#include "core/model/forward.h"
#include "core/pattern/mechanism/all.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"
#include "tests/core/model/small_weights.h"

#include <algorithm>
#include <limits>

using namespace attention;
using namespace attention::test;

namespace {

ModelVariant variantOf(const Pattern& pattern, std::optional<std::vector<Index>> layers = {}) {
  return {"variant", {{std::move(layers), {}, pattern}}};
}

Pattern window(Index keys) {
  Pattern pattern = patternNamed("local");
  set(pattern, "window", Value{keys});
  set(pattern, "causal", Value{true});
  return pattern;
}

ForwardStates computed(const std::shared_ptr<const Model>& model, Index n,
                       const ModelVariant& variant = {}, int threads = 0) {
  Run run;
  run.threads = threads;
  return forward(model, someIds(n), variant, {}, run);
}

} // namespace

TEST_CASE("a forward has the same bits at any number of threads", "[model][threads]") {
  const auto model = smallModel();
  const Index n = GENERATE(3, 700);
  const ForwardStates one = computed(model, n, {}, 1);
  for (const int threads : {2, 5})
    CHECK(*computed(model, n, {}, threads).final == *one.final);
}

TEST_CASE("the first tokens have the same states in a longer text", "[model]") {
  const auto model = smallModel();
  const Matrix<float> whole = *computed(model, 90).final;
  for (const Index n : {1, 2, 40}) {
    const Matrix<float> first = *computed(model, n).final;
    for (std::size_t i = 0; i < first.values().size(); ++i)
      REQUIRE(first.values()[i] == Approx(whole.values()[i]).margin(1e-5));
  }
}

TEST_CASE("a variant of the first tokens is computed from what the whole text has of them",
          "[model]") {
  const auto model = smallModel();
  const ForwardStates own = computed(model, 90);
  const ForwardStates first = firstTokens(own, 40);
  CHECK(first.ids == std::vector<Index>(own.ids.begin(), own.ids.begin() + 40));
  CHECK(first.final == nullptr);
  const ModelVariant low = variantOf(window(4), std::vector<Index>{2});
  const ForwardStates part = forward(first, low);
  CHECK(part.computedFrom == 2);
  const Matrix<float> whole = *forward(own, low).final;
  REQUIRE(part.final->rows() == 40);
  for (std::size_t i = 0; i < part.final->values().size(); ++i)
    REQUIRE(part.final->values()[i] == Approx(whole.values()[i]).margin(1e-5));
}

TEST_CASE("a variant with the model's own mask has the model's bits", "[model]") {
  const auto model = smallModel();
  const ForwardStates own = computed(model, 50);
  CHECK(*computed(model, 50, variantOf(Causal{})).final == *own.final);
  const ForwardStates again = forward(own, variantOf(Causal{}));
  CHECK(again.computedFrom == 4);
  CHECK(again.final == own.final);
  CHECK(again.variant.name == "variant");
  CHECK(*computed(model, 50, variantOf(window(50))).final == *own.final);
}

TEST_CASE("computing from a changed layer on equals the whole forward", "[model]") {
  const auto model = smallModel();
  const ForwardStates own = computed(model, 60);
  for (const Index layer : {0, 1, 3}) {
    const ModelVariant variant = variantOf(window(4), std::vector<Index>{layer});
    const ForwardStates part = forward(own, variant);
    const ForwardStates whole = computed(model, 60, variant);
    CHECK(part.computedFrom == layer);
    CHECK(*part.final == *whole.final);
    CHECK(part.costs == whole.costs);
    CHECK_FALSE(*part.final == *own.final);
    // From a variant to another one, and back.
    CHECK(*forward(part, {}).final == *own.final);
  }
}

TEST_CASE("states are kept within the budget, and later layers start from the last one kept",
          "[model]") {
  const auto model = smallModel(7);
  const std::vector<Index> ids = someIds(10);
  const Index bytes = 10 * 32 * 4;
  const auto keptWith = [&](Index budget) {
    ForwardOptions options;
    options.keepBytes = budget;
    return forward(model, ids, {}, options);
  };
  const ForwardStates some = keptWith(3 * bytes);
  const auto kept = std::count_if(some.entries.begin(), some.entries.end(),
                                  [](const auto& entry) { return entry != nullptr; });
  CHECK(kept == 3);
  CHECK_FALSE(some.entries[0]); // made of the ids as fast as it could be kept
  const ModelVariant variant = variantOf(window(2), std::vector<Index>{5});
  const ForwardStates part = forward(some, variant);
  CHECK(part.computedFrom == 4);
  CHECK(*part.final == *forward(model, ids, variant).final);
  const ForwardStates none = keptWith(0);
  CHECK(forward(none, variant).computedFrom == 0);
  CHECK(*forward(none, variant).final == *part.final);
}

TEST_CASE("heads may differ, and patterns may read their queries and keys", "[model]") {
  const auto model = smallModel(2);
  Pattern topk = patternNamed("topk");
  set(topk, "k", Value{Index{3}});
  const ModelVariant variant{"a",
                             {{std::vector<Index>{1}, std::vector<Index>{2}, topk},
                              {{}, std::vector<Index>{0}, window(2)}}};
  const ForwardStates states = computed(model, 30, variant);
  const Index causal = 30 * 31 / 2;
  CHECK(states.costs[0].pairs == 3 * causal + 59);
  CHECK(states.costs[1].pairs < 3 * causal + 59);
  CHECK(states.costs[0].keptKeys == 30);
}

TEST_CASE("a layer can be watched, and progress rises to 1", "[model]") {
  const auto model = smallModel(3);
  std::vector<Index> layers;
  ForwardOptions options;
  options.watch = [&](const LayerView& view) {
    layers.push_back(view.layer);
    CHECK(view.entry.rows == 9);
    CHECK(view.projected.q.cols == 64);
    CHECK(view.projected.v.cols == 32);
    CHECK(view.masks.size() == 4);
  };
  double last = 0;
  Run run;
  run.progress = [&](double share) {
    CHECK(share >= last);
    last = share;
  };
  const ForwardStates states = forward(model, someIds(9), {}, options, run);
  CHECK(layers == std::vector<Index>{0, 1, 2});
  CHECK(last == 1);
  CHECK(states.ids == someIds(9));
}

TEST_CASE("what cannot be computed is refused by name", "[model]") {
  const auto model = smallModel(2);
  const auto refused = [&](const std::vector<Index>& ids, const ModelVariant& variant = {}) {
    return codeAndSubject([&] { forward(model, ids, variant); });
  };
  CHECK(refused({}) == "E_TYPE ids");
  CHECK(refused({1, 70}) == "E_RANGE ids");
  CHECK(refused({-1}) == "E_RANGE ids");
  CHECK(refused({1}, variantOf(Full{}, std::vector<Index>{2})) == "E_RANGE layers");
  CHECK(refused({1}, {"a", {{{}, std::vector<Index>{4}, Full{}}}}) == "E_RANGE heads");
  model->positions = weightsOf(someMatrix(2, 32, 9));
  CHECK(refused({1, 2, 3}) == "E_RANGE n");
  model->positions = {};
  model->layers[1].attentionNorms.before.weight[3] = std::numeric_limits<float>::quiet_NaN();
  try {
    forward(model, someIds(4));
    FAIL("a NaN went through");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::NonFinite);
    CHECK(std::string(error.what()).starts_with("layer 1: "));
  }
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(forward(smallModel(), someIds(4), {}, {}, {stop.get_token(), {}}), Stopped);
}
