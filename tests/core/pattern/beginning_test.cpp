// What a mechanism begins with is valid at every length and differs from a full square.
#include "core/pattern/beginning.h"

#include "core/pattern/mechanism/all.h"
#include "core/pattern/presets.h"
#include "tests/catch.h"
#include "tests/core/pattern/random_pattern.h"

using namespace attention;

namespace {

std::shared_ptr<const Prepared> preparedFor(const Pattern& pattern, Index n) {
  return prepare(pattern, squareLengths(n), needsData(pattern) ? randomData(n) : PatternData());
}

bool isGiven(const Pattern& pattern) {
  return pattern.is<GivenMask>();
}

} // namespace

TEST_CASE("Every mechanism begins with valid parameters at every length", "[pattern]") {
  const Index n = GENERATE(1, 2, 3, 4, 5, 7, 12, 16, 33, 64, 144, 1000);
  for (const Pattern& standard : allMechanisms()) {
    if (isGiven(standard))
      continue;
    INFO(description(standard).name << " at " << n);
    const Pattern pattern = beginning(standard, n);
    CHECK(sameMechanism(pattern, standard));
    CHECK_NOTHROW(check(pattern, squareLengths(n)));
    CHECK(preparedFor(pattern, n)->pairs() > 0);
  }
}

TEST_CASE("No mechanism that can be sparse begins as a full square or a full triangle",
          "[pattern]") {
  const Index n = GENERATE(12, 16, 36, 64, 144, 500, 1024);
  for (const Pattern& standard : allMechanisms()) {
    const std::string& name = description(standard).name;
    if (isGiven(standard) || name == "full" || name == "causal")
      continue;
    INFO(name << " at " << n);
    const auto prepared = preparedFor(beginning(standard, n), n);
    CHECK(prepared->pairs() < n * n);
    Index past = 0;
    for (Index i = 0; i < n; ++i)
      past += prepared->rowCount(i, 0, i + 1);
    if (n >= 24 && name != "prefix_lm") // which contains the whole triangle by definition
      CHECK(past * 10 < n * (n + 1) / 2 * 9);
  }
}

TEST_CASE("The papers' defaults stay where they fit", "[pattern]") {
  for (const Pattern& standard : allMechanisms()) {
    const std::string& name = description(standard).name;
    const bool furnished = name == "expr" || name == "prefix_lm" || name == "document" ||
                           name == "vertical_slash" || name == "graph" || name == "compose" ||
                           name == "drawn" || name == "neighborhood" || name == "block_diffusion" ||
                           name == "spans" || name == "tree" || name == "radial" ||
                           name == "dilated_segments" || name == "moba" || name == "msa" ||
                           name == "block_topk" || name == "quest" || name == "xattention" ||
                           name == "flexprefill" || name == "sparge" || name == "nsa";
    if (!furnished)
      CHECK(beginning(standard, 16384) == standard);
  }
}

TEST_CASE("Presets are laid out for any length", "[pattern]") {
  const Index n = GENERATE(1, 2, 3, 7, 12, 24, 64, 100, 144);
  for (const Preset& preset : allPresets()) {
    const Pattern pattern = laidOut(preset.pattern(), n);
    INFO(shortText(pattern) << " at " << n);
    CHECK(sameMechanism(pattern, preset.pattern()));
    CHECK_NOTHROW(prepare(pattern, squareLengths(n))->pairs());
    if (n == 64)
      CHECK(pattern == preset.pattern());
  }
}

TEST_CASE("Lengths that exceed a sixth of n are halved until they fit", "[pattern]") {
  CHECK(beginning(patternNamed("longformer"), 144).as<Longformer>()->window == 16);
  CHECK(beginning(patternNamed("bigbird"), 144).as<BigBird>()->blockSize == 8);
  CHECK(beginning(patternNamed("local"), 144).as<Local>()->window == 16);
  CHECK(beginning(patternNamed("local"), 768).as<Local>()->window == 128);
  const auto sinks = *beginning(patternNamed("sinks"), 144).as<Sinks>();
  CHECK(sinks.sinks == 4);
  CHECK(sinks.window == 15);
}

TEST_CASE("What was shortened is known, with its published value", "[pattern]") {
  const auto sizes = [](const Pattern& pattern, Index n) {
    std::vector<std::pair<std::string, Index>> found;
    for (const ShortenedParameter& s : shortenedParameters(pattern, n))
      found.emplace_back(s.parameter->name, s.published);
    return found;
  };
  using Sizes = std::vector<std::pair<std::string, Index>>;
  const Pattern local = patternNamed("local");
  CHECK(sizes(beginning(local, 144), 144) == Sizes{{"window", local.as<Local>()->window}});
  CHECK(sizes(local, 144).empty());
  CHECK(sizes(beginning(local, 1 << 16), 1 << 16).empty());
  Pattern changed = beginning(patternNamed("longformer"), 144);
  CHECK(!sizes(changed, 144).empty());
  set(changed, "window", Index{12});
  CHECK(sizes(changed, 144).empty());
  const Pattern moba = beginning(patternNamed("moba"), 128);
  CHECK(sizes(moba, 128) == Sizes{{"block_size", 4096}, {"top_k", 12}});
  // At another length it would begin with longer blocks; those of 128 keys are no less shortened.
  CHECK(moba.as<Moba>()->blockSize != beginning(patternNamed("moba"), 2048).as<Moba>()->blockSize);
  CHECK(sizes(moba, 2048) == Sizes{{"block_size", 4096}, {"top_k", 12}});
  Moba efficient;
  efficient.reading = Moba::Reading::Efficient;
  CHECK(sizes(beginning(efficient, 128), 128) == Sizes{{"block_size", 4096}, {"top_k", 12}});
}

TEST_CASE("Every policy of a cache begins with sizes at which keys are evicted", "[pattern]") {
  const Index n = GENERATE(24, 144, 1000);
  const auto sizes = [n](const Pattern& pattern) {
    std::vector<std::pair<std::string, Index>> found;
    for (const ShortenedParameter& s : shortenedParameters(pattern, n))
      found.emplace_back(s.parameter->name, s.published);
    return found;
  };
  const Pattern h2o = beginning(patternNamed("cache"), n);
  for (const char* policy : {"h2o", "tova", "snapkv", "streaming"}) {
    Pattern chosen = h2o; // as the window does
    set(chosen, "policy", std::string(policy));
    chosen = begunChoice(h2o, chosen, n);
    INFO(policy << " at " << n);
    Pattern alone = patternNamed("cache");
    set(alone, "policy", std::string(policy));
    CHECK(beginning(alone, n) == chosen);
    CHECK(preparedFor(chosen, n)->pairs() < n * (n + 1) / 2);
    using Sizes = std::vector<std::pair<std::string, Index>>;
    if (chosen.as<Cache>()->policy == Cache::Policy::SnapKv)
      CHECK(sizes(chosen) ==
            (n < 192 ? Sizes{{"budget", 2048}, {"window", 32}} : Sizes{{"budget", 2048}}));
    else if (chosen.as<Cache>()->policy == Cache::Policy::Streaming)
      CHECK(sizes(chosen) == Sizes{{"recent", 512}});
    else
      CHECK(sizes(chosen).empty());
  }
  Pattern given = h2o;
  set(given, "recent", Index{600});
  Pattern streaming = given;
  set(streaming, "policy", std::string("streaming"));
  CHECK(begunChoice(given, streaming, n) == streaming); // what was given stays
}

TEST_CASE("Parameters that are not shown are not changed", "[pattern]") {
  Pattern window = patternNamed("sliding_window");
  set(window, "causal", true);
  set(window, "right", Index{500}); // shown only if keys after the query are allowed
  CHECK(beginning(window, 64).as<SlidingWindow>()->right == 500);
}

TEST_CASE("Given parameters are kept", "[pattern]") {
  Pattern formula = patternNamed("expr");
  set(formula, "expr", std::string("i == j"));
  CHECK(beginning(formula, 64) == formula);
  Pattern documents = patternNamed("document");
  set(documents, "ids", IndexList{1, 1, 2});
  CHECK(beginning(documents, 3) == documents);
}
