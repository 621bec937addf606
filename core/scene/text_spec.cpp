#include "core/scene/attention_spec.h"

#include "core/scene/settings_builder.h"

namespace attention {

const Settings<TextSpec>& textSettings() {
  using S = TextSpec;
  static const Settings<S> kAll =
      SettingsBuilder<S>()
          .choice("of", &S::of, "Which attention shades the words",
                  {{TextOf::Head, "head", "one head", "The chosen model head"},
                   {TextOf::Layer, "layer", "layer mean", "The mean over the heads of its layer"},
                   {TextOf::Rollout, "rollout", "rollout",
                    "Through all layers up to the chosen one, with residual paths (Abnar and "
                    "Zuidema 2020)"}})
          .label("attention of")
          .boolean("by_key", &S::byKey,
                   "Shade every word by what it gives to the pinned one, not by what it receives "
                   "from it")
          .label("reverse: who attends to this word")
          .boolean("lost", &S::lost, "Underline the words that the pattern hides from the query")
          .label("underline what the pattern hides")
          .build();
  return kAll;
}

} // namespace attention
