// Formulas as lines of Python that work on integers and on arrays or tensors alike: & and | join
// truth values, nothing is called except abs, and no value is negated by an operator.
#pragma once

#include "core/code/mask_formula.h"

#include <string>
#include <vector>

namespace attention {

// How cells without a formula are written.
struct ListedStyle {
  std::string zeros; // makes a boolean array of the mask's shape to fill; empty: as comparisons
};

class PythonBody {
public:
  // Tokens are called i and j.
  PythonBody(const Lengths& lengths, ListedStyle listed)
      : lengths_(lengths), listed_(std::move(listed)) {}

  // Appends the lines of the union of the parts; the last one returns `before` + the mask +
  // `after`.
  void addReturn(const std::vector<PartFormula>& parts, const std::string& before = {},
                 const std::string& after = {});

  void add(const std::string& line) { lines_.push_back(line); }
  // Indented by four spaces, each with its line end.
  std::string text() const;

private:
  // Python's operator precedence.
  enum Level { Compared, Joined, Both, Sum, Product, Sign, Atom };

  std::string write(const Formula& formula, Level level);
  std::string plain(const Formula& formula, Level& own);
  std::string infix(const Formula& formula, const char* sign, Level level);
  std::string divided(const Formula& formula, const char* sign);
  std::string extreme(const Formula& formula, const char* sign);
  std::string chain(const std::vector<std::string>& operands, const char* sign);
  std::string atom(const Formula& formula);
  std::vector<std::string> runTexts(const std::string& x, const std::vector<IndexPair>& pairs);
  std::string steps(const Formula& formula);
  std::string listedCells(const Formula& formula);
  std::string comparedCells(const Formula& formula);
  std::string inRuns(const std::string& x, const std::vector<IndexPair>& runs, Index unit);
  std::string filledCells(const Formula& formula);
  Index unitOf(const Formula& listed) const;
  std::string fresh(const std::string& name);

  Lengths lengths_;
  ListedStyle listed_;
  std::vector<std::string> lines_;
  std::vector<std::string> used_;
};

} // namespace attention
