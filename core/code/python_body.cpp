#include "core/code/python_body.h"

#include <algorithm>
#include <numeric>

namespace attention {
namespace {

using Kind = Formula::Kind;

// Longer chains are cut into statements: Python's parser nests them.
constexpr std::size_t kLongestChain = 16;

std::string text(Index value) {
  return std::to_string(value);
}

std::string parenthesised(const std::string& words) {
  return "(" + words + ")";
}

// Comments stay on one line whatever a formula's text holds.
std::string oneLine(std::string words) {
  for (char& c : words)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      c = ' ';
  return words;
}

// Whether its text depends on i or j, so that it is an array where they are.
bool namesTokens(const Formula& formula) {
  const bool itself = formula.kind == Kind::Query || formula.kind == Kind::Key ||
                      formula.kind == Kind::True || formula.kind == Kind::False ||
                      formula.kind == Kind::Listed || formula.kind == Kind::NotListed;
  // Without any step the value is just a number.
  const bool steps = formula.kind != Kind::Steps || !formula.pairs.empty();
  return itself || (steps && std::any_of(formula.of.begin(), formula.of.end(), namesTokens));
}

// x in [begin, end).
std::string inRun(const std::string& x, Index begin, Index end) {
  if (end == begin + 1)
    return parenthesised(x + " == " + text(begin));
  return "(" + text(begin) + " <= " + x + ") & (" + x + " < " + text(end) + ")";
}

} // namespace

std::string PythonBody::text() const {
  std::string all;
  for (const std::string& line : lines_)
    all += line.empty() ? "\n" : "    " + line + "\n";
  return all;
}

std::string PythonBody::fresh(const std::string& name) {
  std::string free = name;
  for (int k = 2; std::find(used_.begin(), used_.end(), free) != used_.end(); ++k)
    free = name + "_" + std::to_string(k);
  used_.push_back(free);
  return free;
}

void PythonBody::addReturn(const std::vector<PartFormula>& parts, const std::string& before,
                           const std::string& after) {
  std::vector<std::string> names;
  for (const PartFormula& part : parts) {
    if (part.formula.kind == Kind::False && parts.size() > 1)
      continue;
    if (!part.comment.empty())
      add("# " + oneLine(part.comment));
    const bool constant = !namesTokens(part.formula);
    std::string cells = write(part.formula, constant ? Atom : Compared);
    if (constant)
      cells += " & (j >= 0)";
    names.push_back(fresh(part.name));
    add(names.back() + " = " + cells);
  }
  if (names.empty())
    names.push_back("(j < 0)");
  add("return " + before + chain(names, " | ") + after);
}

std::string PythonBody::write(const Formula& formula, Level level) {
  Level own = Atom;
  const std::string words = plain(formula, own);
  return own < level ? parenthesised(words) : words;
}

std::string PythonBody::infix(const Formula& formula, const char* sign, Level level) {
  const auto tighter = static_cast<Level>(level + 1);
  const Level left = level == Sum || level == Product ? level : tighter;
  return write(formula.of[0], left) + sign + write(formula.of[1], tighter);
}

// A divisor may be zero in cells that the formula never asks for.
std::string PythonBody::divided(const Formula& formula, const char* sign) {
  const Formula& divisor = formula.of[1];
  const std::string left = write(formula.of[0], Product);
  if (divisor.kind == Kind::Number && divisor.value != 0)
    return left + sign + write(divisor, Sign);
  const std::string d = atom(divisor);
  return left + sign + "(" + d + " + (" + d + " == 0))";
}

// The smaller (<) or larger (>) one, without a function that integers and tensors share.
std::string PythonBody::extreme(const Formula& formula, const char* sign) {
  const std::string a = atom(formula.of[0]);
  const std::string b = atom(formula.of[1]);
  return a + " + (" + b + " - " + a + ") * (" + b + sign + a + ")";
}

// A name or number; a statement makes one where there is none.
std::string PythonBody::atom(const Formula& formula) {
  if (formula.kind == Kind::Query || formula.kind == Kind::Key || formula.kind == Kind::Number)
    return write(formula, Atom);
  const std::string value = write(formula, Compared);
  const std::string name = fresh("x");
  add(name + " = " + value);
  return name;
}

std::string PythonBody::chain(const std::vector<std::string>& operands, const char* sign) {
  const auto joined = [&](std::size_t begin, std::size_t end) {
    std::string words = operands[begin];
    for (std::size_t k = begin + 1; k < end; ++k)
      words += sign + operands[k];
    return words;
  };
  if (operands.size() <= kLongestChain)
    return joined(0, operands.size());
  const std::string name = fresh("cells");
  for (std::size_t begin = 0; begin < operands.size(); begin += kLongestChain) {
    std::string line = name + " = ";
    if (begin > 0)
      line.append(name).append(sign);
    add(line.append(joined(begin, std::min(operands.size(), begin + kLongestChain))));
  }
  return name;
}

std::vector<std::string> PythonBody::runTexts(const std::string& x,
                                              const std::vector<IndexPair>& pairs) {
  std::vector<std::string> texts;
  for (const auto& [begin, end] : pairs) {
    const std::string run = inRun(x, begin, end);
    texts.push_back(end == begin + 1 ? run : parenthesised(run));
  }
  return texts;
}

std::string PythonBody::steps(const Formula& formula) {
  const std::string x = write(formula.of[0], Sign);
  std::vector<std::string> terms{attention::text(formula.value)};
  for (const auto& [from, more] : formula.pairs)
    terms.push_back(attention::text(more) + " * (" + x + " >= " + attention::text(from) + ")");
  for (std::string& term : terms)
    if (term.front() == '-')
      term = parenthesised(term);
  const std::string value = chain(terms, " + ");
  const std::string name = fresh("document_of_" + (x == "i" || x == "j" ? x : "x"));
  add(name + " = " + value);
  return name;
}

// The largest length that divides all edges, except those at the ends of the mask.
Index PythonBody::unitOf(const Formula& listed) const {
  Index unit = 0;
  const auto take = [&](const std::vector<IndexPair>& runs, Index last) {
    for (const auto& [begin, end] : runs)
      unit = std::gcd(std::gcd(unit, begin), end == last ? Index{0} : end);
  };
  for (const ListedRows& group : listed.rows) {
    take(group.rows, lengths_.queries + lengths_.offset);
    take(group.keys, lengths_.keys);
  }
  return std::max<Index>(unit, 1);
}

// x in any of the runs, all of them divided by the unit.
std::string PythonBody::inRuns(const std::string& x, const std::vector<IndexPair>& runs,
                               Index unit) {
  std::vector<IndexPair> divided;
  divided.reserve(runs.size());
  for (const IndexPair& run : runs)
    divided.emplace_back(run.first / unit, ceilDiv(run.second, unit));
  return chain(runTexts(unit == 1 ? x : x + " // " + attention::text(unit), divided), " | ");
}

std::string PythonBody::comparedCells(const Formula& formula) {
  const Index unit = unitOf(formula);
  const std::string cells = fresh("listed");
  bool first = true;
  for (const ListedRows& group : formula.rows) {
    const std::string rows = inRuns("i", group.rows, unit);
    const std::string keys = inRuns("j", group.keys, unit);
    std::string line = cells + " = ";
    if (!first)
      line.append(cells).append(" | ");
    add(line.append("((").append(rows).append(") & (").append(keys).append("))"));
    first = false;
  }
  return cells;
}

std::string PythonBody::filledCells(const Formula& formula) {
  const auto listOf = [](const std::vector<IndexPair>& runs, Index offset) {
    std::string words;
    for (const auto& [begin, end] : runs)
      words += (words.empty() ? "(" : ", (") + attention::text(begin - offset) + ", " +
               attention::text(end - offset) + ")";
    return "[" + words + "]";
  };
  const std::string cells = fresh("listed");
  add(cells + " = " + listed_.zeros);
  add("for rows, keys in [  # half-open ranges of rows and of keys");
  for (const ListedRows& group : formula.rows)
    add("    (" + listOf(group.rows, lengths_.offset) + ", " + listOf(group.keys, 0) + "),");
  add("]:");
  add("    for row, row_end in rows:");
  add("        for key, key_end in keys:");
  add("            " + cells + "[row:row_end, key:key_end] = True");
  return cells;
}

std::string PythonBody::listedCells(const Formula& formula) {
  return listed_.zeros.empty() ? comparedCells(formula) : filledCells(formula);
}

std::string PythonBody::plain(const Formula& f, Level& own) {
  const auto as = [&](Level level, std::string words) {
    own = level;
    return words;
  };
  const auto all = [&](const char* sign) {
    std::vector<std::string> operands;
    for (const Formula& operand : f.of)
      operands.push_back(write(operand, Atom));
    own = operands.size() > kLongestChain ? Atom : Joined;
    return chain(operands, sign);
  };
  switch (f.kind) {
  case Kind::Number:
    return as(f.value < 0 ? Sign : Atom, attention::text(f.value));
  case Kind::Query:
    return "i";
  case Kind::Key:
    return "j";
  case Kind::Negate:
    return as(Sign, "-" + write(f.of[0], Atom));
  case Kind::Absolute:
    return "abs(" + write(f.of[0], Compared) + ")";
  case Kind::Add:
    return as(Sum, infix(f, " + ", Sum));
  case Kind::Subtract:
    return as(Sum, infix(f, " - ", Sum));
  case Kind::Multiply:
    return as(Product, infix(f, " * ", Product));
  case Kind::Divide:
    return as(Product, divided(f, " // "));
  case Kind::Modulo:
    return as(Product, divided(f, " % "));
  case Kind::Minimum:
    return as(Sum, extreme(f, " < "));
  case Kind::Maximum:
    return as(Sum, extreme(f, " > "));
  case Kind::BitAnd:
    return as(Joined, write(f.of[0], Atom) + " & " + write(f.of[1], Atom));
  case Kind::BitOr:
    return as(Joined, write(f.of[0], Atom) + " | " + write(f.of[1], Atom));
  case Kind::BitXor:
    return as(Joined, write(f.of[0], Atom) + " ^ " + write(f.of[1], Atom));
  case Kind::Count:
    return as(Product, "1 * " + write(f.of[0], Atom));
  case Kind::Steps:
    return steps(f);
  case Kind::True:
    return as(Compared, "j >= 0");
  case Kind::False:
    return as(Compared, "j < 0");
  case Kind::Less:
    return as(Compared, infix(f, " < ", Compared));
  case Kind::LessEqual:
    return as(Compared, infix(f, " <= ", Compared));
  case Kind::Equal:
  case Kind::Same:
    return as(Compared, infix(f, " == ", Compared));
  case Kind::NotEqual:
  case Kind::Differ:
    return as(Compared, infix(f, " != ", Compared));
  case Kind::Member:
    own = f.pairs.size() > kLongestChain ? Atom : Joined;
    return chain(runTexts(write(f.of[0], Sum), f.pairs), " | ");
  case Kind::NotMember:
    return as(Compared,
              parenthesised(chain(runTexts(write(f.of[0], Sum), f.pairs), " | ")) + " == False");
  case Kind::Listed:
    return listedCells(f);
  case Kind::NotListed:
    return as(Compared, listedCells(f) + " == False");
  case Kind::And:
    return all(" & ");
  case Kind::Or:
    return all(" | ");
  }
  return {};
}

} // namespace attention
