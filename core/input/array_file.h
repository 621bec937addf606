// An array file is the named arrays of one .npy, .npz, .safetensors, .csv or .mtx file, and the
// text that it carries beside them. Each format has a parser that is a pure function of (bytes,
// name): it touches no file and keeps no state, so it can be fuzzed. Arrays point into the bytes
// wherever the format allows, so the bytes must outlive them; readArrays takes care of that.
#pragma once

#include "core/input/tensor.h"
#include "core/support/run.h"

#include <filesystem>
#include <functional>
#include <map>
#include <optional>

namespace attention {

// One array, or why it cannot be used (a file may well hold arrays of other kinds beside ours), or
// how to get at it.
struct NamedArray {
  Tensor tensor;                // its name is set in either case
  std::optional<Error> problem; // thrown when somebody asks for it
  // A packed array, which is unpacked when somebody asks for it: then `tensor` is but its name.
  std::function<Tensor()> unpack;
  std::function<Tensor()> shape = {}; // the same without its numbers, and without unpacking them

  const std::string& name() const { return tensor.name; }
};

struct ArrayFile {
  std::string file; // as errors name it
  std::vector<NamedArray> arrays;
  // .safetensors' "__metadata__"; of .npz the arrays of text and the single numbers that go by the
  // names of such keys.
  std::map<std::string, std::string> metadata;

  bool has(std::string_view name) const;
  // The array called `name`, or nothing. Throws its problem where it has one. A packed array is
  // unpacked by every call.
  std::optional<Tensor> find(std::string_view name) const;
  // The same, E_UNKNOWN with the names that there are where it is missing.
  Tensor get(std::string_view name) const;
  // For its shape and dtype: a packed array comes without its numbers.
  Tensor getShape(std::string_view name) const;

private:
  const NamedArray* arrayNamed(std::string_view name) const;
  [[noreturn]] void failMissing(std::string_view name) const;
};

// Bytes of a member of an archive that are unpacked into memory, at most.
constexpr std::size_t kMaxUnpacked = std::size_t{1} << 32;

// NumPy's format, versions 1.0 to 3.0, both memory and byte orders. E_UNSUPPORTED: not this format,
// a pickled (object), structured or text array; E_SHAPE: see checkedBytes, or fewer bytes than the
// shape needs, or more.
Tensor parseNpy(std::span<const std::byte> bytes, const std::string& file,
                const std::string& array = {});

// The same of the beginning of such bytes, up to the end of the header: without its numbers.
Tensor parseNpyShape(std::span<const std::byte> bytes, const std::string& file,
                     const std::string& array = {});

// An array as text: one text (NumPy's S or U) or one number without axes unchanged, several
// texts as a JSON list, as which `asList` gives an axis of one text too. Nothing for any other
// array. Errors as parseNpy; E_TYPE: a character that is none.
std::optional<std::string> textOfNpy(std::span<const std::byte> bytes, const std::string& file,
                                     const std::string& array, bool asList = false);

// A zip archive of .npy members, stored or deflated. Members of kMapFrom bytes and more that are
// stored stay in place; others are unpacked and their checksums compared when somebody asks for
// them, which `bytes` must live to see. E_UNSUPPORTED: not an
// archive, encrypted, a damaged member, two members of one name, a name that leaves the archive, a
// member that unpacks to more than it declares.
ArrayFile parseNpz(std::span<const std::byte> bytes, const std::string& file, const Run& run = {});

// Header length (8 bytes, little-endian), JSON header, data. E_UNSUPPORTED: a header that is not
// such; ranges that overlap, leave gaps, leave the file or do not fit dtype × shape.
ArrayFile parseSafetensors(std::span<const std::byte> bytes, const std::string& file);

// Numbers, one row per line, separated by commas (or semicolons, tabs, spaces), `#` begins a
// comment. A first line of names groups columns into arrays: q0,q1,k0,k1 makes q and k, also where
// it is the last comment above the rows (numpy.savetxt); without one there is a single array
// without a name. E_UNSUPPORTED: not a number; E_SHAPE: rows of different lengths.
ArrayFile parseCsv(std::span<const std::byte> bytes, const std::string& file, const Run& run = {});

// Reads the file by the ending of its name (.npy .npz .safetensors .csv .mtx, or capitals); what
// large files hold is mapped. E_IO, E_UNSUPPORTED.
ArrayFile readArrays(const std::filesystem::path& path, const Run& run = {});

} // namespace attention
