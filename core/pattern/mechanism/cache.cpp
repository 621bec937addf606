#include "core/pattern/mechanism/cache.h"

#include "core/pattern/description_builder.h"
#include "core/pattern/mechanism/cache_steps.h"
#include "core/support/error.h"
#include "core/support/number_text.h"

#include <algorithm>

namespace attention {
namespace {

using Policy = Cache::Policy;

// Name and legend of each part, the prompt's first.
std::vector<Part> namedParts(Policy policy) {
  std::vector<Part> parts{{"prompt", "prompt", {}}};
  const auto add = [&](const char* name, const char* label) { parts.push_back({name, label, {}}); };
  switch (policy) {
  case Policy::H2O:
    add("heavy", "kept by weight");
    add("recent", "recent");
    break;
  case Policy::Tova:
    add("kept", "kept");
    add("new", "new");
    break;
  case Policy::SnapKv:
    add("chosen", "chosen in the prompt");
    add("window", "end of the prompt");
    add("generated", "generated");
    break;
  case Policy::Streaming:
    add("sink", "first");
    add("recent", "recent");
    break;
  }
  return parts;
}

// The tables of the parts, row after row.
class CacheTables {
public:
  CacheTables(std::size_t parts, Index prompt) : tables_(parts) {
    tables_[0].appendGroup(prompt, {{0, prompt, true}});
    for (std::size_t p = 1; p < parts; ++p)
      tables_[p].appendGroup(prompt, {});
  }

  void add(Index i, std::span<const CachedKey> keys) {
    std::vector<std::vector<KeyRun>> runs(tables_.size());
    for (const CachedKey& cached : keys) {
      std::vector<KeyRun>& of = runs[cached.part];
      if (!of.empty() && of.back().end == cached.key)
        ++of.back().end;
      else
        of.push_back({cached.key, cached.key + 1});
    }
    for (std::size_t p = 1; p < tables_.size(); ++p)
      tables_[p].appendGroup(i + 1, runs[p]);
  }

  std::vector<std::shared_ptr<const RowTable>> finish() {
    std::vector<std::shared_ptr<const RowTable>> tables;
    for (RowTable& table : tables_)
      tables.push_back(std::make_shared<const RowTable>(std::move(table)));
    return tables;
  }

private:
  std::vector<RowTable> tables_;
};

// What is known of a played cache.
struct Played {
  Policy policy = Policy::H2O;
  bool masked = false; // keys may come back
  CacheNumbers numbers;
  std::vector<std::shared_ptr<const RowTable>> tables;
  std::vector<std::vector<Eviction>> evictions; // of each key, in their order
};

// "evicted before query 58: its summed weight 0.31 < 0.35 of key 12, the lightest that stayed".
std::string evictionText(const Played& played, const Eviction& eviction) {
  const std::string when = (played.masked ? "hidden since query " : "evicted before query ") +
                           std::to_string(eviction.from) + ": ";
  const std::string recent = "the latest " + std::to_string(played.numbers.recent);
  if (played.policy == Policy::Streaming)
    return when + "it is neither one of the first " + std::to_string(played.numbers.sinks) +
           " nor of " + recent;
  if (eviction.rival < 0)
    return when + "it is not one of " + recent;
  const std::string weight =
      played.policy == Policy::H2O ? "its summed weight "
      : played.policy == Policy::Tova
          ? "its weight from query " + std::to_string(eviction.from - 1) + ", "
          : "its pooled weight ";
  return when + weight + readableNumber(eviction.weight) +
         (eviction.weight < eviction.rivalWeight ? " < " : " = ") +
         readableNumber(eviction.rivalWeight) + " of key " + std::to_string(eviction.rival) +
         ", the lightest that stayed";
}

std::string explainCached(const Played& played, const std::vector<Part>& parts, Index i, Index j) {
  const auto& tables = played.tables;
  const Index prompt = played.numbers.prompt;
  const std::string key = "key " + std::to_string(j);
  if (j > i)
    return key + " > query " + std::to_string(i);
  if (i < prompt)
    return "query " + std::to_string(i) + " is of the prompt, which is computed at once";
  for (std::size_t p = 1; p < tables.size(); ++p)
    if (tables[p]->contains(i, j)) {
      // Until the first eviction all keys are in one part, also those that are not recent.
      const Index oldest = played.numbers.recent - (played.masked ? 1 : 0);
      const bool early = played.policy == Policy::H2O && p == kRecentPart && i - j > oldest;
      const char* whole = played.masked ? "nothing is hidden yet" : "nothing has been evicted yet";
      return key + " is in the cache at query " + std::to_string(i) + ": " +
             (early ? whole : parts[p].label);
    }
  const std::vector<Eviction>& all = played.evictions[static_cast<std::size_t>(j)];
  const auto last = std::find_if(all.rbegin(), all.rend(),
                                 [i](const Eviction& eviction) { return eviction.from <= i; });
  return key + " is not in the cache at query " + std::to_string(i) +
         (last == all.rend() ? "" : ": " + evictionText(played, *last));
}

std::string_view budgetName(const Cache& c) {
  switch (c.policy) {
  case Policy::H2O:
    return "heavy";
  case Policy::Tova:
  case Policy::SnapKv:
    return "budget";
  case Policy::Streaming:
    break;
  }
  return "recent";
}

bool ofH2O(const Cache& c) {
  return c.policy == Policy::H2O;
}
bool ofSnapKv(const Cache& c) {
  return c.policy == Policy::SnapKv;
}
bool ofStreaming(const Cache& c) {
  return c.policy == Policy::Streaming;
}

Bounds recentBounds(const Cache& c, Index) {
  return {ofH2O(c) && c.reading == Cache::Reading::Masked ? 1.0 : 0.0};
}

Bounds windowBounds(const Cache& c, Index n) {
  return {1, std::max(0.0, static_cast<double>(numbersOf(c, n).budget) - 1)};
}

} // namespace

CacheNumbers numbersOf(const Cache& cache, Index n) {
  const Index tenth = std::max<Index>(1, n / 10);
  CacheNumbers numbers;
  const Index half = std::max<Index>(1, n / 2);
  numbers.prompt = std::min(n, cache.prompt.value_or(ofSnapKv(cache) ? half : 1));
  switch (cache.policy) {
  case Policy::H2O:
    numbers.heavy = std::min(cache.heavy.value_or(tenth), n); // beyond n nothing changes
    numbers.recent = std::min(cache.recent.value_or(tenth), n);
    break;
  case Policy::Tova:
    numbers.budget = cache.budget.value_or(std::max<Index>(1, n / 4));
    break;
  case Policy::SnapKv:
    numbers.budget = cache.budget.value_or(2048);
    numbers.window = cache.window.value_or(32);
    numbers.kernel = cache.kernel.value_or(5);
    break;
  case Policy::Streaming:
    numbers.sinks = std::min(cache.sinks.value_or(4), kMaxLength); // so that their sum is a number
    numbers.recent = std::min(cache.recent.value_or(512), kMaxLength);
    break;
  }
  return numbers;
}

const Description& describe(const Cache&) {
  using C = Cache;
  const auto number = [](Index CacheNumbers::*member) {
    return [member](const C& c, Index n) { return numbersOf(c, n).*member; };
  };
  static const Description kDescription =
      DescriptionBuilder<C>("cache", "KV cache", "Content")
          .summary("Which keys are still in a cache of limited size when each query is computed.")
          .source("Zhang et al. 2023 (H2O); Oren et al. 2024 (TOVA); Li et al. 2024 (SnapKV); Xiao "
                  "et al. 2024 (StreamingLLM)")
          .definition({"i < prompt: Sᵢ = {0, …, i}; then Sᵢ = cache ∪ {i}, and keys are evicted",
                       "h2o: the recent ones and those of the largest Σ p stay; tova: those of the "
                       "largest p of the last query",
                       "snapkv: the end of the prompt and what it looks at; streaming: the first "
                       "and the recent ones"})
          .conventions("h2o reads drop (evicted keys and their sums are gone) or masked; streaming "
                       "evicts before or after the query. Positions inside the cache are not "
                       "modelled.")
          .complexity("O(n² d) to choose at most, O(n B d) to attend")
          .chooses(Chooses::Evicts)
          .budget(budgetName)
          .choice(
              "policy", &C::policy, "How keys are evicted",
              {{Policy::H2O, "h2o", "H2O", "The recent and the heaviest keys stay"},
               {Policy::Tova, "tova", "TOVA",
                "The key with the smallest weight from the latest query is evicted"},
               {Policy::SnapKv, "snapkv", "SnapKV",
                "At the end of the prompt, only its most important keys are kept; nothing is "
                "evicted after that"},
               {Policy::Streaming, "streaming", "Streaming", "The first and the recent keys stay"}})
          .integer("prompt", "p", &C::prompt, "Tokens of the prompt", "tokens", atLeast(1),
                   number(&CacheNumbers::prompt))
          .integer("heavy", "", &C::heavy, "Keys kept by their sum of weights", "keys", atLeast(0),
                   number(&CacheNumbers::heavy))
          .label("heavy hitters")
          .onlyIf(ofH2O)
          .integer("recent", "", &C::recent, "Latest keys that stay", "keys", recentBounds,
                   number(&CacheNumbers::recent))
          .label("recent keys")
          .onlyIf([](const C& c) { return ofH2O(c) || ofStreaming(c); })
          .choice(
              "reading", &C::reading, "What happens to evicted keys",
              {{C::Reading::Drop, "drop", "gone",
                "Evicted keys are deleted, and so are their summed weights"},
               {C::Reading::Masked, "masked", "masked",
                "They are only masked: a key that is neither heavy nor recent is hidden for this "
                "step and may come back"}},
              [](const C&) { return C::Reading::Drop; })
          .onlyIf(ofH2O)
          .integer("budget", "B", &C::budget, "Keys that the cache holds", "keys", atLeast(1),
                   number(&CacheNumbers::budget))
          .onlyIf([](const C& c) { return c.policy == Policy::Tova || ofSnapKv(c); })
          .integer("window", "w", &C::window, "Queries at the prompt's end that choose", "tokens",
                   windowBounds, number(&CacheNumbers::window))
          .onlyIf(ofSnapKv)
          .integer("kernel", "", &C::kernel, "Neighbours whose weights are pooled", "",
                   steps(1, 2, "an odd integer of at least 1"), number(&CacheNumbers::kernel))
          .onlyIf(ofSnapKv)
          .choice("pooling", &C::pooling, "How the neighbours' weights are pooled",
                  {{C::Pooling::Average, "avg", "mean", "The mean weight of the neighbours"},
                   {C::Pooling::Maximum, "max", "largest", "The largest weight of the neighbours"}},
                  [](const C&) { return C::Pooling::Average; })
          .onlyIf(ofSnapKv)
          .integer("sinks", "s", &C::sinks, "First keys that stay", "keys", atLeast(0),
                   number(&CacheNumbers::sinks))
          .onlyIf(ofStreaming)
          .choice(
              "order", &C::order, "When keys are evicted",
              {{C::Order::Before, "before", "before the query",
                "A key is evicted before the query, so the query sees sinks + recent keys"},
               {C::Order::After, "after", "after the query",
                "A key is evicted after the query, so the query sees one key more than the cache "
                "keeps"}},
              [](const C&) { return C::Order::Before; })
          .onlyIf(ofStreaming)
          .build();
  return kDescription;
}

bool readsData(const Cache& cache) {
  return !ofStreaming(cache);
}

bool takesRectangles(const Cache&) {
  return false;
}

void checkLengths(const Cache& cache, const Lengths& lengths) {
  requireSquareLengths("cache", lengths);
  const CacheNumbers numbers = numbersOf(cache, lengths.keys);
  if (ofH2O(cache) && numbers.heavy + numbers.recent < 1)
    throwRange("recent", "0", "an integer of at least 1 where heavy is 0");
  if (ofStreaming(cache) && numbers.sinks + numbers.recent < 1)
    throwRange("recent", "0", "an integer of at least 1 where sinks is 0");
}

std::shared_ptr<const Prepared> prepared(const Cache& cache, const Lengths& lengths,
                                         const PatternData& data, const Run& run) {
  requireSquareLengths("cache", lengths);
  if (readsData(cache))
    requireSquareData("cache", lengths, data);
  const Index n = lengths.keys;
  const Index prompt = numbersOf(cache, n).prompt;
  std::vector<Part> parts = namedParts(cache.policy);
  CacheTables filled(parts.size(), prompt);
  KeyChoice choice;
  choice.tellsEvictions = true;
  const auto played = std::make_shared<Played>(
      Played{cache.policy, cache.reading == Cache::Reading::Masked, numbersOf(cache, n), {}, {}});
  played->evictions.resize(static_cast<std::size_t>(n));
  choice.flops = playCache(
      cache, n, data, [&](Index i, std::span<const CachedKey> keys) { filled.add(i, keys); },
      [&](const Eviction& eviction) {
        played->evictions[static_cast<std::size_t>(eviction.key)].push_back(eviction);
      },
      run);
  played->tables = filled.finish();
  const auto explain = [of = std::shared_ptr<const Played>(played),
                        names = namedParts(cache.policy)](Index i, Index j) {
    return explainCached(*of, names, i, j);
  };
  for (std::size_t p = 0; p < parts.size(); ++p) {
    parts[p].cells = played->tables[p];
    parts[p].explain = explain;
  }
  return Prepared(lengths, std::move(parts)).withChoice(std::move(choice));
}

} // namespace attention
