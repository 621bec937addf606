// What a file really is, by its first bytes, where its name says something else: a Git LFS pointer,
// the page of a failed download, a torch.save file, text of wide characters. Readers check before
// they parse, so that such a file is called what it is and never read as something it is not.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace attention {

// E_UNSUPPORTED names `file` and says what it is and what to do, where it is a Git LFS pointer, a
// page of HTML or XML, a Python pickle, a torch.save file or text in UTF-16. O(1).
void requireData(std::span<const std::byte> bytes, const std::string& file);

// The same, also where it is an archive, an array, a picture or another file that is no text.
void requireText(std::span<const std::byte> bytes, const std::string& file);

// The same, also where the bytes are of a different kind from `ending` (".npy"): an archive named
// .npy, a compressed file, an empty one.
void requireKind(std::span<const std::byte> bytes, const std::string& ending,
                 const std::string& file);

} // namespace attention
