// The twin of formulas (S4.16): one function per level of the grammar, each computing at
// once. Nothing is compiled and nothing short-circuits.
#include "tests/core/pattern/twins/twins.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <stdexcept>

namespace attention::twins {
namespace {

class Reader {
public:
  Reader(std::string_view text, const Variables& names) : text_(text), names_(names) {}

  Index whole() {
    const Index value = disjunction();
    space();
    if (at_ != text_.size())
      throw std::runtime_error("rest: " + std::string(text_.substr(at_)));
    return value;
  }

private:
  Index disjunction() {
    Index value = conjunction();
    while (take("||") || takeWord("or")) {
      const Index right = conjunction();
      value = value != 0 || right != 0 ? 1 : 0;
    }
    return value;
  }

  Index conjunction() {
    Index value = negation();
    while (take("&&") || takeWord("and")) {
      const Index right = negation();
      value = value != 0 && right != 0 ? 1 : 0;
    }
    return value;
  }

  Index negation() {
    space();
    const bool bang = at_ < text_.size() && text_[at_] == '!' && text_.substr(at_, 2) != "!=";
    if (bang)
      ++at_;
    if (bang || takeWord("not"))
      return negation() == 0 ? 1 : 0;
    return comparison();
  }

  // 0 <= i - j < 4 compares neighbours.
  Index comparison() {
    Index left = bits(0);
    bool all = true;
    bool chained = false;
    for (;;) {
      const std::string_view sign = takeOne({"<=", ">=", "==", "!=", "<", ">"});
      if (sign.empty())
        return chained ? (all ? 1 : 0) : left;
      const Index right = bits(0);
      const bool holds = sign == "<="   ? left <= right
                         : sign == ">=" ? left >= right
                         : sign == "==" ? left == right
                         : sign == "!=" ? left != right
                         : sign == "<"  ? left < right
                                        : left > right;
      all = all && holds;
      chained = true;
      left = right;
    }
  }

  // |, then ^, then &, which bind tighter and tighter.
  Index bits(int level) {
    if (level == 3)
      return sum();
    const char sign = "|^&"[level];
    Index value = bits(level + 1);
    for (;;) {
      space();
      const bool twice = at_ + 1 < text_.size() && text_[at_ + 1] == sign;
      if (at_ >= text_.size() || text_[at_] != sign || twice)
        return value;
      ++at_;
      const Index right = bits(level + 1);
      value = level == 0 ? value | right : level == 1 ? value ^ right : value & right;
    }
  }

  Index sum() {
    Index value = product();
    for (std::string_view sign = takeOne({"+", "-"}); !sign.empty(); sign = takeOne({"+", "-"}))
      value = sign == "+" ? value + product() : value - product();
    return value;
  }

  Index product() {
    Index value = signedAtom();
    for (;;) {
      const std::string_view sign = takeOne({"*", "//", "%"});
      if (sign.empty())
        return value;
      const Index right = signedAtom();
      if (sign != "*" && right <= 0)
        throw std::runtime_error("a divisor that the twin does not know");
      value = sign == "*"   ? value * right
              : sign == "%" ? modulo(value, right)
                            : quotient(value, right);
    }
  }

  Index signedAtom() { return take("-") ? -signedAtom() : atom(); }

  Index atom() {
    if (take("(")) {
      const Index value = disjunction();
      expect(")");
      return value;
    }
    space();
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_'))
      ++at_;
    const std::string word(text_.substr(begin, at_ - begin));
    if (word.empty())
      throw std::runtime_error("no atom at: " + std::string(text_.substr(begin)));
    if (std::isdigit(static_cast<unsigned char>(word[0])) != 0)
      return std::stoll(word);
    if (word == "true" || word == "false")
      return word == "true" ? 1 : 0;
    return take("(") ? call(word) : names_.at(word);
  }

  Index call(const std::string& name) {
    std::vector<Index> values{disjunction()};
    while (take(","))
      values.push_back(disjunction());
    expect(")");
    if (name == "abs" && values.size() == 1)
      return std::abs(values[0]);
    if (name == "min")
      return *std::min_element(values.begin(), values.end());
    if (name == "max")
      return *std::max_element(values.begin(), values.end());
    throw std::runtime_error("no function " + name);
  }

  void space() {
    while (at_ < text_.size() && text_[at_] == ' ')
      ++at_;
  }
  bool take(std::string_view sign) {
    space();
    if (text_.substr(at_, sign.size()) != sign)
      return false;
    at_ += sign.size();
    return true;
  }
  bool takeWord(std::string_view word) {
    space();
    const std::size_t end = at_ + word.size();
    const bool longer = end < text_.size() && std::isalnum(static_cast<unsigned char>(text_[end]));
    return !longer && take(word);
  }
  std::string_view takeOne(std::initializer_list<std::string_view> signs) {
    for (const std::string_view sign : signs)
      if (take(sign))
        return sign;
    return {};
  }
  void expect(std::string_view sign) {
    if (!take(sign))
      throw std::runtime_error("no " + std::string(sign) + " in " + std::string(text_));
  }

  std::string_view text_;
  const Variables& names_;
  std::size_t at_ = 0;
};

} // namespace

Index valueOf(std::string_view formula, const Variables& names) {
  return Reader(formula, names).whole();
}

Cells cellsOf(const Expr& p, Index n) {
  return [=](Index i, Index j) {
    Variables names = p.vars;
    names["i"] = i;
    names["j"] = j;
    names["n"] = n;
    return (!p.causal || j <= i) && valueOf(*p.expr, names) != 0;
  };
}

} // namespace attention::twins
