// One query of attention computed step by step, by one of four ways, with what a picture or a table
// of it shows: the keys shown one by one, and what the others add.
#pragma once

#include "core/analysis/steps/feature_steps.h"
#include "core/analysis/steps/online_steps.h"
#include "core/analysis/steps/shown_keys.h"
#include "core/scene/steps_spec.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

std::span<const std::string_view> stepsByNames();
std::string_view name(StepsBy by); // "softmax" E_RANGE lists the known names.
StepsBy stepsByNamed(std::string_view name);

struct StepsQuestion {
  StepsBy by = StepsBy::Softmax;
  Index keyTile = kDefaultKeyTile; // of Online
  StepFeatures features;           // of Linear and Features
  std::vector<Index> pinned;       // keys that are shown whatever their weight
};

// A key that has a line of its own, and the rule that shows or hides it.
struct ListedKey {
  Index key = 0;
  bool visible = true;
  std::string rule;
};

struct StepsAnswer {
  StepsBy by = StepsBy::Softmax;
  Index query = 0;
  Index token = 0; // that the query acts as
  Scoring scoring;
  SoftmaxSteps softmax; // for every way
  std::optional<OnlineSteps> online;
  std::optional<FeatureSteps> features;
  bool normalized = true;

  ShownKeys shown;               // of the visible ones
  std::vector<ListedKey> listed; // those, and all forbidden ones where keys are few; rising
  std::vector<double> q;         // d
  Matrix<double> k;              // of the shown keys
  Matrix<double> v;
  Matrix<double> phiK; // of Linear and Features

  // d_v numbers; none if there are no values.
  const std::vector<double>& output() const;
};

// Throws as softmaxSteps, onlineSteps and featureSteps.
StepsAnswer stepsAnswer(const StepsInput& input, const StepsQuestion& question);

} // namespace attention
