// A lesson as a page of HTML: its steps one by one, each with the figure of its Scene.
#pragma once

#include "core/export/html_page.h"
#include "core/scene/lessons.h"

namespace attention {

// Loads the inputs of the steps. Throws as loadInput and pageOfScene do.
PageLesson pageOfLesson(const Lesson& lesson, int threads = 0, const Run& run = {});

} // namespace attention
