#include "core/analysis/score/score_board.h"

#include "core/analysis/score/method_cost.h"
#include "core/analysis/score/recall.h"
#include "core/attention/features/feature_attention.h"
#include "core/support/error.h"
#include "core/support/part_of_run.h"
#include "core/support/products.h"
#include "core/support/text.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace attention {
namespace {

// Dense attention of one head: what rows are measured against.
template <class T>
struct Reference {
  Index head = 0;
  Base base = Base::Full;
  KeyRule keys;
  std::shared_ptr<const Prepared> pattern; // the base
  Attention<T> dense;
  std::shared_ptr<const Prepared> largest;
};

// Sums over heads of what a Score averages.
struct Sums {
  OutputErrorSums error;
  double mass = 0;
  double recall = 0;
  std::optional<double> entropy = 0.0;

  void add(const ImpliedSums& of) {
    recall += of.recall;
    entropy = entropy && of.entropy ? std::optional(*entropy + *of.entropy) : std::nullopt;
  }
};

class Clock {
public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Features whose inner products are exp(q·k / √d) on average; gaussian_trig once rows sum to 1 and
// keys are of one length.
bool approximatesExp(FeatureMap map) {
  return map != FeatureMap::Relu && map != FeatureMap::Elu1;
}

template <class T>
class Board {
public:
  Board(const ScoredInput<T>& input, const ScoreOptions& options, const Run& run)
      : input_(input), options_(options), quiet_{run.stop, {}} {}

  // Throws where a score would, as far as that shows before the work.
  void require(const Pattern& pattern) { check(pattern, squareLengths(input_.n)); }

  void require(const FeatureMethod& method) {
    const ScoredHead<T>& in = head(0);
    if (approximatesExp(method.features.map))
      requireScale(method, in);
    Projection one = method.projection; // of one row: what it refuses does not depend on m > 0
    one.rows = std::min<Index>(one.rows, 1);
    featuresOf<T>(rowsOf(in.q.view(), 0, 1),
                  takesProjections(method.features.map) ? drawProjection(one) : Matrix<double>(),
                  method.features, FeatureRole::Query, 1, quiet_);
  }

  void require(const LinformerMethod& method) {
    if (options_.base == Base::Causal)
      throw Error(ErrorCode::Unsupported, "base",
                  "base is causal; Linformer is not defined for causal masks, since E mixes all "
                  "positions");
    drawLinformer(std::min<Index>(method.k, 1), 1, method.seed, LinformerSide::Keys);
  }

  // What random features are measured against where nothing is asked for.
  void setFeaturesBase(Base base) { featuresBase_ = base; }

  Score score(const Pattern& pattern, const Run& run) {
    Score score;
    const auto prepared = prepareHeads(pattern, score, partOf(run, 0, 0.2));
    const Base own = meaningfulBaseOf(prepared);
    score.base = options_.base.value_or(own);
    score.pairs = 0;
    Sums sums;
    const Run adding = partOf(run, 0.2, 1);
    for (Index h = 0; h < input_.heads; ++h)
      addPattern(pattern, prepared[prepared.size() == 1 ? 0 : static_cast<std::size_t>(h)],
                 own == Base::Causal || score.base == Base::Full, h, score, sums,
                 stepOf(adding, h, input_.heads));
    score.capturedMass = sums.mass / static_cast<double>(input_.heads);
    finish(score, sums);
    return score;
  }

  Score score(const FeatureMethod& method, const Run& run) {
    Score score;
    score.base = options_.base.value_or(featuresBase_);
    Clock clock;
    const Matrix<double> w = takesProjections(method.features.map)
                                 ? drawProjection(method.projection)
                                 : Matrix<double>();
    score.prepareSeconds = clock.seconds();
    Sums sums;
    for (Index h = 0; h < input_.heads; ++h)
      addFeatures(method, w, h, score, sums, stepOf(run, h, input_.heads));
    finish(score, sums);
    return score;
  }

  Score score(const LinformerMethod& method, const Run& run) {
    Score score;
    Clock clock;
    const auto draw = [&](LinformerSide side) {
      return drawLinformer(method.k, input_.n, method.seed, side);
    };
    const Matrix<double> e = draw(LinformerSide::Keys);
    const Matrix<double> f = draw(LinformerSide::Values);
    score.prepareSeconds = clock.seconds();
    Sums sums;
    for (Index h = 0; h < input_.heads; ++h)
      addLinformer(method, narrowed(e), narrowed(f), h, score, sums, stepOf(run, h, input_.heads));
    finish(score, sums);
    return score;
  }

private:
  using PreparedHeads = std::vector<std::shared_ptr<const Prepared>>;

  // One for all heads, or one each where it depends on the data.
  PreparedHeads prepareHeads(const Pattern& pattern, Score& score, const Run& run) {
    const bool fromData = needsData(pattern);
    PreparedHeads heads;
    const Index all = fromData ? input_.heads : 1;
    for (Index h = 0; h < all; ++h) {
      const PatternData data = fromData ? head(h).data : PatternData{};
      Clock clock;
      heads.push_back(prepare(pattern, squareLengths(input_.n), data, stepOf(run, h, all)));
      score.prepareSeconds += clock.seconds();
    }
    return heads;
  }

  Base meaningfulBaseOf(const PreparedHeads& heads) const {
    for (const auto& pattern : heads)
      if (meaningfulBase(pattern, quiet_) == Base::Full)
        return Base::Full;
    return Base::Causal;
  }

  // `inside`: whether all its keys are the base's.
  void addPattern(const Pattern& pattern, const std::shared_ptr<const Prepared>& prepared,
                  bool inside, Index h, Score& score, Sums& sums, const Run& run) {
    const ScoredHead<T>& in = head(h);
    const auto q = in.q.view();
    const auto k = in.k.view();
    const KeyRule& keys = prepared->outputs().keys;
    score.ownKeys = !keys.plain();
    Clock clock;
    const Attention<T> result =
        attend(*prepared, q, k, in.v.view(), attending(), partOf(run, 0, 0.2));
    score.seconds += clock.seconds();
    const Reference<T>& reference = referenceOf(h, score.base, keys, partOf(run, 0.2, 0.7));
    sums.error.add(result.out, reference.dense.out);
    const Run weighing = partOf(run, 0.7, 0.8);
    sums.mass +=
        inside ? capturedMass<T>(unionLse<T>(*prepared, q, k, result.lse, attending(), weighing),
                                 reference.dense.lse)
                     .mean
               : capturedMass<T>(prepared, q, k, score.base, attending(), weighing).mean;
    double entropy = 0;
    for (const double row :
         rowEntropies<T>(*prepared, q, k, result.lse, attending(), partOf(run, 0.8, 0.9)))
      entropy += row;
    const double recall =
        recallOf(*prepared, *reference.largest, options_.threads, partOf(run, 0.9, 1));
    sums.add({recall * static_cast<double>(input_.n), entropy});
    score.flaggedRows += static_cast<Index>(result.emptyRows.size());
    const Index pairs = prepared->pairs(quiet_, options_.threads);
    *score.pairs += pairs;
    addCost(score, costOf(pattern, pairs, shapeOf(in)));
  }

  void addFeatures(const FeatureMethod& method, const Matrix<double>& w, Index h, Score& score,
                   Sums& sums, const Run& run) {
    const ScoredHead<T>& in = head(h);
    const LinearOptions linear{score.base == Base::Causal, true, options_.threads};
    Clock clock;
    const KernelAttention<T> result = featureAttention<T>(
        in.q.view(), in.k.view(), in.v.view(), w, method.features, linear, partOf(run, 0, 0.2));
    score.seconds += clock.seconds();
    const auto side = [&](MatrixView<const T> x, FeatureRole role) {
      return featuresOf(x, w, method.features, role, options_.threads, quiet_);
    };
    addApproximation(result.out,
                     impliedByFeatures<T>(side(in.q.view(), FeatureRole::Query),
                                          side(in.k.view(), FeatureRole::Key), linear),
                     h, score, sums, partOf(run, 0.2, 1));
    score.flaggedRows += static_cast<Index>(result.zeroRows.size() + result.negativeRows.size() +
                                            result.nonFiniteRows.size());
    addCost(score, costOf(method, shapeOf(in)));
  }

  void addLinformer(const LinformerMethod& method, const Matrix<T>& e, const Matrix<T>& f, Index h,
                    Score& score, Sums& sums, const Run& run) {
    const ScoredHead<T>& in = head(h);
    const auto q = in.q.view();
    LinformerOptions options;
    options.scale = scaleOf(attending(), q.cols);
    options.threads = options_.threads;
    Clock clock;
    const Linformer<T> result =
        linformer<T>(q, in.k.view(), in.v.view(), e.view(), f.view(), options, partOf(run, 0, 0.2));
    score.seconds += clock.seconds();
    addApproximation(result.out,
                     impliedByLinformer<T>(q, std::as_const(result.projectedKeys).view(), f.view(),
                                           *options.scale),
                     h, score, sums, partOf(run, 0.2, 1));
    addCost(score, costOf(method, shapeOf(in)));
  }

  void addApproximation(const Matrix<T>& out, const ImpliedMatrix<T>& matrix, Index h,
                        const Score& score, Sums& sums, const Run& run) {
    const Reference<T>& reference = referenceOf(h, score.base, {}, partOf(run, 0, 0.6));
    sums.error.add(out, reference.dense.out);
    sums.add(sumsOf(matrix, *reference.largest, score.base == Base::Causal, options_.threads,
                    partOf(run, 0.6, 1)));
  }

  void finish(Score& score, const Sums& sums) const {
    const auto rows = static_cast<double>(input_.n * input_.heads);
    score.error = sums.error.error();
    score.recall = sums.recall / rows;
    if (sums.entropy)
      score.entropy = *sums.entropy / rows;
  }

  static void addCost(Score& score, const MethodCost& cost) {
    score.flops += cost.flops;
    score.bytes += cost.bytes;
  }

  void requireScale(const FeatureMethod& method, const ScoredHead<T>& in) const {
    const double own = 1 / std::sqrt(static_cast<double>(in.q.cols()));
    if (std::abs(scaleOf(attending(), in.q.cols()) - own) > 1e-12 * own)
      throwRange("scale", shortest(*options_.scale),
                 "1/√d with " + std::string(name(method.features.map)) +
                     " features, which approximate exp(q·k / √d)");
  }

  AttendOptions attending() const { return {options_.scale, options_.threads}; }
  static HeadShape shapeOf(const ScoredHead<T>& in) {
    return {in.q.rows(), in.q.cols(), in.v.cols(), static_cast<Index>(sizeof(T))};
  }
  static Matrix<T> narrowed(const Matrix<double>& x) {
    return {x.rows(), x.cols(), std::vector<T>(x.values().begin(), x.values().end())};
  }

  // The head asked for last stays in memory.
  const ScoredHead<T>& head(Index h) {
    if (h != loaded_)
      head_ = input_.load(h);
    loaded_ = h;
    return head_;
  }

  // Kept, since every method asks for the same ones.
  const Reference<T>& referenceOf(Index h, Base base, const KeyRule& keys, const Run& run) {
    for (const auto& known : references_)
      if (known->head == h && known->base == base && known->keys == keys)
        return *known;
    const ScoredHead<T>& in = head(h);
    auto made = std::make_unique<Reference<T>>();
    made->head = h;
    made->base = base;
    made->keys = keys;
    made->pattern = baseOf(base, squareLengths(input_.n))->asUnion(keys);
    made->dense = attend(*made->pattern, in.q.view(), in.k.view(), in.v.view(), attending(),
                         partOf(run, 0, 0.5));
    made->largest = largestKeys(in.data, keys, base, options_.recallKeys,
                                {.scale = scaleOf(attending(), in.q.cols())}, partOf(run, 0.5, 1));
    return *references_.emplace_back(std::move(made));
  }

  const ScoredInput<T>& input_;
  const ScoreOptions& options_;
  Run quiet_;
  Base featuresBase_ = Base::Full;
  ScoredHead<T> head_;
  Index loaded_ = -1;
  std::vector<std::unique_ptr<Reference<T>>> references_;
};

// Causal where all patterns of the board are, and there are some.
Base commonBase(std::span<const Score> scores, std::span<const ScoredMethod> methods) {
  bool any = false;
  for (std::size_t k = 0; k < methods.size(); ++k) {
    const bool pattern = std::holds_alternative<Pattern>(methods[k]);
    if (pattern && scores[k].base == Base::Full)
      return Base::Full;
    any = any || pattern;
  }
  return any ? Base::Causal : Base::Full;
}

} // namespace

template <class T>
std::vector<Score> scoreBoard(std::span<const ScoredMethod> methods, const ScoredInput<T>& input,
                              const ScoreOptions& options,
                              const std::function<void(std::size_t method, const Score&)>& onScore,
                              const Run& run) {
  if (options.recallKeys < 1)
    throwRange("recall-keys", std::to_string(options.recallKeys), "an integer ≥ 1");
  Board<T> board(input, options, run);
  for (const ScoredMethod& method : methods)
    std::visit([&](const auto& of) { board.require(of); }, method);
  std::vector<Score> scores(methods.size());
  std::size_t done = 0;
  const auto score = [&](std::size_t k) {
    const Run step = stepOf(run, static_cast<Index>(done++), static_cast<Index>(methods.size()));
    scores[k] =
        std::visit([&](const auto& method) { return board.score(method, step); }, methods[k]);
    if (onScore)
      onScore(k, scores[k]);
  };
  for (std::size_t k = 0; k < methods.size(); ++k)
    if (std::holds_alternative<Pattern>(methods[k]))
      score(k);
  board.setFeaturesBase(commonBase(scores, methods)); // known when the patterns are
  for (std::size_t k = 0; k < methods.size(); ++k)
    if (!std::holds_alternative<Pattern>(methods[k]))
      score(k);
  return scores;
}

template std::vector<Score> scoreBoard(std::span<const ScoredMethod>, const ScoredInput<float>&,
                                       const ScoreOptions&,
                                       const std::function<void(std::size_t, const Score&)>&,
                                       const Run&);
template std::vector<Score> scoreBoard(std::span<const ScoredMethod>, const ScoredInput<double>&,
                                       const ScoreOptions&,
                                       const std::function<void(std::size_t, const Score&)>&,
                                       const Run&);

} // namespace attention
