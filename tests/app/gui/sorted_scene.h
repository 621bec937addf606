// Tokens in clusters, sorted by LSH in two rounds of four buckets.
#pragma once

#include "core/pattern/mechanism/lsh.h"
#include "tests/app/gui/shell_window.h"

namespace attention::gui {

inline Scene sortedScene(ChoosingPicture picture, Index n = 32) {
  Scene scene = smallScene();
  scene.view = View::Choosing;
  Lsh lsh;
  lsh.buckets = IndexList({4});
  lsh.chunk = 8;
  lsh.rounds = 2;
  scene.pattern = lsh;
  RandomInput random;
  random.n = n;
  random.d = 8;
  random.generator = "clustered";
  scene.input.source = random;
  scene.length = LengthSpec();
  scene.pins = {};
  scene.choosing.picture = picture;
  scene.choosing.most = 3;
  return scene;
}

} // namespace attention::gui
