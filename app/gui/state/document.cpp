#include "app/gui/state/document.h"

#include "core/pattern/mechanism/composed.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/mechanism/sinks.h"
#include "core/pattern/mechanism/strided.h"
#include "core/views/model/shipped_costs.h"
#include "core/views/scene_words.h"

namespace attention::gui {
namespace {

constexpr std::size_t kMostSteps = 500;

// Whether they differ only in their cameras, which make no undo step.
bool sameButCamera(const Scene& a, const Scene& b) {
  Scene moved = a;
  moved.camera = b.camera;
  return moved == b;
}

// A model that is the input stays the one of the Model view on its text, where it was that before.
void followModel(Scene& edited, const Scene& before) {
  auto* of = std::get_if<ModelInput>(&edited.input.source);
  if (!of || edited.model == before.model || *of != modelInput(before.model))
    return;
  if (edited.model.model != before.model.model)
    edited.input.batch = edited.input.head = 0;
  *of = modelInput(edited.model);
}

} // namespace

bool Document::apply(const EditScene& edit) {
  Scene edited = scene_;
  edit.edit(edited);
  followModel(edited, scene_);
  dropStaleWords(edited, scene_);
  if (edited == scene_)
    return false;
  const bool continues = !edit.gesture.empty() && edit.gesture == gesture_ && canUndo();
  if (!continues && !sameButCamera(edited, scene_))
    remember(edit.label, edited.camera != scene_.camera);
  gesture_ = edit.gesture;
  scene_ = std::move(edited);
  const auto cameBack = [&](const Step& step) { // to where the gesture began
    return step.whole ? scene_ == step.scene : sameButCamera(scene_, step.scene);
  };
  if (continues && cameBack(before_.back())) {
    before_.pop_back();
    gesture_.clear();
  }
  return true;
}

void Document::amend(const std::function<void(Scene&)>& edit) {
  Scene edited = scene_;
  edit(edited);
  followModel(edited, scene_);
  dropStaleWords(edited, scene_);
  scene_ = std::move(edited);
}

void Document::show(const Scene& scene, const std::string& label, bool begins) {
  gesture_.clear();
  if (begins || !sameButCamera(scene, scene_)) {
    remember(label, scene.camera != scene_.camera);
    before_.back().begins = begins;
  }
  scene_ = scene;
}

void Document::open(Scene scene, const std::string& label, std::filesystem::path file) {
  remember(label, true);
  gesture_.clear();
  scene_ = std::move(scene);
  saved_ = scene_;
  file_ = std::move(file);
}

void Document::markSaved(Scene scene, std::filesystem::path file) {
  saved_ = std::move(scene);
  file_ = std::move(file);
}

void Document::undo() {
  swapWith(before_, after_);
}

void Document::redo() {
  swapWith(after_, before_);
}

void Document::remember(const std::string& label, bool whole) {
  before_.push_back({label, scene_, file_, whole, false});
  if (before_.size() > kMostSteps)
    before_.erase(before_.begin());
  after_.clear();
}

// The current Scene goes to `to` under the step's label and the step's Scene becomes the current
// one; the camera stays, unless the step set it too (another Scene).
void Document::swapWith(std::vector<Step>& from, std::vector<Step>& to) {
  if (from.empty())
    return;
  gesture_.clear();
  Step step = std::move(from.back());
  from.pop_back();
  to.push_back({step.label, scene_, file_, step.whole, step.begins});
  if (!step.whole)
    step.scene.camera = scene_.camera;
  scene_ = std::move(step.scene);
  file_ = std::move(step.file);
}

InputSpec decoderSample() {
  InputSpec spec;
  spec.source = AssetInput{"smollm2_pride"};
  spec.batch = 4; // layer 17
  spec.head = 8;
  return spec;
}

InputSpec encoderSample() {
  InputSpec spec;
  spec.source = AssetInput{"minilm_alice"};
  spec.batch = 2;
  spec.head = 3;
  return spec;
}

ModelSpec modelOfLecture() {
  const auto everywhere = [](const char* name, const Pattern& pattern) {
    return ModelVariantSpec{name, {{"all", "all", pattern}}};
  };
  ModelSpec spec;
  spec.model = kShippedModel;
  spec.n = 1024;
  spec.variants = {
      everywhere("window 128", Local{128, true}), everywhere("sinks 4 + window 124", Sinks{4, 124}),
      everywhere("strided 32 + sinks 4",
                 Compose(Operation::Union, {Pattern(Strided{32}), Pattern(Sinks{4, 1})}))};
  return spec;
}

Scene defaultScene() {
  Scene scene;
  scene.model = modelOfLecture();
  scene.pattern = Strided{};
  scene.input = decoderSample();
  // A pinned cell shows at once what the inspector is for: 9 strides of √1024 lie between the two.
  scene.pins = {Index{800}, Index{512}};
  scene.reach.beside = {{"", Local{4, true}}}; // which takes more layers
  scene.choosing.circle.seed = 1; // near points meet in all three rounds, far ones in none
  return scene;
}

} // namespace attention::gui
