// Patterns from JSON text, and the code of the error that a text or a length ends in.
#pragma once

#include "core/pattern/pattern_json.h"
#include "core/support/error.h"
#include "core/support/json_text.h"

#include <nlohmann/json.hpp>

#include <string>

namespace attention {

inline Pattern patternFrom(const std::string& text) {
  return patternFromJson(parseJson(text, "pattern"));
}

// {"mechanism": name, "params": params}
inline Pattern patternFrom(const std::string& name, const std::string& params) {
  return patternFrom("{\"mechanism\": \"" + name + "\", \"params\": " + params + "}");
}

inline std::shared_ptr<const Prepared> preparedFrom(const std::string& name,
                                                    const std::string& params, Index n) {
  return prepare(patternFrom(name, params), squareLengths(n));
}

// "E_RANGE", or "none".
template <class Action>
std::string codeOf(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return std::string(name(error.code()));
  }
  return "none";
}

template <class Action>
std::string messageOf(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

} // namespace attention
