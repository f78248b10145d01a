#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: zorua
# label: nightly
# zorua_values.sh BUILD_DIR: with zorua.values=1 a wrong map gives a wrong result. Copies of the models of zorua_manager and its parts, under
# other names, leave every statistic as it is; with a port that names another set than the table, for registers or for scratchpad, and with
# lines that move from or to another set, the workload's check fails. Without values the same faults are not seen.
. tests/kit/shell.sh
export TANDEM_CACHE="$work/cache"
mine=$work/mine
mkdir -p "$mine/original"
parts="othresh_ctl coordinator set_mover swap_agen map_table set_allocator lfu_victim"
names=$(printf 's/\\b\\(%s\\)\\(_\\|\\b\\)/my_\\1\\2/g' "$(echo $parts zorua_manager | sed 's/ /\\|/g')")
for block in $parts zorua_manager; do # rows, and models of the same text
  sed -n "/^$block:/,/^  mutants:/p" configs/blocks.yaml | sed '$d' | sed "$names"
  printf '  files: [%s/rtl/zorua/%s.v]\n  model: my_%s.c\n' "$root" $block $block
  sed "$names" csim/blocks/zorua/$block.c >"$mine/original/my_$block.c"
done >"$mine/blocks.yaml"
printf 'void err_broken_invariant(const char *f, int l, const char *e, const char *s, ...) { (void)f, (void)l, (void)e, (void)s, __builtin_abort(); }\n' \
  >>"$mine/original/my_zorua_manager.c" # a function of csim/base
cp "$mine"/original/*.c "$mine"

of_zorua=(--set sm.count=1 --system zorua --set zorua.mechanism=zorua --set ptx.registers=allocated)
run() { # run OUT VALUES WORKLOAD
  "$tandem" run "$3" "${of_zorua[@]}" --set "zorua.values=$2" --manifest "$mine/blocks.yaml" --replace 'sm*.zorua=my_zorua_manager' --out "$work/$1"
}
registers=phases:pattern=5,n=1024,threads=512,rounds=1 # sets go to memory and come back
scratch=phases:pattern=1,n=256,threads=128,rounds=1    # shared memory lies in sets
for spec in $registers $scratch; do
  simulate plain $spec "${of_zorua[@]}"
  simulate tables $spec "${of_zorua[@]}" --set zorua.values=1
  same plain tables "$spec: with values"
  must run copy 1 $spec
  sed -n '/^  "statistics"/,/^  }/p' "$work/copy/run.json" >"$work/copy.statistics"
  same tables copy "$spec: a copy of the manager"
done

wrong() { # wrong BLOCK EXPRESSION WORKLOAD: sed's EXPRESSION plants a wrong map
  sed -i "$2" "$mine/my_$1.c"
  planted "$mine/original/my_$1.c" "$mine/my_$1.c" "$2"
  must run unseen 0 "$3"
  ends_with 1 run wrong 1 "$3"
  grep -qi "wrong\|expected" "$work/stdout" "$work/stderr" || fail "$1, $2: not the workload's check"
  cp "$mine/original/my_$1.c" "$mine"
}
wrong zorua_manager 's/out->rd_phys = items_below(/out->rd_phys = ~UINT64_C(1) \& items_below(/' $registers
wrong zorua_manager 's/(uint32_t)items_below(/~1U \& (uint32_t)items_below(/' $scratch
wrong zorua_manager 's/out->move_phys = j->mover.move_phys/out->move_phys = j->mover.move_phys ^ 1/' $registers
echo "three wrong maps give wrong results"
