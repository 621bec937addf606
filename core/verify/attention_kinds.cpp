// Kinds with Q, K, V: attention, metrics, merge, multihead. T is the precision under test.
#include "core/verify/kinds.h"

#include "core/analysis/metrics.h"
#include "core/analysis/score/choice_board.h"
#include "core/attention/branches.h"
#include "core/attention/merge.h"
#include "core/attention/modifiers_json.h"
#include "core/attention/multihead.h"
#include "core/attention/weights.h"
#include "core/pattern/mechanism/nsa.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attention {
namespace {

AttendOptions attendOptionsOf(const CaseJson& json) {
  AttendOptions options;
  const auto scale = json.find("scale");
  if (scale != json.end() && *scale != "1/sqrt(d)")
    options.scale = numberOf("scale", *scale);
  const auto modifiers = json.find("modifiers");
  if (modifiers == json.end())
    return options;
  const Lengths lengths = lengthsOf(json);
  AttendOptions modified =
      optionsOf(scoreModifiers(*modifiers, "modifiers"), json.value("head", Index{0}),
                json.value("heads", Index{1}), std::max(lengths.queries, lengths.keys));
  if (!modified.scale)
    modified.scale = options.scale;
  return modified;
}

// What the shares of weight are measured against.
Base baseOfCase(const CaseJson& json) {
  const std::string base = isGiven(json, "base") ? textField(json, "base") : "full";
  if (base != "full" && base != "causal")
    throwRange("base", excerpt(base), "full or causal");
  return base == "full" ? Base::Full : Base::Causal;
}

std::vector<Index> rowCounts(const Prepared& pattern) {
  std::vector<Index> counts;
  for (Index i = 0; i < pattern.lengths().queries; ++i)
    counts.push_back(pattern.rowCount(i, 0, pattern.lengths().keys));
  return counts;
}

std::vector<Index> emptyRowsOf(const Prepared& pattern) {
  const std::vector<Index> counts = rowCounts(pattern);
  std::vector<Index> empty;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] == 0)
      empty.push_back(static_cast<Index>(i));
  return empty;
}

// Prepared from the case's own queries and keys, in the precision under test.
template <class T>
PatternData dataFrom(const CaseFile& file, const Pattern& pattern, const Matrix<T>& q,
                     const Matrix<T>& k) {
  const std::map<std::string, MatrixSource> arrays = file.furtherInputs(pattern);
  const bool shared = file.json().value("shared_qk", false);
  PatternData data;
  if (needsData(pattern)) {
    data = patternData<T>(q.view(), k.view(), shared);
    data.scale = attendOptionsOf(file.json()).scale;
    data.valueColumns = file.hasInput("V") ? file.input<T>("V").cols() : 0;
    data.arrays = arrays;
  }
  return data;
}

template <class T>
std::shared_ptr<const Prepared> preparedFrom(const CaseFile& file, const Matrix<T>& q,
                                             const Matrix<T>& k) {
  const Pattern pattern = file.pattern(file.json());
  return prepare(pattern, lengthsOf(file.json(), pattern), dataFrom<T>(file, pattern, q, k),
                 file.run());
}

template <class T>
std::vector<T> listOf(const CaseJson& json, const std::string& name) {
  std::vector<T> list;
  for (const CaseJson& item : listField(json, name))
    list.push_back(static_cast<T>(numberOf(name, item)));
  return list;
}

// The results of an attention case, and how its fields compare.
template <class T>
class AttentionCase {
public:
  AttentionCase(const CaseFile& file, Comparison& compare)
      : file_(file), compare_(compare), options_(attendOptionsOf(file.json())),
        base_(baseOfCase(file.json())) {
    if (!file.json().contains("inputs")) { // about the mask only
      pattern_ = prepare(file.pattern(file.json()), lengthsOf(file.json()), file.run());
      emptyRows_ = emptyRowsOf(*pattern_);
      return;
    }
    q_ = file.input<T>("Q");
    k_ = file.input<T>("K");
    v_ = file.input<T>("V");
    pattern_ = preparedFrom<T>(file, q_, k_);
    result_ = attend(*pattern_, q(), k(), std::as_const(v_).view(), options_, file.run());
    emptyRows_ = result_.emptyRows;
  }

  bool check(const std::string& name, const CaseJson& value) {
    return checkMask(name, value) || checkResult(name, value);
  }

  // What cases of nsa have besides (S22).
  bool checkBranches(const std::string& name, const CaseJson&) {
    const auto array = [&] { return file_.array(file_.expected(), name); };
    const auto& branches = pattern_->branches();
    for (std::size_t b = 0; branches && b < branches->of.size(); ++b)
      if (name == "out_" + branches->of[b].part.name) {
        const auto outputs =
            attendBranches<T>(*pattern_, q(), k(), std::as_const(v_).view(), options_);
        compare_.numbers<T>(name, outputs.of[b].values(), array());
        return true;
      }
    const Pattern pattern = file_.pattern(file_.json());
    const auto* nsa = pattern.as<Nsa>();
    if (!nsa)
      return false;
    if (name == "effective")
      compare_.numbers<T>(name, weights().values(), array());
    else if (name == "compressed_probs")
      compare_.numbers<double>(
          name, compressedWeights(*nsa, dataFrom<T>(file_, pattern, q_, k_)).values(), array());
    else if (name == "forced_blocks")
      compareForced(*nsa, array());
    else
      return false;
    return true;
  }

private:
  void compareForced(const Nsa& nsa, const Tensor& expected) {
    const Index n = pattern_->lengths().queries;
    std::vector<double> forced;
    for (Index i = 0; i < n; ++i)
      for (Index t = 0; t < ceilDiv(n, nsa.selectBlock); ++t)
        forced.push_back(isForced(nsa, i, t) ? 1 : 0);
    compare_.numbers<double>("forced_blocks", forced, expected);
  }

  MatrixView<const T> q() const { return q_.view(); }
  MatrixView<const T> k() const { return k_.view(); }

  bool checkMask(const std::string& name, const CaseJson& value) {
    if (name == "mask")
      compareMask(*pattern_, file_.array(file_.expected(), name), 0, compare_);
    else if (name == "pairs")
      compare_.integer(name, pattern_->pairs(), value);
    else if (name == "row_counts")
      compare_.integers(name, rowCounts(*pattern_), value);
    else if (name == "empty_rows")
      compare_.integers(name, emptyRows_, value);
    else if (name == "density")
      compare_.number(name, density(pattern_->pairs(), pattern_->lengths()), value);
    else
      return name == "decision_margin" || // about the case, not something that we compute
             checkChoice(file_, *pattern_, name, value, compare_);
    return true;
  }

  // Axes of one element may be there or not.
  void compareArray(const std::string& name, std::span<const T> got, std::vector<Index> shape) {
    const Tensor expected = file_.array(file_.expected(), name);
    std::vector<Index> given = expected.shape;
    std::erase(given, 1);
    std::vector<Index> needed = shape;
    std::erase(needed, 1);
    if (given != needed)
      return compare_.fail("the expected " + name + " has shape " + shapeText(expected.shape) +
                           "; it must be " + shapeText(shape));
    compare_.numbers<T>(name, got, expected);
  }

  bool checkResult(const std::string& name, const CaseJson& value) {
    if (q_.rows() == 0)
      return false; // there are no Q, K and V
    if (name == "out")
      compareArray(name, result_.out.values(), {result_.out.rows(), result_.out.cols()});
    else if (name == "lse")
      compareArray(name, result_.lse, {std::ssize(result_.lse)});
    else if (name == "score_board")
      compareBoard(choiceBoard<T>(*pattern_, q(), k(), options_, file_.run()), value, compare_);
    else if (name == "captured_mass_mean_vs_full")
      compare_.number(name, capturedMass<T>(pattern_, q(), k(), Base::Full, options_).mean, value);
    else if (name == "output_error_vs_full")
      checkError(value);
    else
      return checkModified(name, value);
    return true;
  }

  // What cases with modifiers of scores have (T8); without a sink its mass is 0.
  bool checkModified(const std::string& name, const CaseJson& value) {
    if (name == "lse_keys")
      compare_.numbers<T>(name, lseOfKeys(result_), file_.array(file_.expected(), name));
    else if (name == "row_sums")
      compare_.numbers<double>(name, weightSums(), value);
    else if (name == "probs")
      compare_.numbers<T>(name, weights().values(), file_.array(file_.expected(), name));
    else if (name == "sink_mass")
      compare_.numbers<double>(name, sinkMass(), value);
    else if (name == "mass" || name == "share")
      compare_.numbers<double>(name, massOfBase(name == "mass"), value);
    else
      return false;
    return true;
  }

  Matrix<T> weights() const {
    const WeightSource<T> source{*pattern_, q(), k(), result_.lse,
                                 scoringOf(options_, q_.cols(), pattern_->lengths())};
    return weightsOf(source, pattern_->bounds());
  }

  std::vector<double> weightSums() const {
    const Matrix<T> all = weights();
    std::vector<double> sums;
    for (Index i = 0; i < all.rows(); ++i) {
      const std::span<const T> row = all.view().row(i);
      sums.push_back(std::accumulate(row.begin(), row.end(), 0.0));
    }
    return sums;
  }

  std::vector<double> sinkMass() const {
    std::vector<double> mass(result_.lse.size());
    for (std::size_t i = 0; options_.sink && i < mass.size(); ++i)
      mass[i] = std::exp(*options_.sink - static_cast<double>(result_.lse[i]));
    return mass;
  }

  // With the sink in the denominator, or of what it leaves.
  std::vector<double> massOfBase(bool ofAll) const {
    CapturedMass mass = capturedMass<T>(pattern_, q(), k(), base_, options_);
    return ofAll && options_.sink ? mass.ofAll : mass.rows;
  }

  void checkError(const CaseJson& value) {
    const auto full = baseOf(Base::Full, *pattern_);
    const Attention<T> dense = attend(*full, q(), k(), std::as_const(v_).view(), options_);
    const OutputError error = outputError(result_.out, dense.out);
    compare_.number("relative_frobenius", error.relativeFrobenius,
                    field(value, "relative_frobenius"));
    compare_.number("max_abs", error.maxAbs, field(value, "max_abs"));
  }

  const CaseFile& file_;
  Comparison& compare_;
  Matrix<T> q_;
  Matrix<T> k_;
  Matrix<T> v_;
  std::shared_ptr<const Prepared> pattern_;
  AttendOptions options_;
  Base base_;
  Attention<T> result_;
  std::vector<Index> emptyRows_;
};

} // namespace

template <class T>
void verifyAttention(const CaseFile& file, Comparison& compare) {
  AttentionCase<T> attentionCase(file, compare);
  file.forEachExpected([&](const std::string& name, const CaseJson& value) {
    return attentionCase.check(name, value);
  });
}

template <class T>
void verifyNsa(const CaseFile& file, Comparison& compare) {
  AttentionCase<T> attentionCase(file, compare);
  file.forEachExpected([&](const std::string& name, const CaseJson& value) {
    return attentionCase.checkBranches(name, value) || attentionCase.check(name, value);
  });
}

template <class T>
void verifyMetrics(const CaseFile& file, Comparison& compare) {
  const Matrix<T> q = file.input<T>("Q");
  const Matrix<T> k = file.input<T>("K");
  const auto pattern = preparedFrom<T>(file, q, k);
  const AttendOptions options = attendOptionsOf(file.json());
  const auto mass = [&](Base base) {
    return capturedMass<T>(pattern, q.view(), k.view(), base, options, file.run());
  };
  file.forEachExpected([&](const std::string& name, const CaseJson& value) {
    if (name == "entropy_nats") {
      const std::vector<T> lse = logSumExp<T>(*pattern, q.view(), k.view(), options);
      compare.numbers<double>(name, rowEntropies<T>(*pattern, q.view(), k.view(), lse, options),
                              value);
    } else if (name == "captured_mass_full")
      compare.numbers<double>(name, mass(Base::Full).rows, value);
    else if (name == "captured_mass_full_mean")
      compare.number(name, mass(Base::Full).mean, value);
    else if (name == "captured_mass_causal")
      compare.numbers<double>(name, mass(Base::Causal).rows, value);
    else if (name == "captured_mass_causal_mean")
      compare.number(name, mass(Base::Causal).mean, value);
    else if (name == "density")
      compare.number(name, density(pattern->pairs(), pattern->lengths()), value);
    else
      return false;
    return true;
  });
}

template <class T>
void verifyMerge(const CaseFile& file, Comparison& compare) {
  for (const CaseJson& item : itemsOf(file.json())) {
    std::vector<T> out = listOf<T>(item, "o1");
    const std::vector<T> other = listOf<T>(item, "o2");
    compare.length("o2", other.size(), out.size());
    if (!compare.passed())
      return;
    const T lse = mergeRow<T>(out, static_cast<T>(numberOf("lse1", field(item, "lse1"))), other,
                              static_cast<T>(numberOf("lse2", field(item, "lse2"))));
    compare.numbers<T>("out", out, listField(item, "out"));
    compare.number("lse", static_cast<double>(lse), field(item, "lse"));
  }
}

template <class T>
void verifyMultihead(const CaseFile& file, Comparison& compare) {
  const PreparedHeads patterns = headsOf(file);
  const Matrix<T> x = file.input<T>("X");
  MultiheadWeights<T> weights{file.input<T>("Wq"), file.input<T>("Wk"), file.input<T>("Wv"), {}};
  if (field(file.json(), "inputs").contains("Wo"))
    weights.output = file.input<T>("Wo");
  const Index heads = integerField(file.json(), "heads");
  file.forEachExpected([&](const std::string& name, const CaseJson&) {
    if (name == "masks") {
      const Tensor masks = file.array(file.expected(), name);
      for (std::size_t h = 0; h < patterns.size(); ++h)
        compareMask(*patterns[h], masks, static_cast<Index>(h), compare);
    } else if (name == "out") {
      const Matrix<T> out = multihead<T>(patterns, x.view(), weights, heads, heads, {}, file.run());
      compare.numbers<T>(name, out.values(), file.array(file.expected(), name));
    } else
      return false;
    return true;
  });
}

template void verifyAttention<float>(const CaseFile&, Comparison&);
template void verifyAttention<double>(const CaseFile&, Comparison&);
template void verifyNsa<float>(const CaseFile&, Comparison&);
template void verifyNsa<double>(const CaseFile&, Comparison&);
template void verifyMetrics<float>(const CaseFile&, Comparison&);
template void verifyMetrics<double>(const CaseFile&, Comparison&);
template void verifyMerge<float>(const CaseFile&, Comparison&);
template void verifyMerge<double>(const CaseFile&, Comparison&);
template void verifyMultihead<float>(const CaseFile&, Comparison&);
template void verifyMultihead<double>(const CaseFile&, Comparison&);

} // namespace attention
