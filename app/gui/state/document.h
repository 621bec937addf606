// The document: the Scene that is shown, the Scenes before and after it (undo and redo), the file
// that it was opened from or saved to, and whether it differs from that file.
#pragma once

#include "app/gui/interface/actions.h"
#include "core/scene/scene.h"

#include <filesystem>
#include <vector>

namespace attention::gui {

class Document {
public:
  explicit Document(Scene scene) : scene_(std::move(scene)), saved_(scene_) {}

  const Scene& scene() const { return scene_; }

  // One undo step, or part of the step of its open gesture. Returns whether anything changed.
  bool apply(const EditScene& edit);
  void endGesture() { gesture_.clear(); }
  // Part of the step that led here: a consequence of it.
  void amend(const std::function<void(Scene&)>& edit);
  // Not an undo step.
  void setCamera(const std::optional<Camera>& camera) { scene_.camera = camera; }
  bool setPins(const Pins& pins, const std::string& gesture = {}) {
    return apply({"pins", [&pins](Scene& s) { s.pins = pins; }, gesture});
  }

  // Replaces the whole Scene; the file and its saved state stay, and so do the Scene's words. A
  // Scene that begins something is always an undo step, so that undo can end there.
  void show(const Scene& scene, const std::string& label, bool begins = false);
  // Whether undo would go back past such a beginning.
  bool undoesBeginning() const { return canUndo() && before_.back().begins; }

  // Another Scene as an undo step called `label`; `file` is where it is stored, empty for none.
  void open(Scene scene, const std::string& label, std::filesystem::path file = {});
  // `scene` is what `file` holds now: later edits stay unsaved.
  void markSaved(Scene scene, std::filesystem::path file);

  bool canUndo() const { return !before_.empty(); }
  bool canRedo() const { return !after_.empty(); }
  // "stride": what undo would take back or redo would restore.
  std::string undoLabel() const { return canUndo() ? before_.back().label : std::string(); }
  std::string redoLabel() const { return canRedo() ? after_.back().label : std::string(); }
  void undo();
  void redo();

  const std::filesystem::path& file() const { return file_; }
  bool changed() const { return !sameDocument(scene_, saved_); }

private:
  struct Step {
    std::string label;
    Scene scene;
    std::filesystem::path file;
    bool whole = false; // the camera comes back too
    bool begins = false;
  };
  void remember(const std::string& label, bool whole);
  void swapWith(std::vector<Step>& from, std::vector<Step>& to);

  Scene scene_;
  Scene saved_;
  std::filesystem::path file_;
  std::string gesture_;
  std::vector<Step> before_;
  std::vector<Step> after_;
};

// The bundled samples: a decoder, SmolLM2 on 1024 tokens, and an encoder, MiniLM on 144 tokens.
InputSpec decoderSample();
InputSpec encoderSample();

// SmolLM2 with windows, sinks and strides, which the shipped results have too.
ModelSpec modelOfLecture();

// The scene of a first start, of screenshots and scripts: strided attention on the decoder.
Scene defaultScene();

} // namespace attention::gui
