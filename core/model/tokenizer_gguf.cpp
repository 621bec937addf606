#include "core/model/tokenizer_gguf.h"

#include "core/model/tokenizer_text.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace attention {
namespace {

constexpr std::size_t kLongestScored = 1024; // bytes of a piece that merges are sought for
constexpr std::string_view kSpace = "▁";

// tokenizer.ggml.token_type.
enum PieceType : Index { Normal = 1, Unknown = 2, Control = 3, UserDefined = 4, Byte = 6 };

std::string key(std::string_view name) {
  return "tokenizer.ggml." + std::string(name);
}

// The vocabulary of the file, checked.
struct GgufPieces {
  const std::vector<std::string>& pieces;
  std::vector<double> scores; // one for each piece, or none
  std::vector<Index> types;   // likewise

  bool isOf(std::size_t id, Index type) const { return !types.empty() && types[id] == type; }
};

class GgufTokenizer {
public:
  explicit GgufTokenizer(const GgufFile& file) : file_(file), vocabulary_(readPieces(file)) {}

  TokenizerPipeline byteLevel() const;
  TokenizerPipeline scored() const;
  TokenizerPipeline unigram() const;
  TokenizerPipeline wordPiece() const;

private:
  static GgufPieces readPieces(const GgufFile& file);
  static void requireLengths(const GgufFile& file, const GgufPieces& pieces);

  std::string subject(std::string_view name) const { return file_.file + ": " + key(name); }
  std::size_t count() const { return vocabulary_.pieces.size(); }
  TokenPieces tokenPieces() const;
  std::vector<AddedToken> addedTokens() const;
  void addScoredMerges(BpeModel& model) const;
  std::vector<std::uint32_t> ranksByScore() const;
  std::optional<Index> idAt(std::string_view name) const;
  std::vector<TemplateItem> around(bool begin, bool end) const;

  const GgufFile& file_;
  GgufPieces vocabulary_;
};

GgufPieces GgufTokenizer::readPieces(const GgufFile& file) {
  const std::vector<std::string>* pieces = file.texts(key("tokens"));
  if (!pieces || pieces->empty())
    throwInFile(ErrorCode::Type, file.file,
                key("tokens") + " is missing; it must be a list of pieces");
  GgufPieces read{*pieces, file.numbers(key("scores")), file.integers(key("token_type"))};
  requireLengths(file, read);
  for (const std::string& piece : *pieces)
    requireUtf8(piece, file.file + ": " + key("tokens"));
  return read;
}

void GgufTokenizer::requireLengths(const GgufFile& file, const GgufPieces& pieces) {
  const std::size_t wanted = pieces.pieces.size();
  for (const auto& [name, length] :
       {std::pair{"scores", pieces.scores.size()}, std::pair{"token_type", pieces.types.size()}})
    if (length != 0 && length != wanted)
      throwInFile(ErrorCode::Shape, file.file,
                  key(name) + " has " + std::to_string(length) + " values; it must have " +
                      std::to_string(wanted) + ", one for each piece");
}

TokenPieces GgufTokenizer::tokenPieces() const {
  TokenPieces pieces;
  for (std::size_t id = 0; id < count(); ++id)
    pieces.add(vocabulary_.pieces[id], static_cast<Index>(id), subject("tokens"));
  return pieces;
}

// Control and user-defined pieces are found wherever a text spells them out. Of equal ones the
// first counts.
std::vector<AddedToken> GgufTokenizer::addedTokens() const {
  std::vector<AddedToken> tokens;
  std::set<std::string_view> seen;
  for (std::size_t id = 0; id < count(); ++id) {
    const bool added = vocabulary_.isOf(id, Control) || vocabulary_.isOf(id, UserDefined);
    const std::string& piece = vocabulary_.pieces[id];
    if (!added || piece.empty() || !seen.insert(piece).second)
      continue;
    AddedToken token;
    token.content = piece;
    token.id = static_cast<Index>(id);
    tokens.push_back(std::move(token));
  }
  return tokens;
}

std::optional<Index> GgufTokenizer::idAt(std::string_view name) const {
  const std::optional<Index> id = file_.integer(key(name));
  if (id && (*id < 0 || *id >= static_cast<Index>(count())))
    throwRange(subject(name), std::to_string(*id),
               "the id of one of the " + std::to_string(count()) + " pieces");
  return id;
}

// `begin` and `end`: whether BOS and EOS, or BERT's [CLS] and [SEP], are added where the file does
// not say.
std::vector<TemplateItem> GgufTokenizer::around(bool begin, bool end) const {
  std::vector<TemplateItem> items;
  const auto first = [&](std::string_view name, std::string_view other) {
    return file_.has(key(name)) ? name : other;
  };
  const auto add = [&](std::string_view flag, std::string_view name, bool fallback) {
    const std::optional<Index> id = idAt(name);
    if (!id || !file_.flag(key(flag)).value_or(fallback))
      return;
    TemplateItem item;
    item.special.add(*id, vocabulary_.pieces[static_cast<std::size_t>(*id)]);
    items.push_back(std::move(item));
  };
  add("add_bos_token", first("cls_token_id", "bos_token_id"), begin);
  items.push_back({true, {}});
  add("add_eos_token", first("seperator_token_id", "eos_token_id"), end); // spelt so
  return items;
}

TokenizerPipeline GgufTokenizer::byteLevel() const {
  const GgufWordRules rules =
      ggufWordRules(file_.text(key("pre")).value_or("default"), subject("pre"));
  BpeModel model;
  model.pieces = tokenPieces();
  model.ignoreMerges = rules.ignoreMerges;
  if (const std::vector<std::string>* merges = file_.texts(key("merges")))
    for (const std::string& merge : *merges) {
      const std::vector<std::string_view> parts = split(merge, ' ');
      if (parts.size() != 2)
        throw Error(ErrorCode::Type, subject("merges"),
                    subject("merges") + " has " + excerpt(merge) +
                        "; each must be two pieces with a space between them");
      addMerge(model, std::string(parts[0]), std::string(parts[1]), subject("merges"));
    }
  return {rules.normalisers, AddedTokens(addedTokens(), rules.normalisers), rules.splitters,
          std::move(model), around(rules.begin, false)};
}

// The rank of each piece's score, the highest first; equal scores have one rank.
std::vector<std::uint32_t> GgufTokenizer::ranksByScore() const {
  std::vector<double> scores = vocabulary_.scores;
  if (scores.empty())
    throwInFile(ErrorCode::Type, file_.file,
                key("scores") + " is missing; it must be a list of numbers, one for each piece");
  for (const double score : scores)
    if (!std::isfinite(score))
      throw Error(ErrorCode::NonFinite, subject("scores"),
                  subject("scores") + " has a value that is not finite; all must be finite");
  std::sort(scores.begin(), scores.end(), std::greater<>());
  scores.erase(std::unique(scores.begin(), scores.end()), scores.end());
  std::vector<std::uint32_t> ranks;
  for (const double score : vocabulary_.scores)
    ranks.push_back(static_cast<std::uint32_t>(
        std::lower_bound(scores.begin(), scores.end(), score, std::greater<>()) - scores.begin()));
  return ranks;
}

// SentencePiece merges any two pieces that are one together, the highest score of the whole first
// (google/sentencepiece:src/bpe_model.cc).
void GgufTokenizer::addScoredMerges(BpeModel& model) const {
  const std::vector<std::uint32_t> ranks = ranksByScore();
  const auto merged = [&](Index id) {
    const auto at = static_cast<std::size_t>(id);
    return !vocabulary_.isOf(at, Unknown) && !vocabulary_.isOf(at, Control) &&
           !vocabulary_.isOf(at, Byte);
  };
  for (std::size_t id = 0; id < count(); ++id) {
    const std::string_view whole = vocabulary_.pieces[id];
    if (!merged(static_cast<Index>(id)) || whole.size() > kLongestScored)
      continue;
    for (std::size_t cut = 0; cut < whole.size(); cut += characterLength(whole, cut)) {
      const auto left = model.pieces.find(whole.substr(0, cut));
      const auto right = left ? model.pieces.find(whole.substr(cut)) : std::nullopt;
      if (left && right && merged(*left) && merged(*right))
        model.merges.add(*left, *right, {ranks[id], static_cast<Index>(id)});
    }
  }
}

TokenizerPipeline GgufTokenizer::scored() const {
  std::vector<Normaliser> normalisers;
  if (file_.flag(key("add_space_prefix")).value_or(true))
    normalisers.emplace_back(TextPrepending{std::string(kSpace)});
  normalisers.emplace_back(
      TextReplacing{TextPattern::fixed(" ", "the space"), std::string(kSpace)});
  BpeModel model;
  model.pieces = tokenPieces();
  model.fuseUnknown = true;
  model.byteFallback = true;
  if (const auto unknown = idAt("unknown_token_id"))
    model.unknown = vocabulary_.pieces[static_cast<std::size_t>(*unknown)];
  addScoredMerges(model);
  AddedTokens added(addedTokens(), normalisers);
  return {std::move(normalisers), std::move(added), {}, std::move(model), around(true, false)};
}

TokenizerPipeline GgufTokenizer::unigram() const {
  if (file_.has(key("precompiled_charsmap")))
    throwInFile(ErrorCode::Unsupported, file_.file,
                key("precompiled_charsmap") +
                    " is a normaliser that this program does not know; give the model's folder "
                    "with its tokenizer.model");
  ranksByScore(); // finite, and one for each piece
  std::vector<std::pair<std::string, double>> pieces;
  for (std::size_t id = 0; id < count(); ++id)
    pieces.emplace_back(vocabulary_.pieces[id], vocabulary_.scores[id]);
  std::vector<Normaliser> normalisers;
  if (file_.flag(key("remove_extra_whitespaces")).value_or(false)) {
    normalisers.emplace_back(SpaceStripping{});
    normalisers.emplace_back(
        TextReplacing{TextPattern::expression(" {2,}", "runs of spaces"), " "});
  }
  MetaspaceSplit words;
  if (!file_.flag(key("add_space_prefix")).value_or(true))
    words.scheme = PrependScheme::Never;
  AddedTokens added(addedTokens(), normalisers);
  return {std::move(normalisers),
          std::move(added),
          {words},
          UnigramModel(pieces, idAt("unknown_token_id"), false),
          around(false, true)};
}

// The converter writes "the" as "▁the", "##ing" as "ing", and leaves "[CLS]"
// (ggml-org/llama.cpp:convert_hf_to_gguf.py, BertModel.set_vocab).
std::string wordPieceOf(const std::string& piece) {
  if (piece.starts_with(kSpace))
    return piece.substr(kSpace.size());
  return piece.starts_with('[') && piece.ends_with(']') ? piece : "##" + piece;
}

TokenizerPipeline GgufTokenizer::wordPiece() const {
  WordPieceModel model;
  bool capitals = false; // of a model that tells them apart
  for (std::size_t id = 0; id < count(); ++id) {
    const std::string piece = wordPieceOf(vocabulary_.pieces[id]);
    model.pieces.add(piece, static_cast<Index>(id), subject("tokens"));
    capitals = capitals || (piece.size() == 1 && piece[0] >= 'A' && piece[0] <= 'Z');
  }
  BertCleaning cleaning;
  cleaning.lower = cleaning.stripAccents = !capitals;
  const std::vector<Normaliser> normalisers{cleaning};
  return {normalisers,
          AddedTokens(addedTokens(), normalisers),
          {BertSplit{}},
          std::move(model),
          around(true, true)};
}

} // namespace

bool hasTokenizer(const GgufFile& file) {
  const std::string model = file.text(key("model")).value_or("none");
  return model != "none" && model != "no_vocab";
}

TokenizerPipeline tokenizerFromGguf(const GgufFile& file) {
  if (!hasTokenizer(file))
    throw Error(ErrorCode::Unsupported, "tokenizer",
                file.file + ": the file has no tokenizer; " + kIdsInstead);
  const std::string model = *file.text(key("model"));
  if (model == "gpt2")
    return GgufTokenizer(file).byteLevel();
  if (model == "llama")
    return GgufTokenizer(file).scored();
  if (model == "t5")
    return GgufTokenizer(file).unigram();
  if (model == "bert")
    return GgufTokenizer(file).wordPiece();
  throwInFile(ErrorCode::Unsupported, file.file,
              key("model") + " is " + excerpt(model) +
                  ", which this program does not know; it must be one of gpt2, llama, t5, bert");
}

} // namespace attention
