// The kinds of vectors of the kernels of attention: those of all numeric kernels.
#pragma once

#include "core/support/vector_targets.h"
