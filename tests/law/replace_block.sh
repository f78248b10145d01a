#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: own-blocks
# replace_block.sh BUILD_DIR: a block of the user's takes the place of one of the GPU's (tandem run --replace). A copy of that block
# under another name leaves every statistic as it is, under every engine; one that behaves differently changes them; one with other
# ports is refused.
. tests/kit/shell.sh
mine=$work/mine
mkdir "$mine"
# the copy: row, RTL and model of mem_warp_mask, called my_mask
sed -n '/^mem_warp_mask:/,/^  mutants:/p' configs/blocks.yaml | sed '$d; s/^mem_warp_mask:/my_mask:/' >"$mine/blocks.yaml"
printf '  files: [my_mask.v]\n  include: [%s/rtl/include]\n  model: my_mask.c\n' "$root" >>"$mine/blocks.yaml"
sed 's/mem_warp_mask/my_mask/g' rtl/elastic/mem_warp_mask.v >"$mine/my_mask.v"
sed 's/mem_warp_mask/my_mask/g' csim/blocks/elastic/mem_warp_mask.c >"$mine/my_mask.c"
transpose() { # transpose NAME ARGUMENT...
  simulate "$1" transpose:rows=64,columns=64 -c elastic16 --set sm.count=2 --set sm.pipeline=elastic --system elastic "${@:2}"
}
replace() { transpose "$1" --manifest "$mine/blocks.yaml" --replace 'sm*.elastic.mask=my_mask' "${@:2}"; }
replaced() { jq -e '[.engines[] | select(.block == "my_mask")] | length' "$work/$1/run.json"; }

transpose before
for engine in c rtl lockstep; do
  replace $engine --engine "my_mask=$engine"
  same before $engine "a copy of the block under $engine"
  [ "$(replaced $engine)" = 2 ] || fail "not every SM has the user's block"
done
# what the user's block does counts: no warp is masked
sed -i 's/only_others ? others : in->warp_ready/in->warp_ready/' "$mine/my_mask.c"
replace other
differ before other "a block that masks nothing"
# and its RTL is compared with its model
ends_with 1 "$tandem" run transpose:rows=64,columns=64 -c elastic16 --set sm.count=2 --set sm.pipeline=elastic --system elastic \
  --manifest "$mine/blocks.yaml" --replace 'sm*.elastic.mask=my_mask' --engine my_mask=lockstep --out "$work/diverged"
grep -q "RTL $mine/my_mask.v" "$work/diverged/divergence.txt" || fail "no page, or not of the user's files"

run() { "$tandem" run saxpy:n=64 -c elastic16 --set sm.pipeline=elastic --system elastic --manifest "$mine/blocks.yaml" --out "$work/out" "$@"; }
refused "no instance has this name" run --replace 'l2.*.amu=my_mask'
refused "no block 'my_amu' in a manifest of yours" run --replace 'l2.*.amu=my_amu'
refused "write PATTERN=BLOCK" run --replace my_mask
sed -i 's/\[stall, in, 1,/[stop, in, 1,/' "$mine/blocks.yaml"
sed -i 's/stall/stop/g' "$mine/my_mask.c"
refused "my_mask has no input 'stall', which the instance sm0.elastic.mask (block mem_warp_mask) needs" run --replace 'sm*.elastic.mask=my_mask'
[ ! -e "$work/out" ] || fail "a refused run leaves a folder"
