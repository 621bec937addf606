#include "core/views/mask/mask_words.h"

#include "core/pattern/coverage.h"
#include "core/pattern/mechanism/drawn.h"
#include "core/pattern/token_groups.h"
#include "core/support/number_text.h"

#include <algorithm>

namespace attention {
namespace {

// Keys first … last that a query sees without a gap around its own token.
struct Stretch {
  Index first;
  Index last;
  Index keys() const { return last - first + 1; }
};

// The end of the stretch in the direction of `end`, which is not in it: counts fall short of the
// full length from there on.
Index endOfStretch(const Prepared& prepared, Index query, Index token, Index end) {
  Index good = token;
  Index bad = end;
  while (std::abs(bad - good) > 1) {
    const Index middle = good + (bad - good) / 2;
    const Index from = std::min(middle, token);
    const Index to = std::max(middle, token) + 1;
    (prepared.rowCount(query, from, to) == to - from ? good : bad) = middle;
  }
  return good;
}

} // namespace

std::string readQuery(const Prepared& prepared, Index query, const Base& base) {
  const Index n = prepared.lengths().keys;
  const Index token = query + prepared.lengths().offset;
  const std::string who = "Query " + groupedDigits(query);
  const Index keys = prepared.rowCount(query, 0, n);
  if (token < 0 || token >= n || !prepared.contains(query, token))
    return who + " does not see its own token; it sees " + groupedDigits(keys) + " of " +
           counted(n, "key") + ".";
  const Stretch near{endOfStretch(prepared, query, token, -1),
                     endOfStretch(prepared, query, token, n)};
  const Index others = (base == Base::Causal ? token + 1 : n) - near.keys();
  const Index far = keys - near.keys();
  if (others == 0)
    return who + (base == Base::Causal ? " sees every key up to itself." : " sees every key.");
  const std::string rest = far == 0
                               ? " and nothing else."
                               : " and " + groupedDigits(far) + " of the " + groupedDigits(others) +
                                     (base == Base::Causal ? " earlier " : " other ") +
                                     agreeing(others, "key.", "keys.");
  if (near.keys() == 1)
    return who + (far == 0 ? " sees only itself." : " sees itself" + rest);
  return who + " sees keys " + groupedDigits(near.first) + "–" + groupedDigits(near.last) + rest;
}

namespace {

std::string hubs(const Prepared& prepared, const Run& run) {
  const Lengths& lengths = prepared.lengths();
  const Index middle = lengths.keys / 2;
  const auto seenBy = [&](Index key) {
    return groupedDigits(prepared.count({0, lengths.queries, key, key + 1}, run));
  };
  return "Key 0 is seen by " + seenBy(0) + " of " + counted(lengths.queries, "query") + ", key " +
         groupedDigits(middle) + " by " + seenBy(middle) + ".";
}

std::string shares(const Prepared& prepared, const RowStatistics& rows, const Run& run) {
  const Index first = prepared.count(0, prepared.bounds(), run);
  const std::string added = groupedDigits(rows.pairs - first);
  const std::string of = " of the " + counted(rows.pairs, "pair");
  if (prepared.parts()[1].name == kDrawnPart)
    return added + of + (rows.pairs - first == 1 ? " lies" : " lie") +
           " in your strokes; the pattern gives the other " + groupedDigits(first) + ".";
  return "Of the " + counted(rows.pairs, "pair") + " " + prepared.parts()[0].name + " gives " +
         groupedDigits(first) + ", and " + prepared.parts()[1].name + " adds " + added + ".";
}

} // namespace

std::vector<std::string> readMask(const Prepared& prepared, const RowStatistics& rows,
                                  const Base& base, const Run& run) {
  const Lengths& lengths = prepared.lengths();
  if (!rows.exact || (!prepared.closedForm() && lengths.keys > kMostExactRows))
    return {};
  if (rows.pairs == 0)
    return {"No query attends to any key."};
  const Index query = base == Base::Causal ? lengths.queries - 1 : lengths.queries / 2;
  std::vector<std::string> sentences{readQuery(prepared, query, base)};
  if (lengths.keys > 2)
    sentences.push_back(hubs(prepared, run));
  if (prepared.parts().size() == 2 && rows.pairs > 1)
    sentences.push_back(shares(prepared, rows, run));
  if (const auto& groups = prepared.groups()) {
    if (std::string why = partedTokens(*groups); !why.empty())
      sentences.push_back(std::move(why));
  }
  return sentences;
}

} // namespace attention
