#include "core/code/formula.h"

#include <utility>

namespace attention {
namespace {

using Kind = Formula::Kind;

Formula constant(bool truth) {
  return {truth ? Kind::True : Kind::False, 0, {}};
}

// `neutral` changes nothing, its opposite decides.
Formula joined(Kind kind, Kind neutral, std::vector<Formula> truths) {
  std::vector<Formula> flat;
  for (Formula& truth : truths) {
    if (truth.kind == neutral)
      continue;
    if (truth.kind == Kind::True || truth.kind == Kind::False)
      return truth;
    if (truth.kind == kind)
      for (Formula& inner : truth.of)
        flat.push_back(std::move(inner));
    else
      flat.push_back(std::move(truth));
  }
  if (flat.empty())
    return constant(neutral == Kind::True);
  if (flat.size() == 1)
    return std::move(flat.front());
  return {kind, 0, std::move(flat)};
}

std::vector<Formula> allNegated(const std::vector<Formula>& truths) {
  std::vector<Formula> opposite;
  opposite.reserve(truths.size());
  for (const Formula& truth : truths)
    opposite.push_back(negated(truth));
  return opposite;
}

Formula withKind(Formula formula, Kind kind) {
  formula.kind = kind;
  return formula;
}

} // namespace

Formula numberOf(Index value) {
  return {Kind::Number, value, {}};
}
Formula queryToken() {
  return {Kind::Query, 0, {}};
}
Formula causalCells() {
  return operation(Formula::Kind::LessEqual, keyToken(), queryToken());
}

Formula keyToken() {
  return {Kind::Key, 0, {}};
}

Formula operation(Kind kind, Formula a, Formula b) {
  Formula formula{kind, 0, {}};
  formula.of.push_back(std::move(a));
  formula.of.push_back(std::move(b));
  return formula;
}

Formula operation(Kind kind, Formula a) {
  Formula formula{kind, 0, {}};
  formula.of.push_back(std::move(a));
  return formula;
}

Formula allOf(std::vector<Formula> truths) {
  return joined(Kind::And, Kind::True, std::move(truths));
}

Formula anyOf(std::vector<Formula> truths) {
  return joined(Kind::Or, Kind::False, std::move(truths));
}

Formula negated(const Formula& truth) {
  switch (truth.kind) {
  case Kind::True:
    return constant(false);
  case Kind::False:
    return constant(true);
  case Kind::Less:
    return operation(Kind::LessEqual, truth.of[1], truth.of[0]);
  case Kind::LessEqual:
    return operation(Kind::Less, truth.of[1], truth.of[0]);
  case Kind::Equal:
    return withKind(truth, Kind::NotEqual);
  case Kind::NotEqual:
    return withKind(truth, Kind::Equal);
  case Kind::Member:
    return withKind(truth, Kind::NotMember);
  case Kind::NotMember:
    return withKind(truth, Kind::Member);
  case Kind::Listed:
    return withKind(truth, Kind::NotListed);
  case Kind::NotListed:
    return withKind(truth, Kind::Listed);
  case Kind::And:
    return anyOf(allNegated(truth.of));
  case Kind::Or:
    return allOf(allNegated(truth.of));
  case Kind::Differ:
    return withKind(truth, Kind::Same);
  case Kind::Same:
    return withKind(truth, Kind::Differ);
  default:
    return negated(truthOf(truth));
  }
}

Formula within(const Formula& x, const Range& known, Index lo, Index hi) {
  if (hi < lo || hi < known.least || lo > known.most)
    return constant(false);
  if (lo == hi && known.least < known.most)
    return operation(Kind::Equal, x, numberOf(lo));
  std::vector<Formula> bounds;
  if (lo > known.least)
    bounds.push_back(operation(Kind::LessEqual, numberOf(lo), x));
  if (hi < known.most)
    bounds.push_back(operation(Kind::LessEqual, x, numberOf(hi)));
  return allOf(std::move(bounds));
}

Formula truthOf(Formula x) {
  if (x.isTruth())
    return x;
  if (x.kind == Kind::Number)
    return constant(x.value != 0);
  if (x.kind == Kind::Count)
    return x.of.front();
  return operation(Kind::NotEqual, std::move(x), numberOf(0));
}

Formula integerOf(Formula x) {
  if (!x.isTruth())
    return x;
  if (x.kind == Kind::True || x.kind == Kind::False)
    return numberOf(x.kind == Kind::True ? 1 : 0);
  return operation(Kind::Count, std::move(x));
}

} // namespace attention
