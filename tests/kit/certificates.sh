#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Certificates of nightly rows: what a row passed with. A row is stale, and runs in the next `scripts/test nightly`, when the
# hash of its inputs is not the one that it passed with. Sourced by scripts/test, tests/kit/row.sh and
# tests/law/certificates.sh, from the root of the sources.
#
# BUILD_DIR/rows.txt, which CMake writes, has a line for each row: NAME LABEL SLICE INPUT..., where an input is a file or a
# folder of the source tree, or generated/... of the build folder (scripts/cmake/inputs.cmake). A hash covers the contents of all of them but *.md, and the versions of the tools. It covers
# sources and not what was compiled from them: only scripts/test, which builds first, gives certificates.
#
# tests/nightly.passed holds the certificates that travel with the sources, lines "NAME HASH": so the nightly rows need not all pass on
# one machine or in one night. `scripts/test nightly --keep` writes it. It is itself no input of any row.

# tool_versions: of everything that scripts/setup installs, and of NVIDIA's compiler where there is one. A security update of Debian keeps
# what a tool computes, so its suffix is cut off; what only carries or shows a result decides none.
tool_versions() {
  sed -n "/^packages='/,/^'/s/^\([a-z0-9-]*\) .*/\1/p" scripts/setup | grep -v -x -E 'git|jq|make|ninja-build|gtkwave|xvfb' |
    xargs dpkg-query -W 2>/dev/null | sed 's/[+~]deb[0-9]*u[0-9]*$//'
  nvcc --version 2>/dev/null
}

# hash_rows BUILD_DIR OUT: writes lines "NAME HASH" of the nightly rows to OUT. A row's hash is that of its inputs' hashes, and an input's that
# of its files': hundreds of rows have the same inputs.
hash_rows() {
  local texts
  : >"$2" # what changes from here on is newer: see certify
  texts=$(mktemp -d)
  mkdir "$texts/inputs" "$texts/rows"
  grep '^[^ ]* nightly ' "$1/rows.txt" >"$texts/list"
  {
    find csim dpi rtl testbench configs waves scripts tests CMakeLists.txt CMakePresets.json .clang-tidy .clang-format -type f ! -name '*.md' \
      ! -path tests/nightly.passed ! -path '*/__pycache__/*' -print0 2>/dev/null | LC_ALL=C sort -z | xargs -0 sha256sum
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

# certify BUILD_DIR NAME: keeps the hash of a row that passed, unless an input changed while it ran
certify() {
  local inputs
  read -r _ _ _ inputs < <(grep "^$2 nightly " "$1/rows.txt") || return 0
  inputs=${inputs// generated\// $1/generated/}
  # shellcheck disable=SC2086
  [ -z "$(find $inputs -newer "$ROW_HASHES" -type f -print -quit)" ] || return 0
  mkdir -p "$1/certificates-tests"
  sed -n "s/^$2 //p" "$ROW_HASHES" >"$1/certificates-tests/$2"
}

# stale_rows BUILD_DIR HASHES: the names of the nightly rows that did not pass with these hashes, here or where tests/nightly.passed was
# written
stale_rows() {
  {
    [ ! -s tests/nightly.passed ] || cat tests/nightly.passed
    [ ! -d "$1/certificates-tests" ] || (cd "$1/certificates-tests" && grep . -- * 2>/dev/null | tr ':' ' ')
    echo
    cat "$2"
  } | awk '!NF { hashes = 1; next } !hashes { passed[$1 " " $2] = 1; next } !(($1 " " $2) in passed) { print $1 }'
}

# keep_rows BUILD_DIR HASHES: writes to tests/nightly.passed the rows that are not stale
keep_rows() {
  {
    echo "# SPDX-License-Identifier: Apache-2.0"
    stale_rows "$1" "$2" | tr '\n' ' ' | {
      read -r stale || true
      awk -v stale="$stale" 'BEGIN { n = split(stale, name, " "); for (i = 1; i <= n; i++) is_stale[name[i]] = 1 } !($1 in is_stale)' "$2"
    } | LC_ALL=C sort
  } >tests/nightly.passed.new
  mv tests/nightly.passed.new tests/nightly.passed
}
