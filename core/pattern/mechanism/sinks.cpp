#include "core/pattern/mechanism/sinks.h"

#include "core/pattern/description_builder.h"

#include <algorithm>

namespace attention {

const Description& describe(const Sinks&) {
  static const Description kDescription =
      DescriptionBuilder<Sinks>("sinks", "Attention sinks", "Global tokens")
          .alias("a_shape")
          .summary("The first s tokens and the w most recent ones.")
          .source("Xiao et al. 2023 (StreamingLLM); Jiang et al. 2024 (MInference, A-shape)")
          .definition({"Sᵢ = { j ≤ i : j < s or i−j < w }"})
          .conventions("StreamingLLM's evict_for_space and MInference's kernel count the query "
                       "among the w; kv_cache(past) and MInference's search have one more.")
          .complexity("O(n (s+w) d)")
          .integer("sinks", "s", &Sinks::sinks, "First tokens that all later ones see", "tokens",
                   atLeast(0))
          .integer("window", "w", &Sinks::window, "Most recent tokens", "tokens", atLeast(0))
          .choice("reading", &Sinks::reading, "Whether w counts the query",
                  {{Sinks::Reading::Exclusive, "exclusive", "w tokens",
                    "w most recent tokens including the query"},
                   {Sinks::Reading::Inclusive, "inclusive", "w+1 tokens",
                    "w most recent tokens plus the query"}})
          .build();
  return kDescription;
}

std::shared_ptr<const Prepared> prepared(const Sinks& sinks, const Lengths& lengths, const Run&) {
  const Index last = std::min(sinks.window, kUnbounded) -
                     (sinks.reading == Sinks::Reading::Exclusive ? 1 : 0); // largest i − j
  const Rect first{0, kUnbounded, 0, std::min(sinks.sinks, kUnbounded)};
  PrimitiveSet window;
  if (last >= 0)
    window.primitives.push_back(band(0, last));
  return fromParts(lengths, {{"window", "w most recent", std::move(window)},
                             {"sinks", "first s", PrimitiveSet{{band(0, kUnbounded, 1, first)}}}});
}

} // namespace attention
