// Bytes as letters, and as pieces: how vocabularies of texts hold every byte.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace attention {

// Every byte of the text as a printable letter: byte-level BPE's alphabet. The bytes that Latin-1
// prints stand for themselves, the others in order for U+0100 and on (openai/gpt-2:src/encoder.py,
// bytes_to_unicode).
std::string byteLetters(std::string_view text);

// SentencePiece's piece of a byte: "<0x0A>".
std::string bytePiece(std::uint8_t byte);

} // namespace attention
