// Order of merges as in huggingface/tokenizers:tokenizers/src/models/bpe/word.rs (`merge_all`).
#include "core/model/tokenizer_bpe.h"

#include "core/model/tokenizer_pieces.h"
#include "core/model/tokenizer_text.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>
#include <queue>
#include <tuple>
#include <vector>

namespace attention {
namespace {

std::uint64_t keyOf(Index left, Index right) {
  return (static_cast<std::uint64_t>(left) << 32U) | static_cast<std::uint64_t>(right);
}

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

struct Symbol {
  Index id = 0;
  std::size_t previous = kNone;
  std::size_t next = kNone;
  bool merged = false; // into the symbol before it
};

// A pair of neighbours that may be merged.
struct Candidate {
  std::uint32_t rank = 0;
  std::size_t at = 0; // of the left one
  Index id = 0;

  bool operator>(const Candidate& other) const {
    return std::tie(rank, at) > std::tie(other.rank, other.at);
  }
};

class Word {
public:
  explicit Word(const BpeModel& model) : model_(model) {}

  void readCharacters(std::string_view text);
  void merge();
  void append(Encoding& to) const;

private:
  void add(Index id);
  bool addBytes(std::string_view character);
  void addUnknown();
  void flushUnknown();
  void push(std::size_t left);

  const BpeModel& model_;
  std::vector<Symbol> symbols_;
  std::optional<Index> unknown_; // read and not yet added, so that more can be fused with it
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates_;
};

void Word::add(Index id) {
  const std::size_t at = symbols_.size();
  if (at > 0)
    symbols_.back().next = at;
  symbols_.push_back({id, at > 0 ? at - 1 : kNone, kNone, false});
}

bool Word::addBytes(std::string_view character) {
  std::vector<Index> ids;
  for (const char byte : character)
    if (const auto id = model_.pieces.find(bytePiece(static_cast<std::uint8_t>(byte))))
      ids.push_back(*id);
    else
      return false;
  for (const Index id : ids)
    add(id);
  return true;
}

void Word::addUnknown() {
  if (!model_.unknown)
    return;
  const auto id = model_.pieces.find(*model_.unknown);
  if (!id)
    throw Error(ErrorCode::Unknown, "unk_token",
                "unk_token is " + excerpt(*model_.unknown) +
                    ", and the text needs it; it must be a piece of the vocabulary");
  if (!model_.fuseUnknown)
    flushUnknown();
  unknown_ = id;
}

void Word::flushUnknown() {
  if (unknown_)
    add(*unknown_);
  unknown_.reset();
}

void Word::readCharacters(std::string_view text) {
  symbols_.reserve(text.size());
  std::string longer; // with a prefix or an end
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    at += characterLength(text, at);
    std::string_view character = text.substr(begin, at - begin);
    const bool prefixed = begin > 0 && !model_.continuingPrefix.empty();
    const bool ended = at == text.size() && !model_.wordEnd.empty();
    if (prefixed || ended) {
      longer = prefixed ? model_.continuingPrefix : std::string();
      longer += character;
      if (ended)
        longer += model_.wordEnd;
      character = longer;
    }
    if (const auto id = model_.pieces.find(character)) {
      flushUnknown();
      add(*id);
    } else if (!model_.byteFallback || !addBytes(character)) {
      addUnknown();
    }
  }
  flushUnknown();
}

void Word::push(std::size_t left) {
  if (left == kNone || symbols_[left].next == kNone)
    return;
  if (const auto* merge = model_.merges.find(symbols_[left].id, symbols_[symbols_[left].next].id))
    candidates_.push({merge->rank, left, merge->id});
}

void Word::merge() {
  for (std::size_t i = 0; i + 1 < symbols_.size(); ++i)
    push(i);
  while (!candidates_.empty()) {
    const Candidate best = candidates_.top();
    candidates_.pop();
    Symbol& left = symbols_[best.at];
    if (left.merged || left.next == kNone)
      continue;
    Symbol& right = symbols_[left.next];
    const auto* merge = model_.merges.find(left.id, right.id);
    if (!merge || merge->id != best.id) // an older pair
      continue;
    left.id = best.id;
    right.merged = true;
    left.next = right.next;
    if (left.next != kNone)
      symbols_[left.next].previous = best.at;
    push(left.previous);
    push(best.at);
  }
}

void Word::append(Encoding& to) const {
  for (const Symbol& symbol : symbols_)
    if (!symbol.merged)
      to.add(symbol.id, model_.pieces.piece(symbol.id));
}

} // namespace

void BpeMerges::add(Index left, Index right, Merge merge) {
  merges_.insert_or_assign(keyOf(left, right), merge);
  nextRank_ = merge.rank + 1;
}

const BpeMerges::Merge* BpeMerges::find(Index left, Index right) const {
  const auto at = merges_.find(keyOf(left, right));
  return at == merges_.end() ? nullptr : &at->second;
}

void addMerge(BpeModel& model, const std::string& left, const std::string& right,
              const std::string& subject) {
  const auto idOf = [&](const std::string& piece) {
    const auto id = model.pieces.find(piece);
    if (!id)
      throw Error(ErrorCode::Unknown, subject,
                  subject + " joins " + excerpt(left) + " and " + excerpt(right) + ", but " +
                      excerpt(piece) + " is not a piece of the vocabulary; it must be one");
    return *id;
  };
  const std::size_t prefix = std::min(right.size(), model.continuingPrefix.size());
  const Index leftId = idOf(left);
  const Index rightId = idOf(right);
  model.merges.add(leftId, rightId, {model.merges.nextRank(), idOf(left + right.substr(prefix))});
}

void appendPieces(const BpeModel& model, std::string_view word, Encoding& to) {
  if (model.ignoreMerges)
    if (const auto id = model.pieces.find(word)) {
      to.add(*id, std::string(word));
      return;
    }
  Word symbols(model);
  symbols.readCharacters(word);
  symbols.merge();
  symbols.append(to);
}

} // namespace attention
