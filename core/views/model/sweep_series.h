// The series of a sweep, made of one pattern or variant each.
#pragma once

#include "core/views/model/model_sweep.h"

#include <optional>
#include <string>
#include <vector>

namespace attention {

// What is swept: rules with patterns as they are given, and what stands before the names of its
// steps where there are several series.
struct SweptVariant {
  ModelVariant given;
  std::size_t hue = 1;
  std::string prefix = {};
};

// With the model and the length that it is swept for.
struct SweepPlace {
  const ModelSweepSpec& spec;
  const Model& model;
  Index n;
};

// The pattern, named as it is for n tokens, or all variants.
std::vector<SweptVariant> sweptVariants(const ModelSpec& spec, const Pattern& own,
                                        const Model& model, Index n);

// A step for each layer, or head of the layer. E_RANGE: a layer that the model has not; what
// maskFor throws.
SweepSeries seriesOfPlaces(const SweptVariant& swept, const SweepPlace& at, const Run& run);

// The number of tokens that most of several variants have, which compares them, of equally frequent
// ones a main parameter; empty where no two have the same.
std::string sharedNumber(const std::vector<SweptVariant>& all);

// A step for each value of the number, in all its patterns that have it; nothing where none has,
// or where one of several variants allows no value. Where the spec names no number, it is `shared`
// or the variant's main parameter. E_RANGE: no value is allowed; what maskFor throws.
std::optional<SweepSeries> seriesOfValues(const SweptVariant& swept, const std::string& shared,
                                          const SweepPlace& at, const Run& run);

} // namespace attention
