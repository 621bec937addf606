// Random graphs listed from one draw a pair are those of the draws of single cells.
#include "core/pattern/mechanism/graph_edges.h"
#include "core/pattern/pattern.h"
#include "tests/catch.h"

using namespace attention;

TEST_CASE("the list of a random graph holds the edges that single draws say") {
  const Index n = GENERATE(1, 2, 17, 65);
  const bool directed = GENERATE(false, true);
  const bool causal = GENERATE(false, true);
  Graph graph;
  graph.kind = Graph::Kind::Random;
  graph.p = 0.3;
  graph.seed = 11;
  graph.directed = directed;
  graph.causal = causal;
  const auto table = randomEdges(graph, n, {});
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      REQUIRE(table->contains(i, j) ==
              (i != j && !(causal && j > i) && randomEdge(graph, n, i, j)));
}

TEST_CASE("random graphs are listed while the list is small") {
  Graph graph;
  graph.kind = Graph::Kind::Random;
  graph.p = 1.0 / 4096;
  CHECK(prepare(graph, squareLengths(16384))->closedForm());
  CHECK_FALSE(prepare(graph, squareLengths(16385))->closedForm());
  graph.p = 0.5; // 67 million runs
  const auto asked = prepare(graph, squareLengths(16384));
  CHECK_FALSE(asked->closedForm());
  CHECK(asked->contains(16383, 5) == randomEdge(graph, 16384, 16383, 5));
}
