// The closed family of mechanisms.
#pragma once

#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/composed.h"
#include "core/pattern/mechanism/fixed.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/mechanism/strided.h"

#include <variant>

namespace attention {

using Mechanism = std::variant<Full, Causal, Local, Strided, Fixed, Compose>;

} // namespace attention
