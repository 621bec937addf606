#include "core/code/source.h"

#include "core/code/python_body.h"
#include "core/export/figure_file.h"
#include "core/pattern/mechanism/all.h"
#include "core/support/error.h"
#include "core/support/text.h"
#include "core/views/mask/mask_figure.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace attention {
namespace {

constexpr std::array kTargets{
    CodeTargetName{CodeTarget::Flex, "flex", "FlexAttention (PyTorch)"},
    CodeTargetName{CodeTarget::Numpy, "numpy", "NumPy"},
    CodeTargetName{CodeTarget::Jax, "jax", "JAX"},
    CodeTargetName{CodeTarget::DeepSpeed, "deepspeed", "DeepSpeed SparsityConfig"},
    CodeTargetName{CodeTarget::Xformers, "xformers", "xFormers, a boolean tensor"},
    CodeTargetName{CodeTarget::Transformers, "transformers", "Transformers, a mask function"},
    CodeTargetName{CodeTarget::Tikz, "tikz", "TikZ"},
};

using MaskParts = std::vector<PartFormula>;

std::string number(Index value) {
  return std::to_string(value);
}

// What the attention does beyond its cells, which are all that a mask tells; empty for most.
struct BeyondMask {
  std::string operator()(const Nsa&) const {
    return "# Only the window and the selected blocks: the branch of compressed keys and the "
           "gates\n"
           "# of the three branches are no mask.\n";
  }
  std::string operator()(const BigBird& bigbird) const {
    if (bigbird.reading != BigBird::Reading::HfEval || bigbird.randomBlocks == 0)
      return "";
    return "# Only the cells: keys of block 0 count once here, but " +
           number(bigbird.randomBlocks + 1) +
           " times for queries of\n# blocks that are not global.\n";
  }
  template <class M>
  std::string operator()(const M& m) const {
    if constexpr (requires { m.combine == Combine::Lse; }) {
      if (m.combine == Combine::Lse)
        return "# Only the cells: a key of several parts counts once here, but once for each of "
               "them there.\n";
      if (m.combine == Combine::Mean)
        return "# Only the cells: one softmax over all parts here, but the mean of theirs there.\n";
    }
    return "";
  }
};

// "# strided, stride 8: 64 queries, 64 keys" and the pattern's description, in comments.
std::string heading(const Pattern& pattern, const Lengths& lengths) {
  const Description& d = description(pattern);
  std::string words = shortText(pattern) + ": " + number(lengths.queries) + " queries, " +
                      number(lengths.keys) + " keys";
  for (char& c : words)
    if (static_cast<unsigned char>(c) < 0x20)
      c = ' ';
  const char* chosen =
      needsData(pattern)
          ? "# The queries and keys of one input chose these cells; another input gives others.\n"
          : "";
  // What is no publication, which would name a year, says nothing to readers of code.
  const bool published = std::any_of(d.source.begin(), d.source.end(),
                                     [](unsigned char c) { return std::isdigit(c) != 0; });
  return "# " + words + "\n# " + d.summary + (published ? " [" + d.source + "]" : "") + "\n" +
         chosen + std::visit(BeyondMask(), pattern.mechanism());
}

// The line that names the token of a query.
std::string tokenLine(const std::string& query, const Lengths& lengths) {
  if (lengths.offset == 0)
    return "i = " + query;
  const bool before = lengths.offset < 0;
  return "i = " + query + (before ? " - " : " + ") +
         number(before ? -lengths.offset : lengths.offset) + "  # the token of the query";
}

std::string flexSource(const Pattern& pattern, const Lengths& lengths, const MaskParts& parts,
                       const CodeScores& scores) {
  PythonBody body(lengths, {});
  body.add(tokenLine("q_idx", lengths));
  body.add("j = kv_idx");
  body.addReturn(parts);
  return heading(pattern, lengths) +
         (needsScoreMod(scores) || scores.modifiers.sink ? "import torch\n" : "") +
         "from torch.nn.attention.flex_attention import create_block_mask\n"
         "from torch.nn.attention.flex_attention import flex_attention\n\n\n"
         "def mask_mod(b, h, q_idx, kv_idx):\n" +
         body.text() + scoreModSource(scores, lengths) +
         "\n\nblock_mask = create_block_mask(mask_mod, B=None, H=None, Q_LEN=" +
         number(lengths.queries) + ", KV_LEN=" + number(lengths.keys) +
         ")\n# On tensors without a GPU: create_block_mask(..., device=\"cpu\").\n" +
         flexCallSource(scores);
}

std::string shapeText(const Lengths& lengths) {
  return "(" + number(lengths.queries) + ", " + number(lengths.keys) + ")";
}

// A function that makes the whole array, with a library imported as `np`.
struct ArrayLibrary {
  std::string imports;
  std::string name;  // "np"
  std::string zeros; // called with the shape
  std::string broadcast;
};

std::string arrayFunction(const Pattern& pattern, const Lengths& lengths,
                          const ArrayLibrary& library, const MaskParts& parts) {
  PythonBody body(lengths, {library.zeros});
  body.add("\"\"\"Row i, column j: whether query i attends to key j.\"\"\"");
  body.add(tokenLine(library.name + ".arange(" + number(lengths.queries) + ")[:, None]", lengths));
  body.add("j = " + library.name + ".arange(" + number(lengths.keys) + ")[None, :]");
  body.addReturn(parts, library.broadcast + "(", ", " + shapeText(lengths) + ")");
  return heading(pattern, lengths) + library.imports + "\n\ndef attention_mask():\n" + body.text();
}

std::string numpySource(const Pattern& pattern, const Lengths& lengths, const MaskParts& parts) {
  return arrayFunction(pattern, lengths,
                       {"import numpy as np\n", "np",
                        "np.zeros(" + shapeText(lengths) + ", dtype=bool)", "np.broadcast_to"},
                       parts) +
         "\n\nmask = attention_mask()\n";
}

std::string jaxSource(const Pattern& pattern, const Lengths& lengths, const MaskParts& parts) {
  return arrayFunction(pattern, lengths,
                       {"import jax\nimport jax.numpy as jnp\nimport numpy as np\n", "jnp",
                        "np.zeros(" + shapeText(lengths) + ", dtype=bool)", "jnp.broadcast_to"},
                       parts) +
         "\n\nmask = attention_mask()\n"
         "# out = jax.nn.dot_product_attention(query, key, value, mask=mask[None, None])\n";
}

std::string xformersSource(const Pattern& pattern, const Lengths& lengths, const MaskParts& parts) {
  return arrayFunction(pattern, lengths,
                       {"import torch\n", "torch",
                        "torch.zeros(" + shapeText(lengths) + ", dtype=torch.bool)",
                        "torch.broadcast_to"},
                       parts) +
         "\n\n# xformers.components.attention takes the boolean tensor, "
         "memory_efficient_attention\n"
         "# the bias: 0 where a query attends, minus infinity elsewhere.\n"
         "mask = attention_mask()\n"
         "attn_bias = torch.zeros(mask.shape).masked_fill(mask.logical_not(), "
         "float(\"-inf\"))\n";
}

// A mask function that models take by the name of their attention (transformers'
// masking_utils.py); it gets the tokens of queries, whatever a cache holds.
std::string transformersSource(const Pattern& pattern, const Lengths& lengths,
                               const MaskParts& parts) {
  PythonBody body(lengths, {});
  body.add("i = q_idx  # the token of the query");
  body.add("j = kv_idx");
  body.addReturn(parts);
  return heading(pattern, lengths) +
         "from transformers import AttentionInterface\n"
         "from transformers import AttentionMaskInterface\n"
         "from transformers.integrations.sdpa_attention import sdpa_attention_forward\n"
         "from transformers.masking_utils import sdpa_mask\n\n\n"
         "def mask_function(batch_idx, head_idx, q_idx, kv_idx):\n" +
         body.text() +
         "\n\ndef pattern_mask(**options):\n"
         "    # In place of the mask that the layer would have; padding is masked as usual.\n"
         "    options.update(mask_function=mask_function, allow_is_causal_skip=False,\n"
         "                   allow_is_bidirectional_skip=False)\n"
         "    return sdpa_mask(**options)\n\n\n"
         "AttentionMaskInterface.register(\"pattern\", pattern_mask)\n"
         "AttentionInterface.register(\"pattern\", sdpa_attention_forward)\n"
         "# model = AutoModelForCausalLM.from_pretrained(name, attn_implementation=\"pattern\")\n";
}

} // namespace

std::span<const CodeTargetName> codeTargets() {
  return kTargets;
}

CodeTarget codeTargetNamed(const std::string& name, std::span<const std::string> others) {
  std::string known;
  for (const CodeTargetName& target : kTargets) {
    if (target.name == name)
      return target.target;
    known += (known.empty() ? "" : ", ") + std::string(target.name);
  }
  for (const std::string& other : others)
    known += ", " + other;
  if (name.empty())
    throw Error(ErrorCode::Type, "to", "to is missing; it must be one of " + known);
  throwRange("to", name, "one of " + known);
}

std::string sourceOf(const Pattern& pattern, const Lengths& lengths, CodeTarget target,
                     const Run& run, const PatternData& data, const CodeScores& scores) {
  const auto parts = [&] { return maskFormula(pattern, lengths, run, data); };
  switch (target) {
  case CodeTarget::Flex:
    return flexSource(pattern, lengths, parts(), scores);
  case CodeTarget::Numpy:
    return numpySource(pattern, lengths, parts());
  case CodeTarget::Jax:
    return jaxSource(pattern, lengths, parts());
  case CodeTarget::Xformers:
    return xformersSource(pattern, lengths, parts());
  case CodeTarget::Transformers:
    return transformersSource(pattern, lengths, parts());
  case CodeTarget::DeepSpeed:
    check(pattern, lengths);
    return heading(pattern, lengths) + deepSpeedSource(pattern, lengths);
  case CodeTarget::Tikz:
    break;
  }
  MaskPanelSpec panel;
  panel.pattern = prepare(pattern, lengths, data, run);
  return texOf(maskFigure({panel}, FigureTheme::Light), {}, run);
}

} // namespace attention
