// What most tests of this room include, for the precompiled header.
#pragma once

#include "core/export/figure_file.h"
#include "core/pattern/mechanism/all.h"
#include "core/plot/layout.h"
#include "core/views/scene_figure.h"
