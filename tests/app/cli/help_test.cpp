// --help against what a command takes: every flag that it accepts is listed, and every flag that
// is listed is accepted.
#include "tests/app/cli/run_cli.h"

#include "core/pattern/pattern.h"
#include "core/support/error.h"

#include <algorithm>
#include <set>

namespace attention::cli {
namespace {

using Names = std::set<std::string>;

std::string dashed(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

// The flags at the beginnings of the lines of a help, as they are written: "n-buckets", "p.seed".
std::vector<std::string> listedLines(const std::string& help) {
  std::vector<std::string> flags;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("  --"))
      flags.push_back(line.substr(4, line.find(' ', 4) - 4));
  return flags;
}

Names listed(const std::string& command) {
  const Said said = attnx(command + " --help");
  CHECK(said.code == 0);
  CHECK(said.err.empty());
  const auto flags = listedLines(said.out);
  return {flags.begin(), flags.end()};
}

// Every flag that any command knows, and a few that none does.
Names allFlags() {
  Names names{"pattern-json", "preset", "p.NAME", "help", "no-such-flag"};
  for (const Command& command : commands()) {
    for (const auto* flags : {&command.grammar.flags, &command.grammar.dataFlags})
      for (const Flag& flag : *flags)
        names.insert(dashed(flag.name));
    names.insert(command.grammar.morePatterns);
  }
  for (const Parameter& parameter : description(patternNamed("lsh")).parameters)
    for (const char* prefix : {"", "p."})
      names.insert(prefix + dashed(parameter.name));
  names.erase("");
  return names;
}

// Something that the flag may be given, so that nothing but its name can be wrong.
std::string valueOf(const std::string& flag) {
  return flag == "pattern-json"                               ? R"({"mechanism": "topk"})"
         : flag == "preset"                                   ? "mistral-paper"
         : flag == "with" || flag == "then" || flag == "over" ? "topk"
                                                              : "1";
}

// A pattern of the data, which lets flags of INPUT matter.
bool accepts(const Command& command, std::string flag) {
  std::vector<std::string> words;
  if (command.grammar.patterns > 0 && command.grammar.mechanism.empty())
    words.emplace_back("topk");
  if (flag == "p.NAME")
    flag = "p.k";
  words.insert(words.end(), {"--" + flag, valueOf(flag)});
  if (flag == "help")
    return true; // before all others
  try {
    const Arguments arguments(command.grammar, words);
    return true;
  } catch (const Error& error) {
    return std::string(error.what()).find("flag --") == std::string::npos;
  }
}

// What of it the pattern on the left knows, which `attnx patterns` lists.
bool isOfTopk(const std::string& flag) {
  return description(patternNamed("topk")).find(flag) != nullptr;
}

} // namespace

TEST_CASE("every flag that a command takes is in its help", "[cli]") {
  const Names all = allFlags();
  int taken = 0;
  for (const Command& command : commands()) {
    const Names help = listed(command.name);
    const bool takesTopk = command.grammar.patterns > 0 && command.grammar.mechanism.empty();
    for (const std::string& flag : all) {
      if (!accepts(command, flag) || (takesTopk && isOfTopk(flag) && help.count(flag) == 0))
        continue;
      ++taken;
      INFO(command.name << " --" << flag);
      if (command.grammar.mechanism.empty() || help.count("p." + flag) == 0)
        CHECK((help.count(flag) == 1 || flag.starts_with("p.")));
    }
  }
  CHECK(taken > 500);
}

TEST_CASE("every flag in a help is one that the command takes", "[cli]") {
  for (const Command& command : commands())
    for (const std::string& flag : listed(command.name)) {
      INFO(command.name << " --" << flag);
      CHECK(accepts(command, flag));
    }
}

TEST_CASE("no flag stands twice in one part of a help", "[cli]") {
  for (const Command& command : commands()) {
    std::istringstream lines(attnx(command.name + " --help").out);
    Names part;
    for (std::string line; std::getline(lines, line);) {
      INFO(command.name << ": " << line);
      if (line.empty())
        part.clear();
      if (line.starts_with("  --"))
        CHECK(part.insert(line.substr(0, line.find(' ', 4))).second);
    }
  }
}

TEST_CASE("a help says what a flag of INPUT is of", "[cli]") {
  const std::string steps = attnx("steps --help").out;
  CHECK(steps.find("seed of a random input and, with --by features, of the projections (0)\n") !=
        std::string::npos);
  const std::string heads = attnx("heads --help").out;
  CHECK(heads.find("keys at most W tokens from the query count as within") != std::string::npos);
  CHECK(heads.find("sinks: distance at which the logit of near keys has fallen to 0") !=
        std::string::npos);
  for (const std::string command : {"info", "reach"}) {
    const std::string help = attnx(command + " --help").out;
    CHECK(help.find("\n  --attention FILE ") != std::string::npos);
    CHECK(help.find("\nINPUT: for a pattern that depends on the data, or with --") !=
          std::string::npos);
  }
  CHECK(attnx("lsh --help").out.find("\n  --p.seed VALUE ") != std::string::npos);
  CHECK(attnx("info -h").out == attnx("info --help").out);
}

TEST_CASE("commands without patterns take none", "[cli]") {
  for (const char* line : {"gui --pattern-json {}", "verify x --preset mistral-paper",
                           "lsh --pattern-json {}", "axial --p.k 3"}) {
    const Said said = attnx(line);
    INFO(line);
    CHECK(said.code == 2);
    CHECK(said.err.starts_with("attnx: E_UNKNOWN: flag --"));
  }
}

} // namespace attention::cli
