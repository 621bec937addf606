// Headings of a list of pairs: which column is the query, which the key, which says 0 or 1.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

enum class PairRole { None, Query, Key, Value };

// By its name alone, whatever its case and what joins its words: "q_idx", "Query", "kv idx".
PairRole pairRoleOf(std::string_view heading);

// Where each of them stands in a line.
struct PairColumns {
  std::size_t count = 2;
  std::size_t query = 0;
  std::size_t key = 1;
  std::optional<std::size_t> value;
  bool hasIndex = false; // the first column has no heading and counts the rows
};

// Whether one of the fields names the query and one the key.
bool areHeadingsOfPairs(const std::vector<std::string_view>& fields);

// Whether the fields name the ends of edges, also where they leave open which is the query.
bool nameEndsOfEdges(const std::vector<std::string_view>& fields);

// "i and j, q_idx and kv_idx …": what messages tell to write.
extern const char* const kHeadingsOfPairs;

// E_UNSUPPORTED names the heading that says nothing, or what none says.
PairColumns pairColumns(const std::vector<std::string_view>& headings, const std::string& file);

} // namespace attention
