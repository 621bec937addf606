// The .npz format: a zip archive of .npy members, one per array (numpy.savez, savez_compressed).
#include "core/input/array_file.h"
#include "core/input/mapped_file.h"
#include "core/input/span_source.h"
#include "core/input/text_lines.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>
#include <set>

namespace attention {
namespace {

// Deflate cannot shrink further than 1032 : 1 (zlib's technical notes).
constexpr std::size_t kMaxDeflateRatio = 1032;
constexpr std::size_t kChunk = std::size_t{1} << 20;

[[noreturn]] void fail(const std::string& subject, const std::string& what) {
  throw Error(ErrorCode::Unsupported, subject, subject + " " + what);
}

struct FileClose {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};
using ZipFile = std::unique_ptr<zip_file_t, FileClose>;

struct Member {
  zip_uint64_t index = 0;
  std::string name; // as in the archive
  std::string label;
  std::size_t packed = 0;
  std::size_t size = 0; // declared
  bool stored = false;
};

// Absolute names and names with .. would be written outside the folder that an archive is unpacked
// into. We unpack nothing, but such an archive was made to harm.
bool leavesArchive(std::string_view name) {
  if (name.empty() || name.front() == '/' || name.find('\\') != std::string_view::npos ||
      (name.size() > 1 && name[1] == ':'))
    return true;
  while (true) {
    const std::size_t end = name.find('/');
    if (name.substr(0, end) == "..")
      return true;
    if (end == std::string_view::npos)
      return false;
    name.remove_prefix(end + 1);
  }
}

Member memberOf(zip_t* archive, zip_uint64_t index, const std::string& file) {
  zip_stat_t status;
  zip_stat_init(&status);
  constexpr zip_uint64_t kNeeded = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE |
                                   ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
  if (zip_stat_index(archive, index, ZIP_FL_ENC_RAW, &status) != 0 ||
      (status.valid & kNeeded) != kNeeded)
    fail(file, "has a damaged member");
  Member member{index,
                status.name,
                file + ": member " + excerpt(status.name),
                static_cast<std::size_t>(status.comp_size),
                static_cast<std::size_t>(status.size),
                status.comp_method == ZIP_CM_STORE};
  if (leavesArchive(member.name))
    fail(member.label, "has a name that leaves the archive");
  if (status.encryption_method != ZIP_EM_NONE)
    fail(member.label, "is encrypted");
  if (!member.stored && status.comp_method != ZIP_CM_DEFLATE)
    fail(member.label, "is compressed by method " + std::to_string(status.comp_method) +
                           "; it must be stored or deflated");
  return member;
}

// What the member declares must be possible at all.
void checkDeclared(const Member& member, std::size_t archiveSize) {
  const bool impossible =
      member.stored ? member.size != member.packed : member.size / kMaxDeflateRatio > member.packed;
  if (impossible || member.packed > archiveSize)
    fail(member.label, "declares " + countText(member.size, "byte") + "; " +
                           std::to_string(member.packed) + " packed bytes cannot hold that");
  if (!member.stored && member.size > kMaxUnpacked)
    fail(member.label,
         "unpacks to " + countText(member.size, "byte") + "; it must be at most 4294967296");
}

ZipFile openMember(zip_t* archive, const Member& member) {
  ZipFile opened(zip_fopen_index(archive, member.index, 0));
  if (opened == nullptr)
    fail(member.label, std::string("is damaged: ") + zip_strerror(archive));
  return opened;
}

// The whole member, its checksum compared by libzip.
std::shared_ptr<const std::vector<std::byte>> unpack(zip_t* archive, const Member& member,
                                                     const Run& run) {
  const ZipFile opened = openMember(archive, member);
  const auto bytes = std::make_shared<std::vector<std::byte>>();
  while (true) {
    run.check();
    const std::size_t done = bytes->size();
    // Reads one byte more than declared: if it arrives, the archive lies.
    bytes->resize(std::min(done + kChunk, member.size + 1));
    const zip_int64_t got = zip_fread(opened.get(), bytes->data() + done, bytes->size() - done);
    if (got < 0)
      fail(member.label, std::string("is damaged: ") + zip_file_strerror(opened.get()));
    bytes->resize(done + static_cast<std::size_t>(got));
    if (bytes->size() > member.size)
      fail(member.label,
           "unpacks to more than the " + countText(member.size, "byte") + " that it declares");
    if (got == 0)
      break;
  }
  if (bytes->size() != member.size)
    fail(member.label, "unpacks to " + countText(bytes->size(), "byte") + "; it declares " +
                           std::to_string(member.size));
  return bytes;
}

// Its beginning, which holds the header of an array.
std::vector<std::byte> beginningOf(zip_t* archive, const Member& member) {
  constexpr std::size_t kHeader = std::size_t{1} << 17; // bytes; NumPy's have at most 2^16
  const ZipFile opened = openMember(archive, member);
  std::vector<std::byte> bytes(std::min(member.size, kHeader));
  const zip_int64_t got = zip_fread(opened.get(), bytes.data(), bytes.size());
  if (got < 0)
    fail(member.label, std::string("is damaged: ") + zip_file_strerror(opened.get()));
  bytes.resize(static_cast<std::size_t>(got));
  return bytes;
}

// A stored member, in place.
std::span<const std::byte> inPlace(zip_t* archive, const Member& member, const SpanSource& source) {
  const ZipFile opened = openMember(archive, member);
  std::byte first{};
  if (zip_fread(opened.get(), &first, 1) != 1 ||
      member.size > source.bytes.size() - source.lastRead)
    fail(member.label, "ends outside the archive");
  return source.bytes.subspan(source.lastRead, member.size);
}

// An open archive, shared by the arrays that are still to be unpacked from it.
struct Archive {
  SpanSource source;
  ZipArchive zip;
};

std::string nameOf(const Member& member) {
  return member.name.substr(0, member.name.size() - 4); // without .npy
}

NamedArray arrayOf(const std::shared_ptr<Archive>& archive, const Member& member,
                   const std::string& file, const Run& run) {
  const std::string name = nameOf(member);
  NamedArray array;
  array.tensor.file = file;
  array.tensor.name = name;
  if (!member.stored || member.size < kMapFrom) {
    array.unpack = [archive, member, file, name, run] {
      const auto bytes = unpack(archive->zip.get(), member, run);
      Tensor tensor = parseNpy(*bytes, file, name);
      tensor.owner = bytes;
      return tensor;
    };
    array.shape = [archive, member, file, name] {
      return parseNpyShape(beginningOf(archive->zip.get(), member), file, name);
    };
    return array;
  }
  try {
    array.tensor = parseNpy(inPlace(archive->zip.get(), member, archive->source), file, name);
  } catch (const Error& error) {
    array.problem = error;
  }
  return array;
}

bool isNpy(const std::string& name) {
  return name.size() > 4 && name.substr(name.size() - 4) == ".npy";
}

std::vector<Member> membersOf(zip_t* archive, const std::string& file, std::size_t archiveSize) {
  std::vector<Member> members;
  std::set<std::string> names;
  std::size_t unpacked = 0;
  const zip_int64_t count = zip_get_num_entries(archive, 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    Member member = memberOf(archive, static_cast<zip_uint64_t>(i), file);
    if (!names.insert(member.name).second)
      fail(member.label, "occurs twice");
    if (!isNpy(member.name))
      continue;
    checkDeclared(member, archiveSize);
    unpacked += member.stored ? 0 : member.size;
    if (unpacked > kMaxUnpacked)
      fail(file, "unpacks to more than 4294967296 bytes, the most that is read");
    members.push_back(std::move(member));
  }
  return members;
}

// The text that .safetensors files have as metadata stands in separate arrays (see
// model_metadata.h). What only describes the file need not be readable.
void addText(ArrayFile& file, zip_t* archive, const Member& member, const Run& run) {
  const std::string name = nameOf(member);
  if (!isMetadataKey(name) || name == "mask" || member.size > kMapFrom)
    return;
  try {
    if (const auto text =
            textOfNpy(*unpack(archive, member, run), file.file, name, name == "tokens"))
      file.metadata[name] = *text;
  } catch (const Error& error) {
    const bool unreadable =
        error.code() == ErrorCode::Type || error.code() == ErrorCode::Unsupported;
    if (!unreadable || !onlyDescribes(name))
      throw;
  }
}

} // namespace

ArrayFile parseNpz(std::span<const std::byte> bytes, const std::string& file, const Run& run) {
  const auto archive = std::make_shared<Archive>();
  archive->source.bytes = bytes;
  int zipError = 0;
  archive->zip = openZip(archive->source, zipError);
  const bool empty = bytes.empty(); // which libzip takes for an archive without members
  if (archive->zip == nullptr || empty)
    fail(file, empty || (zipError == ZIP_ER_NOZIP && !textOf(bytes).starts_with("PK"))
                   ? "is not a zip archive"
                   : "is a damaged zip archive, or a part of one");
  ArrayFile result;
  result.file = file;
  const std::vector<Member> members = membersOf(archive->zip.get(), file, bytes.size());
  for (const Member& member : members)
    result.arrays.push_back(arrayOf(archive, member, file, run));
  for (const Member& member : members)
    addText(result, archive->zip.get(), member, run);
  return result;
}

} // namespace attention
