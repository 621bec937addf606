// Jargon: terms that a visitor may meet here for the first time. Each has one sentence on what it
// means and the lesson that shows it at work; tooltips add both after their own words.
#pragma once

#include <string>
#include <string_view>

namespace attention::gui {

struct Jargon {
  const char* meaning;
  const char* lesson; // its title; empty: no lesson covers it
};

namespace jargon {

constexpr const char* kHashing = "Hashing and clustering";
constexpr const char* kKernels = "Kernels and random features";

constexpr Jargon kCapturedMass{
    "Captured mass: the share of dense attention's weight that lies on the keys that are kept; 1 "
    "means that nothing is lost.",
    kHashing};
constexpr Jargon kRecall{"Recall: the share of each query's largest weights that is kept.",
                         kHashing};
constexpr Jargon kEntropy{
    "Entropy: how spread out a query's weights are, in nats (natural logarithms); e to the entropy "
    "is about the number of keys that matter.",
    ""};
constexpr Jargon kOutputError{
    "Output error: how far the output is from that of dense attention, relative to its size.", ""};
constexpr Jargon kBucket{"Bucket: the tokens with the same hash, likely to point the same way.",
                         kHashing};
constexpr Jargon kRound{"Round: one hashing of all tokens, with its own random rotation.",
                        kHashing};
constexpr Jargon kChunk{
    "Chunk: a stretch of the sorted tokens; they attend within it and to its neighbours.",
    kHashing};
constexpr Jargon kFeatures{
    "Features: numbers φ(x) for each query and key; φ(q)·φ(k) stands in for exp(q·k).", kKernels};
constexpr Jargon kProjections{"Projections: the random directions w from which features are made; "
                              "the more there are, the smaller the error.",
                              kKernels};
constexpr Jargon kNormaliser{
    "Normaliser: the sum that a row is divided by so that its weights add up to 1.", kKernels};
constexpr Jargon kRank{
    "Rank: how many independent rows a matrix has; features of m numbers give a matrix of rank at "
    "most m.",
    kKernels};
constexpr Jargon kScoreModifiers{
    "Score modifiers change q·k before the softmax: a scale, a soft cap, a bias by position, a "
    "temperature. A sink takes part of the softmax weight but has no value, so it adds nothing to "
    "the output.",
    ""};
constexpr Jargon kPareto{
    "Pareto front: the mechanisms that no other beats in both cost and quality.", ""};

} // namespace jargon

// "Mean over the queries.\nCaptured mass: … Lesson: Hashing and clustering."
inline std::string explained(std::string_view words, const Jargon& of) {
  std::string text(words);
  text += text.empty() ? "" : "\n";
  text += of.meaning;
  return std::string_view(of.lesson).empty() ? text : text + " Lesson: " + of.lesson + ".";
}

} // namespace attention::gui
