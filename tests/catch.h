// Catch2 2 (Debian 12) and 3 (newer systems) under one name.
#pragma once

// An exception within a CHECK ends its test case, which says so; compiling takes a tenth less.
#define CATCH_CONFIG_FAST_COMPILE

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
