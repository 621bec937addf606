// Sums that stay in registers while products are added, once for each kind of vectors.
#include "core/support/integers.h"

#if defined(ATTENTION_REGISTER_TILE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTENTION_REGISTER_TILE_INL_H
#undef ATTENTION_REGISTER_TILE_INL_H
#else
#define ATTENTION_REGISTER_TILE_INL_H
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace attention::HWY_NAMESPACE {
namespace {

// R rows of V vectors: a plain array, which compilers keep in registers.
template <class Tag, int R, int V>
struct RegisterTile {
  // An implicit one would not be compiled for this kind of vector (g++ on ARM rejects it).
  HWY_ATTR RegisterTile() {} // NOLINT(modernize-use-equals-default)
  hwy::HWY_NAMESPACE::Vec<Tag> at[static_cast<std::size_t>(R)][static_cast<std::size_t>(V)];
};

enum class Terms {
  Fused,     // s += a b, rounded once
  Rounded,   // the same, the product rounded first
  Distances, // s −= (a − b)²
};

// s[r][v] and a[r · rowStep] with b[v].
template <Terms kTerms = Terms::Fused, class Tag, int R, int V>
HWY_INLINE void addOne(const hwy::HWY_NAMESPACE::TFromD<Tag>* HWY_RESTRICT a, Index rowStep,
                       const hwy::HWY_NAMESPACE::TFromD<Tag>* HWY_RESTRICT b,
                       RegisterTile<Tag, R, V>& s) {
  namespace hn = hwy::HWY_NAMESPACE;
  constexpr Tag tag;
  constexpr auto kLanes = static_cast<Index>(hn::MaxLanes(Tag()));
  hn::Vec<Tag> x[static_cast<std::size_t>(V)];
  HWY_UNROLL(12)
  for (int v = 0; v < V; ++v)
    x[v] = hn::LoadU(tag, b + v * kLanes);
  HWY_UNROLL(12)
  for (int r = 0; r < R; ++r) {
    const hn::Vec<Tag> y = hn::Set(tag, a[r * rowStep]);
    HWY_UNROLL(12)
    for (int v = 0; v < V; ++v) {
      if constexpr (kTerms == Terms::Distances) {
        const hn::Vec<Tag> apart = hn::Sub(y, x[v]);
        s.at[r][v] = hn::NegMulAdd(apart, apart, s.at[r][v]);
      } else if constexpr (kTerms == Terms::Rounded) {
        s.at[r][v] = hn::Add(s.at[r][v], hn::Mul(y, x[v]));
      } else {
        s.at[r][v] = hn::MulAdd(y, x[v], s.at[r][v]);
      }
    }
  }
}

} // namespace
} // namespace attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
