#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: yuan
# networks.sh BUILD_DIR: a GPU on each network ends, and gives the same statistics with several host threads and without skipping.
. tests/kit/shell.sh
three_times() { # three_times TITLE OPTION...
  local title=$1
  shift
  simulate one saxpy:version=plain,n=16384 -c yuan28 "$@"
  simulate threads saxpy:version=plain,n=16384 -c yuan28 "$@" --threads 3
  simulate exhaustive saxpy:version=plain,n=16384 -c yuan28 "$@" --no-skip
  same one threads "$title with three threads"
  same one exhaustive "$title without skipping"
  echo "$title: $(statistic one core_cycles) core cycles three times"
}
three_times crossbar
three_times mesh --set noc.topology=mesh --set noc.vcs=2 --set noc.vc_alloc=svca
three_times ring --set noc.topology=ring --set noc.vcs=4 --set noc.flit_bytes=64 --set noc.mc_nodes=0
# replies find their way out however little room there is for requests
least=(--set noc.queue=1 --set noc.buffer_flits=3 --set dram.queue=2 --set l2.mshrs=2)
three_times "mesh, the least room" --set noc.topology=mesh "${least[@]}"
three_times "ring, the least room" --set noc.topology=ring --set noc.vcs=2 "${least[@]}"
