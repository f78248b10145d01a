#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# certificates.sh BUILD_DIR: a nightly row is stale when, and only when, an input of it changed since it passed. In a copy of the
# tree every row gets its certificate; then one file after another is changed, and the rows that go stale are those that must.
. tests/kit/shell.sh
. tests/kit/certificates.sh
mkdir -p "$work/tree/build"
tar c --exclude=__pycache__ csim dpi rtl testbench configs waves scripts tests CMakeLists.txt CMakePresets.json .clang-tidy .clang-format | tar x -C "$work/tree"
cp "$build/rows.txt" "$work/tree/build"
mkdir "$work/tree/build/generated"
cp "$build"/generated/*_entry.json "$work/tree/build/generated"
cd "$work/tree"
rm -f tests/nightly.passed
export ROW_HASHES=$work/tree/build/row-hashes.txt
nightly=$(sed -n 's/ nightly .*//p' build/rows.txt)
[ "$(wc -w <<<"$nightly")" -gt 40 ] || fail "only $(wc -w <<<"$nightly") nightly rows"
for input in $(grep ' nightly ' build/rows.txt | cut -d' ' -f4- | tr ' ' '\n' | sort -u); do
  [ -e "$input" ] || [ -e "build/$input" ] || fail "scripts/cmake/tests.cmake names an input that does not exist: $input"
done

stale() { # stale: the rows that are
  hash_rows build "$ROW_HASHES"
  stale_rows build "$ROW_HASHES"
}
[ "$(stale)" = "$nightly" ] || fail "rows without a certificate are not stale"
for name in $nightly; do certify build "$name"; done
[ -z "$(stale)" ] || fail "rows that passed are stale: $(stale)"

changed() { # changed FILE PATTERN: the rows that FILE makes stale are those that match
  cp "$1" "$work/kept"
  echo >>"$1"
  stale >"$work/found"
  grep -E "$2" <<<"$nightly" >"$work/wanted" || true
  cmp "$work/found" "$work/wanted" || { diff "$work/found" "$work/wanted"; fail "$1 makes other rows stale (<) than it must (>)"; }
  cp "$work/kept" "$1"
  echo "$1: $(wc -l <"$work/found") rows"
}
blocks() { sed -n "s/^set(\([a-z0-9_]*\)_FAMILY $1)\$/\1/p" "$build/generated/blocks.cmake" | paste -sd'|'; } # blocks FAMILY
whole='\.(law|cli|robustness|coverage|lint_long|engines_long)$' # rows that depend on every source of the program
bench='\.(cosim_long|replay|replay_long|mutants)$' # rows that simulate a block
changed rtl/xmem/xmem_alb.v "^(rtl|xmem_alb|xmem_amu|xmem_amu_core)\.|$whole"
changed rtl/prim/oldest_of.v "^(rtl|oldest_of|bfifo_sched|l1_victim_prio|ldesc_l1)\.|$whole"
changed rtl/include/needs.vh .
changed testbench/d2ma/d2ma_agen_props.svh "^d2ma_agen\.(prove_long|prove_mutants|equal_long|equal_mutants)$|$whole"
changed build/generated/teleport_tags_entry.json '^teleport_tags\.'
changed csim/blocks/xmem/xmem_alb.c "^($(blocks xmem))\.(equal_long|equal_mutants|cosim_long|replay_long|mutants|synth)$|$whole"
changed csim/synth/flow.c "\.synth$|$whole"
changed csim/core/sm.h "$whole"
changed csim/cli/cmd_claims.c "$whole"
changed dpi/keep.c "$whole"
changed dpi/tape.c "$bench|\.synth$|$whole"
changed csim/blocktest/mutants.c "$bench|$whole"
changed scripts/gen/manifest.py '.'
changed scripts/gen/workloads.py "$whole"
changed scripts/prove '\.(prove|prove_long|prove_mutants|equal|equal_long|equal_mutants|state|late)$'
changed tests/law/network_engines.sh '^network_engines_all\.law$|lint_long$'
changed tests/law/proof_mutants.sh '\.prove_mutants$|lint_long$'
changed tests/law/xmem_engines.sh 'lint_long$'
changed csim/README.md '^nothing$'
changed scripts/setup '^nothing$'
[ -z "$(stale)" ] || fail "every file is as it was, and rows are stale"

# certificates that travel with the sources: kept, valid without those of the build folder, and no input themselves
keep_rows build "$ROW_HASHES"
mv build/certificates-tests build/elsewhere
[ -z "$(stale)" ] || fail "rows that tests/nightly.passed names are stale: $(stale)"
sed -i '/^bench.cli /s/ ./ x/' tests/nightly.passed
[ "$(stale)" = bench.cli ] || fail "a wrong certificate in tests/nightly.passed counts: $(stale)"
rm tests/nightly.passed
[ "$(stale)" = "$nightly" ] || fail "rows without any certificate are not stale"
mv build/elsewhere build/certificates-tests

# an input that changes while its row runs: no certificate
rm build/certificates-tests/bench.cli
touch -d '+1 minute' csim/core/sm.h
certify build bench.cli
[ "$(stale)" = bench.cli ] || fail "a row whose input changed while it ran has a certificate"
tool_versions >"$work/tools"
for tool in yosys z3 verilator gcc; do grep -q "^$tool\b" "$work/tools" || fail "certificates do not depend on the version of $tool"; done
if grep -E '^(git|xvfb)|deb[0-9]+u' "$work/tools"; then fail "a security update would make every certificate stale"; fi
