// Masks in .csv files as pandas and numpy.savetxt write them: what stands around the cells is never
// read as a pair or a row (S4.19).
#include "core/input/mask_file.h"
#include "tests/catch.h"
#include "tests/core/input/input_files_for_tests.h"

using namespace attention;
using namespace attention::test;

namespace {

MaskFile csvMask(const std::string& text) {
  return parseCsvMask(bytesOf(text), "m.csv");
}

std::string csvMaskError(const std::string& text) {
  return errorOf([&] { csvMask(text); });
}

const MaskFile kLower = maskOf({{0, 0}, {1, 0}, {1, 1}, {2, 0}, {2, 1}, {2, 2}}, 3, 3, true);

} // namespace

TEST_CASE("a mask that pandas wrote is read without its numbers and labels", "[mask]") {
  for (const char* text : {
           "0,1,2\n1,0,0\n1,1,0\n1,1,1\n",                    // index=False
           ",0,1,2\n0,1,0,0\n1,1,1,0\n2,1,1,1\n",             // unchanged
           "Unnamed: 0,0,1,2\n0,1,0,0\n1,1,1,0\n2,1,1,1\n",   // written twice
           "query,0,1,2\n0,1,0,0\n1,1,1,0\n2,1,1,1\n",        // a named index
           "\t0\t1\t2\n0\t1\t0\t0\n1\t1\t1\t0\n2\t1\t1\t1\n", // sep="\t"
           ";0;1;2\n0;1;0;0\n1;1;1;0\n2;1;1;1\n",             // sep=";"
           ",the,cat,sat\nthe,1,0,0\ncat,1,1,0\nsat,1,1,1\n", // tokens
           "0,1,2\r\n0,-inf,-inf\r\n0,0,-inf\r\n0,0,0\r\n",   // additive
           "0,1,2\nTrue,False,False\nTrue,True,False\nTrue,True,True\n",
           "True,False,False\nTrue,True,False\nTrue,True,True\n", // header=False
           ",0,1,2\n0,True,False,False\n1,True,True,False\n2,True,True,True\n",
       }) {
    INFO(text);
    CHECK(csvMask(text) == kLower);
    CHECK(isMaskTable(bytesOf(text)));
    CHECK_FALSE(isPairList(bytesOf(text)));
  }
  CHECK(csvMask(",a,covid19,#\na,1,0,0\ncovid19,1,1,0\n#,1,1,1\n") == kLower);
  CHECK(csvMask(",w0,w1,w2\nw0,1,0,0\nw1,1,1,0\nw2,1,1,1\n") == kLower);
  CHECK(csvMask("i,j,value\n0,0,TRUE\n1,0,FALSE\n1,1,true\n").pairs() == 2);
  CHECK(csvMask("0,1,2\n1,0,0\n1,1,0\n").rows == 2); // a table may be rectangular
  CHECK(csvMask("i,j,attends\n0,0,True\n1,0,False\n1,1,True\n").pairs() == 2);
}

TEST_CASE("an ambiguous table of a mask is refused", "[mask]") {
  CHECK(
      csvMaskError("0,1\n0,0\n1,0\n") ==
      "E_UNSUPPORTED: m.csv: line 1 is 0,1, which numbers the columns; the headings of pairs must "
      "be i and j, q_idx and kv_idx, query and key, or row and col, in either order, and that of a "
      "mask of two tokens query,0,1");
  CHECK(contains(csvMaskError("# pairs\n,0,1\n0,0,0\n1,1,0\n"), "line 2 is 0,1, which numbers"));
  CHECK(csvMask("0,1\n1,2\n2,0\n").pairs() == 3); // a list of edges, which begins with 0,1
  CHECK(contains(csvMaskError("0,1\n0,2\n0,1\n"), "line 1 is 0,1, which numbers the columns"));
  CHECK(csvMask("0,1\n").pairs() == 1);
  CHECK(contains(csvMaskError("0,1\n1,0\n1,1\n"), "line 1 is 0,1, which numbers the columns"));
  CHECK(csvMaskError(",0,1,2\n0,1,0,0\n2,1,1,1\n1,1,1,0\n") ==
        "E_UNSUPPORTED: m.csv: line 3 begins with \"2\"; the first column must number the rows 0, "
        "1, 2 …, here 1");
  CHECK(contains(csvMaskError(",0,1,2\n1,1,0,0\n2,1,1,0\n"), "line 2 begins with \"1\""));
  CHECK(contains(csvMaskError(",the,cat,sat\nthe,1,0,0\ncat,1,1,0\n"),
                 "it has 2 rows; there must be as many as labelled columns, 3"));
  CHECK(contains(csvMaskError(",i,j\ni,1,0\nj,1,1\n"), "line 2 has \"i\""));
  CHECK(csvMaskError(",the,cat,sat\nthe,1,0,0\nsat,1,1,0\n") ==
        "E_UNSUPPORTED: m.csv: line 3 begins with \"sat\"; it must repeat the label of its column, "
        "\"cat\"");
  CHECK(contains(csvMaskError(",a,b,c\na,1,0,0\nb,1,1,0\nc,1,1,1\nd,1,1,1\n"),
                 "there must be as many rows as labelled columns"));
  CHECK(contains(csvMaskError("0,1,2\n1,0\n"), "E_SHAPE: m.csv: line 2 has 2 fields; the lines "
                                               "before have 3"));
  CHECK(contains(csvMaskError("0,1,2\n1,yes,0\n"), "a cell of a mask must be 0 or 1"));
  CHECK(contains(csvMaskError("0,1,2\n1,0.5,0\n"), "E_TYPE: m.csv holds 0.5 at (0, 1)"));
  CHECK(contains(csvMaskError("0,1,2\n"), "it has no row of cells"));
}

TEST_CASE("a table under the name of a key is refused", "[mask]") {
  for (const char* corner : {"key", "kv_idx", "j", "col", "key\\query"})
    CHECK(contains(csvMaskError(std::string(corner) + ",0,1,2,3\n0,1,0,0,0\n1,1,1,0,0\n"
                                                      "2,1,1,1,0\n3,1,1,1,1\n"),
                   "says that the rows are keys; they must be queries"));
}

TEST_CASE("two lines of 0 and 1 are pairs or the rows of a mask only with a heading", "[mask]") {
  for (const char* rows :
       {"1,0\n1,1\n", "0,1\n1,0\n", "0,0\n1,1\n", "1 0\n1 1\n", "1;0\r\n1;1",
        "# a mask\n1,0\n1,1\n", "1,1\n1,1\n", "1,0\n1,1\n1,0\n"}) { // nobody lists a pair twice
    INFO(rows);
    CHECK(
        csvMaskError(rows) ==
        "E_UNSUPPORTED: m.csv: its lines of two numbers 0 and 1 may be pairs or the rows of a "
        "mask; a heading must say which, query,key above pairs or query,0,1 above rows that begin "
        "with their numbers 0, 1 …");
  }
  const MaskFile lower = maskOf({{0, 0}, {1, 0}, {1, 1}}, 2, 2, true);
  for (const char* rows :
       {"query,0,1\n0,1,0\n1,1,1\n", ",the,cat\nthe,1,0\ncat,1,1\n", "True,False\nTrue,True\n",
        ",0,1\n0,True,False\n1,True,True\n", "0,1\nTrue,False\nTrue,True\n", "0,-inf\n0,0\n",
        "0,1\n0,-inf\n0,0\n", "0,-1e9\n0,0\n"}) {
    INFO(rows);
    CHECK(csvMask(rows) == lower);
    CHECK(isMaskTable(bytesOf(rows)));
  }
  CHECK(csvMask("0,-inf,-inf\n0,0,-inf\n0,0,0\n") == kLower);
  CHECK(csvMask("query,key\n1,0\n1,1\n").runs == std::vector<QueryRun>{{1, 0, 2}});
  CHECK(csvMask("# i,j\n1,0\n1,1\n").runs == std::vector<QueryRun>{{1, 0, 2}});
  // One line is no square of two, three that differ are the pairs of a causal mask.
  CHECK(csvMask("1,0\n").runs == std::vector<QueryRun>{{1, 0, 1}});
  CHECK(csvMask("0,0\n1,0\n1,1\n").runs == lower.runs);
  CHECK(csvMask("1,0\n2,1\n").pairs() == 2);
  CHECK(contains(csvMaskError("1,0,0\n1,1,0\n1,1,1\n"),
                 "line 1 has 3 fields; three columns must have a heading"));
  CHECK(contains(csvMaskError("key,0,1\n0,1,0\n1,1,1\n"), "E_UNSUPPORTED"));
}

TEST_CASE("labels may hold what separates fields, and quotes", "[mask]") {
  CHECK(csvMask(",\",\",\"\"\"\",a b\n\",\",1,0,0\n\"\"\"\",1,1,0\na b,1,1,1\n") == kLower);
  CHECK(csvMask("\"\";\",\";\";\";a\n\",\";1;0;0\n\";\";1;1;0\na;1;1;1\n") == kLower);
  CHECK(contains(csvMaskError("i,\"j\n0,0\n"), "the heading '\"j' does not say whether"));
  CHECK(
      contains(csvMaskError("\"\"\"i\"\"\",k\n0,0\n"), "the heading '\"i\"' does not say whether"));
}

TEST_CASE("numbers that are no mask are offered as none", "[mask]") {
  CHECK_FALSE(isMaskTable(bytesOf("0,1,2\n0.5,0.25,1\n0,0,0\n1,1,1\n")));
  CHECK_FALSE(isMaskTable(bytesOf("q0,q1,q2,k0\n1,0,1,0\n")));
  CHECK_FALSE(isMaskTable(bytesOf(",q0,q1,q2\n0,1,0,1\n")));
  CHECK_FALSE(isMaskTable(bytesOf("0.5,1,2\n1,0,0\n")));
  CHECK_FALSE(isMaskTable(bytesOf(",i,j,mask\n0,1,0,1\n")));
  CHECK_FALSE(isMaskTable(bytesOf("")));
}

TEST_CASE("a mask beside queries has one mask per layer", "[mask]") {
  std::string cells(8, '\0');
  cells[0] = 1; // layer 0: cell (0, 0)
  cells[7] = 1; // layer 1: cell (1, 1)
  const std::string bytes =
      safetensors(R"({"q":{"dtype":"F32","shape":[2,2,2,1],"data_offsets":[0,32]},)"
                  R"("mask":{"dtype":"BOOL","shape":[2,2,2],"data_offsets":[32,40]}})",
                  raw(std::vector<float>(8)) + cells);
  const ArrayFile file = parseSafetensors(bytesOf(bytes), "m.safetensors");
  for (Index head = 0; head < 2; ++head) {
    CHECK(maskOf(file, {0, head}).runs == std::vector<QueryRun>{{0, 0, 1}});
    CHECK(maskOf(file, {1, head}).runs == std::vector<QueryRun>{{1, 1, 2}});
  }
  CHECK(maskOf(file).axes == MaskAxes{2, 1, false});
}

TEST_CASE("the number of masks in a file is known from its shape", "[mask]") {
  const TemporaryFolder folder;
  const std::string cells(24, '\1');
  folder.write("m.npy", npy("|b1", "(2, 3, 2, 2)", cells));
  CHECK(maskAxes(folder / "m.npy") == MaskAxes{2, 3, false});
  CHECK(maskAxes((folder / "m.npy").string() + "[batch=1,head=2]") == MaskAxes{2, 3, false});
  folder.write("three.npy", npy("|b1", "(6, 2, 2)", cells));
  CHECK(maskAxes(folder / "three.npy") == MaskAxes{1, 6, true});
  folder.write("flat.npy", npy("|b1", "(4, 6)", cells));
  CHECK(maskAxes(folder / "flat.npy") == MaskAxes{1, 1, false});
  folder.write("vector.npy", npy("|b1", "(24,)", cells));
  CHECK(contains(errorOf([&] { maskAxes(folder / "vector.npy"); }), "E_SHAPE"));
  folder.write("p.csv", "0,1\n");
  CHECK(maskAxes(folder / "p.csv") == MaskAxes{});
}

TEST_CASE("numbers that label rows and columns alike, and labels with line breaks, are labels",
          "[mask]") {
  CHECK(csvMask(",1,2,3\n1,1,0,0\n2,1,1,0\n3,1,1,1\n") == kLower);
  CHECK(csvMask(",101,2023,102\n101,1,0,0\n2023,1,1,0\n102,1,1,1\n") == kLower); // token ids
  CHECK(contains(csvMaskError(",1,2,3\n1,1,0,0\n3,1,1,0\n2,1,1,1\n"), "must repeat the label"));
  CHECK(csvMask(",a,\"\n\",c\na,1,0,0\n\"\n\",1,1,0\nc,1,1,1\n") == kLower);
  CHECK(csvMask(",a,\"\r\n\",c\r\na,1,0,0\r\n\"\r\n\",1,1,0\r\nc,1,1,1\r\n") == kLower);
  CHECK(csvMask(",a,\",c\na,1,0,0\n\",1,1,0\nc,1,1,1\n") == kLower); // a quote that is a word
  const auto label = [](std::size_t breaks) { return '"' + std::string(breaks, '\n') + '"'; };
  const auto labelled = [&](std::size_t breaks) {
    return ",a," + label(breaks) + "\na,1,0\n" + label(breaks) + ",1,1\n";
  };
  CHECK(csvMask(labelled(16)).pairs() == 3);
  CHECK(contains(csvMaskError(labelled(17)), "the heading \"a\" does not say"));
  CHECK(csvMask("\ta\t\"\n\"\tc\na\t1\t0\t0\n\"\n\"\t1\t1\t0\nc\t1\t1\t1\n") == kLower);
  CHECK(csvMask("\t\"The\tcat\tsat\n\"The\t1\t0\t0\ncat\t1\t1\t0\nsat\t1\t1\t1\n") == kLower);
  CHECK(csvMask(",a,b,c\ra,1,0,0\rb,1,1,0\rc,1,1,1\r") == kLower);
  CHECK(csvMask("the,cat,sat,down\n1,0,0,0\n1,1,0,0\n1,1,1,0\n1,1,1,1\n").pairs() == 10);
  for (const char* others : {"the,cat,sat\n1,0,0\n1,1,0\n", "src,dst,a,b\n0,1,0,1\n",
                             "k0,k1,k2,k3\n1,0,0,0\n", "a,b,c,d\n1,0,0,0.5\n"})
    CHECK_FALSE(isMaskTable(bytesOf(others)));
}

TEST_CASE("several masks, one below the other, are not read as one") {
  const std::string mask = "1,0,0,0\n1,1,0,0\n1,1,1,0\n1,1,1,1\n";
  for (const std::string& text : {mask + "\n" + mask, "# head 0\n" + mask + "# head 1\n" + mask,
                                  mask + "\n\n# 1\n" + mask + "\n"})
    CHECK(csvMaskError(text) ==
          "E_UNSUPPORTED: m.csv: it has 2 masks of 4 rows, one below the other; it must have one, "
          "without empty lines or comments between its rows (several can be an array "
          "[heads, n, n])");
  CHECK(csvMask("# causal\n" + mask + "\n") == csvMask(mask));
  CHECK(csvMask("1,0,0,0\n1,1,0,0\n\n1,1,1,0\n1,1,1,1\n") == csvMask(mask)); // two halves
}

TEST_CASE("headings of many columns that speak of neither pairs nor tokens are refused by name") {
  CHECK(contains(csvMaskError("R,V1,V2,V3\n1,1,0,0\n2,1,1,0\n3,1,1,1\n"),
                 "the heading \"R\", \"V1\" … is neither that of pairs nor the labels of a mask; "
                 "pairs must have "));
}
