#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: desk
# random_mutants.sh BUILD_DIR: on a small block and on one with queues, every random mutant that is not proved equivalent is killed, and the
# equality proof kills all of them; kills are counted, survivors listed: with lockstep cut to one cycle and the model's compiler missing
# there are some. What cannot be done is said in a sentence.
. tests/kit/shell.sh
random() { "$tandem" mutants "$@" --out "$work/out"; }

for call in "rr_arb 8 100000" "bfifo_sched 8 20000 --suspects"; do
  read -r block n cycles options <<<"$call"
  # shellcheck disable=SC2086
  must random "$block" --random "$n" --cycles "$cycles" --json $options
  grep -v '^tandem: verilat' "$work/log" >"$work/$block.json"
  jq -e --argjson n "$n" '.summary as $s | (.mutants | length) == $n and ($s.mutants - $s.equivalent) == $s.killed and
    $s.proof.killed == $s.killed and $s.killed >= $n / 2 and $s.lockstep.killed > 0 and $s.law.killed > 0' "$work/$block.json" >/dev/null ||
    fail_showing "$work/$block.json" "$block: not every mutant is killed, or a method kills none"
  cp "$work/out/mutants.v" "$work/$block.v"
  [ $block = rr_arb ] || jq -e '[.mutants[] | select(.lockstep)] | length > 0 and all(.suspects | length > 0)' "$work/$block.json" >/dev/null ||
    fail "$block: a page without suspects"
  # a method kills as many as its verdicts say
  jq -e '[.mutants[] | select(.equivalent | not)] as $m | .summary.lockstep.killed == ([$m[] | select(.lockstep)] | length) and
    .summary.law.killed == ([$m[] | select(.law)] | length)' "$work/$block.json" >/dev/null || fail "$block: the table is not the verdicts"
done
# the same seed gives the same mutants, another one others
must python3 scripts/mutants/make.py rr_arb 8 --out "$work/out"
cmp -s "$work/rr_arb.v" "$work/out/mutants.v" || fail "the same seed gives other mutants"
must python3 scripts/mutants/make.py rr_arb 8 --seed 2 --out "$work/out"
! cmp -s "$work/rr_arb.v" "$work/out/mutants.v" || fail "another seed gives the same mutants"

# properties that read a memory of the block leave nothing in the netlist that only a proof understands
must python3 scripts/mutants/make.py bkconf_history_cache 4 --out "$work/memory"
! grep -n 'any\(const\|seq\)' "$work/memory/mutants.v" || fail "the netlist has inputs of a proof"
must verilator --lint-only -Wno-fatal -Wno-lint -Wno-style --top-module bkconf_history_cache "$work/memory/mutants.v"

# a memory's read is enabled always: Yosys stops at a mutant that changes that (of these 60, the old choice had one)
must python3 scripts/mutants/make.py md_cache 60 --out "$work/reads"

# what is written is read as what it is: no $pmux, which Yosys writes as a function and reads as its default where the select is constant (a
# mutant that showed in a run was "proved" equal); no scalar where the socket selects a bit
must python3 scripts/mutants/make.py teleport_buffer 12 SETS=1 WAYS=6 SLOTS=3 --out "$work/muxes"
! grep -n '^ *function' "$work/muxes/mutants.v" || fail "the netlist has functions"
must python3 scripts/mutants/make.py teleport_ctrl 4 ROWS=1 STREAMS=1 WIDE=0 OVERLAP=0 --out "$work/bits"
grep -q '\[0:0\] large_q;' "$work/bits/mutants.v" || fail_showing "$work/log" "a register of one row and one bit is a scalar"

# arrays of which Yosys makes single registers are there for the socket
must python3 scripts/mutants/make.py pf_agen 4 --out "$work/arrays"
for array in line_q tile_q; do grep -q "^  assign $array\[0\] = .$array\[0\] ;" "$work/arrays/mutants.v" || fail "no array $array in the netlist"; done
must verilator --lint-only -Wno-fatal -Wno-lint -Wno-style --top-module pf_agen "$work/arrays/mutants.v"

# registers of which this size has no row are gone; the socket of the composite names them in its part, so Verilator finds wires; where a
# register leaves a part by a port, no mutant is put behind its name (the old choice put one at each of two, and the proof did not hold)
must python3 scripts/mutants/make.py xmem_amu 90 PPN_W=9 SETS=2 WAYS=4 UNITS=4 IDW=6 NMISS=2 TAGW=10 HOME=0 --out "$work/removed"
for wire in '\[3:0\] wmask_q \[0:0\]' '\[32:0\] total_q'; do
  grep -q "^  wire $wire;" "$work/removed/mutants.v" || fail "no wire '$wire' in the netlist"
done
jq -e '[.mutants[] | select(.port == "aam_o" or .port == "ctxp_o")] == []' "$work/removed/mutants.json" >/dev/null ||
  fail "a mutant lies between a register and its name"
must verilator --lint-only -Wno-fatal -Wno-lint -Wno-style --top-module xmem_amu "$work/removed/mutants.v"

# a composite's mutants: the proof of a part notices what lies in it, the join what lies between the parts
must python3 scripts/mutants/make.py teleport_buffer 10 SETS=1 WAYS=2 SLOTS=2 --out "$work/parts"
must python3 scripts/mutants/judge.py teleport_buffer --dir "$work/parts" --frames 1 --generated "$build/generated"
jq -e '.proof.result == "proved" and ([.mutants[] | .proof == "broken" and (.same | not)] | all) and
  ([.mutants[].at] | any(test("^part tags: output")) and any(test("^part pend: register")) and any(. == "output busy"))' \
  "$work/parts/verdicts.json" >/dev/null || fail_showing "$work/parts/verdicts.json" "a composite's mutants are not judged by its parts and its join"

# equivalent although the join breaks (an address bit that the part does not read), and in a block of odd size, whose arrays have rows that
# are not there
must python3 scripts/mutants/make.py ldesc_l1 6 ROWS=3 PAW=32 SETS=8 WAYS=3 TICKS=5 SLOTS=3 FIFO=3 --out "$work/same"
must python3 scripts/mutants/judge.py ldesc_l1 --dir "$work/same" --frames 1 --generated "$build/generated"
jq -e '[.mutants[].same] == [false, false, false, false, true, true]' "$work/same/verdicts.json" >/dev/null ||
  fail_showing "$work/same/verdicts.json" "equivalent mutants of a composite are not found"

# a weak check has survivors: one cycle of lockstep and of replay, no proof
mkdir "$work/tools"
for folder in ${PATH//:/ }; do
  for tool in "$folder"/*; do case $tool in */clang | */clang-[0-9]*) ;; *) ln -sf "$tool" "$work/tools/" 2>/dev/null || true ;; esac; done
done
"$tandem" check bfifo_sched --param NB=3 --param DEPTH=1 --param RW=5 --param TW=3 --param NCMD=1 --cycles 1 --record "$work/short.csv" >/dev/null
ends_with 1 env PATH="$work/tools" "$tandem" mutants bfifo_sched --random 8 --cycles 1 --vectors "$work/short.csv" --out "$work/out"
grep -q 'equality proof .*not proved equal at this size: not read: clang is not on PATH' "$work/stdout" || fail_showing "$work/stdout" "clang"
grep -q '^  SURVIVED .* cell .*, rtl/memctl/bfifo_sched.v:[1-9]' "$work/stdout" || fail_showing "$work/stdout" "no survivor is listed"

# bad input
refused "random: 0 is outside 1..254\|--random.*254" random rr_arb --random 0
refused "random.*254" random rr_arb --random 300
refused "go with --random" random rr_arb
refused "has no parameter 'Q'\|Q" random rr_arb --random 2 --param Q=3
refused "short.csv" random rr_arb --random 2 --vectors "$work/short.csv"
printf 'req\001,\377\n1,2\n' >"$work/noise.csv"
refused "noise.csv:1: not a text" random rr_arb --random 2 --vectors "$work/noise.csv"
rm "$work/tools/yosys"
refused "yosys is not on PATH; install the package yosys" env PATH="$work/tools" "$tandem" mutants rr_arb --random 2 --out "$work/out"
sed 's/assign granted = |req_i;/assign granted = |no_such_wire;/' rtl/prim/rr_arb.v >"$work/wrong.v"
planted rtl/prim/rr_arb.v "$work/wrong.v" "no_such_wire"
refused "Yosys cannot elaborate the RTL: .*no_such_wire" python3 scripts/mutants/make.py rr_arb 2 --rtl "$work/wrong.v" --out "$work/out"
