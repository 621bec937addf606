// A test that checks nothing fails, for example one whose loops run over nothing. Single draws of
// random parameters may leave everything out.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_session.hpp>
#include <catch2/catch_test_case_info.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
using Listener = Catch::EventListenerBase;
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
using Listener = Catch::TestEventListenerBase;
#endif

#include <iostream>

namespace {

int emptyTests = 0;

// Catch2 3 has a pointer where Catch2 2 has the object itself.
const Catch::TestCaseInfo& infoOf(const Catch::TestCaseInfo& info) {
  return info;
}
const Catch::TestCaseInfo& infoOf(const Catch::TestCaseInfo* info) {
  return *info;
}

class ChecksCounter : public Listener {
public:
  using Listener::Listener;
  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    if (stats.totals.assertions.total() > 0)
      return;
    ++emptyTests;
    std::cerr << "nothing is checked in \"" << infoOf(stats.testInfo).name << "\"\n";
  }
};
CATCH_REGISTER_LISTENER(ChecksCounter)

} // namespace

int main(int argc, char** argv) {
  const int failed = Catch::Session().run(argc, argv);
  return failed == 0 && emptyTests > 0 ? 1 : failed;
}
