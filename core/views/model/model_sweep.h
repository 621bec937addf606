// Which part of a model matters: the Scene's pattern in one layer or head at a time, or a number of
// the pattern that takes one value after another. Variants may be swept beside it.
#pragma once

#include "core/export/csv_table.h"
#include "core/model/variant.h"
#include "core/plot/figure.h"
#include "core/scene/model_spec.h"
#include "core/support/run.h"
#include "core/views/model/measured_costs.h"

#include <optional>
#include <string>
#include <vector>

namespace attention {

struct SweepStep {
  double at = 0;        // the layer, the head, the value
  std::string name;     // "layer 3", "window 16"
  ModelVariant variant; // what is computed, under a name that no other series has
};

// What one pattern, or one variant, does in each place.
struct SweepSeries {
  std::string name;
  std::size_t hue = 1;     // as in Costs
  std::string number = {}; // that is varied: "window ℓ"; of places empty
  // With `others` the pattern in all places, which the steps are compared with.
  std::optional<ModelVariant> everywhere = {};
  std::vector<SweepStep> steps = {};
};

struct SweepPlan {
  ModelSweep over = ModelSweep::Layers;
  bool others = false;
  bool variants = false;           // not the pattern
  std::string axis;                // "layer", "head of layer 3", "window ℓ", "window or stride"
  std::vector<SweepSeries> series; // at least one
  std::vector<std::string> left;   // variants that no value of the number suits
};

// Whether the variants are swept, and not the pattern.
bool sweepsVariants(const ModelSpec& spec);

// The layer, parameter and values of the spec, for this model: of the pattern, or of the variants.
// E_RANGE: a layer that the model has not; E_UNKNOWN: a parameter that the pattern has not;
// E_UNSUPPORTED: it has no number to vary; what maskFor throws. Values that the pattern refuses are
// left out.
SweepPlan sweepPlan(const ModelSpec& spec, const Pattern& own, const Model& model, Index n,
                    const Run& run = {});

// With what it costs.
struct SweepAnswer {
  SweepPlan plan;
  MeasuredCosts costs;
};

// What has to be computed for it, in this order.
std::vector<ModelVariant> variantsOf(const SweepPlan& plan);

// The parameters that can be varied, of the pattern or of all variants: whole numbers that matter,
// by name.
std::vector<std::string> sweptParameters(const ModelSpec& spec, const Pattern& own);

// A bar per layer or head, of several series a curve each; a curve over the values, with gaps where
// the rows of steps are not there yet.
Plot sweepPlot(const SweepPlan& plan, const MeasuredCosts& costs);
CsvTable sweepTable(const SweepPlan& plan, const MeasuredCosts& costs);
std::string titleOf(const SweepPlan& plan, const MeasuredCosts& costs);
// `withLacking`: with what lackingSentence says.
std::string captionOf(const SweepPlan& plan, const MeasuredCosts& costs, bool withLacking = true);
// Whether there is a step to draw.
bool hasPoints(const SweepPlan& plan, const MeasuredCosts& costs);
// What the shipped results lack of the sweep, or why there is nothing to draw, or nothing yet; else
// empty.
std::string lackingSentence(const SweepPlan& plan, const MeasuredCosts& costs);
// What to see, in sentences with numbers.
std::vector<std::string> readingOf(const SweepPlan& plan, const MeasuredCosts& costs);
Figure sweepFigure(const SweepPlan& plan, const MeasuredCosts& costs, FigureTheme theme);

} // namespace attention
