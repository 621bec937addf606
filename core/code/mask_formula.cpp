#include "core/code/mask_formula.h"

#include "core/pattern/mechanism/all.h"
#include "core/pattern/sorted_indices.h"
#include "core/support/error.h"

#include <algorithm>
#include <map>

namespace attention {
namespace {

using Kind = Formula::Kind;

Formula member(Formula x, std::vector<IndexPair> runs) {
  if (runs.empty())
    return {Kind::False, 0, {}};
  Formula formula = operation(Kind::Member, std::move(x));
  formula.pairs = std::move(runs);
  return formula;
}

Formula causalIf(bool causal) {
  return causal ? causalCells() : Formula{Kind::True, 0, {}};
}

std::vector<IndexPair> runsOf(const KeyRanges& ranges) {
  std::vector<IndexPair> runs;
  for (const KeyRange& range : ranges)
    forEachRun(range, [&](Index begin, Index end) { runs.emplace_back(begin, end); });
  std::sort(runs.begin(), runs.end());
  return runs;
}

using Runs = std::vector<IndexPair>;

// Adds a row to an ascending list of runs.
void addRow(Runs& rows, Index row) {
  if (!rows.empty() && rows.back().second == row)
    ++rows.back().second;
  else
    rows.emplace_back(row, row + 1);
}

// The rows of a part written out; those with the same keys together, in the order of the first.
Formula listed(const Prepared& p, std::size_t part, const Run& run) {
  Formula formula{Kind::Listed, 0, {}};
  std::map<Runs, std::size_t> groups;
  Index runs = 0;
  KeyRanges ranges;
  for (Index i = 0; i < p.lengths().queries; ++i) {
    if (i % 256 == 0)
      run.report(static_cast<double>(i) / static_cast<double>(p.lengths().queries));
    p.row(part, i, ranges);
    Runs keys = runsOf(ranges);
    if (keys.empty())
      continue;
    const auto [group, fresh] = groups.try_emplace(std::move(keys), formula.rows.size());
    if (fresh)
      formula.rows.push_back({{}, group->first});
    ListedRows& rows = formula.rows[group->second];
    const std::size_t before = rows.rows.size();
    addRow(rows.rows, i + p.lengths().offset);
    runs += static_cast<Index>(rows.rows.size() - before + (fresh ? rows.keys.size() : 0));
    if (runs > kMostListedRuns)
      throwRange("mask", "one with more than " + std::to_string(kMostListedRuns) + " listed runs",
                 "at most that many in code where no formula gives the cells");
  }
  return formula.rows.empty() ? Formula{Kind::False, 0, {}} : formula;
}

Formula partFormula(const Prepared& p, std::size_t k, const Run& run) {
  const auto* set = std::get_if<PrimitiveSet>(&p.parts()[k].cells);
  if (!set)
    return listed(p, k, run);
  std::vector<Formula> cells;
  for (const Primitive& primitive : set->primitives)
    cells.push_back(formulaOf(primitive, TokenRanges(p.lengths())));
  return anyOf(std::move(cells));
}

// "A¹" → "a1": letters, digits and underscores; never a word of a language.
std::string variableName(const std::string& name) {
  std::string variable;
  for (std::size_t k = 0; k < name.size(); ++k) {
    const char c = name[k];
    if (c == '\xc2' && k + 1 < name.size() && (name[k + 1] == '\xb9' || name[k + 1] == '\xb2'))
      variable += name[++k] == '\xb9' ? '1' : '2';
    else if (c >= 'A' && c <= 'Z')
      variable += static_cast<char>(c - 'A' + 'a');
    else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
      variable += c;
    else
      variable += '_';
  }
  if (variable.empty() || (variable.front() >= '0' && variable.front() <= '9'))
    return "part_" + variable;
  return variable == "global" ? "global_tokens" : variable;
}

// Which document a token is in: its number, as steps over the tokens.
Formula documentOf(const std::vector<Index>& ids, const Formula& token) {
  Formula steps = operation(Kind::Steps, token);
  steps.value = ids.front();
  for (std::size_t k = 1; k < ids.size(); ++k)
    if (ids[k] != ids[k - 1])
      steps.pairs.emplace_back(static_cast<Index>(k), ids[k] - ids[k - 1]);
  return steps;
}

std::vector<Index> documentIds(const Document& document) {
  if (document.ids)
    return document.ids->get();
  std::vector<Index> ids;
  Index id = 0;
  for (const Index length : *document.lengths)
    ids.insert(ids.end(), static_cast<std::size_t>(length), id++);
  return ids;
}

// Builds the parts of a checked pattern; mechanisms without an overload use their prepared parts.
class Builder {
public:
  Builder(const Lengths& lengths, const PatternData& data, const Run& run)
      : lengths_(lengths), ranges_(lengths), data_(data), run_(run) {}

  std::vector<PartFormula> parts(const Pattern& pattern) const {
    const auto prepared = prepare(pattern, lengths_, data_, run_);
    return std::visit([&](const auto& m) { return partsOf(m, *prepared); }, pattern.mechanism());
  }

  Formula whole(const Pattern& pattern) const {
    std::vector<Formula> all;
    for (PartFormula& part : parts(pattern))
      all.push_back(std::move(part.formula));
    return anyOf(std::move(all));
  }

private:
  template <class M>
  std::vector<PartFormula> partsOf(const M&, const Prepared& p) const {
    return listedParts(p);
  }

  std::vector<PartFormula> listedParts(const Prepared& p) const {
    std::vector<PartFormula> parts;
    for (std::size_t k = 0; k < p.parts().size(); ++k)
      parts.push_back(
          {variableName(p.parts()[k].name), p.parts()[k].label, partFormula(p, k, run_)});
    return parts;
  }

  // Those that have a formula of their layout; radial attention's code has listed blocks.
  template <class M>
  requires requires(const M& m, Index n) { layoutFormula(m, n); }
  std::vector<PartFormula> partsOf(const M& m, const Prepared& p) const {
    if constexpr (std::is_same_v<M, Radial>)
      if (m.reading == Radial::Reading::Code)
        return listedParts(p);
    return layoutFormula(m, lengths_.keys);
  }

  std::vector<PartFormula> partsOf(const Expr& expr, const Prepared&) const {
    const Expression read(*expr.expr, lengths_.keys, expr.vars);
    return {{"formula", read.text(), allOf({causalIf(expr.causal), formulaOf(read)})}};
  }

  std::vector<PartFormula> partsOf(const VerticalSlash& lines, const Prepared&) const {
    const Formula distance = operation(Kind::Subtract, queryToken(), keyToken());
    std::vector<Index> met; // offsets that a token can have
    for (const Index o : lines.slash)
      if (o <= ranges_.query.most)
        met.push_back(o);
    return {{"vertical", "vertical columns",
             allOf({causalCells(), member(keyToken(), SortedIndices(lines.vertical).runs())})},
            {"slash", "slash diagonals",
             member(distance, SortedIndices(IndexList(std::move(met))).runs())}};
  }

  std::vector<PartFormula> partsOf(const Longformer& longformer, const Prepared& p) const {
    std::vector<IndexPair> runs;
    if (const auto* count = std::get_if<Index>(&longformer.globals))
      runs = *count > 0 ? std::vector<IndexPair>{{0, *count}} : std::vector<IndexPair>{};
    else
      runs = SortedIndices(std::get<IndexList>(longformer.globals)).runs();
    return {{"window", "window", partFormula(p, 0, run_)},
            {"global_tokens", "global tokens see all and are seen by all",
             allOf({causalIf(longformer.causal),
                    anyOf({member(queryToken(), runs), member(keyToken(), runs)})})}};
  }

  std::vector<PartFormula> partsOf(const Document& document, const Prepared& p) const {
    // Tokens after the last key lie in no document.
    if (ranges_.query.most > ranges_.key.most || (document.causal && document.prefix))
      return partsOf<Document>(document, p);
    const std::vector<Index> ids = documentIds(document);
    const Formula same =
        operation(Kind::Equal, documentOf(ids, queryToken()), documentOf(ids, keyToken()));
    return {{"document", "same document", allOf({same, causalIf(document.causal)})}};
  }

  // Neighbours in a grid: as the token's row and column say.
  std::vector<PartFormula> partsOf(const Graph& graph, const Prepared& p) const {
    if (graph.kind != Graph::Kind::Grid || ranges_.query.most > ranges_.key.most || graph.wrap)
      return partsOf<Graph>(graph, p);
    const Index cols = gridColumns(graph);
    const auto step = [&](Kind kind) {
      return operation(Kind::Absolute,
                       operation(Kind::Subtract, operation(kind, queryToken(), numberOf(cols)),
                                 operation(kind, keyToken(), numberOf(cols))));
    };
    const Formula down = step(Kind::Divide);
    const Formula across = step(Kind::Modulo);
    const Formula near =
        graph.neighborhood == 8
            ? allOf({operation(Kind::LessEqual, down, numberOf(1)),
                     operation(Kind::LessEqual, across, numberOf(1))})
            : operation(Kind::LessEqual, operation(Kind::Add, down, across), numberOf(1));
    const Formula other = graph.selfLoops ? Formula{Kind::True, 0, {}}
                                          : operation(Kind::NotEqual, queryToken(), keyToken());
    return {{"edges", "neighbours in a grid of " + std::to_string(cols) + " columns",
             allOf({near, other, causalIf(graph.causal)})}};
  }

  Index gridColumns(const Graph& graph) const {
    const Description& d = describe(graph);
    return std::get<Index>(d.find("cols")->resolved(Pattern(graph), lengths_.keys));
  }

  std::vector<PartFormula> partsOf(const Compose& compose, const Prepared&) const {
    std::vector<PartFormula> operands;
    for (std::size_t k = 0; k < compose.of.size(); ++k)
      operands.push_back(
          {"operand_" + std::to_string(k + 1), shortText(compose.of[k]), whole(compose.of[k])});
    if (compose.operation == Operation::Union)
      return operands;
    return {{"result", "", combined(compose.operation, operands)}};
  }

  std::vector<PartFormula> partsOf(const Drawn& drawn, const Prepared&) const {
    const Formula below = drawn.on ? whole(*drawn.on) : Formula{Kind::False, 0, {}};
    return {{"drawn", shortText(drawn), formulaOf(below, drawn.strokes, ranges_)}};
  }

  static Formula combined(Operation operation, const std::vector<PartFormula>& operands) {
    Formula result = operands.front().formula;
    if (operation == Operation::Complement)
      return negated(result);
    for (std::size_t k = 1; k < operands.size(); ++k) {
      const Formula& next = operands[k].formula;
      if (operation == Operation::SymmetricDifference)
        result = attention::operation(Kind::Differ, std::move(result), next);
      else
        result =
            allOf({std::move(result), operation == Operation::Difference ? negated(next) : next});
    }
    return result;
  }

  Lengths lengths_;
  TokenRanges ranges_;
  const PatternData& data_;
  const Run& run_;
};

} // namespace

std::vector<PartFormula> maskFormula(const Pattern& pattern, const Lengths& lengths, const Run& run,
                                     const PatternData& data) {
  std::vector<PartFormula> parts = Builder(lengths, data, run).parts(pattern);
  if (lengths.offset < 0) // queries without a token have empty rows
    for (PartFormula& part : parts)
      part.formula =
          allOf({operation(Kind::LessEqual, numberOf(0), queryToken()), std::move(part.formula)});
  return parts;
}

} // namespace attention
