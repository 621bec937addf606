#include "core/analysis/base.h"

#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/pattern.h"

#include <algorithm>
#include <cassert>

namespace attention {

bool Base::operator==(const Base& other) const {
  return kind == other.kind && (kind != Kind::Own || own == other.own || *own == *other.own);
}

Base ownBase(const Pattern& own, const Lengths& lengths, const Run& run) {
  if (const auto* full = own.as<attention::Full>())
    return full->causal ? Base::Causal : Base::Full;
  if (own.is<attention::Causal>())
    return Base::Causal;
  const auto prepared = prepare(own, lengths, run);
  return {std::make_shared<const Pattern>(own), meaningfulBase(prepared, run) == Base::Causal};
}

Base commonBase(std::span<const Base> ofHeads, const Base& none) {
  if (ofHeads.empty())
    return none;
  const auto differs = [&](const Base& base) { return !(base == ofHeads.front()); };
  return std::any_of(ofHeads.begin(), ofHeads.end(), differs) ? Base::Several : ofHeads.front();
}

std::string_view name(const Base& base) {
  return base == Base::Full ? "full" : base == Base::Causal ? "causal" : "own";
}

std::string wordOfBase(std::string_view name) {
  return name == "own" ? "the model's own" : std::string(name);
}

std::string wordOf(const Base& base) {
  return wordOfBase(name(base));
}

std::shared_ptr<const Prepared> baseOf(const Base& base, const Lengths& lengths) {
  assert(base.kind != Base::Kind::Several);
  if (base.kind == Base::Kind::Own)
    return prepare(*base.own, lengths);
  return prepare(base == Base::Full ? Pattern(Full{}) : Pattern(Causal{}), lengths);
}

std::shared_ptr<const Prepared> baseOf(const Base& base, const Prepared& pattern) {
  return baseOf(base, pattern.lengths())->asUnion(pattern.outputs().keys);
}

Base meaningfulBase(const std::shared_ptr<const Prepared>& pattern, const Run& run) {
  const Lengths& lengths = pattern->lengths();
  const auto past = compose(Operation::Intersection, {pattern, baseOf(Base::Causal, lengths)},
                            {"pattern", "causal"});
  if (past->closedForm())
    return past->pairs() == pattern->pairs() ? Base::Causal : Base::Full;
  KeyRanges ranges;
  for (Index i = 0; i < lengths.queries; ++i) {
    if (i % 1024 == 0)
      run.check();
    pattern->row(i, ranges);
    for (const KeyRange& range : ranges)
      if (count(range, i + lengths.offset + 1, lengths.keys) > 0)
        return Base::Full;
  }
  return Base::Causal;
}

} // namespace attention
