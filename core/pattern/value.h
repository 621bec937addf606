// The value of one parameter, whatever its type: what JSON, the command line and the window's
// controls exchange with the parameter structs of the patterns.
#pragma once

#include "core/support/integers.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace attention {

// An immutable list that copies cheaply (Scenes are copied at every edit) and compares by content.
template <class T>
class SharedList {
public:
  SharedList() = default;
  SharedList(std::vector<T> values)
      : values_(std::make_shared<const std::vector<T>>(std::move(values))) {}
  SharedList(std::initializer_list<T> values) : SharedList(std::vector<T>(values)) {}

  const std::vector<T>& get() const {
    static const std::vector<T> kNone;
    return values_ ? *values_ : kNone;
  }
  std::size_t size() const { return get().size(); }
  bool empty() const { return get().empty(); }
  auto begin() const { return get().begin(); }
  auto end() const { return get().end(); }
  const T& operator[](std::size_t k) const { return get()[k]; }
  friend bool operator==(const SharedList& a, const SharedList& b) {
    return a.values_ == b.values_ || a.get() == b.get();
  }

private:
  std::shared_ptr<const std::vector<T>> values_;
};

class Pattern;

enum class Truth : bool { False, True }; // of a list: std::vector<bool> holds no bools

using IndexList = SharedList<Index>;
using TokenList = std::variant<Index, IndexList>; // a count k of first tokens, or their indices
using TruthList = SharedList<Truth>;
using AxisNumbers = std::variant<Index, IndexList>; // one for all axes, or one per axis
using AxisTruths = std::variant<bool, TruthList>;
using PathList = SharedList<std::vector<Index>>; // nodes of a tree by the turns that lead to them
using IndexPair = std::pair<Index, Index>;
using PairList = SharedList<IndexPair>;
using RealList = SharedList<double>;
using IndexPlace = std::vector<Index>; // one place of a stroke: a cell, a rectangle, a line
using Variables = std::map<std::string, Index>;
using PatternList = std::vector<Pattern>;

// Keys begin ≤ j < end of one query; lengths are at most 2^30, so 32 bits hold them.
struct QueryRun {
  std::int32_t query = 0;
  std::int32_t begin = 0;
  std::int32_t end = 0;
  auto operator<=>(const QueryRun&) const = default;
};

// A given mask (S4.19): the cells themselves, or the file that holds them.
struct MaskSource {
  std::string file; // empty if the cells were given directly
  Index rows = 0;   // with pairs or runs; 0: the mask's own lengths
  Index cols = 0;
  PairList pairs;            // attended cells, if no file
  SharedList<QueryRun> runs; // what was read from the file: sorted, disjoint
  bool read = false;         // whether the file's cells are here
  // The pairs may be rows of 0 and 1 instead, where the mask has as many queries, and two keys.
  bool pairsOrRows = false;
  bool operator==(const MaskSource&) const = default;
};

// Numbers from outside (centroids, rotations): the values themselves, or the file that holds them.
struct MatrixSource {
  std::string file;          // empty if the values were given directly
  IndexList shape;           // two or three lengths; empty: the file has not been read
  SharedList<double> values; // the last index fastest
  bool operator==(const MatrixSource&) const = default;
};

// Cells that were added or removed by hand at once; see strokes.h for what `at` means.
struct Stroke {
  enum class Shape { Cells, Rectangle, Row, Column, Diagonal };

  bool add = true; // else remove
  Shape shape = Shape::Cells;
  SharedList<IndexPlace> at;
  Index period = 0; // tokens after which the stroke comes again; 0: it does not
  bool mirror = false;
  bool operator==(const Stroke&) const = default;
};
using StrokeList = SharedList<Stroke>;

// std::monostate: not given, the default holds. Seeds are the only unsigned numbers.
using Value = std::variant<std::monostate, bool, Index, std::uint64_t, double, std::string,
                           IndexList, RealList, PairList, Variables, std::shared_ptr<const Pattern>,
                           std::shared_ptr<const PatternList>, MaskSource, MatrixSource, StrokeList,
                           TruthList, PathList>;

} // namespace attention
