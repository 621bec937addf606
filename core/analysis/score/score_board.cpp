#include "core/analysis/score/score_board.h"

#include "core/analysis/score/method_cost.h"
#include "core/analysis/score/recall.h"
#include "core/attention/features/feature_attention.h"
#include "core/support/error.h"
#include "core/support/part_of_run.h"

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

template <class T>
class Board {
public:
  Board(const ScoredInput<T>& input, const ScoreOptions& options, const Run& run)
      : input_(input), options_(options), quiet_{run.stop, {}} {}

  // What random features are measured against where nothing is asked for.
  void setFeaturesBase(Base base) { featuresBase_ = base; }

  Score score(const Pattern& pattern, const Run& run) {
    Score score;
    const auto prepared = prepareHeads(pattern, score, run);
    const Base own = meaningfulBaseOf(prepared);
    score.base = options_.base.value_or(own);
    score.pairs = 0;
    Sums sums;
    for (Index h = 0; h < input_.heads; ++h)
      addPattern(pattern, prepared[prepared.size() == 1 ? 0 : static_cast<std::size_t>(h)],
                 own == Base::Causal || score.base == Base::Full, h, score, sums);
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
    for (Index h = 0; h < input_.heads; ++h) {
      run.report(share(h));
      addFeatures(method, w, h, score, sums);
    }
    finish(score, sums);
    return score;
  }

  Score score(const LinformerMethod& method, const Run& run) {
    if (options_.base == Base::Causal)
      throw Error(ErrorCode::Unsupported, "base",
                  "base is causal; Linformer is not defined for causal masks, since E mixes all "
                  "positions");
    Score score;
    Clock clock;
    const auto draw = [&](LinformerSide side) {
      return drawLinformer(method.k, input_.n, method.seed, side);
    };
    const Matrix<double> e = draw(LinformerSide::Keys);
    const Matrix<double> f = draw(LinformerSide::Values);
    score.prepareSeconds = clock.seconds();
    Sums sums;
    for (Index h = 0; h < input_.heads; ++h) {
      run.report(share(h));
      addLinformer(method, narrowed(e), narrowed(f), h, score, sums);
    }
    finish(score, sums);
    return score;
  }

private:
  using PreparedHeads = std::vector<std::shared_ptr<const Prepared>>;

  double share(Index head) const {
    return static_cast<double>(head) / static_cast<double>(input_.heads);
  }

  // One for all heads, or one each where it depends on the data.
  PreparedHeads prepareHeads(const Pattern& pattern, Score& score, const Run& run) {
    const bool fromData = needsData(pattern);
    PreparedHeads heads;
    for (Index h = 0; h < (fromData ? input_.heads : 1); ++h) {
      run.report(0.5 * share(h));
      const PatternData data = fromData ? head(h).data : PatternData{};
      Clock clock;
      heads.push_back(prepare(pattern, squareLengths(input_.n), data, quiet_));
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
                  bool inside, Index h, Score& score, Sums& sums) {
    const ScoredHead<T>& in = head(h);
    const auto q = in.q.view();
    const auto k = in.k.view();
    const KeyRule& keys = prepared->outputs().keys;
    score.ownKeys = !keys.plain();
    Clock clock;
    const Attention<T> result = attend(*prepared, q, k, in.v.view(), attending(), quiet_);
    score.seconds += clock.seconds();
    const Reference<T>& reference = referenceOf(h, score.base, keys);
    sums.error.add(result.out, reference.dense.out);
    sums.mass +=
        inside ? capturedMass<T>(unionLse<T>(*prepared, q, k, result.lse, attending(), quiet_),
                                 reference.dense.lse)
                     .mean
               : capturedMass<T>(prepared, q, k, score.base, attending(), quiet_).mean;
    double entropy = 0;
    for (const double row : rowEntropies<T>(*prepared, q, k, result.lse, attending(), quiet_))
      entropy += row;
    const double recall = recallOf(*prepared, *reference.largest, options_.threads, quiet_);
    sums.add({recall * static_cast<double>(input_.n), entropy});
    score.flaggedRows += static_cast<Index>(result.emptyRows.size());
    const Index pairs = prepared->pairs(quiet_, options_.threads);
    *score.pairs += pairs;
    addCost(score, costOf(pattern, pairs, shapeOf(in)));
  }

  void addFeatures(const FeatureMethod& method, const Matrix<double>& w, Index h, Score& score,
                   Sums& sums) {
    const ScoredHead<T>& in = head(h);
    requireScale(in);
    const LinearOptions linear{score.base == Base::Causal, true, options_.threads};
    Clock clock;
    const KernelAttention<T> result = featureAttention<T>(in.q.view(), in.k.view(), in.v.view(), w,
                                                          method.features, linear, quiet_);
    score.seconds += clock.seconds();
    const auto side = [&](MatrixView<const T> x, FeatureRole role) {
      return featuresOf(x, w, method.features, role, options_.threads, quiet_);
    };
    addApproximation(result.out,
                     impliedByFeatures<T>(side(in.q.view(), FeatureRole::Query),
                                          side(in.k.view(), FeatureRole::Key), linear),
                     h, score, sums);
    score.flaggedRows += static_cast<Index>(result.zeroRows.size() + result.negativeRows.size() +
                                            result.nonFiniteRows.size());
    addCost(score, costOf(method, shapeOf(in)));
  }

  void addLinformer(const LinformerMethod& method, const Matrix<T>& e, const Matrix<T>& f, Index h,
                    Score& score, Sums& sums) {
    const ScoredHead<T>& in = head(h);
    const auto q = in.q.view();
    LinformerOptions options;
    options.scale = scaleOf(attending(), q.cols);
    options.threads = options_.threads;
    Clock clock;
    const Linformer<T> result =
        linformer<T>(q, in.k.view(), in.v.view(), e.view(), f.view(), options, quiet_);
    score.seconds += clock.seconds();
    addApproximation(result.out,
                     impliedByLinformer<T>(q, std::as_const(result.projectedKeys).view(), f.view(),
                                           *options.scale),
                     h, score, sums);
    addCost(score, costOf(method, shapeOf(in)));
  }

  void addApproximation(const Matrix<T>& out, const ImpliedMatrix<T>& matrix, Index h,
                        const Score& score, Sums& sums) {
    const Reference<T>& reference = referenceOf(h, score.base, {});
    sums.error.add(out, reference.dense.out);
    sums.add(
        sumsOf(matrix, *reference.largest, score.base == Base::Causal, options_.threads, quiet_));
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

  void requireScale(const ScoredHead<T>& in) const {
    const double own = 1 / std::sqrt(static_cast<double>(in.q.cols()));
    if (std::abs(scaleOf(attending(), in.q.cols()) - own) > 1e-12 * own)
      throwRange("scale", std::to_string(*options_.scale),
                 "1/√d with random features, which approximate exp(q·k / √d)");
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
  const Reference<T>& referenceOf(Index h, Base base, const KeyRule& keys) {
    for (const auto& known : references_)
      if (known->head == h && known->base == base && known->keys == keys)
        return *known;
    const ScoredHead<T>& in = head(h);
    auto made = std::make_unique<Reference<T>>();
    made->head = h;
    made->base = base;
    made->keys = keys;
    made->pattern = baseOf(base, squareLengths(input_.n));
    if (!keys.plain())
      made->pattern = made->pattern->asUnion(keys);
    made->dense =
        attend(*made->pattern, in.q.view(), in.k.view(), in.v.view(), attending(), quiet_);
    made->largest = largestKeys(in.data, keys, base, options_.recallKeys,
                                scaleOf(attending(), in.q.cols()), quiet_);
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

std::string featuresText(const FeatureMethod& method) {
  std::string text = std::string(name(method.features.map)) + " features";
  if (takesProjections(method.features.map)) {
    text += ", m " + std::to_string(method.projection.rows);
    text += ", " + std::string(name(method.projection.kind));
  }
  if (method.features.stabilize != Stabilize::Off)
    text += ", stabilize " + std::string(name(method.features.stabilize));
  return text;
}

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

std::string methodText(const ScoredMethod& method) {
  if (const auto* pattern = std::get_if<Pattern>(&method))
    return shortText(*pattern);
  if (const auto* features = std::get_if<FeatureMethod>(&method))
    return featuresText(*features);
  return "linformer, k " + std::to_string(std::get<LinformerMethod>(method).k);
}

std::optional<std::uint64_t> seedOf(const ScoredMethod& method) {
  if (const auto* pattern = std::get_if<Pattern>(&method)) {
    const Parameter* seed = description(*pattern).find("seed");
    if (!seed || !seed->visible(*pattern))
      return std::nullopt;
    const Value value = seed->resolved(*pattern, 1);
    return std::get<std::uint64_t>(value);
  }
  if (const auto* features = std::get_if<FeatureMethod>(&method))
    return takesProjections(features->features.map) ? std::optional(features->projection.seed)
                                                    : std::nullopt;
  return std::get<LinformerMethod>(method).seed;
}

template <class T>
std::vector<Score> scoreBoard(std::span<const ScoredMethod> methods, const ScoredInput<T>& input,
                              const ScoreOptions& options,
                              const std::function<void(std::size_t method, const Score&)>& onScore,
                              const Run& run) {
  if (options.recallKeys < 1)
    throwRange("recall-keys", std::to_string(options.recallKeys), "an integer ≥ 1");
  Board<T> board(input, options, run);
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
