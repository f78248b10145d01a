#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: desk
# label: nightly
# interrupted.sh BUILD_DIR [ROUNDS]: SIGINT and SIGKILL at moments chosen at random, in runs in lockstep with snapshots and a database, in the report
# of a divergence, in checks that shrink, in proofs: the command ends, no process of it lives on, a file under its final name is whole, and
# the same command then does its work in the same folder.
. tests/kit/shell.sh
rounds=${2:-20}
RANDOM=1
out=$work/here
run=("$tandem" run saxpy:n=262144 --system d2ma --engine 'sm*.d2ma.*=lockstep' --out "$out")
commands=(
  "run 0 ${run[*]} --snapshot 2000 --events=sqlite"
  "bug 1 env TANDEM_BUG=d2ma_agen:request_not_held ${run[*]} --snapshot 50"
  "shrink 1 $tandem check d2ma_agen --bug skip_after_the_end --shrink --out $out"
  "check 0 $tandem check rr_arb --cycles 4000000 --coverage --out $out"
  "prove 0 $tandem prove d2ma_lane_range --equal LANES=5 CTAS=2 WARPS=2 --out $out"
)

whole() { # whole FILE: what a file of this name must be; results that are still being written have other names
  case $1 in
    *.json) jq -e . "$1" >/dev/null 2>&1 ;;
    *.db) [ "$(sqlite3 "$1" 'PRAGMA integrity_check')" = ok ] ;;
    */stimulus.csv | */shrunk.csv) replays "$1" ;;
    */flight.rec) "$tandem" replay "${1%/*}" --cycle 99999999 --block sm0.d2ma.agen >"$work/said" 2>&1 || [ $? = 2 ] ;;
    *.fst) fst2vcd "$1" >/dev/null 2>&1 ;;
  esac
}
replays() { # replays STIMULUS: it is read, whether the block then passes or not
  "$tandem" replay "$1" >"$work/said" 2>&1 || [ $? = 1 ]
}
living() { # processes that the command has started
  grep -lzx "INTERRUPTED=$work" /proc/[0-9]*/environ 2>/dev/null | while read -r f; do
    grep -q '^State:.[^Z]' "${f%environ}status" 2>/dev/null && echo "${f%/environ}"
  done
}
interrupt() { # interrupt SIGNAL SECONDS COMMAND...: its exit code is in $status
  local signal=$1 after=$2 killer
  shift 2
  rm -f "$work/pid"
  (until [ -s "$work/pid" ]; do sleep 0.01; done; sleep "$after"; kill -"$signal" "$(cat "$work/pid")" 2>/dev/null || true) & killer=$!
  status=0 # in the foreground: the shell lets background commands ignore SIGINT
  INTERRUPTED=$work bash -c 'echo $$ >"$0"; exec "$@"' "$work/pid" "$@" >"$work/log" 2>&1 || status=$?
  wait $killer
}

ended=0
for ((round = 0; round < rounds; round++)); do
  read -r name wanted command <<<"${commands[round % ${#commands[@]}]}"
  read -ra words <<<"$command"
  rm -rf "$out"
  start=$(date +%s%N)
  status=0
  "${words[@]}" >"$work/log" 2>&1 || status=$?
  [ $status = "$wanted" ] || fail_showing "$work/log" "exit $status: $command"
  took=$((($(date +%s%N) - start) / 1000000))
  signal=$([ $((round % 2)) = 0 ] && echo KILL || echo INT)
  after=$(((RANDOM * 32768 + RANDOM) % (took + 1)))
  rm -rf "$out"
  interrupt $signal "$(printf '%d.%03d' $((after / 1000)) $((after % 1000)))" "${words[@]}"
  [ $status = "$wanted" ] || ended=$((ended + 1))
  [ $status = "$wanted" ] || [ $status -gt 128 ] || fail_showing "$work/log" "$name, SIG$signal after $after ms: exit $status"
  for _ in $(seq 100); do [ -z "$(living)" ] && break; sleep 0.05; done
  [ -z "$(living)" ] || fail "$name, SIG$signal after $after ms: lives on: $(living)"
  while read -r file; do
    whole "$file" || fail "$name, SIG$signal after $after ms: $file is not whole"
  done < <(find "$out" -type f 2>/dev/null)
  status=0
  "${words[@]}" >"$work/log" 2>&1 || status=$?
  [ $status = "$wanted" ] || fail_showing "$work/log" "$name, SIG$signal after $after ms, then again: exit $status"
  echo "$name: SIG$signal after $after of $took ms"
done
[ $ended -ge $((rounds / 3)) ] || fail "only $ended of $rounds rounds were interrupted"
