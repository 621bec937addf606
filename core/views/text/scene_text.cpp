#include "core/views/text/scene_text.h"

#include "core/analysis/reach/rollout.h"
#include "core/pattern/branch_layers.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/part_of_run.h"
#include "core/views/attention/scene_attention.h"
#include "core/views/steps/scene_steps.h"

#include <algorithm>
#include <numeric>

namespace attention {
namespace {

std::shared_ptr<const HeadWeights> weightsOf(const TextQuestion& question, const ModelHead& of,
                                             const Run& run) {
  const AttentionQuestion asked{question.pattern, question.lengths, question.base, question.align};
  return headWeights(asked, of, run);
}

std::string layerName(const Input& input, Index batch) {
  const auto at = static_cast<std::size_t>(batch);
  return at < input.batchLabels.size() ? input.batchLabels[at]
                                       : input.batchName + " " + groupedDigits(batch);
}

void addTo(Matrix<double>& sum, const Matrix<float>& part, double share) {
  for (Index i = 0; i < sum.rows(); ++i)
    for (Index j = 0; j < sum.cols(); ++j)
      sum(i, j) += share * static_cast<double>(part(i, j));
}

// The means of the layers up to the chosen one, multiplied, over the base and over the pattern.
void rollOut(TextWeights& made, const TextQuestion& question, const ModelHead& of, const Run& run) {
  const Input& input = *of.input;
  const Index n = question.lengths.keys;
  const Rect all{0, n, 0, n};
  for (Index layer = 0; layer <= of.batch; ++layer) {
    Matrix<double> dense(n, n);
    Matrix<double> kept(n, n);
    for (Index head = 0; head < input.heads; ++head) {
      const auto weights =
          weightsOf(question, {of.input, layer, head},
                    stepOf(run, layer * input.heads + head, (of.batch + 1) * input.heads));
      const double share = 1 / static_cast<double>(input.heads);
      addTo(dense, weights->denseRows(all, run.quiet()), share);
      addTo(kept, weights->patternRows(all, run.quiet()), share);
      made.base = weights->base();
      made.about = weightSentences(*weights->pattern());
    }
    made.dense = rolloutThrough(std::move(dense), made.dense ? &*made.dense : nullptr, 0.5,
                                run.threads, run.quiet());
    made.kept = rolloutThrough(std::move(kept), made.kept ? &*made.kept : nullptr, 0.5, run.threads,
                               run.quiet());
  }
  made.words = of.batch == 0 ? "rollout through " + layerName(input, 0)
                             : "rollout up to " + layerName(input, of.batch);
}

std::vector<float> lineOf(const Matrix<double>& all, bool column, Index at) {
  std::vector<float> line;
  for (Index k = 0; k < (column ? all.rows() : all.cols()); ++k)
    line.push_back(static_cast<float>(column ? all(k, at) : all(at, k)));
  return line;
}

void addTo(std::vector<float>& sum, const std::vector<float>& part, float share) {
  sum.resize(part.size());
  for (std::size_t k = 0; k < part.size(); ++k)
    sum[k] += share * part[k];
}

// "“river”"; line breaks by their signs, as the text shows them.
std::string quoted(const std::string& label) {
  const TextToken token = textTokens({}, {&label, 1}, 1).front();
  std::string signs;
  for (Index k = 0; token.text.empty() && k < token.breaks; ++k)
    signs += "¶";
  return "“" + (signs.empty() ? label : signs) + "”";
}

// "“river” (query 12)", without labels "query 12".
std::string nameOf(const TextLook& look, Index token, const char* what) {
  const auto at = static_cast<std::size_t>(token);
  const std::string number = what + (" " + groupedDigits(token));
  return at < look.labels.size() ? quoted(look.labels[at]) + " (" + number + ")" : number;
}

// What the pattern hides of a token: nothing where it keeps any of it.
float lostOf(const TextShades& shades, std::size_t token) {
  return shades.kept[token] > 0 ? 0 : shades.dense[token];
}

} // namespace

TextQuestion textQuestion(const Scene& scene, const Lengths& lengths) {
  const TextOf of = scene.attention.text.of;
  const Index most = of == TextOf::Rollout ? kMostRolloutTokens : kMostTextTokens;
  const Index n = std::max(lengths.queries, lengths.keys);
  if (n > most)
    throwRange("n", std::to_string(n),
               "at most " + std::to_string(most) +
                   (of == TextOf::Rollout ? " tokens for rollout" : " tokens in this view"));
  if (of == TextOf::Rollout && !lengths.square())
    throw Error(ErrorCode::Shape, "queries",
                "rollout needs as many queries as keys, not " + groupedDigits(lengths.queries) +
                    " and " + groupedDigits(lengths.keys));
  return {scene.pattern, lengths, scene.length.align, scene.attention.base, of};
}

TextWeights textWeights(const TextQuestion& question, const ModelHead& of, const Run& run) {
  if (!of.input)
    throw Error(ErrorCode::Unsupported, "input",
                "No input loaded. Open Q, K, V or attention weights.");
  TextWeights made;
  made.lengths = question.lengths;
  if (question.of == TextOf::Rollout) {
    rollOut(made, question, of, run);
    return made;
  }
  const bool layer = question.of == TextOf::Layer;
  const Index heads = layer ? of.input->heads : 1;
  for (Index k = 0; k < heads; ++k)
    made.heads.push_back(
        weightsOf(question, {of.input, of.batch, layer ? k : of.head}, stepOf(run, k, heads)));
  made.base = made.heads.front()->base();
  made.about = weightSentences(*made.heads.front()->pattern());
  made.words =
      layer ? "mean of " + layerName(*of.input, of.batch) : headWords(*of.input, of.batch, of.head);
  return made;
}

TextShades textShades(const TextWeights& weights, bool byKey, Index token) {
  TextShades shades{byKey, token, {}, {}};
  if (weights.dense) {
    shades.dense = lineOf(*weights.dense, byKey, token);
    shades.kept = lineOf(*weights.kept, byKey, token);
    return shades;
  }
  const Rect cells = byKey ? Rect{0, weights.lengths.queries, token, token + 1}
                           : Rect{token, token + 1, 0, weights.lengths.keys};
  const float share = 1 / static_cast<float>(weights.heads.size());
  for (const auto& head : weights.heads) {
    addTo(shades.dense, head->denseRows(cells).values(), share);
    addTo(shades.kept, head->patternRows(cells).values(), share);
  }
  return shades;
}

Index textToken(const Scene& scene, const Lengths& lengths) {
  if (!scene.attention.text.byKey)
    return stepsQuery(scene, lengths);
  const auto& key = scene.pins.key;
  return key && *key >= 0 && *key < lengths.keys ? *key : 0;
}

RunningTextMark textMark(const TextShades& shades, const TextLook& look) {
  RunningTextMark mark;
  mark.tokens = textTokens(look.pieces, look.labels, std::ssize(shades.kept));
  mark.marked = shades.token;
  mark.first = look.first;
  float most = 0;
  for (std::size_t k = 0; k < shades.kept.size(); ++k)
    most = std::max({most, shades.kept[k], look.lost ? lostOf(shades, k) : 0});
  if (most <= 0)
    return mark;
  for (std::size_t k = 0; k < shades.kept.size(); ++k) {
    mark.tokens[k].share = static_cast<double>(shades.kept[k] / most);
    if (look.lost)
      mark.tokens[k].lost = static_cast<double>(lostOf(shades, k) / most);
  }
  return mark;
}

std::string textTitle(const TextWeights& weights, const TextShades& shades, const TextLook& look) {
  const std::string of = weights.words.empty() ? "" : " · " + weights.words;
  return (shades.byKey ? "Attention to " : "Attention from ") +
         nameOf(look, shades.token, shades.byKey ? "key" : "query") + of;
}

std::optional<Index> mostHidden(const TextShades& shades) {
  std::optional<Index> most;
  for (std::size_t k = 0; k < shades.dense.size(); ++k)
    if (lostOf(shades, k) > (most ? lostOf(shades, static_cast<std::size_t>(*most)) : 0))
      most = static_cast<Index>(k);
  return most;
}

std::string hiddenWords(const TextShades& shades, const TextLook& look, Index token) {
  return nameOf(look, token, shades.byKey ? "query" : "key");
}

std::string textCaption(const TextShades& shades, const TextLook& look) {
  std::string text = "The stronger the shade, the more weight the word ";
  text += shades.byKey ? "gives to the framed one." : "receives.";
  const double all = std::accumulate(shades.dense.begin(), shades.dense.end(), 0.0);
  double lost = 0;
  for (std::size_t k = 0; k < shades.dense.size(); ++k)
    lost += static_cast<double>(lostOf(shades, k));
  if (const auto most = mostHidden(shades); look.lost && all > 0 && most)
    text += " Words that the pattern hides would " +
            std::string(shades.byKey ? "give " : "receive ") + percentText(lost / all, 1) +
            " of the weight without it; those that would " + (shades.byKey ? "give" : "receive") +
            " the most are underlined, first of all " + hiddenWords(shades, look, *most) + ".";
  return text;
}

std::string wordsOfToken(const TextShades& shades, const std::vector<std::string>& labels,
                         Index token) {
  const auto at = static_cast<std::size_t>(token);
  const auto numberOf = [at](const std::vector<float>& of) {
    return readableNumber(static_cast<double>(of[at]));
  };
  return (shades.byKey ? "query " : "key ") + groupedDigits(token) +
         (at < labels.size() ? " " + quoted(labels[at]) + ": " : ": ") + numberOf(shades.kept) +
         " under the pattern, " + numberOf(shades.dense) + " without it";
}

std::vector<std::string> readingOf(const TextWeights& weights, const TextShades& shades,
                                   const std::vector<std::string>& labels) {
  const auto most = std::max_element(shades.kept.begin(), shades.kept.end());
  if (most == shades.kept.end() || *most <= 0)
    return {"The pattern hides every token."};
  const auto at = static_cast<std::size_t>(most - shades.kept.begin());
  const std::string word = at < labels.size() ? " " + quoted(labels[at]) : "";
  std::vector<std::string> said{(shades.byKey ? "Query " : "Key ") + groupedDigits(at) + word +
                                (shades.byKey ? " gives the most: " : " receives the most: ") +
                                sharePercent(static_cast<double>(*most)) + "."};
  said.insert(said.end(), weights.about.begin(), weights.about.end());
  return said;
}

} // namespace attention
