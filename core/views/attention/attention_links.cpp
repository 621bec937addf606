// Weights as lines between a page of tokens, and to the keys off it.
#include "core/views/attention/attention_figure.h"

#include "core/support/number_text.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace attention {
namespace {

constexpr std::size_t kMostFar = 6; // keys on either side of the page that have lines of their own
constexpr double kSecond = 1;       // more than any weight: of the query that the lines are about
constexpr double kFirst = 3;        // more than that: of the key that they are about

std::string wordOf(const std::vector<std::string>& names, Index token) {
  const auto at = static_cast<std::size_t>(token);
  return at < names.size() ? names[at] : groupedDigits(token);
}

// A line, by tokens.
struct Found {
  Index query;
  Index key;
  double weight;
};

class LinksMaker {
public:
  LinksMaker(const AttentionSpec& spec, const AttentionAnswer& answer, const AttentionLook& look)
      : spec_(spec), look_(look), lattice_(answer.maps->lattice),
        weights_(spec.of == WeightsOf::Pattern ? answer.maps->pattern : answer.maps->dense),
        cells_(intersection(look.cells, {lattice_.rowEdges.front(), lattice_.rowEdges.back(),
                                         lattice_.keyEdges.front(), lattice_.keyEdges.back()})) {}

  LinksMark run() {
    for (Index i = cells_.rowBegin; i < cells_.rowEnd; ++i) {
      findOfQuery(i);
      mark_.queries.push_back(wordOf(look_.square ? look_.names : std::vector<std::string>(), i));
    }
    mark_.firstQuery = cells_.rowBegin;
    mark_.allQueries = lattice_.rowEdges.back() - lattice_.rowEdges.front();
    mark_.allKeys = lastKey() - firstKey();
    mergeFar(firstKey(), cells_.keyBegin, before_);
    mergeFar(cells_.keyEnd, lastKey(), after_);
    addKeys();
    addLinks();
    mark_.query = rowOf(look_.pins.query);
    mark_.key = placeOf(look_.pins.key);
    mark_.aboutQuery = rowOf(look_.about.query);
    mark_.aboutKey = placeOf(look_.about.key);
    return std::move(mark_);
  }

private:
  double weight(Index i, Index j) const {
    return static_cast<double>(
        weights_(i - lattice_.rowEdges.front(), j - lattice_.keyEdges.front()));
  }
  Index firstKey() const { return lattice_.keyEdges.front(); }
  Index lastKey() const { return lattice_.keyEdges.back(); }

  // From the smallest shown weight on, and always the largest.
  void findOfQuery(Index i) {
    std::optional<Index> most;
    for (Index j = firstKey(); j < lastKey(); ++j)
      if (weight(i, j) > (most ? weight(i, *most) : 0))
        most = j;
    for (Index j = firstKey(); j < lastKey(); ++j)
      if (const double p = weight(i, j); p > 0 && (p >= spec_.least || most == j))
        found_.push_back({i, j, p});
  }

  struct Far {
    std::vector<Index> keys; // with lines of their own
    Index others = 0;        // keys with any weight beside them
    std::vector<Found> merged;
  };

  // Of the keys off the page on one side, those with the largest weights keep their lines: the
  // weights of the query that the picture is about, if there is one. The others become one line for
  // each query, as wide as all that they give it.
  void mergeFar(Index begin, Index end, Far& far) {
    std::map<Index, double> most;
    if (const auto& key = look_.about.key; key && *key >= begin && *key < end)
      most[*key] = kFirst;
    for (const Found& line : found_)
      if (line.key >= begin && line.key < end)
        most[line.key] =
            std::max(most[line.key], line.weight + (line.query == look_.about.query ? kSecond : 0));
    for (const auto& [key, weight] : most)
      far.keys.push_back(key);
    std::stable_sort(far.keys.begin(), far.keys.end(),
                     [&](Index a, Index b) { return most[a] > most[b]; });
    far.keys.resize(std::min(far.keys.size(), kMostFar));
    std::sort(far.keys.begin(), far.keys.end());
    const auto isOther = [&](Index j) {
      return j >= begin && j < end && !std::binary_search(far.keys.begin(), far.keys.end(), j);
    };
    std::set<Index> others;
    for (Index i = cells_.rowBegin; i < cells_.rowEnd; ++i)
      mergeOfQuery(i, {begin, end}, isOther, far, others);
    far.others = far.merged.empty() ? 0 : std::ssize(others);
    std::erase_if(found_, [&](const Found& line) { return isOther(line.key); });
  }

  template <class IsOther>
  void mergeOfQuery(Index i, std::pair<Index, Index> side, const IsOther& isOther, Far& far,
                    std::set<Index>& others) {
    double sum = 0;
    for (Index j = side.first; j < side.second; ++j)
      if (const double p = weight(i, j); p > 0 && isOther(j)) {
        sum += p;
        others.insert(j);
      }
    const bool hadLines = std::any_of(found_.begin(), found_.end(), [&](const Found& line) {
      return line.query == i && isOther(line.key);
    });
    if (sum > 0 && (sum >= spec_.least || hadLines))
      far.merged.push_back({i, 0, sum});
  }

  void addKeys() {
    auto& keys = mark_.keys;
    const auto add = [&](Index token) { keys.push_back({wordOf(look_.names, token), token}); };
    if (before_.others > 0)
      keys.push_back({"", firstKey(), before_.others});
    std::for_each(before_.keys.begin(), before_.keys.end(), add);
    mark_.pageBegin = std::ssize(keys);
    for (Index j = cells_.keyBegin; j < cells_.keyEnd; ++j)
      add(j);
    mark_.pageEnd = std::ssize(keys);
    std::for_each(after_.keys.begin(), after_.keys.end(), add);
    if (after_.others > 0)
      keys.push_back({"", lastKey() - 1, after_.others});
  }

  std::optional<Index> rowOf(const std::optional<Index>& query) const {
    return query && *query >= cells_.rowBegin && *query < cells_.rowEnd
               ? std::optional(*query - cells_.rowBegin)
               : std::nullopt;
  }
  // Of a key with lines of its own, or on the page.
  std::optional<Index> placeOf(const std::optional<Index>& token) const {
    for (std::size_t k = 0; token && k < mark_.keys.size(); ++k)
      if (mark_.keys[k].token == *token && mark_.keys[k].others == 0)
        return static_cast<Index>(k);
    return std::nullopt;
  }

  void addLinks() {
    std::vector<Link> all;
    const auto add = [&](const Found& line, Index place) {
      all.push_back({line.query - cells_.rowBegin, place, line.weight});
    };
    for (const Found& line : found_)
      add(line, *placeOf(line.key));
    for (const Found& line : before_.merged)
      add(line, 0);
    for (const Found& line : after_.merged)
      add(line, std::ssize(mark_.keys) - 1);
    double top = 0;
    for (const Link& link : all)
      top = std::max(top, link.share);
    for (Link& link : all)
      link.share /= top;
    std::stable_sort(all.begin(), all.end(),
                     [](const Link& a, const Link& b) { return a.share < b.share; });
    mark_.links = chosenOf(all, top);
    mark_.some = !mark_.links.empty();
    if (!mark_.some)
      mark_.links = all;
    mark_.all = std::move(all);
    mark_.largest = top;
  }

  // Those of the pinned query and key; none if nothing falls on them. A pinned key has a line,
  // however small it is.
  std::vector<Link> chosenOf(const std::vector<Link>& all, double top) const {
    const auto query = rowOf(look_.pins.query);
    const auto key = placeOf(look_.pins.key);
    std::vector<Link> chosen;
    std::copy_if(all.begin(), all.end(), std::back_inserter(chosen), [&](const Link& link) {
      return (query && link.query == *query) || (key && link.key == *key);
    });
    const bool reached = std::any_of(chosen.begin(), chosen.end(),
                                     [&](const Link& link) { return link.key == key; });
    if (key && !reached)
      if (const auto link = strongestOf(*key, query, top))
        chosen.insert(chosen.begin(), *link);
    return chosen;
  }

  // The line of the pinned query if it gives the key anything, else of any query.
  std::optional<Link> strongestOf(Index place, const std::optional<Index>& query,
                                  double top) const {
    const Index j = mark_.keys[static_cast<std::size_t>(place)].token;
    const auto shareOf = [&](Index i) { return std::min(weight(i, j) / top, 1.0); };
    if (query && shareOf(cells_.rowBegin + *query) > 0)
      return Link{*query, place, shareOf(cells_.rowBegin + *query)};
    Link most{0, place, 0};
    for (Index i = cells_.rowBegin; i < cells_.rowEnd; ++i)
      if (const double share = shareOf(i); share > most.share)
        most = {i - cells_.rowBegin, place, share};
    return most.share > 0 ? std::optional(most) : std::nullopt;
  }

  const AttentionSpec& spec_;
  const AttentionLook& look_;
  const Lattice& lattice_;
  const Matrix<float>& weights_;
  Rect cells_; // the page
  std::vector<Found> found_;
  Far before_;
  Far after_;
  LinksMark mark_;
};

} // namespace

Plot linksPlot(const AttentionSpec& spec, const AttentionAnswer& answer,
               const AttentionLook& look) {
  return {LinksMaker(spec, answer, look).run(), std::nullopt, std::nullopt};
}

} // namespace attention
