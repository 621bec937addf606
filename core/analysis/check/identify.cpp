#include "core/analysis/check/mask_check.h"

#include "core/analysis/check/row_facts.h"
#include "core/analysis/difference.h"
#include "core/pattern/pattern.h"
#include "core/pattern/pattern_json.h"
#include "core/support/error.h"

#include <algorithm>
#include <numeric>

namespace attention {
namespace {

using Params = nlohmann::ordered_json;

// Compares candidates with the mask and keeps those that are equal.
class Matcher {
public:
  Matcher(std::shared_ptr<const Prepared> mask, const Run& run)
      : mask_(std::move(mask)), run_(run.quiet()) {
    const Index n = mask_->lengths().keys;
    for (const Index row : {n / 2, Index{0}, n - 1})
      remember(row);
  }

  bool attempt(const std::string& mechanism, const Params& params) {
    run_.check();
    try {
      const Pattern pattern = patternFromJson({{"mechanism", mechanism}, {"params", params}});
      const auto candidate = prepare(pattern, mask_->lengths(), run_);
      if (!equals(candidate))
        return false;
    } catch (const Error&) { // parameters that do not fit n, or a formula that fails
      return false;
    }
    matches_.push_back({mechanism, params});
    return true;
  }

  bool found() const { return !matches_.empty(); }
  std::vector<Match> take() { return std::move(matches_); }

private:
  struct Witness {
    Index row = 0;
    Runs keys;
  };

  // Rows that told the mask from a candidate are likely to tell it from the next one too, without a
  // look at all others.
  void remember(Index row) {
    constexpr std::size_t kMostWitnesses = 8;
    Witness witness{row, {}};
    rowRuns(*mask_, row, ranges_, witness.keys);
    witnesses_.insert(witnesses_.begin(), std::move(witness));
    if (witnesses_.size() > kMostWitnesses)
      witnesses_.pop_back();
  }

  bool equals(const std::shared_ptr<const Prepared>& candidate) {
    for (auto witness = witnesses_.begin(); witness != witnesses_.end(); ++witness) {
      rowRuns(*candidate, witness->row, ranges_, keys_);
      if (keys_ != witness->keys) {
        std::rotate(witnesses_.begin(), witness, witness + 1);
        return false;
      }
    }
    const Difference found = difference(mask_, candidate, run_.threads, run_);
    if (found.firstRow)
      remember(*found.firstRow);
    return !found.firstRow;
  }

  std::shared_ptr<const Prepared> mask_;
  Run run_;
  std::vector<Match> matches_;
  std::vector<Witness> witnesses_; // the most useful one first
  KeyRanges ranges_;
  Runs keys_;
};

// ---- families in the order of T12 ----

void tryBands(const RowFacts& f, Matcher& matcher) {
  if (f.back < 0 || f.ahead < 0)
    return;
  if (f.ahead == 0)
    matcher.attempt("local", {{"window", f.back + 1}, {"causal", true}});
  else
    matcher.attempt("sliding_window", {{"left", f.back}, {"right", f.ahead}});
  if (f.step >= 2)
    matcher.attempt("dilated",
                    {{"left", f.back / f.step}, {"right", f.ahead / f.step}, {"dilation", f.step}});
}

// In a mask of blocks, the ends of rows change only at multiples of the block. Nothing at all
// changes in causal and full masks, for which the smallest block serves; 0 then.
Index changesOf(const RowFacts& f) {
  Index common = 0;
  for (Index i = 1; i < f.n; ++i) {
    const RowEnds& before = f.ends[static_cast<std::size_t>(i - 1)];
    const RowEnds& now = f.ends[static_cast<std::size_t>(i)];
    if (before.first != now.first || (f.future && before.last != now.last))
      common = std::gcd(common, i);
  }
  return common;
}

bool tryBlock(const RowFacts& f, Index size, Matcher& matcher) {
  Index before = -f.n;
  Index after = -f.n;
  for (Index i = 0; i < f.n; ++i) {
    const RowEnds& ends = f.ends[static_cast<std::size_t>(i)];
    before = std::max(before, i / size - ends.first / size);
    after = std::max(after, ends.last / size - i / size);
  }
  return before >= 0 && after >= 0 &&
         matcher.attempt(
             "block_local",
             {{"block_size", size}, {"before", before}, {"after", after}, {"causal", !f.future}});
}

void tryBlockLocal(const RowFacts& f, Matcher& matcher) {
  if (!f.everySelf) // every token is in its own block
    return;
  const Index common = changesOf(f);
  const Index most = common == 0 ? std::min<Index>(2, f.n - 1) : std::min(common, f.n - 1);
  for (Index size = 2; size <= most; ++size)
    if (common % size == 0 && tryBlock(f, size, matcher))
      return;
}

void tryDocuments(const RowFacts& f, Matcher& matcher) {
  if (f.starts.size() > 1) {
    std::vector<Index> lengths;
    for (std::size_t k = 0; k < f.starts.size(); ++k)
      lengths.push_back((k + 1 < f.starts.size() ? f.starts[k + 1] : f.n) - f.starts[k]);
    if (matcher.attempt("document", {{"lengths", lengths}, {"causal", !f.future}}))
      return;
  }
  std::vector<Index> ids;
  for (const RowEnds& ends : f.ends)
    ids.push_back(ends.first);
  const bool several = std::any_of(ids.begin(), ids.end(), [&](Index id) { return id != ids[0]; });
  if (!f.hasEmptyRow && several)
    matcher.attempt("document", {{"ids", ids}, {"causal", !f.future}});
}

void tryPrefix(const RowFacts& f, Matcher& matcher) {
  if (f.future && f.firstRow.size() == 1 && f.firstRow[0].first == 0)
    matcher.attempt("prefix_lm", {{"prefix", f.firstRow[0].second}});
}

void trySinks(const RowFacts& f, Matcher& matcher) {
  const Runs& last = f.lastRow;
  if (!f.future && last.size() == 2 && last[0].first == 0 && last[1].second == f.n)
    matcher.attempt("sinks", {{"sinks", last[0].second}, {"window", f.n - last[1].first}});
}

// The last row has the stride: the union's last run is one longer, the second factor's last two
// keys are one stride apart.
void tryStrided(const RowFacts& f, Matcher& matcher) {
  const Runs& last = f.lastRow;
  if (last.empty() || last.back().second != f.n)
    return;
  const auto attempt = [&](Index stride, const Params& head) {
    return stride >= 2 && stride < f.n &&
           matcher.attempt("strided", {{"stride", stride}, {"head", head}, {"causal", !f.future}});
  };
  const Index ofUnion = f.n - 1 - last.back().first;
  const Index ofSecond = last.size() > 1 ? f.n - last[last.size() - 2].second : 0;
  const bool unionFirst = ofUnion <= ofSecond;
  if (!attempt(unionFirst ? ofUnion : ofSecond, unionFirst ? Params("union") : Params(2)))
    attempt(unionFirst ? ofSecond : ofUnion, unionFirst ? Params(2) : Params("union"));
}

// The last row's keys in the first block are its summary, c keys that end h · c before its end.
void tryFixed(const RowFacts& f, Matcher& matcher) {
  if (f.lastRow.empty())
    return;
  const auto [begin, end] = f.lastRow[0];
  const Index next = f.lastRow.size() > 1 ? f.lastRow[1].first : f.n;
  for (Index stride = std::max<Index>(2, begin + 1); stride <= std::min(next, f.n - 1); ++stride) {
    const Index after = stride - std::min(end, stride);
    const Index columns = stride - after - begin;
    if (columns == stride || after % columns != 0)
      continue;
    for (const Params& head : {Params("union"), Params(2)})
      if (matcher.attempt("fixed", {{"stride", stride},
                                    {"c", columns},
                                    {"subblock", after / columns},
                                    {"head", head},
                                    {"causal", !f.future}}))
        return;
  }
}

// The largest |i − j| among cells whose row and key are not global; nothing without such a cell.
std::optional<Index> farthest(const Prepared& mask, const std::vector<Index>& globals,
                              const Run& run) {
  Runs others; // tokens that are not global
  Index from = 0;
  for (const Index token : globals) {
    if (from < token)
      others.emplace_back(from, token);
    from = token + 1;
  }
  if (from < mask.lengths().keys)
    others.emplace_back(from, mask.lengths().keys);
  std::optional<Index> far;
  KeyRanges ranges;
  Runs keys;
  for (const auto& [begin, end] : others)
    for (Index i = begin; i < end; ++i) {
      run.check();
      rowRuns(mask, i, ranges, keys);
      const Runs local = bothOf(keys, others);
      if (!local.empty())
        far = std::max({far.value_or(0), i - local.front().first, local.back().second - 1 - i});
    }
  return far;
}

void tryLongformer(const RowFacts& f, const Prepared& mask, Matcher& matcher, const Run& run) {
  std::vector<Index> globals;
  std::set_intersection(f.fullRows.begin(), f.fullRows.end(), f.fullColumns.begin(),
                        f.fullColumns.end(), std::back_inserter(globals));
  if (globals.empty() || std::ssize(globals) == f.n)
    return;
  if (const auto reach = farthest(mask, globals, run))
    matcher.attempt("longformer",
                    {{"window", 2 * *reach}, {"globals", globals}, {"causal", !f.future}});
}

// How many of the first integers the ascending list begins with.
Index prefixOf(const std::vector<Index>& list) {
  Index length = 0;
  while (length < std::ssize(list) && list[static_cast<std::size_t>(length)] == length)
    ++length;
  return length;
}

// A diagonal is left out where columns cover it, then a column where the diagonals left do.
void tryVerticalSlash(const RowFacts& f, Matcher& matcher) {
  if (f.future)
    return;
  std::vector<Index> columns = f.fullColumns;
  std::vector<Index> diagonals = f.fullDiagonals;
  const Index covered = prefixOf(columns);
  std::erase_if(diagonals, [&](Index offset) { return f.n - offset <= covered; });
  const Index kept = prefixOf(diagonals);
  std::erase_if(columns, [&](Index column) { return f.n - column <= kept; });
  matcher.attempt("vertical_slash", {{"vertical", columns}, {"slash", diagonals}});
}

// A span begins where the one before ends and reaches to the last key of its first row.
void trySpans(const RowFacts& f, Matcher& matcher) {
  if (!f.future)
    return;
  Params spans = Params::array();
  for (Index i = 0; i < f.n;) {
    const Index end = f.ends[static_cast<std::size_t>(i)].last + 1;
    if (end - i >= 2)
      spans.push_back({i, end - i});
    i = std::max(end, i + 1);
  }
  if (spans.empty())
    return;
  if (!matcher.attempt("spans", {{"spans", spans}}) && f.back >= 0)
    matcher.attempt("spans", {{"spans", spans}, {"window", f.back + 1}});
}

// The first row is the first noised block.
void tryBlockDiffusion(const RowFacts& f, Matcher& matcher) {
  if (!f.future || f.n % 2 != 0 || f.firstRow.size() != 1 || f.firstRow[0].first != 0)
    return;
  if (f.firstRow[0].second <= f.n / 2)
    matcher.attempt("block_diffusion", {{"block_size", f.firstRow[0].second}});
}

// A node's parent is the last key before it.
void tryTree(const RowFacts& f, const Prepared& mask, Matcher& matcher) {
  if (f.future || matcher.found() || !f.everySelf)
    return;
  std::vector<Index> parents;
  KeyRanges ranges;
  Runs keys;
  for (Index i = 0; i < f.n; ++i) {
    rowRuns(mask, i, ranges, keys);
    const Runs before = within(keys, 0, i);
    parents.push_back(before.empty() ? -1 : before.back().second - 1);
  }
  matcher.attempt("tree", {{"parents", parents}});
}

} // namespace

std::vector<Match> identify(const std::shared_ptr<const Prepared>& mask, const Run& run) {
  const Lengths& lengths = mask->lengths();
  if (lengths.queries != lengths.keys)
    throw Error(ErrorCode::Shape, "mask",
                "mask is " + std::to_string(lengths.queries) + " × " +
                    std::to_string(lengths.keys) + "; to be identified it must be square");
  const RowFacts facts = rowFacts(*mask, run);
  if (!facts.any)
    return {{"empty", Params::object()}};
  Matcher matcher(mask, run);
  matcher.attempt("full", Params::object());
  matcher.attempt("causal", Params::object());
  tryBands(facts, matcher);
  tryBlockLocal(facts, matcher);
  tryDocuments(facts, matcher);
  tryPrefix(facts, matcher);
  trySinks(facts, matcher);
  tryStrided(facts, matcher);
  tryFixed(facts, matcher);
  tryLongformer(facts, *mask, matcher, run);
  tryVerticalSlash(facts, matcher);
  trySpans(facts, matcher);
  tryBlockDiffusion(facts, matcher);
  tryTree(facts, *mask, matcher);
  return matcher.take();
}

} // namespace attention
