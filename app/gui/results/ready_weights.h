// Ready attention weights (n_q × n_k, as the input gives them) seen through a pattern: weights
// outside the pattern are left out.
#pragma once

#include "app/gui/interface/results.h"
#include "core/attention/weights.h"

namespace attention::gui {

// Like weightsPicture. O(cells within the edges).
Matrix<float> readyPicture(const Prepared& pattern, const Matrix<float>& weights,
                           const Lattice& lattice, Reduction reduction, const Run& run = {});

// What the weights of computed attention are read from; it must outlive what is returned.
WeightSource<float> weightSource(const HeadAttention& attention);

// p_ij of either kind; 0 outside the pattern. O(d).
std::optional<double> cellWeight(const HeadAttention& attention, Index query, Index key);

// How its score comes about, in words (core/scene/score_words.h); empty outside the pattern and
// where scores are only scaled. O(d).
std::string cellScore(const HeadAttention& attention, Index query, Index key);

} // namespace attention::gui
