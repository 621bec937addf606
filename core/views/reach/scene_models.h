// Real models in the Reach view (spec T11): their layers as the Scene's stack, the pairs of their
// masks, and what they keep in the KV cache.
#pragma once

#include "core/analysis/stack/models.h"
#include "core/plot/figure.h"
#include "core/scene/scene.h"
#include "core/support/run.h"

#include <optional>
#include <string>
#include <vector>

namespace attention {

// Of the table, or of the configuration. E_UNKNOWN; as stackFromConfig.
Stack stackOfModel(const StackedModel& model);

// The model of a config.json, checked. E_IO, E_TYPE, E_SHAPE, E_RANGE name the file.
StackedModel modelOfConfig(const std::string& text, const std::string& file);

// Whether every layer has a mask, and they are few enough to be followed.
bool allMasked(const Stack& stack);

// Its layers as the patterns of a stack, lowest first: the shortest list that gives all of them in
// turn. E_UNSUPPORTED: a layer has no mask, which the sentence names; E_RANGE: more than
// kMostLayersShown layers.
std::vector<Panel> panelsOfStack(const Stack& stack);

// Whether every layer of the row has a mask and they are few enough, so that they can be stacked.
bool canStack(const ModelRow& row);

// Makes its layers the Scene's stack, in the Reach view, at a length at which its windows can be
// told from full attention; the models told are this one. Throws as stackOfModel and panelsOfStack.
void stackModel(Scene& scene, const StackedModel& model);

// Whether `layers` layers with these patterns in turn are the model's, all of them and no others.
bool isStacked(Index layers, const std::vector<Pattern>& inTurn, const Stack& stack);

// The hue of the next model's curves. The stack has hue 0, also as a model; the patterns beside it
// come next, then the other models in their order.
class ModelHues {
public:
  explicit ModelHues(std::size_t beside) : next_(beside + 1) {}
  std::size_t take(bool stacked) { return stacked ? 0 : next_++; }

private:
  std::size_t next_;
};

// ---- what is told about the Scene's models ----

struct ModelFacts {
  Stack stack;
  bool stacked = false; // its layers are the Scene's stack
  std::size_t hue = 0;  // of its curves
  std::string kinds;    // "29 sliding, window 1024; 5 full"
  std::optional<Index>
      pairs; // of all layers at n; nothing where a layer has no mask, or by the data
  std::optional<Index> cache; // bytes at n, 2 per number; nothing for an encoder or unknown widths
  std::optional<Index> atContext; // bytes at the model's context
};

struct ModelsAnswer {
  Index n = 0;
  std::vector<ModelFacts> models;
  std::optional<Plot> cache; // in KiB … TiB against n, a curve per model that keeps a cache
};

// Of the models of the Scene at `n` tokens. Errors as stackOfModel.
ModelsAnswer modelsAnswer(const ReachSpec& spec, Index n, const Run& run = {});

// What to see, in sentences: how the masks and the caches compare with full attention.
std::vector<std::string> readingOf(const ModelsAnswer& answer);

} // namespace attention
