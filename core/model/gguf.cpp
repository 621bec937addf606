#include "core/model/gguf.h"

#include "core/input/file_kind.h"
#include "core/input/mapped_file.h"
#include "core/input/text_lines.h"
#include "core/model/gguf_cursor.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <algorithm>

namespace attention {
namespace {

void checkVersion(const GgufCursor& cursor, std::uint32_t version) {
  if (version == 2 || version == 3)
    return;
  if (version != 0 && version % (1U << 16U) == 0)
    cursor.fail("is in big-endian order; it must be little-endian");
  cursor.fail("is GGUF version " + std::to_string(version) + "; it must be 2 or 3");
}

[[noreturn]] void failType(const GgufFile& gguf, std::string_view key, const char* wanted) {
  throw Error(ErrorCode::Type, std::string(key),
              gguf.file + ": the value of " + excerpt(key) + " is of another type; it must be " +
                  wanted);
}

// The value of `key` as a T; null where it is absent.
template <class T>
const T* valueAs(const GgufFile& gguf, std::string_view key, const char* wanted) {
  const auto found = gguf.metadata.find(key);
  if (found == gguf.metadata.end())
    return nullptr;
  if (const T* value = std::get_if<T>(&found->second))
    return value;
  failType(gguf, key, wanted);
}

template <class T>
std::optional<T> copied(const T* value) {
  return value == nullptr ? std::nullopt : std::optional<T>(*value);
}

const GgufValue* valueOf(const GgufFile& gguf, std::string_view key) {
  const auto found = gguf.metadata.find(key);
  return found == gguf.metadata.end() ? nullptr : &found->second;
}

} // namespace

std::optional<bool> GgufFile::flag(std::string_view key) const {
  return copied(valueAs<bool>(*this, key, "true or false"));
}

std::optional<Index> GgufFile::integer(std::string_view key) const {
  return copied(valueAs<Index>(*this, key, "an integer"));
}

std::optional<double> GgufFile::number(std::string_view key) const {
  const GgufValue* value = valueOf(*this, key);
  if (value != nullptr && std::holds_alternative<Index>(*value))
    return static_cast<double>(std::get<Index>(*value));
  return copied(valueAs<double>(*this, key, "a number"));
}

std::optional<std::string> GgufFile::text(std::string_view key) const {
  return copied(valueAs<std::string>(*this, key, "a text"));
}

const std::vector<std::string>* GgufFile::texts(std::string_view key) const {
  return valueAs<std::vector<std::string>>(*this, key, "a list of texts");
}

std::vector<Index> GgufFile::integers(std::string_view key) const {
  const GgufValue* value = valueOf(*this, key);
  if (value == nullptr)
    return {};
  if (const Index* one = std::get_if<Index>(value))
    return {*one};
  return *valueAs<std::vector<Index>>(*this, key, "a list of integers");
}

std::vector<double> GgufFile::numbers(std::string_view key) const {
  const GgufValue* value = valueOf(*this, key);
  if (value == nullptr)
    return {};
  if (const auto* whole = std::get_if<std::vector<Index>>(value))
    return {whole->begin(), whole->end()};
  if (std::holds_alternative<Index>(*value) || std::holds_alternative<double>(*value))
    return {*number(key)};
  return *valueAs<std::vector<double>>(*this, key, "a list of numbers");
}

const GgufTensor& GgufFile::tensor(std::string_view name) const {
  const auto found = tensors.find(name);
  if (found == tensors.end())
    throw Error(ErrorCode::Unknown, file,
                file + " has no tensor " + excerpt(name) + "; it has " +
                    countText(tensors.size(), "other tensor"));
  if (found->second.problem)
    throw *found->second.problem;
  return found->second;
}

GgufFile parseGguf(std::span<const std::byte> bytes, const std::string& file) {
  requireKind(bytes, ".gguf", file);
  GgufCursor cursor(bytes, file);
  if (!textOf(bytes.first(std::min<std::size_t>(bytes.size(), 4))).starts_with("GGUF"))
    cursor.fail("is not a GGUF file: it does not begin with GGUF");
  cursor.number<std::uint32_t>("the first word");
  checkVersion(cursor, cursor.number<std::uint32_t>("the version"));
  GgufFile gguf;
  gguf.file = file;
  // The shortest entries: a text, a list of axes and so on, and a text and one byte.
  const std::size_t tensors = cursor.count(8 + 4 + 8 + 4 + 8, "the table of tensors");
  const std::size_t keys = cursor.count(8 + 4 + 1, "the metadata");
  for (std::size_t i = 0; i < keys; ++i) {
    std::string key = cursor.text("a key");
    GgufValue value = readGgufValue(cursor);
    if (!gguf.metadata.emplace(key, std::move(value)).second)
      cursor.fail("has the key " + excerpt(key) + " twice");
  }
  readGgufTensors(cursor, tensors, bytes, gguf);
  return gguf;
}

GgufFile readGguf(const std::filesystem::path& path) {
  const std::shared_ptr<const MappedFile> mapped = MappedFile::open(path);
  GgufFile file = readUnchanged(mapped->bytes().data(),
                                [&] { return parseGguf(mapped->bytes(), path.string()); });
  file.owner = mapped;
  return file;
}

} // namespace attention
