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

# attention_begin_batches(<target>): prepares it, or leaves the calling function where there are to be none.
option(ATTENTION_BATCHES "Compile files in batches" ON)
macro(attention_begin_batches target)
  if(NOT ATTENTION_BATCHES)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # It takes types of a file's own for those of a header, as the file is included.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  get_target_property(sources ${target} SOURCES)
endmacro()

# attention_batch(<target> [<file>...]): compiles the files of each folder in batches of up to eight, for
# headers are most of the work of a file. Compiled by themselves: files that Highway compiles several times
# over, those that include the headers of a window system, and the given ones, whose names would meet
# others. ATTENTION_BATCHES=OFF compiles every file by itself.
function(attention_batch target)
  attention_begin_batches(${target})
  list(REMOVE_ITEM sources ${ARGN})
  foreach(source IN LISTS sources)
    if(NOT source MATCHES "\\.cpp$" OR NOT EXISTS ${source})
      continue()
    endif()
    file(STRINGS ${source} alone REGEX "hwy/|GLFW/|epoxy/egl" LIMIT_COUNT 1)
    if(alone)
      continue()
    endif()
    get_filename_component(folder ${source} DIRECTORY)
    file(RELATIVE_PATH place ${CMAKE_SOURCE_DIR} ${folder})
    string(MAKE_C_IDENTIFIER "${place}" group)
    if(NOT DEFINED count_${group}) # sources of a folder stand about those of its folders
      set(count_${group} 0)
    endif()
    math(EXPR batch "${count_${group}} / 8")
    math(EXPR count_${group} "${count_${group}} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group}_${batch})
  endforeach()
endfunction()

# attention_batch_tests(<target>): the same for the tests of one folder, whose helpers often share
# names: those that define a common name at the beginning of a line go to different batches.
function(attention_batch_tests target)
  attention_begin_batches(${target})
  foreach(source IN LISTS sources)
    if(NOT source MATCHES "\\.cpp$")
      continue()
    endif()
    attention_defined_names(${source} names)
    set(batch -1)
    set(taken TRUE)
    while(taken)
      math(EXPR batch "${batch} + 1")
      list(LENGTH files_${batch} taken)
      math(EXPR taken "${taken} / 8")
      foreach(name IN LISTS names)
        if(name IN_LIST names_${batch})
          set(taken TRUE)
        endif()
      endforeach()
    endwhile()
    list(APPEND files_${batch} ${source})
    list(APPEND names_${batch} ${names})
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP batch_${batch})
  endforeach()
endfunction()

# Sets <names> to what lines of a source that are not indented define: "drawn" of "Input drawn(int seed) {".
function(attention_defined_names source names)
  file(STRINGS ${source} lines REGEX "^[A-Za-z].*[A-Za-z0-9_] ?[[({=;]")
  set(found)
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "^(TEST_CASE|using namespace|namespace)" AND line MATCHES "([A-Za-z0-9_]+) ?[[({=;]")
      list(APPEND found ${CMAKE_MATCH_1})
    endif()
  endforeach()
  set(${names} ${found} PARENT_SCOPE)
endfunction()

# attention_optimise(<target> <release> <dev>): the levels of optimisation in Release and in Debug
# builds; the defaults are -O3 and -O0.
function(attention_optimise target release dev)
  if(NOT ATTENTION_SANITIZE)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${release}> $<$<CONFIG:Debug>:${dev}>)
  endif()
endfunction()
