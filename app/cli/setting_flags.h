// Flags that are settings of a view: their names, values, meanings and defaults come from the
// setting's description (core/scene/settings.h), and what is given goes into the view's spec.
#pragma once

#include "app/cli/arguments.h"
#include "core/scene/settings.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace attention::cli {

// Which numbers a command takes, where the view's bounds are those of what it can show.
enum class FlagBounds {
  Setting, // the same
  Least,   // no smaller ones than the view, but larger ones
  Command  // whoever computes with them says which
};

// A setting that a command takes, with what the command says of it in its own way.
struct SettingFlag {
  std::string setting;   // its name
  std::string name = {}; // of the flag; empty: the setting's
  std::string help = {}; // without the default; empty: the setting's meaning
  FlagBounds bounds = FlagBounds::Setting;
  bool required = false;    // the command has no default
  bool saysDefault = false; // `help` does
};

// "--key-tile B", "--reading docs|code": a setting as a flag, with `fallback` as its default, which
// its help tells if `shows`. Truth values that are false are switches.
Flag flagOf(const ParameterFacts& setting, const Value& fallback, bool shows);

// E_TYPE: "ranks is missing; it must be given by --ranks".
[[noreturn]] void throwMissing(const std::string& flag);

template <class S>
class SettingFlags {
public:
  // `defaults` are the command's, where it has others than the view.
  SettingFlags(const Settings<S>& all, const std::vector<SettingFlag>& flags, S defaults = {})
      : defaults_(std::move(defaults)) {
    for (const SettingFlag& flag : flags) {
      Setting<S> setting = settingNamed(all, flag.setting);
      setting.name = flag.name.empty() ? flag.setting : flag.name;
      std::replace(setting.name.begin(), setting.name.end(), '_', '-');
      if (!flag.help.empty())
        setting.meaning = flag.help;
      if (setting.symbol.empty())
        setting.symbol = flag.setting.substr(0, 1);
      setting.required = flag.required;
      if (flag.bounds == FlagBounds::Least)
        setting.bounds = [of = setting.bounds](const S& spec, Index n) {
          return Bounds{of(spec, n).minimum};
        };
      if (flag.bounds == FlagBounds::Command) // checkSettings leaves out what nothing reads
        setting.visible = [](const S&) { return false; };
      const bool shows = !flag.required && !flag.saysDefault;
      flags_.push_back(flagOf(setting, heldValue(setting, defaults_), shows));
      settings_.push_back(std::move(setting));
    }
  }

  const std::vector<Flag>& flags() const { return flags_; }

  // `spec`, or the defaults, with what is given. E_TYPE, E_RANGE and E_NONFINITE name the flag.
  S read(const Arguments& arguments, S spec) const {
    for (const Setting<S>& setting : settings_)
      if (const std::string* text = arguments.find(setting.name))
        setting.set(spec, valueFromText(setting, *text));
      else if (setting.required)
        throwMissing(setting.name);
    checkSettings(settings_, spec);
    return spec;
  }
  S read(const Arguments& arguments) const { return read(arguments, defaults_); }

private:
  Settings<S> settings_; // under the flags' names
  std::vector<Flag> flags_;
  S defaults_;
};

} // namespace attention::cli
