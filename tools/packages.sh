# The packages that the project needs on Debian and Ubuntu, and how they are installed. Sourced by
# run.sh, test.sh and .ci/run; this is the only list.

BUILD_PACKAGES=(
  cmake ninja-build g++ pkg-config
  libimgui-dev libstb-dev libglfw3-dev libepoxy-dev libgl-dev libegl-dev
  libeigen3-dev libhwy-dev nlohmann-json3-dev libpng-dev libgif-dev libcairo2-dev libpango1.0-dev
  libzip-dev zlib1g-dev libpcre2-dev libicu-dev libsentencepiece-dev
  fonts-dejavu-core fonts-inter libgl1 libegl1 libgl1-mesa-dri
)
TEST_PACKAGES=(catch2 python3 python3-numpy xvfb xauth xdotool x11-xserver-utils desktop-file-utils
  fonts-wqy-microhei)
BENCH_PACKAGES=(libbenchmark-dev)
BROWSER_PACKAGES=(chromium) # drives pages of HTML in the tests, which do without
PACKAGE_PACKAGES=(dpkg-dev lintian mmdebstrap appstream man-db gzip) # make and try the Debian package
CHECK_PACKAGES=(clang-format clang-tidy git python3-pip python3-venv)

# missing_packages NAME...: those that dpkg does not have installed, one a line.
missing_packages() {
  local package installed
  installed=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null || true)
  for package in "$@"; do
    case $'\n'"$installed"$'\n' in
      *$'\n'"$package installed"$'\n'*) ;;
      *) echo "$package" ;;
    esac
  done
}

# as_root COMMAND...: run it as root, through sudo where we are not.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    echo "needs root for: $*  (no sudo here; run it as root, then start again)" >&2
    return 1
  fi
}

# apt_get ARGUMENTS...: apt-get without questions, patient with locks and the network.
apt_get() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 \
    -o Acquire::Retries=3 "$@" </dev/null
}

# refresh_lists: apt-get update, three tries; an old list is better than none, so it never fails.
refresh_lists() {
  local try
  for try in 1 2 3; do
    if apt_get update; then
      return 0
    fi
    echo "apt-get update failed (try $try of 3)" >&2
    sleep "$((try * 2))"
  done
}

# install_packages NAME...: install what is missing of them; elsewhere than on Debian and its kin,
# name what this system lacks.
install_packages() {
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    name_what_is_missing
    return
  fi
  local missing
  mapfile -t missing < <(missing_packages "$@")
  if [ "${#missing[@]}" -eq 0 ]; then
    return 0
  fi
  echo "installing: ${missing[*]}"
  refresh_lists
  apt_get install -y --no-install-recommends "${missing[@]}"
}

# name_what_is_missing: without apt, say which commands and libraries are not here; CMake names the
# rest (Dear ImGui, Catch2).
name_what_is_missing() {
  local name missing=()
  for name in cmake ninja c++ pkg-config; do
    command -v "$name" >/dev/null || missing+=("$name")
  done
  if command -v pkg-config >/dev/null; then
    for name in eigen3 libhwy nlohmann_json libpng cairo pangocairo libzip zlib libpcre2-8 icu-uc sentencepiece \
      glfw3 gl egl; do
      pkg-config --exists "$name" || missing+=("$name")
    done
  fi
  if [ "${#missing[@]}" -gt 0 ]; then
    echo "missing here (install them with this system's package manager): ${missing[*]}" >&2
    return 1
  fi
}
