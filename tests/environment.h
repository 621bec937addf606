// Environment variables that come back.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

// Sets an environment variable during its lifetime.
class Variable {
public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name))
      before_ = before;
    ::setenv(name, value.c_str(), 1);
  }
  Variable(Variable&&) = delete;
  ~Variable() {
    if (before_)
      ::setenv(name_, before_->c_str(), 1);
    else
      ::unsetenv(name_);
  }

private:
  const char* name_;
  std::optional<std::string> before_;
};
