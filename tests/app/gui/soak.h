// A soak: a window driven by a random user for a while, watched for errors of every kind. Whatever
// it finds comes with script lines that lead there from a window at rest.
#pragma once

#include "tests/app/gui/random_user.h"
#include "tests/app/gui/shell_window.h"

#include <chrono>

namespace attention::gui {

struct SoakOptions {
  std::uint64_t seed = 1;
  int actions = 160;               // the least
  std::chrono::seconds lasting{0}; // and until this much time has passed
  int actionsPerRest = 20;         // then the window is brought to rest, and measured
};

// ATTENTION_SOAK_SEED and ATTENTION_SOAK_SECONDS, where they are set.
SoakOptions soakOptions();

struct SoakReport {
  int actions = 0;
  int missed = 0;              // that found no control because it was gone by then
  std::vector<double> resting; // MiB of resident memory at each rest
  std::string problem;         // the first, with its script; empty: none
};

class Soak {
public:
  explicit Soak(const SoakOptions& options);
  ~Soak();
  Soak(Soak&&) = delete;

  SoakReport run();
  // Plays the lines of a report, from a window at rest.
  std::string replay(const std::string& script);

private:
  void act(const std::string& lines);
  void check();
  void settle();
  void rest();
  std::string told(const std::string& what) const;

  SoakOptions options_;
  TemporaryFolder folder_;
  std::filesystem::path before_;  // the working folder, for files named without one
  std::filesystem::path journal_; // what was done since the last rest, should the process end
  std::vector<std::string> files_;
  std::unique_ptr<TestWindow> window_;
  RandomUser user_;
  std::string script_; // since the last rest
  SoakReport report_;
};

// MiB that the process holds more at rest, in the middle of the later half, than when it was warm.
double growth(const std::vector<double>& resting);

// The limit: the small pictures of some fifty figures, half a MiB each, in memory and as textures,
// and pieces of the heap that cannot be given back: 26 MiB in 7000 actions. A few minutes make that
// many, so a leak of 10 KiB per action is found.
constexpr double kMostGrowth = 60;

} // namespace attention::gui
