// Every parameter of every mechanism with values that nobody has checked.
#include "tests/core/pattern/unchecked.h"

#include "core/pattern/heads.h"
#include "tests/catch.h"
#include "tests/core/pattern/random_pattern.h"

using namespace attention;
using namespace attention::test;

namespace {

// `pattern` with the value, if the parameter takes one of that type.
std::optional<Pattern> with(Pattern pattern, const Parameter& parameter, const Value& value) {
  try {
    parameter.set(pattern, value);
    return pattern;
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find(parameter.name) != std::string::npos);
    return std::nullopt;
  }
}

// Graphs once per kind, since each has its own parameters.
std::vector<Pattern> starts() {
  std::vector<Pattern> patterns(allMechanisms().begin(), allMechanisms().end());
  for (const Choice& kind : parameterNamed(patternNamed("graph"), "kind").choices) {
    Pattern graph = patternNamed("graph");
    set(graph, "kind", Value(kind.value));
    patterns.push_back(graph);
  }
  return patterns;
}

// What passes the checks is prepared, unless it would rightly take long.
void prepareSmall(const Pattern& pattern) {
  constexpr Index kSmall = 12;
  constexpr Index kLong = 1 << 20;
  for (const Parameter& parameter : description(pattern).parameters) {
    const Value value = parameter.resolved(pattern, kSmall);
    const auto* steps = std::get_if<Index>(&value);
    if (parameter.name == "iterations" && steps && *steps > kLong)
      return; // of k-means, which runs as long as it is told to
  }
  ask([&] { headPatterns(pattern, {2, true, 1, {}}, kSmall); });
  ask([&] {
    const auto prepared = prepare(pattern, squareLengths(kSmall), randomData(kSmall));
    Index pairs = 0;
    for (Index i = 0; i < kSmall; ++i)
      pairs += prepared->rowCount(i, 0, kSmall);
    CHECK(pairs == prepared->pairs());
    CHECK(pairs <= kSmall * kSmall);
    prepared->why(3, 2);
  });
}

} // namespace

TEST_CASE("defaults, bounds, titles and words of unchecked values are answered or refused") {
  const std::vector<Value> values = badValues();
  int asked = 0;
  for (const Pattern& start : starts())
    for (const Parameter& parameter : description(start).parameters)
      for (const Value& value : values)
        if (const auto pattern = with(start, parameter, value)) {
          INFO(shortText(*pattern));
          askUnchecked(*pattern);
          prepareSmall(*pattern);
          ++asked;
        }
  CHECK(asked > 1000);
}

TEST_CASE(
    "defaults, bounds, titles and words of unchecked patterns in files are answered or refused") {
  const std::vector<nlohmann::json> values = badJson();
  int read = 0;
  for (const Pattern& start : starts())
    for (const Parameter& parameter : description(start).parameters)
      for (const nlohmann::json& value : values) {
        nlohmann::json json(toJson(start));
        json["params"][parameter.name] = value;
        INFO(json);
        ask([&] {
          const Pattern pattern = patternFromJson(json);
          ++read;
          askUnchecked(pattern);
          prepareSmall(pattern);
        });
      }
  CHECK(read > 1000);
}

TEST_CASE("defaults, bounds, titles and words of two unchecked values are answered or refused") {
  std::vector<Value> values;
  for (const Index x : {Index{0}, Index{-1}, Index{3}, std::numeric_limits<Index>::max(),
                        std::numeric_limits<Index>::min()}) {
    values.emplace_back(x);
    values.emplace_back(IndexList{x, 0});
  }
  for (const Pattern& start : starts()) {
    const auto& parameters = description(start).parameters;
    for (std::size_t a = 0; a < parameters.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        for (const Value& first : values)
          for (const Value& second : values)
            if (const auto one = with(start, parameters[a], first))
              if (const auto both = with(*one, parameters[b], second)) {
                INFO(shortText(*both));
                askUnchecked(*both);
                prepareSmall(*both);
              }
  }
}

TEST_CASE("a value that the checks refuse has been named and not used") {
  const auto refused = [](const Pattern& pattern) {
    try {
      prepare(pattern, squareLengths(64), randomData(64));
    } catch (const Error& error) {
      return error.text();
    }
    return std::string("accepted");
  };
  Pattern lsh = patternNamed("lsh");
  set(lsh, "n_buckets", Value(IndexList{0, 3}));
  CHECK(refused(lsh).starts_with("E_RANGE: n_buckets is 0; "));
  Pattern fixed = patternNamed("fixed");
  set(fixed, "stride", Value(std::numeric_limits<Index>::min()));
  CHECK(refused(fixed).starts_with("E_RANGE: stride is -9223372036854775808; "));
}
