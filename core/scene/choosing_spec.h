// What the Choosing view of a Scene shows: blocks or keys with their scores and what was chosen by
// them; a cache step by step; what is kept of attention against the budget; tokens sorted into the
// groups that the Scene's pattern finds in its input (hash buckets, clusters, centroids), what the
// groups keep of attention, and angular hashing in the plane, which needs neither pattern nor
// input.
#pragma once

#include "core/analysis/angular_hash.h"
#include "core/scene/settings.h"

namespace attention {

enum class ChoosingPicture {
  Sorting,  // tokens move from their place to that in the order of groups; chunks and look-back
  Matrices, // the mask in the original and in the sorted order
  Captured, // what is kept of attention, against rounds or clusters
  Circle,   // points on a circle, cut into sectors at random
  Scores,   // scores of blocks or keys, what was chosen by them, and the mask
  Cache,    // which keys a cache holds at every step
  Budget    // what is kept of attention, against the budget of a choice or a cache
};

// What the cells of a matrix are coloured by: the query's group, or the first round that shows
// them.
enum class GroupColors { Groups, Rounds };

// Two pairs of points (Kitaev et al. 2020, figure 1): one far apart, one near.
struct CircleSpec {
  AngularDraw draw = AngularDraw::Rotation;
  Index buckets = 4; // of Gaussian matrices; rotations have 4
  Index rounds = 3;
  Index seed = 0;
  Index redraws = 0; // each has the next seed
  double far = 100;  // degrees between the points of a pair
  double near = 20;
  bool operator==(const CircleSpec&) const = default;
};

struct ChoosingSpec {
  ChoosingPicture picture = ChoosingPicture::Sorting;
  Index round = 0;    // that tokens are sorted by; the last one where there are fewer
  double moment = 1;  // of the sorting: 0 the original order, 1 sorted; a play
  bool joined = true; // cells of all rounds, else only of `round`
  GroupColors colors = GroupColors::Groups;
  Index recallKeys = 10; // how many of each query's largest weights count for recall
  Index most = 8;        // rounds that the curves go to
  CircleSpec circle;
  bool operator==(const ChoosingSpec&) const = default;
};

constexpr Index kMostRoundsSwept = 32; // that curves go to
constexpr Index kMostCircles = 6;      // rounds of angular hashing that are drawn

const Settings<CircleSpec>& circleSettings();
const Settings<ChoosingSpec>& choosingSettings();

} // namespace attention
