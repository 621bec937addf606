// Every parameter of every mechanism and every flag of the commands with values that nobody has
// checked: an answer, or one sentence.
#include "tests/app/cli/run_cli.h"
#include "tests/memory_limit.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

using namespace attention;
using namespace attention::cli;

namespace {

constexpr std::size_t kMemory = std::size_t{2} << 30; // bytes that a test may allocate
constexpr std::chrono::milliseconds kPatience{400}; // after that a command is stopped as by Ctrl+C

// What a command says if it takes too long and is stopped.
Said stopped(const std::vector<std::string>& words) {
  std::ostringstream out;
  std::ostringstream err;
  std::mutex mutex;
  std::condition_variable_any over;
  bool done = false;
  std::stop_source stop;
  std::jthread timer([&] {
    std::unique_lock lock(mutex);
    if (!over.wait_for(lock, kPatience, [&] { return done; }))
      stop.request_stop();
  });
  const int code = runCommandLine(words, {out, err, {stop.get_token(), {}}});
  {
    const std::scoped_lock lock(mutex);
    done = true;
  }
  over.notify_all();
  return {code, out.str(), err.str()};
}

std::vector<std::string> badTexts() {
  return {"0",
          "-1",
          "1",
          "3",
          "1073741825",
          "9223372036854775807",
          "-9223372036854775808",
          "18446744073709551615",
          "99999999999999999999",
          "0.5",
          "1e300",
          "-1e300",
          "1e-320",
          "nan",
          "-inf",
          "",
          "x",
          "0,0",
          "-1,3",
          "9223372036854775807,0,3",
          "0-0",
          "9223372036854775807-1",
          "a=0",
          "[]",
          "{",
          "@nothing"};
}

// One sentence where it is refused; numbers where it is not.
void checkAnswer(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words)
    line += word + " ";
  INFO(line);
  if (!kLimitsMemory && needsMemoryLimit(line))
    return;
  const Said said = stopped(words);
  const bool known = said.code == 0 || said.code == 1 || said.code == 2 || said.code == 130;
  CHECK(known);
  if (said.code != 1 && said.code != 2)
    return;
  CHECK(said.err.starts_with("attnx: E_"));
  CHECK(std::count(said.err.begin(), said.err.end(), '\n') == 1);
}

// The current folder for the time of a test: whatever a bad name is written to is removed with it.
class InFolder {
public:
  InFolder() : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(folder_.file(""));
  }
  ~InFolder() { std::filesystem::current_path(before_); }
  InFolder(const InFolder&) = delete;
  InFolder& operator=(const InFolder&) = delete;

private:
  TemporaryFolder folder_;
  std::filesystem::path before_;
};

} // namespace

TEST_CASE("no bad value of any parameter crashes the command line", "[cli]") {
  const InFolder folder;
  const MemoryLimit memory(kMemory);
  for (const Pattern& pattern : allMechanisms()) {
    std::vector<std::string> base{"info", description(pattern).name};
    for (const std::string& word :
         wordsOf(mayNeedData(pattern) ? "--random gaussian --n 24 --d 4" : "--n 24"))
      base.push_back(word);
    for (const Parameter& parameter : description(pattern).parameters)
      for (const std::string& text : badTexts()) {
        std::vector<std::string> words = base;
        words.insert(words.begin() + 2, {"--p." + parameter.name, text});
        checkAnswer(words);
      }
  }
}

TEST_CASE("no bad value of any flag crashes a command", "[cli]") {
  const InFolder folder;
  const MemoryLimit memory(kMemory);
  const std::string input = " --random gaussian --n 24 --d 4 --heads 2";
  for (const std::string& line :
       {std::string("info strided --n 24"), std::string("count strided --n 24 --rect 0,4,0,4"),
        std::string("why strided --n 24 --at 3,2"), std::string("diff strided --n 24 --with local"),
        std::string("mask strided --n 24 -o mask.png"),
        std::string("code strided --n 24 --to flex"),
        std::string("reach strided --n 24 --layers 2"),
        std::string("axial --l1 4 --l2 4 --d1 4 --d2 4"),
        std::string("time full --n 16 --samples 1"), "attend strided" + input,
        "compare strided" + input, "kernel --features positive --m 4" + input,
        "kernel-error --m 4 --repeats 1" + input, "lowrank --ranks 1" + input, "lsh" + input,
        "heads strided" + input, "steps strided --query 3" + input,
        "steps strided --query 3 --by online --key-tile 4" + input,
        "steps strided --query 3 --by features --m 4 -o steps.png" + input}) {
    const std::vector<std::string> base = wordsOf(line);
    const auto all = commands();
    const auto command = std::find_if(all.begin(), all.end(),
                                      [&](const Command& c) { return c.name == base.front(); });
    REQUIRE(command != all.end());
    for (const Flag& flag : command->grammar.flags) {
      if (flag.value.empty()) // a switch
        continue;
      for (const std::string& text : badTexts()) {
        std::vector<std::string> words = base;
        const auto at = std::find(words.begin(), words.end(), "--" + flag.name);
        if (at != words.end())
          *(at + 1) = text;
        else
          words.insert(words.end(), {"--" + flag.name, text});
        checkAnswer(words);
      }
    }
  }
}
