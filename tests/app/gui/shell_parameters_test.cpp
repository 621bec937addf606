#include "app/gui/parameters/draft_field.h"
#include "app/gui/parameters/parameter_controls.h"
#include "core/pattern/mechanism/composed.h"
#include "core/support/error.h"
#include "tests/catch.h"

namespace attention::gui {
namespace {

Index valueIn(const Pattern& pattern, const char* name, Index n) {
  return std::get<Index>(parameterNamed(pattern, name).resolved(pattern, n));
}

Pattern fixedWith(Index stride, Index c) {
  Pattern pattern = patternNamed("fixed");
  set(pattern, "stride", Value{stride});
  set(pattern, "c", Value{c});
  return pattern;
}

TEST_CASE("A drag past a dependent bound pulls the other value along", "[shell]") {
  const Pattern start = fixedWith(16, 4);
  const Pattern longer = pulledAlong(start, "c", 20, 256);
  CHECK(valueIn(longer, "c", 256) == 20);
  CHECK(valueIn(longer, "stride", 256) == 20);
  const Pattern shorter = pulledAlong(start, "stride", 3, 256);
  CHECK(valueIn(shorter, "stride", 256) == 3);
  CHECK(valueIn(shorter, "c", 256) == 3);
}

TEST_CASE("On the way home the pulled value goes back to where it was", "[shell]") {
  const Pattern start = fixedWith(16, 4);
  CHECK(pulledAlong(start, "c", 4, 256) == start);
  CHECK(valueIn(pulledAlong(start, "stride", 9, 256), "c", 256) == 4);
}

TEST_CASE("Every position of every drag leaves all integers within their bounds", "[shell]") {
  const Index n = GENERATE(1, 7, 64);
  for (const Pattern& pattern : allMechanisms())
    for (const Parameter& p : description(pattern).parameters) {
      const Value value = p.resolved(pattern, n);
      if (p.type != ParameterType::Integer || !std::holds_alternative<Index>(value))
        continue;
      const Bounds reach = reachOf(pattern, p, n);
      for (const double share : {0.0, 0.3, 0.7, 1.0}) {
        const auto at = static_cast<Index>(reach.minimum + share * (reach.maximum - reach.minimum));
        const Pattern dragged = pulledAlong(pattern, p.name, at, n);
        INFO(description(pattern).name << "." << p.name << " = " << at << ", n = " << n);
        for (const Parameter& q : description(dragged).parameters) {
          const Value now = q.resolved(dragged, n);
          const auto* integer = std::get_if<Index>(&now);
          const Bounds bounds = q.bounds(dragged, n);
          if (!integer || q.type != ParameterType::Integer || !q.visible(dragged) ||
              bounds.minimum > bounds.maximum)
            continue;
          CHECK(static_cast<double>(*integer) >= bounds.minimum);
          CHECK(static_cast<double>(*integer) <= bounds.maximum);
          if (bounds.step > 1)
            CHECK((*integer - static_cast<Index>(bounds.minimum)) % bounds.step == 0);
        }
      }
    }
}

TEST_CASE("Values of every text form are read back unchanged", "[shell]") {
  Parameter p;
  p.name = "p";
  p.type = ParameterType::Integers;
  CHECK(valueOf(p, "0, 5,9") == Value{IndexList{0, 5, 9}});
  CHECK(valueOf(p, "0, 5, 9,") == Value{IndexList{0, 5, 9}});
  CHECK(textOf(Value{IndexList{0, 5, 9}}) == "0, 5, 9");
  p.type = ParameterType::IntegersOrCount;
  CHECK(valueOf(p, "first 4") == Value{Index{4}});
  CHECK(valueOf(p, "first  4") == Value{Index{4}});
  CHECK(valueOf(p, "4") == Value{IndexList{4}});
  CHECK(valueOf(p, "4,") == Value{IndexList{4}});
  p.type = ParameterType::IntegersOrOne;
  CHECK(valueOf(p, "3") == Value{Index{3}});
  CHECK(valueOf(p, "3,") == Value{IndexList{3}});
  CHECK(valueOf(p, "3, 5,") == Value{IndexList{3, 5}});
  p.type = ParameterType::BooleansOrOne;
  CHECK(valueOf(p, "true,") == Value{TruthList{Truth::True}});
  p.type = ParameterType::Pairs;
  CHECK(valueOf(p, "0-1, 2-5") == Value{PairList{{0, 1}, {2, 5}}});
  CHECK(valueOf(p, "0 - 1, 2 -5,") == Value{PairList{{0, 1}, {2, 5}}});
  p.type = ParameterType::Paths;
  CHECK(valueOf(p, "0, 0 - 1,") == Value{PathList{{0}, {0, 1}}});
  p.type = ParameterType::Named;
  CHECK(valueOf(p, "w = 3, b=-2,") == Value{Variables{{"w", 3}, {"b", -2}}});
  CHECK(textOf(Value{Variables{{"b", -2}, {"w", 3}}}) == "b = -2, w = 3");
  p.type = ParameterType::Seed;
  CHECK(valueOf(p, "18446744073709551615") == Value{std::uint64_t{18446744073709551615U}});
  CHECK(valueOf(p, " ") == Value{});
}

TEST_CASE("A field that refuses a value says what it takes", "[shell]") {
  Parameter p;
  p.name = "globals";
  p.type = GENERATE(ParameterType::Integers, ParameterType::Pairs, ParameterType::Named,
                    ParameterType::Seed, ParameterType::Real);
  CHECK_THROWS_AS(valueOf(p, "five"), Error);
  CHECK_THROWS_AS(valueOf(p, "1, x"), Error);
}

TEST_CASE("A field of tokens says how the first ones are written", "[shell]") {
  Parameter p;
  p.name = "globals";
  p.type = ParameterType::IntegersOrCount;
  CHECK_THROWS_WITH(valueOf(p, "firs 4"),
                    "globals is \"firs 4\"; it must be a list of integers such as 0, 5, 9, or how "
                    "many from the first: first 4");
}

TEST_CASE("Operands are found by their path", "[shell]") {
  Pattern inner = Compose(Operation::Union, {patternNamed("full"), patternNamed("fixed")});
  Pattern outer = Compose(Operation::Intersection, {patternNamed("causal"), inner});
  CHECK(operandAt(outer, "") == &outer);
  CHECK(description(*operandAt(outer, "1/1")).name == "fixed");
  CHECK(operandAt(outer, "2") == nullptr);
  CHECK(operandAt(outer, "0/0") == nullptr);
  CHECK(operandAt(outer, "x") == nullptr);
}

TEST_CASE("The spec's head of factorized attention is called factor in the window", "[shell]") {
  CHECK(labelOf(parameterNamed(patternNamed("strided"), "head")) == "factor");
  CHECK(labelOf(parameterNamed(patternNamed("strided"), "stride")) == "stride ℓ");
}

} // namespace
} // namespace attention::gui
