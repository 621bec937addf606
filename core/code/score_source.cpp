#include "core/code/score_source.h"

#include "core/attention/bias/t5_buckets.h"
#include "core/support/text.h"

#include <algorithm>

namespace attention {
namespace {

std::string listOf(const std::vector<double>& numbers) {
  std::string text = "[";
  for (std::size_t k = 0; k < numbers.size(); ++k)
    text += (k > 0 ? ", " : "") + shortest(numbers[k]);
  return text + "]";
}

std::string tensor(const std::string& name, const std::string& list, const std::string& words) {
  return name + " = torch.tensor(" + list + ")  # " + words + "\n";
}

// One number for each head as a tensor, or one for all.
std::string numbersOf(const std::string& name, const HeadNumbers& numbers,
                      const std::string& words) {
  return numbers.all ? name + " = " + shortest(numbers.values.front()) + "  # " + words + "\n"
                     : tensor(name, listOf(numbers.values), words + ", one per head");
}

// What stands above the function, and the expression of the bias.
struct BiasSource {
  std::string tensors;
  std::string expression;
};

class WriteBias {
public:
  WriteBias(const CodeScores& scores, const Lengths& lengths)
      : heads_(scores.heads), reach_(std::max(lengths.queries, lengths.keys)) {
    if (lengths.offset != 0)
      token_ = "(q_idx + " + std::to_string(lengths.offset) + ")";
  }

  BiasSource operator()(std::monostate) const { return {}; }

  BiasSource operator()(const AlibiBias& alibi) const {
    const auto* kind = std::get_if<AlibiSlopes>(&alibi.slopes);
    const HeadNumbers slopes =
        kind ? HeadNumbers{alibiSlopes(heads_, *kind), false} : std::get<HeadNumbers>(alibi.slopes);
    const std::string tensors = numbersOf("SLOPES", slopes, "ALiBi");
    const std::string slope = slopes.all ? "SLOPES" : "SLOPES[h]";
    if (alibi.side == AlibiSide::Column)
      return {tensors, slope + " * kv_idx"};
    if (alibi.side == AlibiSide::Signed)
      return {tensors, slope + " * (kv_idx - " + token_ + ")"};
    return {tensors, "-" + slope + " * torch.abs(kv_idx - " + token_ + ")"};
  }

  BiasSource operator()(const T5Bias& t5) const {
    const T5Buckets buckets(
        {static_cast<Index>(t5.table.size()), t5.bidirectional, t5.maxDistance});
    const Index radius = std::min(reach_, t5.maxDistance);
    std::vector<double> of;
    for (Index distance = -radius; distance <= radius; ++distance)
      of.push_back(static_cast<double>(buckets.of(distance)));
    std::string table = "[";
    for (std::size_t row = 0; row < t5.table.size(); ++row)
      table += (row > 0 ? ", " : "") + listOf(t5.table[row]);
    return {tensor("BUCKETS", listOf(of), "T5, of distances from " + std::to_string(-radius)) +
                tensor("TABLE", table + "]", "T5, one row per bucket, one column per head"),
            "TABLE[BUCKETS[" + clamped(radius) + "], h]"};
  }

  BiasSource operator()(const RelativeBias& relative) const {
    const auto radius = static_cast<Index>(relative.table.size() / 2);
    return {tensor("TABLE", listOf(relative.table), "of distances from " + std::to_string(-radius)),
            "TABLE[" + clamped(radius) + "]"};
  }

private:
  std::string clamped(Index radius) const {
    const std::string r = std::to_string(radius);
    return "torch.clamp(kv_idx - " + token_ + ", -" + r + ", " + r + ") + " + r;
  }

  Index heads_;
  Index reach_;
  std::string token_ = "q_idx";
};

} // namespace

bool needsScoreMod(const CodeScores& scores) {
  const ScoreModifiers& of = scores.modifiers;
  return of.softcap || of.hasBias() || of.temperature != 1;
}

std::string scoreModSource(const CodeScores& scores, const Lengths& lengths) {
  const ScoreModifiers& of = scores.modifiers;
  std::string text;
  if (of.sink)
    text += numbersOf("SINK", *of.sink, "the sink's logit");
  const BiasSource bias = std::visit(WriteBias(scores, lengths), of.bias);
  text += bias.tensors;
  if (!text.empty())
    text = "\n\n" + text;
  if (!needsScoreMod(scores))
    return text;
  const std::string add =
      bias.expression.empty() ? "" : "    score = score + " + bias.expression + "\n";
  text += "\n\ndef score_mod(score, b, h, q_idx, kv_idx):\n";
  if (of.biasFirst)
    text += add;
  if (of.softcap)
    text += "    score = " + shortest(*of.softcap) + " * torch.tanh(score / " +
            shortest(*of.softcap) + ")  # the soft cap\n";
  if (!of.biasFirst)
    text += add;
  return text + "    return score" +
         (of.temperature == 1 ? "" : " / " + shortest(of.temperature) + "  # the temperature") +
         "\n";
}

std::string flexCallSource(const CodeScores& scores) {
  const ScoreModifiers& of = scores.modifiers;
  std::string call =
      std::string("# ") + (of.sink ? "out, aux" : "out") + " = flex_attention(query, key, value, ";
  if (needsScoreMod(scores))
    call += "score_mod=score_mod, ";
  call += "block_mask=block_mask";
  if (of.scale)
    call += ", scale=" + shortest(*of.scale);
  if (!of.sink)
    return call + ")\n";
  return "# from torch.nn.attention.flex_attention import AuxRequest  # since torch 2.9\n" + call +
         ", return_aux=AuxRequest(lse=True))\n" + "# out = out * torch.sigmoid(aux.lse - " +
         (of.sink->all ? "SINK" : "SINK[None, :, None]") + ")[..., None]  # the sink\n" +
         "# before torch 2.9: return_lse=True in place of return_aux, which gives lse itself\n";
}

} // namespace attention
