// A query's steps on a board.
#pragma once

#include "core/views/board/board.h"
#include "core/views/steps/steps_answer.h"

#include <span>
#include <string>

namespace attention {

// The steps of softmax in their order, from 1.
namespace softmax_step {
enum Step : Index {
  kQueryAndKeys = 1,
  kDot,
  kScale,
  kMask,
  kShift,
  kExp,
  kDivide,
  kWeight,
  kOutput
};
} // namespace softmax_step

constexpr Index kFeatureSteps = 5; // of linear attention and random features

// Whether a picture of that step (0: all) shows what softmax writes in step `first`; other ways are
// told as a whole.
bool tells(const StepsAnswer& answer, Index step, Index first);

// A line for each key, tile or sum. `tokens` are the keys' labels, or empty.
Board stepsBoard(const StepsAnswer& answer, std::span<const std::string> tokens);

// "output": the numbers of a strip, as many as can be read at a glance.
std::string numbersText(std::span<const double> numbers, std::size_t most);

} // namespace attention
