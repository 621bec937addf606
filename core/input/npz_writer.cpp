#include "core/input/npy_writer.h"

#include "core/input/replace_file.h"
#include "core/input/span_source.h"
#include "core/support/error.h"

namespace attention {
namespace {

[[noreturn]] void failWith(const std::filesystem::path& path, const std::string& why) {
  throw Error(ErrorCode::Io, path.string(), "cannot write " + path.string() + ": " + why);
}

void addMember(zip_t* archive, const NpzMember& member, const std::filesystem::path& path) {
  zip_source_t* bytes = zip_source_buffer(archive, member.bytes.data(), member.bytes.size(), 0);
  const zip_int64_t index =
      bytes == nullptr ? -1 : zip_file_add(archive, (member.name + ".npy").c_str(), bytes, 0);
  if (index < 0) {
    if (bytes != nullptr)
      zip_source_free(bytes); // zip_file_add takes it only if it succeeds
    failWith(path, zip_strerror(archive));
  }
  zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), ZIP_CM_STORE, 0);
}

} // namespace

void writeNpz(const std::filesystem::path& path, std::span<const NpzMember> members) {
  replaceFileByName(path, [&](const std::filesystem::path& temporary) {
    int code = 0;
    ZipArchive archive(zip_open(temporary.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code));
    if (!archive)
      failWith(path, "zip error " + std::to_string(code));
    for (const NpzMember& member : members)
      addMember(archive.get(), member, path);
    if (zip_close(archive.get()) != 0)
      failWith(path, zip_strerror(archive.get()));
    static_cast<void>(archive.release()); // closed
  });
}

} // namespace attention
