// The entropy of a row of attention weights, weight by weight.
#pragma once

#include <algorithm>
#include <cmath>

namespace attention {

// H = −Σ p ln p, nats, of weights divided by their sum: rounding and what a sink takes are divided
// out, so a single key has no entropy.
class EntropySum {
public:
  void add(double p) {
    if (!(p > 0))
      return;
    mass_ += p;
    sum_ -= p * std::log(p);
  }
  // 0 of a row without any weight.
  double entropy() const { return mass_ > 0 ? std::max(sum_ / mass_ + std::log(mass_), 0.0) : 0; }

private:
  double mass_ = 0;
  double sum_ = 0;
};

} // namespace attention
