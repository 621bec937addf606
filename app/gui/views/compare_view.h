// The Compare view: the compared patterns and the difference of two of them under one camera, and
// what mechanisms cost against what they keep.
#pragma once

#include "app/gl/shader_sources.h"
#include "app/gui/view/view.h"

#include <memory>

namespace attention::gui {

class CompareView final : public ViewPane {
public:
  explicit CompareView(const gl::ShaderSources& shaders);
  ~CompareView() override;

  void draw(const ViewContext& context) override;
  void leave() override;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace attention::gui
