#include "core/input/file_kind.h"

#include "core/input/text_lines.h"
#include "core/support/error.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace attention {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kTorch =
    "is a file of torch.save, which only Python can unpack; save its tensors with "
    "safetensors.torch.save_file or numpy.savez";
constexpr std::string_view kPickle =
    "is a Python pickle, which only Python can unpack; save its arrays with numpy.savez or "
    "safetensors.numpy.save_file";

[[noreturn]] void failKind(const std::string& file, std::string_view what) {
  throw Error(ErrorCode::Unsupported, file, file + " " + std::string(what));
}

// A kind of file that we read under its own ending, or never.
struct FileKind {
  std::string_view magic; // the bytes that it begins with
  std::string_view name;
  std::string_view ending; // empty: we do not read it
};

constexpr std::array<FileKind, 15> kKinds{{{"\x93NUMPY"sv, "a NumPy array", ".npy"},
                                           {"PK\x03\x04"sv, "a zip archive", ".npz"},
                                           {"PK\x05\x06"sv, "an empty zip archive", ".npz"},
                                           {"\x89HDF"sv, "an HDF5 file", ""},
                                           {"GGUF"sv, "a GGUF file", ".gguf"},
                                           {"\x1F\x8B"sv, "compressed by gzip", ""},
                                           {"\xFD"
                                            "7zXZ"sv,
                                            "compressed by xz", ""},
                                           {"\x28\xB5\x2F\xFD"sv, "compressed by zstd", ""},
                                           {"BZh"sv, "compressed by bzip2", ""},
                                           {"PAR1"sv, "a Parquet file", ""},
                                           {"MATLAB 5.0"sv, "a MATLAB file", ""},
                                           {"\x89PNG"sv, "a PNG picture", ""},
                                           {"%PDF-"sv, "a PDF document", ""},
                                           {"ARROW1"sv, "an Arrow file", ""},
                                           {"7z\xBC\xAF\x27\x1C"sv, "a 7z archive", ""}}};

// Length of the header, then JSON: other kinds may begin alike by chance.
bool isSafetensors(std::string_view text) {
  return text.size() > 8 && text[8] == '{' && text.substr(4, 4) == "\0\0\0\0"sv;
}

// Protocols 2 to 5 begin with \x80 and their number.
bool isPickle(std::string_view text) {
  return text.size() > 2 && text[0] == '\x80' && text[1] >= 2 && text[1] <= 5 &&
         !isSafetensors(text);
}

// The name of the format at byte 257 (POSIX.1-1988, ustar).
bool isTar(std::string_view text) {
  return text.size() > 262 && text.substr(257, 5) == "ustar";
}

// Before 2020 torch.save wrote several pickles, the first of them its magic number
// 0x1950a86a20f9469cfc6c (torch/serialization.py), here in the order of its bytes.
bool isTorchPickle(std::string_view text) {
  constexpr std::string_view kMagicNumber = "\x6C\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19";
  constexpr std::size_t kLooked = 32;
  return text.substr(0, kLooked).find(kMagicNumber) != text.npos;
}

// "UTF-16" or "UTF-32" by the byte order mark, or nothing. A mark of UTF-32 begins with one of
// UTF-16.
std::string_view wideText(std::string_view text) {
  if (isSafetensors(text))
    return {};
  if (text.starts_with("\xFF\xFE\0\0"sv) || text.starts_with("\0\0\xFE\xFF"sv))
    return "UTF-32";
  return text.starts_with("\xFF\xFE"sv) || text.starts_with("\xFE\xFF"sv) ? "UTF-16" : "";
}

// Its archive holds NAME/data.pkl, first of all members; the list of members is at the end.
bool isTorchArchive(std::string_view text) {
  constexpr std::size_t kLooked = 1 << 16;
  constexpr std::string_view kMember = "/data.pkl";
  if (!text.starts_with("PK\x03\x04"))
    return false;
  const std::string_view tail = text.substr(text.size() - std::min(text.size(), kLooked));
  return text.substr(0, 512).find(kMember) != text.npos || tail.find(kMember) != tail.npos;
}

// `text` behind the blanks and the comments of HTML that it begins with, licences and the like.
std::string_view behindComments(std::string_view text) {
  constexpr std::size_t kLooked = 1 << 16;
  text = text.substr(0, kLooked);
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n\f"), text.size()));
    const std::size_t end = text.starts_with("<!--") ? text.find("-->", 4) : text.npos;
    if (end == text.npos)
      return text;
    text.remove_prefix(end + 3);
  }
}

// "<!DOCTYPE html>", "<html", "<?xml", behind comments.
bool isPage(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF"))
    text.remove_prefix(3);
  text = behindComments(text);
  std::string start(text.substr(0, 14));
  for (char& c : start)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return start.starts_with("<!doctype html") || start.starts_with("<html") ||
         start.starts_with("<head") || start.starts_with("<body") || start.starts_with("<svg") ||
         start.starts_with("<?xml");
}

bool isPrinted(char c) {
  return (c >= ' ' && c < '\x7F') || c == '\n' || c == '\r' || c == '\t';
}

// Words where a header of numbers should be.
bool isWords(std::string_view text) {
  const std::string_view start = text.substr(0, 16);
  return start.size() >= 8 && std::all_of(start.begin(), start.end(), isPrinted);
}

// Control characters, which texts have not: "GGUF is a file format" is one.
bool hasControls(std::string_view text) {
  const std::string_view start = text.substr(0, 512);
  return std::any_of(start.begin(), start.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x80 && !isPrinted(c) && c != '\f';
  });
}

} // namespace

void requireData(std::span<const std::byte> bytes, const std::string& file) {
  const std::string_view text = textOf(bytes);
  if (text.starts_with("version https://git-lfs.github.com/spec/") ||
      text.starts_with("version https://hawser.github.com/spec/"))
    failKind(file, "is a Git LFS pointer, not the file that it stands for; fetch that with git lfs "
                   "pull");
  if (isPage(text))
    failKind(file,
             "is a page of HTML or XML, as a failed download leaves; download the file itself");
  if (isTorchArchive(text))
    failKind(file, kTorch);
  if (isPickle(text))
    failKind(file, isTorchPickle(text) ? kTorch : kPickle);
  if (isTar(text))
    failKind(file, "is a tar archive; unpack it and open the files inside");
  if (const std::string_view coding = wideText(text); !coding.empty())
    failKind(file, "is text in " + std::string(coding) + "; save it as UTF-8");
}

void requireText(std::span<const std::byte> bytes, const std::string& file) {
  requireData(bytes, file);
  const std::string_view text = textOf(bytes);
  for (const FileKind& kind : kKinds)
    if (text.starts_with(kind.magic) &&
        (!std::all_of(kind.magic.begin(), kind.magic.end(), isPrinted) || hasControls(text)))
      failKind(file, "is " + std::string(kind.name) + "; it must be text");
}

void requireKind(std::span<const std::byte> bytes, const std::string& ending,
                 const std::string& file) {
  requireData(bytes, file);
  const std::string_view text = textOf(bytes);
  if (text.empty())
    failKind(file, "is empty");
  if (ending == ".safetensors" && isSafetensors(text))
    return;
  for (const FileKind& kind : kKinds) {
    if (!text.starts_with(kind.magic) || kind.ending == ending)
      continue;
    if (ending == ".gguf")
      failKind(file, "is " + std::string(kind.name) + "; it must be a GGUF file");
    if (kind.ending == ".gguf")
      failKind(file, "is a GGUF file, a model; drop it on the window, or give it by --input-model");
    if (kind.ending.empty())
      failKind(file, "is " + std::string(kind.name) +
                         "; it must be .npy, .npz, .safetensors, .csv or "
                         ".mtx inside as well as by its name");
    failKind(file,
             "is " + std::string(kind.name) + "; its name must end in " + std::string(kind.ending));
  }
  if (ending == ".safetensors" && isWords(text))
    failKind(file, "is text that begins with " + excerpt(text.substr(0, 40)) +
                       "; it must be a .safetensors file");
}

} // namespace attention
