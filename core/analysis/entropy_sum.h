// The entropy of a row of attention weights, weight by weight.
#pragma once

#include <algorithm>
#include <cmath>

namespace attention {

// H = −Σ p ln p, nats, of weights that sum to 1 up to rounding, which is divided out: a single key
// has no entropy, whatever its weight was rounded to.
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
