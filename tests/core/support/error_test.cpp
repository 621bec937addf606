#include "core/support/error.h"

#include "tests/catch.h"

using namespace attention;

TEST_CASE("An error is one line, whatever a name in it contains", "[error]") {
  const Error error(ErrorCode::Unknown, "a\nb", "name \"a\nb\x7F\" is unknown; ≥ stays");
  CHECK(error.text() == "E_UNKNOWN: name \"a\\x0ab\\x7f\" is unknown; ≥ stays");
  CHECK(error.subject() == "a\nb");
}
