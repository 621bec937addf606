// What a mechanism that looks at the data chooses (S20 – S31), computed for the Choosing view: the
// scores of its blocks or keys with what was forced and what was chosen; what a cache holds at
// every step; and what is kept of attention against the budget. Scores come from the prepared
// pattern, which ranks as it did when it chose.
#pragma once

#include "core/pattern/pattern.h"
#include "core/scene/choosing_picture.h"
#include "core/scene/input_data.h"
#include "core/scene/scene.h"
#include "core/views/choosing/hashed_tokens.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attention {

constexpr Index kMostChosenTokens = 16384; // n of scores and of time lines
constexpr Index kMostBudgetTokens = 2048;  // n of the budget, whose oracles need all n² scores
constexpr Index kMostChosenCells = 1024;   // a side of a picture: longer ones show every m-th token

// Whether the picture has something to show of the pattern; the circle needs none.
bool suits(ChoosingPicture picture, const Pattern& pattern);

// The Scene's pattern and length for a picture of choices. E_UNSUPPORTED: the picture has nothing
// to show of the pattern, or the mask is not square; E_RANGE: n is beyond the picture's.
ChoosingQuestion choosingQuestion(const Scene& scene, const Lengths& lengths);

// The query, or step of a cache, that is shown in detail: the pinned one, else the last.
Index choosingQuery(const Scene& scene, Index n);

// ---- scores, and what was chosen by them ----

constexpr std::size_t kForcedHue = 5; // of forced blocks where their part also holds chosen ones

enum class Taken { Never, Ranked, Chosen, Forced }; // Never: it could not be chosen

// A pattern that ranks or evicts, prepared, and its picture.
struct ChosenKeys {
  Pattern pattern;
  std::shared_ptr<const Prepared> prepared; // has a choice
  PatternData data;
  AttendOptions how; // what makes scores of q·k
  Index pairs = 0;
  // Numbers for Ramp::Choice, query rows; of a cache for Ramp::Hues, with a row per key and a
  // column per step. At most kMostChosenCells a side: where n is larger, rows and columns show
  // every m-th query and the most that happened to the keys between.
  std::shared_ptr<const Matrix<float>> cells;
  // How many blocks of queries chose each block of keys by its score; empty for a cache, and where
  // there are too many to count.
  std::vector<Index> chosenBy;
  // Hues of the parts that hold keys, with their labels; whether forced blocks have one of their
  // own.
  std::vector<std::pair<std::size_t, std::string>> hues;
  bool marksForced = false;
  std::vector<Index> evictedAt; // of a cache, by key: the first step without it, or −1; else empty

  const KeyChoice& choice() const { return *prepared->choice(); }
  bool isCache() const { return choice().tellsEvictions; }
  Index n() const { return prepared->lengths().keys; }
  bool sampled() const { return n() > kMostChosenCells; }
  // "block 3" or "key 17": what is chosen is called so.
  std::string thing() const { return choice().keyBlock > 1 ? "block" : "key"; }
  // The hue of a block that was taken, as its part has it in a mask; forced ones have one of their
  // own where their part also holds chosen ones.
  std::size_t hueOf(Index a, Index c, Taken taken) const;
};
// Throws as prepare and inputData do. O(n² d) at most.
ChosenKeys chosenKeys(const ChoosingQuestion& question, const ModelHead& input,
                      const Run& run = {});

// What one query chose from.
struct ChoiceRow {
  Index query = 0;
  Index block = 0;            // of queries: those that choose together
  std::vector<double> scores; // one per block of keys; NaN where there is none
  std::vector<Taken> taken;
  Index forced = 0;
  Index chosen = 0;
  Index ranked = 0;          // blocks with a score that are not forced
  Index keys = 0;            // that the query reads
  std::optional<double> cut; // the lowest score that is chosen, where all above it are
};
ChoiceRow choiceRow(const ChosenKeys& of, Index query);

// ---- a cache at one step ----

struct CacheStep {
  Index step = 0;
  std::vector<Index> keys; // that are read, ascending
  std::vector<std::size_t> parts;
  std::vector<double>
      weights;       // their attention weights, less what a sink takes; empty without data
  Index evicted = 0; // keys that are gone before this step
};
CacheStep cacheStep(const ChosenKeys& of, Index step);

// ---- against the budget ----

struct BudgetPoint {
  double value = 0; // of the parameter
  Index pairs = 0;
  double keys = 0;         // per query, on average
  double recall = 0;       // S31, as the next two
  double oracleBlocks = 0; // the best of as many blocks
  double oracleKeys = 0;   // the best of as many keys
  double window = 0;       // the nearest keys, not more pairs than here
};
struct BudgetCurves {
  Pattern pattern;
  std::string parameter; // its name: "top_k"
  std::string label;     // "top k"
  Index n = 0;
  bool blocks = false;        // whether several keys are chosen together
  double current = 0;         // the Scene's own value
  std::vector<double> values; // that are asked for, ascending; as many points as are ready
  std::vector<BudgetPoint> points;

  const BudgetPoint* at(double value) const; // null if it is not ready
};
// The parameter that the budget of the pattern is set by: "top_k", "threshold". Null: it has none.
const Parameter* budgetParameter(const Pattern& pattern);
// At the parameter's values 1, 2, 4 … or at shares of the weight, and at its own; values that the
// other parameters do not allow are left out. `onPart` is called with each point. E_UNSUPPORTED
// without queries and keys. O(points · n² (d + log n)).
BudgetCurves budgetCurves(const ChoosingQuestion& question, const ModelHead& input,
                          const std::function<void(const BudgetCurves&)>& onPart = {},
                          const Run& run = {});

} // namespace attention
