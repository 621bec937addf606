// One list of fields serves reading and writing: describe(f, value) names every field of a struct
// once, and f is a reader or a writer of JSON.
#pragma once

#include "core/pattern/pattern_json.h"
#include "core/scene/settings.h"
#include "core/support/error.h"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace attention::fields {

using Json = nlohmann::json;
using Written = nlohmann::ordered_json; // keeps the order of fields

// Names of an enum's values, in their order from 0.
template <std::size_t N>
using Names = std::array<std::string_view, N>;
// What one of them was called before, which is still read.
template <class E>
struct FormerName {
  std::string_view name = {};
  E value = {};
};

[[noreturn]] inline void throwType(const std::string& where, const char* allowed) {
  throw Error(ErrorCode::Type, where, where + " has the wrong type; it must be " + allowed);
}

// Checks that a file is one of ours, a "scene" or a "lesson", and not from a later version.
void requireThisVersion(const Json& json, const std::string& what, const std::string& kind,
                        Index newest);

// T or const T: the same list of fields reads and writes.
template <class T, class Of>
concept Either = std::same_as<std::remove_const_t<T>, Of>;

class Writer {
public:
  Written json = Written::object();

  Writer() = default;
  // Leaves out what `usual` holds under the same name, since a reader takes that for what is
  // missing. `usual` must outlive this.
  explicit Writer(const Written& usual) : usual_(&usual) {}

  template <class T>
  void field(const char* name, const T& value) {
    put(name, value);
  }
  template <class T>
  void field(const char* name, const std::optional<T>& value) {
    if (value)
      put(name, *value);
  }
  template <class S>
  void settings(const Settings<S>& all, const S& of) {
    for (const Setting<S>& setting : all)
      if (const Value value = heldValue(setting, of);
          !std::holds_alternative<std::monostate>(value))
        put(setting.name, valueToJson(value));
  }
  // A member that has settings and nothing else, as an object.
  template <class S>
  void part(const char* name, const Settings<S>& all, const S& of) {
    Writer inner = within(name);
    inner.settings(all, of);
    putObject(name, std::move(inner.json));
  }
  template <class S>
  void part(const char* name, const Settings<S>& all, const std::optional<S>& of) {
    if (!of)
      return;
    Writer inner;
    inner.settings(all, *of);
    put(name, std::move(inner.json));
  }
  // Words and lists that are left out where they are empty.
  void text(const char* name, const std::string& value) {
    if (!value.empty())
      field(name, value);
  }
  template <class T>
  void list(const char* name, const std::vector<T>& values) {
    if (!values.empty())
      field(name, values);
  }
  template <class T>
  void list(const char* name, const SharedList<T>& values) {
    list(name, values.get());
  }
  template <class E, std::size_t N>
  void choice(const char* name, const E& value, const Names<N>& names, const FormerName<E>& = {}) {
    put(name, names[static_cast<std::size_t>(value)]);
  }
  template <class E, std::size_t N>
  void choice(const char* name, const std::optional<E>& value, const Names<N>& names,
              const FormerName<E>& = {}) {
    if (value)
      choice(name, *value, names);
  }
  template <class T>
  void object(const char* name, const T& value, std::string_view = {}) {
    Writer inner = within(name);
    describe(inner, value);
    putObject(name, std::move(inner.json));
  }
  template <class T>
  void object(const char* name, const std::optional<T>& value) {
    if (!value)
      return;
    Writer inner;
    describe(inner, *value);
    put(name, std::move(inner.json));
  }
  template <class T>
  void objects(const char* name, const std::vector<T>& values) {
    if (values.empty())
      return;
    const T usual{};
    Writer none;
    describe(none, usual);
    Written items = Written::array();
    for (const T& value : values) {
      Writer inner = usual_ ? Writer(none.json) : Writer();
      describe(inner, value);
      items.push_back(std::move(inner.json));
    }
    json[name] = std::move(items);
  }
  // A value with a JSON form of its own.
  template <class T, class To, class From, class Unknown = std::nullptr_t>
  void own(const char* name, const T& value, To to, From, Unknown = {}) {
    put(name, to(value));
  }

private:
  void put(const std::string& name, Written value) {
    const Written* same = usualOf(name);
    if (!same || *same != value)
      json[name] = std::move(value);
  }
  // Left out where all within it is.
  void putObject(const char* name, Written value) {
    if (!usual_ || !value.empty())
      json[name] = std::move(value);
  }
  Writer within(const char* name) const {
    const Written* usual = usualOf(name);
    return usual ? Writer(*usual) : Writer();
  }
  const Written* usualOf(const std::string& name) const {
    return usual_ && usual_->contains(name) ? &usual_->at(name) : nullptr;
  }

  const Written* usual_ = nullptr;
};

class Reader {
public:
  // `what` the object is, in messages: its fields are "`what``joint`name". A file's are
  // "scene.json: mask", another field's "steps[0].title".
  Reader(const Json& json, const std::string& what, std::vector<std::string>& warnings,
         const char* joint = ".")
      : json_(json), before_(what + joint), warnings_(warnings) {
    if (!json.is_object())
      throwType(what, "an object");
  }

  template <class T>
  void field(const char* name, T& value) {
    if (const Json* found = take(name))
      read(*found, at(name), value);
  }
  template <class T>
  void field(const char* name, std::optional<T>& value) {
    const Json* found = take(name);
    if (!found || found->is_null())
      return;
    value.emplace();
    read(*found, at(name), *value);
  }
  template <class S>
  void settings(const Settings<S>& all, S& of) {
    for (const Setting<S>& setting : all)
      if (const Json* found = take(setting.name)) {
        ParameterFacts facts = setting;
        facts.name = at(setting.name);
        setting.set(of, valueFromJson(facts, *found));
      }
  }
  template <class S>
  void part(const char* name, const Settings<S>& all, S& of) {
    const Json* found = take(name);
    if (!found)
      return;
    Reader inner = within(*found, at(name));
    inner.settings(all, of);
    inner.warnOfUnknown();
  }
  template <class S>
  void part(const char* name, const Settings<S>& all, std::optional<S>& of) {
    if (json_.contains(name))
      part(name, all, of.emplace());
  }
  void text(const char* name, std::string& value) { field(name, value); }
  template <class T>
  void list(const char* name, std::vector<T>& values) {
    field(name, values);
  }
  template <class T>
  void list(const char* name, SharedList<T>& values) {
    if (!json_.contains(name))
      return;
    std::vector<T> read;
    list(name, read);
    values = std::move(read);
  }
  template <class E, std::size_t N>
  void choice(const char* name, E& value, const Names<N>& names, const FormerName<E>& former = {}) {
    const Json* found = take(name);
    if (!found)
      return;
    if (!found->is_string())
      throwType(at(name), "a name");
    const auto text = found->get<std::string>();
    if (!former.name.empty() && text == former.name) {
      value = former.value;
      return;
    }
    const auto known = std::find(names.begin(), names.end(), text);
    if (known == names.end())
      throwRange(at(name), "\"" + text + "\"", joined(names));
    value = static_cast<E>(known - names.begin());
  }
  template <class E, std::size_t N>
  void choice(const char* name, std::optional<E>& value, const Names<N>& names,
              const FormerName<E>& former = {}) {
    if (!json_.contains(name))
      return;
    value.emplace();
    choice(name, *value, names, former);
  }
  // `former`: what it was called before, which is still read.
  template <class T>
  void object(const char* name, T& value, std::string_view former = {}) {
    const Json* found = take(name);
    const bool renamed = !found && !former.empty();
    const std::string called = renamed ? std::string(former) : name;
    if (renamed)
      found = take(called);
    if (!found)
      return;
    Reader inner = within(*found, at(called));
    describe(inner, value);
    inner.warnOfUnknown();
  }
  template <class T>
  void object(const char* name, std::optional<T>& value) {
    if (!json_.contains(name))
      return;
    value.emplace();
    object(name, *value);
  }
  template <class T>
  void objects(const char* name, std::vector<T>& values) {
    const Json* found = take(name);
    if (!found)
      return;
    if (!found->is_array())
      throwType(at(name), "a list of objects");
    for (const Json& item : *found) {
      Reader inner = within(item, at(name));
      describe(inner, values.emplace_back());
      inner.warnOfUnknown();
    }
  }
  // `unknown`: receives the names of fields that are left out.
  template <class T, class To, class From, class Unknown = std::nullptr_t>
  void own(const char* name, T& value, To, From from, Unknown unknown = {}) {
    const Json* found = take(name);
    if (!found)
      return;
    value = from(*found);
    if constexpr (!std::is_null_pointer_v<Unknown>)
      for (const std::string& field : unknown(*found))
        warn(at(name) + "." + field);
  }

  void warnOfUnknown() const {
    for (const auto& [key, value] : json_.items())
      if (std::find(taken_.begin(), taken_.end(), key) == taken_.end())
        warn(at(key));
  }

private:
  void warn(const std::string& field) const {
    warnings_.push_back(field + " is not known and was left out");
  }
  std::string at(const std::string& name) const { return before_ + name; }
  Reader within(const Json& json, const std::string& where) const {
    return {json, where, warnings_};
  }

  const Json* take(const std::string& name) {
    taken_.emplace_back(name);
    const auto found = json_.find(name);
    return found == json_.end() ? nullptr : &*found;
  }

  template <std::size_t N>
  static std::string joined(const Names<N>& names) {
    std::string all;
    for (const auto& name : names)
      all += (all.empty() ? "one of " : ", ") + std::string(name);
    return all;
  }

  static void read(const Json& json, const std::string& where, bool& value) {
    if (!json.is_boolean())
      throwType(where, "true or false");
    value = json.get<bool>();
  }
  static void read(const Json& json, const std::string& where, std::int64_t& value) {
    const bool fits = json.is_number_integer() &&
                      (!json.is_number_unsigned() || json.get<std::uint64_t>() <= INT64_MAX);
    if (!fits)
      throwType(where, "an integer below 2^63");
    value = json.get<std::int64_t>();
  }
  static void read(const Json& json, const std::string& where, double& value) {
    if (!json.is_number())
      throwType(where, "a number");
    value = json.get<double>();
  }
  static void read(const Json& json, const std::string& where, std::string& value) {
    if (!json.is_string())
      throwType(where, "a text");
    value = json.get<std::string>();
  }
  template <class T>
  static void read(const Json& json, const std::string& where, std::vector<T>& values) {
    if (!json.is_array())
      throwType(where, "a list");
    values.clear();
    for (const Json& item : json)
      read(item, where, values.emplace_back());
  }

  const Json& json_;
  std::string before_;
  std::vector<std::string>& warnings_;
  std::vector<std::string> taken_;
};

} // namespace attention::fields
