// Ones of many words, by vector code chosen at run time: machines of the oldest kind that the
// program runs on count a word by a table.
#pragma once

#include "core/support/integers.h"

#include <cstdint>
#include <span>

namespace attention {

Index countOnes(std::span<const std::uint64_t> words);

} // namespace attention
