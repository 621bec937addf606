// Arrays that mechanisms name, beside queries and keys in a file.
#include "core/input/further_arrays.h"
#include "core/scene/input_data.h"
#include "tests/catch.h"
#include "tests/core/input/npz_for_tests.h"

using namespace attention;
using namespace attention::test;

namespace {

// 0, 1, 2, … in an array of that shape.
ZipMember member(const std::string& name, const std::vector<Index>& shape,
                 const std::string& type = "<f8") {
  Index size = 1;
  std::string text = "(";
  for (const Index length : shape) {
    size *= length;
    text += std::to_string(length) + ", ";
  }
  std::vector<double> values;
  std::vector<std::int64_t> integers;
  for (Index at = 0; at < size; ++at) {
    values.push_back(static_cast<double>(at));
    integers.push_back(at);
  }
  return {name + ".npy", npy(type, text + ")", type == "<f8" ? raw(values) : raw(integers))};
}

std::shared_ptr<const Input> inputOf(const std::vector<ZipMember>& members) {
  const TemporaryFolder folder;
  FileInput files;
  files.input = folder.write("input.npz", zipOf(members));
  return loadInput(InputSpec{files, {}, {}, 0, 0});
}

} // namespace

TEST_CASE("arrays of an indexer are read beside queries and keys", "[input]") {
  const auto input =
      inputOf({member("q", {6, 2}), member("k", {6, 2}), member("v", {6, 3}),
               member("index_q", {6, 2, 3}), member("index_k", {6, 3}), member("other", {6, 3})});
  const auto arrays = furtherArrays(*input, 0, 0);
  REQUIRE(arrays.size() == 2);
  CHECK(arrays.at("index_q").shape == IndexList{6, 2, 3});
  CHECK(arrays.at("index_k").shape == IndexList{6, 3});
  CHECK(arrays.at("index_k").values[17] == 17);
  const PatternData data = inputData(*input, 0, 0, 4);
  CHECK(data.arrays.at("index_q").shape == IndexList{4, 2, 3});
  CHECK(data.valueColumns == 3);
}

TEST_CASE("arrays of layers and heads are those of the chosen ones", "[input]") {
  const auto input =
      inputOf({member("q", {2, 3, 5, 2}), member("k", {2, 3, 5, 2}), member("v", {2, 3, 5, 2}),
               member("index_k", {2, 5, 4}), member("gates", {2, 3, 5, 3})});
  const auto arrays = furtherArrays(*input, 1, 2);
  CHECK(arrays.at("index_k").shape == IndexList{5, 4});
  CHECK(arrays.at("index_k").values[0] == 20);
  CHECK(arrays.at("gates").shape == IndexList{5, 3});
  CHECK(arrays.at("gates").values[0] == 75);
}

TEST_CASE("an array per layer is that of the layer", "[input]") {
  const auto input =
      inputOf({member("layer.0.q", {5, 2}), member("layer.0.k", {5, 2}),
               member("layer.1.q", {5, 2}), member("layer.1.k", {5, 2}),
               member("layer.0.index_k", {5, 1}), member("layer.1.index_k", {5, 2})});
  CHECK(furtherArrays(*input, 0, 0).at("index_k").shape == IndexList{5, 1});
  CHECK(furtherArrays(*input, 1, 0).at("index_k").shape == IndexList{5, 2});
}

TEST_CASE("arrays of other types under these names are left out", "[input]") {
  const auto input =
      inputOf({member("q", {4, 2}), member("k", {4, 2}), member("gates", {4, 3}, "<i8")});
  CHECK(furtherArrays(*input, 0, 0).empty());
  REQUIRE(input->notes.size() == 1);
  CHECK(input->notes[0].ends_with("input.npz: array \"gates\" is int64 and is not used; it must be "
                                  "one of float16, bfloat16, float32 and float64."));
}

TEST_CASE("arrays of an indexer that are not read are named", "[input]") {
  const auto noteOf = [](const std::vector<ZipMember>& members) {
    const auto input = inputOf(members);
    CHECK(input->further.empty());
    REQUIRE(input->notes.size() == 1);
    return input->notes[0];
  };
  CHECK(noteOf({member("q", {4, 2}), member("k", {4, 2}), member("layer.0.index_q", {4, 2})})
            .ends_with("also holds layer.0.index_q, which is not used."));
  CHECK(
      noteOf({member("layer.0.q", {4, 2}), member("layer.0.k", {4, 2}), member("index_q", {4, 2})})
          .ends_with("also holds index_q, which is not used."));
}

TEST_CASE("rectangular inputs give their queries to what chooses for any queries", "[input]") {
  const auto input = inputOf({member("q", {2, 3}), member("k", {6, 3}), member("index_q", {2, 1}),
                              member("index_k", {6, 1})});
  const Pattern dsa = patternNamed("dsa");
  const Lengths lengths = alignedLengths(2, 6, Align::BottomRight);
  const PatternData data = inputData(std::span(&dsa, 1), *input, 0, 0, lengths, Align::BottomRight);
  CHECK(data.q->rows() == 2);
  CHECK(data.k->rows() == 6);
  CHECK(prepare(dsa, lengths, data)->pairs() == 11);
  const Pattern topk = patternNamed("topk");
  CHECK_THROWS_AS(inputData(std::span(&topk, 1), *input, 0, 0, lengths, Align::BottomRight), Error);
}
