// The list of an AttentionSpec's fields (fields.h).
#pragma once

#include "core/scene/attention_spec.h"
#include "core/scene/fields.h"

#include <concepts>
#include <type_traits>

namespace attention {

template <class F, class T>
requires std::same_as<std::remove_const_t<T>, AttentionMaps>
void describe(F& f, T& x) {
  f.field("full", x.full);
  f.field("pattern", x.pattern);
  f.field("difference", x.difference);
}

template <class F, class T>
requires std::same_as<std::remove_const_t<T>, AttentionSpec>
void describe(F& f, T& x) {
  using fields::Names;
  f.choice("picture", x.picture, kAttentionPictureNames);
  f.choice("base", x.base, Names<3>{"meaningful", "full", "causal"});
  f.object("maps", x.maps);
  f.field("curves", x.curves);
  f.choice("of", x.of, Names<3>{"full", "pattern", "logits"});
  f.field("least", x.least);
}

} // namespace attention
