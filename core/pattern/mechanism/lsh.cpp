#include "core/pattern/mechanism/lsh.h"

#include "core/pattern/description_builder.h"
#include "core/pattern/key_groups.h"
#include "core/pattern/mechanism/lsh_rounds.h"

#include <algorithm>

namespace attention {
namespace {

constexpr double kLoneLogit = -1e5; // as HF and trax write "only if nothing else" (S6.7)
constexpr double kMostBuckets = 1048576;
constexpr double kMostLooks = 65536;
constexpr Index kMostHashRounds = 4096;
constexpr Index kUsualChunk = 64;

// At least 1: the default of `chunk` is computed before anything has checked the buckets.
Index product(const IndexList& factors) {
  constexpr Index kMost = Index{1} << 31; // beyond every n
  Index all = 1;
  for (const Index f : factors)
    all = std::min(all * std::clamp<Index>(f, 1, kMost), kMost);
  return all;
}

// S6.3: largest power of two ≤ 2 max(1, ⌊n / chunk⌋).
Index defaultBuckets(Index n, Index chunk) {
  const Index most = 2 * std::max<Index>(1, n / std::max<Index>(chunk, 1));
  Index buckets = 2;
  while (2 * buckets <= most)
    buckets *= 2;
  return buckets;
}

// Which tokens do not see their own key (S6.5); for repeated keys, never those without other keys.
std::vector<bool> withoutSelf(const Lsh& lsh, const LshRounds& rounds, bool again) {
  std::vector<bool> without(rounds.alone.size(), lsh.self != Lsh::Self::Allow);
  if (lsh.self == Lsh::Self::FirstOnly)
    without[0] = false;
  if (lsh.self == Lsh::Self::Fallback && !again)
    for (std::size_t i = 0; i < without.size(); ++i)
      without[i] = !rounds.alone[i];
  return without;
}

// The keys that groups see at least `times` times.
std::vector<KeyGroup> keysSeen(const LshRound& round, Index times) {
  std::vector<KeyGroup> groups;
  for (const LshGroup& group : round.groups) {
    KeyGroup seen{group.queries, {}};
    for (std::size_t k = 0; k < group.keys.size(); ++k)
      if (group.times[k] >= times)
        seen.keys.push_back(group.keys[k]);
    groups.push_back(std::move(seen));
  }
  return groups;
}

Index mostTimes(const LshRound& round) {
  Index most = 1;
  for (const LshGroup& group : round.groups)
    for (const Index times : group.times)
      most = std::max(most, times);
  return most;
}

struct LshFacts {
  Lsh lsh;
  LshRounds all;

  std::string explain(std::size_t r, Index i, Index j, bool in) const {
    if (lsh.causal && j > i)
      return "key " + std::to_string(j) + " > query " + std::to_string(i);
    if (i == j)
      return self(i, in);
    const LshRound& round = all.rounds[r];
    const auto at = [](const std::vector<Index>& list, Index token) {
      return list[static_cast<std::size_t>(token)];
    };
    const std::string where = "round " + std::to_string(r) + ": ";
    const Index a = at(round.bucket, i);
    const Index b = at(round.bucket, j);
    if (lsh.within != Lsh::Within::Chunk && a != b)
      return where + "buckets " + std::to_string(a) + " and " + std::to_string(b) + " differ";
    if (lsh.within == Lsh::Within::Bucket)
      return where + "both are in bucket " + std::to_string(a);
    const std::string chunks = "chunk " + std::to_string(at(round.rank, i) / all.chunk) +
                               (in ? " sees" : " does not see") + " chunk " +
                               std::to_string(at(round.rank, j) / all.chunk);
    if (lsh.within == Lsh::Within::ChunkBucket)
      return where + "both are in bucket " + std::to_string(a) + (in ? ", and " : ", but ") +
             chunks;
    const bool other = in && !near(at(round.rank, i) / all.chunk, at(round.rank, j) / all.chunk);
    return where + (other ? "look-back wraps into the last chunk of the round before" : chunks);
  }

private:
  bool near(Index chunk, Index key) const {
    return key >= chunk - lsh.before && key <= chunk + lsh.after;
  }

  std::string self(Index i, bool in) const {
    const std::string query = "query " + std::to_string(i);
    if (lsh.self == Lsh::Self::Fallback)
      return query + (in ? " sees no other key, so it attends to itself"
                         : " sees other keys, so it does not attend to itself");
    if (lsh.self == Lsh::Self::FirstOnly)
      return in ? "the first query attends to itself"
                : query + " is not the first, so it does not attend to itself";
    return query + (in ? " may attend to itself" : " never attends to itself");
  }
};

Part roundPart(const std::shared_ptr<const LshFacts>& facts, std::size_t r, Index n) {
  const Lsh& lsh = facts->lsh;
  const LshRound& round = facts->all.rounds[r];
  const auto cells = [&](Index times) {
    return std::make_shared<const KeyGroups>(keysSeen(round, times), lsh.causal,
                                             withoutSelf(lsh, facts->all, times > 1));
  };
  const auto seen = cells(1);
  Part part{
      "round " + std::to_string(r), "hash round " + std::to_string(r), cellsOf(seen),
      [facts, r, seen](Index i, Index j) { return facts->explain(r, i, j, seen->contains(i, j)); }};
  if (lsh.combine != Combine::Union)
    for (Index times = 2; times <= mostTimes(round); ++times)
      part.repeats.push_back(cellsOf(cells(times)));
  part.order = groupOrder(keysSeen(round, 1), n);
  return part;
}

// What hashing has found, for views and files; rounds are already sorted (S6.2).
std::shared_ptr<const TokenGroups> groupsOf(const Lsh& lsh, const LshRounds& all) {
  TokenGroups groups;
  groups.kind = GroupKind::Buckets;
  groups.count = all.buckets;
  if (lsh.within != Lsh::Within::Bucket) {
    groups.chunk = all.chunk;
    groups.before = lsh.before;
    groups.after = lsh.after;
    // A bucket belongs to its round, so only the token's own round counts.
    groups.wraps = lsh.lookback == Lsh::Lookback::WrapRound ||
                   (lsh.lookback == Lsh::Lookback::WrapAll &&
                    (lsh.rounds == 1 || lsh.within == Lsh::Within::Chunk));
  }
  for (const LshRound& round : all.rounds) {
    const GroupedTokens tokens{round.bucket, round.order, round.rank};
    groups.rounds.push_back({tokens, tokens});
  }
  return std::make_shared<const TokenGroups>(std::move(groups));
}

void hashParameters(DescriptionBuilder<Lsh>& builder) {
  builder
      .factors(
          "n_buckets", "b", &Lsh::buckets, "Buckets per round: one even number, or its factors",
          [](const Lsh&, Index) {
            return Bounds{2, kMostBuckets, "an even integer from 2 to 1048576", 2};
          },
          [](const Lsh& lsh, Index n) { return bucketFactorsOf(lsh, n); })
      .label("buckets b")
      .integer("n_rounds", "", &Lsh::rounds, "Hash rounds, each with its own rotation", "",
               between(1, static_cast<double>(kMostHashRounds)))
      .label("rounds")
      .integer("chunk", "m", &Lsh::chunk, "Tokens per chunk of the sorted order", "tokens",
               atLeast(1), [](const Lsh& lsh, Index n) { return chunkOf(lsh, n); })
      .integer("before", "", &Lsh::before, "Chunks seen before the query's own", "chunks",
               between(0, kMostLooks))
      .integer("after", "", &Lsh::after, "Chunks seen after the query's own", "chunks",
               between(0, kMostLooks));
}

void ruleParameters(DescriptionBuilder<Lsh>& builder) {
  builder
      .choice("within", &Lsh::within, "Which keys a query sees in its own chunk and its neighbours",
              {{Lsh::Within::ChunkBucket, "chunk_bucket", "bucket in chunk",
                "Those of the same bucket (paper)"},
               {Lsh::Within::Chunk, "chunk", "chunk", "All, across buckets (HF, trax, lucidrains)"},
               {Lsh::Within::Bucket, "bucket", "bucket", "The whole bucket, without chunks"}})
      .choice("lookback", &Lsh::lookback, "What lies before the first chunk",
              {{Lsh::Lookback::Clip, "clip", "clip", "Nothing (paper, eq. 5)"},
               {Lsh::Lookback::WrapRound, "wrap_round", "wrap", "The last chunk of the round"},
               {Lsh::Lookback::WrapAll, "wrap_all", "wrap all",
                "The last chunk of the round before (HF, trax): an artefact of batching"}})
      .boolean("causal", &Lsh::causal, causalMeaning())
      .choice("self", &Lsh::self, "When a token attends to itself",
              {{Lsh::Self::Fallback, "fallback", "fallback", "Only if it has no other key (paper)"},
               {Lsh::Self::FirstOnly, "first_only", "first only", "Only the first token"},
               {Lsh::Self::Allow, "allow", "allow", "As any other key"},
               {Lsh::Self::Exclude, "exclude", "never", "Never"}});
}

void outputParameters(DescriptionBuilder<Lsh>& builder) {
  builder
      .choice(
          "combine", &Lsh::combine, "How the rounds are combined into one output",
          {{Combine::Union, "union", "union", "One softmax over the keys of all rounds (paper)"},
           {Combine::Lse, "count", "count",
            "Weighted by exp(lse): a key found in two rounds counts twice (HF)"},
           {Combine::Mean, "mean", "mean", "The plain mean of the rounds"}})
      .choice("key_norm", &Lsh::keyNorm, "How keys are scaled",
              {{KeyNorm::Rms, "rms", "rms", "x / rms(x): the logit is q·x / |x| (paper, HF)"},
               {KeyNorm::Unit, "unit", "unit", "x / |x|, then 1/√d (lucidrains)"},
               {KeyNorm::None, "none", "none", "Keys are the queries"}})
      .seed("seed", &Lsh::seed, "Seed of the rotations")
      .visibleIf([](const Lsh& lsh) { return !lsh.rotations; })
      .given("rotations", "R", &Lsh::rotations,
             "The rotations, rounds × d × half the buckets: a file, or nested lists",
             ParameterType::Matrix, false, [](const Lsh&, Index) { return Bounds{}; });
}

} // namespace

const Description& describe(const Lsh&) {
  static const Description kDescription = [] {
    DescriptionBuilder<Lsh> builder("lsh", "LSH (Reformer)", "Content");
    builder.summary("Tokens attend to those that hash into the same bucket.")
        .source("Kitaev et al. 2020 (Reformer), §2")
        .definition({"hᵣ(x) = argmax [x Rᵣ ; −x Rᵣ],  q = x, k = norm(x)",
                     "Sᵢ = ∪ᵣ { j : hᵣ(j) = hᵣ(i), chunk of j seen from that of i } ∖ {i}"})
        .conventions("Keys are the queries: the input's K is not used. Chunks are cut from the "
                     "tokens sorted by bucket.")
        .complexity("O(n_rounds n (b d + log n)) to hash, O(n_rounds n m d) to attend")
        .chooses(Chooses::Groups)
        .preset("Which conventions to follow; sets the choices below",
                {{"paper", "paper", "Kitaev et al. 2020 as printed",
                  [](Lsh& lsh) {
                    lsh.within = Lsh::Within::ChunkBucket;
                    lsh.lookback = Lsh::Lookback::Clip;
                    lsh.combine = Combine::Union;
                    lsh.keyNorm = KeyNorm::Rms;
                    lsh.self = Lsh::Self::Fallback;
                  }},
                 {"hf", "Hugging Face", "transformers' LSHSelfAttention, and trax", [](Lsh& lsh) {
                    lsh.within = Lsh::Within::Chunk;
                    lsh.lookback = Lsh::Lookback::WrapAll;
                    lsh.combine = Combine::Lse;
                    lsh.keyNorm = KeyNorm::Rms;
                    lsh.self = Lsh::Self::Fallback;
                  }}});
    hashParameters(builder);
    ruleParameters(builder);
    outputParameters(builder);
    return builder.build();
  }();
  return kDescription;
}

bool readsData(const Lsh&) {
  return true;
}

IndexList bucketFactorsOf(const Lsh& lsh, Index n) {
  if (lsh.buckets)
    return *lsh.buckets;
  return {defaultBuckets(n, lsh.chunk.value_or(kUsualChunk))};
}

Index chunkOf(const Lsh& lsh, Index n) {
  if (lsh.chunk)
    return *lsh.chunk;
  return lsh.buckets ? std::max<Index>(1, ceilDiv(2 * n, product(*lsh.buckets))) : kUsualChunk;
}

void checkLengths(const Lsh& lsh, const Lengths& lengths) {
  const Index n = lengths.keys;
  const Index chunk = chunkOf(lsh, n);
  if (lsh.lookback == Lsh::Lookback::WrapAll && n % chunk != 0)
    throwRange("chunk", std::to_string(chunk),
               "a divisor of n = " + std::to_string(n) + " where lookback is wrap_all");
}

std::shared_ptr<const Prepared> prepared(const Lsh& lsh, const Lengths& lengths,
                                         const PatternData& data, const Run& run) {
  if (lsh.buckets && lsh.buckets->empty())
    throwRange("n_buckets", "an empty list", "a list of at least one even integer");
  if (lsh.buckets && product(*lsh.buckets) >= Index{1} << 31)
    throwRange("n_buckets", "a list of a product above 2^31", "a product below that");
  const auto facts =
      std::make_shared<const LshFacts>(LshFacts{lsh, lshRounds(lsh, lengths, data, run)});
  std::vector<Part> parts;
  for (std::size_t r = 0; r < facts->all.rounds.size(); ++r)
    parts.push_back(roundPart(facts, r, lengths.keys));
  Outputs outputs{lsh.combine, {true, lsh.keyNorm}, {}};
  if (lsh.self == Lsh::Self::Fallback && lsh.combine != Combine::Union)
    outputs.loneLogit = kLoneLogit;
  return std::make_shared<const Prepared>(lengths, std::move(parts), outputs, Parts::Overlapping,
                                          groupsOf(lsh, facts->all));
}

} // namespace attention
