// The first line of a table in a .csv file: what each column is. A heading is the name of an array
// and the number of a coordinate, "k12"; also k_12, k.12, "k 12", k(12) and k[12].
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

// The columns of one array, coordinate 0 first, whatever their order in the file.
struct ColumnGroup {
  std::string name;
  std::vector<std::size_t> columns;
};

// Whether the fields are headings: none of them is a number.
bool areHeadings(const std::vector<std::string_view>& fields);

// Fields of a comment, by each separator that may be meant: that of the rows, its own, or a space.
std::vector<std::vector<std::string_view>> fieldsOfComment(std::string_view comment,
                                                           char separator);

// The fields of the comments above a row of so many fields, where they may be headings, as
// numpy.savetxt writes them: names with the numbers of coordinates in any comment, or words in the
// last one. Empty where their number differs or one is a number, and where the comment is prose
// with as many commas: "Attention, layer 3".
std::vector<std::string_view> commentedHeadings(const std::vector<std::string_view>& comments,
                                                char separator, std::size_t fields);

// A comment that heads coordinates, "q0 q1", but fewer or more of them than the rows have fields.
std::optional<std::string_view> misfitComment(const std::vector<std::string_view>& comments,
                                              char separator, std::size_t fields);

// Whether any field is the name and number of a coordinate.
bool anyCoordinate(const std::vector<std::string_view>& fields);

// Whether all fields from `first` on are.
bool allCoordinates(const std::vector<std::string_view>& fields, std::size_t first);

// Whether the fields from `first` on, at least one, are 0, 1, 2, … as pandas heads the columns of
// an array without names.
bool countColumns(const std::vector<std::string_view>& fields, std::size_t first = 0);

// Whether the fields are 0, 1, 2, … or 1, 2, 3, … in some order, however written: "2.0".
bool numberColumns(const std::vector<std::string_view>& fields);

// Whether `heading` names nothing: empty, or pandas' "Unnamed: 0".
bool isUnnamed(std::string_view heading);

// The arrays in the order in which they first occur in the line. The first column may be unnamed
// (pandas' index); it belongs to none. E_UNSUPPORTED names a heading that is not a name with a
// number, a number that occurs twice, or one that is missing.
std::vector<ColumnGroup> groupsOf(const std::vector<std::string>& headings,
                                  const std::string& file);

} // namespace attention
