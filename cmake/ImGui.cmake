# attention_imgui: Dear ImGui with its GLFW and OpenGL 3 backends and imgui_stdlib; glfw;
# PkgConfig::EPOXY (OpenGL functions). Packages first; ImGui's sources where
# FETCHCONTENT_SOURCE_DIR_IMGUI names them, whatever the system has, or -DATTENTION_FETCH=ON fetches
# them.
find_package(glfw3 3.3 QUIET)
attention_may_fetch(glfw may)
if(NOT glfw3_FOUND AND may)
  attention_fetch_glfw()
  set(glfw3_FOUND TRUE)
endif()
attention_need(glfw3_FOUND libglfw3-dev)
pkg_check_modules(EPOXY QUIET IMPORTED_TARGET epoxy)
attention_need(EPOXY_FOUND libepoxy-dev)

# The system's libimgui.a already holds the backends; it needs the system's stb.
function(attention_imgui_from_package)
  find_path(ATTENTION_IMGUI_INCLUDE imgui.h PATH_SUFFIXES imgui)
  find_library(ATTENTION_IMGUI_LIBRARY imgui)
  find_library(ATTENTION_STB_LIBRARY stb)
  if(NOT ATTENTION_IMGUI_INCLUDE OR NOT ATTENTION_IMGUI_LIBRARY)
    return()
  endif()
  add_library(attention_imgui INTERFACE)
  target_include_directories(attention_imgui SYSTEM INTERFACE
    ${ATTENTION_IMGUI_INCLUDE} ${ATTENTION_IMGUI_INCLUDE}/backends)
  target_link_libraries(attention_imgui INTERFACE ${ATTENTION_IMGUI_LIBRARY})
  if(ATTENTION_STB_LIBRARY)
    target_link_libraries(attention_imgui INTERFACE ${ATTENTION_STB_LIBRARY})
  endif()
endfunction()

function(attention_imgui_from_sources)
  attention_fetch_imgui()
  set(from ${imgui_SOURCE_DIR})
  add_library(attention_imgui STATIC ${from}/imgui.cpp ${from}/imgui_draw.cpp
    ${from}/imgui_tables.cpp ${from}/imgui_widgets.cpp ${from}/misc/cpp/imgui_stdlib.cpp
    ${from}/backends/imgui_impl_glfw.cpp ${from}/backends/imgui_impl_opengl3.cpp)
  target_include_directories(attention_imgui SYSTEM PUBLIC
    ${from} ${from}/backends ${from}/misc/cpp)
  if(ATTENTION_SANITIZE)
    target_compile_options(attention_imgui PRIVATE -fsanitize=${ATTENTION_SANITIZE})
  endif()
endfunction()

if(FETCHCONTENT_SOURCE_DIR_IMGUI)
  attention_imgui_from_sources()
else()
  attention_imgui_from_package()
  if(NOT TARGET attention_imgui AND ATTENTION_FETCH)
    attention_imgui_from_sources()
  endif()
endif()
if(NOT TARGET attention_imgui)
  set(ATTENTION_IMGUI_FOUND FALSE)
  attention_need(ATTENTION_IMGUI_FOUND libimgui-dev)
endif()

get_target_property(kind attention_imgui TYPE)
if(kind STREQUAL "INTERFACE_LIBRARY")
  target_link_libraries(attention_imgui INTERFACE glfw ${CMAKE_DL_LIBS})
else()
  target_link_libraries(attention_imgui PUBLIC glfw ${CMAKE_DL_LIBS})
endif()
