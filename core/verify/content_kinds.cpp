// Kinds whose pattern is read by several softmaxes: lsh, routing_scatter_mean. T is the precision
// under test.
#include "core/pattern/mechanism/lsh.h"
#include "core/verify/kinds.h"

#include "core/attention/attend.h"
#include "core/pattern/mechanism/lsh_rounds.h"
#include "core/support/error.h"

namespace attention {
namespace {

AttendOptions scaleOption(const CaseJson& json) {
  AttendOptions options;
  const auto scale = json.find("scale");
  if (scale != json.end() && *scale != "1/sqrt(d)")
    options.scale = numberOf("scale", *scale);
  return options;
}

// Integers of all rounds, one round after another.
void compareRounds(const std::string& name, const LshRounds& hashed,
                   std::vector<Index> LshRound::*member, const Tensor& expected,
                   Comparison& compare) {
  Index at = 0;
  for (const LshRound& round : hashed.rounds)
    for (const Index got : round.*member) {
      if (at == expected.elements())
        return compare.fail(name + " has fewer values than expected");
      compare.integer(name, got, static_cast<Index>(number(expected, at++)));
    }
  compare.length(name, static_cast<std::size_t>(at), static_cast<std::size_t>(expected.elements()));
}

template <class T>
class ContentCase {
public:
  ContentCase(const CaseFile& file, Comparison& compare, const Pattern& pattern, Matrix<T> q,
              Matrix<T> k)
      : file_(file), compare_(compare), q_(std::move(q)), k_(std::move(k)), v_(file.input<T>("V")),
        data_(patternData<T>(queries(), keys())),
        prepared_(prepare(pattern, lengthsOf(file.json()), data_, file.run())),
        result_(attend(*prepared_, queries(), keys(), std::as_const(v_).view(),
                       scaleOption(file.json()), file.run())) {}

  const PatternData& data() const { return data_; }

  bool check(const std::string& name, const CaseJson& value) {
    if (name == "mask")
      compareMask(*prepared_, file_.array(file_.expected(), name), 0, compare_);
    else if (name == "pairs")
      compare_.integer(name, prepared_->pairs(), value);
    else if (name == "out")
      compare_.numbers<T>(name, result_.out.values(), file_.array(file_.expected(), name));
    else if (name == "lse")
      compare_.numbers<T>(name, result_.lse, file_.array(file_.expected(), name));
    else if (name == "empty_rows")
      compare_.integers(name, result_.emptyRows, value);
    else
      return name == "decision_margin"; // about the case, not something that we compute
    return true;
  }

private:
  MatrixView<const T> queries() const { return q_.view(); }
  MatrixView<const T> keys() const { return k_.view(); }

  const CaseFile& file_;
  Comparison& compare_;
  Matrix<T> q_;
  Matrix<T> k_;
  Matrix<T> v_;
  PatternData data_;
  std::shared_ptr<const Prepared> prepared_;
  Attention<T> result_;
};

} // namespace

template <class T>
void verifyLsh(const CaseFile& file, Comparison& compare) {
  Pattern pattern = file.pattern(file.json());
  if (!pattern.is<Lsh>())
    throw Error(ErrorCode::Unknown, "mechanism", "mechanism is not lsh; it must be lsh");
  auto& lsh = *pattern.as<Lsh>();
  if (field(file.json(), "inputs").contains("rotations"))
    lsh.rotations = sourceOf(file.array(field(file.json(), "inputs"), "rotations"));
  const Matrix<T> x = file.input<T>("QK");
  ContentCase<T> contentCase(file, compare, pattern, x, x);
  const LshRounds hashed = lshRounds(lsh, lengthsOf(file.json()), contentCase.data(), file.run());
  file.forEachExpected([&](const std::string& name, const CaseJson& value) {
    if (name == "buckets")
      compareRounds(name, hashed, &LshRound::bucket, file.array(file.expected(), name), compare);
    else if (name == "order")
      compareRounds(name, hashed, &LshRound::order, file.array(file.expected(), name), compare);
    else
      return contentCase.check(name, value);
    return true;
  });
}

template <class T>
void verifyRoutingScatterMean(const CaseFile& file, Comparison& compare) {
  Pattern pattern = file.pattern(file.json());
  set(pattern, "combine", "scatter_mean");
  ContentCase<T> contentCase(file, compare, pattern, file.input<T>("Q"), file.input<T>("K"));
  file.forEachExpected([&](const std::string& name, const CaseJson& value) {
    return contentCase.check(name, value);
  });
}

template void verifyLsh<float>(const CaseFile&, Comparison&);
template void verifyLsh<double>(const CaseFile&, Comparison&);
template void verifyRoutingScatterMean<float>(const CaseFile&, Comparison&);
template void verifyRoutingScatterMean<double>(const CaseFile&, Comparison&);

} // namespace attention
