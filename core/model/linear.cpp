#include "core/model/linear.h"

#include "core/support/parallel.h"
#include "core/support/tile_products.h"

#include <algorithm>
#include <cassert>

namespace attention {
namespace {

constexpr Index kPanel = 64;             // outputs: four vectors of 16 floats
constexpr Index kTogether = 16;          // rows of weights: a line of the cache in a panel
constexpr Index kSlab = Index{2} << 20U; // floats that are made at a time
constexpr Index kRowsTogether = 256;     // of x, at most about
constexpr Index kTileRows = 6;           // of tile_products.cpp

// Outputs [first, first + count) of a task, and where their weights lie as floats.
struct Panel {
  std::size_t task = 0;
  Index first = 0;
  Index count = 0;
  Index at = 0;
};

// The stored row of output o.
Index rowInFile(const LinearTask& task, Index o) {
  const Index d = task.pairedWidth;
  if (d == 0)
    return o;
  assert(d % 2 == 0);
  const Index within = o % d;
  const Index half = d / 2;
  return o - within + (within < half ? 2 * within : 2 * (within - half) + 1);
}

// Of a transposed matrix: as it is stored, input by input.
void fillPanelTransposed(const LinearTask& task, const Panel& panel, float* to) {
  for (Index c = 0; c < task.map.weight.cols; ++c, to += kPanel) {
    readColumn(task.map.weight, c, panel.first, {to, static_cast<std::size_t>(panel.count)});
    std::fill(to + panel.count, to + kPanel, 0.0F);
  }
}

// As floats, input by input; zeros where the panel has fewer than kPanel outputs.
void fillPanel(const LinearTask& task, const Panel& panel, float* to) {
  const WeightMatrix& weight = task.map.weight;
  if (weight.transposed && weight.groupRows == 0 && task.pairedWidth == 0)
    return fillPanelTransposed(task, panel, to);
  std::vector<float> rows(static_cast<std::size_t>(kTogether * weight.cols));
  for (Index first = 0; first < kPanel; first += kTogether) {
    const Index count = std::clamp<Index>(panel.count - first, 0, kTogether);
    for (Index r = 0; r < count; ++r)
      readRow(weight, rowInFile(task, panel.first + first + r),
              {rows.data() + r * weight.cols, static_cast<std::size_t>(weight.cols)});
    std::fill(rows.begin() + count * weight.cols, rows.end(), 0.0F);
    for (Index c = 0; c < weight.cols; ++c)
      for (Index r = 0; r < kTogether; ++r)
        to[c * kPanel + first + r] = rows[static_cast<std::size_t>(r * weight.cols + c)];
  }
}

void addBias(const LinearTask& task, const Panel& panel, MatrixView<float> out) {
  std::vector<float> bias;
  for (Index o = panel.first; o < panel.first + panel.count; ++o)
    bias.push_back(task.map.bias[static_cast<std::size_t>(rowInFile(task, o))]);
  for (Index i = 0; i < out.rows; ++i) {
    float* to = out.row(i).data();
    for (std::size_t c = 0; c < bias.size(); ++c)
      to[c] += bias[c];
  }
}

// Rows of x in blocks of about the same size.
struct RowBlocks {
  Index rows;
  Index count;
  Index size;

  explicit RowBlocks(Index of)
      : rows(of), count(std::max<Index>(ceilDiv(of, kRowsTogether), 1)),
        size(ceilDiv(ceilDiv(of, count), kTileRows) * kTileRows) {}
  Index begin(Index block) const { return std::min(block * size, rows); }
};

class Slab {
public:
  Slab(std::span<const LinearTask> tasks, LinearRoom& room, const Run& run)
      : tasks_(tasks), room_(room), run_(run) {}

  // Whether it takes further panels of a matrix with so many inputs.
  bool holds(Index inputs) const { return panels_.empty() || used_ + inputs * kPanel <= kSlab; }

  void append(std::size_t task, Index first) {
    const WeightMatrix& weight = tasks_[task].map.weight;
    panels_.push_back({task, first, std::min(kPanel, weight.rows - first), used_});
    used_ += weight.cols * kPanel;
  }

  void multiply(MatrixView<const float> x) {
    if (static_cast<Index>(room_.panels.size()) < used_)
      room_.panels.resize(static_cast<std::size_t>(used_));
    const auto panels = static_cast<Index>(panels_.size());
    parallelFor(panels, run_.threads, run_, [&](Index p) {
      const Panel& panel = panels_[static_cast<std::size_t>(p)];
      fillPanel(tasks_[panel.task], panel, room_.panels.data() + panel.at);
    });
    const RowBlocks blocks(x.rows);
    parallelFor(panels * blocks.count, run_.threads, run_, [&](Index chunk) {
      const Index block = chunk / panels;
      multiplyBlock(x, blocks.begin(block), blocks.begin(block + 1),
                    panels_[static_cast<std::size_t>(chunk % panels)]);
    });
    panels_.clear();
    used_ = 0;
  }

private:
  void multiplyBlock(MatrixView<const float> x, Index begin, Index end, const Panel& panel) const {
    const LinearTask& task = tasks_[panel.task];
    const MatrixView<float> out{task.out.data + begin * task.out.stride + panel.first, end - begin,
                                panel.count, task.out.stride};
    tileSums<float>(task.add ? TileSum::AddProducts : TileSum::Products,
                    {x.data + begin * x.stride, x.stride, 1},
                    {room_.panels.data() + panel.at, kPanel, 1}, x.cols, out);
    if (!task.map.bias.empty())
      addBias(task, panel, out);
  }

  std::span<const LinearTask> tasks_;
  LinearRoom& room_;
  const Run run_;
  std::vector<Panel> panels_;
  Index used_ = 0;
};

} // namespace

void applyLinear(MatrixView<const float> x, std::span<const LinearTask> tasks, LinearRoom& room,
                 const Run& run) {
  Slab slab(tasks, room, run.quiet());
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const WeightMatrix& weight = tasks[t].map.weight;
    assert(weight.cols == x.cols && weight.rows == tasks[t].out.cols);
    assert(tasks[t].out.rows == x.rows);
    for (Index first = 0; first < weight.rows; first += kPanel) {
      if (!slab.holds(weight.cols))
        slab.multiply(x);
      slab.append(t, first);
    }
  }
  slab.multiply(x);
}

} // namespace attention
