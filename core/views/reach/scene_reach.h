// What the Reach view of a Scene shows (S10), computed: the window draws it and files are made of
// it.
#pragma once

#include "core/input/input.h"
#include "core/pattern/pattern_data.h"
#include "core/scene/scene.h"
#include "core/support/run.h"
#include "core/views/reach/reach_figure.h"

#include <memory>
#include <string>
#include <vector>

namespace attention {

constexpr Index kMostHopTokens = 4096; // n of the matrix of hops that is shown: 32 MiB

// What the layers are made from in the Scene.
struct ReachQuestion {
  std::vector<Pattern> stack; // in turn, lowest first; never empty
  std::string title;          // of one pattern in all layers, where it has one
  std::vector<Panel> beside;
  std::vector<StackedModel> models; // whose layers are followed too
  Lengths lengths;
  Index layers = 1;
  bool residual = true;
  bool operator==(const ReachQuestion&) const = default;
};
// Errors as check(ReachSpec).
ReachQuestion reachQuestion(const Scene& scene, const Lengths& lengths);

// Whether one of the patterns depends on the data.
bool readsData(const ReachQuestion& question);

// Variants of the same layers: the effect of order and residual connection (S10; Child et al. 2019,
// section 4.2: its two heads reach everything in only one order).
struct ReachVariant {
  bool residual = true;
  bool reversed = false; // the lowest layer's pattern becomes the highest's
  LayerReach top;        // what all layers reach
};

struct ReachAnswer {
  LayerStack stack;
  Index layers = 1;
  std::vector<ReachGrowth> growth;       // the stack's first, then those beside it, then models
  std::vector<std::string> leftOut;      // why a model has no curve, a sentence each
  std::shared_ptr<const HopMatrix> hops; // null if n > kMostHopTokens
  std::shared_ptr<const LostPairs> lost; // of those; null if none is lost again
  std::optional<Index> longest;          // path between two tokens; nothing if not known
  std::optional<Pattern> form;           // the reach of all layers in closed form
  std::vector<ReachVariant> variants;    // one switch flipped in each; none if n > kMostHopTokens
};

// Prepares the patterns (`data`: what they depend on) and follows the layers: by the closed forms
// where they exist, else by bits up to kMostReachTokens. E_SHAPE: not square; E_RANGE: n beyond
// that; and what prepare throws. `onPart` is called with the answer whenever it gets another curve
// of growth.
ReachAnswer reachAnswer(const ReachQuestion& question, const PatternData& data, int threads,
                        const std::function<void(const ReachAnswer&)>& onPart = {},
                        const Run& run = {});

// The reach of all layers of the stack in closed form, where there is one.
std::optional<Pattern> reachForm(const ReachQuestion& question);

// The part of it that is about the stack alone, without hops: `answer` has its patterns prepared,
// their files read in `question`, and gets the rest. There may be any number of layers here. Gives
// the pairs of all layers where they were followed bit by bit. E_RANGE as above.
std::optional<BitMatrix> followStack(ReachAnswer& answer, const ReachQuestion& question,
                                     const PatternData& data, int threads, const Run& run = {});

// The same for a Scene and its input, which may be null.
ReachAnswer reachOfScene(const Scene& scene, const Input* input, int threads, const Run& run = {});

// "3 layers of local, window 4", "2 layers with alternating patterns".
std::string layersText(const ReachAnswer& answer);
// Whether there are few enough tokens and layers for a graph of them (reach_figure.h).
bool fitsGraph(const ReachAnswer& answer);
// "What token 20 sees through 4 layers of local, window 4"; when only some layers from the top are
// followed, "through 2 of 4 layers of …".
std::string titleOfReach(const ReachAnswer& answer, Index token,
                         std::optional<Index> shown = std::nullopt);
// Without a token: "What 4 layers of local, window 4 reach".
std::string titleOfGrowth(const ReachAnswer& answer);

// The growth of all curves; for a stack of one pattern, with a line at the number of layers
// followed (for others the curve follows them from the input, not from the top).
Plot growthOf(const ReachAnswer& answer, std::optional<Index> shown);

// What the chosen token sees, for a graph and for words beside it.
struct ReachOfToken {
  Index token = 0;
  std::vector<Index> seen;         // inputs that it reaches through t layers; [0] is 1
  std::optional<Index> other;      // the other end of the path
  std::vector<Index> path;         // empty if the layers do not suffice
  std::optional<Index> neededFor0; // layers until token 0 is seen, among those followed
};
ReachOfToken reachOfToken(const ReachAnswer& answer, const Pins& pins, const Run& run = {});

// The graph of the layers with what the token sees lit through `shown` layers from the top, or why
// there is none: too many tokens, layers or edges. The matrices show it nevertheless.
struct LayerGraph {
  std::optional<Plot> plot;
  Index seen = 0; // tokens lit at the end of the followed layers
  std::string whyNot;
};
LayerGraph graphOf(const ReachAnswer& answer, const ReachOfToken& of, std::optional<Index> shown,
                   std::vector<std::string> names);

// What to see in the picture, in sentences from nothing but the numbers.
std::vector<std::string> readingOf(const ReachAnswer& answer);

} // namespace attention
