#include "core/support/stoppable.h"

#include "core/support/error.h"
#include "tests/catch.h"

using namespace attention;

TEST_CASE("A stoppable call returns its result with or without a stop token", "[threads]") {
  const std::stop_source stop;
  for (const Run& run : {Run{}, Run{stop.get_token(), {}}}) {
    CHECK(stoppable([] { return 7; }, run) == 7);
    CHECK_THROWS_AS(
        stoppable([]() -> int { throwRange("m", "0", "an integer of at least 1"); }, run), Error);
  }
}

TEST_CASE("After a stop the call goes on in the background", "[threads]") {
  struct Gates {
    std::promise<void> begun;
    std::promise<void> mayEnd;
    std::promise<int> ended;
  };
  const auto gates = std::make_shared<Gates>();
  std::stop_source stop;
  const std::jthread asker([gates, &stop] {
    gates->begun.get_future().wait();
    stop.request_stop();
  });
  const auto call = [gates] {
    gates->begun.set_value();
    gates->mayEnd.get_future().wait();
    gates->ended.set_value(3);
    return 3;
  };
  CHECK_THROWS_AS(stoppable(call, Run{stop.get_token(), {}}), Stopped);
  gates->mayEnd.set_value();
  CHECK(gates->ended.get_future().get() == 3);
  CHECK_THROWS_AS(stoppable([] { return 1; }, Run{stop.get_token(), {}}), Stopped);
}
