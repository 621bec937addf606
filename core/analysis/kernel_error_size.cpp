#include "core/analysis/kernel_error_size.h"

#include "core/support/error.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace attention {
namespace {

double real(Index x) {
  return static_cast<double>(x);
}

// Entries that are compared of one repeat by one curve.
double entriesOf(const KernelErrorSource& source, const KernelErrorOptions& options) {
  return options.allEntries ? real(source.queries) * real(source.keys) : real(options.pairs);
}

// Repeats that are held: an input that is given is held once.
Index distinctRepeats(const KernelErrorOptions& options) {
  return options.sameInput ? 1 : options.repeats;
}

void requireAtMost(const char* subject, const std::string& found, double numbers, Index most) {
  if (numbers > real(most))
    throw Error(ErrorCode::Range, subject,
                found + " is " + readableNumber(numbers) + "; it must be at most " +
                    std::to_string(most));
}

void requireFewProducts(const char* subject, const std::string& asking, double products,
                        const std::string& numbers) {
  if (products > real(kMostErrorProducts))
    throw Error(ErrorCode::Range, subject,
                asking + " ask for " + readableNumber(products) + " multiplications (" + numbers +
                    "); it must be at most " + readableNumber(real(kMostErrorProducts)));
}

} // namespace

void requireFewErrorNumbers(const char* length, Index n, Index d, Index repeats) {
  if (real(n) * real(d) * real(repeats) > real(kMostErrorNumbers))
    throw Error(ErrorCode::Range, "repeats",
                std::string(length) + " · d · repeats is " + std::to_string(n) + " · " +
                    std::to_string(d) + " · " + std::to_string(repeats) +
                    " numbers; it must be at most " + std::to_string(kMostErrorNumbers));
}

double errorProducts(const KernelErrorSource& source, const KernelErrorOptions& options) {
  const double n = real(std::max(source.queries, source.keys));
  const double d = real(std::max(source.d, source.dv));
  const double projections =
      std::accumulate(options.projections.begin(), options.projections.end(), 0.0,
                      [](double sum, Index m) { return sum + real(m); });
  const double aCurve =
      projections * ((n + d) * d + entriesOf(source, options)) + real(options.pairs) * d;
  return real(options.repeats) *
         (n * n * d + real(static_cast<Index>(options.curves.size())) * aCurve);
}

void requireSmallSweep(const KernelErrorSource& source, const KernelErrorOptions& options) {
  const Index n = std::max(source.queries, source.keys);
  const Index d = std::max(source.d, source.dv);
  requireFewErrorNumbers("n", n, d, distinctRepeats(options));
  requireAtMost("pairs", "pairs · repeats", real(options.pairs) * real(distinctRepeats(options)),
                kMostErrorPairs);
  // A draw is m × d, and sums over keys are features × d; all entries take a side's features.
  const Index most = *std::max_element(options.projections.begin(), options.projections.end());
  const Index rows = options.allEntries ? std::max(n, d) : d;
  requireAtMost("m", options.allEntries ? "2 · m · the larger of n and d" : "2 · m · d",
                2 * real(most) * real(rows), kMostErrorFeatures);
  requireFewProducts("repeats", "n, d, repeats, pairs and the numbers of projections",
                     errorProducts(source, options),
                     "n = " + std::to_string(n) + ", d = " + std::to_string(d) +
                         ", repeats = " + std::to_string(options.repeats) +
                         ", entries = " + readableNumber(entriesOf(source, options)));
}

void requireSmallStack(const LayerErrorOptions& options) {
  const double n = real(options.n);
  const double d = real(options.d);
  const double m = real(options.projections);
  const double curves = real(static_cast<Index>(options.curves.size()));
  requireFewErrorNumbers("n", options.n, options.d, options.repeats);
  requireAtMost("d", "3 · d · d", 3 * d * d, kMostErrorNumbers); // a layer's weights
  requireAtMost("m", "2 · m · d · curves", 2 * m * d * curves, kMostErrorFeatures);
  // The products with weights, the exact attention, and of each curve its features and their sums.
  const double aLayer = 3 * (1 + curves) * n * d * d + n * n * d + 2 * curves * n * m * d;
  requireFewProducts("layers", "n, d, m, repeats and layers",
                     real(options.repeats) * real(options.layers) * aLayer,
                     "n = " + std::to_string(options.n) + ", d = " + std::to_string(options.d) +
                         ", m = " + std::to_string(options.projections) +
                         ", repeats = " + std::to_string(options.repeats) +
                         ", layers = " + std::to_string(options.layers));
}

} // namespace attention
