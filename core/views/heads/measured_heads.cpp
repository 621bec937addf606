#include "core/views/heads/measured_heads.h"

#include "core/analysis/metrics.h"
#include "core/analysis/ready_weights.h"
#include "core/scene/input_data.h"
#include "core/scene/own_mask.h"
#include "core/scene/pattern_files.h"
#include "core/support/error.h"
#include "core/support/part_of_run.h"

#include <map>
#include <string>

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

  MeasuredHead measure(Index batch, Index head, const Run& run) const {
    MeasuredHead made{batch, head, Base::Full, {}, {}};
    const auto pattern = patternOf(batch, head);
    made.base = baseOfHead(batch, pattern);
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

  Base baseOfHead(Index batch, const std::shared_ptr<const Prepared>& pattern) const {
    if (question_.base)
      return *question_.base;
    if (const auto own = ownBase(input_, batch, question_.lengths, firstRow_, quiet_))
      return *own;
    return pattern ? meaningfulBase(pattern, quiet_) : Base::Full;
  }

  const HeadsQuestion& question_;
  const Input& input_;
  Index firstRow_;
  Run quiet_;
  std::optional<TokenRepeats> repeats_;
  bool ofEachHead_ = false;
  std::vector<std::shared_ptr<const Prepared>> patterns_; // one of all heads, or one each
};

} // namespace

std::vector<MeasuredHead> measuredHeads(const HeadsQuestion& question, const Input& input,
                                        const std::function<void(const MeasuredHead&)>& onHead,
                                        const Run& run) {
  if (question.near < 0)
    throwRange("near", std::to_string(question.near), "an integer of at least 0");
  const Heads heads(question, input, run);
  const Index firstBatch = question.batch.value_or(0);
  const Index batches = question.batch ? 1 : input.batches;
  const Index firstHead = question.head.value_or(0);
  const Index perBatch = question.head ? 1 : input.heads;
  std::vector<MeasuredHead> made;
  for (Index plane = 0; plane < batches * perBatch; ++plane) {
    made.push_back(heads.measure(firstBatch + plane / perBatch, firstHead + plane % perBatch,
                                 stepOf(run, plane, batches * perBatch)));
    if (onHead)
      onHead(made.back());
  }
  return made;
}

} // namespace attention
