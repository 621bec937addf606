// The Compare view: the compared patterns and the difference of two of them under one camera, and
// what mechanisms cost against what they keep.
#pragma once

#include "app/gl/shader_sources.h"
#include "app/gui/interface/view.h"

#include <memory>

namespace attention::gui {

class ViewStages;
struct PanelContext;

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

std::unique_ptr<ViewStages> compareStages(Results& results);
void drawCompareOptions(const PanelContext& context); // what is compared, and what else is scored
void drawCompareFacts(const PanelContext& context);   // the difference, the score board

} // namespace attention::gui
