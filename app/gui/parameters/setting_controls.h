// The controls of a view's settings, made from their description (core/scene/settings.h): a slider
// for a number, segments for a choice, a check box, a field for a list.
#pragma once

#include "app/gui/panels/panel.h"
#include "app/gui/parameters/parameter_controls.h"
#include "core/scene/settings.h"

#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attention::gui {

// A parameter with its current value and bounds, whatever it belongs to.
struct SettingNow {
  const ParameterFacts& facts;
  Value value;
  Bounds bounds;
};

struct SettingEdit {
  std::optional<Value> value; // what was chosen in this frame
  bool finished = false;      // a drag or typing ended
  bool continuous = false;    // further edits join it as one undo step
};

// Draws the control for the type. `id` distinguishes it from others of that name.
SettingEdit settingControl(const PanelContext& c, const SettingNow& now, const std::string& id);

// Choices of which several may be pressed, in one row where their words fit, else two in a row.
// Returns the place of the one that was pressed, if any.
struct ToggleNow {
  std::string label;
  std::string meaning;
  bool on = false;
  bool enabled = true;
};
std::optional<std::size_t> settingToggles(const PanelContext& c, std::span<const ToggleNow> all);

// Settings of a part of the Scene; each control edits it. `part` is a member of the Scene, or a
// function from the Scene to one, const or not.
template <class S>
class SettingControls {
public:
  using Also = std::function<void(S&)>;

  template <class Part>
  SettingControls(const PanelContext& c, Part part, const Settings<S>& all)
      : c_(c), of_(std::invoke(part, c.scene)),
        edit_([part](Scene& s) -> S& { return std::invoke(part, s); }), all_(all) {}

  // Draws those of these names that matter given the other values, in this order.
  void draw(std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names) {
      const Setting<S>& setting = settingNamed(all_, name);
      if (setting.visible(of_))
        draw(setting);
    }
  }
  // Draws one whose edits change something else as well.
  void draw(std::string_view name, Also also) const { draw(settingNamed(all_, name), also); }
  // Draws one that has a different meaning in this picture.
  void drawAs(std::string_view name, const std::function<void(Setting<S>&)>& change,
              const Also& also = {}) const {
    Setting<S> setting = settingNamed(all_, name);
    change(setting);
    draw(setting, also);
  }
  // Booleans as buttons that stay pressed; with `least`, the last pressed one cannot be released.
  void toggles(std::initializer_list<std::string_view> names, bool least = false) const {
    std::vector<ToggleNow> all;
    std::size_t count = 0;
    for (const std::string_view name : names) {
      const Setting<S>& setting = settingNamed(all_, name);
      const bool on = std::get<bool>(setting.resolved(of_, 1));
      all.push_back({labelOf(setting), tipOf(setting), on, true});
      count += on ? 1 : 0;
    }
    for (ToggleNow& each : all)
      each.enabled = !(least && each.on && count == 1);
    if (const auto pressed = settingToggles(c_, all))
      push(settingNamed(all_, names.begin()[*pressed]), Value{!all[*pressed].on}, {});
  }

private:
  void draw(const Setting<S>& setting, const Also& also = {}) const {
    const SettingNow now{setting, setting.resolved(of_, 1), setting.bounds(of_, 1)};
    const SettingEdit edit = settingControl(c_, now, setting.name);
    if (edit.value)
      push(setting, *edit.value, edit.continuous ? setting.name : std::string(), also);
    if (edit.finished)
      c_.actions.push(EndGesture{});
  }

  void push(const Setting<S>& setting, const Value& value, const std::string& gesture,
            const Also& also = {}) const {
    c_.actions.push(EditScene{labelOf(setting),
                              [edit = edit_, set = setting.set, value, also](Scene& s) {
                                S& of = edit(s);
                                set(of, value);
                                if (also)
                                  also(of);
                              },
                              gesture});
  }

  const PanelContext& c_;
  const S& of_;
  std::function<S&(Scene&)> edit_;
  const Settings<S>& all_;
};

} // namespace attention::gui
