#include "core/export/embedded_scene.h"

#include "core/export/html_page.h"

#include "core/input/mapped_file.h"
#include "core/scene/pattern_files.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

namespace attention {
namespace {

constexpr std::string_view kPngSignature = "\x89PNG\r\n\x1a\n";
constexpr std::size_t kPdfLine = 200; // characters of a comment line: readers want under 256

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kXmlEntities{{
    {"&amp;", "&"},
    {"&lt;", "<"},
    {"&gt;", ">"},
    {"&quot;", "\""},
}};

std::string escapedXml(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const auto entity =
        std::find_if(kXmlEntities.begin(), kXmlEntities.end(),
                     [&](const auto& pair) { return pair.second == std::string_view(&c, 1); });
    if (entity == kXmlEntities.end())
      escaped += c;
    else
      escaped += entity->first;
  }
  return escaped;
}

std::string unescapedXml(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    const auto entity =
        std::find_if(kXmlEntities.begin(), kXmlEntities.end(), [&](const auto& pair) {
          return text.substr(0, pair.first.size()) == pair.first;
        });
    const bool found = entity != kXmlEntities.end();
    plain += found ? entity->second : text.substr(0, 1);
    text.remove_prefix(found ? entity->first.size() : 1);
  }
  return plain;
}

std::uint32_t bigEndian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t k = 0; k < 4; ++k)
    value = value << 8 | static_cast<unsigned char>(bytes[k]);
  return value;
}

// The text of an uncompressed iTXt chunk with our keyword: keyword 0 flag method language 0
// translated 0 text (PNG specification, 11.3.4.5).
std::optional<std::string> textOfChunk(std::string_view data) {
  const std::string prefix = std::string(kSceneKeyword) + '\0' + '\0' + '\0';
  if (data.substr(0, prefix.size()) != prefix)
    return std::nullopt;
  data.remove_prefix(prefix.size());
  for (int field = 0; field < 2; ++field) {
    const auto end = data.find('\0');
    if (end == std::string_view::npos)
      return std::nullopt;
    data.remove_prefix(end + 1);
  }
  return std::string(data);
}

std::optional<std::string> textInPng(std::string_view bytes) {
  bytes.remove_prefix(kPngSignature.size());
  constexpr std::size_t kAround = 12; // length, type, checksum
  while (bytes.size() >= kAround) {
    const std::size_t length = bigEndian(bytes);
    if (length > bytes.size() - kAround)
      return std::nullopt;
    if (bytes.substr(4, 4) == "iTXt")
      if (auto text = textOfChunk(bytes.substr(8, length)))
        return text;
    bytes.remove_prefix(length + kAround);
  }
  return std::nullopt;
}

std::string svgOpening() {
  return "<metadata id=\"" + std::string(kSceneKeyword) + "\">";
}

std::optional<std::string> textInSvg(std::string_view text) {
  const std::string opening = svgOpening();
  const auto begin = text.find(opening);
  if (begin == std::string_view::npos)
    return std::nullopt;
  const auto end = text.find("</metadata>", begin);
  if (end == std::string_view::npos)
    return std::nullopt;
  return unescapedXml(text.substr(begin + opening.size(), end - begin - opening.size()));
}

std::optional<std::string> textInPage(std::string_view text) {
  const auto begin = text.find(kSceneScript);
  if (begin == std::string_view::npos)
    return std::nullopt;
  text.remove_prefix(begin + kSceneScript.size());
  const auto end = text.find("</script>");
  return end == std::string_view::npos ? std::nullopt
                                       : std::optional<std::string>(text.substr(0, end));
}

std::string pdfPrefix() {
  return "%" + std::string(kSceneKeyword) + " ";
}

std::optional<std::string> textInPdf(std::string_view text) {
  const std::string prefix = pdfPrefix();
  std::string joined;
  for (auto line = text.find(prefix); line != std::string_view::npos;) {
    const auto end = std::min(text.find('\n', line), text.size());
    joined += text.substr(line + prefix.size(), end - line - prefix.size());
    // Only lines that follow each other belong together.
    line = text.substr(end).substr(0, prefix.size() + 1) == "\n" + prefix ? end + 1
                                                                          : std::string_view::npos;
  }
  if (joined.empty())
    return std::nullopt;
  return joined;
}

} // namespace

std::string sceneLine(const Scene& scene) {
  using Json = nlohmann::ordered_json;
  return toJson(scene).dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string withSceneInSvg(std::string svg, const Scene& scene) {
  const auto root = svg.find("<svg");
  const auto end = root == std::string::npos ? root : svg.find('>', root);
  if (end != std::string::npos)
    svg.insert(end + 1, "\n" + svgOpening() + escapedXml(sceneLine(scene)) + "</metadata>");
  return svg;
}

std::string withSceneInPdf(std::string pdf, const Scene& scene) {
  // Comments before the last startxref move no object that the cross-reference table points to.
  const auto place = pdf.rfind("startxref");
  if (place == std::string::npos)
    return pdf;
  const std::string line = sceneLine(scene);
  std::string comments;
  for (std::size_t at = 0; at < line.size(); at += kPdfLine)
    comments += pdfPrefix() + line.substr(at, kPdfLine) + "\n";
  pdf.insert(place, comments);
  return pdf;
}

std::optional<ReadScene> sceneInBytes(std::string_view bytes, std::string_view what) {
  std::optional<std::string> text;
  if (bytes.substr(0, kPngSignature.size()) == kPngSignature)
    text = textInPng(bytes);
  else if (bytes.substr(0, 5) == "%PDF-")
    text = textInPdf(bytes);
  else if (bytes.substr(0, kPageStart.size()) == kPageStart)
    text = textInPage(bytes);
  else
    text = textInSvg(bytes);
  if (!text)
    return std::nullopt;
  return sceneFromText(*text, what);
}

std::optional<ReadScene> sceneInFile(const std::filesystem::path& path) {
  const auto file = MappedFile::open(path);
  const std::span<const std::byte> bytes = file->bytes();
  auto read =
      sceneInBytes({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path.string());
  if (read)
    placeFiles(read->scene, folderOf(path));
  return read;
}

bool mayCarryScene(const std::filesystem::path& path) {
  const std::string ending = endingOf(path);
  return ending == ".png" || ending == ".svg" || ending == ".pdf" || ending == ".html";
}

ReadScene sceneOfPicture(const std::filesystem::path& path) {
  auto read = sceneInFile(path);
  if (!read)
    throw Error(
        ErrorCode::Type, path.string(),
        path.filename().string() +
            " holds no scene; only pictures that this program exported with their scene do");
  return *std::move(read);
}

} // namespace attention
