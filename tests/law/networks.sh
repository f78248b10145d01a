#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: yuan
# networks.sh BUILD_DIR: a GPU on each network ends, and gives the same statistics with several host threads and without skipping.
set -eu
tandem=$(cd "$1" && pwd)/bin/tandem
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
statistics() { # statistics NAME ARGUMENTS...
  local name=$1
  shift
  "$tandem" run "$@" --out "$work/$name" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
  jq -S .statistics "$work/$name/run.json" >"$work/$name.json"
}
# same TITLE MACHINE...
same() {
  local title=$1 other
  shift
  statistics one saxpy:version=plain,n=16384 -c yuan28 "$@"
  statistics threads saxpy:version=plain,n=16384 -c yuan28 "$@" --threads 3
  statistics exhaustive saxpy:version=plain,n=16384 -c yuan28 "$@" --no-skip
  for other in threads exhaustive; do
    cmp "$work/one.json" "$work/$other.json" || { echo "$title: $other differs"; exit 1; }
  done
  echo "$title: $(jq .core_cycles "$work/one.json") core cycles three times"
}
same crossbar
same mesh --set noc.topology=mesh --set noc.vcs=2 --set noc.vc_alloc=svca
same ring --set noc.topology=ring --set noc.vcs=4 --set noc.flit_bytes=64 --set noc.mc_nodes=0
# replies find their way out however little room there is for requests
same "mesh, the least room" --set noc.topology=mesh --set noc.queue=1 --set noc.buffer_flits=3 --set dram.queue=2 --set l2.mshrs=2
same "ring, the least room" --set noc.topology=ring --set noc.vcs=2 --set noc.queue=1 --set noc.buffer_flits=3 --set dram.queue=2 --set l2.mshrs=2
