#include "core/plot/links_page.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

constexpr Index kNamedAtEdge = 3; // a pinned key among them; the others share a row
constexpr Index kMostAtEdge = kNamedAtEdge + 1;
constexpr double kBareRow = 3;       // pixels, of tokens without words
constexpr double kPageSlack = 1e-3;  // rows: of a box that was rounded
constexpr double kPageEdgeGap = 0.5; // rows, between an edge and the page

struct Span {
  Index begin = 0;
  Index end = 0;
};

// `count` of them with that one in the middle as far as the ends allow.
Span about(const Span& all, const std::optional<Index>& token, Index count) {
  if (all.end - all.begin <= count)
    return all;
  const bool within = token && *token >= all.begin && *token < all.end;
  const Index wish = within ? *token - count / 2 : all.begin;
  const Index begin = std::clamp(wish, all.begin, all.end - count);
  return {begin, begin + count};
}

// The priority of each key for a name at an edge: the share of its largest line from those queries,
// those of the pinned tokens before all others; 0 for keys without a line.
std::vector<double> ranksOf(const LinksMark& mark, const Span& queries) {
  constexpr double kFirst = 3; // more than any line
  std::vector<double> ranks(mark.keys.size());
  for (const Link& link : mark.all)
    if (link.query >= queries.begin && link.query < queries.end) {
      const bool pinned = mark.aboutQuery == link.query || mark.aboutKey == link.key;
      double& rank = ranks[static_cast<std::size_t>(link.key)];
      rank = std::max(rank, link.share + (pinned ? 1 : 0));
    }
  for (std::size_t k = 0; k < ranks.size(); ++k)
    if (mark.keys[k].others > 0 && ranks[k] > 0)
      ranks[k] = -1; // it has no name
  if (mark.aboutKey)
    ranks[static_cast<std::size_t>(*mark.aboutKey)] = kFirst;
  return ranks;
}

// Those of the keys that have lines from the queries, the strongest by name and the others
// together, in their order.
std::vector<LinksPage::Edge> edgeOf(const LinksMark& mark, const std::vector<double>& ranks,
                                    const Span& keys) {
  const auto of = [&](Index k) -> const LinkKey& { return mark.keys[static_cast<std::size_t>(k)]; };
  const auto rank = [&](Index k) { return ranks[static_cast<std::size_t>(k)]; };
  std::vector<Index> named;
  for (Index k = keys.begin; k < keys.end; ++k)
    if (rank(k) != 0)
      named.push_back(k);
  std::stable_sort(named.begin(), named.end(), [&](Index a, Index b) { return rank(a) > rank(b); });
  LinksPage::Edge others;
  while (!named.empty() && (std::ssize(named) > kNamedAtEdge || rank(named.back()) < 0)) {
    others.keys.push_back(named.back());
    others.others += std::max<Index>(of(named.back()).others, 1);
    named.pop_back();
  }
  if (others.keys.size() == 1 && rank(others.keys.front()) > 0) { // it always has a row
    named.push_back(others.keys.front());
    others = {};
  }
  std::sort(named.begin(), named.end());
  std::vector<LinksPage::Edge> edges;
  for (const Index k : named)
    edges.push_back({{k}, 0});
  if (others.others > 0)
    edges.push_back(std::move(others));
  return edges;
}

double rowsOfEdge(std::size_t edges) {
  return edges == 0 ? 0 : static_cast<double>(edges) + kPageEdgeGap;
}

} // namespace

double LinksPage::pageTop() const {
  return top + rowsOfEdge(above.size()) * row;
}

double LinksPage::edgeY(bool isAbove, Index k) const {
  const Index rows = std::max(queryEnd - queryBegin, keyEnd - keyBegin);
  const double from = isAbove ? top : pageTop() + (static_cast<double>(rows) + kPageEdgeGap) * row;
  return from + (static_cast<double>(k) + 0.5) * row;
}

std::optional<double> LinksPage::queryY(Index place) const {
  if (place < queryBegin || place >= queryEnd)
    return std::nullopt;
  return pageTop() + (static_cast<double>(place - queryBegin) + 0.5) * row;
}

double LinksPage::keyY(Index place) const {
  if (place >= keyBegin && place < keyEnd)
    return pageTop() + (static_cast<double>(place - keyBegin) + 0.5) * row;
  const bool isAbove = place < keyBegin;
  const std::vector<Edge>& edges = isAbove ? above : below;
  for (std::size_t k = 0; k < edges.size(); ++k)
    if (std::find(edges[k].keys.begin(), edges[k].keys.end(), place) != edges[k].keys.end())
      return edgeY(isAbove, static_cast<Index>(k));
  return edgeY(isAbove, 0);
}

Index LinksPage::queryAt(double y) const {
  return std::clamp(queryBegin + static_cast<Index>(std::floor((y - pageTop()) / row)), queryBegin,
                    queryEnd - 1);
}

std::optional<Index> LinksPage::keyAt(double y) const {
  const auto nearest = [&](const std::vector<Edge>& edges, double from) -> std::optional<Index> {
    const auto at = std::clamp<std::ptrdiff_t>(
        static_cast<std::ptrdiff_t>(std::floor((y - from) / row)), 0, std::ssize(edges) - 1);
    const Edge& edge = edges[static_cast<std::size_t>(at)];
    return edge.others == 0 ? std::optional(edge.keys.front()) : std::nullopt;
  };
  if (!above.empty() && y < pageTop() - kPageEdgeGap / 2 * row)
    return nearest(above, edgeY(true, 0) - row / 2);
  if (!below.empty() && y > edgeY(false, 0) - (1 + kPageEdgeGap) / 2 * row)
    return nearest(below, edgeY(false, 0) - row / 2);
  return std::clamp(keyBegin + static_cast<Index>(std::floor((y - pageTop()) / row)), keyBegin,
                    keyEnd - 1);
}

LinksPage linksPage(const LinksMark& mark, const Box& box, double type) {
  const auto queries = static_cast<Index>(mark.queries.size());
  const Index most = std::max(queries, mark.pageKeys());
  const double least = mark.words ? kLinkRow * type : kBareRow;
  const auto room = static_cast<Index>(std::floor(box.height / least + 1e-6));
  LinksPage page;
  page.queryEnd = queries;
  page.keyBegin = mark.pageBegin;
  page.keyEnd = mark.pageEnd;
  const auto setEdges = [&] {
    const auto ranks = ranksOf(mark, {page.queryBegin, page.queryEnd});
    page.above = edgeOf(mark, ranks, {0, page.keyBegin});
    page.below = edgeOf(mark, ranks, {page.keyEnd, static_cast<Index>(mark.keys.size())});
  };
  setEdges();
  const auto taken = [&] { return rowsOfEdge(page.above.size()) + rowsOfEdge(page.below.size()); };
  // With room for all that may ever stand at an edge, so that pinning a key moves no token.
  const double reserved = (mark.pageBegin > 0 ? rowsOfEdge(kMostAtEdge) : 0) +
                          (mark.pageEnd < std::ssize(mark.keys) ? rowsOfEdge(kMostAtEdge) : 0);
  if (static_cast<double>(most) + reserved > static_cast<double>(room)) {
    const auto edges = static_cast<Index>(std::ceil(2 * rowsOfEdge(kMostAtEdge)));
    const Index count = std::max<Index>(room - edges, 1);
    const auto sameTokens = queries == mark.pageKeys();
    const std::optional<Index> key =
        mark.aboutKey ? std::optional(*mark.aboutKey - mark.pageBegin) : std::nullopt;
    const std::optional<Index>& query = mark.aboutQuery;
    const Span rows = about({0, queries}, query || !sameTokens ? query : key, count);
    const Span keys = sameTokens ? rows : about({0, mark.pageKeys()}, key, count);
    page.queryBegin = rows.begin;
    page.queryEnd = rows.end;
    page.keyBegin = mark.pageBegin + keys.begin;
    page.keyEnd = mark.pageBegin + keys.end;
    setEdges();
  }
  const Index shown = std::max(page.queryEnd - page.queryBegin, page.keyEnd - page.keyBegin);
  page.top = box.y;
  page.row = box.height / (static_cast<double>(shown) + taken());
  return page;
}

} // namespace attention
