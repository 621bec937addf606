// The end of every benchmark program that registers its cases at run time.
#pragma once

#include <benchmark/benchmark.h>

// Runs what is registered; the exit code of main.
inline int runBenchmarks(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
