// The closed family of mechanisms.
#pragma once

#include "core/pattern/mechanism/bigbird.h"
#include "core/pattern/mechanism/block_diffusion.h"
#include "core/pattern/mechanism/block_local.h"
#include "core/pattern/mechanism/block_topk.h"
#include "core/pattern/mechanism/cache.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/cluster.h"
#include "core/pattern/mechanism/composed.h"
#include "core/pattern/mechanism/dilated.h"
#include "core/pattern/mechanism/dilated_segments.h"
#include "core/pattern/mechanism/document.h"
#include "core/pattern/mechanism/drawn.h"
#include "core/pattern/mechanism/dsa.h"
#include "core/pattern/mechanism/expr.h"
#include "core/pattern/mechanism/fixed.h"
#include "core/pattern/mechanism/flexprefill.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/given_mask.h"
#include "core/pattern/mechanism/graph.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/mechanism/longformer.h"
#include "core/pattern/mechanism/lsh.h"
#include "core/pattern/mechanism/moba.h"
#include "core/pattern/mechanism/msa.h"
#include "core/pattern/mechanism/neighborhood.h"
#include "core/pattern/mechanism/nsa.h"
#include "core/pattern/mechanism/prefix_lm.h"
#include "core/pattern/mechanism/quest.h"
#include "core/pattern/mechanism/radial.h"
#include "core/pattern/mechanism/routing.h"
#include "core/pattern/mechanism/sinks.h"
#include "core/pattern/mechanism/sliding_window.h"
#include "core/pattern/mechanism/spans.h"
#include "core/pattern/mechanism/sparge.h"
#include "core/pattern/mechanism/strided.h"
#include "core/pattern/mechanism/topk.h"
#include "core/pattern/mechanism/tree.h"
#include "core/pattern/mechanism/vertical_slash.h"
#include "core/pattern/mechanism/vertical_slash_estimated.h"
#include "core/pattern/mechanism/xattention.h"

#include <variant>

namespace attention {

// In the order of the specification (S4, S5, S6, S21 – S30, T1 – T7); compositions last.
struct Mechanism
    : std::variant<Full, Causal, Local, SlidingWindow, Dilated, BlockLocal, Strided, Fixed,
                   Longformer, BigBird, Sinks, Graph, VerticalSlash, PrefixLm, Document, Expr, TopK,
                   Cluster, Routing, VerticalSlashEstimated, Lsh, Moba, Nsa, Dsa, Msa, Quest,
                   XAttention, FlexPrefill, Sparge, BlockTopK, Cache, Neighborhood, BlockDiffusion,
                   Spans, Tree, Radial, DilatedSegments, Compose, GivenMask, Drawn> {
  using variant::variant;
};

} // namespace attention
