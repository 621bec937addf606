#include "core/views/heads/measured_heads.h"

#include "core/analysis/metrics.h"
#include "core/analysis/ready_weights.h"
#include "core/scene/input_data.h"
#include "core/scene/own_mask.h"
#include "core/scene/pattern_files.h"
#include "core/support/error.h"
#include "core/support/part_of_run.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace attention {
namespace {

// A number for each key, equal for equal tokens: by the tokenizer's ids where the input has them,
// else by its pieces, else by the labels. Empty if it has none of them.
std::vector<Index> tokenNumbers(const Input& input) {
  if (!input.ids.empty())
    return input.ids;
  std::map<std::string, Index> known;
  std::vector<Index> numbers;
  for (const std::string& token : input.pieces.empty() ? input.tokens : input.pieces)
    numbers.push_back(known.try_emplace(token, static_cast<Index>(known.size())).first->second);
  return numbers;
}

// Rows of x from `first` on.
MatrixView<const double> someRows(const Matrix<double>& x, Index first, Index rows) {
  return {x.data() + first * x.cols(), rows, x.cols(), x.cols()};
}

class Heads {
public:
  Heads(const HeadsQuestion& question, const Input& input, const Run& run)
      : question_(question), input_(input),
        firstRow_(firstQueryRow(input, question.lengths, question.align)), quiet_(run.quiet()) {
    requireCovered(input, question.lengths, question.align);
    std::vector<Index> tokens = tokenNumbers(input);
    if (!tokens.empty()) {
      tokens.resize(static_cast<std::size_t>(question.lengths.keys));
      repeats_.emplace(tokens);
    }
    if (!question.pattern)
      return;
    ofEachHead_ = hasMasksOfPlanes(*question.pattern, quiet_) || readsData();
    if (!ofEachHead_)
      prepareAll();
  }

  // The layers and heads that are measured, from low to high.
  std::vector<std::pair<Index, Index>> planes() const {
    std::vector<std::pair<Index, Index>> all;
    for (Index batch = 0; batch < input_.batches; ++batch)
      for (Index head = 0; head < input_.heads; ++head)
        if (question_.batch.value_or(batch) == batch && question_.head.value_or(head) == head)
          all.emplace_back(batch, head);
    return all;
  }

  MeasuredHead measure(Index batch, Index head, const Run& run) const {
    MeasuredHead made{batch, head, Base::Full, {}, {}};
    const auto pattern = patternOf(batch, head);
    made.base = baseOfHead(batch);
    const auto base = baseOf(made.base, question_.lengths);
    const HeadMeasuring how{*base, repeats_ ? &*repeats_ : nullptr, question_.near};
    const Run measuring = partOf(run, 0, pattern ? 0.5 : 1);
    const Run capturing = partOf(run, 0.5, 1);
    if (!input_.hasQkv()) {
      const Matrix<double> ready = cutOut(input_.attention<double>(head, batch, quiet_), firstRow_,
                                          question_.lengths.queries, question_.lengths.keys);
      made.measures = headMeasures(how, ready, measuring);
      if (pattern)
        made.captured = readyMass(ready, pattern, base, capturing).mean;
      return made;
    }
    const Matrix<double> q = input_.q<double>(head, batch, quiet_);
    const Matrix<double> k = input_.k<double>(head, batch, quiet_);
    const auto queries = someRows(q, firstRow_, question_.lengths.queries);
    const auto keys = someRows(k, 0, question_.lengths.keys);
    const AttendOptions scores = attendOptions(input_, head, question_.threads);
    made.measures = headMeasures(how, queries, keys, scores, measuring);
    if (pattern) {
      const CapturedMass mass = capturedMass(pattern, queries, keys, made.base, scores, capturing);
      made.captured = mass.mean;
      made.mass = mass.meanOfAll;
    }
    return made;
  }

private:
  bool readsData() const {
    return needsData(*question_.pattern) ||
           (mayNeedData(*question_.pattern) && input_.hasQkv() && input_.queries == input_.keys);
  }

  void prepareAll() {
    const Pattern pattern = resolveFiles(*question_.pattern, {}, quiet_);
    std::vector<Pattern> own{pattern};
    if (question_.mechanismHeads) {
      HeadOptions options = *question_.mechanismHeads;
      options.heads = input_.heads;
      own = headPatterns(pattern, options, question_.lengths.keys);
    }
    for (const Pattern& each : own)
      patterns_.push_back(prepare(each, question_.lengths, quiet_));
  }

  // The pattern of a head; null where none is asked for.
  std::shared_ptr<const Prepared> patternOf(Index batch, Index head) const {
    if (!question_.pattern)
      return nullptr;
    if (!ofEachHead_)
      return patterns_[patterns_.size() == 1 ? 0 : static_cast<std::size_t>(head)];
    const Pattern own =
        resolveFiles(withMasksOf(*question_.pattern, {batch, head}, input_, quiet_), {}, quiet_);
    const PatternData data = readsData()
                                 ? inputData(input_, batch, head, question_.lengths.keys, quiet_)
                                 : PatternData();
    return prepare(own, question_.lengths, data, quiet_);
  }

  Base baseOfHead(Index batch) const {
    if (question_.base)
      return *question_.base;
    if (const auto own = ownBase(input_, batch, question_.lengths, firstRow_, quiet_))
      return *own;
    if (!patternBase_)
      patternBase_ = baseOfPattern();
    return *patternBase_;
  }

  // Causal where the pattern is so on every head that is measured, as attention over it has it.
  Base baseOfPattern() const {
    const auto isFull = [&](const std::pair<Index, Index>& plane) {
      return meaningfulBase(patternOf(plane.first, plane.second), quiet_) == Base::Full;
    };
    const auto all = planes();
    return !question_.pattern || std::any_of(all.begin(), all.end(), isFull) ? Base::Full
                                                                             : Base::Causal;
  }

  const HeadsQuestion& question_;
  const Input& input_;
  Index firstRow_;
  Run quiet_;
  std::optional<TokenRepeats> repeats_;
  bool ofEachHead_ = false;
  std::vector<std::shared_ptr<const Prepared>> patterns_; // one of all heads, or one each
  mutable std::optional<Base> patternBase_;               // once it is asked for
};

} // namespace

std::vector<MeasuredHead> measuredHeads(const HeadsQuestion& question, const Input& input,
                                        const std::function<void(const MeasuredHead&)>& onHead,
                                        const Run& run) {
  if (question.near < 0)
    throwRange("near", std::to_string(question.near), "an integer of at least 0");
  const Heads heads(question, input, run);
  const auto planes = heads.planes();
  std::vector<MeasuredHead> made;
  for (const auto& [batch, head] : planes) {
    made.push_back(heads.measure(batch, head, stepOf(run, std::ssize(made), std::ssize(planes))));
    if (onHead)
      onHead(made.back());
  }
  return made;
}

} // namespace attention
