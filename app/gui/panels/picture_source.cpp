#include "app/gui/panels/picture_source.h"

namespace attention::gui {

std::string pictureSource(const Scene& scene) {
  switch (scene.view) {
  case View::Kernels:
    return kernelsSource(scene);
  case View::Hashing:
    return hashingSource(scene);
  case View::Encodings:
    return encodingsSource(scene);
  default:
    return {};
  }
}

} // namespace attention::gui
