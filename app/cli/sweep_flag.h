// --sweep and Scenes as pages of HTML: what the commands that write figures share.
#pragma once

#include "app/cli/command.h"
#include "core/export/html_page.h"
#include "core/scene/scene.h"
#include "core/views/animation.h"

#include <memory>
#include <optional>
#include <string>

namespace attention {
struct Input;
}

namespace attention::cli {

Flag sweepFlag();

// Nothing where it is absent. E_TYPE; E_UNSUPPORTED where -o names no page of HTML.
std::optional<Sweep> sweepFrom(const Arguments& arguments);
// E_UNSUPPORTED where one of the flags is given beside --sweep, whose frames show the figure of a
// Scene.
void refuseBesideSweep(const Arguments& arguments, std::initializer_list<const char*> flags);

// --theme and --size of a page.
PageOptions pageOptionsFrom(const Arguments& arguments);

// What the Scene's view plays, or the sweep, as a page in the file that -o names; `input` is the
// Scene's, loaded, or null. Says where the page is not exact.
void writeScenePage(const Scene& scene, const std::shared_ptr<const Input>& input,
                    const Arguments& arguments, const Context& context);

} // namespace attention::cli
