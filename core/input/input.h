// An input is what attention runs on: queries, keys and values of one or more model heads, token
// labels, and ready attention weights where a file has them. It is loaded from an InputSpec, is
// immutable and shared between jobs. Files stay mapped and random numbers undrawn until a matrix of
// one head is requested.
#pragma once

#include "core/attention/modifiers.h"
#include "core/input/input_spec.h"
#include "core/input/projection.h"
#include "core/input/tensor.h"
#include "core/pattern/pattern.h"
#include "core/support/error.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

namespace attention {

// Arrays [n, d], [heads, n, d] or [batch, heads, n, d]; or one [n, d] or [heads, n, d] per layer,
// where a file names them layer.0.q, layer.1.q …
struct Stored {
  std::vector<Tensor> q;
  std::vector<Tensor> k;
  std::vector<Tensor> v; // none if no values are given
};

// Which keys a model's own masks let a query see. Unknown: it has none, or they depend on the data.
enum class Attends {
  Unknown,
  Backward, // a decoder: itself and earlier ones, in every layer
  BothWays, // an encoder: all of them
  Mixed,    // later ones in some layer
};

// Matrices that are computed when they are asked for: layer by layer, by a model that reads a text.
struct Computed {
  // n × d of a layer and a head of the role, keys and values by their own heads. Called from any
  // thread.
  std::function<Matrix<float>(Role role, Index layer, Index head, const Run& run)> matrix;
};

struct Input {
  Index queries = 0; // n_q
  Index keys = 0;    // n_k
  Index d = 0;       // of queries and keys; 0 if there are only ready weights
  Index dv = 0;      // of values; 0 if there are none
  Index heads = 1;   // of queries
  Index kvHeads = 1; // of keys and values; divides heads, query head h uses h / (heads / kvHeads)
  Index batches = 1; // length of the leading axis
  // Which axes q, k and v have before [n, d], and outputs too: an axis of length 1 counts. An array
  // per layer makes a leading axis, whatever shape the arrays themselves have.
  bool batchAxis = false;
  bool headAxis = false;
  Index batch = 0;                      // the spec's choice, < batches
  Index head = 0;                       // the spec's choice, < heads
  std::string batchName = "batch";      // what the leading axis is: "layer" or "batch"
  std::vector<std::string> batchLabels; // one per batch: "layer 5"; empty: numbered 0 …
  bool sharedQk = false;                // keys are the same array as queries
  bool oneArray = false;                // values too: one array was taken for all three
  bool headsAfterTokens = false;        // files have [batch, n, heads, d], and outputs too
  ScoreModifiers modifiers;             // that the file states, scale included
  std::vector<std::string> tokens;      // labels of keys, n_k; empty where unknown
  std::vector<std::string> pieces;      // the tokenizer's own, where the file has them; n_k
  std::vector<Index> ids;               // of the tokens, where the file has them; n_k
  std::string tokensFrom;               // what states them, for errors: "m.npz: metadata tokens"
  std::string tokensProblem;            // why there are none although the spec or the file has some
  std::vector<Pattern> ownMasks; // the model's own, one per batch; empty if the file names none
  std::string maskProblem;       // why there are none although the file mentions a mask
  Attends attends = Attends::Unknown;
  std::optional<Error> valuesProblem; // why ready weights have no values though the file has some
  std::map<std::string, std::string> metadata; // model, text, license …, where the file says
  // What a reader of the numbers should know and the files do not say, in whole sentences: one
  // array is used for all three, heads outnumber tokens.
  std::vector<std::string> notes;
  // The first row of ready weights that does not sum to 1, in words (weight_rows.h); else empty.
  std::string oddRow;
  std::string description; // one line: "minilm.npz · 6 layers · 12 heads · n 128 · d 32"
  std::string contentHash; // fingerprint of the files; empty for random inputs

  // Whether there are q, k and v; if not, there are ready weights.
  bool hasQkv() const { return !std::holds_alternative<std::monostate>(source); }
  bool hasAttention() const { return weights.has_value(); }
  bool hasValues() const { return dv > 0; }

  // Matrices of one head (a query head also for k and v) and of the spec's batch or another one.
  // T is float or double. E_NONFINITE where a file holds NaN or infinity; E_RANGE: no such head or
  // batch; E_UNSUPPORTED: the input has no such matrix; E_TYPE: values that were not given.
  template <class T>
  Matrix<T> q(Index ofHead, std::optional<Index> ofBatch = {}, const Run& run = {}) const {
    return matrix<T>(Role::Query, ofHead, ofBatch, run); // n_q × d
  }
  template <class T>
  Matrix<T> k(Index ofHead, std::optional<Index> ofBatch = {}, const Run& run = {}) const {
    return matrix<T>(Role::Key, ofHead, ofBatch, run); // n_k × d
  }
  template <class T>
  Matrix<T> v(Index ofHead, std::optional<Index> ofBatch = {}, const Run& run = {}) const {
    return matrix<T>(Role::Value, ofHead, ofBatch, run); // n_k × dv
  }
  template <class T>
  Matrix<T> matrix(Role role, Index ofHead, std::optional<Index> ofBatch, const Run& run) const;

  // Ready attention weights, n_q × n_k. E_RANGE where one is negative: this is checked only when
  // they are used as weights.
  template <class T>
  Matrix<T> attention(Index ofHead, std::optional<Index> ofBatch = {}, const Run& run = {}) const;
  template <class T>
  Matrix<T> attentionOfAnySign(Index ofHead, std::optional<Index> ofBatch = {},
                               const Run& run = {}) const;

  // E_SHAPE with the two shapes where n_q ≠ n_k; for uses without an alignment (S4.20).
  void requireSquare() const;

  // Whether the heads are columns of one model dimension, where outputs belong side by side (S3.5).
  bool isEmbedded() const;

  // W_O of embeddings with weights (S3.5), or null.
  const Matrix<double>* outputProjection() const;

  // One line about where the numbers come from and how many there are, made from the fields above.
  std::string shapeDescription() const;

  // Where the numbers come from; use the functions above.
  std::variant<std::monostate, RandomInput, Stored, Projected, Computed> source;
  std::optional<Tensor> weights;
  std::optional<Tensor> weightValues; // beside weights without queries and keys
  // Arrays that mechanisms name (further_arrays.h), one each, or one per layer.
  std::map<std::string, std::vector<Tensor>> further = {};
  bool furtherOfLayers = false;
};

// The notes of an input, including those on the rows of ready weights: what happens to them where
// patterns cut them, or that they stay unchanged.
std::vector<std::string> notesOf(const Input& input, bool cut = true);

// "24 heads of 3 tokens were read; `bnhd` 3 heads of 24 tokens.": which of the two phrases says how
// the other order of axes is read depends on the one that was. Empty where heads do not outnumber
// tokens.
std::string layoutNote(const Input& input, std::string_view bhnd, std::string_view bnhd);

// The path of the bundled sample of that name. E_UNKNOWN where there is none.
using AssetPath = std::function<std::filesystem::path(const std::string& name)>;

// What happens when labels cannot be read or their number differs from the tokens': E_SHAPE and
// what readTokens throws, or an input without labels and with `tokensProblem`.
enum class Labels { Required, Wanted };

// What the spec says beside its source, taken into an input that was made from it: layer and head,
// modifiers, labels, the description. Errors as of loadInput.
std::shared_ptr<const Input> completed(Input input, const InputSpec& spec, const Run& run = {},
                                       Labels labels = Labels::Required);

// Opens, checks and describes the input of `spec`, which is no model (core/model/model_input.h
// opens those too); null if it says none. Errors name the file and the array: E_IO (missing file),
// E_SHAPE (lengths, heads), E_TYPE, E_UNSUPPORTED, E_UNKNOWN (array or asset), E_RANGE (batch,
// head), E_N. Relative paths are relative to the working folder. O(1) in the arrays' sizes except
// for embeddings (n D²), ready weights (all are checked), the model's own masks (layers · n², in
// memory only their runs) and the fingerprint.
std::shared_ptr<const Input> loadInput(const InputSpec& spec, const AssetPath& assetPath = {},
                                       const Run& run = {}, Labels labels = Labels::Required);

} // namespace attention
