// Words and numbers that boards of all ways share.
#pragma once

#include "core/views/steps/steps_board.h"

namespace attention {

// Three significant digits; 0.03 as it is.
std::string boardNumber(double value);

// "12 mat": the key and its label.
std::string keyName(Index key, std::span<const std::string> tokens);
// "… 85 more".
std::string othersName(std::size_t count);

// "Query 12 (mat): softmax over 13 of 20 keys".
std::string titleOf(const StepsAnswer& answer, const std::string& way,
                    std::span<const std::string> tokens);

// "× 1/√4", or "× 0.3" where the scale is another one; with a cap "c tanh(… / c)".
std::string scoringText(const Scoring& scoring, std::size_t d);

// Row i as a strip.
std::vector<double> stripOf(const Matrix<double>& rows, Index i);

StepsBoard softmaxBoard(const StepsAnswer& answer, std::span<const std::string> tokens);
StepsBoard onlineBoard(const StepsAnswer& answer, std::span<const std::string> tokens);
StepsBoard featureBoard(const StepsAnswer& answer, std::span<const std::string> tokens);

} // namespace attention
