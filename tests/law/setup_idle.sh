#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# setup_idle.sh BUILD_DIR: scripts/setup asks for nothing when nothing is missing (no apt-get, so no network), and says what
# is missing by name when something is.
. tests/kit/shell.sh
stub() { printf '#!/bin/sh\n%s\n' "$2" >"$work/$1"; chmod +x "$work/$1"; }
stub apt-get "echo apt-get \"\$@\" >>$work/asked"
stub sudo 'exec "$@"'

stub dpkg-query 'echo installed'
PATH=$work:$PATH scripts/setup >"$work/log"
[ ! -e "$work/asked" ] || fail_showing "$work/asked" "nothing was missing, and yet packages were asked for"
PATH=$work:$PATH scripts/setup --check >/dev/null

stub dpkg-query 'for last; do :; done; [ "$last" = z3 ] || echo installed'
refused '\bz3\b' env PATH="$work:$PATH" scripts/setup --check
! grep -qw yosys "$work/stderr" || fail_showing "$work/stderr" "--check names what is there"
[ ! -e "$work/asked" ] || fail "--check installed something"
PATH=$work:$PATH scripts/setup >"$work/log"
grep -q 'apt-get install .* z3$' "$work/asked" && grep -q 'installing z3' "$work/log" || fail_showing "$work/log" "z3 was not asked for"
