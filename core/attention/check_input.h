// checkInput (attend.h) on several threads.
#pragma once

#include "core/pattern/lengths.h"
#include "core/support/matrix.h"

namespace attention {

// `threads`: 0 is the machine's number.
template <class T>
void checkInput(const Lengths& lengths, MatrixView<const T> q, MatrixView<const T> k,
                MatrixView<const T> v, int threads);

} // namespace attention
