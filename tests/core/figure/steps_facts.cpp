#include "tests/core/figure/steps_facts.h"

#include "core/views/heads/head_list.h"
#include "core/views/steps/scene_steps.h"

#include <algorithm>
#include <array>

using namespace attention;

namespace {

double at(const std::vector<double>& values, const std::vector<std::string>& of) {
  return values.at(static_cast<std::size_t>(std::stoll(of.at(0))));
}

StepsAnswer stepsOf(const Scene& scene, const std::shared_ptr<const Input>& input) {
  const Lengths lengths = currentLengths(scene.length, input.get());
  return std::get<StepsAnswer>(
      sceneSteps(sceneStepsQuestion(scene, lengths), modelHead(scene, input)));
}

double headFact(const Scene& scene, const Input& input, const std::vector<std::string>& of) {
  HeadsQuestion question;
  question.lengths = currentLengths(scene.length, &input);
  question.pattern = scene.pattern;
  question.batch = std::stoll(of.at(1));
  question.head = std::stoll(of.at(2));
  const MeasuredHead head = measuredHeads(question, input).at(0);
  for (const HeadMeasure& measure : headMeasureList())
    if (measure.name == of.at(0))
      return measure.of(head).value();
  throw std::invalid_argument("no measure is called " + of.at(0));
}

// Of row i of the whole matrix; nothing for other names and with fewer or more numbers.
std::optional<double> matrixFact(const Scene& scene, const std::shared_ptr<const Input>& input,
                                 const std::string& name, const std::vector<std::string>& of) {
  const bool named = name == "dot" || name == "scaled" || name == "p" || name == "out";
  if (!named || of.size() != 2)
    return std::nullopt;
  Scene whole = scene;
  whole.attention.steps.whole = true;
  const Lengths lengths = currentLengths(whole.length, input.get());
  const SceneSteps steps = sceneSteps(sceneStepsQuestion(whole, lengths), modelHead(whole, input));
  const auto& matrices = std::get<MatrixSteps>(steps);
  const Index i = std::stoll(of.at(0));
  const Index j = std::stoll(of.at(1));
  if (name == "out")
    return matrices.output(i, j);
  const Matrix<double>& scores = name == "dot" ? matrices.dot : matrices.scaled;
  return name == "p" ? matrices.p(i, j) : scores(i, j);
}

} // namespace

std::optional<double> stepsFact(const Scene& scene, const std::shared_ptr<const Input>& input,
                                const std::string& name, const std::vector<std::string>& of) {
  static constexpr std::array kOfSteps{"dot", "scaled", "exp",     "p",       "maxscore",  "expsum",
                                       "out", "tiles",  "tilemax", "tilesum", "correction"};
  if (name == "head")
    return headFact(scene, *input, of);
  if (std::find(kOfSteps.begin(), kOfSteps.end(), name) == kOfSteps.end())
    return std::nullopt;
  if (const auto fact = matrixFact(scene, input, name, of))
    return fact;
  const StepsAnswer answer = stepsOf(scene, input);
  const SoftmaxSteps& steps = answer.softmax;
  if (name == "dot")
    return at(steps.dot, of);
  if (name == "scaled")
    return at(steps.scaled, of);
  if (name == "exp")
    return at(steps.exp, of);
  if (name == "p")
    return at(steps.p, of);
  if (name == "maxscore")
    return steps.max.value();
  if (name == "expsum")
    return steps.sum.value();
  if (name == "out")
    return at(steps.output, of);
  const std::vector<OnlineTile>& tiles = answer.online.value().tiles;
  if (name == "tiles")
    return static_cast<double>(tiles.size());
  const OnlineTile& tile = tiles.at(static_cast<std::size_t>(std::stoll(of.at(0))));
  return name == "tilemax" ? tile.max : name == "tilesum" ? tile.sum : tile.correction;
}
