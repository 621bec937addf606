#include "core/input/input_files.h"
#include "core/support/number_text.h"

namespace attention {
namespace {

void requireEqual(const Tensor& wrong, const Tensor& other, std::size_t axis,
                  const std::string& rule) {
  if (wrong.fromEnd(axis) != other.fromEnd(axis))
    throwShapes(wrong, other, rule);
}

void checkOne(const Tensor& tensor) {
  if (!isFloat(tensor.dtype))
    throwDType(tensor, "one of float16, bfloat16, float32 and float64");
  if (tensor.shape.size() < 2)
    throw Error(ErrorCode::Shape, tensor.label(),
                tensor.label() + " has shape " + shapeText(tensor.shape) +
                    "; it must be [n, d], [heads, n, d] or [batch, heads, n, d]");
  if (tensor.fromEnd(1) > kMaxLength)
    throw Error(ErrorCode::Range, tensor.label(),
                tensor.label() + " has " + countText(tensor.fromEnd(1), "row") +
                    "; it must have at most 2^30");
}

// Keys and values agree in everything but width; queries may be longer or shorter, and have more
// heads.
// Where no values are given, `v` are the keys.
void checkTrio(const Tensor& q, const Tensor& k, const Tensor& v) {
  for (const Tensor* tensor : {&q, &k, &v})
    checkOne(*tensor);
  for (const Tensor* tensor : {&k, &v})
    if (tensor->shape.size() != q.shape.size())
      throwShapes(*tensor, q, "the numbers of dimensions must agree");
  // Of three lengths the odd one out is named.
  if (k.fromEnd(1) != v.fromEnd(1)) {
    const bool keysDiffer = v.fromEnd(1) == q.fromEnd(1);
    throwShapes(keysDiffer ? k : v, keysDiffer ? q : k, "the lengths must agree");
  }
  requireEqual(k, q, 0, "the widths must agree");
  requireEqual(v, k, 2, "the numbers of heads must agree");
  requireEqual(k, q, 3, "the leading axes must agree");
  requireEqual(v, q, 3, "the leading axes must agree");
  if (q.fromEnd(2) % k.fromEnd(2) != 0)
    throwShapes(k, q, "the heads of keys must divide those of queries");
}

std::string matrixName(const Tensor& tensor) {
  return tensor.name.empty() ? tensor.file : "\"" + tensor.name + "\"";
}

Matrix<double> weightOf(const Tensor& tensor) {
  checkOne(tensor);
  if (tensor.shape.size() != 2)
    throw Error(ErrorCode::Shape, tensor.label(),
                tensor.label() + " has shape " + shapeText(tensor.shape) + "; it must be a matrix");
  return slice<double>(tensor);
}

} // namespace

void throwShapes(const Tensor& wrong, const Tensor& other, const std::string& rule) {
  const std::string second = other.file == wrong.file ? matrixName(other) : other.label();
  throw Error(ErrorCode::Shape, wrong.label(),
              wrong.label() + " has shape " + shapeText(wrong.shape) + ", " + second + " has " +
                  shapeText(other.shape) + ": " + rule);
}

void setStored(Input& input, Stored arrays) {
  const bool layered = arrays.q.size() > 1 || !input.batchLabels.empty();
  for (std::size_t layer = 0; layer < arrays.q.size(); ++layer) {
    checkTrio(arrays.q[layer], arrays.k[layer],
              arrays.v.empty() ? arrays.k[layer] : arrays.v[layer]);
    for (const auto* list : {&arrays.q, &arrays.k, &arrays.v}) {
      if (list->empty())
        continue;
      const Tensor& tensor = (*list)[layer];
      if (tensor.shape != list->front().shape)
        throwShapes(tensor, list->front(), "layers must agree");
      if (layered && tensor.shape.size() > 3)
        throwShapes(tensor, list->front(), "arrays of one layer have at most three dimensions");
    }
  }
  const Tensor& q = arrays.q.front();
  input.queries = q.fromEnd(1);
  input.keys = arrays.k.front().fromEnd(1);
  input.d = q.fromEnd(0);
  input.dv = arrays.v.empty() ? 0 : arrays.v.front().fromEnd(0);
  input.heads = q.fromEnd(2);
  input.kvHeads = arrays.k.front().fromEnd(2);
  input.batches = layered ? static_cast<Index>(arrays.q.size()) : q.fromEnd(3);
  input.batchAxis = layered || q.shape.size() == 4;
  input.headAxis = q.shape.size() >= 3;
  input.source = std::move(arrays);
}

void setProjected(Input& input, const Tensor& x, const std::array<Tensor, 3>& weights,
                  const Tensor* wo, Index heads, Index batch, const Run& run) {
  checkOne(x);
  if (x.shape.size() > 3)
    throw Error(ErrorCode::Shape, x.label(),
                x.label() + " has shape " + shapeText(x.shape) +
                    "; it must be [n, D] or [batch, n, D]");
  if (batch < 0 || batch >= x.fromEnd(2))
    throwRange("batch", std::to_string(batch), "0 to " + std::to_string(x.fromEnd(2) - 1));
  for (const Tensor& weight : weights)
    if (weight.shape.size() == 2 && weight.shape[0] != x.fromEnd(0))
      throwShapes(weight, x, "the rows must be as many as the columns of x");
  Weights matrices{weightOf(weights[0]), weightOf(weights[1]), weightOf(weights[2]), {}};
  if (wo != nullptr)
    matrices.wo = weightOf(*wo);
  Projected projected = project(slice<double>(x, 0, batch, run), matrices, heads, run);
  input.queries = input.keys = projected.q.rows();
  input.d = projected.d();
  input.dv = projected.dv();
  input.heads = projected.heads;
  input.kvHeads = projected.kvHeads;
  input.headAxis = projected.heads > 1;
  input.source = std::move(projected);
}

void setWeightValues(Input& input, Tensor values) {
  const Tensor& weights = *input.weights;
  checkOne(values);
  if (values.fromEnd(1) != input.keys)
    throwShapes(values, weights, "there must be a row of values for each key");
  if (values.fromEnd(2) < 1 || input.heads % values.fromEnd(2) != 0)
    throwShapes(values, weights, "the heads of values must divide those of the weights");
  if (values.fromEnd(3) != input.batches)
    throwShapes(values, weights, "the leading axes must agree");
  input.dv = values.fromEnd(0);
  input.kvHeads = values.fromEnd(2);
  input.weightValues = std::move(values);
}

void setWeightShapes(Input& input) {
  if (!input.weights)
    return;
  const Tensor& weights = *input.weights;
  checkOne(weights);
  if (!input.hasQkv()) {
    input.queries = weights.fromEnd(1);
    input.keys = weights.fromEnd(0);
    input.heads = input.kvHeads = weights.fromEnd(2);
    input.batches = weights.fromEnd(3);
    input.batchAxis = weights.shape.size() == 4;
    input.headAxis = weights.shape.size() >= 3;
    return;
  }
  const std::array<Index, 4> needed{input.batches, input.heads, input.queries, input.keys};
  for (std::size_t axis = 0; axis < 4; ++axis)
    if (weights.fromEnd(3 - axis) != needed[axis])
      throw Error(ErrorCode::Shape, weights.label(),
                  weights.label() + " has shape " + shapeText(weights.shape) +
                      "; it must be (batch, heads, n_q, n_k) of the queries and keys, " +
                      shapeText(needed));
}

} // namespace attention
