#include "app/gui/views/attention/attention_view.h"

#include "app/gui/results/view_stages.h"
#include "app/gui/views/attention/attention_pictures.h"

namespace attention::gui {
namespace {

std::size_t kindAt(const Scene& scene) {
  return static_cast<std::size_t>(&kindIn(scene) - pictureKinds().data());
}

std::vector<AnyStage*> stagesOf(const std::vector<std::unique_ptr<ViewStages>>& kinds, bool told) {
  std::vector<AnyStage*> all;
  for (const auto& kind : kinds) {
    const auto stages = told ? kind->told() : kind->stages().subspan(kind->told().size());
    all.insert(all.end(), stages.begin(), stages.end());
  }
  return all;
}

std::vector<std::unique_ptr<ViewStages>> stagesOfKinds(Results& results) {
  std::vector<std::unique_ptr<ViewStages>> kinds;
  for (const PictureKind& kind : pictureKinds())
    kinds.push_back(kind.stages(results));
  return kinds;
}

// The stages of the kind that is shown; the others forget what they have.
class AttentionStages final : public ViewStages {
public:
  explicit AttentionStages(std::vector<std::unique_ptr<ViewStages>> kinds)
      : ViewStages(stagesOf(kinds, true), stagesOf(kinds, false)), kinds_(std::move(kinds)) {}

  void update(const Asking& asking) override {
    const std::size_t now = kindAt(asking.scene);
    if (now != shown_)
      kinds_[shown_]->leave();
    shown_ = now;
    kinds_[shown_]->update(asking);
  }
  void leave() override { kinds_[shown_]->leave(); }
  ShownState shown() const override { return kinds_[shown_]->shown(); }
  std::string title() const override { return kinds_[shown_]->title(); }

private:
  std::vector<std::unique_ptr<ViewStages>> kinds_;
  std::size_t shown_ = 0;
};

} // namespace

std::unique_ptr<ViewStages> attentionStages(Results& results) {
  return std::make_unique<AttentionStages>(stagesOfKinds(results));
}

AttentionView::AttentionView() {
  for (const PictureKind& kind : pictureKinds())
    panes_.push_back(kind.pane());
}

void AttentionView::draw(const ViewContext& context) {
  const auto& pane = panes_[kindAt(context.scene)];
  pane->follow(motion_);
  pane->draw(context);
  moves_ = pane->moves();
}

void AttentionView::leave() {
  for (const auto& pane : panes_)
    pane->leave();
}

float AttentionView::leastHeight(const ViewContext& context) const {
  return panes_[kindAt(context.scene)]->leastHeight(context);
}

} // namespace attention::gui
