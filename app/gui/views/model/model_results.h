// What the Model view shows, stage by stage.
#pragma once

#include "app/gui/interface/latest.h"
#include "core/views/model/model_figure.h"

#include <string>
#include <vector>

namespace attention::gui {

// What masks cost, drawn: grows variant by variant.
struct CostsShown {
  ModelCosts costs;
  Plot front;
  std::optional<Plot> along; // where there are two predictions
  Plot table;
  std::string title;
  std::string caption;
  std::vector<std::string> reading;
};

// The masks of a variant.
struct LayersShown {
  std::string title;
  std::string caption;
  Plot plot;
};

struct ModelResults {
  Latest<Model> model;
  Latest<ModelTokens> tokens;
  Latest<ModelAsItIs> asItIs;
  Latest<CostsShown> costs;
  Latest<LayersShown> layers;
};

// The first problem of those that the picture is made of.
std::optional<Problem> problemOf(const ModelResults& results, ModelPicture picture);
// What is being made, for a line of words; empty where nothing is.
std::string workOf(const ModelResults& results, ModelPicture picture);

} // namespace attention::gui
