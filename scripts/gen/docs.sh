#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# docs.sh TANDEM BUILD_DIR: the generated reference, the man pages and the bash completion, all from the tables of the program TANDEM.
set -eu
tandem=$1
reference=$2/docs/reference man=$2/share/man/man1 completion=$2/share/bash-completion/completions
rm -rf "$reference" "$man" "$completion"
mkdir -p "$reference" "$man" "$completion"
for list in blocks parameters counters metrics; do "$tandem" list $list --markdown >"$reference/$list.md"; done
python=/usr/bin/python3
[ -x $python ] || python=python3
$python "$(dirname "$0")/verification.py" table >"$reference/verification.md"
$python "$(dirname "$0")/cuda_calls.py" "$(dirname "$0")/../.." >"$reference/cuda.md"
"$tandem" --help=markdown >"$reference/commands.md"
"$tandem" --help=man >"$man/tandem.1"
for command in $("$tandem" --help | sed -n 's/^  \([a-z-]*\)  *[a-z].*/\1/p' | grep -vx tandem); do
  "$tandem" "$command" --help=man >"$man/tandem-$command.1"
done
"$tandem" --help=completion >"$completion/tandem"
