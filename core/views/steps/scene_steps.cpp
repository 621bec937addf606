#include "core/views/steps/scene_steps.h"

#include "core/scene/pattern_files.h"
#include "core/support/error.h"
#include "core/support/part_of_run.h"
#include "core/views/steps/steps_board.h"

#include <algorithm>

namespace attention {
namespace {

constexpr Index kFewTokens = 16; // of so few the last query says the most

struct HeadArrays {
  Matrix<double> q;
  Matrix<double> k;
  Matrix<double> v;
};

HeadArrays arraysOf(const SceneStepsQuestion& question, const ModelHead& of, const Run& run) {
  const Input& input = *of.input;
  const Lengths& lengths = question.lengths;
  const Index first = firstQueryRow(input, lengths, question.align);
  return {cutOut(input.q<double>(of.head, of.batch, run), first, lengths.queries, input.d),
          cutOut(input.k<double>(of.head, of.batch, run), 0, lengths.keys, input.d),
          cutOut(valuesIfAny<double>(input, of.batch, of.head, run), 0, lengths.keys, input.dv)};
}

std::shared_ptr<const Prepared> preparedFor(const SceneStepsQuestion& question, const ModelHead& of,
                                            const Run& run) {
  PatternData data;
  if (needsData(question.pattern))
    data = inputData(std::span(&question.pattern, 1), *of.input, of.batch, of.head,
                     question.lengths, question.align, run);
  return prepare(resolveFiles(question.pattern, {}, run), question.lengths, data, run);
}

void requireQueries(const Input* input) {
  if (!input)
    throw Error(ErrorCode::Unsupported, "input", "no input loaded; open Q, K and V");
  if (!input->hasQkv())
    throw Error(ErrorCode::Unsupported, "input",
                "the input has attention weights without queries and keys; steps begin with these");
}

StepsQuestion questionOf(const SceneStepsQuestion& asked, Index d) {
  StepsQuestion question;
  question.by = asked.by;
  question.keyTile = asked.keyTile;
  question.features.normalized = asked.normalized;
  if (asked.key)
    question.pinned = {*asked.key};
  if (asked.by == StepsBy::Linear)
    question.features.map.map = FeatureMap::Elu1;
  if (asked.by == StepsBy::Features) {
    Projection projection;
    projection.rows = asked.m;
    projection.d = d;
    projection.seed = asked.seed;
    question.features.w = drawProjection(projection);
  }
  return question;
}

} // namespace

Index stepsQuery(const Scene& scene, const Lengths& lengths) {
  const Index last = lengths.queries - 1;
  const std::optional<Index>& pinned = scene.pins.query;
  if (pinned && *pinned >= 0 && *pinned <= last)
    return *pinned;
  return lengths.queries <= kFewTokens ? last : last / 2;
}

SceneStepsQuestion sceneStepsQuestion(const Scene& scene, const Lengths& lengths) {
  const StepsSpec& spec = scene.attention.steps;
  checkSettings(stepsSettings(), spec, "steps");
  const Index n = std::max(lengths.queries, lengths.keys);
  if (showsMatrices(spec) && n > kMostMatrixTokens)
    throwRange("n", std::to_string(n),
               "at most " + std::to_string(kMostMatrixTokens) + " tokens for the whole matrix");
  SceneStepsQuestion question;
  question.pattern = scene.pattern;
  question.lengths = lengths;
  question.align = scene.length.align;
  question.by = spec.by;
  question.whole = showsMatrices(spec);
  if (spec.by == StepsBy::Online)
    question.keyTile = spec.keyTile;
  if (spec.by == StepsBy::Features) {
    question.m = spec.m;
    question.seed = spec.seed;
  }
  if (spec.by == StepsBy::Linear || spec.by == StepsBy::Features)
    question.normalized = spec.normalized;
  if (question.whole)
    return question;
  question.query = stepsQuery(scene, lengths);
  if (const auto& key = scene.pins.key; key && *key >= 0 && *key < lengths.keys)
    question.key = key;
  return question;
}

SceneSteps sceneSteps(const SceneStepsQuestion& question, const ModelHead& of, const Run& run) {
  requireQueries(of.input.get());
  requireCovered(*of.input, question.lengths, question.align);
  const auto pattern = preparedFor(question, of, partOf(run, 0, 0.5).quiet());
  const HeadArrays in = arraysOf(question, of, run.quiet());
  const StepsInput input{*pattern,    in.q.view(),    in.k.view(),
                         in.v.view(), question.query, attendOptions(*of.input, of.head)};
  if (question.whole)
    return matrixSteps(input);
  return stepsAnswer(input, questionOf(question, of.input->d));
}

Index countSteps(const SceneSteps& steps, std::span<const std::string> tokens) {
  if (const auto* answer = std::get_if<StepsAnswer>(&steps))
    return std::ssize(stepsBoard(*answer, tokens).steps);
  return kMatrixSteps;
}

} // namespace attention
