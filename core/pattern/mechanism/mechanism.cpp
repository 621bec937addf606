#include "core/pattern/mechanism/mechanism.h"

#include "core/support/error.h"

#include <string>
#include <utility>

namespace attention {

std::shared_ptr<const Prepared> fromParts(const Lengths& lengths, std::vector<Part> parts) {
  return std::make_shared<const Prepared>(lengths, std::move(parts));
}

void requireInLayout(const char* mechanism, const Lengths& lengths) {
  if (lengths.queries > lengths.keys)
    throw Error(ErrorCode::Shape, "n_q",
                "n_q is " + std::to_string(lengths.queries) + "; it must be at most n_k = " +
                    std::to_string(lengths.keys) + ", the tokens that " + mechanism + " lays out");
}

Part textBehind(Index canvas) {
  PrimitiveSet lines{
      {area({canvas, kUnbounded, 0, kUnbounded}), area({0, canvas, canvas, kUnbounded})}};
  return {"text", "text, seen by and seeing all", std::move(lines), [canvas](Index i, Index j) {
            return i >= canvas   ? "query " + std::to_string(i) + " is text"
                   : j >= canvas ? "key " + std::to_string(j) + " is text"
                                 : std::string("neither is text");
          }};
}

} // namespace attention
