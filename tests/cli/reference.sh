#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# reference.sh BUILD_DIR: the generated reference names every block, parameter, counter, metric and command; man pages of all commands format
# without a warning and name every option; bash completes commands, options, and names of blocks, workloads and configurations.
. tests/kit/shell.sh
PATH=$build/bin:$PATH
bash scripts/gen/docs.sh "$build/bin/tandem" "$work"

names() { tandem list "$1" --json | sed -n 's/^    "name": "\(.*\)",$/\1/p'; }
for list in blocks parameters counters metrics; do
  [ "$(names $list | wc -l)" -ge 10 ] || fail "tandem list $list names too little"
  names $list >"$work/names"
  while read -r name; do
    grep -qE -e "^(## $name|\| \`$name\`)" "$work/docs/reference/$list.md" || fail "$list.md does not name $name"
  done <"$work/names"
done
for call in cudaMalloc __cudaRegisterFatBinary cudaGraphLaunch cudaIpcGetMemHandle cuLaunchKernel; do
  grep -qF "\`$call\`" "$work/docs/reference/cuda.md" || fail "cuda.md does not name $call"
done
commands=$(tandem --help | sed -n 's/^  \([a-z-]*\)  *[a-z].*/\1/p' | grep -vx tandem)
for command in $commands; do
  page=$work/share/man/man1/tandem-$command.1
  grep -q "^## tandem $command\$" "$work/docs/reference/commands.md" || fail "commands.md does not name $command"
  tandem "$command" --help | sed -n '/^options:/,/^example:/s/^  \(-[a-z-]*\).*/\1/p' >"$work/options"
  while read -r option; do
    sed 's/\\-/-/g' "$page" | grep -qF -e "\\fB$option\\fR" || fail "the man page of $command does not name $option"
  done <"$work/options"
  if command -v man >/dev/null; then
    man --warnings -E UTF-8 -l "$page" 2>&1 >/dev/null | head -3 >"$work/warnings"
    [ ! -s "$work/warnings" ] || { cat "$work/warnings"; fail "the man page of $command has warnings"; }
  fi
done

# complete WORD...: what bash offers for the last word
complete_words() {
  bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tandem; printf "%s\n" "${COMPREPLY[@]}"' \
    "$work/share/bash-completion/completions/tandem" "$@"
}
expect() { # expect OFFER WORD...: OFFER is among what is offered for the words
  local offer=$1
  shift
  complete_words "$@" | grep -qx -e "$offer" || { complete_words "$@" | head; fail "no $offer for: $*"; }
}
expect check tandem che
expect dram-model tandem dram
expect --sweep tandem check rr_arb --sw
expect rr_arb tandem check rr
expect all tandem check a
expect saxpy tandem run sax
expect gtx480 tandem run saxpy -c gtx
expect d2ma tandem run saxpy --system d
expect machines tandem list mach
expect proof tandem list blocks rr_arb --bugs pr
[ -z "$(complete_words tandem run saxpy --out '' | tr -d '\n')" ] || fail "something is offered where any folder may stand"
echo "$(echo "$commands" | wc -l) man pages"
