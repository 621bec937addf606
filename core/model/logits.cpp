#include "core/model/logits.h"

#include "core/attention/vector_rows.h"
#include "core/model/rows.h"
#include "core/support/error.h"
#include "core/support/part_of_run.h"
#include "core/support/products.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace attention {
namespace {

constexpr Index kVocabularyPart = 2048;       // of the vocabulary
constexpr Index kLogits = Index{1} << 24U;    // of a block, 64 MiB
constexpr Index kRowLogits = Index{1} << 23U; // of LogitRows, 32 MiB

// Rows of a block: as many as the room holds. The weights become floats once for each block, so
// that small blocks cost time.
Index rowsOfBlock(std::size_t states, Index vocabulary) {
  const Index row = static_cast<Index>(states) * std::min(kVocabularyPart, vocabulary);
  return std::clamp<Index>(kLogits / std::max<Index>(row, 1), 64, 1024);
}

constexpr float kNoLogit = -std::numeric_limits<float>::infinity();

// Σ e^(z − maximum) over the part of the vocabulary so far.
struct RunningSum {
  float maximum = kNoLogit;
  double sum = 0;
  Index top = 0;

  // What a further part with this maximum makes of sums over the earlier ones.
  double raise(float to) {
    if (to <= maximum)
      return 1;
    const double factor =
        maximum == kNoLogit ? 0 : std::exp(static_cast<double>(maximum) - static_cast<double>(to));
    maximum = to;
    sum *= factor;
    return factor;
  }
  double logSum() const { return static_cast<double>(maximum) + std::log(sum); }
};

// What is known of a row under all states.
struct RowState {
  std::vector<RunningSum> sums;
  std::vector<float> target;       // logit of the token that comes
  std::vector<double> differences; // Σ e^(z_0 − maximum_0) (z_0 − z_s)
};

// A block of rows: the vocabulary part by part.
class LogitBlock {
public:
  LogitBlock(std::span<const Index> next, std::size_t states, Index vocabulary)
      : next_(next), rows_(next.size()) {
    for (std::size_t s = 0; s < states; ++s)
      logits_.emplace_back(static_cast<Index>(next.size()), std::min(kVocabularyPart, vocabulary));
    for (RowState& row : rows_) {
      row.sums.resize(states);
      row.target.resize(states);
      row.differences.resize(states);
    }
  }

  MatrixView<float> logits(std::size_t s, Index count) {
    MatrixView<float> view = logits_[s].view();
    view.cols = count;
    return view;
  }

  // Adds logits [first, first + count), which are then overwritten.
  void add(Index first, Index count, const Run& run) {
    forRows(static_cast<Index>(rows_.size()), run, [&](Index i) { addRow(i, first, count); });
  }

  void store(Index begin, std::vector<Predictions>& all) const {
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (std::size_t s = 0; s < all.size(); ++s) {
        const auto at = static_cast<std::size_t>(begin) + i;
        const RunningSum& own = rows_[i].sums[s];
        const RunningSum& base = rows_[i].sums[0];
        all[s].loss[at] = own.logSum() - static_cast<double>(rows_[i].target[s]);
        all[s].top[at] = own.top;
        all[s].share[at] = 1 / own.sum;
        // Σ p (z − z') − ln Σ e^z + ln Σ e^z'
        all[s].kl[at] =
            s == 0 ? 0 : rows_[i].differences[s] / base.sum - base.logSum() + own.logSum();
      }
  }

private:
  void addRow(Index i, Index first, Index count) {
    RowState& row = rows_[static_cast<std::size_t>(i)];
    const Index next = next_[static_cast<std::size_t>(i)];
    for (std::size_t s = 0; s < logits_.size(); ++s) {
      const std::span<const float> z = logits(s, count).row(i);
      if (next >= first && next < first + count)
        row.target[s] = z[static_cast<std::size_t>(next - first)];
      const float most = largestOf<float>(z);
      if (most > row.sums[s].maximum)
        row.sums[s].top = first + (std::max_element(z.begin(), z.end()) - z.begin());
    }
    addTo(row, i, count);
  }

  void addTo(RowState& row, Index i, Index count) {
    const std::span<float> base = logits(0, count).row(i);
    const double factor = row.sums[0].raise(largestOf<float>(base));
    std::vector<float> p(base.begin(), base.end());
    exponentiate<float>(p, {row.sums[0].maximum});
    row.sums[0].sum += static_cast<double>(sumOfRow<float>(p));
    for (std::size_t s = 1; s < logits_.size(); ++s) {
      const std::span<float> z = logits(s, count).row(i);
      std::vector<float> apart(base.begin(), base.end());
      weightedSum<float>(apart, 1, z, -1, apart);
      row.differences[s] =
          factor * row.differences[s] + static_cast<double>(innerProduct<float>(p, apart));
      row.sums[s].raise(largestOf<float>(z));
      exponentiate<float>(z, {row.sums[s].maximum});
      row.sums[s].sum += static_cast<double>(sumOfRow<float>(z));
    }
  }

  std::span<const Index> next_;
  std::vector<RowState> rows_;
  std::vector<Matrix<float>> logits_;
};

// A text under several states.
struct PredictedText {
  const Model& model;
  std::span<const Index> ids;
  std::span<const std::shared_ptr<const Matrix<float>>> states;
};

// Predictions of rows [begin, end).
void predictBlock(const PredictedText& text, Index begin, Index end, LinearRoom& room,
                  std::vector<Predictions>& all, const Run& run) {
  const Index vocabulary = text.model.logits.weight.rows;
  const auto rows = static_cast<std::size_t>(end - begin);
  LogitBlock block(text.ids.subspan(static_cast<std::size_t>(begin) + 1, rows), text.states.size(),
                   vocabulary);
  for (Index first = 0; first < vocabulary; first += kVocabularyPart) {
    run.report(static_cast<double>(first) / static_cast<double>(vocabulary));
    const Index part = std::min(kVocabularyPart, vocabulary - first);
    for (std::size_t s = 0; s < text.states.size(); ++s)
      logitsOf(text.model, rowsOf(text.states[s]->view(), begin, end), first, block.logits(s, part),
               room, run.quiet(), begin);
    block.add(first, part, run.quiet());
  }
  block.store(begin, all);
}

[[noreturn]] void failLogit(std::span<const float> z, Index token, Index first) {
  const auto odd =
      std::find_if(z.begin(), z.end(), [](float value) { return !std::isfinite(value); });
  throw Error(ErrorCode::NonFinite, "logits",
              "the logit of vocabulary id " + std::to_string(first + (odd - z.begin())) +
                  " for token " + std::to_string(token) + " is " + shortest(*odd) +
                  "; it must be finite");
}

} // namespace

void logitsOf(const Model& model, MatrixView<const float> states, Index first, MatrixView<float> z,
              LinearRoom& room, const Run& run, Index token) {
  Linear part{rowsOf(model.logits.weight, first, first + z.cols), {}};
  if (!model.logits.bias.empty())
    part.bias.assign(model.logits.bias.begin() + first, model.logits.bias.begin() + first + z.cols);
  const std::array tasks{LinearTask{part, z}};
  applyLinear(states, tasks, room, run);
  forRows(z.rows, run, [&](Index i) {
    // Before the cap, which would make an infinite logit a finite one.
    if (!allFinite<float>(z.row(i)))
      failLogit(z.row(i), token + i, first);
    if (model.logitCap)
      capRow<float>(z.row(i), static_cast<float>(*model.logitCap));
  });
}

LogitRows::LogitRows(const Model& model, MatrixView<const float> states, const Run& run)
    : model_(model), states_(states), run_(run.quiet()),
      together_(std::clamp<Index>(kRowLogits / model.logits.weight.rows, 1, states.rows)) {}

std::span<const float> LogitRows::row(Index i) {
  if (i < begin_ || i >= begin_ + z_.rows()) {
    z_ = {}; // first: its room, and rows that fail are not there
    Matrix<float> z(std::min(together_, states_.rows - i), vocabulary());
    computeUnchanged(model_, [&] {
      logitsOf(model_, rowsOf(states_, i, i + z.rows()), 0, z.view(), room_, run_, i);
    });
    begin_ = i;
    z_ = std::move(z);
  }
  return std::as_const(z_).view().row(i - begin_);
}

std::vector<Predictions> predictions(const Model& model, std::span<const Index> ids,
                                     std::span<const std::shared_ptr<const Matrix<float>>> states,
                                     const PredictionsReady& ready, const Run& run) {
  const auto count = static_cast<Index>(ids.size()) - 1;
  const auto size = static_cast<std::size_t>(std::max<Index>(count, 0));
  std::vector<Predictions> all(states.size(),
                               {std::vector<double>(size), std::vector<Index>(size),
                                std::vector<double>(size), std::vector<double>(size)});
  const Index together = rowsOfBlock(states.size(), model.logits.weight.rows);
  const Index blocks = ceilDiv(count, together);
  LinearRoom room;
  for (Index b = 0; b < blocks; ++b) {
    const Index begin = b * together;
    const Index end = std::min(begin + together, count);
    computeUnchanged(model, [&] {
      predictBlock({model, ids, states}, begin, end, room, all, stepOf(run, b, blocks));
    });
    if (ready)
      ready(begin, end, all);
  }
  return all;
}

} // namespace attention
