// Archives made of bytes, for tests of readers: whole ones to read and broken ones to refuse.
#pragma once

#include "tests/core/input/input_files_for_tests.h"

#include <utility>
#include <zlib.h>

namespace attention::test {

// A member as the archive declares it, which may be untrue.
struct ZipMember {
  std::string name;
  std::string content;
  bool deflated = false;
  std::size_t declaredSize = ~std::size_t{0}; // of the unpacked bytes; the true one if not given
  unsigned flags = 0;
};

inline std::string deflated(const std::string& content) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, content.size()), '\0');
  std::string input = content;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

// Fields that local and central headers share, from the version needed to the name's length.
inline std::string sharedFields(const ZipMember& member, const std::string& packed) {
  const uLong crc =
      crc32_z(0, reinterpret_cast<const Bytef*>(member.content.data()), member.content.size());
  const std::size_t size =
      member.declaredSize == ~std::size_t{0} ? member.content.size() : member.declaredSize;
  return littleEndian(20, 2) + littleEndian(member.flags, 2) +
         littleEndian(member.deflated ? 8 : 0, 2) + littleEndian(0, 4) + littleEndian(crc, 4) +
         littleEndian(packed.size(), 4) + littleEndian(size, 4) +
         littleEndian(member.name.size(), 2);
}

inline std::string zipOf(const std::vector<ZipMember>& members) {
  std::string body;
  std::string directory;
  for (const ZipMember& member : members) {
    const std::string packed = member.deflated ? deflated(member.content) : member.content;
    const std::string shared = sharedFields(member, packed);
    directory += "PK\x01\x02" + littleEndian(20, 2) + shared + littleEndian(0, 2 + 2 + 2 + 2 + 4) +
                 littleEndian(body.size(), 4) + member.name;
    body += "PK\x03\x04" + shared + littleEndian(0, 2) + member.name + packed;
  }
  return body + directory + "PK\x05\x06" + littleEndian(0, 4) + littleEndian(members.size(), 2) +
         littleEndian(members.size(), 2) + littleEndian(directory.size(), 4) +
         littleEndian(body.size(), 4) + littleEndian(0, 2);
}

// The stored .npy members of a .npz file: name and bytes.
inline std::string npzOf(const std::vector<std::pair<std::string, std::string>>& arrays) {
  std::vector<ZipMember> members;
  for (const auto& [name, bytes] : arrays)
    members.push_back({name, bytes});
  return zipOf(members);
}

} // namespace attention::test
