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

constexpr Index kMostStateCells = 16; // of S in a row and in a column: more are drawn as means

std::string_view name(StepsBy by); // "softmax"

struct StepsQuestion {
  StepsBy by = StepsBy::Softmax;
  Index keyTile = kDefaultKeyTile; // of Online
  StepFeatures features;           // of Linear and Features
  std::vector<Index> pinned;       // keys that are shown whatever their weight
  std::size_t mostKeys = kMostShownKeys;
};

// A key that has a line of its own, and the rule that shows or hides it.
struct ListedKey {
  Index key = 0;
  bool visible = true;
  std::string rule;
};

struct BranchAnswer;

struct StepsAnswer {
  StepsBy by = StepsBy::Softmax;
  Index query = 0;
  Index token = 0; // that the query acts as
  Scoring scoring;
  SoftmaxSteps softmax; // for every way
  // Of a pattern that adds several softmaxes with gates (branch_steps.h): each by itself. Keys and
  // values of the answer are then theirs.
  std::vector<BranchAnswer> branches;
  std::vector<double> gated; // the sum of their outputs
  std::string keyNoun = "key";
  std::optional<OnlineSteps> online;
  std::optional<FeatureSteps> features;
  bool normalized = true;

  ShownKeys shown; // of the visible ones
  // Those and the chosen ones that are hidden, with all hidden ones where keys are few; rising.
  std::vector<ListedKey> listed;
  // That stands for all hidden ones in what is written of the mask: a pinned one, else the first
  // that has a line, else the first. Nothing where none is hidden.
  std::optional<ListedKey> hidden;
  std::vector<Index> pinned; // as the question has them
  std::vector<double> q;     // d
  Matrix<double> k;          // of the listed keys
  Matrix<double> v;          // of the shown keys
  Matrix<double> phiK;       // of Linear and Features, as is what follows
  RunningSums sums;          // after each shown key

  // d_v numbers; none if there are no values.
  const std::vector<double>& output() const;
};

// A query of one branch, whose keys may be compressed ones: key c is the mean of `block` keys from
// c · stride on.
struct BranchAnswer {
  std::string name; // "compressed"
  std::string label;
  double gate = 0;
  Index block = 0; // 0: the keys of the pattern
  Index stride = 0;
  StepsAnswer steps;
};

// Of the visible keys, in their order, by the way that is shown: p, or a of feature maps.
std::vector<double> weightsOf(const StepsAnswer& answer);
// The visible key with the largest of these; nothing where no key is visible.
std::optional<Index> heaviestKey(const StepsAnswer& answer);
// The visible key with the largest p of softmax.
std::optional<Index> heaviestOfSoftmax(const SoftmaxSteps& steps);
// The key whose numbers stand for all in what is written of a step: a pinned one that is visible,
// else the heaviest below the heaviest of all, of which exp(s − max) is 1.
std::optional<Index> exampleKey(const StepsAnswer& answer);

// Throws as softmaxSteps, onlineSteps and featureSteps; E_UNSUPPORTED: feature maps and a pattern
// with branches.
StepsAnswer stepsAnswer(const StepsInput& input, const StepsQuestion& question);

} // namespace attention
