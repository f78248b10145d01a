#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: cuda
# perfetto.sh BUILD_DIR: --events=perfetto writes a timeline in Chrome's trace event format. jq reads it: events of a track do not
# overlap, what a CTA does lies in the CTA and the CTA in its launch, times are those of the statistics; and engines, threads and skipping
# change nothing but the cycles in which blocks rest.
. tests/kit/shell.sh
cd "$work"
options=(saxpy:n=8192,ctas=4 -c small --system d2ma --set sm.count=2)
must "$tandem" run "${options[@]}" --events=perfetto --out a
[ -f a/events.csv ] || fail "no events.csv beside it"

# spans as lines "group track begin end what sm slot launch cta", in whole picoseconds
spans() { # spans FILE
  jq -r '.traceEvents[] | select(.ph == "X") | [.pid, .tid, (.ts * 1e6 | round), ((.ts + .dur) * 1e6 | round),
    (.args.what // "-"), .pid - 10, (.args.slot // "-"), (.args.launch // "-"), (.args.cta // "-")] | @tsv' "$1"
}
law() { # law FILE: every law about spans; prints what is wrong
  spans "$1" | sort -k1,1n -k2,2n -k3,3n -k4,4n | awk '
    $4 <= $3 { print "empty: " $0 }
    $1 == group && $2 == track && $3 < end { print "overlap on track " group "/" track ": " $0 }
    { group = $1; track = $2; end = $4; kinds[$5]++ }'
  spans "$1" | awk '
    $1 == 1 { from[$8] = $3; to[$8] = $4 }
    $5 == "cta" { cta[$6 " " $7 " " $8 " " $9] = $3 " " $4 }
    { line[NR] = $0 }
    END {
      for (i = 1; i <= NR; i++) {
        split(line[i], f, "\t")
        if (f[1] < 10) continue
        split(cta[f[6] " " f[7] " " f[8] " " f[9]], c, " ")
        if (f[3] < c[1] || f[4] > c[2]) print "not within its CTA: " line[i]
        if (f[3] < from[f[8]] || f[4] > to[f[8]]) print "not within its launch: " line[i]
      }
    }'
}
jq -e '.displayTimeUnit == "ns" and (.traceEvents | length) > 50' a/perfetto.json >/dev/null || fail "no trace"
law a/perfetto.json >wrong
[ ! -s wrong ] || fail_showing wrong "laws that do not hold"
for what in cta copy compute barrier; do
  [ "$(jq "[.traceEvents[] | select(.args.what == \"$what\")] | length" a/perfetto.json)" = "$(awk -F, -v what=$what '$5 == what' a/events.csv | wc -l)" ] ||
    fail "other $what events than in events.csv"
done
[ "$(spans a/perfetto.json | awk '$5 == "copy"' | wc -l)" -ge 4 ] || fail "no staging copies"

# ---- the checks can fail ----
jq '(.traceEvents[] | select(.args.what == "copy")).dur += 1000000' a/perfetto.json >broken.json
law broken.json | grep -q 'overlap\|not within' || fail "a copy that lasts a second longer is not noticed"
jq '(.traceEvents[] | select(.args.what == "cta")).ts -= 0.000001' a/perfetto.json >broken.json
law broken.json | grep -q 'not within its launch' || fail "a CTA that begins a picosecond early is not noticed"

# ---- times against the statistics ----
khz=$(jq ".config.parameters.\"clock.core_khz\"" a/run.json)
[ "$khz" -gt 0 ] || fail "no core clock in run.json"
jq -r '.traceEvents[] | select(.pid == 1 and .ph == "X") | .args.core_cycles' a/perfetto.json >cycles
jq -r '.statistics.launches[].core_cycles' a/run.json | cmp - cycles || fail "launches of other lengths than in run.json"
spans a/perfetto.json | awk -v khz="$khz" '$1 == 1 { getline cycles <"cycles"; d = $4 - $3 - cycles * 1000000000 / khz
  if (d > 1 || d < -1) { print; exit 1 } }' || fail "a launch lasts another time than its cycles"
[ "$(spans a/perfetto.json | awk '$5 == "cta"' | wc -l)" = "$(jq '.statistics.sm.ctas' a/run.json)" ] || fail "other CTAs than in run.json"
# each instance: as many cycles as run.json says it executed
jq -r '[.traceEvents[] | select(.pid == 2 and .ph == "X") | .args] | group_by(.instance)[] | "\(.[0].instance) \(map(.cycles) | add)"' \
  a/perfetto.json | sort >executed
jq -r '.engines[] | select(.cycles > 0) | "\(.instance) \(.cycles)"' a/run.json | sort | cmp - executed || fail "blocks executed other cycles than in run.json"
[ "$(wc -l <executed)" -ge 2 ] || fail "no blocks"

# ---- the same whoever computes ----
must "$tandem" run "${options[@]}" --events=perfetto,csv --engine 'sm*.d2ma.*=lockstep' --out b
must "$tandem" run "${options[@]}" --events=perfetto --threads 2 --out c
must "$tandem" run "${options[@]}" --events=perfetto --no-skip --out d
for other in b c; do cmp a/perfetto.json $other/perfetto.json || fail "another timeline: $other"; done
without_blocks() { jq -c '.traceEvents[] | select(.pid != 2)' "$1/perfetto.json"; }
cmp <(without_blocks a) <(without_blocks d) || fail "another timeline without skipping"
must "$tandem" run "${options[@]}" --out e
[ "$(jq -c .statistics a/run.json)" = "$(jq -c .statistics e/run.json)" ] || fail "the timeline changes statistics"

# a launch without time, several launches; what is wrong
must "$tandem" run bfs:nodes=500 -c small --events=perfetto --detail="bfs_adv*:1" --out f
law f/perfetto.json >wrong
[ ! -s wrong ] || fail_showing wrong "laws that do not hold with functional launches"
[ "$(jq '[.traceEvents[] | select(.ph == "i")] | length' f/perfetto.json)" = "$(jq .statistics.functional.launches f/run.json)" ] ||
  fail "functional launches are missing"
refused 'write csv, sqlite, perfetto or konata:SM' "$tandem" run "${options[@]}" --events=perfeto --out g
must "$tandem" run "${options[@]}" --out a
[ ! -f a/perfetto.json ] || fail "the timeline of an older run stays"
echo "tracks, nesting, times, blocks; engines, threads, skipping; three planted faults"
