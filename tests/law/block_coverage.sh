#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# rows: elsewhere
# block_coverage.sh BUILD_DIR FAMILY: checks of all blocks of a family at their parameter sets, replays, and runs of the GPU that use
# them reach every branch of rtl/FAMILY, or rtl/FAMILY/unreached.yaml says why none does; no reason is wrong, and no point of a block that
# no run should reach is reached. With KEEP=DIR the sum and the annotated sources go there.
. tests/kit/shell.sh
family=$2
export TANDEM_CACHE=$build
cd "$work"

# tests/law/*_engines.sh run these in all their settings; here they add what a workload asks of a block
runs() {
  case $family in
    d2ma) echo "saxpy:n=4096 -c small --system d2ma --engine sm*.d2ma.*=rtl" ;;
    elastic)
      for options in pipeline=unified pipeline=split "pipeline=elastic --system elastic" "pipeline=elastic --system elastic --set elastic.violate=1"; do
        echo "transpose:rows=64,columns=64 -c elastic16 --set sm.count=2 --set sm.$options --engine *=rtl"
      done ;;
    alloc)
      echo "saxpy:version=plain,n=4096 -c yuan28 --set noc.allocator=hg --engine noc.*=rtl"
      echo "saxpy:version=plain,n=4096 -c yuan28 --set noc.allocator=rmhg --engine noc.req.alloc=rtl"
      echo "saxpy:version=plain,n=4096 -c yuan28 --set noc.allocator=islip --set noc.vcs=2 --set noc.offer=all --engine noc.req.alloc=rtl"
      echo "saxpy:version=plain,n=4096 -c yuan28 --set noc.topology=mesh --set noc.allocator=matrix --engine noc.req.r0.alloc=rtl" ;;
    memctl)
      for policy in bfifo fr_fcfs_plain; do
        echo "fwt:log2n=12 -c yuan28 --set dram.scheduler=$policy --engine dram.*=rtl"
      done ;;
    xmem) echo "mix:n=20000,table=20000,version=xmem -c xmem --set sm.count=4 --set dram.channels=4 --set l2.bytes=65536 --system xmem --engine l2.*.amu=rtl" ;;
    teleport) echo "matrix_add:rows=64,columns=128 -c teleport --set sm.count=4 --system teleport --engine *teleport.*=rtl" ;;
    ldesc)
      echo "jacobi:rows=64,columns=64,iterations=2 -c ldesc_chip --set sm.count=4 --system ldesc --set ldesc.hints=random --engine *ldesc*=rtl"
      echo "transpose:rows=64,columns=64 -c ldesc_modules --set sm.count=8 --set dram.channels=8 --set l2.bytes=1048576 --set numa.placement=interleave --system ldesc --set ldesc.hints=random --engine *ldesc*=rtl" ;;
    prim | caba | zorua) ;; # prim: parts of other blocks; caba, zorua: no instance of their own
    *) fail "no run of the GPU is listed for the family $family: add one to tests/law/block_coverage.sh" ;;
  esac
}

# A composite of an SM's size takes more than 20 minutes and 2.4 GB to compile with counters; its smallest set joins the same parts, each of which is
# checked at all of its own sets.
size() { # size BLOCK SETS: options that choose its size; SETS: those of a check at all sets
  local sets
  case $1 in
    zorua_manager)
      sets=$(of_block "$1" SETS)
      sets=${sets##* }
      echo "--param ${sets//,/ --param }" ;;
    *) echo "$2" ;;
  esac
}

blocks=$(sed -n "s/^set(\([a-z0-9_]*\)_FAMILY $family)\$/\1/p" "$build/generated/blocks.cmake")
[ "$blocks" ] || fail "no block of the family $family"
set -f
for block in $blocks; do
  # shellcheck disable=SC2046
  must "$tandem" check "$block" $(size "$block" --sweep) --cycles 20000 --rtl-coverage --coverage --out "$block"
  # shellcheck disable=SC2046
  must "$tandem" check "$block" $(size "$block" "") --cycles 100000 --seed 2 --rtl-coverage --coverage --record "$block.csv" --out "$block.long"
  must "$tandem" replay "$block.csv" --rtl-coverage --coverage --out "$block.replay"
done
n=0
while read -r run; do
  n=$((n + 1))
  # shellcheck disable=SC2086
  must "$tandem" run $run --rtl-coverage --out "gpu.$n"
done < <(runs)
set +f

folders=$(find . -name coverage.json -printf '%h\n' | sort)
# shellcheck disable=SC2086
"$tandem" coverage $folders ${KEEP:+--out "$KEEP" --annotate "$KEEP/source"} >report || fail_showing report "a reason is wrong"
cat report
missed() { grep -E "^  rtl/$family/[a-z0-9_]+\.v:[0-9]+: [a-z]+ of: " "$1"; }
! missed report >left || fail_showing left "$family: branches that nothing reaches; make a stimulus reach them, or say why no run can, in rtl/$family/unreached.yaml"
grep -qE "^rtl/$family/" report || fail "no file of rtl/$family in the report"

# the check can fail: a single cycle does not reach everything
for block in $blocks; do
  # shellcheck disable=SC2046
  must "$tandem" check "$block" $(size "$block" "") --cycles 1 --rtl-coverage --coverage --out "$work/short/$block"
done
# shellcheck disable=SC2046
"$tandem" coverage $(find short -name coverage.json -printf '%h\n') >short.report || fail_showing short.report "a reason is wrong"
missed short.report >/dev/null || fail "$family: one cycle reaches every branch"
