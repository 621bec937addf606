// Kinds about what is added to scores (T8): ALiBi's slopes, T5's buckets.
#include "core/verify/kinds.h"

#include "core/attention/bias/position_bias.h"
#include "core/attention/bias/t5_buckets.h"
#include "core/support/error.h"

#include <initializer_list>

namespace attention {
namespace {

// T13 names these kinds without the form of their items, so each field goes by the names that the
// specification's formulas and the libraries give it. Null where it has none of them.
const CaseJson& named(const CaseJson& item, std::initializer_list<const char*> names) {
  static const CaseJson kNone;
  for (const char* name : names)
    if (isGiven(item, name))
      return item[name];
  return kNone;
}

Index integerNamed(const CaseJson& item, std::initializer_list<const char*> names) {
  const CaseJson& value = named(item, names);
  if (!value.is_number_integer())
    throw Error(ErrorCode::Type, *names.begin(),
                std::string(*names.begin()) + " is " + value.dump() + "; it must be an integer");
  return value.get<Index>();
}

// The only value that is expected: itself, or the only member of an object.
const CaseJson& expectedOf(const CaseJson& item) {
  const CaseJson& expected = field(item, "expected");
  if (!expected.is_object())
    return expected;
  if (expected.size() != 1)
    throw Error(ErrorCode::Unknown, "expected",
                "expected has " + std::to_string(expected.size()) +
                    " members; it must have one, the list of numbers");
  return *expected.begin();
}

void compareSlopes(const CaseJson& item, Comparison& compare) {
  const CaseJson& kind = named(item, {"kind", "slopes"});
  const std::vector<double> slopes = alibiSlopes(
      integerNamed(item, {"heads", "H", "n_heads", "num_heads"}),
      kind.is_null() ? AlibiSlopes::Standard
                     : alibiSlopesNamed(kind.is_string() ? kind.get<std::string>() : kind.dump()));
  compare.numbers<double>("slopes", slopes, expectedOf(item));
}

void compareBuckets(const CaseJson& item, Comparison& compare) {
  T5Form form;
  form.buckets = integerNamed(item, {"buckets", "num_buckets", "n_buckets", "N"});
  const CaseJson& both = named(item, {"bidirectional"});
  form.bidirectional = both.is_null() || both == true;
  if (!named(item, {"max_distance", "D"}).is_null())
    form.maxDistance = integerNamed(item, {"max_distance", "D"});
  const T5Buckets buckets(form);
  const CaseJson& rel = named(item, {"rel", "rels", "relative", "relative_position",
                                     "relative_positions", "distances", "offsets"});
  const CaseJson& expected = expectedOf(item);
  if (rel.is_number_integer())
    return compare.integer("bucket", buckets.of(rel.get<Index>()),
                           expected.is_array() && expected.size() == 1 ? expected[0] : expected);
  if (rel.empty())
    throw Error(ErrorCode::Type, "rel",
                "rel is empty or missing, which leaves nothing to compare; it must have integers");
  std::vector<Index> got;
  for (const CaseJson& one : rel) {
    if (!one.is_number_integer())
      throw Error(ErrorCode::Type, "rel", "rel has " + one.dump() + "; it must have integers");
    got.push_back(buckets.of(one.get<Index>()));
  }
  compare.integers("buckets", got, expected);
}

} // namespace

void verifyAlibiSlopes(const CaseFile& file, Comparison& compare) {
  for (const CaseJson& item : itemsOf(file.json()))
    orExpectedError(item, compare, [&] { compareSlopes(item, compare); });
}

void verifyT5Buckets(const CaseFile& file, Comparison& compare) {
  for (const CaseJson& item : itemsOf(file.json()))
    orExpectedError(item, compare, [&] { compareBuckets(item, compare); });
}

} // namespace attention
