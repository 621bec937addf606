#include "core/model/tokenizer.h"
#include "core/model/tokenizer_json.h"
#include "tests/fuzz/fuzz.h"

using namespace attention;

ATTENTION_FUZZ_TARGET(tokenizer_json) {
  const Tokenizer tokenizer(tokenizerFromJson(fuzz::textOf(bytes), "tokenizer.json"));
  for (const char* text :
       {"", "Hello  world 12\r\n", "naïve <s> e\u0301 \u200B\u2581x", "abab abc </s>\t[MASK] ."}) {
    const Encoding tokens = tokenizer.encode(text, true);
    if (tokens.ids.size() != tokens.pieces.size())
      std::abort();
  }
  tokenizer.piece(tokenizer.vocabulary() - 1);
}
