#include "app/gui/files/read_input.h"

#include "core/model/model_input.h"
#include "core/scene/pattern_files.h"

namespace attention::gui {

InputSpec asRead(InputSpec spec) {
  spec.batch = 0;
  spec.head = 0;
  spec.contentHash.clear();
  return spec;
}

void takeInput(Scene& scene, const InputSpec& next) {
  if (scene.input.source != next.source)
    scene.camera.reset();
  scene.input = next;
}

ReadInput readInput(const InputSpec& spec, const Run& run, Labels labels) {
  ReadInput read{asRead(spec), nullptr, {}};
  Scene scene;
  scene.input = read.spec;
  for (const std::string& file : filesOf(scene))
    read.stamps[file] = stampOf(file);
  read.input = openInput(read.spec, run, labels);
  return read;
}

} // namespace attention::gui
