// What the Hashing view shows, by jobs: the tokens' groups, the curves of what is captured (which
// grow point by point), the circles, the sorting at the Scene's moment; and the picture with its
// facts, made of those that it reads.
#pragma once

#include "app/gui/jobs/slot.h"
#include "app/gui/view/results.h"

namespace attention::gui {

struct HashingKey {
  HashingQuestion question;
  HashingInput input; // where the pattern reads it
  bool operator==(const HashingKey&) const = default;
};

struct CapturedKey {
  HashingKey of;
  Index recallKeys = 0;
  Index most = 0;
  bool operator==(const CapturedKey&) const = default;
};

struct SortingKey {
  std::shared_ptr<const HashedTokens> tokens;
  Index round = 0;
  double moment = 1;
  std::vector<std::string> labels;
  bool operator==(const SortingKey&) const = default;
};

struct HashingShownKey {
  HashingSpec spec; // what the picture reads of it; the rest as it is by default
  HashingAnswer answer;
  bool operator==(const HashingShownKey&) const = default;
};

// What the stages work with in a frame.
struct HashingAsking {
  JobPool& pool;
  const Scene& scene;
  const Lengths& lengths; // current
  const Latest<Input>& input;
  Deadline patience;
};

class HashingStages {
public:
  // Brings `results` up to the Scene.
  void update(const HashingAsking& asking, HashingResults& results);
  // Stops all jobs: what there is is older than the Scene.
  void haltAll(HashingResults& results);
  // The same, for an input or lengths that are on their way.
  void waitForInput(HashingResults& results);
  void drop();
  void retry();
  bool pending() const;

private:
  void askCircle(const HashingAsking& asking, HashingResults& results);
  void askGroups(const HashingAsking& asking, HashingResults& results);
  void askTokens(const HashingAsking& asking, const HashingKey& key, HashingResults& results);
  void askCurves(const HashingAsking& asking, const HashingKey& key, HashingResults& results);
  void askSorting(const HashingAsking& asking, HashingResults& results);
  void show(const HashingAsking& asking, HashingResults& results);
  void dropUnread(HashingPicture picture, HashingResults& results);

  Slot<HashingKey, HashedTokens> tokens_;
  Slot<CapturedKey, CapturedCurves> curves_;
  Slot<std::shared_ptr<const CapturedCurves>, Plot> captured_;
  Slot<CircleSpec, CircleAnswer> circle_;
  Slot<SortingKey, SortingShown> sorting_;
  Slot<HashingShownKey, HashingShown> shown_;
};

// The picture with its facts; the answer must be complete.
HashingShown makeHashingShown(const HashingShownKey& key, const Run& run);

} // namespace attention::gui
