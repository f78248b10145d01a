#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# json.sh BUILD_DIR: with --json standard output holds one JSON text and nothing else, and it says what the table says.
. tests/kit/shell.sh
# CMake has a strict JSON reader; PATH_ is a path of keys, VALUE what must stand there ("" : anything).
cat >"$work/get.cmake" <<'C'
file(READ "${FILE}" text)
string(JSON value GET "${text}" ${PATH_})
message("${value}")
C
get() { # get FILE KEY...
  local file=$1 path
  shift
  path=$(IFS=';'; echo "$*")
  cmake -DFILE="$file" "-DPATH_=$path" -P "$work/get.cmake" 2>&1
}

for kind in machines workloads blocks parameters counters systems engines variables nodes routines; do
  "$tandem" list $kind --json >"$work/list.json"
  name=$(get "$work/list.json" 0 name) || fail "list $kind --json: $name"
  "$tandem" list $kind | grep -q "^$name" || fail "the table of $kind does not name $name"
  [ -n "$(get "$work/list.json" 0 brief)" ] || fail "list $kind: $name has no sentence"
  echo "list $kind: first $name"
done

"$tandem" run saxpy:n=3000 -c small --system d2ma --seed 5 --set dram.tCL=11 --out "$work/run" --json >"$work/stdout" 2>"$work/stderr"
cmp "$work/stdout" "$work/run/run.json" || fail "run --json prints something else than run.json"
grep -q PASS "$work/stderr" || fail "the workload's own line is lost"
expect() { # expect WANTED KEY...
  local wanted=$1 got
  shift
  got=$(get "$work/stdout" "$@") || fail "run.json has no $*: $got"
  [ "$got" = "$wanted" ] || fail "run.json $*: '$got', wanted '$wanted'"
}
expect "saxpy:n=3000,version=d2ma" config workload
expect small config machine
expect d2ma config system
expect 5 config seed
expect 11 config parameters dram.tCL
expect gto config parameters sm.scheduler
expect pass verdict result
expect 0 verdict exit_code
expect saxpy statistics launches 0 kernel
expect 128 statistics launches 0 block 0
expect "$(get "$work/stdout" statistics sm warp_instructions)" statistics launches 0 sm warp_instructions
for section in config statistics engines versions timing verdict; do
  [ "$(grep -c "^  \"$section\"" "$work/stdout")" = 1 ] || fail "run.json has no section $section"
done
# nothing of the host is among the statistics
sed -n '/^  "statistics"/,/^  }/p' "$work/stdout" >"$work/statistics"
if grep -qiE 'second|host|engine|skip|[0-9]\.[0-9]' "$work/statistics"; then fail "host figures among the statistics"; fi

"$tandem" check rr_arb --cycles 10000 --json >"$work/check.json"
[ "$(get "$work/check.json" 0 result)" = equal ] || fail "check --json has no result"
