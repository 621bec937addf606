#include "app/cli/interrupt.h"

#include "tests/app/cli/run_cli.h"

#include <csignal>
#include <pthread.h>

using namespace attention::cli;

namespace {

constexpr std::chrono::milliseconds kNow{0};

// Interrupts block signals for good; a test unblocks them.
class SignalMask {
public:
  SignalMask() { pthread_sigmask(SIG_SETMASK, nullptr, &old_); }
  SignalMask(const SignalMask&) = delete;
  SignalMask& operator=(const SignalMask&) = delete;
  ~SignalMask() { pthread_sigmask(SIG_SETMASK, &old_, nullptr); }

private:
  sigset_t old_{};
};

// A text stream that tells other threads when it was flushed.
class FlushedBuffer final : public std::stringbuf {
public:
  bool flushed() const { return flushed_; }

private:
  int sync() override {
    flushed_ = true;
    return 0;
  }

  std::atomic<bool> flushed_ = false;
};

} // namespace

TEST_CASE("Ctrl C ends a running command with code 130 and leaves nothing behind", "[cli]") {
  const SignalMask mask;
  const TemporaryFolder folder;
  const Interrupts interrupts;
  bool began = false;
  // The first share that is reported while a file is open is the command's sign of life.
  const auto interrupt = [&](double) {
    if (began || folder.empty())
      return;
    began = true;
    ::kill(::getpid(), SIGINT);
    while (!interrupts.token().stop_requested())
      std::this_thread::yield();
  };
  const std::vector<std::string> words{"mask", "causal", "--n", "4096", "-o", folder.file("m.npy")};
  std::ostringstream out;
  std::ostringstream err;
  CHECK(runCommandLine(words, {out, err, {interrupts.token(), interrupt}}) == 130);
  CHECK(began);
  CHECK(out.str().empty());
  CHECK(err.str().empty());
  CHECK(folder.empty());
}

TEST_CASE("The progress bar only grows and disappears before anything is printed", "[cli]") {
  std::ostringstream terminal;
  {
    ProgressBar bar(terminal, kNow, kNow);
    ClearingBuffer buffer(*terminal.rdbuf(), bar);
    std::ostream out(&buffer);
    bar.show(0.5);
    bar.show(0.25);
    CHECK(terminal.str().find("25 %") == std::string::npos);
    out << "answer\n";
    bar.show(0.75);
  }
  const std::string half = "\r[" + std::string(20, '#') + std::string(20, '.') + "] 50 %";
  CHECK(terminal.str() == half + half + "\r\033[Kanswer\n\r[" + std::string(30, '#') +
                              std::string(10, '.') + "] 75 %\r\033[K");
}

TEST_CASE("A first report is shown in time although no other follows", "[cli]") {
  using namespace std::chrono_literals;
  FlushedBuffer screen;
  std::ostream terminal(&screen);
  {
    ProgressBar bar(terminal, 1ms, 1ms);
    bar.show(0);
    while (!screen.flushed())
      std::this_thread::yield();
  }
  CHECK(screen.str() == "\r[" + std::string(40, '.') + "] 0 %\r\033[K");

  std::ostringstream answered;
  {
    ProgressBar bar(answered, 20ms, 20ms);
    ClearingBuffer buffer(*answered.rdbuf(), bar);
    std::ostream out(&buffer);
    bar.show(0);
    out << "answer\n";
    std::this_thread::sleep_for(60ms);
  }
  CHECK(answered.str().ends_with("answer\n"));
}

TEST_CASE("Commands report one rising share from start to end", "[cli]") {
  const TemporaryFolder folder;
  const std::string line = GENERATE(
      "info expr --expr j<=i --n 600 --heads 3 --threads 1",
      "attend strided --random gaussian --n 300 --d 8 --heads 2 --threads 1 --json --weights W",
      "heads strided --random gaussian --n 300 --d 8 --heads 2 --threads 1",
      "mask strided --n 3000 --threads 1 -o M",
      "count expr --expr j<=i --n 600 --heads 2 --threads 1");
  std::vector<std::string> words;
  std::istringstream stream(line);
  for (std::string word; stream >> word;)
    words.push_back(word == "W" ? folder.file("w.npy") : word == "M" ? folder.file("m.mtx") : word);
  std::vector<double> shares;
  std::mutex mutex;
  const attention::Run run{{}, [&](double share) {
                             const std::scoped_lock lock(mutex);
                             shares.push_back(share);
                           }};
  std::ostringstream out;
  std::ostringstream err;
  INFO(line);
  REQUIRE(runCommandLine(words, {out, err, run}) == 0);
  REQUIRE_FALSE(shares.empty());
  CHECK(std::is_sorted(shares.begin(), shares.end()));
  CHECK(shares.back() <= 1);
}
