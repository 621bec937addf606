// Score modifiers of every kind, for two heads.
#pragma once

#include "core/attention/attend.h"
#include "core/attention/modifiers.h"

#include <cmath>
#include <vector>

namespace attention {

inline T5Bias someT5(Index buckets, Index heads, bool bidirectional) {
  T5Bias t5;
  t5.bidirectional = bidirectional;
  t5.maxDistance = 20;
  for (Index b = 0; b < buckets; ++b) {
    t5.table.emplace_back();
    for (Index h = 0; h < heads; ++h)
      t5.table.back().push_back(std::sin(1.0 + static_cast<double>(b * heads + h)));
  }
  return t5;
}

// Every kind of modifier and some of them together, for two heads.
inline std::vector<ScoreModifiers> someModifiers() {
  const auto with = [](const auto& set) {
    ScoreModifiers modifiers;
    set(modifiers);
    return modifiers;
  };
  const auto alibi = [](AlibiSide side) { return AlibiBias{HeadNumbers{{0.3, 0.05}}, side}; };
  return {
      with([&](auto& m) { m.bias = alibi(AlibiSide::Distance); }),
      with([&](auto& m) { m.bias = alibi(AlibiSide::Signed); }),
      with([&](auto& m) { m.bias = alibi(AlibiSide::Column); }),
      with([](auto& m) { m.bias = AlibiBias{}; }),
      with([](auto& m) { m.bias = someT5(8, 2, true); }),
      with([](auto& m) { m.bias = someT5(7, 2, false); }),
      with([](auto& m) {
        m.bias = RelativeBias{{-1, 0.5, 0, 2, 1}};
      }),
      with([](auto& m) { m.temperature = 0.4; }),
      with([](auto& m) {
        m.sink = HeadNumbers{{1.5, -2}};
      }),
      with([&](auto& m) {
        m.scale = 0.8;
        m.softcap = 2;
        m.bias = alibi(AlibiSide::Signed);
        m.temperature = 1.7;
        m.sink = HeadNumbers{{0.25}, true};
      }),
      with([&](auto& m) {
        m.softcap = 1.5;
        m.bias = alibi(AlibiSide::Column);
        m.biasFirst = true;
        m.sink = HeadNumbers{{3, 4}};
      }),
  };
}

} // namespace attention
