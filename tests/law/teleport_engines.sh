#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: teleport
# teleport_engines.sh BUILD_DIR [all]: on the whole GPU with TELEPORT the statistics are the same to the byte whoever computes its blocks, with
# and without skipping, in one host thread and in two; rows, random ones too, change time and no result (each program checks its own).
# Four of nine runs are compared, with `all` every one.
. tests/kit/shell.sh
all=${2:-}

preload() { # preload NAME SPEC OPTION...
  simulate "$@" -c teleport --set sm.count=4 --system teleport
}
hits() { [ "$(counter teleport_load_hits "$1")" -gt 0 ] || fail "$1: no load hit the buffer"; }

while read -r name spec arguments; do
  # shellcheck disable=SC2086
  case $all$name in
    all* | rows | graph | small | other) four_ways preload "$name" '*teleport.*' "$spec" $arguments ;;
    *) preload "$name" "$spec" $arguments ;;
  esac
  hits "$name"
done <<'RUNS'
rows matrix_add:rows=64,columns=128
shared jacobi:rows=64,columns=64,iterations=1
graph bfs:nodes=1024
random bfs:nodes=512 --set teleport.random_rows=7
small matrix_add:rows=64,columns=64 --set teleport.ways=2 --set teleport.queue=1
narrow matrix_add:rows=32,columns=64 --set teleport.wide=0 --set teleport.rows=9
again jacobi:rows=64,columns=64,iterations=1 --set teleport.dedup=1 --set noc.prefer=preload --set dram.prefer=preload
serial matrix_add:rows=64,columns=128 --set teleport.pace=serial
other bfs:nodes=512 --set teleport.end=inclusive --set teleport.store=evict
RUNS
[ "$(counter teleport_self_evictions small)" -gt 0 ] || fail "a buffer of 8 lines keeps all lines of a CTA"
[ "$(counter teleport_rows_full narrow)" -gt 0 ] || fail "9 rows suffice"
[ "$(counter teleport_lines_there again)" -gt 0 ] || fail "no line was saved"
[ "$(counter teleport_lines_outside random)" -gt 0 ] || fail "no random row leaves its allocation"

# ---- the ideal models: nothing is sent in i, nothing is held in i and s ----
for model in i s r; do preload $model matrix_add:rows=64,columns=128 --set teleport.model=$model; hits $model; done
[ "$(counter teleport_requests i)" = 0 ] || fail "model i sends requests"
for name in s r rows; do
  [ "$(counter teleport_requests $name)" = "$(counter teleport_requests rows)" ] || fail "$name: other requests than in real"
  [ "$(counter teleport_lines $name)" = "$(counter teleport_requests $name)" ] || fail "$name: a request without a reply"
done
[ "$(counter teleport_held i) $(counter teleport_held s)" = "0 0" ] || fail "an ideal model holds CTAs"
[ "$(counter teleport_held r)" = "$(counter teleport_held rows)" ] || fail "r holds other CTAs than real"

# the controller's pace changes time alone
preload quick matrix_add:rows=64,columns=128 --set teleport.pace=unlimited
preload quick_noskip matrix_add:rows=64,columns=128 --set teleport.pace=unlimited --no-skip --threads 2
same quick quick_noskip "unlimited pace without skipping"
for pace in quick serial; do
  for counter in teleport_requests teleport_lines teleport_held teleport_ctas; do
    [ "$(counter $counter $pace)" = "$(counter $counter rows)" ] || fail "$pace: $counter is $(counter $counter $pace)"
  done
done
[ "$(counter core_cycles quick)" -lt "$(counter core_cycles serial)" ] || fail "unlimited pace is not faster"
[ "$(counter core_cycles rows)" -lt "$(counter core_cycles serial)" ] || fail "overlapped rows are not faster"
# a line a cycle: each of 32 CTAs has 32 rows of a line; beside these, three cycles until the first line (a row is taken, summed, scaled)
# and one for the message
[ "$(counter teleport_busy_cycles rows)" = $((32 * (3 + 32 + 1))) ] || fail "the controller was busy for $(counter teleport_busy_cycles rows) cycles"

# CTAs that end before their rows are walked: dispatch waits, and every row is walked
preload late matrix_add:rows=256,columns=128 --set teleport.model=s --set sm.count=1
[ "$(counter teleport_ctas late)" = 128 ] || fail "model s: $(counter teleport_ctas late) CTAs of 128 were walked"

# ---- lines, counted by hand ----
# matrix_add: CTAs of 16 x 16 threads on 64 x 128 floats: 32 CTAs, each reads 16 rows of 64 bytes of two arrays, and each piece is in a
# line of 128 bytes. bfs: two CTAs of 512 threads; in each level the first kernel reads 513 offsets (17 lines), 512 flags (4) and 512
# costs (16), the second one 512 flags (4).
[ "$(counter teleport_requests rows)" = $((32 * 2 * 16)) ] || fail "rows: $(counter teleport_requests rows) lines"
levels=$((($(counter teleport_ctas graph) + 3) / 4))
[ "$(counter teleport_requests graph)" = $((levels * 2 * (17 + 4 + 16 + 4))) ] || fail "graph: $(counter teleport_requests graph) lines"
[ "$(counter teleport_lines_outside rows) $(counter teleport_lines_outside graph)" = "0 0" ] || fail "a line outside of its array"

# An end that is fetched, too: one CTA reads 514 offsets (17 lines), 513 flags (5) and 513 costs (17), then 513 flags (5). What follows an
# array may lie outside of any. The flags of four warps share a line, which the store of the first one takes out.
preload updates bfs:nodes=512
fetched=$(($(counter teleport_requests other) + $(counter teleport_lines_outside other)))
[ $fetched = $(($(counter teleport_ctas other) / 2 * (17 + 5 + 17 + 5))) ] || fail "inclusive ends: $fetched lines"
[ "$(counter teleport_store_hits other)" -gt 0 ] || fail "no store takes a line out"
[ "$(counter teleport_store_hits other)" -lt "$(counter teleport_store_hits updates)" ] || fail "a line that a store took out is hit again"

# ---- each CTA's rows are walked once; without rows, or without a buffer, nothing is ----
[ "$(counter teleport_ctas rows)" = "$(counter ctas rows)" ] || fail "CTAs whose rows were not walked"
for off in teleport.ways=0 teleport.source=calls; do
  preload off matrix_add:rows=64,columns=128 --set $off
  [ "$(counter teleport_requests off) $(counter teleport_held off)" = "0 0" ] || fail "$off: something is preloaded"
done
# ---- rows that the program sets are those that the driver makes: bfs calls teleport.h with a row for each array ----
preload calls bfs:version=teleport,nodes=1024 --set teleport.source=calls
for counter in teleport_ctas teleport_held teleport_requests teleport_lines teleport_lines_outside; do
  [ "$(counter $counter calls)" = "$(counter $counter graph)" ] || fail "$counter: the calls' rows are not those of the analysis"
done
preload closed bfs:version=teleport,nodes=512 --set teleport.source=calls --set teleport.end=inclusive
[ "$(counter teleport_requests closed)" = "$(counter teleport_requests other)" ] || fail "inclusive ends: the calls' rows are others"
preload deaf bfs:version=teleport,nodes=1024 # the calls have no effect with teleport.source=analysis
[ "$(counter teleport_rows_set deaf)" = "$(counter teleport_rows_set graph)" ] || fail "calls set rows with teleport.source=analysis"
echo "${all:-four of} nine runs, four ways each; models, pace, lines by hand, calls: the same bytes"
