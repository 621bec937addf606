#include "core/scene/head_list_spec.h"

#include "core/scene/settings_builder.h"

namespace attention {
namespace {

constexpr double kMostLines = 1e6;
constexpr double kMostNear = 1 << 20;

} // namespace

const Settings<HeadListSpec>& headListSettings() {
  using S = HeadListSpec;
  using O = HeadOrder;
  static const Settings<S> kAll =
      SettingsBuilder<S>()
          .boolean("shown", &S::shown, "A list of all heads by what they do")
          .label("list")
          .choice(
              "order", &S::order, "What the list is sorted by",
              {{O::Place, "place", "layer", "Layer by layer"},
               {O::Self, "self", "itself", "Weight on the query's own key"},
               {O::Previous, "previous", "previous token", "Weight on the token before the query"},
               {O::First, "first", "first token", "Weight on the first token: an attention sink"},
               {O::Within, "within", "nearby", "Weight on tokens near the query"},
               {O::Beyond, "beyond", "far away", "Weight on all other tokens"},
               {O::Entropy, "entropy", "entropy", "How spread the weights are, in nats"},
               {O::PreviousOccurrence, "previous_occurrence", "same token",
                "Weight on earlier positions with the query's token"},
               {O::Induction, "induction", "induction",
                "Weight on the tokens that followed earlier occurrences of this token"},
               {O::Captured, "captured", "captured", "Weight that the pattern keeps"}})
          .label("sort by")
          .boolean("rising", &S::rising, "The smallest first")
          .label("smallest first")
          .given("layer", "", &S::layer,
                 "Only the heads of this layer, counted from 0 in the input",
                 ParameterType::Integer, false, atLeast(0))
          .label("only layer")
          .none("all layers")
          .real("least", "", &S::least, "Leave out heads with less of what the list is sorted by",
                atLeast(0))
          .label("hide heads below")
          .handy(1)
          .visibleIf([](const S& of) { return of.order != O::Place; })
          .integer("near", "w", &S::near, "How far “nearby” reaches on either side", "tokens",
                   between(0, kMostNear))
          .label("“nearby” window w")
          .handy(64)
          .integer("from", "", &S::from, "The first line shown", "", between(0, kMostLines))
          .build();
  return kAll;
}

} // namespace attention
