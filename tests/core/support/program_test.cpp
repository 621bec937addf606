// Other programs: how they end, what they said, and that a stopped one can tidy up.
#include "core/support/error.h"
#include "core/support/program.h"
#include "core/support/stoppable.h"
#include "tests/catch.h"

#include <csignal>
#include <fstream>
#include <thread>

namespace attention {
namespace {

namespace fs = std::filesystem;

bool runScript(const fs::path& folder, const std::string& script, const Run& run = {}) {
  return runProgram("/bin/sh", {"-c", script}, folder / "said.txt", run);
}

} // namespace

TEST_CASE("a program's end and its last words are told", "[threads]") {
  const WorkFolder folder;
  CHECK(runScript(folder.path(), "echo one; echo two >&2"));
  CHECK(lastWords(folder.path() / "said.txt") == "\"two\"");
  CHECK_FALSE(runScript(folder.path(), "echo three; exit 3"));
  CHECK(lastWords(folder.path() / "said.txt") == "\"three\"");
  CHECK_FALSE(runScript(folder.path(), "kill -9 $$"));
  CHECK(lastWords(folder.path() / "nothing.txt") == "it ended without a message");
  CHECK_THROWS_AS(runProgram("/no/program", {}, folder.path() / "said.txt", {}), Error);
}

TEST_CASE("a stopped program can tidy up, whatever this one blocks", "[threads]") {
  const WorkFolder folder;
  const fs::path begun = folder.path() / "begun";
  const fs::path tidied = folder.path() / "tidied";
  sigset_t blocked;
  sigset_t before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  REQUIRE(::pthread_sigmask(SIG_BLOCK, &blocked, &before) == 0);
  std::stop_source stop;
  const std::jthread stopper([&] {
    while (!fs::exists(begun))
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    stop.request_stop();
  });
  Run run;
  run.stop = stop.get_token();
  CHECK_THROWS_AS(runScript(folder.path(),
                            "trap 'touch " + tidied.string() + "; exit 1' TERM; touch " +
                                begun.string() + "; while :; do sleep 0.1; done",
                            run),
                  Stopped);
  CHECK(fs::exists(tidied));
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST_CASE("a work folder goes with its object") {
  fs::path path;
  {
    const WorkFolder folder;
    path = folder.path();
    std::ofstream(path / "file") << "text";
    CHECK(fs::exists(path / "file"));
  }
  CHECK_FALSE(fs::exists(path));
}

} // namespace attention
