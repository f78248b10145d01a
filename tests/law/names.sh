#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# names.sh BUILD_DIR: what lies below csim/systems names no proposal, so that a proposal can be taken away or added without touching it.
# Block models carry the names of their blocks and are not looked at. A proposal's name is one of `tandem list systems`; atoms are
# XMem's, but for the opcode `atom` of PTX.
. tests/kit/shell.sh
folders='base block config device ptx noc dram mem core'
proposals=$("$tandem" list systems | sed 's/ .*//' | paste -sd'|')
[ -n "$proposals" ] || fail "no proposals are listed"

# named ROOT: one line for each place that names a proposal
named() {
  local folder
  for folder in $folders; do
    grep -rniE "($proposals)" "$1/csim/$folder" --include='*.[ch]' --include='*.def' || true
    [ $folder = ptx ] || grep -rniE '\batoms?\b' "$1/csim/$folder" --include='*.[ch]' --include='*.def' || true
  done
  grep -rnE "\batoms\b|atom's" "$1/csim/ptx" --include='*.[ch]' || true
}

named . | tee "$work/named"
[ ! -s "$work/named" ] || fail "these lines below csim/systems name a proposal"

# The check can fail: in code, in a comment, in a table, and in PTX.
mkdir "$work/tree"
cp -r csim "$work/tree"
plant() { # plant FILE LINE
  cp "$work/tree/$1" "$work/kept"
  echo "$2" >>"$work/tree/$1"
  named "$work/tree" | grep -q "$1" || fail "'$2' in $1 was not noticed"
  cp "$work/kept" "$work/tree/$1"
}
plant csim/core/sm.c 'bool uses_d2ma;'
plant csim/mem/page_table.h '/* The label is an atom. */'
plant csim/config/parameters.def '/* Elastic */'
plant csim/ptx/ptx.h '/* for the atoms of a module */'
echo "nothing below csim/systems names $(echo "$proposals" | tr '|' ' ')"
