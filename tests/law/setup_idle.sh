#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# setup_idle.sh BUILD_DIR: scripts/setup asks for nothing when nothing is missing (no apt-get, so no network), and says what
# is missing by name when something is.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stub() { printf '#!/bin/sh\n%s\n' "$2" >"$work/$1"; chmod +x "$work/$1"; }
stub apt-get "echo apt-get \"\$@\" >>$work/asked"
stub sudo 'exec "$@"'

stub dpkg-query 'echo installed'
PATH=$work:$PATH scripts/setup >"$work/log"
[ ! -e "$work/asked" ] || { echo "nothing was missing, and yet: $(cat "$work/asked")"; exit 1; }
PATH=$work:$PATH scripts/setup --check >/dev/null

stub dpkg-query 'for last; do :; done; [ "$last" = z3 ] || echo installed'
status=0
PATH=$work:$PATH scripts/setup --check >"$work/log" 2>&1 || status=$?
[ $status = 2 ] && grep -qw z3 "$work/log" && ! grep -qw yosys "$work/log" || { cat "$work/log"; echo "--check: exit $status"; exit 1; }
[ ! -e "$work/asked" ] || { echo "--check installed something"; exit 1; }
PATH=$work:$PATH scripts/setup >"$work/log"
grep -q 'apt-get install .* z3$' "$work/asked" && grep -q 'installing z3' "$work/log" || { cat "$work/asked" "$work/log"; echo "z3 was not asked for"; exit 1; }
