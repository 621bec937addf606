#include "core/pattern/pattern.h"

#include "core/pattern/mechanism/all.h"
#include "core/support/error.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace attention {
namespace {

template <class V>
struct AllOf;
template <class... M>
struct AllOf<std::variant<M...>> {
  static_assert((MechanismLike<M> && ...), "a mechanism lacks describe() or prepared()");
  static std::vector<Pattern> defaults() { return {Pattern(M{})...}; }
  static std::unique_ptr<Mechanism> moved(const std::type_info& type, void* m) {
    std::unique_ptr<Mechanism> made;
    const auto take = [&]<class One>(One* one) {
      made = std::make_unique<Mechanism>(std::move(*one));
      return true;
    };
    [[maybe_unused]] const bool known = ((type == typeid(M) && take(static_cast<M*>(m))) || ...);
    assert(known && "a mechanism is not named in the variant");
    return made;
  }
};
using All = AllOf<Mechanism::variant>;

// The nearest of the `known` names, else all that are `listed`.
[[noreturn]] void throwUnknown(const std::string& kind, std::string_view name,
                               std::span<const std::string> known,
                               std::span<const std::string> listed) {
  std::string hint = nearestHint(name, known);
  if (hint.empty())
    for (const std::string& one : listed)
      hint += (hint.empty() ? "; it must be one of " : ", ") + one;
  throw Error(ErrorCode::Unknown, std::string(name),
              kind + " \"" + std::string(name) + "\" is unknown" + hint);
}

bool judgesLengths(const Pattern& pattern) {
  for (const Pattern* operand : operandsOf(pattern))
    if (!judgesLengths(*operand))
      return false;
  return mayBeRectangular(pattern) ||
         std::visit([](const auto& m) { return TakesRectangles<std::decay_t<decltype(m)>>; },
                    pattern.mechanism());
}

} // namespace

Pattern::Pattern() : mechanism_(std::make_unique<Mechanism>()) {}
Pattern::Pattern(const std::type_info& type, void* m) : mechanism_(All::moved(type, m)) {}
Pattern::Pattern(const Pattern& other)
    : mechanism_(std::make_unique<Mechanism>(*other.mechanism_)) {}
Pattern::Pattern(Pattern&&) noexcept = default;
Pattern& Pattern::operator=(const Pattern& other) {
  return *this = Pattern(other);
}
Pattern& Pattern::operator=(Pattern&&) noexcept = default;
Pattern::~Pattern() = default;

void* Pattern::held(const std::type_info& type) const {
  return std::visit(
      [&](auto& m) -> void* { return typeid(m) == type ? static_cast<void*>(&m) : nullptr; },
      *mechanism_);
}

bool Pattern::operator==(const Pattern& other) const {
  return *mechanism_ == *other.mechanism_;
}

bool sameMechanism(const Pattern& a, const Pattern& b) {
  return a.mechanism().index() == b.mechanism().index();
}

std::span<const Pattern> allMechanisms() {
  static const std::vector<Pattern> kAll = All::defaults();
  return kAll;
}

std::vector<std::string> mechanismNames() {
  std::vector<std::string> names;
  for (const Pattern& pattern : allMechanisms()) {
    const Description& d = description(pattern);
    names.push_back(d.name);
    names.insert(names.end(), d.aliases.begin(), d.aliases.end());
  }
  return names;
}

const Description& description(const Pattern& pattern) {
  return std::visit([](const auto& m) -> const Description& { return describe(m); },
                    pattern.mechanism());
}

Pattern patternNamed(std::string_view name, std::span<const std::string> others) {
  std::vector<std::string> listed;
  for (const Pattern& pattern : allMechanisms()) {
    const Description& d = description(pattern);
    const auto same = [&](const std::string& known) { return sameName(known, name); };
    if (same(d.name) || std::any_of(d.aliases.begin(), d.aliases.end(), same))
      return pattern;
    listed.push_back(d.name);
  }
  std::vector<std::string> known = mechanismNames();
  known.insert(known.end(), others.begin(), others.end());
  listed.insert(listed.end(), others.begin(), others.end());
  throwUnknown("mechanism", name, known, listed);
}

const Parameter& parameterNamed(const Pattern& pattern, std::string_view name) {
  const Description& d = description(pattern);
  if (const Parameter* parameter = d.find(name))
    return *parameter;
  std::vector<std::string> names;
  for (const Parameter& p : d.parameters)
    names.push_back(p.name);
  throwUnknown("parameter of " + d.name, name, names, names);
}

void set(Pattern& pattern, std::string_view parameter, const Value& value) {
  parameterNamed(pattern, parameter).set(pattern, value);
}

void dropUnread(Pattern& pattern) {
  for (const Parameter& parameter : description(pattern).parameters)
    if (parameter.exclusive && !parameter.visible(pattern))
      parameter.set(pattern, Value{});
}

bool needsData(const Pattern& pattern) {
  return std::visit(
      [](const auto& m) {
        if constexpr (PreparesFromData<std::decay_t<decltype(m)>>)
          return readsData(m);
        else
          return false;
      },
      pattern.mechanism());
}

std::vector<const Pattern*> operandsOf(const Pattern& pattern) {
  std::vector<const Pattern*> operands;
  if (const auto* composed = pattern.as<Compose>())
    for (const Pattern& operand : composed->of)
      operands.push_back(&operand);
  if (const auto* drawn = pattern.as<Drawn>(); drawn && drawn->on)
    operands.push_back(&*drawn->on);
  return operands;
}

bool mayNeedData(const Pattern& pattern) {
  if (pattern.is<Compose>() || pattern.is<Drawn>()) {
    const auto operands = operandsOf(pattern);
    return std::any_of(operands.begin(), operands.end(),
                       [](const Pattern* operand) { return mayNeedData(*operand); });
  }
  return std::visit([](const auto& m) { return PreparesFromData<std::decay_t<decltype(m)>>; },
                    pattern.mechanism());
}

bool mayBeRectangular(const Pattern& pattern) {
  for (const Pattern* operand : operandsOf(pattern))
    if (!mayBeRectangular(*operand))
      return false;
  return std::visit(
      [](const auto& m) {
        using M = std::decay_t<decltype(m)>;
        if constexpr (TakesRectangles<M>)
          return takesRectangles(m);
        else if constexpr (PreparesFromData<M>)
          return !readsData(m);
        else
          return true;
      },
      pattern.mechanism());
}

bool ignoresAlignment(const Pattern& pattern) {
  return std::visit(
      [](const auto& m) {
        if constexpr (TakesAnyAlignment<std::decay_t<decltype(m)>>)
          return takesAnyAlignment(m);
        else
          return false;
      },
      pattern.mechanism());
}

std::shared_ptr<const Prepared> prepare(const Pattern& pattern, const Lengths& lengths,
                                        const PatternData& data, const Run& run) {
  check(pattern, lengths);
  return std::visit(
      [&](const auto& m) {
        if constexpr (PreparesFromData<std::decay_t<decltype(m)>>)
          return prepared(m, lengths, data, run);
        else
          return prepared(m, lengths, run);
      },
      pattern.mechanism());
}

std::shared_ptr<const Prepared> prepare(const Pattern& pattern, const Lengths& lengths,
                                        const Run& run) {
  return prepare(pattern, lengths, PatternData{}, run);
}

bool judgeLengths(std::span<const Pattern> patterns) {
  return std::all_of(patterns.begin(), patterns.end(), judgesLengths);
}

} // namespace attention
