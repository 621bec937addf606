// The window under random use: short here, longer with ATTENTION_SOAK_SECONDS.
#include "tests/app/gui/soak.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace attention::gui {
namespace {

// Sanitizers keep freed memory for a while.
#ifdef __SANITIZE_ADDRESS__
constexpr bool kMemoryIsOwn = false;
#else
constexpr bool kMemoryIsOwn = true;
#endif

// Some two dozen of the values, first and last among them.
std::string course(const std::vector<double>& values) {
  std::string text;
  const std::size_t step = std::max<std::size_t>(values.size() / 24, 1);
  for (std::size_t k = 0; k < values.size(); k += step)
    text += std::to_string(std::lround(values[k])) + " ";
  return text + std::to_string(std::lround(values.back()));
}

TEST_CASE("Random use brings no error and leaves nothing behind", "[shell]") {
  const SoakReport report = Soak(soakOptions()).run();
  INFO(report.problem);
  CHECK(report.problem.empty());
  CHECK(report.missed * 4 < report.actions); // otherwise it is of no use
  INFO("MiB at rest in the course of " << report.actions << " actions: " << course(report.resting));
  if (kMemoryIsOwn)
    CHECK(growth(report.resting) < kMostGrowth);
}

TEST_CASE("A script that random use has printed can be played again", "[shell]") {
  const char* file = std::getenv("ATTENTION_SOAK_SCRIPT"); // NOLINT(concurrency-mt-unsafe)
  std::ostringstream text;
  if (file)
    text << std::ifstream(file).rdbuf();
  else
    text << "key 5\nframes 2\ndrop \"input.csv\"\nframes 3\n";
  CHECK(Soak(soakOptions()).replay(text.str()).empty());
}

TEST_CASE("Growth of memory is measured while a warm window rests") {
  CHECK(growth({1, 50, 60, 70}) == 0);
  CHECK(growth({1, 50, 60, 70, 71, 72, 70}) == Approx(2));
  CHECK(growth({1, 2, 3, 4, 104, 204, 304, 404, 504}) == Approx(400));
}

} // namespace
} // namespace attention::gui
