// What the Model view shows, stage by stage.
#pragma once

#include "app/gui/interface/latest.h"
#include "core/views/model/hurt_text.h"
#include "core/views/model/model_figure.h"
#include "core/views/model/model_sweep.h"
#include "core/views/model/scene_model.h"

#include <optional>
#include <string>
#include <vector>

namespace attention::gui {

// What masks cost, drawn: grows variant by variant.
struct CostsShown {
  std::optional<ModelCosts> computed; // nothing where the numbers are shipped
  MeasuredCosts costs;
  Plot front;
  std::optional<Plot> along; // where there are two predictions
  Plot table;
  std::string title;
  std::string caption;
  std::string begun; // what the first tokens of the next variant tell
  std::vector<std::string> reading;
};

// The text, shaded by what the chosen variant makes worse.
struct HurtShown {
  std::shared_ptr<const CostsShown> of;
  MeasuredRow row;
  RunningTextMark mark;
  std::string title;
  std::string caption;
  std::vector<std::string> reading;
};

// A sweep, drawn: grows point by point.
struct SweepShown {
  std::optional<ModelCosts> computed;
  SweepAnswer answer;
  std::string lacking; // what the shipped results lack, or why there is nothing to draw
  bool drawn = true;   // whether there is a step to draw
  Plot plot;
  std::string title;
  std::string caption;
  std::vector<std::string> reading;
};

// The masks of a variant.
struct LayersShown {
  std::string title;
  std::string caption;
  std::vector<std::string> reading;
  Plot plot;
};

struct ModelResults {
  Latest<Model> model;
  Latest<ModelTokens> tokens;
  Latest<ModelAsItIs> asItIs;
  Latest<CostsShown> costs;
  Latest<HurtShown> hurt;
  Latest<SweepShown> sweep;
  Latest<LayersShown> layers;
};

// What the picture shows: whether it is there, its title, caption and sentences.
struct ModelPictureShown {
  bool there = false;
  bool stale = false; // of an earlier question
  std::string title;
  std::string caption;
  std::vector<std::string> reading;
};
ModelPictureShown shownOf(const ModelResults& results, ModelPicture picture);

// The first problem of those that the picture is made of.
std::optional<Problem> problemOf(const ModelResults& results, ModelPicture picture);
// What is being made, for a line of words; empty where nothing is.
std::string workOf(const ModelResults& results, ModelPicture picture);

} // namespace attention::gui
