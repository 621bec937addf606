// The list of a HashingSpec's fields (fields.h).
#pragma once

#include "core/scene/fields.h"
#include "core/scene/hashing_spec.h"

#include <concepts>
#include <type_traits>

namespace attention {

template <class F, class T>
requires std::same_as<std::remove_const_t<T>, CircleSpec>
void describe(F& f, T& x) {
  f.choice("draw", x.draw, fields::Names<2>{"rotation", "gaussian"});
  f.field("n_buckets", x.buckets);
  f.field("n_rounds", x.rounds);
  f.field("seed", x.seed);
  f.field("redraws", x.redraws);
  f.field("far", x.far);
  f.field("near", x.near);
}

template <class F, class T>
requires std::same_as<std::remove_const_t<T>, HashingSpec>
void describe(F& f, T& x) {
  f.choice("picture", x.picture, kHashingPictureNames);
  f.field("round", x.round);
  f.field("moment", x.moment);
  f.field("joined", x.joined);
  f.choice("colors", x.colors, fields::Names<2>{"groups", "rounds"});
  f.field("recall_keys", x.recallKeys);
  f.field("most_rounds", x.most);
  f.object("circle", x.circle);
}

} // namespace attention
