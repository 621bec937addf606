// What masks cost a model on a text, as numbers alone: computed here, or shipped with the program.
// Figures, tables and sentences are made of them.
#pragma once

#include "core/model/loss.h"
#include "core/model/tokenizer.h"

#include <optional>
#include <string>
#include <vector>

namespace attention {

// A row of the table, and how it predicts the tokens behind the first one.
struct MeasuredRow {
  LossRow row;
  std::size_t hue = 0;                    // its place among those that were asked for
  std::vector<double> loss = {};          // of every prediction, nats; none of an encoder
  std::vector<std::string> expected = {}; // the most likely token, as the tokenizer writes it
  std::vector<double> share = {};         // its probability
};

struct MeasuredCosts {
  std::string model; // for people
  std::string note;  // what the model's file leaves open; may be empty
  bool encoder = false;
  Index tokens = 0;                 // of the text, read by the model
  Index given = 0;                  // that the text has
  std::string from;                 // "pride.txt", "the typed text", "the given ids"
  std::vector<std::string> pieces;  // the tokenizer's own, one per token; none where ids are given
  std::vector<MeasuredRow> rows;    // the model as it is first; none while it is being computed
  std::string shipped;              // what computed them: "attnx 0.1.0"; empty: this program, now
  bool partly = false;              // the last rows are shipped, and being computed
  std::vector<std::string> lacking; // variants that the shipped numbers do not have
  // Of what is being computed, a variant or the model as it is, the first tokens, loss.size() + 1
  // of them. Not one of the rows, whose numbers are of the whole text.
  std::optional<MeasuredRow> begun;
};

// Pieces of the tokens that it expects where there is a tokenizer.
MeasuredRow measuredRow(const LossRow& row, const Predictions& predictions,
                        const Tokenizer* tokenizer, std::size_t hue);

// Null where no row has that name.
const MeasuredRow* rowNamed(const MeasuredCosts& costs, const std::string& name);

// How many tokens the row has read: those of the text, or the first ones.
Index tokensOf(const MeasuredRow& row);
// The mean loss of the first `count` predictions of the model as it is, which compares with what is
// begun.
double lossAsItIs(const MeasuredCosts& costs, std::size_t count);

// What a row loses: its loss, of an encoder the change of its final states. Nothing where there is
// one token.
std::optional<double> lostBy(const MeasuredCosts& costs, const LossRow& row);

// The row's pairs in percent of the model's own.
double pairsShare(const MeasuredCosts& costs, const LossRow& row);

} // namespace attention
