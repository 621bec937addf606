#include "core/analysis/reach/reach_text.h"

#include "core/support/number_text.h"

namespace attention {

std::string hopsText(const std::string& key, const std::string& query, Index hops, bool lost) {
  if (hops < 0)
    return "j = " + key + " never reaches i = " + query;
  return "j = " + key + " reaches i = " + query + " after " + countText(hops, "layer") +
         (lost ? ", and is lost again: not through all layers" : "");
}

std::string reachText(const std::string& key, const std::string& query, Index layers,
                      bool reaches) {
  return "Through " + countText(layers, "layer") + ", key " + key +
         (reaches ? " reaches query " : " does not reach query ") + query;
}

} // namespace attention
