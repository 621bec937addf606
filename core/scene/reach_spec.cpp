#include "core/scene/reach_spec.h"

#include "core/scene/settings_builder.h"
#include "core/support/error.h"
#include "core/support/number_text.h"

#include <algorithm>

namespace attention {
namespace {

void requireFew(const char* what, std::size_t found, std::size_t most, const char* of = "pattern") {
  if (found > most)
    throwRange(what, countText(found, of), "at most " + std::to_string(most));
}

} // namespace

const Settings<ReachSpec>& reachSettings() {
  using S = ReachSpec;
  static const Settings<S> kAll =
      SettingsBuilder<S>()
          .integer("layers", "T", &S::layers, "How many layers are stacked", "",
                   between(1, kMostLayersShown))
          .label("layers")
          .handy(24)
          .integer("chosen", "", &S::chosen, "The layer of the stack that the controls edit", "",
                   [](const S& of, Index) {
                     return Bounds{0, static_cast<double>(of.stack.size()) - 1};
                   })
          .visibleIf([](const S& of) { return !of.stack.empty(); })
          .boolean("residual", &S::residual,
                   "A path around attention: every token keeps what it has (M ∨ I)")
          .label("residual connection")
          .given("shown", "", &S::shown, "How many layers from the top are lit",
                 ParameterType::Integer, false,
                 [](const S& of, Index) {
                   return Bounds{0, static_cast<double>(of.layers)};
                 })
          .build();
  return kAll;
}

std::optional<std::size_t> editedLayer(const ReachSpec& spec) {
  if (spec.stack.empty())
    return std::nullopt;
  const auto last = static_cast<Index>(spec.stack.size()) - 1;
  return static_cast<std::size_t>(std::clamp<Index>(spec.chosen, 0, last));
}

void check(const ReachSpec& spec) {
  checkSettings(reachSettings(), spec);
  requireFew("stack", spec.stack.size(), static_cast<std::size_t>(kMostLayersShown));
  requireFew("beside", spec.beside.size(), kMostBeside);
  requireFew("models", spec.models.size(), kMostModels, "model");
}

} // namespace attention
