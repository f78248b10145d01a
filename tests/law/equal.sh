#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: desk
# equal.sh BUILD_DIR: the proof that model and RTL are equal can fail: for a bug in the RTL, in the model, in the translation of the model, for
# an invariant that does not hold, and for one that the manifest does not name.
. tests/kit/shell.sh
export TANDEM_BUILD=$build
equal() { bash scripts/prove --equal "$@" >"$work/log" 2>&1; }

equal rr_arb N=5 || fail "rr_arb is not proved equal: $(cat "$work/log")"
equal rr_arb N=5 --bug wraps_early || fail "a bug in the RTL is not seen"
grep -q 'not equal: register ptr_q' "$work/log" || fail "the page does not name the register: $(cat "$work/log")"
# a run reaches that difference: it is a stimulus, and its replay shows it
equal rr_arb N=5 --bug wraps_early --out "$work/out"
grep -q 'replay it: tandem replay' "$work/log" || fail_showing "$work/log" "no run from reset was found"
ends_with 1 "$tandem" replay "$work/out"
grep -q 'register ptr_q: expected 0 (C model), actual 5 (RTL)' "$work/stdout" || fail_showing "$work/stdout" "the replay shows another difference"
# from reset alone: proved for some cycles, and the bug is found there, too
bounded() { python3 scripts/equal/equal.py rr_arb N=5 --generated "$build/generated" --bounded 4 --out "$work/bounded" "$@" >"$work/log" 2>&1; }
bounded || fail_showing "$work/log" "not proved for 4 cycles"
grep -q 'equal  for 4 cycles' "$work/log" || fail_showing "$work/log" "the depth is not said"
python3 scripts/gen/plant.py rr_arb --bug wraps_early -o "$work/rr_arb.v"
if bounded --rtl "$work/rr_arb.v"; then fail "a bug in the RTL is not seen from reset"; fi
grep -q '^2,1,' "$work/bounded/stimulus.csv" || fail "no stimulus of the first cycles"

equal rr_arb N=5 --model-bug 0 || fail "a bug in the model is not seen"
equal elastic_mem_stage --model-bug 1 || fail "a bug in a model with invariants is not seen"

# the translation of small functions, against the same ones in another language
python3 scripts/equal/selftest.py >"$work/log" 2>&1 || fail "a function is translated wrongly: $(cat "$work/log")"
sed 's/  %8 = and i32 %3, %7/  %8 = or i32 %3, %7/; s/sdiv/udiv/' scripts/equal/selftest.py >"$work/selftest.py"
if PYTHONPATH=scripts/equal python3 "$work/selftest.py" >"$work/log" 2>&1; then fail "a wrong function is not seen"; fi

# a translation with a wrong subtraction
status=0
python3 scripts/equal/equal.py rr_arb N=5 --generated "$build/generated" --break-translation >"$work/log" 2>&1 || status=$?
[ $status = 2 ] && grep -q 'rr_arb: cycle .* the translation of the model differs' "$work/log" || fail "a wrong translation is not seen: $(cat "$work/log")"

# a composite connects its parts as its RTL does, and a wire to another place is seen
amu="PPN_W=9 SETS=2 WAYS=4 UNITS=4 IDW=6 NMISS=2 TAGW=10 HOME=1"
join() { python3 scripts/equal/equal.py xmem_amu $amu --generated "$build/generated" --join "$@" >"$work/log" 2>&1; }
join || fail_showing "$work/log" "the parts of xmem_amu are not joined in the same way"
python3 scripts/gen/plant.py xmem_amu --bug context_and_tag_swapped -o "$work/xmem_amu.v"
if join --rtl "$work/xmem_amu.v"; then fail "a wire to another place is not seen"; fi
grep -q 'input lk_tag of part alb at the clock edge' "$work/log" || fail_showing "$work/log" "the wire is not named"

# bad input: a sentence, exit code 2
status=0
equal rr_arb Q=5 || status=$?
[ $status = 2 ] && grep -q 'Q=5: no parameter of rr_arb; write P=NUMBER' "$work/log" || fail "unknown parameter: $status, $(cat "$work/log")"
status=0
equal rr_arb N=0 || status=$?
[ $status = 2 ] && grep -q 'rr_arb break a rule of the block: n at least 1' "$work/log" || fail "a parameter out of range: $status, $(cat "$work/log")"
status=0
equal no_such_block || status=$?
[ $status = 2 ] && grep -q "no_such_block" "$work/log" || fail "unknown block: $status, $(cat "$work/log")"

# invariants: a false one breaks the proof, and as no run differs the state is printed; one that the manifest does not name is refused
mkdir -p "$work/tree"
cp -r CMakeLists.txt configs csim rtl scripts testbench "$work/tree/"
sed -i 's/s->n_non == used/s->n_non > used/' "$work/tree/testbench/elastic/elastic_mem_stage_equal.c"
status=0
(cd "$work/tree" && TANDEM_BUILD=$build bash scripts/prove --equal elastic_mem_stage VARIANT=1) >"$work/log" 2>&1 || status=$?
[ $status = 1 ] && grep -q 'not equal' "$work/log" && grep -q 'No run of [0-9]* cycles from reset differs' "$work/log" || fail "a false invariant: $status, $(cat "$work/log")"
sed -i 's/counts_without_queues/counts/' "$work/tree/testbench/elastic/elastic_mem_stage_equal.c"
status=0
(cd "$work/tree" && TANDEM_BUILD=$build bash scripts/prove --equal elastic_mem_stage VARIANT=1) >"$work/log" 2>&1 || status=$?
[ $status = 2 ] && grep -q "'invariants' names counts_without_queues" "$work/log" || fail "an unknown invariant: $status, $(cat "$work/log")"

# a model whose output is wrong: that is a difference, not a wrong translation
sed -i 's/uint32_t req = in->req;/uint32_t req = in->req \& 0xf;/' "$work/tree/csim/blocks/prim/rr_arb.c"
planted csim/blocks/prim/rr_arb.c "$work/tree/csim/blocks/prim/rr_arb.c" "an output of the model"
status=0
(cd "$work/tree" && TANDEM_BUILD=$build bash scripts/prove --equal rr_arb N=5) >"$work/log" 2>&1 || status=$?
[ $status = 1 ] && grep -q 'not equal: output grant, bit 4' "$work/log" || fail "a wrong output of the model: $status, $(cat "$work/log")"

# a model that the prover cannot translate: the line of the C source, and no claim about it
sed -i 's/uint32_t req = in->req \& 0xf;/uint32_t req = (uint32_t)(0.5 * in->req);/' "$work/tree/csim/blocks/prim/rr_arb.c"
line=$(grep -n '0.5 \* in->req' "$work/tree/csim/blocks/prim/rr_arb.c" | cut -d: -f1)
[ "$line" ] || fail "the line with floating point was not planted"
status=0
(cd "$work/tree" && TANDEM_BUILD=$build bash scripts/prove --equal rr_arb N=5) >"$work/log" 2>&1 || status=$?
[ $status = 2 ] && grep -q "csim/blocks/prim/rr_arb.c:$line: the prover cannot translate this line of the model: uint32_t req = " "$work/log" ||
  fail "a model with floating point: $status, $(cat "$work/log")"
