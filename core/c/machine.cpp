#include "core/analysis/timing/clock.h"
#include "core/analysis/timing/fma_peak.h"
#include "core/c/border.h"
#include "core/support/error.h"

#include <string>

namespace {

using namespace attention;
using namespace attention::c;

constexpr Index kMostRounds = Index{1} << 40; // about an hour

} // namespace

const char* attnx_version() {
  return ATTNX_VERSION;
}

int32_t attnx_abi() {
  return ATTNX_ABI;
}

int32_t attnx_peak(int64_t rounds, int32_t threads, double* flops, attnx_error* error) {
  return guarded(error, [&] {
    if (rounds < 1 || rounds > kMostRounds)
      throwRange("rounds", std::to_string(rounds), "an integer from 1 to 2^40");
    const int all = threadsOf(threads);
    volatile float sum = 0; // the loop may not be left out
    const double seconds = secondsOf(steadyClock(), [&] { sum = runPeakLoop(rounds, all); });
    required(flops, "flops") = peakFlops(rounds, all) / seconds;
  });
}

const char* attnx_vectors() {
  return peakVectors().data(); // of a literal, with a zero behind it
}
