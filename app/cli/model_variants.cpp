#include "app/cli/model_variants.h"

#include "core/input/mapped_file.h"
#include "core/scene/pattern_files.h"
#include "core/support/json_text.h"

#include <nlohmann/json.hpp>

namespace attention::cli {

std::vector<ModelVariant> variantsFrom(const Arguments& arguments, const Model& model,
                                       const Run& run) {
  const std::string* file = arguments.find("variants");
  if (!file)
    return {};
  std::vector<ModelVariant> variants =
      variantsFromJson(parseJson(textOfFile(*file), *file), model, *file);
  for (ModelVariant& variant : variants)
    for (Rule& rule : variant.rules)
      rule.pattern = resolveFiles(std::move(rule.pattern), folderOf(*file), run);
  return variants;
}

} // namespace attention::cli
