#include "core/input/further_arrays.h"

#include <algorithm>
#include <set>

namespace attention {
namespace {

// What is left of an array once leading axes are taken off.
struct ArrayPlane {
  std::vector<Index> shape;
  Index first = 0; // its first element

  Index elements() const {
    Index size = 1;
    for (const Index length : shape)
      size *= length;
    return size;
  }
  void choose(Index item) {
    shape.erase(shape.begin());
    first += item * elements();
  }
};

MatrixSource planeOf(const Tensor& tensor, const Input& input, bool ofLayer, Index batch,
                     Index head) {
  ArrayPlane plane{tensor.shape};
  if (input.batchAxis && !ofLayer && plane.shape.size() > 2 && plane.shape.front() == input.batches)
    plane.choose(batch);
  // An axis of tokens is none of heads, however many there are.
  const Index axis = plane.shape.front();
  const bool tokens = axis == input.queries || axis == input.keys;
  if (input.headAxis && plane.shape.size() > 2 && !tokens &&
      (axis == input.heads || axis == input.kvHeads))
    plane.choose(axis == input.heads ? head : head / (input.heads / input.kvHeads));
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(plane.elements()));
  for (Index at = 0; at < plane.elements(); ++at)
    values.push_back(number(tensor, plane.first + at));
  return {"", IndexList(std::move(plane.shape)), SharedList<double>(std::move(values))};
}

} // namespace

std::vector<std::string> furtherNames() {
  std::set<std::string> names;
  for (const Pattern& pattern : allMechanisms())
    for (const OptionalArray& array : description(pattern).arrays)
      names.insert(array.name);
  return {names.begin(), names.end()};
}

std::map<std::string, MatrixSource> furtherArrays(const Input& input, Index batch, Index head) {
  std::map<std::string, MatrixSource> arrays;
  for (const auto& [name, tensors] : input.further) {
    const bool ofLayer = input.furtherOfLayers;
    arrays.emplace(name, planeOf(tensors[ofLayer ? static_cast<std::size_t>(batch) : 0], input,
                                 ofLayer, batch, head));
  }
  return arrays;
}

MatrixSource rowsOf(const MatrixSource& array, Index first, Index rows) {
  std::vector<Index> shape = array.shape.get();
  const Index width = static_cast<Index>(array.values.size()) / shape.front();
  shape.front() = rows;
  const auto begin = array.values.begin() + first * width;
  return {"", IndexList(std::move(shape)),
          SharedList<double>(std::vector<double>(begin, begin + rows * width))};
}

} // namespace attention
