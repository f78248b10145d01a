#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# analyse.sh BUILD_DIR: tandem analyse counts the reads of BFS as the paper prints them, makes rows of the launches that a program
# asks for without running them, and refuses what it cannot analyse with a sentence.
. tests/kit/shell.sh
mkdir "$work/here" # nobody else writes here: tests beside this one have folders of their own come and go in the root
cd "$work/here"
export TMPDIR=$work/temporary # where captured launches lie meanwhile
mkdir "$TMPDIR"
analyse() { "$tandem" analyse "$@" 2>"$work/log" || fail_showing "$work/log" "failed: tandem analyse $*"; }
counts() { awk -v name="$1" 'index($0, name) == 1 { gsub(/^ *[^0-9-]*  +/, ""); print $1, $2, $3, $4, $5, $6, $7; exit }' "$work/table"; }

# the paper's table and ours, side by side
analyse bfs >"$work/table"
[ "$(counts '  places in the source')" = "7 0 5 0 1 0 1" ] || fail_showing "$work/table" "BFS does not have the paper's seven reads"
grep -q 'BFS in the paper  *-  *-  *7  *-\?0\?  *5' "$work/table" || fail_showing "$work/table" "no number of the paper"
analyse bfs:version=listing2 >"$work/versions"
grep -q '^  BFS in the paper  *-  *-  *7 ' "$work/versions" || fail_showing "$work/versions" "the paper's numbers are lost where a version is named"
analyse btree:keys=509,queries=3,ranges=3 >"$work/versions"
grep -q '^  BPT in the paper  *15 ' "$work/versions" || fail_showing "$work/versions" "no number of the paper for a workload with arguments"
grep -q 'induction@[0-9]*$' "$work/table" && grep -q 'kernel.cu:[0-9]' "$work/table" || fail_showing "$work/table" "no index with its line"

# rows of a launch: 16 x 16 threads, columns apart, neighbours united; every CTA's range is inside of the halo'd tile
analyse jacobi:rows=64,columns=48 --kernel jacobi --rows --table 20 --json >"$work/rows.json"
jq -e '.[0].kernels[0].launches | length >= 1 and all(.[]; (.rows | length) == 34 and ([.rows[] | select(.kept)] | length) == 20 and
  all(.rows[]; .typesize == 4 and .min_product == [16, 768, 0] and .min_product == .max_product and .min_offset < .max_offset))' \
  "$work/rows.json" >/dev/null || fail_showing "$work/rows.json" "the rows of jacobi are others"
analyse jacobi:rows=64,columns=48 --kernel jacobi --rows --span --json >"$work/rows.json"
jq -e '.[0].kernels[0].launches | all(.[]; [.rows[] | [.min_offset, .max_offset]] | sort == [[-48, 784], [0, 736]])' "$work/rows.json" >/dev/null ||
  fail_showing "$work/rows.json" "the spans of jacobi are others"
[ -z "$(ls -A)" ] || fail "analyse leaves something: $(ls -A)"
cd "$root"
[ -z "$(ls "$TMPDIR")" ] || fail "analyse leaves its captured launches"
ends_with 2 env TMPDIR="$work/nowhere" "$tandem" analyse jacobi:rows=64,columns=48
grep -q "cannot make a folder in $work/nowhere: .*; TMPDIR names another place" "$work/stderr" || fail_showing "$work/stderr" "a TMPDIR that is missing is not named"

# loops that a launch counts
analyse nn:records=1000 --json | jq -e '.[0].kernels[0].indexes[0] | .class == "none" and .reason == "induction"' >/dev/null || fail "nn is not by induction"
analyse nn:records=1000 --loops --json | jq -e '.[0].kernels[0].indexes[0] | .class == "quasi" and .counted_loop' >/dev/null || fail "nn is not counted"

# a program of one's own, and PTX alone
analyse "$build/lib/tandem/workloads/vecadd:n=1000" --rows >"$work/table"
grep -q '^vecadd: 2 rows' "$work/table" || fail_showing "$work/table" "no rows of a program that is named by its path"
analyse tests/ptx/reads.nvcc_sm_75_lines.ptx --kernel stencil >"$work/table"
grep -c 'param_0 *quasi' "$work/table" | grep -qx 5 || fail_showing "$work/table" "not five points"

# static instructions, counted by other means: statements of the PTX that are no directives
for file in "$build"/ptx/{matrix_add/hand,aes/manavski,sobel/naive}.ptx tests/ptx/reads.nvcc_sm_75_lines.ptx; do
  analyse "$file" --json | jq -c '[.[0].kernels[].instructions | [.all, .ld, .st, .bar]] | transpose | map(add)' >"$work/found"
  sed 's,//.*,,' "$file" | awk '/[.]entry/ { body = 1 } body && /;/ { sub(/^[ \t]*(@!?%p[0-9]+[ \t]*)?/, ""); if (/^[.]/) next; split($1, word, /[.;]/); n[word[1]]++; all++ }
    END { printf "[%d,%d,%d,%d]\n", all, n["ld"], n["st"], n["bar"] }' >"$work/wanted"
  diff "$work/wanted" "$work/found" || fail "$file has other instructions"
done

# refusals
refuses() { # refuses WORDS COMMAND...
  local words=$1 status=0
  shift
  "$@" >"$work/out" 2>"$work/log" || status=$?
  [ $status = 2 ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/log")" = 1 ] && grep -q -- "$words" "$work/log" || fail_showing "$work/log" "exit $status: $*"
}
printf '.version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { mma.x; }\n' >"$work/bad.ptx"
printf '.version 7.0\n.target sm_70\n.address_size 64\n.global .u32 x;\n' >"$work/none.ptx"
printf 'no PTX' >"$work/words.ptx"
refuses "no kernel 'stencl'; did you mean stencil" "$tandem" analyse tests/ptx/reads.clang_sm_70.ptx --kernel stencl
refuses "bad.ptx:4: unsupported instruction" "$tandem" analyse "$work/bad.ptx"
refuses "none.ptx: the PTX has no kernel" "$tandem" analyse "$work/none.ptx"
refuses "words.ptx:1: PTX text begins with .version" "$tandem" analyse "$work/words.ptx"
refuses "cannot read $work/absent.ptx" "$tandem" analyse "$work/absent.ptx"
refuses "no workload 'bfss'; did you mean bfs" "$tandem" analyse bfss
refuses "rows needs launches" "$tandem" analyse tests/ptx/reads.clang_sm_70.ptx --rows
refuses "add --rows" "$tandem" analyse bfs --table 3
refuses "launches no kernel" "$tandem" analyse /bin/true
refuses "no system 'd3ma'" "$tandem" analyse bfs --system d3ma
sed 's/indexes: 7/indexes: seven/' configs/published_reads.yaml >"$work/published_reads.yaml"
cp -r configs/gpu "$work"
refuses 'published_reads.yaml:[0-9]*: indexes: "seven" is no whole number' env TANDEM_CONFIG_DIR="$work" "$tandem" analyse bfs
