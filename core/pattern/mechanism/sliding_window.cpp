#include "core/pattern/mechanism/sliding_window.h"

#include "core/pattern/description_builder.h"

namespace attention {
namespace {

Index rightOf(const SlidingWindow& window) {
  return window.right.value_or(window.causal ? 0 : window.left);
}

Index unlimited(Index size) {
  return size == -1 ? kUnbounded : size;
}

} // namespace

const Description& describe(const SlidingWindow&) {
  static const Description kDescription =
      DescriptionBuilder<SlidingWindow>("sliding_window", "Sliding window", "Windows")
          .summary("The a tokens before the query, the b tokens after it, and the query.")
          .source("Beltagy et al. 2020, §3.1; FlashAttention's window_size")
          .definition({"Sᵢ = { j : i−a ≤ j ≤ i+b }"})
          .conventions("FlashAttention's window_size = (a, b); attention-gym's sliding_window(w) "
                       "is (w, 0). Both hold a + 1 tokens; Mistral's eager path (local) holds a. "
                       "DeepSpeed counts blocks.")
          .complexity("O(n (a+b) d)")
          .integer("left", "a", &SlidingWindow::left, "Tokens before the query; −1 is unlimited",
                   "tokens", atLeast(-1))
          .integer("right", "b", &SlidingWindow::right, "Tokens after the query; −1 is unlimited",
                   "tokens", atLeast(-1),
                   [](const SlidingWindow& window, Index) { return rightOf(window); })
          .visibleIf([](const SlidingWindow& window) { return !window.causal; })
          .boolean("causal", &SlidingWindow::causal, causalMeaning())
          .build();
  return kDescription;
}

std::shared_ptr<const Prepared> prepared(const SlidingWindow& window, const Lengths& lengths,
                                         const Run&) {
  const Index after = window.causal ? 0 : unlimited(rightOf(window));
  return fromParts(lengths,
                   {{"window", "window", PrimitiveSet{{band(-after, unlimited(window.left))}}}});
}

} // namespace attention
