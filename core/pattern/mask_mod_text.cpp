#include "core/pattern/expression.h"

#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

namespace attention {
namespace {

constexpr std::size_t kLongestFormula = std::size_t{1} << 16; // names may double it line by line

bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isOfName(char c) {
  return isLetter(c) || (c >= '0' && c <= '9');
}

std::string_view leadingName(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && isOfName(text[end]))
    ++end;
  return !text.empty() && isLetter(text[0]) ? text.substr(0, end) : std::string_view();
}

[[noreturn]] void throwStatement(std::string_view statement, const std::string& why) {
  throw Error(ErrorCode::Expr, "expr",
              "expr has \"" + shortened(std::string(statement), 48) + "\", which " + why);
}

// Lines of Python: cut at line ends and semicolons outside parentheses, without comments.
std::vector<std::string> statementsOf(std::string_view text) {
  std::vector<std::string> statements(1);
  int depth = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (c == '#')
      while (k + 1 < text.size() && text[k + 1] != '\n')
        ++k;
    else if (c == '\\' && k + 1 < text.size() && text[k + 1] == '\n')
      statements.back() += text[++k] == '\n' ? ' ' : c;
    else if ((c == '\n' || c == ';') && depth == 0)
      statements.emplace_back();
    else {
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      statements.back() += c == '\n' ? ' ' : c;
    }
  }
  std::vector<std::string> trimmedOnes;
  for (const std::string& statement : statements)
    if (const std::string_view kept = trimmed(statement); !kept.empty())
      trimmedOnes.emplace_back(kept);
  return trimmedOnes;
}

// Where a statement gives a name to a formula: the place of its "="; npos for all others.
std::size_t assignment(std::string_view statement) {
  std::size_t at = leadingName(statement).size();
  while (at < statement.size() && statement[at] == ' ')
    ++at;
  const bool equals = at > 0 && statement.substr(at, 1) == "=" && statement.substr(at, 2) != "==";
  return equals ? at : std::string_view::npos;
}

bool isBody(const std::vector<std::string>& statements) {
  if (statements.empty())
    return false;
  const std::string_view first = leadingName(statements.front());
  return first == "def" || first == "return" ||
         assignment(statements.front()) != std::string_view::npos;
}

// Reads statements one after another.
class Body {
public:
  void read(std::string_view statement) {
    const std::string_view word = leadingName(statement);
    if (!formula_.empty())
      throwStatement(statement, "stands after return: strip it");
    if (word == "def" && names_.empty())
      return readHead(statement);
    if (word == "return")
      formula_ = withFormulas(trimmed(statement.substr(word.size())));
    else if (const std::size_t equals = assignment(statement); equals != std::string_view::npos)
      names_[std::string(word)] = "(" + withFormulas(trimmed(statement.substr(equals + 1))) + ")";
    else
      throwStatement(statement, "is neither name = formula nor return formula: strip it");
  }

  std::string formula() const {
    if (formula_.empty())
      throw Error(ErrorCode::Expr, "expr",
                  "expr has names but returns nothing; its last line must be return formula");
    return formula_;
  }

private:
  // "def mask_mod(b, h, q_idx, kv_idx):", of which the rest may be the body.
  void readHead(std::string_view head) {
    static constexpr std::array<const char*, 4> kArguments{"b", "h", "q_idx", "kv_idx"};
    const std::size_t open = head.find('(');
    const std::size_t close = head.find(')');
    const std::size_t colon = head.find(':', close == std::string_view::npos ? 0 : close);
    if (open == std::string_view::npos || close == std::string_view::npos ||
        colon == std::string_view::npos)
      throwStatement(head, "is no head of a function such as def mask_mod(b, h, q_idx, kv_idx):");
    const std::vector<std::string_view> arguments =
        split(head.substr(open + 1, close - open - 1), ',');
    if (arguments.size() != kArguments.size())
      throwStatement(head, "must have the four arguments of a mask_mod: batch, head, query, key");
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      const std::string_view name = trimmed(arguments[k]);
      if (name.empty() || leadingName(name) != name)
        throwStatement(head, "has arguments that are more than names: strip types and defaults");
      names_[std::string(name)] = kArguments[k];
    }
    if (const std::string_view rest = trimmed(head.substr(colon + 1)); !rest.empty())
      read(rest);
  }

  // The text with what its names stand for.
  std::string withFormulas(std::string_view text) const {
    std::string formula;
    for (std::size_t k = 0; k < text.size();) {
      const std::string_view name = leadingName(text.substr(k));
      if (name.empty()) {
        formula += text[k++];
        // Letters after digits are no name.
        while (isOfName(formula.back()) && k < text.size() && isOfName(text[k]))
          formula += text[k++];
        continue;
      }
      const auto known = names_.find(std::string(name));
      formula += known != names_.end() ? known->second
                 : name == "True"      ? "true"
                 : name == "False"     ? "false"
                                       : std::string(name);
      k += name.size();
    }
    if (formula.size() > kLongestFormula)
      throw Error(ErrorCode::Expr, "expr",
                  "expr is too long once its names are replaced by their formulas: give fewer "
                  "names");
    return formula;
  }

  std::map<std::string, std::string> names_;
  std::string formula_;
};

} // namespace

std::string formulaOfMaskMod(std::string_view text) {
  const std::vector<std::string> statements = statementsOf(text);
  if (!isBody(statements))
    return std::string(text);
  Body body;
  for (const std::string& statement : statements)
    body.read(statement);
  return body.formula();
}

} // namespace attention
