// What tokenizers ask of Unicode: classes of characters, normal forms, lower case. All of it is
// ICU's; texts are UTF-8.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace attention {

// E_TYPE names `subject`: the text is not UTF-8. O(length).
void requireUtf8(std::string_view text, const std::string& subject);

// The character at byte `at` of UTF-8; moves `at` behind it.
char32_t nextCharacter(std::string_view text, std::size_t& at);
// Bytes of the character whose first byte is at `at`.
std::size_t characterLength(std::string_view text, std::size_t at);
void appendCharacter(std::string& text, char32_t character);

// Properties of Unicode (UAX #44): White_Space, and general category N.
bool isWhiteSpace(char32_t character);
bool isNumeric(char32_t character);
// General categories as the library that defines tokenizer.json knows them: characters newer than
// its tables have none (the crates unicode_categories, of Unicode 8, and for isMark
// unicode-normalization-alignments, of Unicode 9).
bool isPunctuation(char32_t character);    // P, and ASCII's symbols too, as BERT has it
bool isNonspacingMark(char32_t character); // Mn
bool isMark(char32_t character);           // M
bool isControl(char32_t character);        // Cc, Cf and Co: what BERT removes
// \w of UTS #18, Annex C.
bool isWordCharacter(char32_t character);

enum class UnicodeForm { Nfc, Nfd, Nfkc, Nfkd };
std::string normalForm(UnicodeForm form, std::string_view text);

// Character by character, so that Σ never becomes ς.
std::string lowerCase(std::string_view text);

// The text with each character kept, replaced or left out by `change(to, character)`.
std::string changed(std::string_view text,
                    const std::function<void(std::string& to, char32_t character)>& change);

} // namespace attention
