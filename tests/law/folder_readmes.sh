#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# folder_readmes.sh BUILD_DIR: every folder has a README of at most a screen with the same four headings, each file that its table names
# exists, and each folder below it is named. The root README has at most 100 lines.
. tests/kit/shell.sh
headings='## What it is
## Files
## Uses and users
## How to change it'

# Folders with files; the workloads, saved stimuli, the fuzz corpus and like collections are described above them.
folders() {
  find configs csim docs dpi rtl scripts testbench tests waves -type d \
    ! -path 'testbench/workloads/*' ! -path 'testbench/*/regressions*' ! -path 'tests/examples/*' ! -path 'scripts/gen/templates/*' ! -path 'tests/fixtures/*' ! -path tests/fuzz/corpus ! -path csim/cli/verilate ! -name '__pycache__' | sort
}

check() { # check FOLDER...: one line a violation
  local folder readme name
  for folder in "$@"; do
    readme=$folder/README.md
    if [ ! -s "$readme" ]; then echo "$folder has no README.md"; continue; fi
    [ "$(wc -l <"$readme")" -le 40 ] || echo "$readme has more than 40 lines"
    [ "$(grep '^## ' "$readme")" = "$headings" ] || echo "$readme: its headings are not: $(echo $headings)"
    # first column of the table of files: names in backticks, or links
    sed -n '/^## Files/,/^## Uses/p' "$readme" | sed -n 's/^| \(.*\) | .*/\1/p' | grep -o '`[^`]*`\|(\([^)]*\))' | tr -d '`()' >"$work/names" || true
    while read -r name; do
      # the names of csim/README.md and the like may end in a letter that stands for any folder
      case $name in */F | */S) name=${name%/?} ;; esac
      compgen -G "$folder/$name" >/dev/null || echo "$readme: there is no $name"
    done <"$work/names"
  done
  [ "$(wc -l <README.md)" -le 100 ] || echo "README.md has more than 100 lines"
}

check $(folders) | tee "$work/violations"
[ ! -s "$work/violations" ] || exit 1
echo "$(folders | wc -l) folders"

# The check can fail.
mkdir "$work/tree"
cp -r configs csim docs dpi rtl scripts testbench tests waves README.md "$work/tree"
cd "$work/tree"
plant() { # plant FILE COMMAND...: after the command changed FILE, it is named
  local file=$1
  shift
  cp "$file" "$work/kept"
  "$@"
  check "$(dirname "$file")" | grep -q "$file\|no README" || { echo "not noticed: $*"; exit 1; }
  cp "$work/kept" "$file"
}
plant rtl/prim/README.md rm rtl/prim/README.md
plant csim/dram/README.md sed -i 's/`fifo.c`/`lifo.c`/' csim/dram/README.md
plant csim/noc/README.md sed -i 's/^## Files/## Contents/' csim/noc/README.md
plant tests/README.md sh -c 'seq 50 >>tests/README.md'
seq 100 >>README.md
check rtl | grep -q '^README.md has more than 100 lines' || { echo "a README of too many lines is not noticed"; exit 1; }
