// The border to C (attnx.h): exceptions become codes and sentences, pointers and sizes from outside
// become views once they are checked. Nothing behind this header sees a null pointer.
#pragma once

#include "core/c/attnx.h"
#include "core/pattern/prepared.h"
#include "core/support/matrix.h"

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

struct attnx_pattern {
  std::shared_ptr<const attention::Prepared> prepared;
};

namespace attention::c {

// Writes code and sentence where `error` is wanted; returns the code.
int32_t report(attnx_error* error, int32_t code, std::string_view message) noexcept;
// The same for what was thrown.
int32_t reportFailure(attnx_error* error, const std::exception_ptr& failure) noexcept;

// Runs body() and turns whatever it throws into a code: the third place, besides jobs and main(),
// where exceptions are caught, since none may reach C.
template <class Body>
int32_t guarded(attnx_error* error, Body&& body) noexcept {
  try {
    std::forward<Body>(body)();
    return report(error, ATTNX_OK, {});
  } catch (...) {
    return reportFailure(error, std::current_exception());
  }
}

// *pointer. E_TYPE names what is null.
[[noreturn]] void throwNull(const char* name);
template <class T>
T& required(T* pointer, const char* name) {
  if (pointer == nullptr)
    throwNull(name);
  return *pointer;
}

// The pattern behind a handle. E_TYPE for null.
const Prepared& preparedOf(const attnx_pattern* pattern, const char* name = "pattern");
std::vector<std::shared_ptr<const Prepared>> preparedOf(const attnx_pattern* const* patterns,
                                                        int64_t count);

// The rectangle, or all of the mask if it is null. E_RANGE where it is not within the mask.
Rect rectOf(const Prepared& pattern, const attnx_rect* rect);

// 0 … 1024. E_RANGE.
int threadsOf(int32_t threads);

// The matrices of a tensor, one per head. E_TYPE: no data; E_SHAPE: sizes that no memory can hold;
// for a target also where two of its floats share a place.
std::vector<MatrixView<const float>> headsOf(const attnx_tensor& tensor, const char* name);
std::vector<MatrixView<float>> headsOf(const attnx_target& target, const char* name);

// The matrices of queries, keys and values; k and v have as many heads, a divisor of those of q.
struct HeadViews {
  std::vector<MatrixView<const float>> q, k, v;

  std::size_t keyHead(std::size_t head) const { return head * k.size() / q.size(); }
};
HeadViews headsOf(const attnx_input& input);

// The matrices of a result: as many as there are query heads, n_q × d_v each. E_SHAPE, also where
// a head of it, or `sums` (one float per query and head, or null), reaches into a head of the
// input: output written before the input's last read would be read as input.
std::vector<MatrixView<float>> resultsOf(const attnx_target& target, const float* sums,
                                         const HeadViews& heads);

// Calls body(head, threads) for every head: side by side where that divides the threads evenly,
// else one after another on all threads.
void forEachHead(std::size_t heads, int threads,
                 const std::function<void(std::size_t head, int threads)>& body);

} // namespace attention::c
