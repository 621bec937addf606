#include "core/views/steps/scene_steps.h"

#include "core/scene/pattern_files.h"
#include "core/support/error.h"
#include "core/support/part_of_run.h"
#include "core/support/text.h"
#include "core/views/attention/scene_attention.h"
#include "core/views/steps/steps_board.h"

#include <algorithm>

namespace attention {
namespace {

constexpr Index kFewTokens = 16; // of so few the last query says the most

// Of the token that a query acts as; empty where it is not known.
std::string wordOf(Index query, std::span<const std::string> tokens, const Lengths& lengths) {
  const auto at = static_cast<std::size_t>(query + lengths.offset);
  return at < tokens.size() ? tokens[at] : std::string();
}

// ASCII letters count as the same in either case.
bool beginsWith(std::string_view word, std::string_view beginning) {
  const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return word.size() >= beginning.size() &&
         std::equal(beginning.begin(), beginning.end(), word.begin(),
                    [&](char a, char b) { return small(a) == small(b); });
}

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
    throw Error(ErrorCode::Unsupported, "input", "No input loaded. Open Q, K and V.");
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

std::string queryText(Index query, std::span<const std::string> tokens, const Lengths& lengths) {
  const std::string word = wordOf(query, tokens, lengths);
  return std::to_string(query) + (word.empty() ? "" : " " + word);
}

Index queryNamed(const std::string& text, std::span<const std::string> tokens,
                 const Lengths& lengths, Index from) {
  const std::string_view asked = trimmed(text);
  const std::string_view first = asked.substr(0, asked.find(' '));
  if (isWholeNumber(first)) {
    const auto query = numberOf<Index>(first);
    if (!query || *query < 0 || *query >= lengths.queries)
      throwRange("query", std::string(first),
                 "an integer from 0 to " + std::to_string(lengths.queries - 1));
    return *query;
  }
  for (Index k = 0; k < lengths.queries && !asked.empty(); ++k) {
    const Index query = (from + k) % lengths.queries;
    if (beginsWith(wordOf(query, tokens, lengths), asked))
      return query;
  }
  throwRange("query", excerpt(asked), "a number or the beginning of a word of the input");
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

std::string titleWithHead(const std::string& title, const ModelHead& of) {
  const std::string words = of.input ? headWords(*of.input, of.batch, of.head) : std::string();
  return words.empty() ? title : title + ", " + words;
}

} // namespace attention
