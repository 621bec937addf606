#include "core/pattern/mechanism/longformer.h"

#include "core/pattern/description_builder.h"
#include "core/pattern/heads.h"
#include "core/pattern/line_cells.h"

#include <algorithm>
#include <memory>
#include <string>

namespace attention {
namespace {

// Up to this many runs the global lines are primitives, which compose and go to the shader.
constexpr std::size_t kMostRuns = 4;

Primitive windowOf(const Longformer& longformer) {
  const bool total = longformer.reading == Longformer::Reading::Total;
  const Index side = total ? longformer.window / 2 : longformer.window;
  const Index r = longformer.dilation;
  const Index reach = std::min(side, kUnbounded / r + 1) * r;
  return band(longformer.causal ? 0 : -reach, reach, r);
}

// The first tokens as one run need no list.
std::vector<IndexPair> runsOf(const TokenList& globals, Index n) {
  if (const Index* count = std::get_if<Index>(&globals))
    return *count > 0 ? std::vector<IndexPair>{{0, std::min(*count, n)}} : std::vector<IndexPair>{};
  return SortedIndices(std::get<IndexList>(globals)).runs();
}

PrimitiveSet globalPrimitives(const std::vector<IndexPair>& runs, bool causal) {
  PrimitiveSet set;
  const auto line = [&](const Rect& clip) {
    set.primitives.push_back(causal ? band(0, kUnbounded, 1, clip) : area(clip));
  };
  for (const auto& [begin, end] : runs) {
    line({begin, end, 0, kUnbounded});
    line({0, kUnbounded, begin, end});
  }
  return set;
}

bool isGlobal(const std::vector<IndexPair>& runs, Index token) {
  const auto run = std::upper_bound(runs.begin(), runs.end(), token,
                                    [](Index t, const IndexPair& r) { return t < r.second; });
  return run != runs.end() && run->first <= token;
}

std::string explainGlobal(const std::vector<IndexPair>& runs, bool causal, Index i, Index j) {
  if (causal && j > i)
    return "key " + std::to_string(j) + " > query " + std::to_string(i);
  if (isGlobal(runs, j))
    return "key " + std::to_string(j) + " is global";
  if (isGlobal(runs, i))
    return "query " + std::to_string(i) + " is global";
  return "neither query " + std::to_string(i) + " nor key " + std::to_string(j) + " is global";
}

} // namespace

const Description& describe(const Longformer&) {
  const auto windowBounds = [](const Longformer& longformer, Index n) {
    return longformer.reading == Longformer::Reading::Total
               ? steps(0, 2, "an even integer of at least 0 (w/2 on each side)")(longformer, n)
               : atLeast(0)(longformer, n);
  };
  static const Description kDescription =
      DescriptionBuilder<Longformer>("longformer", "Longformer", "Global tokens")
          .summary("A window around the query, and global tokens that see all and are seen by all.")
          .source("Beltagy et al. 2020, §3.1")
          .definition({"Wᵢ = { j : |i−j| ≤ (w/2) r, (i−j) mod r = 0 }",
                       "Sᵢ = { 0, …, n−1 } if i ∈ G, else Wᵢ ∪ G"})
          .conventions("The paper and Hugging Face count w in total, w/2 on each side; allenai's "
                       "configuration has w on each side. Both project global rows separately, "
                       "which a mask does not show.")
          .complexity("O(n (w+g) d)")
          .integer("window", "w", &Longformer::window, "Size of the window", "tokens", windowBounds)
          .tokens("globals", "G", &Longformer::globals,
                  "Global tokens: their positions, or how many of the first tokens")
          .integer("dilation", "r", &Longformer::dilation,
                   "Step within the window; heads may differ (--dilations)", "tokens", atLeast(1))
          .choice("reading", &Longformer::reading, "What w counts",
                  {{Longformer::Reading::Total, "total", "w in total", "w/2 on each side (paper)"},
                   {Longformer::Reading::OneSided, "one_sided", "w per side",
                    "w on each side, as in allenai's configuration"}})
          .boolean("causal", &Longformer::causal, causalMeaning())
          .heads(
              {"dilations"}, {"dilation"},
              [](Longformer& longformer, const HeadOptions& options, Index index, Index) {
                longformer.dilation = options.dilations[static_cast<std::size_t>(index)];
              },
              [](const HeadOptions& options) { return !options.dilations.empty(); })
          .build();
  return kDescription;
}

std::shared_ptr<const Prepared> prepared(const Longformer& longformer, const Lengths& lengths,
                                         const Run&) {
  const Index n = lengths.keys;
  const Primitive window = windowOf(longformer);
  const auto runs = runsOf(longformer.globals, n);
  Part global{"global", "global tokens", {}, {}};
  if (runs.size() <= kMostRuns)
    global.cells = globalPrimitives(runs, longformer.causal);
  else
    global.cells = counted(std::make_shared<const GlobalLines>(
        SortedIndices(std::get<IndexList>(longformer.globals)), window, longformer.causal, n));
  global.explain = [runs, causal = longformer.causal](Index i, Index j) {
    return explainGlobal(runs, causal, i, j);
  };
  return fromParts(lengths, {{"window", "window", PrimitiveSet{{window}}}, std::move(global)});
}

} // namespace attention
