#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: desk
# snapshots.sh BUILD_DIR: snapshots change no statistic and no output; at a divergence one runs again with the wave of the GPU, which holds
# what a run with waves shows, with registers as in the run; with host threads and traces, too. They end with the run, however it ends. Where none
# was made, since it costs too much for so short a run, a workload runs again as a whole, with the same wave; a user's own program does not.
. tests/kit/shell.sh
lockstep=(--system d2ma --engine 'sm*.d2ma.*=lockstep')

# no trace of them in results and output; two launches at most leave what one does
simulate none saxpy:n=16384 "${lockstep[@]}" --snapshot 0 --events --trace l1
simulate some saxpy:n=16384 "${lockstep[@]}" --snapshot 100 --events --trace l1
same none some "with snapshots"
for file in events.csv accesses.sm0.csv; do cmp "$work/none/$file" "$work/some/$file" || fail "another $file"; done
[ "$(jq .timing.snapshots "$work/none/run.json")" = 0 ] && [ "$(jq .timing.snapshots "$work/some/run.json")" -ge 5 ] || fail "not some snapshots"
[ "$(grep -c PASS "$work/some.log")" = 1 ] && [ "$(grep -c 'core cycles,' "$work/some.log")" = 1 ] || fail_showing "$work/some.log" "printed twice"
[ ! -e "$work/some/gpu" ] || fail "a wave without a divergence"

# a divergence in cycle 146, from the snapshot of cycle 90, against the wave of a run that is watched anyway
diverge() { # diverge DIR OPTION...
  local dir=$1
  shift
  ends_with 1 env TANDEM_BUG=d2ma_agen:request_not_held "$tandem" run saxpy:n=16384 "${lockstep[@]}" --out "$work/$dir" "$@"
}
values() { # values WAVE SIGNAL: time and value of each change from cycle 92 to cycle 145, of sm0's address generator
  fst2vcd "$1" | awk -v signal="$2" '
    $1 == "$scope" { path = path $3 "." } $1 == "$upscope" { sub(/[^.]*\.$/, "", path) }
    $1 == "$var" && $5 == signal && path ~ /sm0\.d2ma\.agen\..*dut\.$/ { id = $4 }
    /^#/ { time = substr($0, 2) + 0 } $NF == id && /^b/ { value = $1 } { at = time }
    /^[01]/ && substr($0, 2) == id { value = substr($0, 1, 1) }
    value != last { if (time > 290) exit; if (time >= 184) print time, value; last = value }'
}
same_signals() { # same_signals WAVE WANTED: four signals of that generator change alike in both waves
  local signal
  for signal in a_q rem_q busy_q req_valid_q; do
    values "$1" $signal >"$work/values"
    values "$2" $signal >"$work/wanted"
    cmp "$work/values" "$work/wanted" || fail "$1: another $signal than in $2"
  done
  [ -s "$work/values" ] || fail "$1: nothing was compared"
}
diverge copy --snapshot 30
grep -q 'snapshot of cycle [1-9][0-9]* (registers as in the run): tandem wave' "$work/stderr" || fail_showing "$work/stderr" "no wave of the GPU"
"$tandem" wave "$work/copy/gpu" --print >"$work/log"
"$tandem" run saxpy:n=16384 "${lockstep[@]}" --wave=80:150 --out "$work/watched" >"$work/log" # without the bug: equal up to the report
same_signals "$work/copy/gpu/wave.fst" "$work/watched/wave.fst"
fst2vcd "$work/copy/gpu/wave.fst" >"$work/wave.vcd"
grep -q ' sm_state' "$work/wave.vcd" || fail "no state of the SMs in the wave"
mismatch=$(awk '$1 == "$scope" { path = path $3 "." } $1 == "$upscope" { sub(/[^.]*\.$/, "", path) }
  $1 == "$var" && $5 == "mismatch" { name[$4] = path } /^#/ { time = substr($0, 2) }
  /^1/ && substr($0, 2) in name { print int(time / 2); exit }' "$work/wave.vcd")
[ "$mismatch" = "$(jq .cycle "$work/copy/divergence.json")" ] || fail "the mismatch flag rises in cycle $mismatch"
diverge threads --snapshot 30 --threads 2
grep -q 'registers as in the run' "$work/stderr" || fail_showing "$work/stderr" "with host threads"

# without a snapshot
simulate short saxpy:n=16384 "${lockstep[@]}"
[ "$(jq .timing.snapshots "$work/short/run.json")" = 0 ] || fail "a snapshot of a run of a few milliseconds"
diverge again --events --trace l1 --sample 50
grep -q 'of a second run (registers as in the run): tandem wave' "$work/stderr" || fail_showing "$work/stderr" "no second run"
[ ! -e "$work/again/gpu/run.json" ] && [ ! -e "$work/again/gpu/events.csv" ] && [ ! -e "$work/again/gpu/flight.rec" ] || fail "the second run left results"
same_signals "$work/again/gpu/wave.fst" "$work/copy/gpu/wave.fst"
mkdir "$work/mine"
cp "$build/lib/tandem/workloads/saxpy" "$work/mine/saxpy"
ends_with 1 env TANDEM_BUG=d2ma_agen:request_not_held "$tandem" run "$work/mine/saxpy" n=16384 version=d2ma "${lockstep[@]}" --out "$work/own"
grep -q 'no wave of the GPU: the run has no snapshot yet.*--snapshot 50000' "$work/stderr" || fail_showing "$work/stderr" "a user's own program"
[ ! -e "$work/own/gpu" ] || fail "a user's own program ran twice"
refused 'TANDEM_AGAIN=99: no socket of a run' env TANDEM_AGAIN=99 TANDEM_OUT="$work/none2" TANDEM_ENGINE='sm*.d2ma.*=lockstep' TANDEM_SYSTEM=d2ma \
  "$build/lib/tandem/workloads/saxpy" n=1024 version=d2ma

# a kill takes the copies along
(until [ "$(stat -c %s "$work/killed/flight.rec" 2>/dev/null || echo 0)" -gt 4000000 ]; do sleep 0.05; done; kill -KILL "$(cat "$work/pid")") &
bash -c 'echo $$ >"$0"; exec "$@"' "$work/pid" "$tandem" run saxpy:n=4194305 "${lockstep[@]}" --snapshot 1000 --out "$work/killed" >"$work/log" 2>&1 || true
living() { grep -l 'n=419430[5]' /proc/[0-9]*/cmdline 2>/dev/null | while read -r f; do grep -q '^State:.[^Z]' "${f%cmdline}status" 2>/dev/null && echo "$f"; done; }
for _ in $(seq 100); do [ -z "$(living)" ] && break; sleep 0.05; done
[ -z "$(living)" ] || fail "copies live on: $(living)"
refused 'TANDEM_SNAPSHOT=x: not a number' env TANDEM_SNAPSHOT=x "$build/lib/tandem/workloads/saxpy" n=1024
