// What a call throws, in the form that tests compare.
#pragma once

#include "core/support/error.h"

#include <functional>
#include <string>

namespace attention {

// "E_RANGE stride": code and subject of the error that `body` throws; empty if it throws none.
inline std::string codeAndSubject(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return std::string(name(error.code())) + " " + error.subject();
  }
  return {};
}

} // namespace attention
