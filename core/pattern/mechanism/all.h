// The closed family of mechanisms.
#pragma once

#include "core/pattern/mechanism/bigbird.h"
#include "core/pattern/mechanism/block_local.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/composed.h"
#include "core/pattern/mechanism/dilated.h"
#include "core/pattern/mechanism/document.h"
#include "core/pattern/mechanism/expr.h"
#include "core/pattern/mechanism/fixed.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/given.h"
#include "core/pattern/mechanism/graph.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/mechanism/longformer.h"
#include "core/pattern/mechanism/prefix_lm.h"
#include "core/pattern/mechanism/sinks.h"
#include "core/pattern/mechanism/sliding_window.h"
#include "core/pattern/mechanism/strided.h"
#include "core/pattern/mechanism/vertical_slash.h"

#include <variant>

namespace attention {

// In the order of the specification (S4).
using Mechanism = std::variant<Full, Causal, Local, SlidingWindow, Dilated, BlockLocal, Strided,
                               Fixed, Longformer, BigBird, Sinks, Graph, VerticalSlash, PrefixLm,
                               Document, Expr, Compose, Given>;

} // namespace attention
