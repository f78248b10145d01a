#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# docs_divergence.sh BUILD_DIR: the divergence of README.md is what the check prints, the files that its page names exist, and the view
# waves/rr_arb.gtkw names signals of its wave, in which the mismatch flag rises in the diverging cycle.
. tests/kit/shell.sh
status=0
"$tandem" check rr_arb --bug wraps_early --out "$work/first" >"$work/log" 2>&1 || status=$?
[ $status = 1 ] || { cat "$work/log"; echo "exit $status"; exit 1; }
for page in README.md docs/tutorials/first-divergence.md; do
  awk '/^```text$/ { text = 1; next } /^```/ { text = 0 } text' "$page" >"$work/quoted"
  [ -s "$work/quoted" ] || { echo "$page quotes no page"; exit 1; }
  while read -r line; do
    grep -qF -e "$line" "$work/first/divergence.txt" || { cat "$work/first/divergence.txt"; echo "$page quotes: $line"; exit 1; }
  done <"$work/quoted"
done
for file in $(grep -oE '(rtl|csim)/[a-z0-9_/]+\.[cv]' "$work/first/divergence.txt"); do
  [ -s "$file" ] || { echo "the page names $file, which does not exist"; exit 1; }
done
fst2vcd "$work/first/wave.fst" >"$work/wave.vcd"
awk '$1 == "$scope" { path = path $3 "." } $1 == "$upscope" { sub(/[^.]*\.$/, "", path) }
     $1 == "$var" { name = path $5; if ($6 != "$end") name = name $6; print name }' "$work/wave.vcd" >"$work/names"
grep -o 'rr_arb\.rr_arb_socket.*' waves/rr_arb.gtkw | sort -u >"$work/wanted"
[ "$(wc -l <"$work/wanted")" -ge 7 ] || { echo "the view lists too few signals"; exit 1; }
missing=$(grep -vxFf "$work/names" "$work/wanted" || true)
[ -z "$missing" ] || { echo "waves/rr_arb.gtkw: not in the wave: $missing"; exit 1; }
id=$(awk '$1 == "$var" && $5 == "mismatch" { print $4 }' "$work/wave.vcd")
[ "$(awk -v flag="1$id" '/^#/ { time = substr($0, 2) } $0 "" == flag { print time }' "$work/wave.vcd")" = 16 ] || { echo "the mismatch flag does not rise at 16"; exit 1; }
