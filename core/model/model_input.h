// A model that reads a text as an input: queries, keys and values of the layer that is looked at,
// after norms and rotation, tokens, score modifiers, and every layer's own mask.
#pragma once

#include "core/input/assets.h"
#include "core/input/input.h"

namespace attention {

// The first chapter of Pride and Prejudice, which stands for a text where none is given.
std::filesystem::path bundledText();

// The file that the text is from; empty where it is typed, or ids are given.
std::filesystem::path textFile(const ModelInput& spec);
// What its text is called: "pride.txt", "the typed text", "the given ids".
std::string modelTextName(const ModelInput& spec);

// Opens the model and reads the text; a layer is computed when a matrix of it is asked for, from
// the last layer before whose entry is still kept. Only one layer's matrices are kept at a time.
// E_TYPE: no model is named, or a text without tokens; E_UNSUPPORTED: layers whose scores differ in
// more than their scale; what modelPath, openModel, openTokenizer and encode throw.
Input inputOfModel(const ModelInput& spec, const Run& run = {});

// loadInput of every kind of input, with the bundled samples and with models.
std::shared_ptr<const Input> openInput(const InputSpec& spec, const Run& run = {},
                                       Labels labels = Labels::Required,
                                       const AssetPath& assetPath = samplePath);

} // namespace attention
