#include "core/analysis/score/score_board.h"

#include "core/analysis/score/head_references.h"
#include "core/analysis/score/method_cost.h"
#include "core/analysis/score/recall.h"
#include "core/analysis/timing/fastest_run.h"
#include "core/attention/features/feature_attention.h"
#include "core/support/error.h"
#include "core/support/part_of_run.h"

#include <utility>

namespace attention {
namespace {

// Sums over heads of what a Score averages.
struct Sums {
  OutputErrorSums error;
  double mass = 0;
  std::optional<double> massOfAll;
  double recall = 0;
  std::optional<double> entropy = 0.0;

  void add(const ImpliedSums& of) {
    recall += of.recall;
    entropy = entropy && of.entropy ? std::optional(*entropy + *of.entropy) : std::nullopt;
  }
};

template <class T>
class Board {
public:
  Board(const ScoredInput<T>& input, const ScoreOptions& options, const Run& run)
      : options_(options), quiet_(run.quiet()), references_(input, options) {}

  // Throws where a score would, as far as that can be told before the work.
  void require(const ScoredMethod& method) { checkScored(method, head(0), options_, quiet_); }

  // The default base of random features.
  void setFeaturesBase(const Base& base) { featuresBase_ = base; }

  Score score(const Pattern& pattern, const Run& run) {
    Score score;
    const auto prepared = prepareHeads(pattern, score, partOf(run, 0, 0.2));
    const Base own = meaningfulBaseOf(prepared);
    score.base = baseOfAll(own);
    score.pairs = 0;
    Sums sums;
    const Run adding = partOf(run, 0.2, 1);
    for (Index h = 0; h < heads(); ++h)
      addPattern(pattern, prepared[prepared.size() == 1 ? 0 : static_cast<std::size_t>(h)], own, h,
                 score, sums, stepOf(adding, h, heads()));
    score.chooses = prepared.front()->choice() != nullptr;
    score.capturedMass = sums.mass / static_cast<double>(heads());
    if (sums.massOfAll)
      score.massOfAll = *sums.massOfAll / static_cast<double>(heads());
    finish(score, sums);
    return score;
  }

  Score score(const FeatureMethod& method, const Run& run) {
    Score score;
    const Base own = ownBaseOf(method);
    score.base = baseOfAll(own);
    const Matrix<double> w = timed(options_.clock, score.prepareSeconds, [&] {
      return takesProjections(method.features.map) ? drawProjection(method.projection)
                                                   : Matrix<double>();
    });
    Sums sums;
    for (Index h = 0; h < heads(); ++h)
      addFeatures(method, w, {h, baseOfHead(h, own)}, score, sums, stepOf(run, h, heads()));
    finish(score, sums);
    return score;
  }

  Score score(const KernelMethod& method, const Run& run) {
    Score score;
    const Base own = ownBaseOf(method);
    score.base = baseOfAll(own);
    Sums sums;
    for (Index h = 0; h < heads(); ++h)
      addKernel(method, {h, baseOfHead(h, own)}, score, sums, stepOf(run, h, heads()));
    finish(score, sums);
    return score;
  }

  Score score(const LinformerMethod& method, const Run& run) {
    Score score;
    score.base = baseOfAll(Base::Full);
    const auto draw = [&](LinformerSide side) {
      return timed(options_.clock, score.prepareSeconds,
                   [&] { return drawLinformer(method.k, n(), method.seed, side); });
    };
    const Matrix<double> e = draw(LinformerSide::Keys);
    const Matrix<double> f = draw(LinformerSide::Values);
    Sums sums;
    for (Index h = 0; h < heads(); ++h)
      addLinformer(method, narrowed(e), narrowed(f), h, score, sums, stepOf(run, h, heads()));
    finish(score, sums);
    return score;
  }

private:
  using PreparedHeads = std::vector<std::shared_ptr<const Prepared>>;

  // A head, and what it is measured against.
  struct Measured {
    Index head = 0;
    Base base;
  };

  // One for all heads, or one each where it depends on the data.
  PreparedHeads prepareHeads(const Pattern& pattern, Score& score, const Run& run) {
    const bool fromData = needsData(pattern);
    PreparedHeads prepared;
    const Index all = fromData ? heads() : 1;
    for (Index h = 0; h < all; ++h) {
      const PatternData data = fromData ? head(h).data : PatternData{};
      prepared.push_back(timed(options_.clock, score.prepareSeconds, [&] {
        return prepare(pattern, squareLengths(n()), data, stepOf(run, h, all));
      }));
    }
    return prepared;
  }

  // Of features or a kernel.
  template <class Method>
  Base ownBaseOf(const Method& method) const {
    return method.causal ? (*method.causal ? Base::Causal : Base::Full) : featuresBase_;
  }

  Base meaningfulBaseOf(const PreparedHeads& heads) const {
    for (const auto& pattern : heads)
      if (meaningfulBase(pattern, quiet_) == Base::Full)
        return Base::Full;
    return Base::Causal;
  }

  Base baseOfHead(Index h, const Base& own) const {
    return options_.headBases.empty() ? options_.base.value_or(own)
                                      : options_.headBases[static_cast<std::size_t>(h)];
  }

  Base baseOfAll(const Base& own) const {
    return commonBase(options_.headBases, options_.base.value_or(own));
  }

  // `own`: the base that fits the pattern, which holds all its keys.
  void addPattern(const Pattern& pattern, const std::shared_ptr<const Prepared>& prepared,
                  const Base& own, Index h, Score& score, Sums& sums, const Run& run) {
    const Base base = baseOfHead(h, own);
    const bool inside = base == Base::Full || base == own;
    const ScoredHead<T>& in = head(h);
    const auto q = in.q.view();
    const auto k = in.k.view();
    const KeyRule& keys = prepared->outputs().keys;
    score.ownKeys = !keys.plain();
    const Attention<T> result = fastest(score, run, [&](const Run& part) {
      return attend(*prepared, q, k, in.v.view(), attending(h), part);
    });
    const HeadReference<T>& reference =
        references_.of(h, {base, keys, leavesOwnKeyOut(pattern)}, partOf(run, 0.2, 0.7));
    sums.error.add(result.out, reference.dense.out);
    const Run weighing = partOf(run, 0.7, 0.8);
    const CapturedMass mass = inside
                                  ? capturedMass<T>(unionLse<T>(*prepared, q, k, lseOfKeys(result),
                                                                attending(h), weighing),
                                                    lseOfKeys(reference.dense), attending(h).sink)
                                  : capturedMass<T>(prepared, q, k, base, attending(h), weighing);
    sums.mass += mass.mean;
    if (mass.meanOfAll)
      sums.massOfAll = sums.massOfAll.value_or(0) + *mass.meanOfAll;
    double entropy = 0;
    for (const double row :
         rowEntropies<T>(*prepared, q, k, result.lse, attending(h), partOf(run, 0.8, 0.9)))
      entropy += row;
    const double recall =
        recallOf(*prepared, *reference.largest, options_.threads, partOf(run, 0.9, 1));
    sums.add({recall * static_cast<double>(n()), entropy});
    score.flaggedRows += static_cast<Index>(result.emptyRows.size());
    const Index pairs = prepared->pairs(quiet_, options_.threads);
    *score.pairs += pairs;
    addCost(score, costOf(pattern, *prepared, shapeOf(in), pairs));
  }

  void addFeatures(const FeatureMethod& method, const Matrix<double>& w, const Measured& of,
                   Score& score, Sums& sums, const Run& run) {
    const ScoredHead<T>& in = head(of.head);
    const LinearOptions linear{method.causal.value_or(of.base.past), true, options_.threads};
    const KernelAttention<T> result = fastest(score, run, [&](const Run& part) {
      return featureAttention<T>(in.q.view(), in.k.view(), in.v.view(), w, method.features, linear,
                                 part);
    });
    const auto side = [&](MatrixView<const T> x, FeatureRole role) {
      return featuresOf(x, w, method.features, role, options_.threads, quiet_);
    };
    addApproximation(result.out,
                     impliedByFeatures<T>(side(in.q.view(), FeatureRole::Query),
                                          side(in.k.view(), FeatureRole::Key), linear),
                     of, sums, partOf(run, 0.2, 1));
    score.flaggedRows += static_cast<Index>(result.flagged().size());
    addCost(score, costOf(method, shapeOf(in)));
  }

  void addKernel(const KernelMethod& method, const Measured& of, Score& score, Sums& sums,
                 const Run& run) {
    const ScoredHead<T>& in = head(of.head);
    const bool causal = method.causal.value_or(of.base.past);
    const auto pattern = baseOf(causal ? Base::Causal : Base::Full, squareLengths(n()));
    const KernelOptions options{method.kernel, true, options_.threads};
    const KernelAttention<T> result = fastest(score, run, [&](const Run& part) {
      return kernelAttention<T>(*pattern, in.q.view(), in.k.view(), in.v.view(), options, part);
    });
    addApproximation(result.out, impliedByKernel<T>(*pattern, in.q.view(), in.k.view(), options),
                     of, sums, partOf(run, 0.2, 1));
    score.flaggedRows += static_cast<Index>(result.flagged().size());
    addCost(score, costOf(method, causal, shapeOf(in)));
  }

  void addLinformer(const LinformerMethod& method, const Matrix<T>& e, const Matrix<T>& f, Index h,
                    Score& score, Sums& sums, const Run& run) {
    const ScoredHead<T>& in = head(h);
    const auto q = in.q.view();
    LinformerOptions options;
    const Scoring scoring = scoringOf(attending(h), q.cols, squareLengths(n()));
    options.scale = scoring.scale;
    options.softcap = scoring.softcap;
    options.temperature = scoring.temperature;
    options.sink = scoring.sink;
    options.threads = options_.threads;
    const Linformer<T> result = fastest(score, run, [&](const Run& part) {
      return linformer<T>(q, in.k.view(), in.v.view(), e.view(), f.view(), options, part);
    });
    addApproximation(
        result.out,
        impliedByLinformer<T>(q, std::as_const(result.projectedKeys).view(), f.view(), scoring),
        {h, baseOfHead(h, Base::Full)}, sums, partOf(run, 0.2, 1));
    addCost(score, costOf(method, shapeOf(in)));
  }

  // The attention itself, timed; the first fifth of `run`.
  template <class Attend>
  auto fastest(Score& score, const Run& run, Attend&& attend) const {
    return timedFastest(options_.clock, score.seconds, attend, partOf(run, 0, 0.2));
  }

  void addApproximation(const Matrix<T>& out, const ImpliedMatrix<T>& matrix, const Measured& of,
                        Sums& sums, const Run& run) {
    const HeadReference<T>& reference = references_.of(of.head, {of.base}, partOf(run, 0, 0.6));
    sums.error.add(out, reference.dense.out);
    sums.add(
        sumsOf(matrix, *reference.largest, of.base.past, options_.threads, partOf(run, 0.6, 1)));
  }

  void finish(Score& score, const Sums& sums) const {
    const auto rows = static_cast<double>(n() * heads());
    if (references_.values())
      score.error = sums.error.error();
    score.recall = sums.recall / rows;
    if (sums.entropy)
      score.entropy = *sums.entropy / rows;
  }

  static void addCost(Score& score, const MethodCost& cost) {
    score.flops += cost.flops;
    score.bytes += cost.bytes;
  }

  AttendOptions attending(Index h) { return attendOptions(head(h), options_); }
  static HeadShape shapeOf(const ScoredHead<T>& in) {
    return {in.q.rows(), in.q.cols(), in.v.cols(), static_cast<Index>(sizeof(T)),
            in.data.sharedQk()};
  }
  static Matrix<T> narrowed(const Matrix<double>& x) {
    return {x.rows(), x.cols(), std::vector<T>(x.values().begin(), x.values().end())};
  }

  Index heads() const { return references_.heads(); }
  Index n() const { return references_.n(); }
  const ScoredHead<T>& head(Index h) { return references_.head(h); }

  const ScoreOptions& options_;
  Run quiet_;
  HeadReferences<T> references_;
  Base featuresBase_ = Base::Full;
};

// Causal if there are patterns on the board and all of them are.
Base baseOfPatterns(std::span<const Score> scores, std::span<const ScoredMethod> methods) {
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
    throwRange("recall-keys", std::to_string(options.recallKeys), "an integer of at least 1");
  Board<T> board(input, options, run);
  for (const ScoredMethod& method : methods)
    board.require(method);
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
  board.setFeaturesBase(baseOfPatterns(scores, methods)); // known when the patterns are
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
