// Text to program by recursive descent, one function per level of precedence. Used only by
// Expression.
#pragma once

#include "core/pattern/expression.h"

#include <functional>
#include <initializer_list>
#include <utility>

namespace attention {

class ExpressionParser {
public:
  ExpressionParser(Expression& out, Index n, const Variables& variables)
      : out_(out), text_(out.text_), n_(n), variables_(variables) {
    next();
  }
  void parse();

private:
  using Op = Expression::Op;
  struct Token {
    std::string_view text; // empty at the end
    std::size_t begin = 0;
    bool number = false;
    bool name = false;
  };
  using Binary = std::pair<std::string_view, Op>;

  void next();
  std::size_t lengthAt(std::size_t begin, Token& token) const;
  bool take(std::string_view text);
  void expect(std::string_view text);

  void either(); // ||
  void both();   // &&
  void negation();
  void comparison();
  void bitOr();
  void bitXor();
  void bitAnd();
  void sum();
  void product();
  void unary();
  void atom();
  void number();
  void name();
  void call(const Token& function, Op op);

  template <class Operand>
  void leftToRight(std::initializer_list<Binary> operators, Operand operand);
  void shortCircuit(std::string_view sign, std::string_view word, Op skip,
                    void (ExpressionParser::*operand)());
  void nested(const std::function<void()>& inner);
  const Binary* comparisonAt() const;

  std::size_t emit(Op op, std::size_t begin, Index value = 0);
  void jumpHere(std::size_t instruction);
  [[noreturn]] void fail(const std::string& found, std::size_t begin) const;
  [[noreturn]] void failHere(const std::string& allowed) const;

  Expression& out_;
  std::string_view text_;
  Index n_;
  const Variables& variables_;
  std::size_t at_ = 0; // after the token
  Token token_;
  int depth_ = 0;
  std::size_t held_ = 0;
};

} // namespace attention
