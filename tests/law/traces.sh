#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# traces.sh BUILD_DIR: traces of memory traffic at every level are the same without skipping and with two threads, have as many lines of each
# kind as the counters say, and tandem noc and tandem dram take them back.
. tests/kit/shell.sh
lines() { awk -F, "NR > 1 && ($2) { n++ } END { print n + 0 }" "$work/$1"; } # lines FILE CONDITION over the columns
counter() { statistic "$1" "$2" || true; }
equal() { # equal RUN COUNTER VALUE WHAT
  [ "$(counter "$1" "$2")" = "$3" ] || fail "$1: $4: $3 in the trace, $2 is $(counter "$1" "$2")"
}
check() { # check NAME ARGUMENT...
  local name=$1 file
  shift
  simulate "$name" "$@" --trace all
  simulate plain "$@"
  same "$name" plain "$*: tracing changes something"
  simulate other "$@" --trace all --no-skip --threads 2
  for file in "$work/$name"/*.csv; do cmp "$file" "$work/other/${file##*/}" || fail "$*: ${file##*/} differs without skipping, with two threads"; done
  { echo heading; tail -qn +2 "$work/$name"/accesses.sm*.csv; } >"$work/l1"
  equal "$name" sm.l1_hits "$(lines l1 '$4 == "l1" && $3 == "R" && $7 == "hit"')" "hits in L1"
  equal "$name" sm.l1_misses "$(lines l1 '$4 == "l1" && $3 == "R" && $7 == "miss"')" "misses in L1"
  equal "$name" sm.l1_merges "$(lines l1 '$4 == "l1" && $3 == "R" && $7 == "merged"')" "merged in L1"
  equal "$name" sm.const_misses "$(lines l1 '$4 == "const" && $7 == "miss"')" "misses of the constant cache"
  for way in request reply; do
    equal "$name" "memory.noc_${way}_packets" "$(lines "$name/packets.$way.csv" 1)" "packets"
    equal "$name" "memory.noc_${way}_flits" "$(awk -F, 'NR > 1 { n += $4 } END { print n + 0 }' "$work/$name/packets.$way.csv")" "flits"
  done
  equal "$name" memory.l2_reads "$(lines "$name/requests.l2.csv" '$5 == "R"')" "reads of L2"
  equal "$name" memory.l2_writes "$(lines "$name/requests.l2.csv" '$5 == "W"')" "writes of L2"
  equal "$name" memory.l2_atomics "$(lines "$name/requests.l2.csv" '$5 == "A"')" "atomics of L2"
  equal "$name" memory.l2_hits "$(lines "$name/requests.l2.csv" '$8 == "hit"')" "hits in L2"
  equal "$name" memory.dram_requests "$(lines "$name/requests.csv" 1)" "DRAM requests"
  echo "$*: $(cat "$work/$name"/*.csv | wc -l) lines"
}
check sgemv sgemv:m=480
check histogram histogram:n=8192,ctas=8 -c small
check yuan vecadd:n=4096 -c yuan32

# back through a network alone: every packet arrives; none sooner than alone
take_back() { # take_back FILE OPTION...
  "$tandem" noc --trace "$work/$1" "${@:2}" --json >"$work/noc.json" || fail "tandem noc --trace $1 fails"
  [ "$(jq '.points[0].packets' "$work/noc.json")" = "$(lines "$1" 1)" ] || fail_showing "$work/noc.json" "$1: packets are lost"
  jq -e '.points[0].saturated == false and .points[0].latency >= .zero_load_latency - 1e-9' "$work/noc.json" >/dev/null || fail_showing "$work/noc.json" "$1: sooner than alone"
}
take_back sgemv/packets.request.csv --topology crossbar --size 15x8
take_back sgemv/packets.reply.csv --topology crossbar --size 8x15
take_back sgemv/packets.request.csv --topology mesh --size 4x4 --vcs 2 --allocator hg --engine '*=lockstep'
take_back yuan/packets.reply.csv --topology ring --size 40
# one packet: its latency is that of an empty network, hop by hop, wherever it goes
for to in 0 1 5 15; do
  printf 'flits,cycle,to,from\n3,1000,%d,0\n' $to >"$work/one"
  take_back one --size 4x4 --router-latency 5
  jq -e ".points[0].latency == (2 + 5 * (1 + $((to % 4)) + $((to / 4))) + 3)" "$work/noc.json" >/dev/null || fail_showing "$work/noc.json" "a packet to node $to"
done
# two at once to one consumer: the second is later by the first one's flits
printf 'cycle,from,to,flits\n0,0,2,4\n0,1,2,4\n' >"$work/two"
take_back two --topology crossbar --size 3x3
jq -e '.points[0].latency - .zero_load_latency == 2' "$work/noc.json" >/dev/null || fail_showing "$work/noc.json" "two packets to one consumer"
"$tandem" dram "$work/sgemv/requests.csv" -c gtx480 --json >"$work/dram.json" || fail "tandem dram does not take the trace"

bad() { refused "$1" "$tandem" noc --trace "$work/bad" --size 4x4 "${@:2}"; }
printf 'cycle,from,to\n1,2,3\n' >"$work/bad" && bad 'bad:1: there is no column flits'
printf 'cycle,from,to,flits\n1,2,3,1\n1,16,3,1\n' >"$work/bad" && bad 'bad:3: from is "16"; a number in 0..15'
printf 'cycle,from,to,flits\n1,2,3,1\n1,2,x,1\n' >"$work/bad" && bad 'bad:3: to is "x"'
printf 'cycle,from,to,flits\n1,2,3,0\n' >"$work/bad" && bad 'flits is "0"; a number in 1..64'
printf 'cycle,from,to,flits\n5,2,3,1\n4,2,3,1\n' >"$work/bad" && bad 'after it has sent in cycle'
printf 'cycle,from,to,flits\n5,2,3,1,7\n' >"$work/bad" && bad 'bad:2: more than the 4 columns'
printf 'cycle,from,to,flits\n' >"$work/bad" && bad 'no packet'
printf 'cycle,from,to,flits\n1,2,3,1\n' >"$work/bad" && bad 'leave out --rate' --rate 0.1
rm "$work/bad" && bad 'cannot read'
refused 'there is no level "l3"' "$tandem" run saxpy:n=64 --trace l1,l3 --out "$work/x"
