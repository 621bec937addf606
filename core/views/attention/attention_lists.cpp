#include "core/views/attention/attention_figure.h"

#include "core/input/npy_writer.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <array>
#include <optional>

namespace attention {
namespace {

std::string wordOf(const AttentionLook& look, Index token) {
  const auto at = static_cast<std::size_t>(token);
  return at < look.names.size() ? look.names[at] : "";
}

// The strongest key of each query; none if it has no weights.
std::vector<std::optional<TopKey>> strongest(const AttentionHead& head, Index queries,
                                             const Run& run) {
  constexpr Index kChunk = 16;
  std::vector<std::optional<TopKey>> top(static_cast<std::size_t>(queries));
  parallelFor((queries + kChunk - 1) / kChunk, run.threads, run, [&](Index chunk) {
    const Index end = std::min(queries, (chunk + 1) * kChunk);
    for (Index query = chunk * kChunk; query < end; ++query) {
      const std::vector<TopKey> all = attentionRow(head, query).top;
      if (!all.empty())
        top[static_cast<std::size_t>(query)] = all.front();
    }
  });
  return top;
}

CsvTable queryTable(const AttentionAnswer& answer, const AttentionLook& look, const Run& run) {
  const QueryMeasures& of = answer.head->measures;
  CsvTable table{{"query", "token", "captured_mass", "output_error", "entropy_base",
                  "entropy_pattern", "top_key", "top_token", "top_weight"},
                 {}};
  const auto tops = strongest(*answer.head, static_cast<Index>(of.captured.size()), run);
  for (std::size_t i = 0; i < of.captured.size(); ++i) {
    const auto query = static_cast<Index>(i);
    const std::optional<TopKey>& top = tops[i];
    table.rows.push_back({csvNumber(query), look.square ? wordOf(look, query) : "",
                          csvNumber(of.captured[i]), of.error.empty() ? "" : csvNumber(of.error[i]),
                          csvNumber(of.denseEntropy[i]), csvNumber(of.patternEntropy[i]),
                          top ? csvNumber(top->key) : "", top ? wordOf(look, top->key) : "",
                          top ? csvNumber(static_cast<double>(top->dense)) : ""});
  }
  return table;
}

CsvTable headTable(const HeadSketches& sketches) {
  CsvTable table{{sketches.batchName, "head", "captured_mass", "output_error", "entropy_base"}, {}};
  for (const auto& of : sketches.made)
    table.rows.push_back({csvNumber(of->batch), csvNumber(of->head), csvNumber(of->captured),
                          of->error ? csvNumber(*of->error) : "", csvNumber(of->entropy)});
  return table;
}

// The corner of the cells that the lines are between.
Rect cellsOfLines(const AttentionAnswer& answer, const AttentionLook& look) {
  const Lattice& lattice = answer.maps->lattice;
  return intersection(look.cells, {lattice.rowEdges.front(), lattice.rowEdges.back(),
                                   lattice.keyEdges.front(), lattice.keyEdges.back()});
}

CsvTable lineTable(const AttentionSpec& spec, const AttentionAnswer& answer,
                   const AttentionLook& look) {
  CsvTable table{{"query", "key", "query_token", "key_token", "weight"}, {}};
  const Plot plot = linksPlot(spec, answer, look);
  const Rect cells = cellsOfLines(answer, look);
  const Lattice& lattice = answer.maps->lattice;
  const Matrix<float>& weights =
      spec.of == WeightsOf::Pattern ? answer.maps->pattern : answer.maps->dense;
  const auto& mark = std::get<LinksMark>(plot.mark);
  std::vector<Link> links = mark.links;
  std::erase_if(links, [&](const Link& link) { // what several keys receive together
    return mark.keys[static_cast<std::size_t>(link.key)].others > 0;
  });
  std::sort(links.begin(), links.end(), [](const Link& a, const Link& b) {
    return a.query != b.query ? a.query < b.query : a.key < b.key;
  });
  for (const Link& link : links) {
    const Index i = cells.rowBegin + link.query;
    const Index j = mark.keys[static_cast<std::size_t>(link.key)].token;
    const float p = weights(i - lattice.rowEdges.front(), j - lattice.keyEdges.front());
    table.rows.push_back({csvNumber(i), csvNumber(j), look.square ? wordOf(look, i) : "",
                          wordOf(look, j), csvNumber(static_cast<double>(p))});
  }
  return table;
}

void writeMaps(const WeightMaps& maps, const std::filesystem::path& path) {
  const std::array shape{Index{3}, maps.dense.rows(), maps.dense.cols()};
  std::vector<double> values;
  for (const Matrix<float>* of : {&maps.dense, &maps.pattern, &maps.difference})
    values.insert(values.end(), of->values().begin(), of->values().end());
  writeNpy<double>(path, shape, values);
}

void writeSketches(const HeadSketches& sketches, WeightsOf of, const std::filesystem::path& path) {
  const WeightMaps& first = sketches.made.front()->maps;
  const std::array shape{sketches.batches, sketches.heads, first.dense.rows(), first.dense.cols()};
  std::vector<double> values;
  for (const auto& sketch : sketches.made) {
    const Matrix<float>& map = shownOf(*sketch, of);
    values.insert(values.end(), map.values().begin(), map.values().end());
  }
  writeNpy<double>(path, shape, values);
}

void writeLines(const AttentionSpec& spec, const AttentionAnswer& answer, const AttentionLook& look,
                const std::filesystem::path& path) {
  const Rect cells = cellsOfLines(answer, look);
  const Lattice& lattice = answer.maps->lattice;
  const Matrix<float>& of =
      spec.of == WeightsOf::Pattern ? answer.maps->pattern : answer.maps->dense;
  Matrix<double> part(cells.rowEnd - cells.rowBegin, cells.keyEnd - cells.keyBegin);
  for (Index i = 0; i < part.rows(); ++i)
    for (Index j = 0; j < part.cols(); ++j)
      part(i, j) = static_cast<double>(of(cells.rowBegin + i - lattice.rowEdges.front(),
                                          cells.keyBegin + j - lattice.keyEdges.front()));
  writeNpy<double>(path, part);
}

} // namespace

CsvTable attentionTable(const AttentionSpec& spec, const AttentionAnswer& answer,
                        const AttentionLook& look, const Run& run) {
  if (spec.picture == AttentionPicture::Heads)
    return headTable(*answer.sketches);
  if (spec.picture == AttentionPicture::Lines)
    return lineTable(spec, answer, look);
  return queryTable(answer, look, run);
}

void writeAttentionNpy(const AttentionSpec& spec, const AttentionAnswer& answer,
                       const AttentionLook& look, const std::filesystem::path& path) {
  if (spec.picture == AttentionPicture::Heads)
    return writeSketches(*answer.sketches, spec.of, path);
  if (spec.picture == AttentionPicture::Lines)
    return writeLines(spec, answer, look, path);
  writeMaps(*answer.maps, path);
}

} // namespace attention
