// Masks and matrices from outside in a pattern or its operands: the contents of files, or their
// names until they are read.
#pragma once

#include "core/pattern/description.h"
#include "core/pattern/pattern.h"
#include "core/pattern/value.h"
#include "core/support/error.h"

#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace attention {

// Whether a file is named that has not been read.
inline bool isUnread(const MaskSource& mask) {
  return !mask.file.empty() && !mask.read;
}
inline bool isUnread(const MatrixSource& matrix) {
  return !matrix.file.empty() && matrix.shape.empty();
}

// Whether values of this type are masks, matrices, or patterns that may have some.
inline bool holdsSources(ParameterType type) {
  return type == ParameterType::Mask || type == ParameterType::Matrix ||
         type == ParameterType::Pattern || type == ParameterType::Patterns;
}

// E_TYPE: the file of this parameter, which must hold `contents`, has not been read or is not
// named.
[[noreturn]] inline void throwUnread(const std::string& parameter, const std::string& file,
                                     const std::string& contents) {
  throw Error(ErrorCode::Type, parameter,
              parameter +
                  (file.empty() ? " names no file and holds nothing"
                                : " is the file " + file + ", which has not been read") +
                  "; it must hold " + contents);
}

// `pattern` with change(source) in place of every mask and matrix in it or its operands.
template <class Change>
Pattern withSources(Pattern pattern, const Change& change) {
  for (const Parameter& parameter : description(pattern).parameters) {
    if (!holdsSources(parameter.type))
      continue;
    const Value given = parameter.given(pattern);
    if (const auto* mask = std::get_if<MaskSource>(&given))
      parameter.set(pattern, Value(change(*mask)));
    if (const auto* matrix = std::get_if<MatrixSource>(&given))
      parameter.set(pattern, Value(change(*matrix)));
    if (const auto* one = std::get_if<std::shared_ptr<const Pattern>>(&given))
      parameter.set(pattern, Value(std::make_shared<const Pattern>(withSources(**one, change))));
    if (const auto* operands = std::get_if<std::shared_ptr<const PatternList>>(&given)) {
      PatternList changed;
      for (const Pattern& operand : **operands)
        changed.push_back(withSources(operand, change));
      parameter.set(pattern, Value(std::make_shared<const PatternList>(std::move(changed))));
    }
  }
  return pattern;
}

// Calls use(source) for every mask and matrix in the pattern or its operands.
template <class Use>
void forEachSource(const Pattern& pattern, const Use& use) {
  for (const Parameter& parameter : description(pattern).parameters) {
    if (!holdsSources(parameter.type))
      continue;
    const Value given = parameter.given(pattern);
    if (const auto* mask = std::get_if<MaskSource>(&given))
      use(*mask);
    if (const auto* matrix = std::get_if<MatrixSource>(&given))
      use(*matrix);
    if (const auto* one = std::get_if<std::shared_ptr<const Pattern>>(&given))
      forEachSource(**one, use);
    if (const auto* operands = std::get_if<std::shared_ptr<const PatternList>>(&given))
      for (const Pattern& operand : **operands)
        forEachSource(operand, use);
  }
}

// The name of a file that the pattern or an operand names and that has not been read; empty where
// there is none.
inline std::string unreadFile(const Pattern& pattern) {
  std::string file;
  forEachSource(pattern, [&](const auto& source) {
    if (isUnread(source))
      file = source.file;
  });
  return file;
}

} // namespace attention
