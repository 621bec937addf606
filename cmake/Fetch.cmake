# Pinned sources for systems that lack a package: used with -DATTENTION_FETCH=ON, or where
# FETCHCONTENT_SOURCE_DIR_<NAME> points to sources that are already there. URLs name a release, the
# SHA-256 its archive.
include(FetchContent)
if(POLICY CMP0135) # archives keep their own times without a warning
  cmake_policy(SET CMP0135 NEW)
endif()

# attention_may_fetch(<name> <result>): whether sources of that name may be used.
function(attention_may_fetch name result)
  string(TOUPPER ${name} upper)
  if(ATTENTION_FETCH OR FETCHCONTENT_SOURCE_DIR_${upper})
    set(${result} TRUE PARENT_SCOPE)
  else()
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

# attention_unpack(<name> <url> <sha256>): sets <name>_SOURCE_DIR; their own CMake files are not run.
macro(attention_unpack name url sha256)
  FetchContent_Declare(${name} URL ${url} URL_HASH SHA256=${sha256} SOURCE_SUBDIR not-built)
  FetchContent_MakeAvailable(${name})
endmacro()

# attention_headers(<name> <folder> <target>): an interface target over the unpacked headers.
macro(attention_headers name folder target)
  add_library(attention_${name}_headers INTERFACE)
  target_include_directories(attention_${name}_headers SYSTEM INTERFACE ${${name}_SOURCE_DIR}/${folder})
  add_library(${target} ALIAS attention_${name}_headers)
endmacro()

macro(attention_fetch_eigen)
  attention_unpack(eigen https://gitlab.com/libeigen/eigen/-/archive/3.4.0/eigen-3.4.0.tar.gz
    8586084f71f9bde545ee7fa6d00288b264a2b7ac3607b974e54d13e7162c1c72)
  attention_headers(eigen . Eigen3::Eigen)
endmacro()

macro(attention_fetch_json)
  attention_unpack(json https://github.com/nlohmann/json/archive/refs/tags/v3.11.3.tar.gz
    0d8ef5af7f9794e3263480193c491549b2ba6cc74bb018906202ada498a79406)
  attention_headers(json include nlohmann_json::nlohmann_json)
endmacro()

# The target attention_highway, from the three files that run-time dispatch needs.
macro(attention_fetch_highway)
  attention_unpack(highway https://github.com/google/highway/archive/refs/tags/1.0.3.tar.gz
    566fc77315878473d9a6bd815f7de78c73734acdcb745c3dde8579560ac5440e)
  add_library(attention_highway STATIC ${highway_SOURCE_DIR}/hwy/aligned_allocator.cc
    ${highway_SOURCE_DIR}/hwy/per_target.cc ${highway_SOURCE_DIR}/hwy/targets.cc)
  target_include_directories(attention_highway SYSTEM PUBLIC ${highway_SOURCE_DIR})
  target_compile_definitions(attention_highway PUBLIC HWY_STATIC_DEFINE)
  set_target_properties(attention_highway PROPERTIES POSITION_INDEPENDENT_CODE ON)
endmacro()

macro(attention_fetch_imgui)
  attention_unpack(imgui https://github.com/ocornut/imgui/archive/refs/tags/v1.92.9b.tar.gz
    21d8a0a565e85dce943e375db00812c2f3f0ab21f3f0f7964e364a63422d7f99)
endmacro()

macro(attention_fetch_dejavu)
  attention_unpack(dejavu
    https://github.com/dejavu-fonts/dejavu-fonts/releases/download/version_2_37/dejavu-fonts-ttf-2.37.tar.bz2
    fa9ca4d13871dd122f61258a80d01751d603b4d3ee14095d65453b4e846e17d7)
endmacro()

# The target glfw.
function(attention_fetch_glfw)
  foreach(part DOCS TESTS EXAMPLES)
    set(GLFW_BUILD_${part} OFF CACHE BOOL "" FORCE)
  endforeach()
  set(GLFW_INSTALL OFF CACHE BOOL "" FORCE)
  # GLFW insists on Wayland's headers unless told otherwise; X11 alone serves both through XWayland.
  pkg_check_modules(WAYLAND QUIET wayland-client wayland-cursor wayland-egl xkbcommon)
  if(NOT WAYLAND_FOUND)
    set(GLFW_BUILD_WAYLAND OFF CACHE BOOL "" FORCE)
  endif()
  FetchContent_Declare(glfw URL https://github.com/glfw/glfw/archive/refs/tags/3.4.tar.gz
    URL_HASH SHA256=c038d34200234d071fae9345bc455e4a8f2f544ab60150765d7704e08f3dac01)
  FetchContent_MakeAvailable(glfw)
endfunction()

# The target Catch2::Catch2, and its module Catch for test discovery.
macro(attention_fetch_catch)
  FetchContent_Declare(catch2 URL https://github.com/catchorg/Catch2/archive/refs/tags/v3.4.0.tar.gz
    URL_HASH SHA256=122928b814b75717316c71af69bd2b43387643ba076a6ec16e7882bfb2dfacbb)
  FetchContent_MakeAvailable(catch2)
  list(APPEND CMAKE_MODULE_PATH ${catch2_SOURCE_DIR}/extras)
endmacro()
