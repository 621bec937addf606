// tokenizer.json, the format of the library huggingface/tokenizers. Truncation, padding and the
// decoder are not read: ids of one text need none of them.
#pragma once

#include "core/model/tokenizer_field.h"
#include "core/model/tokenizer_pipeline.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

// The tokenizer that `text` describes; `file` names it in errors. E_TYPE; E_UNSUPPORTED names a
// model or a step that is not known; E_UNKNOWN: a merge names a piece that there is not; E_RANGE:
// an id beyond 2^24 − 1; E_EXPR: a regular expression.
TokenizerPipeline tokenizerFromJson(std::string_view text, const std::string& file);

// Its parts.
std::vector<Normaliser> normalisersFrom(const TokenizerField& normalizer);
std::vector<Splitter> splittersFrom(const TokenizerField& preTokenizer);
TokenModel tokenModelFrom(const TokenizerField& model);
std::vector<TemplateItem> templateFrom(const TokenizerField& postProcessor);

// {"String": …} or {"Regex": …}.
TextPattern patternFrom(const TokenizerField& pattern);

} // namespace attention
