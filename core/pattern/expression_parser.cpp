#include "core/pattern/expression_parser.h"

#include "core/support/error.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace attention {
namespace {

constexpr int kDeepest = 256; // S4.21

bool isSpace(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Values on the stack that an instruction adds.
int growth(Expression::Op op) {
  using Op = Expression::Op;
  switch (op) {
  case Op::Constant:
  case Op::Query:
  case Op::Key:
    return 1;
  case Op::Negate:
  case Op::Not:
  case Op::Truth:
  case Op::Abs:
    return 0;
  default:
    return -1;
  }
}

} // namespace

void ExpressionParser::fail(const std::string& found, std::size_t begin) const {
  throw Error(ErrorCode::Expr, "expr", "expr has " + found + " at " + out_.placeOf(begin + 1));
}

void ExpressionParser::failHere(const std::string& allowed) const {
  const std::string found =
      token_.text.empty() ? "its end" : "\"" + std::string(token_.text) + "\"";
  fail(found + " where " + allowed + " is expected", token_.begin);
}

// Length of the token at `begin`, and its kind.
std::size_t ExpressionParser::lengthAt(std::size_t begin, Token& token) const {
  const auto runOf = [&](auto belongs) {
    std::size_t end = begin;
    while (end < text_.size() && belongs(text_[end]))
      ++end;
    return end - begin;
  };
  token.number = isDigit(text_[begin]);
  token.name = isLetter(text_[begin]);
  if (token.number || token.name)
    return runOf([](char c) { return isLetter(c) || isDigit(c); });
  static constexpr std::array<std::string_view, 7> kLong = {
      "&&", "||", "<=", ">=", "==", "!=", "//"};
  const bool two = std::find(kLong.begin(), kLong.end(), text_.substr(begin, 2)) != kLong.end();
  if (two)
    return 2;
  if (std::string_view(".[~").find(text_[begin]) != std::string_view::npos)
    fail("\"" + std::string(1, text_[begin]) +
             "\", which no formula has (write torch.logical_and(a, b) as a & b, ~a as !a, and "
             "strip other calls, methods and lookups),",
         begin);
  if (std::string_view("+-*%&^|<>!(),").find(text_[begin]) == std::string_view::npos)
    fail(static_cast<unsigned char>(text_[begin]) < 0x80
             ? "\"" + std::string(1, text_[begin]) + "\", which no formula has,"
             : "a character that no formula has",
         begin);
  return 1;
}

void ExpressionParser::next() {
  while (at_ < text_.size() && isSpace(text_[at_]))
    ++at_;
  token_ = {};
  token_.begin = at_;
  if (at_ == text_.size())
    return;
  const std::size_t length = lengthAt(at_, token_);
  token_.text = text_.substr(at_, length);
  at_ += length;
}

bool ExpressionParser::take(std::string_view text) {
  if (token_.text != text)
    return false;
  next();
  return true;
}

void ExpressionParser::expect(std::string_view text) {
  if (!take(text))
    failHere("\"" + std::string(text) + "\"");
}

std::size_t ExpressionParser::emit(Op op, std::size_t begin, Index value) {
  out_.program_.push_back({op, static_cast<int>(begin) + 1, value});
  held_ += static_cast<std::size_t>(growth(op));
  out_.stack_ = std::max(out_.stack_, held_ + 1);
  return out_.program_.size() - 1;
}

void ExpressionParser::jumpHere(std::size_t instruction) {
  out_.program_[instruction].value = static_cast<Index>(out_.program_.size());
}

void ExpressionParser::nested(const std::function<void()>& inner) {
  if (++depth_ > kDeepest)
    fail("a nesting deeper than " + std::to_string(kDeepest), token_.begin);
  inner();
  --depth_;
}

void ExpressionParser::parse() {
  if (token_.text.empty())
    throw Error(ErrorCode::Expr, "expr", "expr is empty; it must be a formula such as j <= i");
  either();
  if (!token_.text.empty())
    failHere("an operator or the end");
}

void ExpressionParser::shortCircuit(std::string_view sign, std::string_view word, Op skip,
                                    void (ExpressionParser::*operand)()) {
  (this->*operand)();
  std::vector<std::size_t> skips;
  while (token_.text == sign || token_.text == word) {
    skips.push_back(emit(skip, token_.begin));
    next();
    (this->*operand)();
  }
  if (!skips.empty())
    emit(Op::Truth, token_.begin);
  for (const std::size_t skipped : skips)
    jumpHere(skipped);
}

void ExpressionParser::either() {
  shortCircuit("||", "or", Op::SkipIfTrue, &ExpressionParser::both);
}

void ExpressionParser::both() {
  shortCircuit("&&", "and", Op::SkipIfFalse, &ExpressionParser::negation);
}

void ExpressionParser::negation() {
  const std::size_t begin = token_.begin;
  if (!take("!") && !take("not"))
    return comparison();
  nested([&] { negation(); });
  emit(Op::Not, begin);
}

const ExpressionParser::Binary* ExpressionParser::comparisonAt() const {
  static constexpr std::array<Binary, 6> kComparisons = {{{"<", Op::Less},
                                                          {"<=", Op::LessEqual},
                                                          {">", Op::Greater},
                                                          {">=", Op::GreaterEqual},
                                                          {"==", Op::Equal},
                                                          {"!=", Op::NotEqual}}};
  const auto at = std::find_if(kComparisons.begin(), kComparisons.end(),
                               [&](const Binary& c) { return c.first == token_.text; });
  return at == kComparisons.end() ? nullptr : &*at;
}

void ExpressionParser::comparison() {
  bitOr();
  std::vector<std::size_t> chain;
  const Binary* comparison = comparisonAt();
  while (comparison) {
    const std::size_t begin = token_.begin;
    next();
    bitOr();
    const Binary* following = comparisonAt();
    if (following) { // the operand also is the left side of the next comparison
      const int toChain = static_cast<int>(Op::ChainLess) - static_cast<int>(Op::Less);
      chain.push_back(emit(static_cast<Op>(static_cast<int>(comparison->second) + toChain), begin));
    } else {
      emit(comparison->second, begin);
    }
    comparison = following;
  }
  for (const std::size_t link : chain)
    jumpHere(link);
}

template <class Operand>
void ExpressionParser::leftToRight(std::initializer_list<Binary> operators, Operand operand) {
  operand();
  for (;;) {
    const auto at = std::find_if(operators.begin(), operators.end(),
                                 [&](const Binary& b) { return b.first == token_.text; });
    if (at == operators.end())
      return;
    const std::size_t begin = token_.begin;
    next();
    operand();
    emit(at->second, begin);
  }
}

void ExpressionParser::bitOr() {
  leftToRight({{"|", Op::Or}}, [&] { bitXor(); });
}
void ExpressionParser::bitXor() {
  leftToRight({{"^", Op::Xor}}, [&] { bitAnd(); });
}
void ExpressionParser::bitAnd() {
  leftToRight({{"&", Op::And}}, [&] { sum(); });
}
void ExpressionParser::sum() {
  leftToRight({{"+", Op::Add}, {"-", Op::Subtract}}, [&] { product(); });
}
void ExpressionParser::product() {
  leftToRight({{"*", Op::Multiply}, {"//", Op::Divide}, {"%", Op::Modulo}}, [&] { unary(); });
}

void ExpressionParser::unary() {
  const std::size_t begin = token_.begin;
  if (!take("-"))
    return atom();
  nested([&] { unary(); });
  emit(Op::Negate, begin);
}

void ExpressionParser::atom() {
  if (token_.number)
    return number();
  if (token_.name)
    return name();
  if (token_.text != "(")
    failHere("a number, a name or \"(\"");
  nested([&] {
    next();
    either();
    expect(")");
  });
}

void ExpressionParser::number() {
  const std::string_view digits = token_.text;
  Index value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range)
    fail("a number ≥ 2^63", token_.begin);
  if (end != digits.data() + digits.size())
    failHere("an integer");
  if (digits.size() > 1 && digits.front() == '0' && value != 0)
    fail("a number with leading zeros", token_.begin);
  emit(Op::Constant, token_.begin, value);
  next();
}

void ExpressionParser::name() {
  const Token named = token_;
  next();
  if (token_.text == "(") {
    for (const Binary& f : {Binary("abs", Op::Abs), Binary("min", Op::Min), Binary("max", Op::Max)})
      if (f.first == named.text)
        return call(named, f.second);
    fail("the unknown function \"" + std::string(named.text) +
             "\" (known functions: abs, min, max)",
         named.begin);
  }
  const auto place = [&](Op op, Index value) {
    out_.names_.push_back({named.begin, named.text.size(), op, value});
    emit(op, named.begin, value);
  };
  const auto variable = variables_.find(std::string(named.text));
  // FlexAttention's mask_mod has other names for them, and a batch and a head, which are 0 here.
  if (named.text == "i" || named.text == "q_idx")
    place(Op::Query, 0);
  else if (named.text == "j" || named.text == "kv_idx")
    place(Op::Key, 0);
  else if (named.text == "n")
    place(Op::Constant, n_);
  else if (named.text == "true" || named.text == "false")
    emit(Op::Constant, named.begin, named.text == "true" ? 1 : 0);
  else if (variable != variables_.end())
    place(Op::Constant, variable->second);
  else if (named.text == "b" || named.text == "h")
    place(Op::Constant, 0);
  else
    fail("the unknown name \"" + std::string(named.text) +
             "\" (known names: i or q_idx, j or kv_idx, n, b, h, true, false, abs, min, max and "
             "the names "
             "of vars)",
         named.begin);
}

void ExpressionParser::call(const Token& function, Op op) {
  nested([&] {
    next(); // the parenthesis
    either();
    int arguments = 1;
    for (; take(","); ++arguments) {
      either();
      if (op != Op::Abs)
        emit(op, function.begin);
    }
    if ((op == Op::Abs) != (arguments == 1))
      fail(std::string(function.text) + " of " + std::to_string(arguments) + " (it takes " +
               (op == Op::Abs ? "one)" : "two or more)"),
           function.begin);
    if (op == Op::Abs)
      emit(op, function.begin);
    expect(")");
  });
}

} // namespace attention
