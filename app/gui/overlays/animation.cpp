#include "app/gui/files/exporting.h"
#include "app/gui/overlays/overlays.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/choices.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/fields.h"
#include "app/gui/widgets/sliders.h"
#include "app/gui/widgets/words.h"
#include "core/support/text.h"

#include <algorithm>

namespace attention::gui {
namespace {

constexpr float kNames = 130; // points for the names on the left, at scale 1, like what follows
constexpr float kButtons = 44;
constexpr float kLeastPreview = 80;
constexpr double kQuickest = 0.1; // seconds of a frame in the preview

bool chooseWhat(const Ui& ui, AnimationState& state) {
  std::vector<ChoiceItem> items;
  for (const std::string& name : state.names)
    items.push_back({name, "", true});
  ChoiceSpec spec;
  spec.labelWidth = ui.px(kNames);
  spec.tooltip =
      "What changes from frame to frame: what the view plays, or a parameter of the pattern";
  if (!combo(ui, "what moves", state.of, items, spec))
    return false;
  state.from.clear();
  state.to.clear();
  state.step.clear();
  return true;
}

bool typeNumber(const Ui& ui, const char* label, std::string& text, const char* words) {
  FieldSpec field;
  field.labelWidth = ui.px(kNames);
  field.hint = "automatic";
  field.tooltip = words;
  return inputText(ui, label, text, field).changed;
}

void chooseForm(const Ui& ui, AnimationState& state) {
  std::vector<ChoiceItem> items;
  for (const AnimationKind& kind : kAnimationKinds) {
    const bool there = !kind.ffmpeg || state.ffmpeg;
    items.push_back(
        {kind.label, there ? kind.tooltip : "Needs ffmpeg, which was not found", there});
  }
  ChoiceSpec spec;
  spec.labelWidth = ui.px(kNames);
  spec.tooltip = "What is written";
  choice(ui, "written as", state.form, items, spec);
}

// The next frame once the last one is drawn and has stayed for its time.
void playPreview(AnimationState& state, bool drawn) {
  const auto stays = static_cast<float>(std::max(state.seconds, kQuickest));
  state.since += drawn ? ImGui::GetIO().DeltaTime : 0;
  if (state.since < stays)
    return;
  state.since = 0;
  state.previewed = (state.previewed + 1) % state.frames->scenes.size();
}

// The frames one after the other, as they will be written, above `below` points for what follows.
void drawPreview(AnimationState& state, const PanelContext& c, float below) {
  const Ui& ui = c.ui;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = availableWidth();
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const float height = ImGui::GetContentRegionAvail().y - below - line;
  if (!state.frames || height < ui.px(kLeastPreview))
    return;
  const Frames& frames = *state.frames;
  c.figureThumbnails.draw(ui, {"animation", {}, {}, frames.scenes[state.previewed]},
                          {at.x, at.y, at.x + width, at.y + height});
  ImGui::Dummy(ImVec2(width, height));
  caption(ui, frames.of + " = " + shortest(frames.values[state.previewed]) + ", frame " +
                  std::to_string(state.previewed + 1) + " of " +
                  std::to_string(frames.scenes.size()));
  playPreview(state, !c.figureThumbnails.pending());
}

} // namespace

OverlayStep drawAnimation(AnimationState& state, const PanelContext& c, bool& write) {
  const Ui& ui = c.ui;
  sectionHeading(ui, "Export an animation");
  space(ui, 4);
  bool changed = chooseWhat(ui, state);
  changed = typeNumber(ui, "from", state.from, "Its value in the first frame") || changed;
  changed = typeNumber(ui, "to", state.to, "Its value in the last frame") || changed;
  changed = typeNumber(ui, "step", state.step,
                       "The difference between two frames; automatic makes at most 60 frames") ||
            changed;
  if (changed || !state.checked)
    checkAnimation(state, c.scene, c.results.lengths.keys);
  space(ui, 4);
  SliderSpec seconds;
  seconds.tooltip = "How long a frame stays; the last one stays 1.5 s longer";
  seconds.unit = " s";
  seconds.logarithmic = true;
  sliderReal(ui, "seconds per frame", state.seconds, 0.02, 5, seconds);
  chooseForm(ui, state);
  space(ui, 6);
  if (state.problem.empty())
    words(ui, state.made);
  else
    note(ui, NoteKind::Error, state.problem);
  space(ui, 6);
  drawPreview(state, c, ui.px(kButtons));
  write = button(ui, "Choose a file…",
                 {"Where to write it; the status bar shows the progress, Esc stops it",
                  state.problem.empty()});
  ImGui::SameLine();
  return button(ui, "Cancel", {"Back to the view (Esc)"}) ? OverlayStep::Close : OverlayStep::Stay;
}

} // namespace attention::gui
