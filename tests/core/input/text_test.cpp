// Text formats: csv, Matrix Market, lists of pairs, token labels, JSON.
#include "core/input/array_file.h"
#include "core/input/mask_file.h"
#include "core/input/npy_writer.h"
#include "core/input/tokens.h"
#include "core/support/json_text.h"
#include "core/support/text.h"
#include "tests/catch.h"
#include "tests/core/input/input_files_for_tests.h"

#include <nlohmann/json.hpp>

using namespace attention;
using namespace attention::test;

namespace {

ArrayFile csv(const std::string& text) {
  return parseCsv(bytesOf(text), "a.csv");
}

std::string csvError(const std::string& text) {
  return errorOf([&] { csv(text); });
}

MaskFile mtx(const std::string& text) {
  return parseMtxMask(bytesOf(text), "a.mtx");
}

std::string mtxError(const std::string& text) {
  return errorOf([&] { mtx(text); });
}

MaskFile pairs(const std::string& text) {
  return parsePairs(bytesOf(text), "p.csv");
}

std::vector<std::string> tokens(const std::string& text) {
  return parseTokens(bytesOf(text), "t.txt");
}

const std::string kBanner = "%%MatrixMarket matrix coordinate pattern general\n";

} // namespace

TEST_CASE("csv numbers are read with every separator and comments are passed over") {
  const Matrix<double> expected(2, 3, {1, -2.5, 3e2, 4, 5, 6});
  for (const char* text :
       {"1,-2.5,3e2\n4,5,6\n", "1; -2.5; 3e2\r\n4;5;6", "1\t-2.5\t+3e2\n4\t5\t6\n\n",
        "# numbers\n  1   -2.5 3e2  \n\n4 5 6", "\xEF\xBB\xBF\"1\",\"-2.5\",300\n4,5,6\n"})
    CHECK(slice<double>(csv(text).get("")) == expected);
}

TEST_CASE("csv headings group columns into arrays") {
  const ArrayFile file = csv("q0,q1,k0,k1,v0\n1,2,3,4,5\n6,7,8,9,10\n");
  CHECK(file.arrays.size() == 3);
  CHECK(slice<double>(file.get("k")) == Matrix<double>(2, 2, {3, 4, 8, 9}));
  CHECK(slice<double>(file.get("v")) == Matrix<double>(2, 1, {5, 10}));
  const ArrayFile plain = csv("x,y\n1,2\n");
  CHECK(slice<double>(plain.get("")) == Matrix<double>(1, 2, {1, 2}));
  CHECK(contains(csvError("q0,k0,q1\n1,2,3\n"), "do not stand side by side"));
}

TEST_CASE("csv that is no table of numbers is refused with its line") {
  CHECK(csvError("1,2\n3\n") == "E_SHAPE: a.csv: line 2 has 1 fields; the lines before have 2");
  CHECK(csvError("1,2\n3,x\n") == "E_UNSUPPORTED: a.csv: line 2 has \"x\"; allowed are numbers");
  CHECK(contains(csvError("1,2\n3,\n"), "line 2 has \"\""));
  CHECK(contains(csvError("1,0x10\n"), "line 1"));
  CHECK(contains(csvError(""), "no row of numbers"));
  CHECK(contains(csvError("a,b\n"), "no row of numbers"));
  CHECK(contains(errorOf([] { slice<float>(csv("1,nan\n").get("")); }), "E_NONFINITE"));
}

TEST_CASE("matrix market patterns become runs of keys") {
  const MaskFile mask = mtx(kBanner + "% words\n3 4 5\n1 1\n1 2\n1 4\n3 3\n3 3\n");
  CHECK(mask.rows == 3);
  CHECK(mask.cols == 4);
  CHECK(mask.sized);
  CHECK(mask.pairs() == 4);
  CHECK(mask.runs == std::vector<QueryRun>{{0, 0, 2}, {0, 3, 4}, {2, 2, 3}});
  CHECK(mask.row(0).size() == 2);
  CHECK(mask.row(1).empty());
  CHECK(mask.row(2).front() == QueryRun{2, 2, 3});
  const MaskFile mirrored =
      mtx("%%MatrixMarket MATRIX Coordinate integer SYMMETRIC\n2 2 3\n1 1 0\n2 1 1\n2 2 1\n");
  CHECK(mirrored.runs == std::vector<QueryRun>{{0, 1, 2}, {1, 0, 2}});
}

TEST_CASE("matrix market files that lie are refused") {
  CHECK(contains(mtxError(""), "the first line is \"\""));
  CHECK(contains(mtxError("%%MatrixMarket matrix coordinate complex general\n1 1 0\n"),
                 "E_UNSUPPORTED"));
  CHECK(contains(mtxError(kBanner + "2 2 2\n1 1\n"), "ends after line 3, before its last entry"));
  CHECK(contains(mtxError(kBanner + "2 2 1\n1 1\n2 2\n"), "line 4 comes after the last entry"));
  CHECK(contains(mtxError(kBanner + "2 2 1\n0 1\n"), "E_RANGE: a.mtx: line 3 has 0; allowed"));
  CHECK(contains(mtxError(kBanner + "2 2 1\n1 3\n"), "E_RANGE"));
  CHECK(contains(mtxError(kBanner + "0 2 0\n"), "E_RANGE"));
  CHECK(contains(mtxError(kBanner + "1073741825 2 0\n"), "E_RANGE"));
  CHECK(contains(mtxError(kBanner + "2 2 5\n"), "E_RANGE"));
  CHECK(contains(mtxError("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 0.5\n"),
                 "E_TYPE: a.mtx: line 3 has \"0.5\"; allowed in a mask are 0 and 1"));
  CHECK(
      contains(mtxError("%%MatrixMarket matrix coordinate pattern symmetric\n2 3 0\n"), "E_SHAPE"));
  // A shape that no memory holds costs nothing.
  CHECK(mtx(kBanner + "1073741824 1073741824 1\n1073741824 1\n").pairs() == 1);
}

TEST_CASE("matrix market arrays are read by columns") {
  const std::string text = "%%MatrixMarket matrix array real general\n2 3\n1\n4\n2\n5\n3\n6\n";
  CHECK(slice<double>(parseMtxArray(bytesOf(text), "a.mtx")) ==
        Matrix<double>(2, 3, {1, 2, 3, 4, 5, 6}));
  const std::string lying = "%%MatrixMarket matrix array real general\n1073741824 1073741824\n1\n";
  CHECK(contains(errorOf([&] { parseMtxArray(bytesOf(lying), "a.mtx"); }), "ends after line 3"));
}

TEST_CASE("lists of pairs are read with and without a heading") {
  for (const char* text : {"i,j\n2,0\n0,1\n0,2\n", "2,0\r\n0,1\r\n0,2", "2 0\n0\t1\n0 2\n"}) {
    const MaskFile mask = pairs(text);
    CHECK(mask.rows == 3);
    CHECK(mask.cols == 3);
    CHECK_FALSE(mask.sized);
    CHECK(mask.runs == std::vector<QueryRun>{{0, 1, 3}, {2, 0, 1}});
  }
  CHECK(contains(errorOf([] { pairs("i,j\n1,-1\n"); }), "E_RANGE: p.csv: line 2 has -1"));
  CHECK(contains(errorOf([] { pairs("1,2,3\n"); }), "two, i,j"));
  CHECK(contains(errorOf([] { pairs("1,2\ni,j\n"); }), "line 2 has \"i\"; allowed are integers"));
  CHECK(contains(errorOf([] { pairs("1.5,2\n"); }), "allowed are integers"));
}

TEST_CASE("boolean and byte arrays are masks and others are not") {
  const std::string cells("\1\1\0\0\0\1", 6);
  const MaskFile expected = maskOf({{0, 0}, {0, 1}, {1, 2}}, 2, 3, true);
  const std::string boolean = npy("|b1", "(2, 3)", cells);
  CHECK(maskOf(parseNpy(bytesOf(boolean), "m.npy")) == expected);
  const std::string byColumns = npy("|u1", "(2, 3)", std::string("\1\0\1\0\0\1", 6), true);
  CHECK(maskOf(parseNpy(bytesOf(byColumns), "m.npy")) == expected);
  const std::string two = npy("|u1", "(1, 1)", "\2");
  CHECK(contains(errorOf([&] { maskOf(parseNpy(bytesOf(two), "m.npy")); }),
                 "E_TYPE: m.npy holds 2; allowed in a mask are 0 and 1"));
  const std::string floats = npy("<f4", "(1, 1)", std::string(4, '\0'));
  CHECK(contains(errorOf([&] { maskOf(parseNpy(bytesOf(floats), "m.npy")); }), "E_TYPE"));
  const std::string flat = npy("|b1", "(1,)", "\1");
  CHECK(contains(errorOf([&] { maskOf(parseNpy(bytesOf(flat), "m.npy")); }), "E_SHAPE"));
  const TemporaryFolder folder;
  CHECK(readMask(folder.write("m.npy", boolean)) == expected);
  CHECK(contains(errorOf([&] { readMask(folder.write("m.txt", "")); }), "ends in .txt"));
}

TEST_CASE("token labels are lines or a JSON array and control characters are escaped") {
  CHECK(tokens("[CLS]\nthe\r\n\tcat\n\n") ==
        std::vector<std::string>{"[CLS]", "the", "\\tcat", ""});
  CHECK(tokens(" [\"a\", \"b\\n\", \"\\u001b[1m\", \"é\"]") ==
        std::vector<std::string>{"a", "b\\n", "\\x1b[1m", "é"});
  CHECK(printableLabel("a\x80z\xC0\xAF\xED\xA0\x80") == "a�z�����");
  CHECK(printableLabel("\xE2\x80\xAEx") == "\\xe2\\x80\\xaex"); // turns the line around
  CHECK(contains(errorOf([] { tokens("[\"a\", 3]"); }), "holds number as label 1"));
  CHECK(contains(errorOf([] { tokens("[\"a\""); }), "is not JSON"));
  CHECK(contains(errorOf([] { parseTokens(bytesOf("{}"), "t.json"); }), "t.json is object"));
  CHECK(contains(errorOf([] { tokens(""); }), "E_RANGE"));
  CHECK(contains(errorOf([] { tokens("[]"); }), "E_RANGE"));
  CHECK(contains(errorOf([] { tokens(std::string(5000, 'x')); }), "a label of 5000 bytes"));
}

TEST_CASE("JSON has a limit on nesting and no key twice") {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  CHECK_NOTHROW(parseJson(nested(64), "a"));
  CHECK(contains(errorOf([&] { parseJson(nested(65), "a"); }), "nested deeper than 64"));
  CHECK(contains(errorOf([&] { parseJson(std::string(1000000, '['), "a"); }), "deeper than 64"));
  CHECK(contains(errorOf([&] { parseJson(R"({"a":{"b":1,"b":2}})", "s.json"); }),
                 "E_TYPE: s.json has the key \"b\" twice"));
  CHECK_NOTHROW(parseJson(R"({"a":{"b":1},"c":{"b":1},"d":[{"b":1},{"b":2}]})", "a"));
  CHECK(contains(errorOf([&] { parseJson("{\"a\":1", "s.json"); }), "s.json is not JSON"));
}
