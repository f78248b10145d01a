#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: area
# timeout: 240
# synth.sh BUILD_DIR: tandem synth prints the same bytes a second time; a killed call leaves a usable cache.
set -eu
build=$(cd "$1" && pwd)
tandem=$build/bin/tandem
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*"; exit 1; }
export TANDEM_CACHE=$work/cache

"$tandem" synth rr_arb --seeds 4 2>"$work/stderr" >"$work/table"
grep -q 'pre-layout' "$work/table" && grep -q '^rr_arb ' "$work/table" || { cat "$work/table"; fail "no table"; }
[ ! -s "$work/stderr" ] || { cat "$work/stderr"; fail "progress is shown in a pipe"; }
"$tandem" synth rr_arb --seeds 3 --json >"$work/first.json"
made=$(find "$work/cache" -name 'seed-*' -printf '%p %T@\n' | sort)
"$tandem" synth rr_arb --seeds 3 --json >"$work/second.json"
cmp "$work/first.json" "$work/second.json" || fail "a second call prints other bytes"
[ "$made" = "$(find "$work/cache" -name 'seed-*' -printf '%p %T@\n' | sort)" ] || fail "a netlist was made twice"
rm -r "$work/cache"
"$tandem" synth rr_arb --seeds 3 --json --jobs 1 >"$work/third.json"
cmp "$work/first.json" "$work/third.json" || fail "a call with an empty cache prints other bytes"

# a killed call: what is in the cache is whole; the next call goes on from there
result() { grep -v '"netlist":' "$1"; }
"$tandem" synth rr_arb --param N=24 --seeds 12 --json >"$work/whole.json"
rm -r "$work/cache"
"$tandem" synth rr_arb --param N=24 --seeds 12 --jobs 1 --json >"$work/killed.json" & pid=$!
for _ in $(seq 600); do [ -n "$(find "$work/cache" -name 'seed-2.json' 2>/dev/null)" ] && break; sleep 0.02; done
kill -9 $pid
wait $pid 2>/dev/null || true
[ ! -s "$work/killed.json" ] || fail "the call ended before it was killed"
kept=$(find "$work/cache" -name 'seed-1.json' -printf '%p %T@\n')
[ -n "$kept" ] || fail "nothing was kept"
[ -z "$(find "$work/cache" -name 'seed-12.json')" ] || fail "the call was killed too late"
"$tandem" synth rr_arb --param N=24 --seeds 12 --json >"$work/after.json"
[ "$kept" = "$(find "$work/cache" -name 'seed-1.json' -printf '%p %T@\n')" ] || fail "a netlist was made twice"
[ -z "$(find "$work/cache" -name 'work.*')" ] || fail "a working folder was left behind"
result "$work/whole.json" >"$work/a"
result "$work/after.json" >"$work/b"
cmp "$work/a" "$work/b" || fail "another result after a killed call"
echo "the same bytes twice, from an empty cache, and after a killed call"
