// As in huggingface/tokenizers:tokenizers/src/models/unigram/model.rs (`encode_optimized`), which
// follows google/sentencepiece:src/unigram_model.cc.
#include "core/model/tokenizer_unigram.h"

#include "core/model/tokenizer_pieces.h"
#include "core/model/tokenizer_text.h"
#include "core/support/error.h"

#include <algorithm>
#include <limits>

namespace attention {
namespace {

constexpr double kUnknownPenalty = 10; // below the lowest score
constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

} // namespace

// The best pieces that end at a place of the word.
struct UnigramModel::Node {
  Index id = 0;
  double score = 0;             // of all pieces up to here
  std::size_t begin = kNowhere; // of the last piece

  void offer(Index piece, double sum, std::size_t from) {
    if (begin == kNowhere || sum > score)
      *this = {piece, sum, from};
  }
};

UnigramModel::UnigramModel(const std::vector<std::pair<std::string, double>>& pieces,
                           std::optional<Index> unknown, bool byteFallback)
    : unknown_(unknown), byteFallback_(byteFallback) {
  double lowest = std::numeric_limits<double>::infinity();
  std::vector<std::pair<std::string, Index>> texts;
  texts.reserve(pieces.size());
  for (const auto& [piece, score] : pieces) {
    const auto id = static_cast<Index>(texts.size());
    pieces_.add(piece, id, "vocab");
    texts.emplace_back(piece, id);
    scores_.push_back(score);
    lowest = std::min(lowest, score);
  }
  unknownScore_ = lowest - kUnknownPenalty;
  trie_ = TokenTrie(std::move(texts));
}

Index UnigramModel::requiredUnknown() const {
  if (!unknown_)
    throw Error(ErrorCode::Unknown, "unk_id",
                "unk_id is missing, and the text needs it; it must be the index of a piece");
  return *unknown_;
}

std::vector<UnigramModel::Node> UnigramModel::bestEnds(std::string_view word) const {
  std::vector<Node> ends(word.size() + 1);
  for (std::size_t at = 0; at < word.size();) {
    const double score = ends[at].score;
    const std::size_t next = at + characterLength(word, at);
    bool single = false; // a piece of this one character
    trie_.each(word, at, [&](std::size_t end, Index id) {
      ends[end].offer(id, scores_[static_cast<std::size_t>(id)] + score, at);
      single = single || end == next;
    });
    if (!single)
      ends[next].offer(requiredUnknown(), unknownScore_ + score, at);
    at = next;
  }
  return ends;
}

std::vector<std::string> UnigramModel::bestCut(std::string_view word) const {
  const std::vector<Node> ends = bestEnds(word);
  std::vector<std::string> cut; // from the end
  bool unknownBefore = false;
  for (std::size_t end = word.size(); end > 0; end = ends[end].begin) {
    const bool unknown = unknown_ && ends[end].id == *unknown_;
    const std::string_view piece = word.substr(ends[end].begin, end - ends[end].begin);
    if (unknown && unknownBefore)
      cut.back().insert(0, piece);
    else
      cut.emplace_back(piece);
    unknownBefore = unknown;
  }
  std::reverse(cut.begin(), cut.end());
  return cut;
}

void UnigramModel::appendPiece(const std::string& piece, Encoding& to) const {
  if (const auto id = pieces_.find(piece))
    return to.add(*id, piece);
  Encoding bytes;
  for (std::size_t i = 0; byteFallback_ && i < piece.size(); ++i)
    if (const auto id = pieces_.find(bytePiece(static_cast<std::uint8_t>(piece[i]))))
      bytes.add(*id, pieces_.piece(*id));
  if (!byteFallback_ || bytes.ids.size() < piece.size())
    return to.add(requiredUnknown(), piece);
  to.ids.insert(to.ids.end(), bytes.ids.begin(), bytes.ids.end());
  to.pieces.insert(to.pieces.end(), bytes.pieces.begin(), bytes.pieces.end());
}

void UnigramModel::append(std::string_view word, Encoding& to) const {
  for (const std::string& piece : bestCut(word))
    appendPiece(piece, to);
}

} // namespace attention
