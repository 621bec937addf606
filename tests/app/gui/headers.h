// What most tests of this room include, for the precompiled header.
#pragma once

#include "core/pattern/mechanism/all.h"
#include "tests/app/gui/shell_window.h"
