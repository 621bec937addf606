#include "core/attention/number_checks.h"

#include "core/support/error.h"
#include "core/support/text.h"

#include <cmath>

namespace attention {

void requireFinite(double value, const std::string& subject) {
  if (!std::isfinite(value))
    throw Error(ErrorCode::NonFinite, subject,
                subject + " is " + (std::isnan(value) ? "NaN" : "infinite") +
                    "; it must be a finite number");
}

void requirePositive(double value, const std::string& subject) {
  requireFinite(value, subject);
  if (!(value > 0))
    throwRange(subject, shortest(value), "a number above 0");
}

} // namespace attention
