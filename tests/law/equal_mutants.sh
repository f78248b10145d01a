#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# rows: elsewhere
# equal_mutants.sh BUILD_DIR BLOCK: every planted bug of the RTL breaks the proof that model and RTL are equal, at a size of the gate, of a line
# "// equal-bugs: P=V ...", a small one of a configuration that the gate does not prove, or of the night; and so does a bug planted in the
# model alone (a bit that one of its first stores writes).
. tests/kit/shell.sh
block=$2
export TANDEM_BUILD=$build
long=$(sed -n 's#^// equal-nightly: *##p' testbench/*/"${block}"_props.svh)
bugs_set=$(sed -n 's#^// equal-bugs: *##p' testbench/*/"${block}"_props.svh)
breaks() { # breaks BUG: at a size of the gate, or else at that for bugs, or else at one of the night
  bash scripts/prove --equal "$block" --bug "$1" >"$work/log" 2>&1 && return
  # shellcheck disable=SC2086
  [ ! "$bugs_set" ] || ! bash scripts/prove --equal "$block" --bug "$1" $bugs_set >>"$work/log" 2>&1 || return 0
  [ "$long" ] && bash scripts/prove --equal --nightly "$block" --bug "$1" >>"$work/log" 2>&1
}
for bug in $("$tandem" list blocks "$block" --bugs proof); do
  breaks "$bug" || { cat "$work/log"; fail "$block: proved equal in spite of the bug $bug"; }
  echo "$block: $bug breaks the proof:$(sed -n 's/.*not equal://p' "$work/log" | head -1)"
done
broken=0
for store in 0 1 2 3 4 5 6 7; do
  if bash scripts/prove --equal "$block" --model-bug $store >"$work/log" 2>&1; then broken=$((broken + 1)); fi
  tail -1 "$work/log"
done
[ $broken -gt 0 ] || fail "$block: no bug planted in the model breaks the proof"
