#include "core/scene/choosing_spec.h"

#include "core/scene/settings_builder.h"

namespace attention {
namespace {

constexpr Index kMostRecallKeys = 1024;
constexpr Index kMostCircleRedraws = Index{1} << 30;

Bounds degrees(const CircleSpec&, Index) {
  return {0, 180, "an angle from 0 to 180 degrees"};
}

} // namespace

const Settings<CircleSpec>& circleSettings() {
  using S = CircleSpec;
  static const Settings<S> kAll =
      SettingsBuilder<S>()
          .choice("draw", &S::draw, "",
                  {{AngularDraw::Rotation, "rotation", "rotations",
                    "Turn the plane by a random angle; the buckets are four quarters"},
                   {AngularDraw::Gaussian, "gaussian", "Gaussian",
                    "Draw a matrix from N(0, 1), as the code does; sectors have any width"}})
          .label("drawn")
          .integer("n_buckets", "", &S::buckets,
                   "Columns of the matrix and their negatives: each is a bucket", "",
                   [](const S&, Index) {
                     return Bounds{
                         2, kMostAngularBuckets,
                         "an even integer from 2 to " + std::to_string(kMostAngularBuckets), 2};
                   })
          .label("buckets")
          .visibleIf([](const S& of) { return of.draw == AngularDraw::Gaussian; })
          .integer("n_rounds", "", &S::rounds, "How often the points are hashed, R", "",
                   between(1, kMostCircles))
          .label("rounds")
          .integer("seed", "", &S::seed, "Seed of the rotations or matrices", "",
                   between(0, kMostSeed))
          .label("circle seed")
          .handy(100)
          .integer("redraws", "", &S::redraws, "How often they were drawn again", "",
                   between(0, kMostCircleRedraws))
          .real("far", "", &S::far, "The angle between the two points of the upper row", degrees)
          .label("far points")
          .unit("°")
          .real("near", "", &S::near, "The angle between the two points of the lower row", degrees)
          .label("near points")
          .unit("°")
          .build();
  return kAll;
}

const Settings<ChoosingSpec>& choosingSettings() {
  using S = ChoosingSpec;
  static const Settings<S> kAll =
      SettingsBuilder<S>()
          .choice("picture", &S::picture, "What is shown of the choice or the groups",
                  {{ChoosingPicture::Sorting, "sorting", "", "Tokens move to their groups"},
                   {ChoosingPicture::Matrices, "matrices", "", "The mask before and after"},
                   {ChoosingPicture::Captured, "captured", "", "What the groups keep of attention"},
                   {ChoosingPicture::Circle, "circle", "", "Angular hashing in the plane"},
                   {ChoosingPicture::Scores, "scores", "", "Scores, and what was chosen by them"},
                   {ChoosingPicture::Cache, "cache", "", "What a cache holds at every step"},
                   {ChoosingPicture::Budget, "budget", "", "What is kept, against the budget"}})
          .integer("round", "r", &S::round, "The round that tokens are sorted by", "", atLeast(0))
          .real("moment", "", &S::moment, "Of the sorting: 0 before it, 1 after it", between(0, 1))
          .boolean("joined", &S::joined, "")
          .label("cells")
          .states({"one round", "one round", "Only what the round above shows"},
                  {"all rounds", "all rounds", "The union of all rounds"})
          .choice(
              "colors", &S::colors, "",
              {{GroupColors::Groups, "groups", "bucket", "The query's bucket in the round above"},
               {GroupColors::Rounds, "rounds", "round", "The first round that shows the cell"}})
          .label("coloured by")
          .integer("recall_keys", "", &S::recallKeys,
                   "How many of each query's largest weights count for recall", "",
                   between(1, kMostRecallKeys))
          .label("recall of")
          .handy(64)
          .integer("most_rounds", "", &S::most,
                   "The curves go up to this many hash rounds; a point at fewer rounds uses the "
                   "first of them",
                   "", between(1, kMostRoundsSwept))
          .label("rounds up to")
          .build();
  return kAll;
}

} // namespace attention
