// What most tests of this room include, for the precompiled header.
#pragma once

#include "core/input/npy_writer.h"
#include "core/pattern/mechanism/all.h"
#include "core/scene/scene_json.h"
#include "tests/app/cli/run_cli.h"
