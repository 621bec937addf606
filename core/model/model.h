// A transformer as its file describes it: what every family has in common, and its weights where
// they are stored. Plain data: families differ in values, not in types (families.h has a table of
// them). forward.h computes with it.
//
// Dimensions of a head are ordered as transformers orders them (a rotation turns the pair i and
// i + width / 2); readers of files with another order say so by `pairedRows`.
#pragma once

#include "core/attention/modifiers.h"
#include "core/model/weight_matrix.h"
#include "core/pattern/pattern.h"
#include "core/support/integers.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attention {

// y = W x + b; without a bias where `bias` is empty.
struct Linear {
  WeightMatrix weight;
  std::vector<float> bias;

  bool empty() const { return weight.empty(); }
};

// Root mean square (Zhang & Sennrich, arXiv 1910.07467), or mean and variance (Ba et al.,
// arXiv 1607.06450).
enum class NormKind { Rms, Layer };

// Nothing is normalised where `weight` is empty. Gemma's 1 + w is stored as such.
struct Norm {
  std::vector<float> weight;
  std::vector<float> bias; // of Layer; may be empty

  bool empty() const { return weight.empty(); }
};

enum class Activation { Silu, Gelu, GeluTanh, Relu };

// Rotary positions (Su et al., arXiv 2104.09864): at position p the numbers i and i + width / 2 of
// a head are turned by p · frequencies[i]; numbers from `width` on stay as they are.
struct Rotation {
  Index width = 0;
  std::vector<double> frequencies; // width / 2, with all scaling applied
  double factor = 1;               // of sine and cosine
};

// Where the norms of a block f stand:
//   x + f(norm(x))         only `before`            Llama, GPT-2
//   x + after(f(before x)) both                     Gemma
//   x + after(f(x))        only `after`             OLMo 2
//   after(x + f(x))        `afterSum` in the Model  BERT
struct BlockNorms {
  Norm before;
  Norm after;
};

struct ModelLayer {
  Pattern pattern;          // the model's own mask
  ScoreModifiers modifiers; // scale, and what else changes scores
  Linear query;             // heads · headWidth outputs
  Linear key;               // kvHeads · headWidth
  Linear value;             // kvHeads · headWidth
  Linear output;            // from heads · headWidth numbers
  // Of every head where they have headWidth weights, else of all heads' numbers together (OLMo 2).
  // Before the rotation.
  Norm queryNorm;
  Norm keyNorm;
  std::shared_ptr<const Rotation> rotation; // null: none in this layer
  // Rows of query and key stand as llama.cpp's converter writes them for Llama: of each head rows
  // 0, d/2, 1, d/2 + 1, …; their biases likewise.
  bool pairedRows = false;
  BlockNorms attentionNorms;
  BlockNorms feedForwardNorms;
  Linear gate; // empty: down(activation(up x)); else down(activation(gate x) · up x)
  Linear up;
  Linear down;
};

struct Model {
  std::string family; // "llama", as config.json's model_type
  std::string name;   // of the file or folder, for people
  std::string note;   // what the file leaves open (a GGUF has no window of Mistral's); may be empty
  Index width = 0;
  Index heads = 0;
  Index kvHeads = 0;
  Index headWidth = 0;
  Index feedForwardWidth = 0;
  Index vocabulary = 0;
  Index context = 0; // tokens that it was made for; 0: not known
  NormKind normKind = NormKind::Rms;
  double normEpsilon = 1e-6;
  Activation activation = Activation::Silu;
  bool encoder = false;           // final states, no logits
  bool afterSum = false;          // norms after the residual sum
  bool parallelBlocks = false;    // GPT-NeoX: x + attention(norm x) + feed-forward(norm' x)
  double embeddingFactor = 1;     // Gemma: √width
  std::optional<double> logitCap; // c tanh(z / c)
  WeightMatrix embedding;         // vocabulary × width
  WeightMatrix positions;         // learned; may be empty
  std::vector<float> tokenType;   // added to every embedding (BERT's type 0); may be empty
  Norm embeddingNorm;             // BERT
  Norm finalNorm;                 // BERT has none
  Linear logits;                  // vocabulary × width; empty for an encoder
  std::vector<ModelLayer> layers;
  std::filesystem::path path; // where it is from
};

// A .gguf file, or a folder with config.json and model.safetensors (one file, or shards named by
// model.safetensors.index.json). Weights stay mapped; only norms and biases are copied.
// E_IO; E_UNSUPPORTED names a family, a scaling of rotary positions, a stored type or a pickled
// file that cannot be read, and the way out; E_TYPE, E_SHAPE, E_UNKNOWN name the field or the
// tensor. Sizes are checked before anything is allocated. O(tensors).
std::shared_ptr<const Model> openModel(const std::filesystem::path& path);

// E_IO where a file that the weights are mapped from was rewritten since it was opened: what was
// computed meanwhile is of no use. O(tensors).
void requireUnchanged(const Model& model);

// Calls compute() and then requireUnchanged. Where a file was rewritten meanwhile, the error says
// so instead of naming the consequence.
void computeUnchanged(const Model& model, const std::function<void()>& compute);

} // namespace attention
