// Attention of all queries in the same steps, as matrices: QKᵀ → scaled → masked → softmax → × V.
#pragma once

#include "core/analysis/steps/softmax_steps.h"
#include "core/plot/figure.h"
#include "core/support/matrix.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attention {

// n_q × n_k, and the output n_q × d_v, which has no columns where there are no values.
struct MatrixSteps {
  Scoring scoring;
  Index d = 0;
  Matrix<double> dot;
  Matrix<double> scaled;
  Matrix<double> masked; // −∞ where forbidden
  Matrix<double> p;
  Matrix<double> output;
  bool gated = false; // p adds the weights of several softmaxes with their gates
};
constexpr Index kMatrixSteps = 5;

// Of every query of `input`, whose own query is not read. Throws as softmaxSteps; E_UNSUPPORTED:
// single keys have no weights, since compressed keys or values are given.
MatrixSteps matrixSteps(StepsInput input);

// A panel for each step up to `step` (0: all), with the numbers in the cells; the row of `query` is
// lit in all. `tokens`: the labels of the keys, or empty; `square`: those of the queries too.
struct MatrixLook {
  std::span<const std::string> tokens;
  bool square = true;
  std::optional<Index> query;
  Index step = 0;
};
std::vector<FigurePanel> matrixPanels(const MatrixSteps& steps, const MatrixLook& look);
// The units and the title of the matrix of a step, 1 … 5; cells of all have one size.
Size matrixSize(const MatrixSteps& steps, Index step);
std::string matrixTitle(const MatrixSteps& steps, Index step);
// How many these are.
Index matricesAt(const MatrixSteps& steps, Index step);
// The matrix of `look.step` (2 … 5) as it comes out of the one before it, `t` from 0 to 1: every
// score and colour goes from its value there to its own, an output from a part of its row of
// weights; scores shrink away before weights grow in their place, and these before outputs.
Plot matrixComing(const MatrixSteps& steps, const MatrixLook& look, double t);
Figure matrixFigure(const MatrixSteps& steps, const MatrixLook& look, FigureTheme theme);

// The query whose row lies at a place of a panel's diagram, of so many.
std::optional<Index> matrixRowAt(const Point& units, Index queries);

std::string matrixTitle();
// What a step does, as the sentence below the matrices; of all steps (0) what rows and columns are.
std::string matrixCaption(const MatrixSteps& steps, Index step);

} // namespace attention
