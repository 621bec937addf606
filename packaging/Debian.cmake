# cmake --build build --target package: attention-explorer_VERSION_ARCHITECTURE.deb in the build folder.
find_program(ATTENTION_SHLIBDEPS dpkg-shlibdeps)
if(NOT ATTENTION_SHLIBDEPS OR NOT TARGET attention_said OR NOT Python3_FOUND OR NOT ATTENTION_GZIP)
  message(STATUS "no Debian package is made: it needs dpkg-dev, python3 and gzip, and no sanitizers")
  return()
endif()
set(debian ${CMAKE_CURRENT_SOURCE_DIR}/debian)
file(STRINGS ${debian}/changelog newest LIMIT_COUNT 1)
if(NOT newest MATCHES "^attention-explorer \\(${PROJECT_VERSION}\\) ")
  message(FATAL_ERROR "packaging/debian/changelog begins with '${newest}'; it must begin with an entry for "
                      "version ${PROJECT_VERSION}")
endif()
add_custom_command(OUTPUT ${made}/changelog.gz
  COMMAND ${ATTENTION_GZIP} -9nc ${debian}/changelog > ${made}/changelog.gz
  DEPENDS ${debian}/changelog VERBATIM)
add_custom_target(attention_changelog ALL DEPENDS ${made}/changelog.gz)

# In the folders of Debian, which are the same for every version of Python 3.
macro(attention_debian what from to)
  install(${what} ${from} DESTINATION ${to} COMPONENT debian EXCLUDE_FROM_ALL ${ARGN})
endmacro()
attention_install_library(lib/${CMAKE_LIBRARY_ARCHITECTURE} debian EXCLUDE_FROM_ALL)
attention_debian(DIRECTORY ${CMAKE_SOURCE_DIR}/python/attnx lib/python3/dist-packages
  FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN __pycache__ EXCLUDE)
attention_debian(FILES ${made}/_attnx ${share}/zsh/vendor-completions)
attention_debian(FILES ${made}/changelog.gz ${share}/doc/attention-explorer)
attention_debian(FILES ${debian}/copyright ${share}/doc/attention-explorer)
attention_debian(FILES ${debian}/lintian-overrides ${share}/lintian/overrides RENAME attention-explorer)

set(CPACK_GENERATOR DEB)
set(CPACK_VERBATIM_VARIABLES ON)
foreach(component everywhere debian)
  list(APPEND CPACK_INSTALL_CMAKE_PROJECTS ${CMAKE_BINARY_DIR} attention_explorer ${component} /)
endforeach()
set(CPACK_PACKAGE_NAME attention-explorer)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_THREADS 0)
file(STRINGS ${debian}/changelog maintainer REGEX "^ -- ")
string(REGEX REPLACE "^ -- (.*>)  .*" "\\1" CPACK_DEBIAN_PACKAGE_MAINTAINER "${maintainer}")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "explore the attention patterns of transformers")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Attention Explorer draws the attention patterns of transformers exactly, at
any length, says why each cell is there, and runs real attention over them:
on random data, on a bundled sample, or on the queries, keys and values of
your own model.

The package holds the command attnx with its window, the library libattnx for
C with header and pkg-config file, and the Python module attnx.")
# OpenGL is looked up when the window opens, so no program names it; the module takes NumPy's arrays.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libgl1, libegl1, python3, python3-numpy")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${debian}/postinst ${debian}/prerm
    ${debian}/postrm ${debian}/shlibs ${debian}/triggers)
include(CPack)
