// From the Scene to Results: each stage is a slot that asks for its key once per frame and runs as
// a job where its key changed. The stages in order: input, masks, counts, attention, metrics, cell,
// tokens; where the Reach view is shown, the layers, the chosen token and the matrix of hops.
#pragma once

#include "app/gui/jobs/slot.h"
#include "app/gui/results/attention_results.h"
#include "app/gui/results/compare_results.h"
#include "app/gui/results/hashing_results.h"
#include "app/gui/results/kernels_results.h"
#include "app/gui/results/reach_results.h"
#include "app/gui/results/result_keys.h"
#include "app/gui/results/timing_results.h"
#include "app/gui/results/token_counts.h"
#include "app/gui/view/actions.h"

namespace attention::gui {

class ResultEngine {
public:
  ResultEngine(JobPool& pool, AssetPath assetPath)
      : pool_(pool), assetPath_(std::move(assetPath)) {}

  // Brings the results up to `scene`; jobs that are quick are waited for until `patience`.
  const Results& update(const Scene& scene, const Hover& hover, Deadline patience);
  const Results& results() const { return results_; }

  // Frames of the window are kept apart from samples of time; without it they are not.
  void measureBeside(std::shared_ptr<FrameGate> gate) { gate_ = std::move(gate); }
  // Takes all samples of time again.
  void measureAgain() { ++round_; }

  // Reads every file again and computes what is made of them; the Scene is the same.
  void reload();
  // Computes again what was stopped, and reads the input again where it could not be read.
  void retry();
  bool pending() const;

private:
  void updateInput(const InputSpec& spec, Deadline patience);
  bool updateLengths(const LengthSpec& spec);
  void updateMasks(const Scene& scene, Deadline patience);
  // Of what is made of masks, which are not those of the Scene (yet).
  void takeEndedOfMasks();
  void updateCounts(Deadline patience);
  void updateAttention(const Scene& scene, Deadline patience);
  void updateCell(const Scene& scene, const Hover& hover);
  void updateReach(const Scene& scene, bool lengthsKnown, Deadline patience);
  void stopReachParts();
  void updateReachParts(const Scene& scene, Deadline patience);
  void updateAttentionView(const Scene& scene, const Hover& hover, bool lengthsKnown,
                           Deadline patience);
  void updateKernels(const Scene& scene, bool lengthsKnown, Deadline patience);
  void updateHashing(const Scene& scene, bool lengthsKnown, Deadline patience);
  void updateTimings(const Scene& scene, Deadline patience);
  void updateEncodings(const Scene& scene, Deadline patience);
  void hideCompare();
  void updateCompare(const Scene& scene, bool lengthsKnown, Deadline patience);
  void updateTokens(const Pins& pins, const Hover& hover, Deadline patience);

  JobPool& pool_;
  AssetPath assetPath_;
  Results results_;
  Slot<InputSpec, Input> input_;
  Slot<MasksKey, Masks> masks_;
  Slot<CountsKey, MaskCounts> counts_;
  Slot<AttentionKey, HeadAttention> attention_;
  Slot<MetricsKey, HeadMetrics> metrics_;
  Slot<TokensKey, TokenCounts> tokens_;
  Slot<ReachKey, ReachLayers> reach_;
  Slot<ReachTokenKey, ReachToken> reachToken_;
  Slot<ReachHopsKey, Plot> reachHops_;
  AttentionStages attentionView_;
  KernelsStages kernels_;
  HashingStages hashing_;
  Slot<TimingKey, TimingsShown> timings_;
  Slot<EncodingsSpec, EncodingsShown> encodings_;
  Slot<DifferenceKey, Difference> difference_;
  Slot<ScoresKey, ScoresShown> scores_;
  std::shared_ptr<FrameGate> gate_;
  Index round_ = 0;
};

} // namespace attention::gui
