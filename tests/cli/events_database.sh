#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# events_database.sh BUILD_DIR: events.db says when what the counters say how often, whatever the engine and skipping; nothing is left
# of a run that did not end or of a full disk.
. tests/kit/shell.sh
run() { # run OUT WORKLOAD OPTION...
  local out=$1
  shift
  "$tandem" run "$@" --events=sqlite --out "$work/$out" >"$work/log" 2>&1 || fail_showing "$work/log" "the run fails: $*"
}
ask() { sqlite3 "$work/$1/events.db" "$2"; }

# what the tables add up to, as the statistics have it: name, query
sums() { # sums OUT
  local stall
  for stall in memory shared barrier data structural; do
    echo "sm.stall_$stall $(ask "$1" "SELECT coalesce(sum(end - begin), 0) FROM waits WHERE stall = '$stall'")"
  done
  echo "sm.stall_dma $(ask "$1" "SELECT coalesce(sum(end - begin), 0) FROM waits WHERE stall = 'dma'")"
  for outcome in hits:hit misses:miss merges:merged; do
    echo "sm.l1_${outcome%:*} $(ask "$1" "SELECT count(*) FROM lookups WHERE level = 'l1' AND outcome = '${outcome#*:}'")"
  done
  echo "memory.l2_hits $(ask "$1" "SELECT count(*) FROM lookups WHERE level = 'l2' AND outcome = 'hit'")"
  echo "memory.l2_misses $(ask "$1" "SELECT count(*) FROM lookups WHERE level = 'l2' AND outcome = 'miss'")"
  echo "memory.noc_request_packets $(ask "$1" "SELECT count(*) FROM grants WHERE network = 'request'")"
  echo "memory.noc_reply_packets $(ask "$1" "SELECT count(*) FROM grants WHERE network = 'reply'")"
  echo "sm.ctas $(ask "$1" "SELECT count(*) FROM cta_events WHERE what = 'cta'")"
  echo "core_cycles $(ask "$1" "SELECT sum(cycles) FROM launches")"
}
compare() { # compare OUT
  local name sum
  while read -r name sum; do
    jq -e ".statistics.$name == $sum" "$work/$1/run.json" >/dev/null || fail "$1: $name is $(jq ".statistics.$name" "$work/$1/run.json"), the rows give $sum"
  done < <(sums "$1")
}

run copies saxpy:n=8192 -c small --system d2ma
run lockstep saxpy:n=8192 -c small --system d2ma --engine '*=lockstep'
run all saxpy:n=8192 -c small --system d2ma --no-skip
run gemm gemm:n=48 -c small
run several hotspot:rows=64,columns=64 -c small
for out in copies gemm several; do compare "$out"; done
for out in lockstep all; do
  [ "$(ask copies .dump | sha256sum)" = "$(ask "$out" .dump | sha256sum)" ] || fail "rows differ: $out"
done

# A line is filled after the first miss that asked for it, and a load that waits is there when the SM waits for memory.
[ "$(ask gemm "SELECT count(*) FROM fills AS f WHERE f.level = 'l1' AND NOT EXISTS (SELECT 1 FROM lookups AS l WHERE l.level = 'l1'
  AND l.unit = f.unit AND l.address = f.address AND l.outcome = 'miss' AND l.ps < f.ps)")" = 0 ] || fail "a line came that nobody had asked for"
[ "$(ask gemm "SELECT count(*) FROM waits AS w WHERE w.stall = 'memory' AND NOT EXISTS (SELECT 1 FROM lookups AS l WHERE l.unit = w.sm
  AND l.level IN ('l1', 'const', 'tex') AND l.cycle <= w.end)")" = 0 ] || fail "an SM waits for nothing"

# In a mesh a packet needs a grant in each router on its way.
run mesh gemm:n=48 -c small --set noc.topology=mesh --set noc.switching=flit --set noc.columns=2
[ "$(ask mesh "SELECT count(*) > (SELECT count(*) FROM lookups WHERE level = 'l2') FROM grants WHERE network = 'request'")" = 1 ] || fail "the mesh has too few grants"
[ "$(ask mesh "SELECT count(DISTINCT router) FROM grants")" -ge 3 ] || fail "the mesh has too few routers"

# The check can fail: a row less.
ask gemm "DELETE FROM waits WHERE rowid = 7"
if (compare gemm) >/dev/null 2>&1; then fail "a missing wait is not seen"; fi

refused "write csv, sqlite, perfetto or konata:SM" "$tandem" run saxpy:n=64 --events=sqlit --out "$work/x"
"$tandem" run saxpy:n=64 --out "$work/copies" >/dev/null 2>&1
[ ! -e "$work/copies/events.db" ] || fail "an older run's events stay"
