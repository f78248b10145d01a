#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Certificates of rows whose inputs are known: what a row passed with. A row is stale, and has to run again, when the hash of its inputs is
# not the one that it passed with. These are the nightly rows, and those of the gate that take a block's files and little else: lint, proofs,
# netlists, replay in Icarus. Sourced by scripts/test, tests/kit/row.sh and tests/law/certificates.sh, from the root of the sources.
#
# BUILD_DIR/rows.txt, which CMake writes, has a line for each row: NAME KIND SLICE INPUT..., where KIND is `gate` or `nightly` and an input is a
# file or a folder of the source tree, or generated/... of the build folder (scripts/cmake/inputs.cmake). A row without inputs always runs. A
# hash covers the contents of all inputs but *.md, and the versions of the tools. It covers sources and not what was compiled from them: only
# scripts/test, which builds first, gives certificates.
#
# tests/rows.passed holds the certificates that travel with the sources, lines "NAME HASH": so the rows need not all pass on one machine or
# in one night. `scripts/test --keep` writes it. It is itself no input of any row.

# tool_versions: of everything that scripts/setup installs, and of NVIDIA's compiler where there is one. A security update of Debian keeps
# what a tool computes, so its suffix is cut off; what only carries or shows a result decides none.
tool_versions() {
  sed -n "/^packages='/,/^'/s/^\([a-z0-9-]*\) .*/\1/p" scripts/setup | grep -v -x -E 'git|jq|make|ninja-build|gtkwave|xvfb' |
    xargs dpkg-query -W 2>/dev/null | sed 's/[+~]deb[0-9]*u[0-9]*$//'
  nvcc --version 2>/dev/null
}

# hash_rows BUILD_DIR OUT: writes lines "NAME HASH" of the rows with inputs to OUT. A row's hash is that of its inputs' hashes, and an input's that
# of its files': hundreds of rows have the same inputs.
hash_rows() {
  local texts
  : >"$2" # what changes from here on is newer: see certify
  texts=$(mktemp -d)
  mkdir "$texts/inputs" "$texts/rows"
  awk 'NF > 3' "$1/rows.txt" >"$texts/list"
  {
    find csim dpi rtl testbench configs waves scripts tests CMakeLists.txt CMakePresets.json .clang-tidy .clang-format -type f ! -name '*.md' \
      ! -path tests/rows.passed ! -path '*/__pycache__/*' -print0 2>/dev/null | LC_ALL=C sort -z | xargs -0 sha256sum
    (cd "$1" && sha256sum generated/*_entry.json)
  } >"$texts/files"
  awk -v out="$texts/inputs/" '
    NR == FNR { for (i = 4; i <= NF; i++) if (!($i in number)) { number[$i] = ++n; name[n] = $i } next }
    { # a file counts for itself and for every folder that it is in
      parts = split($2, part, "/"); path = ""
      for (i = 1; i <= parts; i++) { path = path (i > 1 ? "/" : "") part[i]; if (path in number) inside[path] = inside[path] $0 "\n" }
    }
    END { for (i = 1; i <= n; i++) { file = out i; print name[i] "\n" inside[name[i]] >file; close(file) } }' "$texts/list" "$texts/files"
  (cd "$texts/inputs" && paste -d' ' <(sha256sum -- * | cut -d' ' -f1) <(head -qn1 -- *)) >"$texts/hashes"
  awk -v out="$texts/rows/" -v tools="$(tool_versions | sha256sum)" '
    NR == FNR { hash[$2] = $1; next }
    { file = out $1; print tools >file; for (i = 4; i <= NF; i++) print $i, hash[$i] >file; close(file) }' "$texts/hashes" "$texts/list"
  sed 's/ .*//' "$texts/list" | (cd "$texts/rows" && xargs sha256sum) | sed 's/\(.*\)  \(.*\)/\2 \1/' >>"$2"
  rm -r "$texts"
}

# as_hashed BUILD_DIR NAME: the row has inputs, and none has changed since hash_rows; `inputs` are their paths
as_hashed() {
  read -r _ _ _ inputs < <(grep "^$2 " "$1/rows.txt") || return 1
  [ "$inputs" ] || return 1
  inputs=" $inputs"
  inputs=${inputs// generated\// $1/generated/}
  # shellcheck disable=SC2086
  [ -z "$(find $inputs -newer "$ROW_HASHES" -type f -print -quit)" ]
}

# certify BUILD_DIR NAME: keeps the hash of a row that passed, unless an input changed while it ran
certify() {
  local inputs
  as_hashed "$1" "$2" || return 0
  mkdir -p "$1/certificates-tests"
  sed -n "s/^$2 //p" "$ROW_HASHES" >"$1/certificates-tests/$2"
}

# passed_before BUILD_DIR NAME: true if the row is one of those that need not run (ROWS_KEPT, a file with their names). A proof's row also leaves
# the certificate that `tandem claims` asks for (csim/synth/certificate.h): the files that passed are the ones that are here.
passed_before() {
  local inputs block=${2%.*} kind folder
  grep -qxF "$2" "$ROWS_KEPT" && as_hashed "$1" "$2" || return 1
  case $2 in
    *.prove) kind=proof ;;
    *.equal) kind=equality ;;
    *) return 0 ;;
  esac
  folder=$1/certificates/$block
  mkdir -p "$folder"
  rm -rf "$folder/$kind.$$"
  mkdir "$folder/$kind.$$"
  # shellcheck disable=SC2046,SC2086
  cp $(printf '%s\n' $inputs | grep '^rtl/.*\.v$') "$folder/$kind.$$"
  [ $kind = proof ] || cp csim/blocks/*/"$block.c" "$folder/$kind.$$"
  echo "passed before: tests/rows.passed" >"$folder/$kind.$$/summary"
  rm -rf "${folder:?}/$kind"
  mv -T "$folder/$kind.$$" "$folder/$kind"
}

# stale_rows BUILD_DIR HASHES KIND: the names of the rows of this kind that did not pass with these hashes, here or where tests/rows.passed was
# written
stale_rows() { judge_rows "$1" "$2" "$3" 0; }

# fresh_rows BUILD_DIR HASHES KIND: the names of the others that have inputs
fresh_rows() { judge_rows "$1" "$2" "$3" 1; }

judge_rows() {
  {
    awk -v kind="$3" 'NF > 3 && $2 ~ "^(" kind ")$" { print "row", $1 }' "$1/rows.txt"
    [ ! -s tests/rows.passed ] || sed 's/^/passed /' tests/rows.passed
    [ ! -d "$1/certificates-tests" ] || (cd "$1/certificates-tests" && grep -H . -- * 2>/dev/null | sed 's/^\([^:]*\):/passed \1 /')
    sed 's/^/hash /' "$2"
  } | awk -v fresh="$4" '
    $1 == "row" { wanted[$2] = 1 }
    $1 == "passed" { passed[$2 " " $3] = 1 }
    $1 == "hash" && ($2 in wanted) && (($2 " " $3) in passed) == fresh { print $2 }'
}

# keep_rows BUILD_DIR HASHES: writes to tests/rows.passed the rows that are not stale
keep_rows() {
  {
    echo "# SPDX-License-Identifier: Apache-2.0"
    {
      fresh_rows "$1" "$2" 'gate|nightly'
      echo
      cat "$2"
    } | awk '!NF { hashes = 1; next } !hashes { fresh[$1] = 1; next } $1 in fresh' | LC_ALL=C sort
  } >tests/rows.passed.new
  mv tests/rows.passed.new tests/rows.passed
}
