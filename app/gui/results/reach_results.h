// What the Reach view shows, by jobs: the layers of the Scene, the chosen token among them, and the
// matrix of hops under the camera.
#pragma once

#include "app/gui/jobs/slot.h"
#include "app/gui/view/results.h"

namespace attention::gui {

struct ReachKey {
  ReachQuestion question;
  // Where a pattern depends on the data: the input and the model head; else none.
  std::shared_ptr<const Input> input = {};
  Index batch = 0;
  Index head = 0;
  bool operator==(const ReachKey&) const = default;
};
// Of the Scene's Reach view; its errors are those of reachQuestion.
ReachKey reachKey(const Scene& scene, const Lengths& lengths,
                  const std::shared_ptr<const Input>& input);

struct ReachTokenKey {
  std::shared_ptr<const ReachLayers> layers;
  Pins pins;
  std::optional<Index> shown;
  std::vector<std::string> labels; // of the tokens, where a graph has room for them
  bool operator==(const ReachTokenKey&) const = default;
};

struct ReachHopsKey {
  std::shared_ptr<const ReachLayers> layers; // with hops
  attention::Rect cells;                     // that the camera shows
  bool operator==(const ReachHopsKey&) const = default;
};

// The growth is published curve by curve.
std::shared_ptr<const ReachLayers> makeReachLayers(const ReachKey& key, const Run& run,
                                                   Parts<ReachLayers>& parts);
ReachToken makeReachToken(const ReachTokenKey& key, const Run& run);
Plot makeReachHops(const ReachHopsKey& key, const Run& run);

} // namespace attention::gui
