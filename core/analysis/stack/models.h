// The models whose layers are known (spec T11): a row per model, written as data. Their names are
// lower case with hyphens, the size last.
#pragma once

#include "core/analysis/stack/stack.h"

#include <span>

namespace attention {

struct HeadWidths {
  Index heads = 0;   // of queries; 0: not known
  Index kvHeads = 0; // 0: not known
  Index headDim = 0; // 0: not known
};

// What few models have.
struct ModelExtras {
  Index fullKvHeads = 0;         // of F, where it differs
  Index fullHeadDim = 0;         // of F, where it differs
  Index latent = 0;              // multi-head latent attention: numbers per token
  Index lastFull = 0;            // so many layers at the end are F, whatever the period says
  Index lastShared = 0;          // so many layers at the end use the keys and values of others
  bool encoder = false;          // F is full, S is |i − j| ≤ window
  std::string_view ownKind = {}; // of X
  std::string_view own = {};     // its pattern as JSON; empty where it is not known
  std::string_view note = {};    // what else there is to know
};

struct ModelRow {
  std::string_view name;
  std::string_view title;
  Index layers = 0;
  // A letter per layer, repeated and cut: S sliding, F full, L linear, C chunked, R recurrent, X as
  // `own` says.
  std::string_view period;
  Index window = 0; // keys of S, tokens of C
  HeadWidths widths;
  Index context = 0; // tokens; 0: not known, or unbounded
  std::string_view source;
  ModelExtras extras = {};
};

std::span<const ModelRow> modelTable();

// Whatever joins the words of the name, and in any case. E_UNKNOWN suggests the nearest.
Stack modelNamed(std::string_view name);
Stack stackOf(const ModelRow& row);

} // namespace attention
