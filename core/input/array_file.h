// An array file is the named arrays of one .npy, .npz, .safetensors, .csv or .mtx file, and the
// text that it carries besides. Each format has a parser that is a pure function of (bytes, name):
// it touches no file and keeps no state, so it can be fuzzed. Arrays point into the bytes wherever
// the format allows, so the bytes must outlive them; readArrays takes care of that.
#pragma once

#include "core/input/tensor.h"
#include "core/support/run.h"

#include <filesystem>
#include <functional>
#include <map>
#include <optional>

namespace attention {

// One array, or why it cannot be used (a file may well hold arrays of other kinds too), or how to
// get at it.
struct NamedArray {
  Tensor tensor;                // its name is set in either case
  std::optional<Error> problem; // thrown when it is requested
  // A packed array, which is unpacked on request: `tensor` then holds only its name.
  std::function<Tensor()> unpack;
  std::function<Tensor()> shape = {}; // the same without its numbers, and without unpacking them

  const std::string& name() const { return tensor.name; }
};

struct ArrayFile {
  std::string file; // its name in errors
  std::vector<NamedArray> arrays;
  // .safetensors' "__metadata__"; for .npz the arrays of text and the single numbers with the names
  // of such keys.
  std::map<std::string, std::string> metadata;

  bool has(std::string_view name) const;
  // The array called `name`, or nothing. Throws its problem where it has one. Every call unpacks a
  // packed array again.
  std::optional<Tensor> find(std::string_view name) const;
  // The same; E_UNKNOWN lists the existing names where it is missing.
  Tensor get(std::string_view name) const;
  // For its shape and dtype: a packed array comes without its numbers.
  Tensor getShape(std::string_view name) const;

private:
  const NamedArray* arrayNamed(std::string_view name) const;
  [[noreturn]] void failMissing(std::string_view name) const;
};

// Whether text of this name says something of the input, such as "tokens" and "modifiers", or only
// describes the file, such as "license".
bool isMetadataKey(std::string_view name);
bool onlyDescribes(std::string_view name);

// The most bytes of an archive's member that are unpacked into memory.
constexpr std::size_t kMaxUnpacked = std::size_t{1} << 32;

// NumPy's format, versions 1.0 to 3.0, both memory and byte orders. E_UNSUPPORTED: not this format,
// a pickled (object), structured or text array; E_SHAPE: see checkedBytes, or fewer bytes than the
// shape needs, or more.
Tensor parseNpy(std::span<const std::byte> bytes, const std::string& file,
                const std::string& array = {});

// The same from the beginning of such bytes, up to the end of the header: without the numbers.
Tensor parseNpyShape(std::span<const std::byte> bytes, const std::string& file,
                     const std::string& array = {});

// An array as text: one text (NumPy's S or U) or one number without axes unchanged, several texts
// as a JSON list (`asList`: also for an axis of one text). Nothing for any other array. Errors as
// in parseNpy; E_TYPE: an invalid character.
std::optional<std::string> textOfNpy(std::span<const std::byte> bytes, const std::string& file,
                                     const std::string& array, bool asList = false);

// A zip archive of .npy members, stored or deflated. Members of kMapFrom bytes and more that are
// stored stay in place; others are unpacked and their checksums compared on request, until when
// `bytes` must live. E_UNSUPPORTED: not an archive, encrypted, a damaged member, two members of one
// name, a name that leaves the archive, a member that unpacks to more than it declares.
ArrayFile parseNpz(std::span<const std::byte> bytes, const std::string& file, const Run& run = {});

// Header length (8 bytes, little-endian), JSON header, data. E_UNSUPPORTED: an invalid header;
// ranges that overlap, leave gaps, leave the file or do not fit dtype × shape.
ArrayFile parseSafetensors(std::span<const std::byte> bytes, const std::string& file);

// Numbers, one row per line, separated by commas (or semicolons, tabs, spaces), `#` begins a
// comment. A first line of names groups columns into arrays: q0,q1,k0,k1 makes q and k; it may also
// be the last comment above the rows (numpy.savetxt). Without one there is a single array without a
// name. E_UNSUPPORTED: not a number; E_SHAPE: rows of different lengths.
ArrayFile parseCsv(std::span<const std::byte> bytes, const std::string& file, const Run& run = {});

// Reads the file by the ending of its name (.npy .npz .safetensors .csv .mtx, in any case); the
// contents of large files are mapped. E_IO, E_UNSUPPORTED.
ArrayFile readArrays(const std::filesystem::path& path, const Run& run = {});

} // namespace attention
