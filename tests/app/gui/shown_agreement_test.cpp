// Words that agree with the numbers before them: one row has, two rows have.
#include "app/gui/views/kernels/kernels_view.h"
#include "core/pattern/mechanism/expr.h"
#include "core/pattern/mechanism/local.h"
#include "core/support/number_text.h"
#include "core/views/mask/mask_words.h"
#include "tests/app/gui/shown_things.h"

namespace attention::gui {
namespace {

TEST_CASE("Warnings of normalisers agree with how many rows they are of", "[shown]") {
  const auto warningsOf = [](Index negative, Index zero) {
    auto matrices = std::make_shared<KernelMatrices>();
    matrices->n = 256;
    matrices->normalisers.assign(256, 1.0);
    matrices->negativeRows = negative;
    matrices->zeroRows = zero;
    KernelsSpec spec;
    spec.picture = KernelsPicture::Normalisers;
    KernelsAnswer answer;
    answer.matrices = matrices;
    Words warnings = kernelsFacts(spec, answer).warnings;
    warnings.push_back(readingOf(spec, answer).front());
    return warnings;
  };
  CHECK(warningsOf(1, 1) ==
        Words{"1 of 256 rows has a negative normaliser: its weights change sign",
              "1 of 256 rows has a normaliser of 0: its output is zero",
              "A normaliser near zero blows up its row: 2 rows are at or below zero, and those "
              "just above it are not safe."});
  CHECK(warningsOf(1, 0).back() ==
        "A normaliser near zero blows up its row: 1 row is at or below zero, and those just above "
        "it are not safe.");
  CHECK(warningsOf(2, 3) ==
        Words{"2 of 256 rows have a negative normaliser: their weights change sign",
              "3 of 256 rows have a normaliser of 0: their output is zero",
              "A normaliser near zero blows up its row: 5 rows are at or below zero, and those "
              "just above it are not safe."});
}

TEST_CASE("Queries without keys are told in words that agree with their number", "[shown]") {
  Scene scene = smallScene();
  scene.length.n = 12;
  scene.pins = {};
  scene.pattern = patternNamed("expr");
  set(scene.pattern, "expr", Value{std::string("j < i")});
  CHECK(TestWindow(scene).says("1 query attends to nothing; its output is zero"));
  set(scene.pattern, "expr", Value{std::string("j < i - 1")});
  CHECK(TestWindow(scene).says("2 queries attend to nothing; their output is zero"));
}

TEST_CASE("The reading of a small mask agrees with its numbers", "[shown]") {
  const auto prepared = prepare(Local{2, true}, squareLengths(3));
  CHECK(readQuery(*prepared, 2, Base::Causal) == "Query 2 sees keys 1–2 and nothing else.");
  Pattern ends = patternNamed("expr");
  set(ends, "expr", Value{std::string("j == 0 || j == i")});
  CHECK(readQuery(*prepare(ends, squareLengths(3)), 2, Base::Causal) ==
        "Query 2 sees itself and 1 of the 2 earlier keys.");
  CHECK(readQuery(*prepare(ends, squareLengths(3)), 1, Base::Full) ==
        "Query 1 sees keys 0–1 and nothing else.");
  CHECK(agreeing(1, "has", "have") == "has");
  CHECK(agreeing(0, "has", "have") == "have");
}

} // namespace
} // namespace attention::gui
