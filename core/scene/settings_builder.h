// How a part of a Scene describes its settings: the same calls as for a mechanism
// (parameter_list.h), then build().
#pragma once

#include "core/pattern/parameter_list.h"
#include "core/scene/settings.h"

#include <utility>

namespace attention {

template <class S>
class SettingsBuilder : public ParameterList<SettingsBuilder<S>, S, S> {
public:
  Settings<S> build() { return std::move(this->parameters_); }
};

} // namespace attention
