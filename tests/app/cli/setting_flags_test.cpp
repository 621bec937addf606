// Flags that are made from the settings of a view.
#include "tests/app/cli/run_cli.h"

#include "app/cli/setting_flags.h"
#include "core/scene/kernels_spec.h"
#include "core/scene/mask_spec.h"
#include "core/scene/steps_spec.h"
#include "core/support/error.h"

using namespace attention;
using namespace attention::cli;

namespace {

template <class S>
S read(const SettingFlags<S>& flags, const std::vector<std::string>& words) {
  Grammar grammar;
  grammar.flags = flags.flags();
  return flags.read(Arguments(grammar, words));
}

// "E_RANGE m": the code and subject of the error that it throws; empty if it throws none.
template <class S>
std::string errorOf(const SettingFlags<S>& flags, const std::vector<std::string>& words) {
  try {
    read(flags, words);
    return {};
  } catch (const Error& error) {
    return std::string(name(error.code())) + " " + error.subject();
  }
}

} // namespace

TEST_CASE("a flag has the name, values, meaning and default of its setting", "[cli]") {
  const SettingFlags<StepsSpec> flags(stepsSettings(),
                                      {{.setting = "by"},
                                       {.setting = "key_tile"},
                                       {.setting = "normalized"},
                                       {.setting = "seed", .name = "projection-seed"},
                                       {.setting = "m", .help = "rows of W", .required = true}});
  const std::vector<Flag> made = flags.flags();
  REQUIRE(made.size() == 5);
  CHECK(made[0].name == "by");
  CHECK(made[0].value == "softmax|online|linear|features");
  CHECK(made[0].help == "how the output of the query is computed (softmax)");
  CHECK(made[1].name == "key-tile");
  CHECK(made[1].value == "B");
  CHECK(made[1].help == "keys per tile (64)");
  CHECK(made[2].value == "true|false");
  CHECK(made[2].help == "divide the output by the denominator (true)");
  CHECK(made[3].name == "projection-seed");
  CHECK(made[3].help == "seed of the random projections (0)");
  CHECK(made[4].help == "rows of W"); // no default
}

TEST_CASE("a truth value that is false is a switch, and a list shows its numbers", "[cli]") {
  const SettingFlags<KernelsSpec> flags(
      kernelsSettings(), {{.setting = "causal"}, {.setting = "m"}, {.setting = "eps"}});
  const std::vector<Flag> made = flags.flags();
  CHECK(made[0].value.empty());
  CHECK(made[0].help == "each query sees the keys up to itself");
  CHECK(made[1].value == "M,M,…");
  CHECK(made[1].help.ends_with(" (8,16,32,64,128,256)"));
  CHECK(made[2].help.ends_with(" (0)"));
  CHECK(read(flags, {}).causal == false);
  const KernelsSpec given = read(flags, {"--causal", "--m", "3,5", "--eps", "0.5"});
  CHECK(given.causal);
  CHECK(given.projections == std::vector<Index>{3, 5});
  CHECK(given.eps == 0.5);
}

TEST_CASE("what is not given stays as the command has it", "[cli]") {
  RanksSpec usual;
  usual.ranks = 3;
  const SettingFlags<RanksSpec> flags(ranksSettings(),
                                      {{.setting = "ranks"}, {.setting = "scheme"}}, usual);
  CHECK(flags.flags().front().help.ends_with(" (3)"));
  CHECK(read(flags, {}) == usual);
  usual.scheme = RankScheme::Zigzag;
  CHECK(read(flags, {"--scheme", "zigzag"}) == usual);
}

TEST_CASE("a value that a setting does not take is an error about its flag", "[cli]") {
  const auto flagsWith = [](FlagBounds bounds) {
    return SettingFlags<RanksSpec>(
        ranksSettings(),
        {{.setting = "ranks", .bounds = bounds, .required = true},
         {.setting = "scheme"},
         {.setting = "chunk", .name = "rank-chunk", .bounds = FlagBounds::Setting}});
  };
  const auto flags = flagsWith(FlagBounds::Setting);
  CHECK(errorOf(flags, {}) == "E_TYPE ranks");
  CHECK(errorOf(flags, {"--ranks", "many"}) == "E_TYPE ranks");
  CHECK(errorOf(flags, {"--ranks", "0"}) == "E_RANGE ranks");
  CHECK(errorOf(flags, {"--ranks", "1048577"}) == "E_RANGE ranks");
  CHECK(errorOf(flags, {"--ranks", "2", "--scheme", "random"}) == "E_RANGE scheme");
  CHECK(errorOf(flags, {"--ranks", "2", "--scheme", "[1]"}) == "E_RANGE scheme"); // no JSON
  CHECK(errorOf(flags, {"--ranks", "2", "--scheme", "striped", "--rank-chunk", "0"}) ==
        "E_RANGE rank-chunk");
  CHECK(errorOf(flags, {"--ranks", "1048576"}).empty());
  // Larger ones than a picture shows, and any at all.
  CHECK(errorOf(flagsWith(FlagBounds::Least), {"--ranks", "1048577"}).empty());
  CHECK(errorOf(flagsWith(FlagBounds::Least), {"--ranks", "0"}) == "E_RANGE ranks");
  CHECK(errorOf(flagsWith(FlagBounds::Command), {"--ranks", "0"}).empty());
  const SettingFlags<KernelsSpec> eps(kernelsSettings(),
                                      {{.setting = "eps", .bounds = FlagBounds::Command}});
  CHECK(errorOf(eps, {"--eps", "nan"}).empty());
}
