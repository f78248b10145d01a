#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# certificates.sh BUILD_DIR: a row with inputs is stale when, and only when, an input of it changed since it passed. In a copy of the
# tree every row gets its certificate; then one file after another is changed, and the rows that go stale are those that must.
. tests/kit/shell.sh
. tests/kit/certificates.sh
mkdir -p "$work/tree/build"
tar c --exclude=__pycache__ csim dpi rtl testbench configs waves scripts tests CMakeLists.txt CMakePresets.json .clang-tidy .clang-format | tar x -C "$work/tree"
cp "$build/rows.txt" "$work/tree/build"
mkdir "$work/tree/build/generated"
cp "$build"/generated/*_entry.json "$work/tree/build/generated"
cd "$work/tree"
rm -f tests/rows.passed
export ROW_HASHES=$work/tree/build/row-hashes.txt
unset ROWS_KEPT # scripts/test names the rows that it does not run again; here they run
rows=$(awk 'NF > 3 { print $1 }' build/rows.txt)
for kind in gate nightly; do
  n=$(awk -v kind=$kind 'NF > 3 && $2 == kind' build/rows.txt | wc -l)
  [ "$n" -gt 40 ] || fail "only $n rows of the kind $kind have inputs"
done
[ -z "$(awk '$2 == "nightly" && NF == 3' build/rows.txt)" ] || fail "a nightly row has no inputs"
for input in $(cut -d' ' -f4- build/rows.txt | tr ' ' '\n' | sort -u); do
  [ -e "$input" ] || [ -e "build/$input" ] || fail "scripts/cmake/tests.cmake names an input that does not exist: $input"
done

stale() { # stale: the rows that are
  hash_rows build "$ROW_HASHES"
  stale_rows build "$ROW_HASHES" 'gate|nightly'
}
[ "$(stale)" = "$rows" ] || fail "rows without a certificate are not stale"
certify build "$(head -1 <<<"$rows")"
[ "$(stale)" = "$(tail -n +2 <<<"$rows")" ] || fail "the only row that has a certificate is stale, or others are not"
# one in forty as scripts/test does it; the others at once, since a process for each takes a minute
for name in $(awk 'NR % 40 == 1' <<<"$rows"); do certify build "$name"; done
[ "$(stale)" = "$(awk 'NR % 40 != 1' <<<"$rows")" ] || fail "rows that have a certificate are stale, or the others are not"
awk '{ file = "build/certificates-tests/" $1; print $2 >file; close(file) }' "$ROW_HASHES"
[ -z "$(stale)" ] || fail "rows that passed are stale: $(stale)"

changed() { # changed FILE PATTERN: the rows that FILE makes stale are those that match
  cp "$1" "$work/kept"
  echo >>"$1"
  stale >"$work/found"
  grep -E "$2" <<<"$rows" >"$work/wanted" || true
  cmp "$work/found" "$work/wanted" || { diff "$work/found" "$work/wanted"; fail "$1 makes other rows stale (<) than it must (>)"; }
  cp "$work/kept" "$1"
  echo "$1: $(wc -l <"$work/found") rows"
}
whole='\.(law|cli|robustness|coverage|lint_long|engines_long)$' # rows that depend on every source of the program
lawful='^(claims_power|d2ma_evaluation|slurm|verification_stale)\.law$|^(interrupted|package)\.robustness$|lint_long$' # and those that may read laws of proofs
proof='\.(prove|prove_long|prove_mutants|equal|equal_long|equal_mutants|state|late)$'
bench='\.(cosim_long|replay|replay_long|mutants)$' # rows that simulate a block
changed rtl/xmem/xmem_alb.v "^(rtl|xmem_alb|xmem_amu|xmem_amu_core)\.|$whole"
changed rtl/prim/oldest_of.v "^(rtl|oldest_of|bfifo_sched|l1_victim_prio|ldesc_l1)\.|$whole"
changed rtl/include/needs.vh .
changed testbench/d2ma/d2ma_agen_props.svh "^d2ma_agen$proof|$lawful"
changed build/generated/teleport_tags_entry.json '^teleport_tags\.'
modelled='\.(equal|equal_long|equal_mutants|cosim_long|replay|replay_long|mutants|synth)$' # rows that a model in C decides, too
changed csim/blocks/xmem/xmem_alb.c "^(xmem_alb|xmem_amu|xmem_amu_core)$modelled|$whole"
changed csim/blocks/caba/caba_awc.c "^caba_awc$modelled|$whole"
changed csim/blocks/prim/lfsr.h "^(lfsr|hold_grant_alloc)$modelled|$whole"
changed csim/block/block.h "$modelled|$whole"
changed csim/base/csv.c "$bench|\.synth$|$whole"
changed csim/synth/flow.c "\.synth$|$whole"
changed csim/core/sm.h "$whole"
changed csim/cli/cmd_claims.c "$whole"
changed dpi/keep.c "$whole"
changed dpi/tape.c "$bench|\.synth$|$whole"
changed csim/blocktest/mutants.c "$bench|$whole"
changed scripts/gen/manifest.py '.'
changed scripts/gen/workloads.py "$whole"
changed scripts/prove "$proof"
changed tests/law/network_engines.sh '^network_engines_all\.law$|lint_long$'
changed tests/law/proof_mutants.sh '\.prove_mutants$|lint_long$'
changed tests/law/xmem_engines.sh 'lint_long$'
changed configs/gpu/gtx480.yaml "$whole"
changed configs/verification.json '^verification_stale\.law$'
changed csim/README.md '^nothing$'
changed scripts/setup '^nothing$'
[ -z "$(stale)" ] || fail "every file is as it was, and rows are stale"

# the gate does not run again what passed: the row's command is not called, and a proof leaves the certificate that claims ask for. By
# hand, and after a change, it runs.
row() { bash tests/kit/row.sh build "$1" bash -c 'echo ran' 2>&1; } # row NAME
kept() { stale >/dev/null; fresh_rows build "$ROW_HASHES" gate >"$work/gate"; }
kept
grep -qx ldt_lookup.equal "$work/gate" || fail "a row of the gate that passed is not kept"
grep -q 'cosim$' "$work/gate" && fail "a row without inputs is kept"
ROWS_KEPT=$work/gate row ldt_lookup.equal | grep -q 'passed before' || fail "a row that passed before runs again"
for file in ldt_lookup.v ldt_lookup.c; do
  cmp "build/certificates/ldt_lookup/equality/$file" "$(find rtl csim -name "$file")" || fail "the proof's certificate lacks $file"
done
[ "$(row ldt_lookup.equal)" = ran ] || fail "a row that is called by hand does not run"
[ "$(ROWS_KEPT=$work/gate row ldt_lookup.cosim)" = ran ] || fail "a row without a certificate does not run"
touch -d '+1 minute' rtl/ldesc/ldt_lookup.v
[ "$(ROWS_KEPT=$work/gate row ldt_lookup.equal)" = ran ] || fail "a row whose input changes while the gate runs is not run"
touch rtl/ldesc/ldt_lookup.v
cp rtl/ldesc/ldt_lookup.v "$work/kept"
echo >>rtl/ldesc/ldt_lookup.v
kept
[ "$(ROWS_KEPT=$work/gate row ldt_lookup.equal)" = ran ] || fail "a row does not run though its input changed"
cp "$work/kept" rtl/ldesc/ldt_lookup.v
[ "$(stale)" = ldt_lookup.equal ] || fail "the row that ran with another input, and no other, is stale: $(stale)"
certify build ldt_lookup.equal

# certificates that travel with the sources: kept, valid without those of the build folder, and no input themselves
keep_rows build "$ROW_HASHES"
mv build/certificates-tests build/elsewhere
[ -z "$(stale)" ] || fail "rows that tests/rows.passed names are stale: $(stale)"
sed -i '/^bench.cli /s/ ./ x/' tests/rows.passed
[ "$(stale)" = bench.cli ] || fail "a wrong certificate in tests/rows.passed counts: $(stale)"
rm tests/rows.passed
[ "$(stale)" = "$rows" ] || fail "rows without any certificate are not stale"
mv build/elsewhere build/certificates-tests

# an input that changes while its row runs: no certificate
rm build/certificates-tests/bench.cli
touch -d '+1 minute' csim/core/sm.h
certify build bench.cli
[ "$(stale)" = bench.cli ] || fail "a row whose input changed while it ran has a certificate"
tool_versions >"$work/tools"
for tool in yosys z3 verilator gcc; do grep -q "^$tool\b" "$work/tools" || fail "certificates do not depend on the version of $tool"; done
if grep -E '^(git|xvfb)|deb[0-9]+u' "$work/tools"; then fail "a security update would make every certificate stale"; fi
