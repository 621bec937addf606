// Random graphs listed from one draw per pair are those of the draws of single cells.
#include "core/pattern/mechanism/graph.h"
#include "core/pattern/mechanism/graph_edges.h"
#include "core/pattern/pattern.h"
#include "tests/catch.h"

#include <mutex>
#include <set>
#include <thread>

using namespace attention;

TEST_CASE("the list of a random graph holds the edges that single draws give") {
  const Index n = GENERATE(1, 2, 17, 64, 65, 130); // words and tiles of 64
  const bool directed = GENERATE(false, true);
  const bool causal = GENERATE(false, true);
  Graph graph;
  graph.kind = Graph::Kind::Random;
  graph.p = GENERATE(0.0, 0.3, 0.99, 1.0);
  graph.seed = 11;
  graph.directed = directed;
  graph.causal = causal;
  const auto table = randomEdges(graph, n, {});
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      REQUIRE(table->contains(i, j) ==
              (i != j && !(causal && j > i) && randomEdge(graph, n, i, j)));
}

TEST_CASE("a random graph is drawn on all threads of its run and has the same cells") {
  Graph graph;
  graph.kind = Graph::Kind::Random;
  graph.p = 0.9;
  graph.directed = GENERATE(false, true);
  std::mutex mutex;
  const auto drawnOn = [&](int threads) {
    std::set<std::thread::id> workers;
    Run run;
    run.threads = threads;
    run.progress = [&](double) {
      const std::scoped_lock lock(mutex);
      workers.insert(std::this_thread::get_id());
    };
    const auto pattern = prepare(graph, squareLengths(700), run);
    CHECK(static_cast<int>(workers.size()) <= threads);
    return pattern;
  };
  const auto one = drawnOn(1);
  const auto three = drawnOn(3);
  KeyRanges a;
  KeyRanges b;
  for (Index i = 0; i < 700; ++i) {
    one->row(i, a);
    three->row(i, b);
    REQUIRE(a == b);
  }
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
