// What a file says, besides the arrays, about the model that its Q, K and V come from: how scores
// are made, which mask each layer has, tokens and layers. The texts of a .safetensors file's
// __metadata__, each a JSON value (older files have plain text).
#pragma once

#include "core/input/array_file.h"
#include "core/input/input.h"

namespace attention {

// Reads, before the arrays are taken: scale, softcap, modifiers, tokens, ids, the name of the
// leading axis. A known key that cannot be read is an error that names it: E_TYPE, E_RANGE,
// E_NONFINITE, E_UNSUPPORTED (a modifier of scores that is not evaluated).
void takeMetadata(Input& input, const ArrayFile& file);

// Reads, after the arrays, when lengths, layers and heads are known: the labels of the layers, the
// numbers of the heads, and the model's own mask of each layer, by the key "patterns", the array
// "mask" [layers, n_q, n_k], or an older file's "mask"; notes which arrays and keys speak of scores
// and are not used, of those that `names` does not name. E_SHAPE: not one pattern for each layer;
// E_UNSUPPORTED: a pattern that names another file; and what reading and preparing patterns and
// masks throws.
void takeOwnMasks(Input& input, const ArrayFile& file, const FileInput& names, const Run& run = {});

// The numbers of the heads in their model, by the key "heads" where a file has only some of them;
// empty: they are 0, 1, …. And the number of one of them.
std::vector<Index> headNumbers(const Input& input);
Index headNumber(const Input& input, Index head);

// How the model attends with the input's own masks. Unknown also where queries and keys differ. All
// layers are examined, since they may differ. O(layers · n).
Attends attendsBy(const Input& input, const Run& run = {});
// The same in a sentence, or nothing.
std::string attendsText(Attends attends);

// A tokenizer's raw piece as words on an axis: without the character that stands for a space before
// it (▁ of SentencePiece, Ġ of byte-level pieces, whose bytes are decoded where `byteLevel`).
std::string pieceLabel(const std::string& piece, bool byteLevel);
// Whether the pieces of a text are byte-level: one of them begins with Ġ or Ċ.
bool areByteLevel(std::span<const std::string> pieces);
std::vector<std::string> pieceLabels(std::span<const std::string> pieces);

} // namespace attention
