// Words and numbers shared by the boards of all ways to compute.
#pragma once

#include "core/views/steps/steps_board.h"

namespace attention {

// Three significant digits; 0.03 stays as it is.
std::string boardNumber(double value);
// The same in parentheses where it is negative, as a factor or what is subtracted.
std::string factorText(double value);

// A number with how it came about, shaded where its column has no room for it.
BoardCell numberCell(double value, std::string why);

// "12 “mat”": the key and its label, which is cut to leave room for `note` beside it.
std::string keyName(Index key, std::span<const std::string> tokens, const std::string& note = {});
// "key 12 “mat”", "query 12 “mat”".
std::string tokenName(const std::string& what, Index at, Index token,
                      std::span<const std::string> tokens);
// "1 softmax", "3 softmaxes".
std::string softmaxesText(std::size_t count);
// "… 85 more".
std::string othersName(std::size_t count);

// "Query 12 “mat”: softmax over 13 of 20 keys".
std::string titleOf(const StepsAnswer& answer, const std::string& way,
                    std::span<const std::string> tokens);

// Whether the key has a line.
bool isListed(const StepsAnswer& answer, Index key);
// Of the answer's hidden key: "key 3 “down” gets −∞, since 2 − 3 = −1 < 0".
std::string hiddenText(const StepsAnswer& answer, std::span<const std::string> tokens);
// "the query sees no key, so its output is 0".
std::string noKeyText();

// A line for a key: its name, and whether it is pinned, the query's own or followed by the
// sentences of the steps.
BoardLine keyLine(const StepsAnswer& answer, Index key, std::span<const std::string> tokens,
                  std::size_t columns);
// Where not all keys have a line: "12 of the 144 visible keys have rows, in text order: those with
// the largest weights and the nearest ones", and the pinned one where it is among them; else
// nothing.
std::string linesText(const StepsAnswer& answer);
// "output = 0.609 v₀ + 0.0427 v₁₃₁ + …", the largest ones, over a sum that divides.
std::string weightedValuesText(const StepsAnswer& answer);

// What stands for q·k and for the bias in a formula.
struct ScoredPair {
  std::string dot = "q·k";
  std::string bias = "b";
};
// Of a key with this product.
ScoredPair scoredPair(const StepsAnswer& answer, Index key, double dot);

// "q·k / √4", or "0.3 · q·k" where the scale is another one; with a cap "c tanh(… / c)", with a
// bias "… + b", with a temperature "… / T".
std::string scoringText(const Scoring& scoring, std::size_t d, const ScoredPair& of = {});

// Partial sums of a dot product of many numbers; of fewer, single products.
constexpr std::size_t kProductParts = 8;
// "0.4 · 1.2 + 0.3 · (−0.5) = 0.33"; of more numbers than kProductParts "0.2 + (−0.1) + … = 0.33, 8
// sums of 4 products each".
std::string productsText(std::span<const double> q, std::span<const double> k, double dot);
// "(0.1, −0.4, … 30 more)".
std::string vectorText(std::span<const double> numbers);

// Row i as a strip.
std::vector<double> stripOf(const Matrix<double>& rows, Index i);
std::vector<double> scaledBy(double factor, std::vector<double> strip);

// Tiles of online softmax that have a line each; of more all but the others', which have one.
constexpr std::size_t kMostTiles = 12;

Board softmaxBoard(const StepsAnswer& answer, std::span<const std::string> tokens);
Board onlineBoard(const StepsAnswer& answer, std::span<const std::string> tokens);
// Several softmaxes with gates: the board of each, one below the other, and the sum.
Board gatedBoard(const StepsAnswer& answer, std::span<const std::string> tokens);
Board featureBoard(const StepsAnswer& answer, std::span<const std::string> tokens);

} // namespace attention
