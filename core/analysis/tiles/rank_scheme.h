// How queries are split over devices (spec T10).
#pragma once

namespace attention {

enum class RankScheme {
  Contiguous, // rank r has the rows [r n / R, (r + 1) n / R)
  Zigzag,     // 2 R such chunks; ranks go there and back (PyTorch's head-tail balancer)
  Striped,    // chunk after chunk, in turn
  Sorted,     // chunks by falling work, dealt there and back (PyTorch's round robin)
  Greedy      // chunks by falling work, each to the rank with the least so far
};

} // namespace attention
