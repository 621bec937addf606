// The text of a Scene's input, shaded by what a query gives to every key under the pattern, or by
// what every query gives to a key.
#pragma once

#include "core/analysis/weight_maps.h"
#include "core/plot/figure.h"
#include "core/plot/running_text.h"
#include "core/scene/input_data.h"
#include "core/scene/scene.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attention {

constexpr Index kMostTextTokens = 16384;
constexpr Index kMostRolloutTokens = 2048; // of rollout, which holds whole matrices

// What the weights read of a Scene beside the input.
struct TextQuestion {
  Pattern pattern;
  Lengths lengths;
  Align align = Align::TopLeft;
  AttentionBase base = AttentionBase::Meaningful;
  TextOf of = TextOf::Head;
  bool operator==(const TextQuestion&) const = default;
};
// E_RANGE: too many tokens.
TextQuestion textQuestion(const Scene& scene, const Lengths& lengths);

// Weights over the base and over the pattern: of some heads of which the mean is taken, or whole
// matrices after all layers.
struct TextWeights {
  std::vector<std::shared_ptr<const HeadWeights>> heads;
  std::optional<Matrix<double>> dense; // of rollout
  std::optional<Matrix<double>> kept;
  Lengths lengths;
  std::string words; // "layer 3, head 5", "mean of layer 3", "rollout through layers 0–3"
  Base base = Base::Full;
  std::vector<std::string> about = {}; // what the pattern's weights are, where that needs saying
};
// E_UNSUPPORTED: no input; E_SHAPE; and what prepare and HeadWeights throw. O(n² d) for each head.
TextWeights textWeights(const TextQuestion& question, const ModelHead& of, const Run& run = {});

// What a token gives, or receives: over the base and over the pattern, a number for each token.
struct TextShades {
  bool byKey = false;
  Index token = 0; // the query, or the key
  std::vector<float> dense;
  std::vector<float> kept;
};
// O(n d) for each head.
TextShades textShades(const TextWeights& weights, bool byKey, Index token);

// The pinned query or key; else a query as stepsQuery chooses it, and key 0.
Index textToken(const Scene& scene, const Lengths& lengths);

struct TextLook {
  std::vector<std::string> labels; // of the keys, or empty
  std::vector<std::string> pieces; // likewise
  bool lost = true;
  Index first = 0; // token of the first line
};
RunningTextMark textMark(const TextShades& shades, const TextLook& look);
std::string textTitle(const TextWeights& weights, const TextShades& shades, const TextLook& look);
// "key 12 “river”: 0.12 under the pattern, 0.08 without it".
std::string wordsOfToken(const TextShades& shades, const std::vector<std::string>& labels,
                         Index token);
// What to see, in sentences: the token with the most, by its label.
std::vector<std::string> readingOf(const TextWeights& weights, const TextShades& shades,
                                   const std::vector<std::string>& labels);
std::string textCaption(const TextShades& shades, const TextLook& look);
// The token that would have the most weight of those that the pattern hides; nothing where it hides
// none.
std::optional<Index> mostHidden(const TextShades& shades);
// "“may” (key 369)": what the caption calls it.
std::string hiddenWords(const TextShades& shades, const TextLook& look, Index token);

// The tokens of an input as running text. `pieces`: the tokenizer's own, or empty; `labels`: as
// many, what they are called. Words are joined by the signs of their tokenizer: "##" goes on a word
// (WordPiece), "Ġ" and "▁" begin one (byte-level BPE, SentencePiece); where there are none of these
// every token is a word. Without labels tokens are their numbers. A line break ends its word and
// its line; a single one behind a long line, as of a source that wraps its lines, reads as a space.
// Bytes as tokens, "<0xE8>", are read as the characters of UTF-8 that they form.
// Punctuation stands at the end of the word before it.
std::vector<TextToken> textTokens(std::span<const std::string> pieces,
                                  std::span<const std::string> labels, Index count);

} // namespace attention
