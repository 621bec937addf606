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

# Tests take longer to optimise than to run; what they test keeps its own flags.
function(attention_test_options target)
  if(ATTENTION_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  else()
    attention_optimise(${target} -O1 -O0)
  endif()
endfunction()

# The precompiled header of all tests, with Catch2's: a library of an empty file. Catch2's own code,
# in main.cpp, is neither what is tested nor what takes time.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/test_headers.cpp CONTENT "")
add_library(attention_test_headers OBJECT ${CMAKE_BINARY_DIR}/generated/test_headers.cpp)
target_link_libraries(attention_test_headers PRIVATE attention_catch_main attention_warnings)
attention_precompile(attention_test_headers ${CMAKE_SOURCE_DIR}/tests/catch.h)
attention_test_options(attention_test_headers)
target_compile_options(attention_catch_main PRIVATE -O0)
