// Flags about random features and their projections, which several commands share.
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/setting_flags.h"
#include "core/attention/features/feature_map.h"
#include "core/attention/features/projection.h"
#include "core/scene/kernels_spec.h"

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attention::cli {

// "1, 2" of names separated by commas. E_TYPE where one is empty.
std::vector<std::string> namesFromText(const std::string& subject, const std::string& text);

// Names as the choices of a flag.
std::vector<std::string> wordsOf(std::span<const std::string_view> names);

// "float32" or "float64".
std::string dtypeFrom(const Arguments& arguments);

// E_TYPE where one of the flags is given: "--m is given " followed by `because`.
void refuse(const Arguments& arguments, std::initializer_list<const char*> flags,
            const std::string& because);

// A note where one of the flags is given: "--powers is not used " followed by `where`. For flags
// that the length of the input, or the mechanism beside them, makes meaningless: a line that is run
// for several must not fail for some.
void noteUnread(const Arguments& arguments, std::ostream& notes,
                std::initializer_list<const char*> flags, const std::string& where);

// How projections are drawn.
inline constexpr std::initializer_list<const char*> kProjectionFlags{"m", "projection", "norms",
                                                                     "projection-seed"};

// E_TYPE where a flag of projections, --stabilize or --eps is given and none of the maps reads it.
void refuseUnread(const Arguments& arguments, std::span<const FeatureMap> maps);

// E_TYPE where --norms is given and no projection is orthogonal: iid rows have their own lengths.
void refuseUnreadNorms(const Arguments& arguments, std::span<const ProjectionKind> kinds);

// --norms, --stabilize and --eps.
const SettingFlags<KernelsSpec>& drawFlags();

// --stabilize and --eps into the options.
void readStabiliser(const Arguments& arguments, FeatureOptions& options);

} // namespace attention::cli
