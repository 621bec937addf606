// Texts and token ids that a model is given.
#include "core/model/given_text.h"

#include "core/model/tokenizer.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"
#include "tests/core/input/input_files_for_tests.h"
#include "tests/core/model/small_weights.h"

using namespace attention;
using namespace attention::test;

TEST_CASE("a text is read as it is, and one that is no UTF-8 is named", "[model]") {
  const TemporaryFolder folder;
  CHECK(readModelText(folder.write("a.txt", "\xEF\xBB\xBFhi\r\n")) == "\xEF\xBB\xBFhi\r\n");
  const std::string latin = folder.write("b.txt", "a\xE9");
  CHECK(errorOf([&] { readModelText(latin); }) ==
        "E_TYPE: " + latin + " is not UTF-8 at byte 1; it must be UTF-8 throughout");
}

TEST_CASE("a JSON list of whole numbers is token ids, and nothing else is", "[model]") {
  const TemporaryFolder folder;
  const auto found = [&](const char* text) { return findTokenIds(folder.write("i.json", text)); };
  CHECK(found(" [3, 1, 4]\n") == std::vector<Index>{3, 1, 4});
  CHECK(found("[3, -1]") == std::vector<Index>{3, -1}); // whoever takes them says what is wrong
  for (const char* other : {"[]", "[\"a\"]", "[1, \"a\"]", "[1.5]", "[1", "{}", "3 1 4",
                            "[18446744073709551615]", "[[1]]"})
    CHECK_FALSE(found(other));
  CHECK_FALSE(findTokenIds(folder / "none.json"));
  CHECK(readTokenIds(folder.write("i.txt", "3 1\n4")) == std::vector<Index>{3, 1, 4});
}

TEST_CASE("ids that the model lacks show that its tokenizer is another one", "[model]") {
  const auto model = smallModel();
  CHECK_NOTHROW(requireKnown(*model, std::vector<Index>{0, 69}));
  CHECK(errorOf([&] {
          requireKnown(*model, std::vector<Index>{5, 70});
        }) ==
        "E_RANGE: the tokenizer gives the id 70, but the model has only 70 tokens; tokenizer and "
        "model must belong together");
}

TEST_CASE("without a tokenizer a sentence says how ids are given", "[model]") {
  const std::filesystem::path golden = std::filesystem::path(ATTENTION_TEST_DATA) / "golden/models";
  for (const char* model : {"llama", "gguf/llama.gguf"}) {
    CHECK(codeAndSubject([&] { openTokenizer(golden / model); }).ends_with(" tokenizer"));
    CHECK(contains(errorOf([&] { openTokenizer(golden / model); }),
                   "give token ids instead of a text (--ids FILE; in the window"));
  }
}
