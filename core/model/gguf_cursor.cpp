#include "core/model/gguf_cursor.h"

#include "core/support/number_text.h"

namespace attention {

std::span<const std::byte> GgufCursor::next(std::size_t size, const char* what) {
  if (size > bytes_.size() - position_)
    fail("ends at byte " + std::to_string(bytes_.size()) + ", within " + what);
  const std::span<const std::byte> read = bytes_.subspan(position_, size);
  position_ += size;
  return read;
}

std::size_t GgufCursor::count(std::size_t bytes, const char* what) {
  const auto found = number<std::uint64_t>(what);
  const std::size_t left = bytes_.size() - position_;
  if (found > left / bytes)
    fail("says that " + std::string(what) + " has " + std::to_string(found) + " entries; the " +
         countText(left, "byte") + " that are left hold at most " + std::to_string(left / bytes));
  return static_cast<std::size_t>(found);
}

std::string GgufCursor::text(const char* what) {
  const std::size_t length = count(1, what);
  const std::span<const std::byte> read = next(length, what);
  return {reinterpret_cast<const char*>(read.data()), read.size()};
}

void GgufCursor::fail(const std::string& what) const {
  fail(file_, what);
}

void GgufCursor::fail(const std::string& label, const std::string& what) const {
  throw Error(ErrorCode::Unsupported, label, label + " " + what);
}

} // namespace attention
