#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: ldesc
# ldesc_workloads.sh BUILD_DIR: the descriptors of the sixteen programs of the thesis (Vijaykumar 2019, table 4). On several modules they
# give their host the same bytes, copy by copy, with the Locality Descriptor and without it; the types are those of table 4; clusters and
# maps are those that we computed by hand from grids and tiles; and where a tile is what a CTA reads, the CTA reads it from its own module.
. tests/kit/shell.sh
. tests/kit/copies.sh
modules=(-c ldesc_modules --set sm.count=8 --set dram.channels=8 --set l2.bytes=1048576 --set memory.mib=256)

# ---- results, and the types of table 4: a row of the policy table for each structure of the launch with most of them ----

# on a chip: hard: intra-thread; bypass: no reuse; stride: inter-thread, coaccessed, regular; next: nearby; soft: coaccessed, irregular
types() { # types SPEC
  "$tandem" ldesc "$1" --json >"$work/rows.json" || fail "tandem ldesc $1"
  jq -r '[.launches[].rows] | max_by(length) | map(if .insert == "normal" then .prefetch else .insert end) | unique | join(" ")' "$work/rows.json" |
    sed 's/hard pin/hard/; s/soft pin/soft/; s/next line/next/'
}
count=0 moved=0
while read -r spec want; do
  workload=${spec%%:*}
  copies without "$workload:version=ldesc,${spec#*:}" "${modules[@]}"
  copies with "$spec" "${modules[@]}" --system ldesc --out "$work/with_run"
  cmp "$work/without" "$work/with" || fail "$spec: the result is another one with descriptors"
  cmp -s "$work/without.time" "$work/with.time" || moved=$((moved + 1))
  [ "$(counter ldesc_launches with_run)" -gt 0 ] || fail "$spec: no launch had descriptors"
  got=$(types "$spec")
  [ "$got" = "$want" ] || fail "$spec: its structures are $got, not $want"
  count=$((count + 1))
done <<'RUNS'
syrk_plain:n=40,m=64 bypass stride
doitgen:nr=2,nq=24,np=64 bypass stride
dwt2d:rows=96,columns=130 next
convolution2d:rows=64,columns=160 bypass next
spmv:rows=1000,columns=5000,degree=9 hard soft
libor:paths=70 bypass hard
lavamd:boxes=2,particles=21 hard stride
histo:n=10000,bins=5000,ctas=3 stride
atax:rows=64,columns=320 bypass stride
mvt:n=128 bypass stride
particlefilter:particles=600,frames=1,side=64 bypass
streamcluster:points=2000,dimensions=33,candidates=2 bypass next
transpose:rows=70,columns=130,tile=32 bypass
scalar_product:vectors=16,elements=512 bypass
laplace3d:nx=40,ny=24,nz=12 bypass hard
pathfinder:columns=4000,rows=21 bypass
RUNS
[ $count = 16 ] || fail "$count programs, not 16"
[ $moved -ge 12 ] || fail "descriptors change the time of only $moved of 16 runs"
echo "16 programs: the same results with descriptors; other times in $moved"

# ---- what the driver makes of them ----

# clusters on a chip of 15 SMs: C-Tiles are halved until there are 15 or more
#   histo            14 columns of 16 CTAs: 14 C-Tiles, so 8 CTAs each
#   syrk_plain       8 columns of 32 CTAs, so 16 CTAs: 16
#   doitgen          4 columns of 16 CTAs, so 8, then 4: 16; rows of 4 would leave 4 clusters
#   convolution2d    16 rows of 8 CTAs
#   dwt2d            its first level: 8 rows of 8 CTAs, so 4: 16
#   lavamd           25 rows of 5 boxes
#   spmv             one C-Tile of 64 CTAs, halved four times: 16 of 4
#   streamcluster    each CTA alone
# prefetches with one tile: as many strides as widths of a tile are in 32 KB; a line along a row of 1 KB: 32
decide() { "$tandem" ldesc "$1" "${@:2}" --json >"$work/decision.json" || fail "tandem ldesc $*"; }
clusters_of() { jq -r '.launches[0] | "\(.clusters.size | join("x")) \(.clusters.of_modules | join(" "))"' "$work/decision.json"; }
while read -r spec size number ahead; do
  decide "$spec"
  [ "$(clusters_of)" = "$size $number" ] || fail "$spec: clusters $(clusters_of), not $size $number"
  [ "$(jq '[.launches[0].rows[].distance[0]] | map(values)[0]' "$work/decision.json")" = "$ahead" ] || fail_showing "$work/decision.json" "$spec: not $ahead bytes ahead"
done <<'END'
histo:n=262144 1x8x1 28 458752
syrk_plain:n=256,m=256 1x16x1 16 4096
doitgen:nr=1 1x4x1 16 131072
convolution2d:rows=128,columns=256 8x1x1 16 null
dwt2d:rows=256,columns=256 4x1x1 16 null
lavamd:boxes=5 5x1x1 25 32000
spmv:rows=16384 4x1x1 16 null
streamcluster:candidates=1 1x1x1 32 null
END
for spec in transpose:rows=256,columns=256 scalar_product libor laplace3d pathfinder:columns=4000,rows=21; do
  decide "$spec"
  [ "$(jq '.launches[0].clusters' "$work/decision.json")" = null ] || fail "$spec: it has clusters, and nothing is shared"
done

# maps on four modules: tiles of 2^b bytes in a row go round, and CTAs with them
#   syrk_plain      32 rows of 2 KB: 64 KB, as many columns of CTAs in each module; C: 128 bytes of a row of the grid
#   scalar_product  a vector of 4 KB; convolution2d: 8 rows of 4 KB; laplace3d: 128 bytes of 4 columns of CTAs, in every plane
#   transpose       tiles of 128 bytes in rows of 2 KB: A by x; B by its rows of tiles, 64 KB
decide syrk_plain:n=512,m=512 -c ldesc_modules
[ "$(clusters_of)" = "1x16x1 16 16 16 16" ] || fail "syrk_plain on modules: clusters $(clusters_of)"
while read -r spec want; do
  decide "$spec" -c ldesc_modules
  got=$(jq -c '[.launches[0].structures[] | select(.local >= 0.99) | .bit]' "$work/decision.json")
  [ "$got" = "$want" ] || fail_showing "$work/decision.json" "$spec: bits $got, not $want"
done <<'END'
syrk_plain:n=512,m=512 [16,7]
scalar_product:vectors=128,elements=1024 [12,12]
convolution2d:rows=1024,columns=1024 [15,15]
laplace3d:nx=128,ny=32,nz=8 [7,7]
transpose:rows=512,columns=512,tile=32 [7,16]
END
echo "clusters, distances and maps: those computed by hand"

# ---- tiles are what CTAs read ----

remote() { echo $((100 * $(counter numa_remote "$1") / ($(counter numa_local "$1") + $(counter numa_remote "$1")))); }
while read -r spec most; do
  simulate placed "$spec" "${modules[@]}" --system ldesc --set ldesc.prefetch=0
  simulate hashed "$spec" "${modules[@]}" --system ldesc --set ldesc.hints=off
  echo "$spec: $(remote placed) % of its accesses are remote, $(remote hashed) % without descriptors"
  [ "$(remote placed)" -le "$most" ] || fail "$spec: $(remote placed) % are remote, more than $most"
  [ "$(remote hashed)" -ge 60 ] || fail "$spec: without descriptors only $(remote hashed) % are remote"
done <<'END'
scalar_product:vectors=64,elements=1024,ctas=64 2
transpose:rows=512,columns=512,tile=32 1
syrk_plain:n=128,m=64 10
convolution2d:rows=256,columns=256 20
END

# The check can fail: CTAs that run elsewhere.
simulate elsewhere convolution2d:rows=256,columns=256 "${modules[@]}" --system ldesc --set ldesc.prefetch=0 --set ldesc.schedule=0
[ "$(remote elsewhere)" -gt 60 ] || fail "CTAs run where their data are without a schedule, too"
