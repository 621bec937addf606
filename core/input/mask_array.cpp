// Masks as arrays: 0 and 1 of any dtype, or additive ones as models add them to their scores.
#include "core/input/mapped_file.h"
#include "core/input/mask_file.h"
#include "core/input/mask_readers.h"
#include "core/support/text.h"

#include <limits>

namespace attention {
namespace {

enum class Form { Unknown, Binary, Additive };

// A mask is one of the two where some cell is neither 0 nor its own.
Form formOf(double value, DType dtype) {
  if (value == 1.0)
    return Form::Binary;
  const bool least = dtype == DType::Int8 && value == std::numeric_limits<std::int8_t>::min();
  return isForbidden(value) || least ? Form::Additive : Form::Unknown;
}

// Whether a mask of this form may hold `value`, which decides the form if nothing did so far.
bool fits(double value, DType dtype, Form& form) {
  if (value == 0.0)
    return true;
  const Form own = formOf(value, dtype);
  if (own == Form::Unknown || (form != Form::Unknown && form != own))
    return false;
  form = own;
  return true;
}

std::vector<Index> placeOf(const Tensor& tensor, Index flat) {
  std::vector<Index> place(tensor.shape.size());
  for (std::size_t axis = place.size(); axis-- > 0; flat /= tensor.shape[axis])
    place[axis] = flat % tensor.shape[axis];
  return place;
}

[[noreturn]] void failValue(const Tensor& tensor, Index flat) {
  throw Error(ErrorCode::Type, tensor.label(),
              tensor.label() + " holds " + shortest(number(tensor, flat)) + " at " +
                  shapeText(placeOf(tensor, flat)) +
                  "; a mask must hold only 0 and 1, or only 0 and numbers of at most -10000 "
                  "(as -inf)");
}

void requireShape(const Tensor& tensor) {
  if (tensor.dtype == DType::Text)
    throwDType(tensor, "bool or numbers");
  if (tensor.shape.size() < 2 || tensor.fromEnd(1) > kMaxLength || tensor.fromEnd(0) > kMaxLength)
    throw Error(ErrorCode::Shape, tensor.label(),
                tensor.label() + " has shape " + shapeText(tensor.shape) +
                    "; a mask must be (n_q, n_k), each at most 2^30, with axes of layers and "
                    "heads before them or not");
}

// The chosen index of an axis; any will do where there is only one.
Index chosenOf(const Tensor& tensor, const char* name, std::optional<Index> chosen, Index length) {
  if (length == 1 || !chosen)
    return 0;
  if (*chosen < 0 || *chosen >= length)
    throw Error(ErrorCode::Range, name,
                std::string(name) + " is " + std::to_string(*chosen) + "; it must be 0 to " +
                    std::to_string(length - 1) + " for " + tensor.label() + " of shape " +
                    shapeText(tensor.shape));
  return *chosen;
}

// Which of the masks, counted in C order.
Index planeOf(const Tensor& tensor, const MaskPlane& plane) {
  const MaskAxes axes = maskAxes(tensor);
  const bool head = plane.head && *plane.head < axes.heads;
  if (axes.oneAxis && plane.batch && !head)
    return chosenOf(tensor, "batch", plane.batch, axes.heads);
  return chosenOf(tensor, "batch", plane.batch, axes.batches) * axes.heads +
         chosenOf(tensor, "head-index", plane.head, axes.heads);
}

// The first number of the array that no mask of this form may hold; nothing where all fit, or once
// `enough` are read.
template <class Enough>
std::optional<Index> firstMisfit(const Tensor& tensor, Form& form, const Enough& enough,
                                 const Run& run) {
  const Index cols = tensor.fromEnd(0);
  for (Index flat = 0; flat < tensor.elements() && !enough(); ++flat) {
    if (flat % cols == 0)
      run.check();
    if (!fits(number(tensor, flat), tensor.dtype, form))
      return flat;
  }
  return std::nullopt;
}

// The form of the whole array, for a mask of zeros: they attend where others are additive.
Form formOfAll(const Tensor& tensor, const Run& run) {
  Form form = Form::Unknown;
  const auto known = [&form] { return form != Form::Unknown; };
  if (const auto misfit = firstMisfit(tensor, form, known, run))
    failValue(tensor, *misfit);
  return known() ? form : Form::Binary;
}

MaskFile readPlane(const Tensor& tensor, const MaskPlane& plane, const Run& run) {
  MaskFile mask;
  mask.rows = tensor.fromEnd(1);
  mask.cols = tensor.fromEnd(0);
  mask.axes = maskAxes(tensor);
  const Index begin = planeOf(tensor, plane) * mask.rows * mask.cols;
  Form form = Form::Unknown;
  std::vector<QueryRun> zeros; // what attends where the mask is additive
  for (Index i = 0; i < mask.rows; ++i) {
    run.check();
    for (Index j = 0; j < mask.cols; ++j) {
      const Index flat = begin + i * mask.cols + j;
      const double value = number(tensor, flat);
      if (!fits(value, tensor.dtype, form))
        failValue(tensor, flat);
      if (value == 1.0)
        appendCell(mask.runs, i, j);
      else if (value == 0.0 && form != Form::Binary)
        appendCell(zeros, i, j);
    }
  }
  mask.zeros = form == Form::Unknown && tensor.dtype != DType::Bool;
  if (form == Form::Unknown)
    form = formOfAll(tensor, run);
  if (form == Form::Additive)
    mask.runs = std::move(zeros);
  return mask;
}

bool allFit(const Tensor& tensor, const Run& run) {
  Form form = Form::Unknown;
  return !firstMisfit(
      tensor, form, [] { return false; }, run);
}

} // namespace

MaskAxes maskAxes(const Tensor& tensor) {
  requireShape(tensor);
  const Index batches = tensor.fromEnd(3);
  return {batches, tensor.fromEnd(2),
          tensor.shape.size() == 3 || (tensor.shape.size() == 4 && batches == 1)};
}

std::string wordsOfEmpty(const MaskFile& mask) {
  return std::string("no query sees a key") +
         (mask.zeros ? "; an array of zeros is read as cells of 0 and 1, not as an additive mask"
                     : "");
}

MaskFile maskOf(const Tensor& tensor, const MaskPlane& plane, const Run& run) {
  requireShape(tensor);
  return readUnchanged(tensor.data, [&] { return readPlane(tensor, plane, run); });
}

bool holdsMask(const Tensor& tensor, const Run& run) {
  if (tensor.dtype == DType::Text || tensor.shape.size() < 2)
    return false;
  return readUnchanged(tensor.data, [&] { return allFit(tensor, run); });
}

} // namespace attention
