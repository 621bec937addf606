// What most tests of this room include, for the precompiled header.
#pragma once

#include "tests/app/views/mask_window.h"
