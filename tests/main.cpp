// A test in which nothing is checked fails.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_session.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif

int main(int argc, char** argv) {
  Catch::Session session;
  session.configData().warnings = Catch::WarnAbout::NoAssertions;
  if (const int code = session.applyCommandLine(argc, argv); code != 0)
    return code;
  return session.run();
}
