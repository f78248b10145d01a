#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# phases.sh BUILD_DIR: tandem list phases prints what docs/phases.md says of two kernels, and refuses what it cannot divide with a sentence
# that helps.
. tests/kit/shell.sh
PATH=$build/bin:$PATH
nqueens=$build/ptx/nqueens/baseline.ptx dct=$build/ptx/dct8x8/baseline.ptx
phases() { # phases FILTER ARGUMENT...: of the JSON rows
  tandem list phases "${@:2}" --json | jq -e "$1" >"$work/log" || fail_showing "$work/log" "not so: $1 of $*"
}
# NQU: nothing, the search, a reduction; DCT: one array throughout, most registers in its transforms
phases '.[0] | .shared_live == 0 and .shared_bytes == 15744 and .line == 41' "$nqueens"
phases '[.[1:][] | .shared_bytes] | max == 384' "$nqueens"
phases '.[-1] | .shared_live == 0 and .shared_bytes == 0 and (.brief | test("shared memory"))' "$nqueens"
phases '[.[] | .shared_live] | unique == [0, 2048]' "$dct" dct8x8
phases '[.[] | select(.specifier) | .most_live] | max == 24 and .[-1] <= 10' "$dct" dct8x8
phases 'map(.registers >= .most_live and .most_live >= .live) | all' "$dct" dct8x8
phases 'map(.brief | test("barrier")) | map(select(.)) | length == 3' "$dct" dct8x8 # as many as the text has
[ "$(sed -n '/entry dct8x8/,/^}/p' "$dct" | grep -c 'bar.*sync')" = 3 ] || fail "another number of barriers in the text"
phases '.[0].of_kernel.registers <= 12 and .[0].of_kernel.spill_bytes > 0' "$dct" dct8x8 --registers 12

must tandem list phases "$nqueens"
grep -q '^kernel nqueens: 30 registers, 1 predicates, 0 bytes spilled, 15744 bytes' "$work/log" || fail_showing "$work/log" "another heading"
grep -q '^ *2 .* live registers change by 25 %$' "$work/log" || fail_showing "$work/log" "another second phase"

# beside the figures of the thesis, in the order of the specifiers
grep -q '^published of NQU (Vijaykumar 2019, 4.3.2, figure 30)' "$work/log" || fail_showing "$work/log" "nothing published"
grep -A1 'published: 0, 4224, 384' "$work/log" | grep -q '^ *here: *15744, 384, 0$' || fail_showing "$work/log" "other bytes beside the published ones"
phases '.[0].published | .name == "DCT" and .figure == "31"' "$dct" dct8x8
phases '.[0].published == null' "$dct" idct8x8
mkdir "$work/configs" && cp -r configs/gpu "$work/configs"
sed 's/figure: 30/number: 30/' configs/published_phases.yaml >"$work/configs/published_phases.yaml"
refused "published_phases.yaml:[0-9]*: .*number" env TANDEM_CONFIG_DIR="$work/configs" tandem list phases "$nqueens"

refused 'several kernels; name one of dct8x8, idct8x8' tandem list phases "$dct"
refused "no kernel 'dct8x'; did you mean dct8x8?" tandem list phases "$dct" dct8x
refused 'tandem list phases FILE.ptx \[KERNEL\]' tandem list phases
refused 'cannot read .*none.ptx: No such file or directory; name a PTX file' tandem list phases "$work/none.ptx"
refused "nqueens/baseline.ptx:[0-9]*: 'nqueens' may use 3 registers (--registers) and this instruction alone needs 4: allow at least 4" tandem list phases "$nqueens" --registers 3
refused "'more' is one argument too many" tandem list phases "$dct" dct8x8 more
refused '--registers' tandem list phases "$nqueens" --registers 256
printf '.version 7.0\n.target sm_70\n.address_size 64\n' >"$work/empty.ptx"
refused 'has no kernel' tandem list phases "$work/empty.ptx"
