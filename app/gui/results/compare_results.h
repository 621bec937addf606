// What the Compare view shows beside its masks, by jobs.
#pragma once

#include "app/gui/jobs/slot.h"
#include "app/gui/view/results.h"

namespace attention::gui {

struct DifferenceKey {
  std::shared_ptr<const Masks> masks;
  Index first = 0; // of its tiles
  Index second = 1;
  bool operator==(const DifferenceKey&) const = default;
};
Difference makeDifference(const DifferenceKey& key, const Run& run);

struct ScoresKey {
  ScoresQuestion question;
  ScoresInput input;
  bool operator==(const ScoresKey&) const = default;
};
// Published line by line.
std::shared_ptr<const ScoresShown> makeScores(const ScoresKey& key, const Run& run,
                                              Parts<ScoresShown>& parts);

} // namespace attention::gui
