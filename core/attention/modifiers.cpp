#include "core/attention/modifiers.h"

#include "core/attention/attend.h"
#include "core/attention/bias/t5_buckets.h"
#include "core/attention/number_checks.h"
#include "core/support/error.h"
#include "core/support/number_text.h"

#include <algorithm>

namespace attention {
namespace {

void requireAllFinite(const std::vector<double>& values, const std::string& subject) {
  for (std::size_t k = 0; k < values.size(); ++k)
    requireFinite(values[k], subject + "[" + std::to_string(k) + "]");
}

void requireOnePerHead(std::size_t count, Index heads, const std::string& subject) {
  if (static_cast<Index>(count) != heads)
    throw Error(ErrorCode::Shape, subject,
                subject + " has " + countText(count, "number") +
                    "; it must have one for each of the " + countText(heads, "head"));
}

std::string within(const std::string& subject, const char* name) {
  return subject.empty() ? name : subject + "." + name;
}

// Errors of a part name the whole: "modifiers.bias.buckets is 3".
void naming(const std::string& subject, const auto& compute) {
  try {
    compute();
  } catch (const Error& error) {
    throw Error(error.code(), subject + "." + error.subject(), subject + "." + error.what());
  }
}

struct CheckBias {
  Index heads;
  std::string subject;

  void operator()(std::monostate) const {}
  void operator()(const AlibiBias& alibi) const {
    if (const auto* slopes = std::get_if<HeadNumbers>(&alibi.slopes))
      checkHeadNumbers(*slopes, heads, subject + ".slopes");
  }
  void operator()(const T5Bias& t5) const {
    for (std::size_t bucket = 0; bucket < t5.table.size(); ++bucket) {
      const std::string row = subject + ".table[" + std::to_string(bucket) + "]";
      requireOnePerHead(t5.table[bucket].size(), heads, row);
      requireAllFinite(t5.table[bucket], row);
    }
    naming(subject, [&] {
      T5Buckets({static_cast<Index>(t5.table.size()), t5.bidirectional, t5.maxDistance});
    });
  }
  void operator()(const RelativeBias& relative) const {
    if (relative.table.size() % 2 == 0)
      throw Error(ErrorCode::Shape, subject + ".table",
                  subject + ".table has " + countText(relative.table.size(), "number") +
                      "; it must have an odd number, 2R + 1, for distances from −R to R");
    requireAllFinite(relative.table, subject + ".table");
  }
};

struct MakeBias {
  Index head;
  Index heads;
  Index reach;

  PositionBias operator()(std::monostate) const { return {}; }

  PositionBias operator()(const AlibiBias& alibi) const {
    const auto* kind = std::get_if<AlibiSlopes>(&alibi.slopes);
    const double m = kind ? alibiSlopes(heads, *kind)[static_cast<std::size_t>(head)]
                          : std::get<HeadNumbers>(alibi.slopes).of(head);
    PositionBias bias{m, m, 0};
    if (alibi.side == AlibiSide::Distance)
      bias.after = -m;
    if (alibi.side == AlibiSide::Column)
      bias.perToken = m;
    return bias;
  }

  // Beyond the maximum distance all are in the last bucket.
  PositionBias operator()(const T5Bias& t5) const {
    const T5Buckets buckets(
        {static_cast<Index>(t5.table.size()), t5.bidirectional, t5.maxDistance});
    return tableOf(std::min(reach, t5.maxDistance), [&](Index distance) {
      return t5
          .table[static_cast<std::size_t>(buckets.of(distance))][static_cast<std::size_t>(head)];
    });
  }

  PositionBias operator()(const RelativeBias& relative) const {
    const auto own = static_cast<Index>(relative.table.size() / 2);
    return tableOf(std::min(reach, own), [&](Index distance) {
      return relative.table[static_cast<std::size_t>(distance + own)];
    });
  }

  template <class Value>
  static PositionBias tableOf(Index radius, Value&& value) {
    std::vector<double> table;
    for (Index distance = -radius; distance <= radius; ++distance)
      table.push_back(value(distance));
    PositionBias bias;
    bias.table = std::make_shared<const std::vector<double>>(std::move(table));
    return bias;
  }
};

} // namespace

bool ScoreModifiers::sameForAllHeads() const {
  const auto* alibi = std::get_if<AlibiBias>(&bias);
  const auto* slopes = alibi ? std::get_if<HeadNumbers>(&alibi->slopes) : nullptr;
  const bool sameBias = !hasBias() || std::holds_alternative<RelativeBias>(bias) ||
                        (slopes != nullptr && slopes->all);
  return sameBias && (!sink || sink->all);
}

void checkHeadNumbers(const HeadNumbers& numbers, Index heads, const std::string& subject) {
  if (!numbers.all)
    requireOnePerHead(numbers.values.size(), heads, subject);
  requireAllFinite(numbers.values, subject);
}

void checkModifiers(const ScoreModifiers& modifiers, Index heads, const std::string& subject) {
  if (modifiers.scale)
    requireFinite(*modifiers.scale, within(subject, "scale"));
  if (modifiers.softcap)
    requirePositive(*modifiers.softcap, within(subject, "softcap"));
  requirePositive(modifiers.temperature, within(subject, "temperature"));
  if (modifiers.sink)
    checkHeadNumbers(*modifiers.sink, heads, within(subject, "sink"));
  std::visit(CheckBias{heads, within(subject, "bias")}, modifiers.bias);
}

PositionBias biasOf(const ScoreModifiers& modifiers, Index head, Index heads, Index reach) {
  return std::visit(MakeBias{head, heads, reach}, modifiers.bias);
}

AttendOptions optionsOf(const ScoreModifiers& modifiers, Index head, Index heads, Index reach,
                        int threads) {
  checkModifiers(modifiers, heads, "modifiers");
  AttendOptions options{modifiers.scale, threads, modifiers.softcap};
  options.bias = biasOf(modifiers, head, heads, reach);
  options.biasFirst = modifiers.biasFirst;
  options.temperature = modifiers.temperature;
  if (modifiers.sink)
    options.sink = modifiers.sink->of(head);
  return options;
}

} // namespace attention
