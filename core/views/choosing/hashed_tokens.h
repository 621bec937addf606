// What the Choosing view of a Scene shows, computed: the tokens' groups from the prepared pattern
// (token_groups.h), what the pattern keeps of attention as rounds or clusters increase, and angular
// hashing in the plane. The window draws it and files are made of it.
#pragma once

#include "core/analysis/metrics.h"
#include "core/input/input.h"
#include "core/pattern/pattern.h"
#include "core/scene/choosing_picture.h"
#include "core/scene/input_data.h"
#include "core/scene/scene.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace attention {

constexpr Index kMostHashedTokens = 1024; // n in this view: a matrix has a number per cell
constexpr Index kMostGroupsSwept = 64;    // clusters that curves go to

// Whether another seed may give other groups: not with given labels, centroids or rotations.
bool groupsBySeed(const Pattern& pattern);

struct ChoosingQuestion {
  Pattern pattern;
  Index n = 0;
  bool operator==(const ChoosingQuestion&) const = default;
};
// E_UNSUPPORTED: a pattern that groups no tokens, or is not square; E_RANGE: n, or a field of the
// Scene's ChoosingSpec.
ChoosingQuestion groupsQuestion(const Scene& scene, const Lengths& lengths);

// The pattern prepared for the input, and what its rounds show.
struct HashedTokens {
  Pattern pattern;
  std::shared_ptr<const Prepared> prepared; // prepared->groups() is not null
  PatternData data;
  Base base = Base::Full; // that the pattern is measured against, by its `causal`
  Base fitting =
      Base::Causal; // causal for a causal pattern, else full: its pairs are a share of it
  Index pairs = 0;
  std::vector<Index> partPairs; // of each round, cluster or centroid

  const TokenGroups& groups() const { return *prepared->groups(); }
  Index n() const { return prepared->lengths().keys; }
  std::size_t round(const ChoosingSpec& spec) const; // current
  // "bucket", "cluster", "centroid".
  std::string groupName() const;
  bool hasBuckets() const { return groups().kind == GroupKind::Buckets; }
  // Whether cells have the colours of rounds, not of groups.
  bool byRounds(const ChoosingSpec& spec) const;
  // Whether a sorted matrix shows the borders of chunks: not if there are many.
  bool showsChunks() const;
};
// Throws as prepare and inputData do.
HashedTokens hashedTokens(const ChoosingQuestion& question, const ModelHead& input,
                          const Run& run = {});

// Against the number of rounds (lsh), of clusters or of centroids.
struct CapturedPoint {
  Index count = 0;
  double mass = 0;   // of the base that falls on attended keys, mean over the queries
  double recall = 0; // of the largest weights
  Index pairs = 0;
  double share = 0;  // of the pairs of the base
  double random = 0; // mean mass of as many keys per query, chosen at random; only of other keys
                     // where the pattern leaves the query's own out
};
struct CapturedCurves {
  GroupKind kind = GroupKind::Buckets;
  Base base = Base::Full;
  Index n = 0;
  Index recallKeys = 0;
  bool others = false; // recall and random count only the other keys (leavesOwnKeyOut)
  double ownMass = 0;  // if so: mass of the base on the queries' own keys, mean over the queries
  Index current = 0;   // the Scene's own number
  std::vector<Index> counts; // that are requested, ascending; as many points as are ready
  std::vector<CapturedPoint> points;

  const CapturedPoint* at(Index count) const; // null if it is not ready
};
// Rounds 1 … most and the Scene's; with one seed, fewer rounds are the first of many; with given
// rotations, as many rounds as given. Clusters 1, 2, 4 … 64 and the Scene's; a single point where
// labels or centroids are given. All counts are measured against one base, by `causal`. Errors of
// the input as hashedTokens; E_UNSUPPORTED without queries and keys. O(n² d + points · pairs · d).
// `onPart` is called with each point.
CapturedCurves capturedCurves(const ChoosingQuestion& question, const ChoosingSpec& spec,
                              const ModelHead& input,
                              const std::function<void(const CapturedCurves&)>& onPart = {},
                              const Run& run = {});

// Two pairs of points hashed in the plane.
struct CirclePair {
  std::string name;   // "far", "near"
  double degrees = 0; // between the two points
  double first = 0;   // angles, radians
  double second = 0;
};
struct CircleAnswer {
  CircleSpec spec;
  std::vector<CirclePair> pairs;
  std::vector<AngularRound> rounds; // bucket: of first and second of each pair in turn
  std::vector<SameBucket> shares;   // counted over many rounds

  bool same(std::size_t pair, std::size_t round) const;
  // Of rounds in which a pair shares a bucket: expected, or of Gaussian matrices, which have no
  // closed form, counted at the nearest angle.
  double shareOf(std::size_t pair) const;
};
// E_RANGE names the field.
CircleAnswer circleAnswer(const CircleSpec& spec, const Run& run = {});

// The moments at which one more group has arrived: 0, 1/G … 1. Tokens of several centroids arrive
// with the first of them, those of none last.
std::vector<double> sortingSteps(const TokenGroups& groups, std::size_t round);

// ---- what the view draws ----

// Whether the picture is one of a choice or a cache (core/views/choosing), not of groups.
bool isChoice(ChoosingPicture picture);
// Whether the Scene's pattern has something to show in the Scene's picture: the circle reads none.
bool hasGroups(const Scene& scene);

} // namespace attention
