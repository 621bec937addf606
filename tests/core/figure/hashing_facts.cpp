#include "tests/core/figure/hashing_facts.h"

#include "core/pattern/mechanism/lsh.h"
#include "core/views/choosing/hashed_tokens.h"

#include <algorithm>
#include <map>
#include <numbers>
#include <stdexcept>

using namespace attention;

namespace {

constexpr double kDegree = std::numbers::pi / 180;

class ChoosingFacts {
public:
  ChoosingFacts(const Scene& scene, const std::shared_ptr<const Input>& input)
      : scene_(scene), input_{input, scene.input.batch, scene.input.head} {}

  std::optional<double> named(const std::string& name, const std::vector<std::string>& of) const {
    if (name == "met")
      return met(of.at(0));
    if (name == "meets")
      return atLeastOnce(sameQuarter(kDegree * degrees(of.at(0))),
                         of.size() > 1 ? std::stoll(of[1]) : 1);
    if (name == "captured")
      return point(of).mass;
    if (name == "recall")
      return point(of).recall;
    if (name == "read")
      return point(of).share;
    if (name == "chance")
      return point(of).random;
    return tokensNamed(name, of);
  }

private:
  static std::size_t number(const std::vector<std::string>& of) { return std::stoull(of.at(0)); }

  double degrees(const std::string& pair) const {
    if (pair != "far" && pair != "near")
      throw std::invalid_argument("no points are called " + pair);
    return pair == "far" ? scene_.choosing.circle.far : scene_.choosing.circle.near;
  }
  double met(const std::string& pair) const {
    const CircleAnswer answer = circleAnswer(scene_.choosing.circle);
    const std::size_t at = answer.pairs.at(0).name == pair ? 0 : 1;
    double rounds = 0;
    for (std::size_t round = 0; round < answer.rounds.size(); ++round)
      rounds += answer.same(at, round) ? 1 : 0;
    return rounds;
  }

  ChoosingQuestion question() const {
    const Index length = input_.input ? input_.input->keys : 0;
    return groupsQuestion(scene_, lengthsOf(scene_.length, length));
  }

  // Of all points of the curves, only the first and this one are computed.
  CapturedPoint point(const std::vector<std::string>& of) const {
    const Index count = std::stoll(of.at(0));
    ChoosingQuestion asked = question();
    ChoosingSpec spec = scene_.choosing;
    if (auto* lsh = asked.pattern.as<Lsh>()) {
      lsh->rounds = count;
      spec.most = 1;
    }
    const CapturedCurves curves = capturedCurves(asked, spec, input_);
    const CapturedPoint* found = curves.at(count);
    if (!found)
      throw std::invalid_argument("the curves have no point at " + of[0]);
    return *found;
  }

  std::optional<double> tokensNamed(const std::string& name,
                                    const std::vector<std::string>& of) const {
    static const std::vector<std::string> kNames{
        "groups",   "group.least", "group.most",  "group",        "place",
        "together", "cuts",        "round.pairs", "rounds.pairs", "empty"};
    if (std::find(kNames.begin(), kNames.end(), name) == kNames.end())
      return std::nullopt;
    return static_cast<double>(countNamed(name, of, hashedTokens(question(), input_)));
  }

  Index countNamed(const std::string& name, const std::vector<std::string>& of,
                   const HashedTokens& tokens) const {
    const std::size_t round = tokens.round(scene_.choosing);
    const GroupedTokens& sorted = tokens.groups().rounds[round].queries;
    if (name == "groups")
      return tokens.groups().used(round);
    if (name == "group")
      return sorted.group.at(number(of));
    if (name == "place")
      return sorted.rank.at(number(of));
    if (name == "cuts")
      return cuts(tokens.groups(), sorted);
    if (name == "round.pairs")
      return tokens.partPairs.at(number(of));
    if (name == "rounds.pairs")
      return sum(tokens.partPairs);
    if (name == "empty")
      return withoutKeys(*tokens.prepared);
    return ofSizes(name, sorted);
  }

  static Index ofSizes(const std::string& name, const GroupedTokens& sorted) {
    std::map<Index, Index> counted;
    for (const Index group : sorted.group)
      if (group != kNoGroup)
        ++counted[group];
    std::vector<Index> sizes;
    Index together = 0;
    for (const auto& [group, size] : counted) {
      sizes.push_back(size);
      together += size * (size - 1);
    }
    if (name == "together")
      return together;
    return name == "group.least" ? *std::min_element(sizes.begin(), sizes.end())
                                 : *std::max_element(sizes.begin(), sizes.end());
  }

  static Index cuts(const TokenGroups& groups, const GroupedTokens& sorted) {
    const auto at = [&](Index place) {
      const Index token = sorted.order[static_cast<std::size_t>(place)];
      return sorted.group[static_cast<std::size_t>(token)];
    };
    Index parted = 0;
    const auto n = static_cast<Index>(sorted.order.size());
    for (Index place = groups.chunk; groups.chunk > 0 && place < n; place += groups.chunk)
      parted += at(place - 1) == at(place) ? 1 : 0;
    return parted;
  }

  static Index sum(const std::vector<Index>& numbers) {
    Index all = 0;
    for (const Index number : numbers)
      all += number;
    return all;
  }

  static Index withoutKeys(const Prepared& prepared) {
    Index empty = 0;
    for (Index i = 0; i < prepared.lengths().queries; ++i)
      empty += prepared.rowCount(i, 0, prepared.lengths().keys) == 0 ? 1 : 0;
    return empty;
  }

  const Scene& scene_;
  ModelHead input_;
};

} // namespace

std::optional<double> hashingFact(const Scene& scene, const std::shared_ptr<const Input>& input,
                                  const std::string& name, const std::vector<std::string>& of) {
  return ChoosingFacts(scene, input).named(name, of);
}
