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

// The pane of the kind that is shown.
class AttentionPane final : public ViewPane {
public:
  AttentionPane() {
    for (const PictureKind& kind : pictureKinds())
      panes_.push_back(kind.pane());
  }

  void draw(const ViewContext& context) override {
    ViewPane& pane = *panes_[kindAt(context.scene)];
    pane.follow(motion_);
    pane.draw(context);
    moves_ = pane.moves();
  }
  void follow(const ViewMotion& motion) override { motion_ = motion; }
  bool moves() const override { return moves_; }
  float leastHeight(const ViewContext& context) const override {
    return panes_[kindAt(context.scene)]->leastHeight(context);
  }

private:
  std::vector<std::unique_ptr<ViewPane>> panes_; // of each kind of picture
  ViewMotion motion_;
  bool moves_ = false;
};

} // namespace

std::unique_ptr<ViewStages> attentionStages(Results& results) {
  return std::make_unique<AttentionStages>(stagesOfKinds(results));
}

std::unique_ptr<ViewPane> attentionPane(const std::filesystem::path& /*shaders*/) {
  return std::make_unique<AttentionPane>();
}

} // namespace attention::gui
