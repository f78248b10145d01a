#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: desk
# divergence_why.sh BUILD_DIR: the page of a divergence names the register that differs first, the way from it to the port, and the line
# of the planted bug among the first three suspects; of a bug in a part, the part's own file. Without Yosys it says what is missing. The page in HTML has the same, the diagram
# as WaveJSON holds the recorded values, and the test bench fails in Icarus with the bug and passes without it.
. tests/kit/shell.sh

diverge() { # diverge NAME BLOCK BUG ARGUMENT...: the page is $work/NAME/divergence.txt
  local name=$1 block=$2 bug=$3
  shift 3
  ends_with 1 "$tandem" check "$block" --bug "$bug" --cycles 100000 --out "$work/$name" "$@"
}
line_of() { # line_of FILE TEXT: FILE:LINE of the line that has it, which is one
  [ "$(grep -cF -e "$2" "$1")" = 1 ] || fail "$1 has '$2' not once"
  echo "$1:$(grep -nF -e "$2" "$1" | cut -d: -f1)"
}
suspected() { # suspected NAME PLACE: it is among the first three
  grep -qE "^ +[123] .* ${2//./\\.} " "$work/$1/divergence.txt" || fail_showing "$work/$1/divergence.txt" "$2 is not among the first three suspects"
}

diverge arbiter rr_arb wraps_early
grep -q 'first: register ptr_q, by the clock edge that ends cycle 7' "$work/arbiter/divergence.txt" || fail_showing "$work/arbiter/divergence.txt" "the first register"
suspected arbiter "$(line_of rtl/prim/rr_arb.v 'after == CLIENTS')"
jq -re '.why.chain | [first.name, last.name] == ["grant", "ptr_q"]' "$work/arbiter/divergence.json" >/dev/null || fail_showing "$work/arbiter/divergence.json" "the chain"

# the page, the diagram, the test bench
for word in at_last 'rtl/prim/rr_arb.v:48' '<svg ' 'grant (RTL)' '<td class="bad">128</td>'; do
  grep -qF -e "$word" "$work/arbiter/divergence.html" || fail_showing "$work/arbiter/divergence.html" "the page lacks $word"
done
! grep -q 'https\?:' "$work/arbiter/divergence.html" || fail "the page needs a network"
lane() { # lane NAME: its values in WaveJSON, a line each
  jq -r --arg name "$1" '.signal[1:][][1:][] | select(.name == $name) | .data[]' "$work/arbiter/divergence.wave.json"
}
[ "$(lane 'grant (C model)' | tail -1) $(lane 'grant (RTL)' | tail -1)" = "128 1" ] || fail_showing "$work/arbiter/divergence.wave.json" "the last grants"
[ "$(jq -r '[.signal[1:][][1:][].wave | length] | unique | length' "$work/arbiter/divergence.wave.json")" = 1 ] || fail "lanes of different lengths"
in_icarus() { # in_icarus RTL
  iverilog -g2012 -Irtl/include -y rtl/prim -s rr_arb_tb -o "$work/tb" "$work/arbiter/divergence_tb.v" "$1"
  vvp -N "$work/tb" >"$work/said" 2>&1
}
python3 scripts/gen/plant.py rr_arb --bug wraps_early -o "$work/rr_arb.v"
in_icarus rtl/prim/rr_arb.v || fail_showing "$work/said" "the test bench fails without the bug"
if in_icarus "$work/rr_arb.v"; then fail_showing "$work/said" "the test bench passes with the bug"; fi

# a bug that shows at an output without any register
diverge output d2ma_agen done_in_spite_of_abort
grep -q 'first: port done, .* no register differs before' "$work/output/divergence.txt" || fail_showing "$work/output/divergence.txt" "the first port"
suspected output "$(line_of rtl/d2ma/d2ma_agen.v 'finished && !abort_i')"

# logic that Yosys names no line of: the place is the line that declares the signal
diverge nowhere md_cache any_line_of_the_set
grep -q " valids = .* $(line_of rtl/caba/md_cache.v '] valids, match;')" "$work/nowhere/divergence.txt" ||
  fail_showing "$work/nowhere/divergence.txt" "the declaration of valids is not named"

# a bug in a file of a part
diverge part xmem_amu_core units_of_the_last_page_only --sweep
grep -q ' rtl/xmem/xmem_amu_core.v:' "$work/part/divergence.txt" || fail_showing "$work/part/divergence.txt" "places of a part"

# a user's own block, with a bug that nobody planted, in a folder with a blank
cp -r tests/examples/plain "$work/my blocks"
sed -i 's/left >= cost/left > cost/' "$work/my blocks/token_bucket.v"
ends_with 1 "$tandem" check token_bucket --manifest "$work/my blocks/blocks.yaml" --cycles 10000 --out "$work/own"
suspected own "$work/my blocks/token_bucket.v:$(grep -n 'left > cost' "$work/my blocks/token_bucket.v" | cut -d: -f1)"

# inside a GPU: what the instance works for is an operation of a warp, at its line of PTX
TANDEM_BUG=d2ma_agen:request_not_held ends_with 1 "$tandem" run saxpy:n=4096,ctas=4 -c small --system d2ma --engine 'sm*.d2ma.*=lockstep' --out "$work/gpu"
jq -r '.operations[0]' "$work/gpu/divergence.json" >"$work/operation"
read -r number _ cycle _ _ _ _ cta at text <"$work/operation"
[[ $number =~ ^sm0#[0-9]+$ && $cta =~ ^\([0-9]+,0,0\)$ ]] || fail_showing "$work/operation" "number and CTA"
[ "$cycle" -le "$(jq .why.cycle "$work/gpu/divergence.json")" ] || fail_showing "$work/operation" "the operation comes later"
sed -n "${at#*:},+4p" "$build/ptx/saxpy/d2ma.ptx" | grep -qwF -e "${text%%,*}" || fail_showing "$work/operation" "not the line of the PTX"
grep -q "^$number " "$work/gpu/divergence.txt" || fail_showing "$work/gpu/divergence.txt" "the page lacks the operation"

# no Yosys, and no netlist from before: the register, and what is missing
path_of "$work/bin" bash sh verilator g++ rm
for library in "$build"/rtl/*/{rr_arb,runtime}-*.so; do
  folder=$(basename "$(dirname "$library")")
  mkdir -p "$work/cache/rtl/$folder"
  cp "$library" "$work/cache/rtl/$folder"
done
PATH=$work/bin TANDEM_CACHE=$work/cache diverge without rr_arb wraps_early
page=$work/without/divergence.txt
grep -q 'first: register ptr_q' "$page" || fail_showing "$page" "the first register without Yosys"
grep -q 'no suspects: Yosys is not on PATH; install the package yosys' "$page" || fail_showing "$page" "what is missing"

# The check can fail: the place of another planted bug is no suspect of this one.
if (suspected output "$(line_of rtl/d2ma/d2ma_agen.v 'assign leaves =')") >/dev/null 2>&1; then fail "any place is found"; fi
