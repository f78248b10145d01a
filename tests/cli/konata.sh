#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: cuda
# konata.sh BUILD_DIR: --events=konata:SM writes the pipeline of an SM in the format of Konata. awk reads it by the rules of the format and
# checks laws of the pipeline: each operation begins, passes its stages in order and retires once; a scheduler issues one operation a cycle; a
# warp issues in the order of its program; as many operations as run.json counts; engines, threads and skipping change nothing.
. tests/kit/shell.sh
cd "$work"
options=(saxpy:n=8192,ctas=4 -c small --set sm.count=2)

law() { # law FILE SCHEDULERS: prints what is wrong, then "N operations"
  awk -F '\t' -v schedulers="$2" '
    function wrong(what) { print FILENAME ":" FNR ": " what ": " $0 }
    FNR == 1 { if ($0 != "Kanata\t0004") wrong("no header"); next }
    FNR == 2 { if ($1 != "C=") wrong("no first cycle"); now = $2; next }
    $1 == "C" { if ($2 < 1) wrong("time stands still"); now += $2; next }
    $1 == "I" { if ($2 in begun) wrong("begins twice"); begun[$2] = now; thread[$2] = $4; n++; next }
    $1 == "L" { if (!($2 in begun)) wrong("text of nothing"); if ($3 == 0) text[$2] = $4; next }
    $1 == "S" {
      if (!($2 in begun) || ($2 in retired)) wrong("stage of nothing")
      if (stage[$2] != "") wrong("two stages at once")
      if ($4 == "I") {
        if (++issued[now] > schedulers) wrong("more operations than schedulers in a cycle")
        if (thread[$2] in last && last[thread[$2]] >= now) wrong("a warp issues two operations at once")
        if (thread[$2] in latest && latest[thread[$2]] > $2) wrong("a warp issues out of order")
        last[thread[$2]] = now; latest[thread[$2]] = $2
      }
      if ((done[$2] == "" && $4 != "W") || (done[$2] == "W" && $4 != "I") || (done[$2] == "I" && $4 != "X")) wrong("stages out of order")
      stage[$2] = $4; since[$2] = now; next
    }
    $1 == "E" {
      if (stage[$2] != $4) wrong("ends another stage")
      if ($4 == "I" && now != since[$2] + 1) wrong("issue lasts no cycle")
      done[$2] = $4; stage[$2] = ""; next
    }
    $1 == "R" {
      if ($2 in retired || stage[$2] != "" || done[$2] == "W") wrong("retires wrongly")
      if ($3 != total++) wrong("retires under a wrong number")
      retired[$2] = now; next
    }
    { wrong("no command of the format") }
    END {
      for (i in begun) if (!(i in retired)) print "does not retire: " i
      for (i in begun) if (text[i] == "") print "has no text: " i
      print n " operations"
    }' "$1"
}
of_sm() { awk -F, -v sm="$2" '$1 == "sm" && $2 == sm && $4 == "warp_instructions" { print $6 }' "$1/statistics.csv"; } # of_sm RUN SM

schedulers=$("$tandem" list machines small | awk '$1 == "sm.schedulers" { print $2 }')
[ "$schedulers" -ge 1 ] || fail "sm.schedulers of small is '$schedulers'"
for sm in 0 1; do
  must "$tandem" run "${options[@]}" --events=konata:$sm --out sm$sm
  counted=$(of_sm sm$sm $sm)
  [ "$counted" -gt 100 ] || fail "SM $sm executes nothing"
  [ "$(law sm$sm/konata.sm$sm.log "$schedulers")" = "$counted operations" ] || { law sm$sm/konata.sm$sm.log "$schedulers" | head; fail "SM $sm: $counted warp instructions are counted"; }
done
[ ! -f sm0/konata.sm1.log ] || fail "another SM, too"
log=sm0/konata.sm0.log
grep -q $'^L\t[0-9]*\t0\t.*ld\.global' $log || fail "no load is named"
# a load from memory takes longer than arithmetic
awk -F '\t' '$1 == "C=" { now = $2 } $1 == "C" { now += $2 } $1 == "L" && $3 == 0 { text[$2] = $4 } $1 == "S" && $4 == "X" { from[$2] = now }
  $1 == "R" && ($2 in from) { d = now - from[$2]; if (text[$2] ~ /ld\.global/ && d > load) load = d; if (text[$2] ~ /fma\.rn\.f32/ && d > add) add = d }
  END { exit !(load > add && add > 0) }' $log || fail "loads are not longer than arithmetic"

# the law can fail
awk -F '\t' -v OFS='\t' '$1 == "C" && !once { once = 1; next } { print }' $log >broken # two cycles become one
[ "$(law broken "$schedulers" | wc -l)" -gt 1 ] || fail "a cycle that is left out is not noticed"
sed '0,/^R\t/{/^R\t/d}' $log >broken
law broken "$schedulers" | grep -q 'does not retire' || fail "an operation that stays is not noticed"
[ "$(law $log $((schedulers - 1)) | wc -l)" -gt 1 ] || fail "an issue too many is not noticed"

# the same whoever computes
must "$tandem" run "${options[@]}" --events=konata:0 --threads 2 --out threads
must "$tandem" run "${options[@]}" --events=perfetto,konata:0 --no-skip --out noskip
for other in threads noskip; do cmp $log $other/konata.sm0.log || fail "another pipeline: $other"; done
[ -f noskip/perfetto.json ] || fail "of two kinds one is missing"
must "$tandem" run "${options[@]}" --out plain
[ "$(jq -c .statistics sm0/run.json)" = "$(jq -c .statistics plain/run.json)" ] || fail "recording changes statistics"

# launches after each other, with divergence and barriers
must "$tandem" run bfs:nodes=500 -c small --events=konata:0 --out bfs
[ "$(law bfs/konata.sm0.log "$schedulers")" = "$(of_sm bfs 0) operations" ] || { law bfs/konata.sm0.log "$schedulers" | head; fail "bfs: $(of_sm bfs 0) are counted"; }

refused 'there is no such SM; write 0 to 1' "$tandem" run "${options[@]}" --events=konata:2 --out x
refused 'there is no such SM' "$tandem" run "${options[@]}" --events=konata:one --out x
refused 'write csv, sqlite, perfetto or konata:SM' "$tandem" run "${options[@]}" --events=konata --out x
echo "format, stages, schedulers, order, counts; three planted faults; threads, skipping"
