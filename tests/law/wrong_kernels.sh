#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# wrong_kernels.sh BUILD_DIR: the host program of a workload finds a fault that is planted in its kernel; without one it finds none.
. tests/kit/shell.sh
python=$(cached TANDEM_PYTHON) cc=$(cached CMAKE_C_COMPILER)

computes() { # computes KERNEL WORKLOAD ARGS: compiles the kernel and runs the host program with it
  local version
  version=$(of_workload "$2" VERSIONS)
  to_ptx "$1" "$work/$version.ptx" -O2 "-DTANDEM_VERSION_${version^^}" "-Itestbench/workloads/$2" || fail_showing "$work/log" "$2 does not compile"
  "$python" scripts/gen/workloads.py --ptx "$work" "$2" "$version=$work/$version.ptx"
  "$cc" -std=gnu11 -O1 -I"$work" -I"$build/generated" -Itestbench/workloads "-I$headers" "testbench/workloads/$2/host.c" \
    -o "$work/$2" -L"$build/lib/tandem" -lcuda -lm
  "$tandem" run "$work/$2:$3" -c small --functional --set launch.limit=3000000 --out "$work/run" >"$work/log" 2>&1
}
count=0
wrong() { # wrong WORKLOAD ARGS SED-EXPRESSION
  local kernel=testbench/workloads/$1/kernel.cu
  sed "$3" "$kernel" >"$work/kernel.cu"
  planted "$kernel" "$work/kernel.cu" "$1: $3"
  computes "$kernel" "$1" "$2" || fail_showing "$work/log" "$1:$2 is wrong without a fault"
  ! computes "$work/kernel.cu" "$1" "$2" || fail "$1:$2: not noticed: $3"
  grep -q "^$1: .* FAIL" "$work/log" || fail_showing "$work/log" "$1:$2: another end: $3"
  count=$((count + 1))
}

# an edge too many, of two components that chose the same one; a chunk's end that is not looked at
wrong mst nodes=200,degree=3 's/chosen\[edge\] = 1/chosen[edge ^ (node == 7)] = 1/'
wrong mst nodes=200,degree=3,chunk=100 's/stop = least(behind, at + size)/stop = least(behind, at + size - 1)/'
# a neighbour that is not asked; nodes lost for which there is no slot
wrong sssp nodes=200,degree=3 's/e = first\[node\]; e < end/e = first[node] + 1; e < end/'
wrong sssp nodes=200,degree=3,slots=2 's/else next\[atomicAdd(next_items, 1u)\] = to;//'
# a cutoff that is not smooth; a bin that is left out
wrong cutcp bins=2,cutoff=3 's/rest \* rest/rest/'
wrong cutcp bins=2,cutoff=3,stage=3 's/from < all; from/from + stage < all; from/'
# a point with itself; a histogram that is left out
wrong tpacf points=99,sets=1 's/from + i <= own/from + i < own/'
wrong tpacf points=99,sets=1 's/c = 0; c < copies/c = 1; c < copies/'
# a mean that is left out; a thread's best place that the tree forgets
wrong heartwall size=64,points=21,frames=1,side=9,search=2 's/of_own += q/of_own += 1/'
wrong heartwall size=64,points=21,frames=1,side=9,search=2,threads=32 's/if (t < rest - half) {/if (t + 1 < rest - half) {/'
# masses that do not count; the last octant; a box that is too small
wrong barnes_hut bodies=99,theta=0 's/f = b.w \* r/f = r/'
wrong barnes_hut bodies=99 's/k == 8/k == 7/'
wrong barnes_hut bodies=99 's/k < 3 ? other/k < 2 ? other/'
# a border that is not the other tile's
wrong nw n=48 's/row == 0) tile\[0\]\[t + 1\] = score\[y/row == 0) tile[0][t + 1] = score[0 * y/'
# entries that are there twice and both stay; entries that begin alike and count as one
wrong page_view_count entries=300,pages=60,clients=20 's/if (hash_x != hash_y) return/if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1; if (hash_x != hash_y) return/'
wrong page_view_count entries=300,pages=60,clients=20 's/c < size; c++/c < 24; c++/; s/while (\*p == \*q \&\& \*p)/while (0)/'
# the wrong end first; views of which a byte is lost
wrong page_view_rank pages=300,most=50 's/x > y ? -1 : x < y/x < y ? -1 : x > y/'
wrong page_view_rank pages=300 's/\*(const unsigned \*)(keys + row.x))/*(const unsigned *)(keys + row.x) \& 0xffffff)/'
# a length left out; the last elements of a vector
wrong similarity documents=13,terms=12 's/sqrtf(of_b)/sqrtf(of_a)/'
wrong similarity documents=13,terms=12 's/t < terms \/ 4/t < terms \/ 4 - 1/'
# a square that is none; a point less in the mean; groups that run together
wrong kmeans_mapreduce points=90,clusters=7,rounds=2 's/sum += delta \* delta/sum += delta/'
wrong kmeans_mapreduce points=90,clusters=7,rounds=2 's/r = first; r < end/r = first + 1; r < end/'
wrong kmeans_mapreduce points=90,clusters=7,rounds=2 's/other = (.*y->point\]/other = one/'
# the last elements of a row; an element of another place
wrong matmul_mapreduce rows=23,columns=12 's/k < columns \/ 4/k < columns \/ 4 - 1/'
wrong matmul_mapreduce rows=23,columns=12 's/value_at\[i\] + 4, column/value_at[i] + 4, row/'
# a filter turned round; an element of the next tile
wrong convolution_separable rows=64,columns=128 's/TAPS - 1 - k/k/'
wrong convolution_separable rows=128,columns=256 's/column < (int)columns ?/i <= STEPS ?/'
# a level that is not a step further
wrong bfs_topology nodes=300,degree=3 's/atomicMin(&level\[to\], own + 1)/atomicMin(\&level[to], own)/'
# a step of quantisation of another coefficient; a coefficient that is cut off in place of rounded
wrong jpeg rows=16,columns=136,quality=90 's/p.across \* 8 + 2 \* i + 1\]);/p.across * 8 + 2 * i]);/'
wrong jpeg rows=16,columns=136 's/(int)rintf(v\[2 \* i\] /(int)(v[2 * i] /'
# a clause's own survey; a literal's own warning
wrong survey variables=50 's/if (e \/ 3 == without) continue;//'
wrong survey variables=50 's/= warning\[0\] \* warning\[1\]/= warning[2] * warning[1]/'
echo "$count faults found"
