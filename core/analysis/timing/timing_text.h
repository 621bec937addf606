// Times and noise in words, the same on the command line and in the window.
#pragma once

#include "core/analysis/timing/timings.h"

#include <span>
#include <string>

namespace attention {

// "1.23 ms": three digits with s, ms or µs.
std::string secondsText(double seconds);

// The instruction set by its official name: "AVX-512" for the library's "AVX3".
std::string vectorsText(const Timings& timings);

// Whether the row's share of the machine's peak is above 100 %, which no run can reach: such shares
// are noise and are not shown.
bool abovePeak(const TimingRow& row);
// "12.3 %" of the machine's peak; "too noisy" above it.
std::string peakShareText(const TimingRow& row);
// "50.0 % of the peak"; where it is above the peak "share of the peak too noisy to tell".
std::string ofPeakText(const TimingRow& row);

// What was measured of a mechanism at one size, line by line: its time with the quartiles, what
// choosing keys took of it, the rate, and what the cost model predicted.
std::string rowText(const TimingRow& row, const std::string& name);

// Why no crossover is stated: whether medians do cross, and whether quartiles overlap or samples
// are too few there (kFewestForCrossover).
std::string noCrossoverText(const Timings& timings);

// The mechanisms with left-out shares of the peak: "points above 100 % of the peak are noise and
// are not drawn: all points of “full”, 1 of 4 points of “strided”"; nothing if none is. `names` of
// the mechanisms.
std::string sharesLeftOutText(const Timings& timings, std::span<const std::string> names);

// A figure's warning that its numbers are not to be trusted blindly: "The machine was noisy:
// quartiles up to 23.1 % apart. Points above 100 % …"; nothing where all is well.
std::string doubtsText(const Timings& timings, std::span<const std::string> names);

// Where mechanisms end before the largest size, because longer runs were left out: "Full stops at
// n = 4 096; Strided stops at n = 8 192"; nothing if none does. `names` of the mechanisms.
std::string omittedText(const Timings& timings, std::span<const std::string> names);

// "quartiles up to 23.1 % apart", of the peak or a row; from 100 % on "30 times the median apart".
std::string spreadText(const TimingNoise& noise);

// How far quartiles were apart: "the quartiles are 12.0 % apart for the peak (quiet machine: below
// 10 %) and 23.1 % apart for “full” at n = 512 (quiet machine: below 20 %)". `names` of the
// mechanisms.
std::string noiseText(const Timings& timings, std::span<const std::string> names);

} // namespace attention
