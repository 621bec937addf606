// What the Kernels view shows, by jobs: the curves of errors (which grow point by point), the
// matrices, the singular values; and the picture with its facts, made of those that it reads.
#pragma once

#include "app/gui/jobs/slot.h"
#include "app/gui/view/results.h"

namespace attention::gui {

struct KernelsKey {
  KernelsQuestion question;
  KernelsInput input; // where the question reads it
  bool operator==(const KernelsKey&) const = default;
};

struct KernelsShownKey {
  KernelsSpec spec;
  KernelsAnswer answer;
  bool operator==(const KernelsShownKey&) const = default;
};

// Whether the picture is of the loaded input.
bool readsInput(const KernelsSpec& spec);

// What the stages work with in a frame.
struct KernelsAsking {
  JobPool& pool;
  const Scene& scene;
  const Lengths& lengths; // current
  const Latest<Input>& input;
  Deadline patience;
};

class KernelsStages {
public:
  // Brings `results` up to the Scene.
  void update(const KernelsAsking& asking, KernelsResults& results);
  // Stops all jobs: what there is is older than the Scene.
  void haltAll(KernelsResults& results);
  // The same, for an input or lengths that are on their way.
  void waitForInput(KernelsResults& results);
  void drop();
  void retry();
  bool pending() const;

private:
  void dropUnread(KernelsPicture picture, KernelsResults& results);
  void askSweep(const KernelsAsking& asking, KernelsResults& results);
  void askMatrices(const KernelsAsking& asking, KernelsResults& results);
  void askSpectrum(const KernelsAsking& asking, KernelsResults& results);
  void show(const KernelsAsking& asking, KernelsResults& results);

  Slot<KernelsKey, KernelSweep> sweep_;
  Slot<KernelsKey, KernelMatrices> matrices_;
  Slot<KernelsKey, KernelSpectrum> spectrum_;
  Slot<KernelsShownKey, KernelsShown> shown_;
};

// The picture with its facts; the answer must be complete.
KernelsShown makeKernelsShown(const KernelsShownKey& key, const Run& run);

} // namespace attention::gui
