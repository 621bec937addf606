// How a struct describes its members: one call per parameter, which ties a name to the member and
// states meaning, unit, bounds and default. Mechanisms describe themselves with it
// (description_builder.h), and so do the settings of a Scene (core/scene/settings.h).
#pragma once

#include "core/pattern/parameter.h"
#include "core/pattern/pattern.h"
#include "core/support/error.h"

#include <algorithm>
#include <optional>
#include <type_traits>
#include <utility>

namespace attention {

// Bounds that do not depend on anything.
inline auto anyNumber() {
  return [](const auto&, Index) { return Bounds{}; };
}
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

// `Self` is the class whose calls chain, M the struct with the members, and Of the owner of the
// parameters: a Pattern that holds an M, or M itself.
template <class Self, class M, class Of>
class ParameterList {
public:
  // An integer with a constant default.
  template <class B>
  Self& integer(const std::string& name, const std::string& symbol, Index M::*member,
                const std::string& meaning, const std::string& unit, B bounds) {
    return plain(name, symbol, member, meaning, unit, ParameterType::Integer, bounds);
  }
  // An integer whose default depends on n and on other parameters: fallback(m, n).
  template <class B, class F>
  Self& integer(const std::string& name, const std::string& symbol, std::optional<Index> M::*member,
                const std::string& meaning, const std::string& unit, B bounds, F fallback) {
    ParameterOf<Of>& p = optional(name, member, meaning, ParameterType::Integer);
    p.symbol = symbol;
    p.unit = unit;
    p.bounds = typed<Bounds>(bounds);
    p.resolved = [member, fallback](const Of& of, Index n) {
      const M& m = in(of);
      return Value(m.*member ? *(m.*member) : fallback(m, n));
    };
    return self();
  }
  // An optional value without a default of its own (a prefix that may be absent), or a required
  // one.
  template <class T, class B>
  Self& given(const std::string& name, const std::string& symbol, std::optional<T> M::*member,
              const std::string& meaning, ParameterType type, bool required, B bounds) {
    ParameterOf<Of>& p = optional(name, member, meaning, type);
    p.symbol = symbol;
    p.required = required;
    p.bounds = typed<Bounds>(bounds);
    return self();
  }
  template <class B>
  Self& real(const std::string& name, const std::string& symbol, double M::*member,
             const std::string& meaning, B bounds) {
    return plain(name, symbol, member, meaning, "", ParameterType::Real, bounds);
  }
  Self& seed(const std::string& name, std::uint64_t M::*member, const std::string& meaning) {
    return plain(name, "", member, meaning, "", ParameterType::Seed, atLeast(0));
  }
  Self& boolean(const std::string& name, bool M::*member, const std::string& meaning) {
    return plain(name, "", member, meaning, "", ParameterType::Boolean, atLeast(0));
  }
  Self& text(const std::string& name, std::string M::*member, const std::string& meaning) {
    return plain(name, "", member, meaning, "", ParameterType::Text, atLeast(0));
  }
  // Lists, named numbers, masks: any member whose type is an alternative of Value.
  template <class T, class B>
  Self& value(const std::string& name, const std::string& symbol, T M::*member,
              const std::string& meaning, ParameterType type, B bounds) {
    return plain(name, symbol, member, meaning, "", type, bounds);
  }

  template <class B>
  Self& integers(const std::string& name, const std::string& symbol, std::vector<Index> M::*member,
                 const std::string& meaning, B bounds) {
    ParameterOf<Of>& p = append(name, meaning, ParameterType::Integers);
    p.symbol = symbol;
    p.bounds = typed<Bounds>(bounds);
    p.resolved = [member](const Of& of, Index) { return Value{IndexList(in(of).*member)}; };
    p.given = [member](const Of& of) {
      const std::vector<Index>& list = in(of).*member;
      return list == M{}.*member ? Value{} : Value{IndexList(list)};
    };
    p.set = [member, id = p.name](Of& of, const Value& v) {
      in(of).*member = std::holds_alternative<std::monostate>(v)
                           ? M{}.*member
                           : as<IndexList>(v, ParameterType::Integers, id).get();
    };
    return self();
  }

  // Named settings of several parameters at once: stored as the values they set, never by name. The
  // current one is the first that changes nothing when set.
  Self& preset(const std::string& meaning, std::vector<PresetOf<M>> presets) {
    ParameterOf<Of>& p = append("preset", meaning, ParameterType::Choice);
    for (const auto& preset : presets)
      p.choices.push_back({preset.name, preset.label, preset.meaning});
    p.given = [](const Of&) { return Value{}; };
    p.resolved = [presets](const Of& of, Index) {
      const M& m = in(of);
      for (const auto& preset : presets) {
        M changed = m;
        preset.apply(changed);
        if (changed == m)
          return Value{preset.name};
      }
      return Value{};
    };
    p.set = [presets, choices = p.choices, id = p.name](Of& of, const Value& v) {
      if (std::holds_alternative<std::monostate>(v))
        return;
      presets[placeOfChoice(choices, v, id)].apply(in(of));
    };
    return self();
  }

  // A list of factors, or one number, which is a list of one; fallback(m, n) where not given.
  template <class B, class F>
  Self& factors(const std::string& name, const std::string& symbol,
                std::optional<IndexList> M::*member, const std::string& meaning, B bounds,
                F fallback) {
    ParameterOf<Of>& p = optional(name, member, meaning, ParameterType::IntegersOrCount);
    p.symbol = symbol;
    p.bounds = typed<Bounds>(bounds);
    p.resolved = [member, fallback](const Of& of, Index n) {
      const M& m = in(of);
      return Value(m.*member ? *(m.*member) : fallback(m, n));
    };
    p.set = [setList = p.set](Of& of, const Value& v) {
      const auto* one = std::get_if<Index>(&v);
      setList(of, one ? Value(IndexList{*one}) : v);
    };
    return self();
  }

  // A list of tokens from 0 … n − 1, or the number of first tokens.
  Self& tokens(const std::string& name, const std::string& symbol, TokenList M::*member,
               const std::string& meaning) {
    ParameterOf<Of>& p = append(name, meaning, ParameterType::IntegersOrCount);
    p.symbol = symbol;
    const auto valueOf = [](const TokenList& list) {
      return std::visit([](const auto& x) { return Value{x}; }, list);
    };
    p.bounds = [member](const Of& of, Index n) {
      const bool count = std::holds_alternative<Index>(in(of).*member);
      return count ? Bounds{0} : Bounds{0, static_cast<double>(n - 1)};
    };
    p.given = [member, valueOf](const Of& of) {
      const TokenList& list = in(of).*member;
      return list == M{}.*member ? Value{} : valueOf(list);
    };
    p.resolved = [member, valueOf](const Of& of, Index) { return valueOf(in(of).*member); };
    p.set = [member, id = p.name](Of& of, const Value& v) {
      TokenList& list = in(of).*member;
      if (const auto* count = std::get_if<Index>(&v))
        list = *count;
      else if (std::holds_alternative<std::monostate>(v))
        list = M{}.*member;
      else
        list = as<IndexList>(v, ParameterType::IntegersOrCount, id);
    };
    return self();
  }

  // One value for all axes, or one per axis.
  template <class One, class Many, class B>
  Self& perAxis(const std::string& name, const std::string& symbol,
                std::variant<One, Many> M::*member, const std::string& meaning, B bounds) {
    ParameterOf<Of>& p = append(name, meaning, typePerAxis<One>());
    p.symbol = symbol;
    p.bounds = typed<Bounds>(bounds);
    p.given = [member](const Of& of) {
      const auto& x = in(of).*member;
      return x == M{}.*member ? Value{} : held(x);
    };
    p.resolved = [member](const Of& of, Index) { return held(in(of).*member); };
    p.set = [member, id = p.name](Of& of, const Value& v) {
      in(of).*member =
          std::holds_alternative<std::monostate>(v) ? M{}.*member : either<One, Many>(v, id);
    };
    return self();
  }
  // The same, without a default.
  template <class One, class Many, class B>
  Self& perAxis(const std::string& name, const std::string& symbol,
                std::optional<std::variant<One, Many>> M::*member, const std::string& meaning,
                bool required, B bounds) {
    ParameterOf<Of>& p = append(name, meaning, typePerAxis<One>());
    p.symbol = symbol;
    p.required = required;
    p.optional = true;
    p.bounds = typed<Bounds>(bounds);
    p.given = [member](const Of& of) {
      const auto& x = in(of).*member;
      return x ? held(*x) : Value{};
    };
    p.resolved = [given = p.given](const Of& of, Index) { return given(of); };
    p.set = [member, id = p.name](Of& of, const Value& v) {
      auto& x = in(of).*member;
      x.reset();
      if (!std::holds_alternative<std::monostate>(v))
        x = either<One, Many>(v, id);
    };
    return self();
  }

  // An optional choice: what holds where it is not given depends on other parameters.
  template <class E, class F>
  Self& choice(const std::string& name, std::optional<E> M::*member, const std::string& meaning,
               std::vector<ChoiceOf<E>> choices, F fallback) {
    ParameterOf<Of>& p = append(name, meaning, ParameterType::Choice);
    for (const auto& c : choices)
      p.choices.push_back({c.name, c.label, c.meaning});
    p.given = [member, choices](const Of& of) {
      const auto& e = in(of).*member;
      return e ? Value{nameAmong(choices, *e)} : Value{};
    };
    p.resolved = [member, choices, fallback](const Of& of, Index) {
      const M& m = in(of);
      return Value{nameAmong(choices, m.*member ? *(m.*member) : fallback(m))};
    };
    p.set = [member, choices, named = p.choices, id = p.name](Of& of, const Value& v) {
      auto& e = in(of).*member;
      if (std::holds_alternative<std::monostate>(v))
        e.reset();
      else
        e = choices[placeOfChoice(named, v, id)].value;
    };
    return self();
  }

  template <class E>
  Self& choice(const std::string& name, E M::*member, const std::string& meaning,
               std::vector<ChoiceOf<E>> choices) {
    ParameterOf<Of>& p = append(name, meaning, ParameterType::Choice);
    for (const auto& c : choices)
      p.choices.push_back({c.name, c.label, c.meaning});
    const auto nameOf = [choices](E e) { return nameAmong(choices, e); };
    p.given = [member, nameOf](const Of& of) {
      const E e = in(of).*member;
      return e == M{}.*member ? Value{} : Value{nameOf(e)};
    };
    p.resolved = [member, nameOf](const Of& of, Index) { return Value{nameOf(in(of).*member)}; };
    p.set = [member, choices, named = p.choices, id = p.name](Of& of, const Value& v) {
      in(of).*member = std::holds_alternative<std::monostate>(v)
                           ? M{}.*member
                           : choices[placeOfChoice(named, v, id)].value;
    };
    return self();
  }

  // One pattern, or none.
  Self& pattern(const std::string& name, std::optional<Pattern> M::*member,
                const std::string& meaning) {
    ParameterOf<Of>& p = append(name, meaning, ParameterType::Pattern);
    p.optional = true;
    p.given = [member](const Of& of) {
      const std::optional<Pattern>& pattern = in(of).*member;
      return pattern ? Value{std::make_shared<const Pattern>(*pattern)} : Value{};
    };
    p.resolved = [given = p.given](const Of& of, Index) { return given(of); };
    p.set = [member, id = p.name](Of& of, const Value& v) {
      const auto* pattern = std::get_if<std::shared_ptr<const Pattern>>(&v);
      if (!std::holds_alternative<std::monostate>(v) && !(pattern && *pattern))
        throwType(id, v, ParameterType::Pattern);
      std::optional<Pattern> copy; // made first: it may be the pattern that it is put into
      if (pattern)
        copy = **pattern;
      in(of).*member = std::move(copy);
    };
    return self();
  }

  Self& patterns(const std::string& name, std::vector<Pattern> M::*member,
                 const std::string& meaning) {
    ParameterOf<Of>& p = append(name, meaning, ParameterType::Patterns);
    p.required = true;
    p.given = [member](const Of& of) {
      return Value{std::make_shared<const PatternList>(in(of).*member)};
    };
    p.resolved = [given = p.given](const Of& of, Index) { return given(of); };
    p.set = [member, id = p.name](Of& of, const Value& v) {
      const auto* list = std::get_if<std::shared_ptr<const PatternList>>(&v);
      if (!list || !*list)
        throwType(id, v, ParameterType::Patterns);
      // Copies first: the list may hold the pattern into which it is put.
      PatternList copy = **list;
      in(of).*member = std::move(copy);
    };
    return self();
  }

  // Apply to the parameter just described.
  Self& unit(const std::string& text) {
    last().unit = text;
    return self();
  }
  // Always written, and never missing from JSON, even where it has a default to start from.
  Self& required() {
    last().required = true;
    last().given = [resolved = last().resolved](const Of& of) { return resolved(of, 1); };
    return self();
  }
  template <class F>
  Self& visibleIf(F visible) {
    last().visible = typed1(visible);
    return self();
  }

  // The same, and given where it is not visible, it is an error (E_UNKNOWN).
  template <class F>
  Self& onlyIf(F visible) {
    last().exclusive = true;
    return visibleIf(visible);
  }

  // What the window calls false and true, where a check box would be unclear.
  Self& states(Choice off, Choice on) {
    last().choices = {std::move(off), std::move(on)};
    return self();
  }
  // What an empty field stands for.
  Self& none(const std::string& words) {
    last().none = words;
    return self();
  }
  // The numbers that the window offers instead of a slider.
  Self& usual(const std::vector<Index>& numbers) {
    last().usual = numbers;
    return self();
  }
  // The largest value that a slider gives, where more is allowed.
  Self& handy(double most) {
    last().handy = most;
    return self();
  }
  // What the window calls it, where name and symbol would be unclear.
  Self& label(const std::string& text) {
    last().label = text;
    return self();
  }

protected:
  std::vector<ParameterOf<Of>> parameters_;

private:
  Self& self() { return static_cast<Self&>(*this); }

  static const M& in(const Of& of) {
    if constexpr (std::is_same_v<M, Of>)
      return of;
    else
      return *of.template as<M>();
  }
  static M& in(Of& of) {
    if constexpr (std::is_same_v<M, Of>)
      return of;
    else
      return *of.template as<M>();
  }

  ParameterOf<Of>& last() { return parameters_.back(); }

  template <class R, class F>
  static std::function<R(const Of&, Index)> typed(F f) {
    return [f](const Of& of, Index n) { return f(in(of), n); };
  }
  template <class F>
  static std::function<bool(const Of&)> typed1(F f) {
    return [f](const Of& of) { return f(in(of)); };
  }

  template <class E>
  static std::string nameAmong(const std::vector<ChoiceOf<E>>& choices, E e) {
    const auto at = std::find_if(choices.begin(), choices.end(),
                                 [e](const ChoiceOf<E>& c) { return c.value == e; });
    return at == choices.end() ? std::string() : at->name;
  }

  template <class One>
  static constexpr ParameterType typePerAxis() {
    return std::is_same_v<One, bool> ? ParameterType::BooleansOrOne : ParameterType::IntegersOrOne;
  }
  template <class One, class Many>
  static Value held(const std::variant<One, Many>& x) {
    return std::visit([](const auto& value) { return Value{value}; }, x);
  }
  template <class One, class Many>
  static std::variant<One, Many> either(const Value& v, const std::string& parameter) {
    if (const One* one = std::get_if<One>(&v))
      return *one;
    return as<Many>(v, typePerAxis<One>(), parameter);
  }

  ParameterOf<Of>& append(const std::string& name, const std::string& meaning, ParameterType type) {
    ParameterOf<Of> p;
    p.name = name;
    p.meaning = meaning;
    p.type = type;
    p.bounds = [](const Of&, Index) { return Bounds{}; };
    p.visible = [](const Of&) { return true; };
    parameters_.push_back(std::move(p));
    return last();
  }

  template <class T, class B>
  Self& plain(const std::string& name, const std::string& symbol, T M::*member,
              const std::string& meaning, const std::string& unit, ParameterType type, B bounds) {
    ParameterOf<Of>& p = append(name, meaning, type);
    p.symbol = symbol;
    p.unit = unit;
    p.bounds = typed<Bounds>(bounds);
    p.given = [member](const Of& of) {
      const T& x = in(of).*member;
      return x == M{}.*member ? Value{} : Value{x};
    };
    p.resolved = [member](const Of& of, Index) { return Value{in(of).*member}; };
    p.set = [member, type, id = p.name](Of& of, const Value& v) {
      T& x = in(of).*member;
      x = std::holds_alternative<std::monostate>(v) ? M{}.*member : as<T>(v, type, id);
    };
    return self();
  }

  template <class T>
  ParameterOf<Of>& optional(const std::string& name, std::optional<T> M::*member,
                            const std::string& meaning, ParameterType type) {
    ParameterOf<Of>& p = append(name, meaning, type);
    p.optional = true;
    p.given = [member](const Of& of) {
      const auto& x = in(of).*member;
      return x ? Value{*x} : Value{};
    };
    p.resolved = [given = p.given](const Of& of, Index) { return given(of); };
    p.set = [member, type, id = p.name](Of& of, const Value& v) {
      auto& x = in(of).*member;
      if (std::holds_alternative<std::monostate>(v))
        x.reset();
      else
        x = as<T>(v, type, id);
    };
    return p;
  }

  // The alternative T of v. Integers are accepted as reals and, if not negative, as seeds.
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
};

} // namespace attention
