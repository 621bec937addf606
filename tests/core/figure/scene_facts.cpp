#include "tests/core/figure/scene_facts.h"
#include "core/analysis/metrics.h"
#include "core/analysis/reach/token_reach.h"
#include "core/scene/input_data.h"
#include "core/scene/own_mask.h"
#include "core/scene/scene_json.h"
#include "core/views/mask/shown_masks.h"
#include "core/views/reach/scene_reach.h"
#include "core/views/shown_patterns.h"
#include "tests/core/figure/choice_facts.h"
#include "tests/core/figure/hashing_facts.h"
#include "tests/core/figure/kernel_facts.h"
#include "tests/core/figure/model_facts.h"
#include "tests/core/figure/scene_input.h"
#include "tests/core/figure/stack_facts.h"
#include "tests/core/figure/steps_facts.h"

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

using namespace attention;

namespace {

// The Scene with a parameter of all its patterns set or back at its default.
Scene with(Scene scene, const std::string& parameter, const std::string& value) {
  for (const Pattern* pattern : drawnPatternsIn(scene))
    parameterNamed(*pattern, parameter); // which throws if there is none
  auto json = nlohmann::json::parse(toText(scene));
  const auto set = [&](nlohmann::json& pattern) {
    if (value == "default")
      pattern["params"].erase(parameter);
    else
      pattern["params"][parameter] = nlohmann::json::parse(value);
  };
  set(json["pattern"]);
  for (const auto& list : {"/mask/panels"_json_pointer, "/reach/stack"_json_pointer})
    if (json.contains(list))
      for (nlohmann::json& panel : json[list])
        set(panel["pattern"]);
  const ReadScene read = sceneFromText(json.dump(), "scene");
  if (!read.warnings.empty())
    throw std::invalid_argument("with " + parameter + ": " + read.warnings.front());
  return read.scene;
}

class Facts {
public:
  explicit Facts(const Scene& scene)
      : scene_(scene), input_(loadedInput(scene)),
        lengths_(lengthsOf(scene.length, input_ ? input_->keys : 0)) {}

  double named(const std::string& name, const std::vector<std::string>& of) const {
    if (name == "n")
      return static_cast<double>(lengths_.keys);
    if (name == "pairs")
      return pairsOf(0);
    if (name == "share")
      return pairsOf(0) / static_cast<double>(baseOf(meaningfulBase(mask(0)), *mask(0))->pairs());
    if (name == "panel")
      return pairsOf(number(of, 0));
    if (name == "keys")
      return static_cast<double>(mask(0)->rowCount(number(of, 0), 0, lengths_.keys));
    if (name == "key")
      return static_cast<double>(keysOf(number(of, 0), of.size() > 2 ? number(of, 2) : 0)
                                     .at(static_cast<std::size_t>(number(of, 1))));
    if (name == "with") {
      const Scene other = with(scene_, of.at(0), of.at(1));
      return Facts(other).named(of.at(2), {of.begin() + 3, of.end()});
    }
    if (name == "param")
      return parameter(of.at(0));
    if (name == "kept")
      return kept(number(of, 0));
    if (const auto fact = stackFact(name, of))
      return *fact;
    if (const auto fact = modelFact(scene_, name, of))
      return *fact;
    const auto maskAt = [this](Index k) { return mask(k); };
    if (const auto fact = choiceFact(scene_, input_, maskAt, name, of))
      return *fact;
    if (const auto fact = stepsFact(scene_, input_, name, of))
      return *fact;
    if (const auto fact = kernelFact(scene_, name, of))
      return *fact;
    if (const auto fact = hashingFact(scene_, input_, name, of))
      return *fact;
    return reachNamed(name, of);
  }

private:
  static Index number(const std::vector<std::string>& of, std::size_t k) {
    return std::stoll(of.at(k));
  }

  std::shared_ptr<const Prepared> mask(Index k) const {
    return shownMasks(scene_, lengths_, input_.get())
        .masks.at(static_cast<std::size_t>(k))
        .prepared;
  }
  std::vector<Index> keysOf(Index query, Index k) const {
    const auto prepared = mask(k);
    std::vector<Index> keys;
    for (Index key = 0; key < lengths_.keys; ++key)
      if (prepared->contains(query, key))
        keys.push_back(key);
    return keys;
  }
  double pairsOf(Index k) const { return static_cast<double>(mask(k)->pairs()); }

  double parameter(const std::string& name) const {
    const Value value =
        parameterNamed(scene_.pattern, name).resolved(scene_.pattern, lengths_.keys);
    if (const Index* integer = std::get_if<Index>(&value))
      return static_cast<double>(*integer);
    return std::get<double>(value);
  }

  double kept(Index k) const {
    if (!input_)
      throw std::invalid_argument("kept needs an input");
    const auto pattern = mask(k);
    const PatternData data =
        inputData(*input_, scene_.input.batch, scene_.input.head, lengths_.keys);
    const AttentionBase choice =
        scene_.view == View::Compare ? scene_.compare.base : scene_.attention.base;
    const auto base = baseFor(choice, *input_, scene_.input.batch, pattern->lengths());
    return capturedMass<double>(pattern, data.q->view(), data.k->view(),
                                base ? *base : meaningfulBase(pattern),
                                attendOptions(*input_, scene_.input.head))
        .mean;
  }

  ReachAnswer answer(Index layers) const {
    Scene scene = scene_;
    scene.reach.layers = layers;
    return reachOfScene(scene, input_.get(), 1);
  }

  double reachNamed(const std::string& name, const std::vector<std::string>& of) const {
    if (name == "reach" || name == "reach.share") {
      const ReachAnswer reached = answer(number(of, 0));
      const ReachGrowth& growth = reached.growth.front();
      const LayerReach& top = growth.layers.back();
      if (name == "reach")
        return static_cast<double>(top.pairs);
      return growth.causal ? top.ofCausal : top.ofFull;
    }
    if (name == "sees") {
      const TokenSet set = influencing(answer(number(of, 1)).stack, number(of, 0), number(of, 1));
      return static_cast<double>(countBits(set, 0, lengths_.keys));
    }
    if (name == "hops")
      return static_cast<double>((*answer(1).hops)(number(of, 0), number(of, 1)));
    if (name == "longest")
      return static_cast<double>(answer(1).longest.value());
    throw std::invalid_argument("no fact is called " + name);
  }

  const Scene& scene_;
  std::shared_ptr<const Input> input_;
  Lengths lengths_;
};

// By recursive descent: sums of products of numbers, facts and parentheses.
class Reader {
public:
  Reader(const Facts& facts, const std::string& text) : facts_(facts), text_(text) {}

  double all() {
    const double value = sum();
    if (peek() != '\0')
      throw std::invalid_argument("cannot read " + text_.substr(at_));
    return value;
  }

private:
  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ')
      ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char sign) {
    if (peek() != sign)
      return false;
    ++at_;
    return true;
  }

  double sum() {
    double value = product();
    while (peek() == '+' || peek() == '-')
      value += text_[at_++] == '+' ? product() : -product();
    return value;
  }
  double product() {
    double value = factor();
    while (peek() == '*' || peek() == '/') {
      const bool times = text_[at_++] == '*';
      const double other = factor();
      value = times ? value * other : value / other;
    }
    return value;
  }
  double factor() {
    if (take('(')) {
      const double value = sum();
      if (!take(')'))
        throw std::invalid_argument("a ) is missing in " + text_);
      return value;
    }
    if (std::isdigit(static_cast<unsigned char>(peek())) != 0)
      return std::stod(word());
    const std::string name = word();
    std::vector<std::string> of;
    if (take('('))
      do {
        peek();
        of.push_back(word());
      } while (take(','));
    if (!of.empty() && !take(')'))
      throw std::invalid_argument("a ) is missing in " + text_);
    return facts_.named(name, of);
  }
  std::string word() {
    const std::size_t from = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                                  text_[at_] == '.' || text_[at_] == '_'))
      ++at_;
    if (at_ == from)
      throw std::invalid_argument("a name or number is missing in " + text_);
    return text_.substr(from, at_ - from);
  }

  const Facts& facts_;
  const std::string& text_;
  std::size_t at_ = 0;
};

} // namespace

double factOf(const Scene& scene, const std::string& fact) {
  const Facts facts(scene);
  return Reader(facts, fact).all();
}
