#include "core/views/steps/steps_board.h"

#include "core/views/steps/board_words.h"

namespace attention {

Board stepsBoard(const StepsAnswer& answer, std::span<const std::string> tokens) {
  if (!answer.branches.empty())
    return gatedBoard(answer, tokens);
  if (answer.online)
    return onlineBoard(answer, tokens);
  return answer.features ? featureBoard(answer, tokens) : softmaxBoard(answer, tokens);
}

} // namespace attention
