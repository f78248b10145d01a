#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: desk
# flight_recorder.sh BUILD_DIR: the flight recorder changes no statistic and can be switched off; after SIGKILL and SIGINT, with host
# threads too, `tandem replay --cycle` restores what was recorded; a planted bug shows up there again; what is no recording, or no longer
# fits, is refused with the file's name. (Each recorded cycle against a log: tests/unit/flight_test.c.)
. tests/kit/shell.sh
at_exit() { kill ${watcher:-} 2>/dev/null || true; }
lockstep=(--system d2ma --engine 'sm*.d2ma.*=lockstep')
last_cycle() { # last_cycle DIR INSTANCE: as the refusal of a cycle that never was says
  "$tandem" replay "$1" --cycle 999999999 --block "$2" 2>&1 | sed -n 's/.*recorded cycles between [0-9]* and \([0-9]*\);.*/\1/p'
}

# the same statistics with the recorder and without it, which leaves no file, not even an old one
small=(saxpy:n=16384 -c small)
simulate with "${small[@]}" "${lockstep[@]}"
[ -s "$work/with/flight.rec" ] || fail "no flight.rec"
cp -r "$work/with" "$work/without"
simulate without "${small[@]}" "${lockstep[@]}" --no-recorder
same with without "with the flight recorder"
[ ! -e "$work/without/flight.rec" ] || fail "--no-recorder left a flight.rec"

# every cycle between the first and the last can be restored; the wave holds it
last=$(last_cycle "$work/with" sm0.d2ma.agen)
[ "${last:-0}" -gt 300 ] || fail "no last cycle: $last"
must "$tandem" replay "$work/with" --cycle 300 --block sm0.d2ma.agen
grep -q 'agree up to cycle 556$' "$work/log" || fail_showing "$work/log" "not up to 256 cycles after"
fst2vcd "$work/with/cycle-300/wave.fst" | grep -q '^#600$' || fail "the wave lacks cycle 300"

# killed at any time, in the middle of a store: what was recorded is there
for signal in KILL INT; do
  (until [ "$(stat -c %s "$work/$signal/flight.rec" 2>/dev/null || echo 0)" -gt 8000000 ]; do sleep 0.05; done
   kill -$signal "$(cat "$work/pid")") & watcher=$!
  status=0 # in the foreground: the shell lets background commands ignore SIGINT
  bash -c 'echo $$ >"$0"; exec "$@"' "$work/pid" "$tandem" run saxpy:n=4194304 "${lockstep[@]}" --threads 2 \
    --out "$work/$signal" >"$work/log" 2>&1 || status=$?
  [ $status -gt 128 ] || fail_showing "$work/log" "not killed by SIG$signal: exit $status"
  [ ! -e "$work/$signal/run.json" ] || fail "a result of a run that was killed"
  for instance in sm0.d2ma.ctrl sm7.d2ma.agen sm14.d2ma.req; do
    last=$(last_cycle "$work/$signal" $instance)
    [ "${last:-0}" -gt 1000 ] || fail "no last cycle of $instance: $last"
    for cycle in $((last / 2)) "$last"; do
      must "$tandem" replay "$work/$signal" --cycle "$cycle" --block $instance --out "$work/restored"
    done
  done
done

# a planted bug: the recorder's cycle diverges as the run did, with the instance that did so by default
status=0
TANDEM_BUG=d2ma_agen:request_not_held "$tandem" run "${small[@]}" "${lockstep[@]}" --out "$work/bug" >"$work/log" 2>&1 || status=$?
[ $status = 1 ] || fail_showing "$work/log" "exit $status"
cycle=$(jq .cycle "$work/bug/divergence.json")
ends_with 1 "$tandem" replay "$work/bug" --cycle "$cycle"
grep -q "DIVERGENCE in $(jq -r .instance "$work/bug/divergence.json") .* cycle $cycle$" "$work/stdout" || fail_showing "$work/stdout" "another divergence"

# bad input
replay=("$tandem" replay "$work/bad" --cycle 300 --block)
mkdir "$work/bad"
cp "$work/with/flight.rec" "$work/bad/flight.rec"
must "${replay[@]}" sm0.d2ma.agen
refused "bad/flight.rec: no instance sm99.agen" "${replay[@]}" sm99.agen
refused "bad/flight.rec holds .* instances that match d2ma_agen; name one" "${replay[@]}" d2ma_agen
refused "bad/flight.rec holds .* instances; name one" "$tandem" replay "$work/bad" --cycle 300
refused "without has no flight.rec" "$tandem" replay "$work/without" --cycle 300 --block sm0.d2ma.agen
mkdir "$work/other" # the RTL is another one now
for part in "$build"/share/tandem/*; do ln -s "$(realpath "$part")" "$work/other/"; done
rm "$work/other/rtl" && cp -rL rtl "$work/other/"
echo "// changed" >>"$work/other/rtl/d2ma/d2ma_agen.v"
refused "the RTL of d2ma_agen, or the tools, have changed since the recording.*run again" env TANDEM_DATA_DIR="$work/other" "${replay[@]}" sm0.d2ma.agen
truncate -s -1000 "$work/bad/flight.rec"
refused "bad/flight.rec: the recording is cut off" "${replay[@]}" sm0.d2ma.agen
head -c 2097152 /dev/urandom >"$work/bad/flight.rec"
refused "bad/flight.rec: no recording" "${replay[@]}" sm0.d2ma.agen
echo "cycle,req" >"$work/bad/flight.rec"
refused "bad/flight.rec: no recording" "${replay[@]}" sm0.d2ma.agen
rm "$work/bad/flight.rec" && mkdir "$work/bad/flight.rec"
refused "cannot read .*bad/flight.rec" "${replay[@]}" sm0.d2ma.agen
