#include "core/model/tokenizer_text.h"

#include "core/support/error.h"

#include <array>
#include <cstdint>

#include <unicode/bytestream.h>
#include <unicode/locid.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>

namespace attention {
namespace {

// Versions of Unicode.
constexpr int kCategories = 8;
constexpr int kNormalisation = 9;

bool has(char32_t character, std::uint32_t categories) {
  return (U_GET_GC_MASK(static_cast<UChar32>(character)) & categories) != 0;
}

bool has(char32_t character, UProperty property) {
  return u_hasBinaryProperty(static_cast<UChar32>(character), property) != 0;
}

// Whether the character has one of the categories and is not newer than that version of Unicode.
bool has(char32_t character, std::uint32_t categories, int version) {
  UVersionInfo age{};
  if (has(character, categories))
    u_charAge(static_cast<UChar32>(character), age);
  return age[0] > 0 && age[0] <= version;
}

bool isAsciiSymbol(char32_t c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}

void requireSuccess(UErrorCode code) {
  if (U_FAILURE(code))
    throw Error(ErrorCode::Unsupported, "text",
                std::string("text cannot be normalised: ICU reports ") + u_errorName(code));
}

const icu::Normalizer2& normalizerOf(UnicodeForm form) {
  UErrorCode code = U_ZERO_ERROR;
  const icu::Normalizer2* normalizer = nullptr;
  switch (form) {
  case UnicodeForm::Nfc:
    normalizer = icu::Normalizer2::getNFCInstance(code);
    break;
  case UnicodeForm::Nfd:
    normalizer = icu::Normalizer2::getNFDInstance(code);
    break;
  case UnicodeForm::Nfkc:
    normalizer = icu::Normalizer2::getNFKCInstance(code);
    break;
  case UnicodeForm::Nfkd:
    normalizer = icu::Normalizer2::getNFKDInstance(code);
    break;
  }
  requireSuccess(code);
  return *normalizer;
}

void appendLower(std::string& to, char32_t character) {
  icu::UnicodeString(static_cast<UChar32>(character))
      .toLower(icu::Locale::getRoot())
      .toUTF8String(to);
}

} // namespace

void requireUtf8(std::string_view text, const std::string& subject) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto length = static_cast<std::int64_t>(text.size());
  for (std::int64_t at = 0; at < length;) {
    const std::int64_t begin = at;
    UChar32 character = 0;
    U8_NEXT(bytes, at, length, character);
    if (character < 0)
      throw Error(ErrorCode::Type, subject,
                  subject + " is not UTF-8 at byte " + std::to_string(begin) +
                      "; it must be UTF-8 throughout");
  }
}

char32_t nextCharacter(std::string_view text, std::size_t& at) {
  UChar32 character = 0;
  U8_NEXT_UNSAFE(text.data(), at, character);
  return static_cast<char32_t>(character);
}

std::size_t characterLength(std::string_view text, std::size_t at) {
  std::size_t end = at;
  nextCharacter(text, end);
  return end - at;
}

void appendCharacter(std::string& text, char32_t character) {
  std::array<std::uint8_t, U8_MAX_LENGTH> bytes{};
  std::size_t length = 0;
  U8_APPEND_UNSAFE(bytes.data(), length, character);
  text.append(bytes.begin(), bytes.begin() + length);
}

bool isWhiteSpace(char32_t character) {
  return u_isUWhiteSpace(static_cast<UChar32>(character)) != 0;
}

bool isNumeric(char32_t character) {
  return has(character, U_GC_N_MASK);
}

bool isPunctuation(char32_t character) {
  return isAsciiSymbol(character) || has(character, U_GC_P_MASK, kCategories);
}

bool isNonspacingMark(char32_t character) {
  return has(character, U_GC_MN_MASK, kCategories);
}

bool isMark(char32_t character) {
  return has(character, U_GC_M_MASK, kNormalisation);
}

bool isControl(char32_t character) {
  return has(character, U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CO_MASK, kCategories);
}

bool isWordCharacter(char32_t character) {
  return has(character, U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK) ||
         has(character, UCHAR_ALPHABETIC) || has(character, UCHAR_JOIN_CONTROL);
}

std::string normalForm(UnicodeForm form, std::string_view text) {
  std::string normal;
  icu::StringByteSink<std::string> sink(&normal);
  UErrorCode code = U_ZERO_ERROR;
  normalizerOf(form).normalizeUTF8(
      0, icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())), sink, nullptr,
      code);
  requireSuccess(code);
  return normal;
}

std::string lowerCase(std::string_view text) {
  return changed(text, [](std::string& to, char32_t character) {
    if (character < 0x80)
      to += static_cast<char>(character >= 'A' && character <= 'Z' ? character + 0x20 : character);
    else
      appendLower(to, character);
  });
}

std::string changed(std::string_view text,
                    const std::function<void(std::string& to, char32_t character)>& change) {
  std::string to;
  to.reserve(text.size());
  for (std::size_t at = 0; at < text.size();)
    change(to, nextCharacter(text, at));
  return to;
}

} // namespace attention
