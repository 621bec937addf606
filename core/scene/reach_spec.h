// What the Reach view shows: a stack of layers and how far a token sees through it. Plain data of
// the Scene.
#pragma once

#include "core/scene/panel.h"
#include "core/scene/settings.h"

#include <optional>
#include <string>
#include <vector>

namespace attention {

constexpr Index kMostLayersShown = 128;
constexpr std::size_t kMostBeside = 7; // as many as there are hues left
constexpr std::size_t kMostModels = 8; // as many as there are hues

// A real model: of the table (core/analysis/stack/models.h), or a config.json.
struct StackedModel {
  std::string name;   // in the table; empty: a configuration
  std::string config; // its JSON
  bool operator==(const StackedModel&) const = default;
};

// A stack of layers and what they reach (S10). The pinned query is the output whose receptive field
// is lit, the last token where none is pinned; the pinned key is the other end of the path.
struct ReachSpec {
  Index layers = 4;
  std::vector<Panel> stack; // the patterns of the layers in turn, lowest first; empty: the Scene's
  Index chosen = 0;         // of the stack: the one that the controls edit
  bool residual = true;
  std::optional<Index> shown;       // layers from the top that are lit: play and step; absent: all
  std::vector<Panel> beside;        // patterns whose growth is drawn beside the stack's
  std::vector<StackedModel> models; // followed beside it, with what their caches keep
  bool operator==(const ReachSpec&) const = default;
};

const Settings<ReachSpec>& reachSettings(); // without the patterns

// The place in `stack` of the layer that the controls edit, whatever the spec says; nothing where
// the layers have no patterns of their own.
std::optional<std::size_t> editedLayer(const ReachSpec& spec);

// E_RANGE: a setting out of bounds, or more than kMostLayersShown patterns in the stack,
// kMostBeside beside it or kMostModels.
void check(const ReachSpec& spec);

} // namespace attention
