# Packages of the system first; pinned sources with -DATTENTION_FETCH=ON; else one sentence that
# names the package. What every system's package manager has (zlib, libpng, cairo, libzip, libepoxy) is
# not fetched.
include(Fetch)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)

# attention_need(<found variable> <Debian package>): stop with the package's name if it was not found.
function(attention_need found package)
  if(NOT ${found})
    message(FATAL_ERROR "${package} was not found: install it with the system's package manager "
                        "(Debian: apt-get install ${package})")
  endif()
endfunction()

find_package(Eigen3 3.4 QUIET NO_MODULE)
attention_may_fetch(eigen may)
if(NOT Eigen3_FOUND AND may)
  attention_fetch_eigen()
  set(Eigen3_FOUND TRUE)
endif()
attention_need(Eigen3_FOUND libeigen3-dev)
find_package(nlohmann_json 3.9 QUIET)
attention_may_fetch(json may)
if(NOT nlohmann_json_FOUND AND may)
  attention_fetch_json()
  set(nlohmann_json_FOUND TRUE)
endif()
attention_need(nlohmann_json_FOUND nlohmann-json3-dev)
find_package(ZLIB QUIET)
attention_need(ZLIB_FOUND zlib1g-dev)
find_package(PNG QUIET)
attention_need(PNG_FOUND libpng-dev)
pkg_check_modules(CAIRO QUIET IMPORTED_TARGET cairo)
attention_need(CAIRO_FOUND libcairo2-dev)
pkg_check_modules(LIBZIP QUIET IMPORTED_TARGET libzip)
attention_need(LIBZIP_FOUND libzip-dev)

if(ATTENTION_APP)
  include(ImGui)
  include(Fonts)
  include(Embed)
endif()
