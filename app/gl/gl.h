// OpenGL 3.3 core, loaded by libepoxy at the first call of each function. The one place that
// includes GL headers; include it before GLFW.
#pragma once

#include <epoxy/gl.h>

#define GLFW_INCLUDE_NONE
