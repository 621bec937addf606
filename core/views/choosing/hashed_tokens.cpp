#include "core/views/choosing/hashed_tokens.h"

#include "core/analysis/score/recall.h"
#include "core/pattern/mechanism/all.h"
#include "core/pattern/mechanism/cluster.h"
#include "core/pattern/mechanism/lsh.h"
#include "core/pattern/mechanism/routing.h"
#include "core/scene/input_data.h"
#include "core/scene/own_mask.h"
#include "core/scene/pattern_files.h"
#include "core/support/error.h"
#include "core/support/part_of_run.h"
#include "core/support/text.h"
#include "core/views/choosing/chosen_keys.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <numbers>
#include <numeric>
#include <set>

namespace attention {
namespace {

constexpr Index kCountedRounds = 512; // over which shares of equal buckets are counted
constexpr double kFarFrom = 0.35;     // radians: where the pairs begin on the circle
constexpr double kNearFrom = 0.95;

PatternData dataOf(const ChoosingQuestion& question, const ModelHead& of, const Run& run) {
  if (!of.input)
    return {};
  return inputData(*of.input, of.batch, of.head, question.n, run);
}

Pattern withCount(const Pattern& pattern, Index count) {
  Pattern changed = pattern;
  if (auto* lsh = changed.as<Lsh>()) {
    lsh->rounds = count;
    if (lsh->rotations) { // the first ones
      const IndexList& shape = lsh->rotations->shape;
      const auto& values = lsh->rotations->values.get();
      const auto end = values.begin() + count * shape[1] * shape[2];
      lsh->rotations =
          MatrixSource{"", {count, shape[1], shape[2]}, SharedList<double>({values.begin(), end})};
    }
  }
  if (auto* cluster = changed.as<Cluster>())
    cluster->k = count;
  if (auto* routing = changed.as<Routing>())
    routing->k = count;
  return changed;
}

Index currentCount(const Pattern& pattern, const TokenGroups& groups) {
  const auto* lsh = pattern.as<Lsh>();
  return lsh ? lsh->rounds : groups.count;
}

// Decided by its parameter, for all counts of the curves alike: whether the current pattern happens
// to look ahead says nothing about the others.
bool isCausal(const Pattern& pattern) {
  return std::visit(
      [](const auto& of) {
        if constexpr (requires {
                        { of.causal } -> std::same_as<const bool&>;
                      })
          return of.causal;
        else
          return false;
      },
      pattern.mechanism());
}

// Whether the number of clusters is free to choose.
bool isFree(const Pattern& pattern) {
  if (const auto* cluster = pattern.as<Cluster>())
    return !cluster->labels && !cluster->centroids;
  const auto* routing = pattern.as<Routing>();
  return !routing || !routing->centroids;
}

std::vector<Index> countsOf(const Pattern& pattern, Index current, const ChoosingSpec& spec,
                            Index n) {
  std::vector<Index> counts;
  if (const auto* lsh = pattern.as<Lsh>()) {
    const Index most = lsh->rotations ? current : spec.most;
    for (Index rounds = 1; rounds <= most; ++rounds)
      counts.push_back(rounds);
  } else if (isFree(pattern)) {
    for (Index k = 1; k <= std::min(n, kMostGroupsSwept); k *= 2)
      counts.push_back(k);
  }
  counts.push_back(current);
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

// What every point of the curves is measured with.
struct Measure {
  PatternData data;
  AttendOptions how;
  std::vector<double> baseLse;
  std::shared_ptr<const Prepared> largest;
  std::shared_ptr<const Prepared> base;
  double basePairs = 0;
  std::vector<double> ownMass; // of each query; empty if its own key counts like any other
};

Measure measureOf(const HashedTokens& hashed, const ChoosingSpec& spec, const ModelHead& input,
                  const Run& run) {
  if (!hashed.data)
    throw Error(ErrorCode::Unsupported, "input",
                "captured mass needs queries and keys; open an input with both");
  Measure with{
      hashed.data, withoutSink(attendOptions(*input.input, input.head, run.threads)), {}, {}, {}, 0,
      {}};
  with.base = baseOf(hashed.base, *hashed.prepared);
  const auto& base = with.base;
  with.baseLse = logSumExp<double>(*base, with.data.q->view(), with.data.k->view(), with.how,
                                   partOf(run, 0, 0.6));
  with.basePairs = static_cast<double>(base->pairs());
  const KeyRule& keys = hashed.prepared->outputs().keys;
  const PatternData of = keys.fromQueries ? PatternData{with.data.q, with.data.q} : with.data;
  with.largest = largestKeys(of, keys, hashed.base, spec.recallKeys,
                             {scoringOf(with.how, with.data.q->cols(), hashed.prepared->lengths()),
                              leavesOwnKeyOut(hashed.pattern)},
                             partOf(run, 0.6, 1));
  if (leavesOwnKeyOut(hashed.pattern)) {
    const auto own = prepare(SlidingWindow{0, 0}, base->lengths())->asUnion(keys);
    with.ownMass =
        capturedMass<double>(logSumExp<double>(*own, with.data.q->view(), with.data.k->view(),
                                               with.how, run.quiet()),
                             with.baseLse)
            .rows;
  }
  return with;
}

// What the same number of keys per query, drawn from the allowed ones, would capture: those of the
// base, without the query's own where the pattern leaves it out and there are others.
double randomMass(const Prepared& prepared, const Measure& with) {
  const Index n = prepared.lengths().keys;
  double sum = 0;
  for (Index i = 0; i < n; ++i) {
    const double own = with.ownMass.empty() ? 0 : with.ownMass[static_cast<std::size_t>(i)];
    const bool seesOwn = !with.ownMass.empty() && prepared.contains(i, i);
    const Index keys = prepared.rowCount(i, 0, n) - (seesOwn ? 1 : 0);
    const Index of = with.base->rowCount(i, 0, n) - (with.ownMass.empty() ? 0 : 1);
    sum += (seesOwn ? own : 0) +
           (of > 0 ? (1 - own) * static_cast<double>(keys) / static_cast<double>(of) : 0);
  }
  return sum / static_cast<double>(n);
}

CapturedPoint pointOf(const std::shared_ptr<const Prepared>& prepared, Index count,
                      const Base& base, const Measure& with, const Run& run) {
  CapturedPoint point;
  point.count = count;
  const auto inBase = base == Base::Full ? prepared
                                         : compose(Operation::Intersection, {prepared, with.base},
                                                   {"pattern", "base"});
  const auto united = inBase->asUnion(prepared->outputs().keys);
  const auto lse =
      logSumExp<double>(*united, with.data.q->view(), with.data.k->view(), with.how, run.quiet());
  point.mass = capturedMass<double>(lse, with.baseLse).mean;
  point.recall = recallOf(*prepared, *with.largest, run.threads, run.quiet());
  point.pairs = inBase->pairs(run.quiet(), run.threads);
  point.share = static_cast<double>(point.pairs) / with.basePairs;
  point.random = randomMass(*inBase, with);
  return point;
}

} // namespace

bool groupsBySeed(const Pattern& pattern) {
  const auto* lsh = pattern.as<Lsh>();
  return lsh ? !lsh->rotations : groupsTokens(pattern) && isFree(pattern);
}

ChoosingQuestion groupsQuestion(const Scene& scene, const Lengths& lengths) {
  checkSettings(choosingSettings(), scene.choosing);
  if (!groupsTokens(scene.pattern))
    throw Error(ErrorCode::Unsupported, "pattern",
                description(scene.pattern).name +
                    " does not group tokens; choose lsh, cluster or routing");
  if (lengths.keys < 1 || lengths.keys > kMostHashedTokens)
    throwRange("n", std::to_string(lengths.keys),
               "1 to " + std::to_string(kMostHashedTokens) + " tokens in this view");
  if (!lengths.square())
    throw Error(ErrorCode::Unsupported, "queries",
                "each token is sorted as a query and a key at once; the mask must be square");
  return {scene.pattern, lengths.keys};
}

std::size_t HashedTokens::round(const ChoosingSpec& spec) const {
  return std::min(static_cast<std::size_t>(std::max<Index>(spec.round, 0)),
                  groups().rounds.size() - 1);
}

bool HashedTokens::byRounds(const ChoosingSpec& spec) const {
  return spec.colors == GroupColors::Rounds && hasBuckets();
}

bool HashedTokens::showsChunks() const {
  constexpr Index kMostChunks = 64;
  const Index chunks = groups().chunks();
  return chunks > 1 && chunks <= kMostChunks;
}

std::string HashedTokens::groupName() const {
  switch (groups().kind) {
  case GroupKind::Buckets:
    return "bucket";
  case GroupKind::Clusters:
    return "cluster";
  case GroupKind::Routes:
    break;
  }
  return "centroid";
}

HashedTokens hashedTokens(const ChoosingQuestion& question, const ModelHead& input,
                          const Run& run) {
  HashedTokens hashed;
  hashed.pattern = resolveFiles(question.pattern, {}, run.quiet());
  hashed.data = dataOf(question, input, run.quiet());
  const Lengths lengths = squareLengths(question.n);
  hashed.prepared = prepare(hashed.pattern, lengths, hashed.data, partOf(run, 0, 0.8));
  hashed.fitting = isCausal(hashed.pattern) ? Base::Causal : Base::Full;
  hashed.base =
      input.input
          ? ownBase(*input.input, input.batch, lengths, 0, run.quiet()).value_or(hashed.fitting)
          : hashed.fitting;
  hashed.pairs = hashed.prepared->pairs(run.quiet(), run.threads);
  for (std::size_t part = 0; part < hashed.prepared->parts().size(); ++part)
    hashed.partPairs.push_back(
        hashed.prepared->count(part, hashed.prepared->bounds(), run.quiet()));
  return hashed;
}

const CapturedPoint* CapturedCurves::at(Index count) const {
  const auto found = std::find_if(points.begin(), points.end(),
                                  [&](const CapturedPoint& of) { return of.count == count; });
  return found == points.end() ? nullptr : &*found;
}

CapturedCurves capturedCurves(const ChoosingQuestion& question, const ChoosingSpec& spec,
                              const ModelHead& input,
                              const std::function<void(const CapturedCurves&)>& onPart,
                              const Run& run) {
  checkSettings(choosingSettings(), spec);
  const HashedTokens hashed = hashedTokens(question, input, partOf(run, 0, 0.1));
  const Measure with = measureOf(hashed, spec, input, partOf(run, 0.1, 0.3));
  CapturedCurves curves;
  curves.kind = hashed.groups().kind;
  curves.base = hashed.base;
  curves.n = question.n;
  curves.recallKeys = spec.recallKeys;
  curves.others = leavesOwnKeyOut(hashed.pattern);
  curves.ownMass = std::accumulate(with.ownMass.begin(), with.ownMass.end(), 0.0) /
                   static_cast<double>(question.n);
  curves.current = currentCount(hashed.pattern, hashed.groups());
  curves.counts = countsOf(hashed.pattern, curves.current, spec, question.n);
  const bool fixed = curves.counts.size() == 1;
  const Lengths lengths = squareLengths(question.n);
  for (std::size_t k = 0; k < curves.counts.size(); ++k) {
    const double done = static_cast<double>(k) / static_cast<double>(curves.counts.size());
    run.report(0.3 + 0.7 * done);
    const Index count = curves.counts[k];
    const auto prepared =
        fixed || count == curves.current
            ? hashed.prepared
            : prepare(withCount(hashed.pattern, count), lengths, hashed.data, run.quiet());
    curves.points.push_back(pointOf(prepared, count, hashed.base, with, run));
    if (onPart)
      onPart(curves);
  }
  return curves;
}

bool CircleAnswer::same(std::size_t pair, std::size_t round) const {
  const std::vector<Index>& bucket = rounds[round].bucket;
  return bucket[2 * pair] == bucket[2 * pair + 1];
}

double CircleAnswer::shareOf(std::size_t pair) const {
  const double wanted = pairs[pair].second - pairs[pair].first;
  if (spec.draw == AngularDraw::Rotation)
    return sameQuarter(wanted);
  const auto nearest =
      std::min_element(shares.begin(), shares.end(), [&](const SameBucket& a, const SameBucket& b) {
        return std::abs(a.angle - wanted) < std::abs(b.angle - wanted);
      });
  return nearest->share;
}

CircleAnswer circleAnswer(const CircleSpec& spec, const Run& run) {
  checkSettings(circleSettings(), spec);
  constexpr double kDegree = std::numbers::pi / 180;
  CircleAnswer answer;
  answer.spec = spec;
  answer.pairs = {{"far", spec.far, kFarFrom, kFarFrom + kDegree * spec.far},
                  {"near", spec.near, kNearFrom, kNearFrom + kDegree * spec.near}};
  AngularOptions options;
  options.draw = spec.draw;
  options.buckets = spec.draw == AngularDraw::Rotation ? 4 : spec.buckets;
  options.rounds = spec.rounds;
  options.seed = static_cast<std::uint64_t>(spec.seed) + static_cast<std::uint64_t>(spec.redraws);
  std::vector<double> angles;
  for (const CirclePair& pair : answer.pairs)
    angles.insert(angles.end(), {pair.first, pair.second});
  answer.rounds = angularRounds(angles, options, run);
  answer.shares = sameBucketShares(options, kCountedRounds, run);
  return answer;
}

std::vector<double> sortingSteps(const TokenGroups& groups, std::size_t round) {
  const auto& of = groups.rounds[round].queries.group;
  const Index count = static_cast<Index>(std::set<Index>(of.begin(), of.end()).size());
  std::vector<double> steps;
  for (Index k = 0; k <= count; ++k)
    steps.push_back(static_cast<double>(k) / static_cast<double>(count));
  return steps;
}

bool isChoice(ChoosingPicture picture) {
  return picture == ChoosingPicture::Scores || picture == ChoosingPicture::Cache ||
         picture == ChoosingPicture::Budget;
}

bool hasGroups(const Scene& scene) {
  return suits(scene.choosing.picture, scene.pattern);
}

} // namespace attention
