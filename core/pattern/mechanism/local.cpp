#include "core/pattern/mechanism/local.h"

#include "core/pattern/description_builder.h"

#include <algorithm>

namespace attention {
namespace {

// The closest tokens on an endless line: from i − before to i + after.
struct Reach {
  Index before = 0;
  Index after = 0;
};

Reach reachOf(const Local& local) {
  const Index tokens =
      std::min(local.window, kUnbounded) + (local.count == Local::Count::Previous ? 1 : 0);
  if (local.causal)
    return {tokens - 1, 0};
  if (tokens == 0)
    return {-1, 0}; // nothing
  const Index half = tokens / 2;
  const Index rest = (tokens - 1) / 2;
  return local.tie == Local::Tie::Left ? Reach{half, rest} : Reach{rest, half};
}

// Every row keeps its number of tokens: the strip stops moving at both ends.
PrimitiveSet shifted(const Reach& reach, Index n) {
  const Index tokens = std::min(reach.before + reach.after + 1, n);
  if (tokens <= 0)
    return {};
  const Index lastBegin = n - tokens; // first key of the last strip
  const Index head = std::min(reach.before, lastBegin + reach.before);
  const Index tail = std::max(head, std::min(lastBegin + reach.before, kUnbounded));
  return {{area({0, head, 0, tokens}), band(-reach.after, reach.before, 1, {head, tail, 0, n}),
           area({tail, kUnbounded, lastBegin, n})}};
}

} // namespace

const Description& describe(const Local&) {
  static const Description kDescription =
      DescriptionBuilder<Local>("local", "Local", "Windows")
          .summary("The last ℓ tokens (causal), or the ℓ tokens closest to the query.")
          .source("Beltagy et al. 2020, section 3.1; Mistral 7B, Jiang et al. 2023")
          .definition({"causal: Sᵢ = { j : i−ℓ < j ≤ i }", "closest: −⌊(ℓ−1)/2⌋ ≤ i−j ≤ ⌊ℓ/2⌋"})
          .conventions(
              "Mistral's eager path attends to ℓ tokens including the query, its FlashAttention "
              "path to ℓ + 1 (sliding_window). NATTEN shifts the window at the ends.")
          .complexity("O(n ℓ d)")
          .integer("window", "ℓ", &Local::window, "Tokens that a query attends to", "tokens",
                   atLeast(0))
          .boolean("causal", &Local::causal, "The last ℓ tokens (on) or the ℓ closest ones (off)")
          .choice("count", &Local::count, "Whether ℓ counts the query itself",
                  {{Local::Count::Inclusive, "inclusive", "ℓ with itself",
                    "ℓ tokens including the query"},
                   {Local::Count::Previous, "previous", "ℓ others", "ℓ tokens plus the query"}})
          .choice("edge", &Local::edge, "What happens to the window at both ends",
                  {{Local::Edge::Clip, "clip", "clip", "The window is cut off"},
                   {Local::Edge::Shift, "shift", "shift",
                    "Every row keeps min(ℓ, n) tokens, as NATTEN does"}})
          .visibleIf([](const Local& local) { return !local.causal; })
          .choice("tie", &Local::tie, "Which of two equally close tokens comes first",
                  {{Local::Tie::Left, "left", "earlier", "The earlier token"},
                   {Local::Tie::Right, "right", "later", "The later token"}})
          .visibleIf([](const Local& local) { return !local.causal; })
          .build();
  return kDescription;
}

std::shared_ptr<const Prepared> prepared(const Local& local, const Lengths& lengths, const Run&) {
  const Reach reach = reachOf(local);
  const bool shift = !local.causal && local.edge == Local::Edge::Shift;
  PrimitiveSet cells =
      shift ? shifted(reach, lengths.keys) : PrimitiveSet{{band(-reach.after, reach.before)}};
  if (local.causal && reach.before < 0)
    cells = {};
  return fromParts(lengths, {{"window", local.causal ? "last ℓ" : "closest ℓ", std::move(cells)}});
}

} // namespace attention
