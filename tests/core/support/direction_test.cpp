#include "core/support/direction.h"
#include "tests/catch.h"

using namespace attention;

TEST_CASE("letters that are read from the right are known by their scripts") {
  for (const char* text : {"שלום", "3 سلام", "a ב"})
    CHECK(readsFromRight(text));
  for (const char* text : {"", "cat", "Ωμέγα", "кот", "語", "“ü” −∞"})
    CHECK_FALSE(readsFromRight(text));
}

TEST_CASE("a line with a name from the right runs from the left all the same") {
  CHECK(fromLeft("6 “שלום”") == "\u200E6 “שלום”");
  CHECK(fromLeft("6 “cat”") == "6 “cat”");
}
