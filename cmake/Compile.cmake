# What makes compiling quick: a compiler's cache where one is installed, a precompiled header of the
# standard library, and no more optimisation than code needs.
find_program(ATTENTION_CCACHE ccache)
if(ATTENTION_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without this the cache takes no file that is compiled with a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${ATTENTION_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${ATTENTION_CCACHE})
endif()

# attention_precompile(<target>): the target makes a precompiled header, which other targets with the
# same compiler flags take with REUSE_FROM.
set(ATTENTION_STANDARD_HEADERS ${CMAKE_CURRENT_LIST_DIR}/standard_headers.h)
function(attention_precompile target)
  target_precompile_headers(${target} PRIVATE ${ATTENTION_STANDARD_HEADERS} ${ARGN})
endfunction()

# attention_optimise(<target> <release> <dev>): the levels of optimisation in Release and in Debug
# builds; the defaults are -O3 and -O0.
function(attention_optimise target release dev)
  if(NOT ATTENTION_SANITIZE)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${release}> $<$<CONFIG:Debug>:${dev}>)
  endif()
endfunction()
