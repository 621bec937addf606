// From the Scene to Results: each stage is asked once per frame and runs as a job when what it
// reads has changed. The stages of all views in order: input, masks, counts, attention, metrics,
// cell, tokens; then those of the view that is shown.
#pragma once

#include "app/gui/files/read_input.h"
#include "app/gui/results/make_results.h"
#include "app/gui/results/view_stages.h"

#include <array>

namespace attention::gui {

class ResultEngine {
public:
  ResultEngine(JobPool& pool, AssetPath assetPath);
  ResultEngine(const ResultEngine&) = delete;
  ~ResultEngine();

  // The user has changed the Scene. Ask in every frame, before the results, for what the view then
  // changes in it by itself: empty if there is nothing (yet).
  void edited();
  EditOfScene amendment(const Scene& scene, Deadline patience);

  // Brings the results up to `scene`; quick jobs are waited for until `patience`.
  const Results& update(const Scene& scene, const Hover& hover, Deadline patience);
  const Results& results() const { return results_; }

  // Keeps frames of the window apart from timing samples; without it they may overlap.
  void measureBeside(std::shared_ptr<FrameGate> gate) { gate_ = std::move(gate); }
  // Takes all timing samples again.
  void measureAgain();

  // An input that has already been read: shown as read where the Scene names it.
  void take(ReadInput read) { read_ = std::move(read); }
  // Reads every file again and recomputes what is made from them; the Scene stays the same.
  void reload();
  // Computes again what was stopped, and reads the input again where it could not be read.
  void retry();
  bool pending() const;

private:
  void updateInput(const Asking& asking);
  bool updateLengths(const LengthSpec& spec);
  void updateMasks(const Asking& asking);
  // For what is made from masks that are not those of the Scene (yet).
  void takeEndedOfMasks();
  void updateCounts(const Asking& asking);
  void updateAttention(const Asking& asking);
  void updateCell(const Asking& asking);
  void updateTokens(const Asking& asking);
  void tellShown();
  template <class Each>
  void forEachStage(const Each& each) const;

  JobPool& pool_;
  AssetPath assetPath_;
  Results results_;
  ReadInput read_;                    // until it is shown
  std::optional<InputSpec> lastRead_; // of the input that is held
  StageOf<Input, InputSpec> input_{results_.input};
  StageOf<Masks, Scene, Lengths, ModelHead> masks_{results_.masks};
  StageOf<MaskCounts, Latest<Masks>, Index, Index> counts_{results_.counts};
  StageOf<HeadAttention, Latest<Masks>, ModelHead, Index> attention_{results_.attention};
  StageOf<HeadMetrics, Latest<HeadAttention>> metrics_{results_.metrics};
  StageOf<TokenCounts, Latest<Masks>, std::optional<Index>, std::optional<Index>> tokens_{
      results_.tokens};
  std::array<AnyStage*, 6> shared_{&input_, &masks_, &counts_, &attention_, &metrics_, &tokens_};
  std::array<std::unique_ptr<ViewStages>, kViewNames.size()> views_; // in the order of View
  std::size_t view_ = 0;
  bool lengthsLag_ = false; // behind those that the view has found out
  std::shared_ptr<FrameGate> gate_;
};

} // namespace attention::gui
