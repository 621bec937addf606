// What a file says of the model that its Q, K and V come from, beside the arrays: how scores are
// made, which mask each layer has, tokens and layers. Text of a .safetensors file's __metadata__,
// each a JSON value (older files have plain text).
#pragma once

#include "core/input/array_file.h"
#include "core/input/input.h"

namespace attention {

// Before the arrays are taken: scale, softcap, modifiers, tokens, ids, the name of the leading
// axis. A key that is known and cannot be read is an error that names it: E_TYPE, E_RANGE,
// E_NONFINITE, E_UNSUPPORTED (a modifier of scores that is not evaluated).
void takeMetadata(Input& input, const ArrayFile& file);

// After them, when lengths and layers are known: the labels of the layers, and the model's own mask
// of each, by the key "patterns", the array "mask" [layers, n_q, n_k], or an older file's "mask".
// E_SHAPE: not one pattern for each layer; E_UNSUPPORTED: a pattern that names another file; and
// what reading and preparing patterns and masks throws.
void takeOwnMasks(Input& input, const ArrayFile& file, const Run& run = {});

// How the model with the input's own masks attends, in a sentence; empty where that is not known:
// no masks, other queries than keys, masks that depend on the data. All layers are looked at, which
// may differ. O(layers · n).
std::string attendsText(const Input& input, const Run& run = {});

// A tokenizer's raw piece as words on an axis: without the sign that stands for a space before it
// (▁ of SentencePiece, Ġ of byte-level pieces, whose bytes are decoded where `byteLevel`).
std::string pieceLabel(const std::string& piece, bool byteLevel);

} // namespace attention
