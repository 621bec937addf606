#include "tests/core/pattern/random_pattern.h"

#include "core/pattern/mechanism/all.h"
#include "tests/core/pattern/random_layouts.h"

namespace attention {
namespace {

Index randomInteger(Dice& dice, const Bounds& bounds, Index n) {
  const auto low = static_cast<Index>(std::max(bounds.minimum, -1.0));
  const auto high = static_cast<Index>(std::min(bounds.maximum, static_cast<double>(n + 3)));
  const Index steps = high < low ? 0 : (high - low) / bounds.step;
  return low + bounds.step * dice.within(0, steps);
}

IndexList randomList(Dice& dice, const Bounds& bounds, Index n) {
  std::vector<Index> list;
  for (Index k = dice.within(0, 2) * dice.within(0, 8); k > 0; --k)
    list.push_back(randomInteger(dice, bounds, n));
  return list;
}

PairList randomPairs(Dice& dice, Index n) {
  std::vector<IndexPair> pairs;
  for (Index k = dice.within(0, 2 * n); k > 0; --k)
    pairs.emplace_back(dice.within(0, n - 1), dice.within(0, n - 1));
  return pairs;
}

// A number of a small grammar, without a division by zero.
std::string randomTerm(Dice& dice, int depth) {
  const auto inner = [&] { return randomTerm(dice, depth + 1); };
  switch (dice.within(0, depth < 3 ? 9 : 3)) {
  case 0:
  case 1:
    return "i";
  case 2:
    return "j";
  case 3:
    return std::to_string(dice.within(0, 9));
  case 4:
    return "(" + inner() + " + " + inner() + ")";
  case 5:
    return inner() + " - " + inner();
  case 6:
    return "min(" + inner() + ", " + inner() + ", step)";
  case 7:
    return "-abs(" + inner() + ")";
  case 8:
    return "(" + inner() + ") // " + std::to_string(dice.within(1, 5));
  default:
    return "(" + inner() + ") % " + std::to_string(dice.within(1, 5));
  }
}

std::string randomFormula(Dice& dice, int depth = 0) {
  const auto inner = [&] { return randomFormula(dice, depth + 1); };
  switch (dice.within(0, depth < 3 ? 5 : 2)) {
  case 0:
    return randomTerm(dice, 0) + " <= " + randomTerm(dice, 0);
  case 1:
    return "0 <= i - j < " + randomTerm(dice, 1);
  case 2:
    return "(" + randomTerm(dice, 0) + " ^ j) & 3 != 1";
  case 3:
    return "(" + inner() + ") && " + inner();
  case 4:
    return "(" + inner() + " || " + inner() + ")";
  default:
    return "!(" + inner() + ")";
  }
}

// Centroids of the width of randomData.
MatrixSource randomMatrixSource(Dice& dice) {
  const Index rows = dice.within(1, 5);
  std::vector<double> values;
  for (Index k = 0; k < 3 * rows; ++k)
    values.push_back(static_cast<double>(dice.within(-4, 4)) / 2);
  return {"", {rows, 3}, SharedList<double>(std::move(values))};
}

Pattern randomOperand(Dice& dice, Index n, int depth) {
  const auto last = static_cast<Index>(allMechanisms().size()) - 1;
  const auto mechanism = static_cast<std::size_t>(dice.within(0, last));
  return depth < 2 ? randomPattern(dice, mechanism, n, depth + 1) : Pattern(Causal{});
}

Value randomPatterns(Dice& dice, Index n, int depth) {
  PatternList operands;
  for (Index k = dice.within(1, 3); k > 0; --k)
    operands.push_back(randomOperand(dice, n, depth));
  return std::make_shared<const PatternList>(std::move(operands));
}

IndexPlace randomPlace(Dice& dice, Stroke::Shape shape, Index n) {
  const auto token = [&] { return dice.within(0, n); }; // now and then beyond the mask
  const auto line = [&]() -> IndexPlace {
    const Index begin = token();
    return dice.chance(2) ? IndexPlace{token()}
                          : IndexPlace{token(), begin, dice.within(begin, n + 3)};
  };
  switch (shape) {
  case Stroke::Shape::Cells:
    return {token(), token()};
  case Stroke::Shape::Rectangle: {
    const Rect rect = dice.rect(n + 2, n + 2);
    return {rect.rowBegin, rect.rowEnd, rect.keyBegin, rect.keyEnd};
  }
  case Stroke::Shape::Row:
  case Stroke::Shape::Column:
    return line();
  case Stroke::Shape::Diagonal:
    break;
  }
  const Index offset = dice.within(-n, n);
  return dice.chance(2) ? IndexPlace{offset} : IndexPlace{offset, dice.within(1, 4)};
}

Value randomValue(Dice& dice, const Pattern& pattern, const Parameter& parameter, Index n,
                  int depth) {
  const Bounds bounds = parameter.bounds(pattern, n);
  switch (parameter.type) {
  case ParameterType::Integer:
    return randomInteger(dice, bounds, n);
  case ParameterType::Seed:
    return static_cast<std::uint64_t>(dice.within(0, 99));
  case ParameterType::Real:
    return static_cast<double>(dice.within(0, 20)) / 20;
  case ParameterType::Boolean:
    return dice.chance(2);
  case ParameterType::Choice: {
    const auto last = static_cast<Index>(parameter.choices.size()) - 1;
    return parameter.choices[static_cast<std::size_t>(dice.within(0, last))].value;
  }
  case ParameterType::Text:
    return randomFormula(dice);
  case ParameterType::Integers:
    return randomList(dice, bounds, n);
  case ParameterType::Reals: {
    std::vector<double> list;
    for (int k = 0; k < 3; ++k)
      list.push_back(static_cast<double>(dice.within(-2, 4)) / 12);
    return RealList(std::move(list));
  }
  case ParameterType::IntegersOrCount:
    if (dice.chance(3))
      return dice.within(0, n + 2);
    return randomList(dice, {0, static_cast<double>(n - 1)}, n);
  case ParameterType::IntegersOrOne:
    return randomInteger(dice, bounds, n); // lists must fit the axes
  case ParameterType::BooleansOrOne:
    return dice.chance(2);
  case ParameterType::Pairs:
    return randomPairs(dice, n);
  case ParameterType::Paths:
    return PathList();
  case ParameterType::Named:
    return Variables{};
  case ParameterType::Mask:
    return MaskSource{"", 0, 0, randomPairs(dice, n), {}};
  case ParameterType::Matrix:
    return randomMatrixSource(dice);
  case ParameterType::Pattern:
    return std::make_shared<const Pattern>(randomOperand(dice, n, depth));
  case ParameterType::Patterns:
    return randomPatterns(dice, n, depth);
  case ParameterType::Strokes:
    return randomStrokes(dice, n);
  }
  return {};
}

// Lengths that sum to n, or ids of n tokens.
void fitDocuments(Dice& dice, Document& document, Index n) {
  std::vector<Index> values;
  if (dice.chance(2)) {
    for (Index left = n; left > 0; left -= values.back())
      values.push_back(dice.within(0, std::min<Index>(left, dice.within(1, n))));
    document.lengths = IndexList(std::move(values));
    document.ids.reset();
    return;
  }
  for (Index token = 0; token < n; ++token)
    values.push_back(token > 0 && !dice.chance(4) ? values.back() : dice.within(-1, 3));
  document.ids = IndexList(std::move(values));
  document.lengths.reset();
}

// Parameters that must fit each other and n, beyond their bounds.
struct Fit {
  Dice& dice;
  Index n;

  // Of the width of randomData.
  void fitIndexer(std::optional<Index>& dim) const {
    if (dim)
      dim = dice.within(1, 3);
  }

  template <class M>
  void operator()(M&) const {}
  void operator()(Compose& compose) const {
    if (compose.operation == Operation::Complement)
      compose.of.resize(1);
  }
  void operator()(Cluster& cluster) const {
    cluster.k = std::min(cluster.k, n);
    std::vector<Index> labels;
    for (Index token = 0; token < n; ++token)
      labels.push_back(dice.within(-1, 3));
    if (cluster.labels)
      cluster.labels = IndexList(std::move(labels));
  }
  void operator()(Routing& routing) const { routing.k = std::min(routing.k, n); }
  void operator()(Lsh& lsh) const {
    if (lsh.buckets)
      lsh.buckets = dice.chance(3) ? IndexList{2, 4} : IndexList{2 * dice.within(1, 5)};
    lsh.rounds = std::min<Index>(lsh.rounds, 4);
    lsh.rotations.reset();
    if (lsh.lookback == Lsh::Lookback::WrapAll)
      lsh.chunk = n % 2 == 0 ? n / 2 : n;
  }
  void operator()(Document& document) const { fitDocuments(dice, document, n); }
  void operator()(Expr& expr) const { expr.vars = {{"step", dice.within(-3, 5)}}; }
  void operator()(Graph& graph) const {
    graph.k = graph.kind == Graph::Kind::SmallWorld ? std::min(graph.k, (n - 1) / 2) : graph.k;
    Index rows = dice.within(1, n);
    while (n % rows != 0)
      --rows;
    if (graph.rows)
      graph.rows = rows;
    if (graph.cols)
      graph.cols = n / rows;
  }
  void operator()(Neighborhood& of) const { fitLayout(dice, of, n); }
  void operator()(BlockDiffusion& diffusion) const {
    if (n % 2 != 0)
      diffusion.part = BlockDiffusion::Stage::Sample;
  }
  void operator()(Spans& spans) const { fitLayout(dice, spans, n); }
  void operator()(Tree& tree) const { fitLayout(dice, tree, n); }
  void operator()(Radial& radial) const { fitLayout(dice, radial, n); }
  void operator()(DilatedSegments& of) const { fitLayout(dice, of, n); }
  void operator()(BigBird& bigbird) const {
    if (bigbird.reading == BigBird::Reading::HfEval)
      bigbird.globalFirst = std::max<Index>(bigbird.globalFirst, 1);
  }
  void operator()(Dsa& dsa) const { fitIndexer(dsa.indexDim); }
  void operator()(Msa& msa) const {
    fitIndexer(msa.indexDim);
    msa.topK = std::max(msa.topK, msa.localBlocks);
  }
  void operator()(BlockTopK& topk) const {
    topk.topK = std::max(topk.topK, topk.sinkBlocks + topk.localBlocks);
  }
  void operator()(XAttention& x) const {
    x.stride = dice.within(1, 4);
    x.blockSize = x.stride * dice.within(1, 4);
    x.firstChunk = x.blockSize * dice.within(0, 1) * dice.within(0, 4);
  }
  void operator()(Sparge& sparge) const {
    if (sparge.cdf && sparge.ratio)
      (dice.chance(2) ? sparge.cdf : sparge.ratio).reset();
  }
  void operator()(FlexPrefill& flex) const { flex.blockSize = dice.within(1, 5); }
  void operator()(Nsa& nsa) const {
    nsa.compressStride = dice.within(1, 3);
    nsa.compressBlock = nsa.compressStride * dice.within(1, 3);
    nsa.selectBlock = nsa.compressStride * dice.within(1, 3);
    nsa.selectCount = nsa.initBlocks + nsa.localBlocks + dice.within(0, 2);
  }
  void operator()(Cache& cache) const {
    if (cache.policy == Cache::Policy::SnapKv) {
      cache.prompt = dice.within(1, n);
      cache.budget = dice.within(2, 8);
      cache.window = dice.within(1, *cache.budget - 1);
    }
    if (cache.recent == 0)
      cache.recent = 1;
  }
  // Mostly values that fit; now and then any value within the bounds.
  void operator()(Fixed& fixed) const {
    const Index l = strideOf(fixed, n);
    if (fixed.columns)
      fixed.columns = dice.within(1, l);
    fixed.subblock = dice.within(0, l / columnsOf(fixed, n) - 1);
  }
};

} // namespace

PatternData randomData(Index n, Index d) {
  Dice dice(static_cast<int>(n) + 77);
  const auto draw = [&] {
    Matrix<double> m(n, d);
    for (Index i = 0; i < n; ++i)
      for (Index c = 0; c < d; ++c)
        m(i, c) = static_cast<double>(dice.within(-4, 4)) / 2;
    return m;
  };
  const Matrix<double> q = draw();
  const Matrix<double> k = draw();
  return patternData<double>(q.view(), k.view(), n % 3 == 0);
}

bool hasLayout(const Pattern& pattern) {
  return pattern.is<Neighborhood>() || pattern.is<BlockDiffusion>() || pattern.is<Spans>() ||
         pattern.is<Tree>() || pattern.is<Radial>();
}

bool isMadeOfOthers(std::size_t mechanism) {
  const Pattern& pattern = allMechanisms()[mechanism];
  return pattern.is<Compose>() || pattern.is<Drawn>();
}

StrokeList randomStrokes(Dice& dice, Index n) {
  std::vector<Stroke> strokes;
  for (Index count = dice.within(0, 6); count > 0; --count) {
    Stroke stroke;
    stroke.add = dice.chance(2);
    stroke.shape = static_cast<Stroke::Shape>(dice.within(0, 4));
    std::vector<IndexPlace> places;
    const Index most = stroke.shape == Stroke::Shape::Cells ? 12 : 2;
    for (Index place = dice.within(1, most); place > 0; --place)
      places.push_back(randomPlace(dice, stroke.shape, n));
    stroke.at = std::move(places);
    stroke.period = dice.chance(3) ? dice.within(1, n + 1) : 0;
    stroke.mirror = dice.chance(3);
    strokes.push_back(std::move(stroke));
  }
  return strokes;
}

Pattern randomPattern(Dice& dice, std::size_t mechanism, Index n, int depth) {
  Pattern pattern = allMechanisms()[mechanism];
  for (const Parameter& parameter : description(pattern).parameters) {
    const bool given = parameter.required || dice.chance(2);
    if (given)
      parameter.set(pattern, randomValue(dice, pattern, parameter, n, depth));
  }
  std::visit(Fit{dice, n}, pattern.mechanism());
  dropUnread(pattern);
  if (auto* longformer = pattern.as<Longformer>())
    if (longformer->reading == Longformer::Reading::Total)
      longformer->window -= longformer->window % 2;
  return pattern;
}

} // namespace attention
