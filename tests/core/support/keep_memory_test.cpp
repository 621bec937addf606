#include "core/support/keep_memory.h"

#include "tests/catch.h"

#include <fstream>
#include <memory>
#include <thread>
#include <vector>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <sys/resource.h>
#include <unistd.h>

using namespace attention;

namespace {

constexpr std::size_t kPicture = std::size_t{8} << 20U;

// Resident memory of this process, in pages.
long residentPages() {
  long all = 0;
  long resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident;
}

// Pages that this thread takes from the system while it fills `pictures` new ones and frees them.
long pagesTaken(int pictures) {
  rusage before{};
  getrusage(RUSAGE_THREAD, &before);
  std::vector<std::unique_ptr<char[]>> held;
  for (int k = 0; k < pictures; ++k)
    held.push_back(std::make_unique<char[]>(kPicture));
  held.clear();
  rusage after{};
  getrusage(RUSAGE_THREAD, &after);
  return after.ru_minflt - before.ru_minflt;
}

} // namespace

TEST_CASE("Memory for pictures that are drawn again is not taken from the system again") {
  keepFreedMemory();
  const auto pages = static_cast<long>(kPicture) / sysconf(_SC_PAGESIZE);
  long first = 0;
  long again = 0;
  std::thread([&] {
    first = pagesTaken(4);
    again = pagesTaken(4);
  }).join();
  CHECK(first >= 3 * pages); // a heap may hold one from before
  CHECK(again < pages / 8);
}

TEST_CASE("Kept memory is given back on request") {
  keepFreedMemory();
  const auto pages = static_cast<long>(kPicture) / sysconf(_SC_PAGESIZE);
  std::thread([&] { pagesTaken(4); }).join();
  const long kept = residentPages();
  giveFreedMemoryBack();
  CHECK(residentPages() < kept - 3 * pages);
}

#endif
