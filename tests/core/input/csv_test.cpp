// Tables of numbers in .csv files: what their headings mean, and which are refused.
#include "core/input/array_file.h"
#include "tests/catch.h"
#include "tests/core/input/input_files_for_tests.h"

using namespace attention;
using namespace attention::test;

namespace {

ArrayFile csv(const std::string& text) {
  return parseCsv(bytesOf(text), "a.csv");
}

std::string csvError(const std::string& text) {
  return errorOf([&] { csv(text); });
}

Matrix<double> array(const std::string& text, const std::string& name) {
  return slice<double>(csv(text).get(name));
}

} // namespace

TEST_CASE("csv numbers are read with every separator and comments are passed over") {
  const Matrix<double> expected(2, 3, {1, -2.5, 3e2, 4, 5, 6});
  for (const char* text :
       {"1,-2.5,3e2\n4,5,6\n", "1; -2.5; 3e2\r\n4;5;6", "1\t-2.5\t+3e2\n4\t5\t6\n\n",
        "# numbers\n  1   -2.5 3e2  \n\n4 5 6", "\xEF\xBB\xBF\"1\",\"-2.5\",300\n4,5,6\n"})
    CHECK(array(text, "") == expected);
}

TEST_CASE("labels that begin with # are rows, below an index column") {
  CHECK(array(",q0\n[CLS],1\n##ing,2\n# ,3\n", "q") == Matrix<double>(3, 1, {1, 2, 3}));
}

TEST_CASE("csv headings group columns into arrays") {
  const ArrayFile file = csv("q0,q1,k0,k1,v0\n1,2,3,4,5\n6,7,8,9,10\n");
  CHECK(file.arrays.size() == 3);
  CHECK(slice<double>(file.get("k")) == Matrix<double>(2, 2, {3, 4, 8, 9}));
  CHECK(slice<double>(file.get("v")) == Matrix<double>(2, 1, {5, 10}));
}

TEST_CASE("the number in a csv heading is the coordinate wherever the column stands") {
  CHECK(array("q2,q1,q0\n1,2,3\n4,5,6\n", "q") == Matrix<double>(2, 3, {3, 2, 1, 6, 5, 4}));
  const std::string mixed = "k1,q0,v0,q1,k0\n1,2,3,4,5\n";
  CHECK(array(mixed, "q") == Matrix<double>(1, 2, {2, 4}));
  CHECK(array(mixed, "k") == Matrix<double>(1, 2, {5, 1}));
  // 10 comes after 9, not after 1.
  std::string heading;
  std::string row;
  for (const int number : {0, 1, 10, 11, 2, 3, 4, 5, 6, 7, 8, 9}) {
    heading += (heading.empty() ? "q" : ",q") + std::to_string(number);
    row += (row.empty() ? "" : ",") + std::to_string(number);
  }
  const Matrix<double> q = array(heading + "\n" + row + "\n", "q");
  for (Index c = 0; c < 12; ++c)
    CHECK(q(0, c) == static_cast<double>(c));
}

TEST_CASE("headings in a comment above the rows, as numpy.savetxt writes them, are headings") {
  const ArrayFile file = csv("# of layer 3\n# q1,q0,k0,k1\n1,2,3,4\n");
  CHECK(slice<double>(file.get("q")) == Matrix<double>(1, 2, {2, 1}));
  CHECK(slice<double>(file.get("k")) == Matrix<double>(1, 2, {3, 4}));
  CHECK(csv("# q0 q1 k0 k1\n1 2 3 4\n").arrays.size() == 2);
  CHECK(csv("# q0,k0\n# of layer 3\n1,2\n").arrays.size() == 2);   // in any comment
  CHECK(csv("# q0,k0\n\n# of layer 3\n1 2\n").arrays.size() == 2); // with any separator
  CHECK(csv("# q0 k0\n1,2\n").arrays.size() == 2);
  CHECK(csv("# q0,k0\nv0,v1\n1,2\n").arrays.front().name() == "v");
  CHECK(csv("# made by hand\n1 2 3\n").arrays.front().name().empty()); // prose
  CHECK(csv("# Attention, layer 3\n0.5,0.25\n").arrays.front().name().empty());
  CHECK(csv("# causal, n = 4, head 0, ours\n1,2,3,4\n").arrays.front().name().empty());
  CHECK(csv("# q 1, q 0\n1,2\n").arrays.front().name() == "q");
  CHECK(csvError("# q0,q1\n1,2,3\n") ==
        "E_UNSUPPORTED: a.csv: the comment \"q0,q1\" does not head the 3 columns; it must have a "
        "heading for each");
  CHECK(csv("# layer3 head5\n1,2,3\n").arrays.front().name().empty());
  CHECK(contains(csvError("# q,k,v\n1,2,3\n"), "the heading \"q\" is not a name with a number"));
  CHECK(contains(csvError("# q0 q1 colour\n1 2 3\n"), "the heading \"colour\" is not"));
  CHECK(contains(csvError("# q0,q0\n1,2\n"), "occurs twice"));
}

TEST_CASE("an index without a heading is not a coordinate") {
  const std::string error = csvError("0,0.5,1\n1,0.25,2\n2,0.125,3\n");
  CHECK(contains(error, "E_UNSUPPORTED: a.csv: column 0 counts the rows, as an index does"));
  CHECK(csv("1,0.5\n0,0.25\n").arrays.size() == 1);
  CHECK(csv("0,5\n1,2\n").arrays.size() == 1); // whole numbers may be real data
  CHECK(csv("q0,q1\n0,0.5\n1,0.25\n").arrays.size() == 1);
}

TEST_CASE("csv headings may join name and number as other programs do") {
  for (const char* heading : {"q(1),q(0)", "q[1],q[0]", "q_1,q_0", "q.1,q.0", "\"q 1\",\"q 0\"",
                              "q01,q00", "q( 1 ), q( 0 )", "\xEF\xBB\xBFq1;q0", "q1\tq0"}) {
    INFO(heading);
    const std::string text(heading);
    const char separator = text.find(';') != text.npos    ? ';'
                           : text.find('\t') != text.npos ? '\t'
                                                          : ',';
    CHECK(array(text + "\n7" + separator + "8\n", "q") == Matrix<double>(1, 2, {8, 7}));
  }
}

TEST_CASE("a csv heading that is not a name with a number is refused by name") {
  CHECK(
      csvError("x,y\n1,2\n") ==
      "E_UNSUPPORTED: a.csv: the heading \"x\" is not a name with a number; every heading must be "
      "one, such as q0, q1, k0, k1");
  CHECK(contains(csvError("q0,token\n1,2\n"), "the heading \"token\""));
  CHECK(contains(csvError("q0,q\n1,2\n"), "the heading \"q\""));
  CHECK(contains(csvError("q(0,q(1\n1,2\n"), "is not a name with a number"));
  CHECK(contains(csvError("q(a),q(b)\n1,2\n"), "the heading \"q(a)\""));
  CHECK(contains(csvError("q-1,q-2\n1,2\n"), "E_UNSUPPORTED")); // numbers below zero, or not
  CHECK(contains(csvError("q0,q99999999999999999999\n1,2\n"), "E_UNSUPPORTED"));
  CHECK(contains(csvError("q0,q1,\n1,2,\n"), "column 2 has no heading"));
  CHECK(contains(csvError("q0,1,2\n1,2,3\n"), "line 1 has \"q0\"; it must be a number, or every"));
}

TEST_CASE("a csv heading that occurs twice or is missing is named") {
  CHECK(csvError("q0,q1,q1\n1,2,3\n") ==
        "E_UNSUPPORTED: a.csv: the heading q1 occurs twice; every number of q must occur once");
  CHECK(contains(csvError("q0,q00\n1,2\n"), "q0 occurs twice"));
  CHECK(
      csvError("q0,q2\n1,2\n") ==
      "E_UNSUPPORTED: a.csv: the heading q1 is missing before q2; the numbers of q must be 0, 1, 2 "
      "… without a gap");
  CHECK(contains(csvError("k1,k2,q0\n1,2,3\n"), "the heading k0 is missing before k1"));
}

TEST_CASE("columns that pandas numbers are never read as a row") {
  CHECK(csvError("0,1,2,3\n0.5,1,2,3\n") ==
        "E_UNSUPPORTED: a.csv: line 1 is 0, 1, 2 …, which numbers the columns and names no array; "
        "the "
        "headings must be names with numbers, such as q0, q1, k0, k1");
  CHECK(contains(csvError("0,1\n0.5,1.5\n"), "line 1 is 0, 1, which"));
  CHECK(contains(csvError("0\n0.5\n"), "line 1 is 0, which"));
  CHECK(contains(csvError(",0,1\n0,0.5,1.5\n"), "numbers the columns"));
  for (const char* heading : {"1,2,3,4", "3,1,2,0", "0.0,1.0,2.0,3.0"})
    CHECK(contains(csvError(std::string(heading) + "\n0.5,1,2,3\n"),
                   "E_UNSUPPORTED: a.csv: line 1 numbers the columns and names no array"));
  for (const char* heading : {"0,2,4,6", "10,11,12,13", "0,1,1,2"}) {
    CHECK(contains(csvError(std::string(heading) + "\n0.5,1.0,2.5,3e1\n"),
                   "E_UNSUPPORTED: a.csv: line 1 numbers the columns and names no array"));
    CHECK(array(std::string(heading) + "\n0.5,1,2.5,3e1\n", "").rows() == 2); // 1 is written so too
  }
  CHECK(array("0,0,0\n0.5,1.0,2.5\n", "").rows() == 2); // padding, as %g writes it
  CHECK(array("1,2,3,4\n5,6,7,8\n", "").rows() == 2);
  CHECK(array("0,1\n1,0\n", "") == Matrix<double>(2, 2, {0, 1, 1, 0})); // all whole numbers
  CHECK(array("0.0,1.0,2.0\n1,0,2\n", "").rows() == 2);
}

TEST_CASE("the index column of pandas is left out") {
  const Matrix<double> expected(2, 2, {1, 2, 3, 4});
  CHECK(array(",q0,q1\n0,1,2\n1,3,4\n", "q") == expected);
  CHECK(array("\"\",q0,q1\n0.0,1,2\n1.0,3,4\n", "q") == expected);
  CHECK(array("Unnamed: 0,q0,q1\n5,1,2\n9,3,4\n", "q") == expected);         // rows were taken out
  CHECK(array(",q0,q1\n2020-01-01,1,2\n2020-01-02,3,4\n", "q") == expected); // dates or names
  CHECK(array("\tq0\tq1\n0\t1\t2\n1\t3\t4\n", "q") == expected);
  CHECK(array("\tq0\n0\t1\n1\t3\n", "q") == Matrix<double>(2, 1, {1, 3}));
  CHECK(contains(csvError(",q0\n5,1\nabc,2\n3,1\n"), "does not count the rows"));
  CHECK(array("\t1\t2\n\t3\t4\n", "") == expected); // indented numbers
  CHECK(array("\t1 2\n\t3 4\n", "") == expected);   // a tab before a line that spaces separate
  CHECK(csv(",q0,q1\n0,1,2\n").arrays.size() == 1);
  for (const char* text : {",q0\n0.5,1\n1.5,2\n", ",q0\n1,1\n0,2\n", ",q0\n3,1\n3,2\n"})
    CHECK(contains(csvError(text), "the first column has no heading and does not count the rows"));
  CHECK(contains(csvError("q0,\n1,0\n"), "column 1 has no heading"));
}

TEST_CASE("separators within quotes are no separators") {
  CHECK(array("\"q 1\" \"q 0\"\n1 2\n", "q") == Matrix<double>(1, 2, {2, 1}));
  CHECK(contains(csvError("\"q,0\",\"q,1\"\n1,2\n"), "the heading \"q,0\" is not a name"));
  CHECK(csvError("q0;q1\n1,5;2\n") ==
        "E_UNSUPPORTED: a.csv: line 2 has \"1,5\"; it must be a number with a decimal point");
  CHECK(csvError("q0,q1\n1e400,2\n") == "E_UNSUPPORTED: a.csv: line 2 has \"1e400\"; it must be a "
                                        "number within the range of float64");
  CHECK(csvError("q0,q1\nx,2\n") == "E_UNSUPPORTED: a.csv: line 2 has \"x\"; it must be a number");
}

TEST_CASE("csv that is no table of numbers is refused with its line") {
  CHECK(csvError("1,2\n3\n") == "E_SHAPE: a.csv: line 2 has 1 field; the lines before have 2");
  CHECK(csvError("1,2\n3,x\n") == "E_UNSUPPORTED: a.csv: line 2 has \"x\"; it must be a number");
  CHECK(contains(csvError("1,2\n3,\n"), "line 2 has an empty field"));
  CHECK(contains(csvError("1,0x10\n"), "line 1"));
  CHECK(contains(csvError(""), "no row of numbers"));
  CHECK(contains(csvError("q0,q1\n"), "no row of numbers"));
  CHECK(contains(errorOf([] { slice<float>(csv("1,nan\n").get("")); }), "E_NONFINITE"));
}
