#include "core/c/border.h"

#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/parallel.h"
#include "core/support/text.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <new>

namespace attention::c {
namespace {

constexpr int kMostThreads = 1024;
constexpr Index kMostTensorHeads = Index{1} << 20;
constexpr Index kMostColumns = Index{1} << 20;
constexpr double kMostFloats = 0x1p46; // from the first float of a tensor to its last

int32_t codeOf(ErrorCode code) {
  switch (code) {
  case ErrorCode::N:
    return ATTNX_E_N;
  case ErrorCode::Range:
    return ATTNX_E_RANGE;
  case ErrorCode::Type:
    return ATTNX_E_TYPE;
  case ErrorCode::Shape:
    return ATTNX_E_SHAPE;
  case ErrorCode::NonFinite:
    return ATTNX_E_NONFINITE;
  case ErrorCode::Unknown:
    return ATTNX_E_UNKNOWN;
  case ErrorCode::Expr:
    return ATTNX_E_EXPR;
  case ErrorCode::Unsupported:
    return ATTNX_E_UNSUPPORTED;
  case ErrorCode::Io:
    return ATTNX_E_IO;
  }
  return ATTNX_E_INTERNAL;
}

[[noreturn]] void throwShape(const std::string& name, const std::string& sentence) {
  throw Error(ErrorCode::Shape, name, sentence);
}

void requireBetween(const std::string& subject, Index found, Index least, Index most) {
  if (found < least || found > most)
    throwShape(subject, subject + " is " + std::to_string(found) + "; it must be an integer from " +
                            std::to_string(least) + " to " + std::to_string(most));
}

// The strides to use.
struct Strides {
  Index row = 0;
  Index head = 0;
};

template <class Tensor>
Strides stridesOf(const Tensor& tensor, const std::string& name) {
  requireBetween(name + ".heads", tensor.heads, 1, kMostTensorHeads);
  requireBetween(name + ".rows", tensor.rows, 1, kMaxLength);
  requireBetween(name + ".cols", tensor.cols, 0, kMostColumns);
  const Index most = Index{1} << 46;
  requireBetween(name + ".row_stride", tensor.row_stride, 0, most);
  requireBetween(name + ".head_stride", tensor.head_stride, 0, most);
  if (tensor.data == nullptr && tensor.cols > 0)
    throwNull((name + ".data").c_str());
  const Index row = tensor.row_stride > 0 ? tensor.row_stride : tensor.cols;
  const double rows = static_cast<double>(tensor.rows) * static_cast<double>(row);
  if (rows <= kMostFloats) {
    const Index head = tensor.head_stride > 0 ? tensor.head_stride : tensor.rows * row;
    if (static_cast<double>(tensor.heads) * static_cast<double>(head) + rows <= kMostFloats)
      return {row, head};
  }
  throwShape(name, name + " reaches beyond 2^46 floats, more than any memory holds");
}

template <class View, class Tensor>
std::vector<View> viewsOf(const Tensor& tensor, const Strides& strides) {
  std::vector<View> views;
  views.reserve(static_cast<std::size_t>(tensor.heads));
  for (Index h = 0; h < tensor.heads; ++h)
    views.push_back({tensor.data == nullptr ? nullptr : tensor.data + h * strides.head, tensor.rows,
                     tensor.cols, strides.row});
  return views;
}

// Where a head lies, gaps between its rows included. Addresses, since those of different arrays
// have no order of their own.
struct Place {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  const char* name = "";

  bool meets(const Place& other) const { return begin < other.end && other.begin < end; }
};

Place placeOf(const float* begin, Index floats, const char* name) {
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  return {address, address + sizeof(float) * static_cast<std::uintptr_t>(floats), name};
}

template <class T>
Place placeOf(const MatrixView<T>& head, const char* name) {
  const bool empty = head.rows == 0 || head.cols == 0;
  return placeOf(head.data, empty ? 0 : (head.rows - 1) * head.stride + head.cols, name);
}

// The heads of the input sorted by their beginnings, each with its end extended to the latest end
// so far: one search then tells whether any of them overlaps a place.
class InputPlaces {
public:
  explicit InputPlaces(const HeadViews& heads) {
    add(heads.q, "q");
    add(heads.k, "k");
    add(heads.v, "v");
    std::sort(places_.begin(), places_.end(),
              [](const Place& a, const Place& b) { return a.begin < b.begin; });
    for (std::size_t k = 1; k < places_.size(); ++k)
      if (places_[k].end < places_[k - 1].end) {
        places_[k].end = places_[k - 1].end;
        places_[k].name = places_[k - 1].name;
      }
  }

  // E_SHAPE where an input overlaps it.
  void requireApart(const Place& written) const {
    const auto behind = std::partition_point(places_.begin(), places_.end(),
                                             [&](const Place& p) { return p.begin < written.end; });
    if (written.begin == written.end || behind == places_.begin())
      return;
    const Place& nearest = *std::prev(behind);
    if (nearest.end > written.begin)
      throwShape(written.name, std::string(written.name) + " overlaps " + nearest.name +
                                   " in memory; they must not overlap");
  }

private:
  void add(const std::vector<MatrixView<const float>>& heads, const char* name) {
    for (const MatrixView<const float>& head : heads)
      if (head.rows > 0 && head.cols > 0)
        places_.push_back(placeOf(head, name));
  }

  std::vector<Place> places_;
};

// Heads behind one another, or side by side within a row.
bool disjoint(const attnx_target& target, const Strides& strides) {
  const bool rows = target.rows == 1 || strides.row >= target.cols;
  const bool behind = rows && strides.head >= (target.rows - 1) * strides.row + target.cols;
  const bool beside =
      strides.head >= target.cols && strides.row >= (target.heads - 1) * strides.head + target.cols;
  return target.heads == 1 ? rows : behind || beside;
}

} // namespace

int32_t report(attnx_error* error, int32_t code, std::string_view message) noexcept {
  if (error == nullptr)
    return code;
  error->code = code;
  const std::size_t room = sizeof(error->message) - 1;
  std::size_t bytes = std::min(message.size(), room);
  while (bytes < message.size() && bytes > 0 &&
         (static_cast<unsigned char>(message[bytes]) & 0xC0U) == 0x80U)
    --bytes;                           // never splits a character
  message.copy(error->message, bytes); // not memcpy: an empty message has no address
  error->message[bytes] = '\0';
  return code;
}

int32_t reportFailure(attnx_error* error, const std::exception_ptr& failure) noexcept {
  try {
    std::rethrow_exception(failure);
  } catch (const Error& thrown) {
    return report(error, codeOf(thrown.code()), thrown.what());
  } catch (const std::bad_alloc&) {
    return report(error, ATTNX_E_MEMORY, "there is not enough memory");
  } catch (const std::length_error&) {
    return report(error, ATTNX_E_MEMORY, "there is not enough memory");
  } catch (const std::exception& thrown) {
    return report(error, ATTNX_E_INTERNAL, thrown.what());
  } catch (...) {
    return report(error, ATTNX_E_INTERNAL, "an unknown exception; this is a bug");
  }
}

void throwNull(const char* name) {
  throw Error(ErrorCode::Type, name, std::string(name) + " is a null pointer");
}

const Prepared& preparedOf(const attnx_pattern* pattern, const char* name) {
  return *required(pattern, name).prepared;
}

std::vector<std::shared_ptr<const Prepared>> preparedOf(const attnx_pattern* const* patterns,
                                                        int64_t count) {
  if (count < 1 || count > kMostTensorHeads)
    throwRange("count", std::to_string(count),
               "an integer from 1 to " + std::to_string(kMostTensorHeads));
  required(patterns, "patterns");
  std::vector<std::shared_ptr<const Prepared>> prepared;
  for (int64_t k = 0; k < count; ++k)
    prepared.push_back(
        required(patterns[k], ("patterns[" + std::to_string(k) + "]").c_str()).prepared);
  return prepared;
}

Rect rectOf(const Prepared& pattern, const attnx_rect* rect) {
  const Rect all = pattern.bounds();
  if (rect == nullptr)
    return all;
  const auto require = [](const char* axis, Index begin, Index end, Index most) {
    if (begin < 0 || begin > end || end > most)
      throwRange(std::string("rect: ") + axis, std::to_string(begin) + " to " + std::to_string(end),
                 "a range within 0 to " + std::to_string(most));
  };
  require("rows", rect->row_begin, rect->row_end, all.rowEnd);
  require("keys", rect->key_begin, rect->key_end, all.keyEnd);
  return {rect->row_begin, rect->row_end, rect->key_begin, rect->key_end};
}

int threadsOf(int32_t threads) {
  if (threads < 0 || threads > kMostThreads)
    throwRange("threads", std::to_string(threads),
               "an integer from 0 (the machine's) to " + std::to_string(kMostThreads));
  return threads;
}

std::vector<MatrixView<const float>> headsOf(const attnx_tensor& tensor, const char* name) {
  return viewsOf<MatrixView<const float>>(tensor, stridesOf(tensor, name));
}

std::vector<MatrixView<float>> headsOf(const attnx_target& target, const char* name) {
  const Strides strides = stridesOf(target, name);
  if (!disjoint(target, strides))
    throwShape(name, std::string(name) + " has strides " + std::to_string(strides.head) +
                         " (heads) and " + std::to_string(strides.row) +
                         " (rows), with which its rows overlap; rows must lie apart from one "
                         "another");
  return viewsOf<MatrixView<float>>(target, strides);
}

HeadViews headsOf(const attnx_input& input) {
  HeadViews heads{headsOf(input.q, "q"), headsOf(input.k, "k"), headsOf(input.v, "v")};
  if (input.v.heads != input.k.heads)
    throwShape("v", "v has " + countText(input.v.heads, "head") + "; it must have the " +
                        std::to_string(input.k.heads) + " of k");
  if (input.q.heads % input.k.heads != 0)
    throwShape("k", "k has " + countText(input.k.heads, "head") + "; it must divide the " +
                        std::to_string(input.q.heads) + " of q");
  return heads;
}

std::vector<MatrixView<float>> resultsOf(const attnx_target& target, const float* sums,
                                         const HeadViews& heads) {
  const auto count = static_cast<Index>(heads.q.size());
  const Index rows = heads.q.front().rows;
  const Index cols = heads.v.front().cols;
  const auto shape = [](Index h, Index n, Index d) {
    return std::to_string(h) + " × " + std::to_string(n) + " × " + std::to_string(d);
  };
  if (target.heads != count || target.rows != rows || target.cols != cols)
    throwShape("out", "out is " + shape(target.heads, target.rows, target.cols) + "; it must be " +
                          shape(count, rows, cols) + ", heads × n_q × d_v");
  std::vector<MatrixView<float>> out = headsOf(target, "out");
  const InputPlaces inputs(heads);
  const Place ofSums = placeOf(sums, sums == nullptr ? 0 : count * rows, "the array of row sums");
  inputs.requireApart(ofSums);
  for (const MatrixView<float>& head : out) {
    const Place place = placeOf(head, "out");
    inputs.requireApart(place);
    if (place.meets(ofSums))
      throwShape("out", "out overlaps the array of row sums in memory; they must not overlap");
  }
  return out;
}

void forEachHead(std::size_t heads, int threads,
                 const std::function<void(std::size_t head, int threads)>& body) {
  const int all = resolvedThreads(threads);
  if (heads % static_cast<std::size_t>(all) != 0) {
    for (std::size_t h = 0; h < heads; ++h)
      body(h, all);
    return;
  }
  parallelFor(static_cast<Index>(heads), all, {},
              [&](Index h) { body(static_cast<std::size_t>(h), 1); });
}

} // namespace attention::c
