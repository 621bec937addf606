// How a mechanism writes its description: one call a parameter, which ties the name to the member
// and states meaning, unit, bounds and default. Used by the mechanisms' sources alone.
#pragma once

#include "core/pattern/description.h"
#include "core/pattern/pattern.h"
#include "core/support/error.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace attention {

inline const char* causalMeaning() {
  return "Keep j ≤ i: no query sees the future";
}

// The type error of a parameter: "stride is a text; it must be an integer".
[[noreturn]] void throwType(const std::string& parameter, const Value& found, ParameterType type);

// Bounds that do not depend on anything.
inline auto atLeast(double minimum) {
  return [minimum](const auto&, Index) { return Bounds{minimum}; };
}
inline auto between(double minimum, double maximum) {
  return [=](const auto&, Index) { return Bounds{minimum, maximum}; };
}
// minimum + k · step, in words.
inline auto steps(double minimum, Index step, const std::string& words) {
  return [=](const auto&, Index) {
    return Bounds{minimum, std::numeric_limits<double>::infinity(), words, step};
  };
}
// 0 … n − 1, for indices of tokens.
inline auto tokenIndices() {
  return [](const auto&, Index n) { return Bounds{0, static_cast<double>(n - 1)}; };
}

// A named setting of several parameters.
template <class M>
struct PresetOf {
  std::string name;
  std::string label;
  std::string meaning;
  void (*apply)(M&);
};

template <class M>
class DescriptionBuilder {
public:
  DescriptionBuilder(std::string name, std::string title, std::string group) {
    d_.name = std::move(name);
    d_.title = std::move(title);
    d_.group = std::move(group);
  }

  DescriptionBuilder& alias(std::string name) {
    d_.aliases.push_back(std::move(name));
    return *this;
  }
  DescriptionBuilder& summary(std::string text) {
    d_.summary = std::move(text);
    return *this;
  }
  DescriptionBuilder& source(std::string text) {
    d_.source = std::move(text);
    return *this;
  }
  DescriptionBuilder& definition(std::vector<std::string> lines) {
    d_.definition = std::move(lines);
    return *this;
  }
  DescriptionBuilder& conventions(std::string text) {
    d_.conventions = std::move(text);
    return *this;
  }
  DescriptionBuilder& complexity(std::string text) {
    d_.complexity = std::move(text);
    return *this;
  }

  // An integer with a constant default.
  template <class B>
  DescriptionBuilder& integer(std::string name, std::string symbol, Index M::*member,
                              std::string meaning, std::string unit, B bounds) {
    return plain(std::move(name), std::move(symbol), member, std::move(meaning), std::move(unit),
                 ParameterType::Integer, bounds);
  }
  // An integer whose default depends on n and on other parameters: fallback(m, n).
  template <class B, class F>
  DescriptionBuilder& integer(std::string name, std::string symbol, std::optional<Index> M::*member,
                              std::string meaning, std::string unit, B bounds, F fallback) {
    Parameter& p = optional(std::move(name), member, std::move(meaning), ParameterType::Integer);
    p.symbol = std::move(symbol);
    p.unit = std::move(unit);
    p.bounds = typed<Bounds>(bounds);
    p.resolved = [member, fallback](const Pattern& pattern, Index n) {
      const M& m = *pattern.as<M>();
      return Value(m.*member ? *(m.*member) : fallback(m, n));
    };
    return *this;
  }
  // An optional value without a default of its own (a prefix that may be absent), or a required
  // one.
  template <class T, class B>
  DescriptionBuilder& given(std::string name, std::string symbol, std::optional<T> M::*member,
                            std::string meaning, ParameterType type, bool required, B bounds) {
    Parameter& p = optional(std::move(name), member, std::move(meaning), type);
    p.symbol = std::move(symbol);
    p.required = required;
    p.bounds = typed<Bounds>(bounds);
    return *this;
  }
  template <class B>
  DescriptionBuilder& real(std::string name, std::string symbol, double M::*member,
                           std::string meaning, B bounds) {
    return plain(std::move(name), std::move(symbol), member, std::move(meaning), "",
                 ParameterType::Real, bounds);
  }
  DescriptionBuilder& seed(std::string name, std::uint64_t M::*member, std::string meaning) {
    return plain(std::move(name), "", member, std::move(meaning), "", ParameterType::Seed,
                 atLeast(0));
  }
  DescriptionBuilder& boolean(std::string name, bool M::*member, std::string meaning) {
    return plain(std::move(name), "", member, std::move(meaning), "", ParameterType::Boolean,
                 atLeast(0));
  }
  DescriptionBuilder& text(std::string name, std::string M::*member, std::string meaning) {
    return plain(std::move(name), "", member, std::move(meaning), "", ParameterType::Text,
                 atLeast(0));
  }
  // Lists, named numbers, masks: any member whose type is an alternative of Value.
  template <class T, class B>
  DescriptionBuilder& value(std::string name, std::string symbol, T M::*member, std::string meaning,
                            ParameterType type, B bounds) {
    return plain(std::move(name), std::move(symbol), member, std::move(meaning), "", type, bounds);
  }

  // Named settings of several parameters at once: written as what they set, never as themselves.
  // The current one is the first that changes nothing when set.
  DescriptionBuilder& preset(std::string meaning, std::vector<PresetOf<M>> presets) {
    Parameter& p = append("preset", std::move(meaning), ParameterType::Choice);
    for (const auto& preset : presets)
      p.choices.push_back({preset.name, preset.label, preset.meaning});
    p.given = [](const Pattern&) { return Value{}; };
    p.resolved = [presets](const Pattern& pattern, Index) {
      const M& m = *pattern.as<M>();
      for (const auto& preset : presets) {
        M changed = m;
        preset.apply(changed);
        if (changed == m)
          return Value{preset.name};
      }
      return Value{};
    };
    p.set = [presets, id = p.name](Pattern& pattern, const Value& v) {
      if (std::holds_alternative<std::monostate>(v))
        return;
      std::vector<ChoiceOf<std::size_t>> names;
      for (std::size_t k = 0; k < presets.size(); ++k)
        names.push_back({k, presets[k].name, {}, {}});
      presets[chosen(names, std::size_t{0}, v, id)].apply(*pattern.as<M>());
    };
    return *this;
  }

  // A list of factors, or one number, which is a list of one; fallback(m, n) where not given.
  template <class B, class F>
  DescriptionBuilder& factors(std::string name, std::string symbol,
                              std::optional<IndexList> M::*member, std::string meaning, B bounds,
                              F fallback) {
    Parameter& p =
        optional(std::move(name), member, std::move(meaning), ParameterType::IntegersOrCount);
    p.symbol = std::move(symbol);
    p.bounds = typed<Bounds>(bounds);
    p.resolved = [member, fallback](const Pattern& pattern, Index n) {
      const M& m = *pattern.as<M>();
      return Value(m.*member ? *(m.*member) : fallback(m, n));
    };
    p.set = [setList = p.set](Pattern& pattern, const Value& v) {
      const auto* one = std::get_if<Index>(&v);
      setList(pattern, one ? Value(IndexList{*one}) : v);
    };
    return *this;
  }

  // A list of tokens of 0 … n − 1, or the number of first tokens.
  DescriptionBuilder& tokens(std::string name, std::string symbol, TokenList M::*member,
                             std::string meaning) {
    Parameter& p = append(std::move(name), std::move(meaning), ParameterType::IntegersOrCount);
    p.symbol = std::move(symbol);
    const auto valueOf = [](const TokenList& list) {
      return std::visit([](const auto& x) { return Value{x}; }, list);
    };
    p.bounds = [member](const Pattern& pattern, Index n) {
      const bool count = std::holds_alternative<Index>(pattern.as<M>()->*member);
      return count ? Bounds{0} : Bounds{0, static_cast<double>(n - 1)};
    };
    p.given = [member, valueOf](const Pattern& pattern) {
      const TokenList& list = pattern.as<M>()->*member;
      return list == M{}.*member ? Value{} : valueOf(list);
    };
    p.resolved = [member, valueOf](const Pattern& pattern, Index) {
      return valueOf(pattern.as<M>()->*member);
    };
    p.set = [member, id = p.name](Pattern& pattern, const Value& v) {
      TokenList& list = pattern.as<M>()->*member;
      if (const auto* count = std::get_if<Index>(&v))
        list = *count;
      else if (std::holds_alternative<std::monostate>(v))
        list = M{}.*member;
      else
        list = as<IndexList>(v, ParameterType::IntegersOrCount, id);
    };
    return *this;
  }

  template <class E>
  DescriptionBuilder& choice(std::string name, E M::*member, std::string meaning,
                             std::vector<ChoiceOf<E>> choices) {
    Parameter& p = append(std::move(name), std::move(meaning), ParameterType::Choice);
    for (const auto& c : choices)
      p.choices.push_back({c.name, c.label, c.meaning});
    const auto nameOf = [choices](E e) {
      const auto at = std::find_if(choices.begin(), choices.end(),
                                   [e](const ChoiceOf<E>& c) { return c.value == e; });
      return at->name;
    };
    p.given = [member, nameOf](const Pattern& pattern) {
      const E e = pattern.as<M>()->*member;
      return e == M{}.*member ? Value{} : Value{nameOf(e)};
    };
    p.resolved = [member, nameOf](const Pattern& pattern, Index) {
      return Value{nameOf(pattern.as<M>()->*member)};
    };
    p.set = [member, choices, id = p.name](Pattern& pattern, const Value& v) {
      pattern.as<M>()->*member = chosen(choices, M{}.*member, v, id);
    };
    return *this;
  }

  DescriptionBuilder& patterns(std::string name, std::vector<Pattern> M::*member,
                               std::string meaning) {
    Parameter& p = append(std::move(name), std::move(meaning), ParameterType::Patterns);
    p.required = true;
    p.given = [member](const Pattern& pattern) {
      return Value{std::make_shared<const PatternList>(pattern.as<M>()->*member)};
    };
    p.resolved = [given = p.given](const Pattern& pattern, Index) { return given(pattern); };
    p.set = [member, id = p.name](Pattern& pattern, const Value& v) {
      const auto* list = std::get_if<std::shared_ptr<const PatternList>>(&v);
      if (!list || !*list)
        throwType(id, v, ParameterType::Patterns);
      // A copy first: the list may hold the pattern that it is put into.
      PatternList copy = **list;
      pattern.as<M>()->*member = std::move(copy);
    };
    return *this;
  }

  // Of the parameter just described.
  DescriptionBuilder& unit(const std::string& text) {
    last().unit = text;
    return *this;
  }
  // Always written, and never missing from JSON, even where it has a default to start from.
  DescriptionBuilder& required() {
    last().required = true;
    last().given = [resolved = last().resolved](const Pattern& pattern) {
      return resolved(pattern, 1);
    };
    return *this;
  }
  template <class F>
  DescriptionBuilder& visibleIf(F visible) {
    last().visible = typed1(visible);
    return *this;
  }

  Description build() { return std::move(d_); }

private:
  Parameter& last() { return d_.parameters.back(); }

  template <class R, class F>
  static std::function<R(const Pattern&, Index)> typed(F f) {
    return [f](const Pattern& pattern, Index n) { return f(*pattern.as<M>(), n); };
  }
  template <class F>
  static std::function<bool(const Pattern&)> typed1(F f) {
    return [f](const Pattern& pattern) { return f(*pattern.as<M>()); };
  }

  Parameter& append(std::string name, std::string meaning, ParameterType type) {
    Parameter p;
    p.name = std::move(name);
    p.meaning = std::move(meaning);
    p.type = type;
    p.bounds = [](const Pattern&, Index) { return Bounds{}; };
    p.visible = [](const Pattern&) { return true; };
    d_.parameters.push_back(std::move(p));
    return last();
  }

  template <class E>
  static E chosen(const std::vector<ChoiceOf<E>>& choices, E fallback, const Value& v,
                  const std::string& parameter) {
    if (std::holds_alternative<std::monostate>(v))
      return fallback;
    const auto* text = std::get_if<std::string>(&v);
    if (!text)
      throwType(parameter, v, ParameterType::Choice);
    std::string allowed;
    for (const auto& c : choices) {
      if (sameName(c.name, *text))
        return c.value;
      allowed += (allowed.empty() ? "" : ", ") + c.name;
    }
    throwRange(parameter, *text, "one of " + allowed);
  }

  template <class T, class B>
  DescriptionBuilder& plain(std::string name, std::string symbol, T M::*member, std::string meaning,
                            std::string unit, ParameterType type, B bounds) {
    Parameter& p = append(std::move(name), std::move(meaning), type);
    p.symbol = std::move(symbol);
    p.unit = std::move(unit);
    p.bounds = typed<Bounds>(bounds);
    p.given = [member](const Pattern& pattern) {
      const T& x = pattern.as<M>()->*member;
      return x == M{}.*member ? Value{} : Value{x};
    };
    p.resolved = [member](const Pattern& pattern, Index) {
      return Value{pattern.as<M>()->*member};
    };
    p.set = [member, type, id = p.name](Pattern& pattern, const Value& v) {
      T& x = pattern.as<M>()->*member;
      x = std::holds_alternative<std::monostate>(v) ? M{}.*member : as<T>(v, type, id);
    };
    return *this;
  }

  template <class T>
  Parameter& optional(std::string name, std::optional<T> M::*member, std::string meaning,
                      ParameterType type) {
    Parameter& p = append(std::move(name), std::move(meaning), type);
    p.given = [member](const Pattern& pattern) {
      const auto& x = pattern.as<M>()->*member;
      return x ? Value{*x} : Value{};
    };
    p.resolved = [given = p.given](const Pattern& pattern, Index) { return given(pattern); };
    p.set = [member, type, id = p.name](Pattern& pattern, const Value& v) {
      auto& x = pattern.as<M>()->*member;
      if (std::holds_alternative<std::monostate>(v))
        x.reset();
      else
        x = as<T>(v, type, id);
    };
    return p;
  }

  // The alternative T of v. Integers serve as reals and, where not negative, as seeds.
  template <class T>
  static T as(const Value& v, ParameterType type, const std::string& parameter) {
    if (const T* x = std::get_if<T>(&v))
      return *x;
    const auto* integer = std::get_if<Index>(&v);
    if constexpr (std::is_same_v<T, double>) {
      if (integer)
        return static_cast<double>(*integer);
    }
    if constexpr (std::is_same_v<T, std::uint64_t>) {
      if (integer && *integer < 0)
        throwRange(parameter, std::to_string(*integer), "an integer from 0 to 2^64 − 1");
      if (integer)
        return static_cast<std::uint64_t>(*integer);
    }
    throwType(parameter, v, type);
  }

  Description d_;
};

} // namespace attention
