#include "app/gui/views/encodings/encodings_view.h"

#include "app/gui/results/view_stages.h"

namespace attention::gui {
namespace {

EncodingsShown makeEncodings(const EncodingsSpec& spec, const Run& run) {
  EncodingsShown shown{encodingsAnswer(spec, run), {}};
  shown.plots = encodingsPlots(shown.answer);
  return shown;
}

class EncodingsStages final : public ViewStages {
public:
  explicit EncodingsStages(Results& all)
      : ViewStages({&tables_}), shown_(all.part<EncodingsResults>().shown) {}

  void update(const Asking& asking) override {
    EncodingsSpec key = asking.scene.encodings;
    key.position = 0; // marked by the view, in the same picture
    tables_.ask(asking, "making the encoding", makeEncodings, key);
  }
  void leave() override { tables_.stop(); }
  void reload() override {} // of no file
  ShownState shown() const override { return stateOf(shown_); }
  std::string title() const override {
    return shown_ ? encodingsTitle(shown_->answer) : std::string();
  }

private:
  Latest<EncodingsShown>& shown_;
  StageOf<EncodingsShown, EncodingsSpec> tables_{shown_};
};

} // namespace

std::unique_ptr<ViewStages> encodingsStages(Results& results) {
  return std::make_unique<EncodingsStages>(results);
}

} // namespace attention::gui
