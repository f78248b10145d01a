#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: desk
# docs_hunt.sh BUILD_DIR: the tutorial from a run to the proof: its commands work, in order, and print what the page quotes; the line that it
# mends is the line that the suspects name.
. tests/kit/shell.sh
. tests/kit/pages.sh
page=$root/docs/tutorials/from-a-run-to-the-proof.md
mkdir "$work/scratch"
for n in configs csim docs dpi rtl scripts testbench tests waves; do ln -s "$root/$n" "$work/scratch/$n"; done
ln -s "$build" "$work/scratch/build"
: >"$work/scratch/commands"
split "$page" "$work/scratch"
[ "$(wc -l <"$work/scratch/commands")" -ge 14 ] || fail "the page has too few commands"
# each command's output goes to a file of its own, too
printed=$work/printed
: >"$printed"
sed -i "s|^\(build/bin/tandem [^#]*\)\(.*\)\$|{ \1; } > >(tee -a $printed) 2>\&1 \2|" "$work/scratch/commands"
(execute "$work/scratch") || fail "the tutorial stops"
awk '/^```text$/ { text = 1; next } /^```/ { text = 0 } text' "$page" | sed -E 's/ +[0-9.]+ s$//' >"$work/quoted"
[ "$(wc -l <"$work/quoted")" -ge 8 ] || fail "the page quotes too little"
while read -r line; do
  for _ in $(seq 50); do grep -qF -e "$line" "$printed" && break; sleep 0.1; done # nobody waits for tee
  grep -qF -e "$line" "$printed" || fail_showing "$printed" "not printed: $line"
done <"$work/quoted"

# the slip is in the line that the second suspect names, and lockstep over shrunk inputs sees it in the block alone
line=$(sed -n 's|^ *2 .*rtl/elastic/mem_warp_mask.v:\([0-9]*\) .*|\1|p' "$work/scratch/tandem-out/hunt/divergence.txt")
[ "$(diff "$work/scratch/mine/rtl/elastic/mem_warp_mask.v" rtl/elastic/mem_warp_mask.v | sed -n '1s/c.*//p')" = "$line" ] ||
  fail "the suspect is in line $line, the slip is not"
