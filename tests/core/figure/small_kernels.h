// The Kernels view with so few numbers that tests of its pictures are quick.
#pragma once

#include "core/scene/scene.h"

inline attention::Scene smallKernels(attention::KernelsPicture picture) {
  attention::Scene scene;
  scene.view = attention::View::Kernels;
  scene.kernels.picture = picture;
  scene.kernels.length = 24;
  scene.kernels.d = 4;
  scene.kernels.sigma = 0.7;
  scene.kernels.projections = {4, 8, 16};
  scene.kernels.chosen = 8;
  scene.kernels.repeats = 3;
  scene.kernels.layers = 3;
  scene.kernels.cells = 12;
  return scene;
}
