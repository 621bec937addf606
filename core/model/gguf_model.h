// A model as the metadata of a GGUF file describe it, without its weights. The keys are those of
// https://github.com/ggml-org/ggml, docs/gguf.md; what a file does not say is as llama.cpp takes
// it.
#pragma once

#include "core/model/config_model.h"
#include "core/model/gguf.h"

namespace attention {

// E_UNSUPPORTED: a family or a scaling of rotary positions that cannot be read, layers of different
// widths; E_TYPE, E_RANGE name the key.
ConfigModel modelOfGguf(const GgufFile& gguf);

} // namespace attention
