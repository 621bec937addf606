# Catch2 2 (Debian 12) or 3 behind one target: main, headers, test discovery.
find_package(Catch2 QUIET)
attention_may_fetch(catch2 may)
if(NOT Catch2_FOUND AND may)
  attention_fetch_catch()
  set(Catch2_FOUND TRUE)
endif()
attention_need(Catch2_FOUND catch2)
include(Catch)
add_library(attention_catch_main STATIC ${CMAKE_SOURCE_DIR}/tests/main.cpp)
target_include_directories(attention_catch_main PUBLIC ${CMAKE_SOURCE_DIR})
target_link_libraries(attention_catch_main PUBLIC Catch2::Catch2)
# Catch2's own code: neither what is tested nor what takes time, so not optimised and, where it would
# cost minutes to compile, not instrumented either.
target_compile_options(attention_catch_main PRIVATE -O0)
