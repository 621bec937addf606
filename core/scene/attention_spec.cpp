#include "core/scene/attention_spec.h"

#include "core/scene/settings_builder.h"

namespace attention {

std::vector<ChoiceOf<AttentionBase>> attentionBases() {
  return {{AttentionBase::Meaningful, "meaningful", "default",
           "The model's own mask where the input names one; otherwise causal attention for "
           "causal patterns and full attention for others"},
          {AttentionBase::Full, "full", "full", "Attention to all keys"},
          {AttentionBase::Causal, "causal", "causal", "Attention to the keys j ≤ i"}};
}

const Settings<AttentionMaps>& attentionMapsSettings() {
  using S = AttentionMaps;
  static const Settings<S> kAll =
      SettingsBuilder<S>()
          .boolean("full", &S::full,
                   "Softmax over all keys, or those with j ≤ i: what the pattern is measured "
                   "against")
          .label("dense")
          .boolean("pattern", &S::pattern, "Softmax over the pattern's keys only")
          .boolean("difference", &S::difference,
                   "Pattern minus dense: orange where the pattern gives more weight")
          .build();
  return kAll;
}

const Settings<AttentionSpec>& attentionSettings() {
  using S = AttentionSpec;
  const auto isPicture = [](AttentionPicture picture) {
    return [picture](const S& of) { return of.picture == picture; };
  };
  static const Settings<S> kAll =
      SettingsBuilder<S>()
          .choice("picture", &S::picture, "What is shown of the weights",
                  {{AttentionPicture::Maps, "maps", "", "Matrices side by side"},
                   {AttentionPicture::Heads, "heads", "", "Every layer and head, small"},
                   {AttentionPicture::Lines, "lines", "", "Lines between tokens"},
                   {AttentionPicture::Steps, "steps", "", "One query computed step by step"},
                   {AttentionPicture::Text, "text", "", "The running text, shaded by attention"}})
          .choice("base", &S::base, "", attentionBases())
          .label("against")
          .visibleIf([](const S& of) { return of.picture != AttentionPicture::Steps; })
          .boolean("curves", &S::curves, "Captured mass, output error and entropy of every query")
          .label("curves by query")
          .visibleIf(isPicture(AttentionPicture::Maps))
          .choice(
              "of", &S::of, "",
              {{WeightsOf::Full, "full", "dense", "Softmax over all keys, or those with j ≤ i"},
               {WeightsOf::Pattern, "pattern", "pattern", "Softmax over the pattern's keys only"},
               {WeightsOf::Logits, "logits", "logits",
                "Scores before the softmax: q·k times the scale, after the soft cap where "
                "the model has one; all heads share one colour scale"}})
          .label("weights of")
          .visibleIf(
              [](const S& of) { return showsWeights(of) && of.picture != AttentionPicture::Maps; })
          .real("least", "", &S::least, "Lines with smaller weights are not drawn", between(0, 1))
          .label("smallest weight")
          .handy(0.5)
          .visibleIf(isPicture(AttentionPicture::Lines))
          .build();
  return kAll;
}

} // namespace attention
