#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: area
# synth.sh BUILD_DIR: tandem synth prints the same bytes a second time; a killed call leaves a usable cache; the cache's key
# holds RTL, parameters and library; sweeps, parts of a design, results kept in a folder.
. tests/kit/shell.sh
export TANDEM_CACHE=$work/cache

"$tandem" synth rr_arb --seeds 4 2>"$work/stderr" >"$work/table"
grep -q 'pre-layout' "$work/table" && grep -q '^rr_arb ' "$work/table" || fail_showing "$work/table" "no table"
[ ! -s "$work/stderr" ] || fail_showing "$work/stderr" "progress is shown in a pipe"
"$tandem" synth rr_arb --seeds 3 --json >"$work/first.json"
made=$(find "$work/cache" -name 'seed-*' -printf '%p %T@\n' | sort)
"$tandem" synth rr_arb --seeds 3 --json >"$work/second.json"
cmp "$work/first.json" "$work/second.json" || fail "a second call prints other bytes"
[ "$made" = "$(find "$work/cache" -name 'seed-*' -printf '%p %T@\n' | sort)" ] || fail "a netlist was made twice"
rm -r "$work/cache"
"$tandem" synth rr_arb --seeds 3 --json --jobs 1 >"$work/third.json"
cmp "$work/first.json" "$work/third.json" || fail "a call with an empty cache prints other bytes"

# a killed call: what is in the cache is whole; the next call goes on from there
result() { grep -v '"netlist":' "$1"; }
"$tandem" synth rr_arb --param N=24 --seeds 12 --json >"$work/whole.json"
rm -r "$work/cache"
"$tandem" synth rr_arb --param N=24 --seeds 12 --jobs 1 --json >"$work/killed.json" & pid=$!
while kill -0 $pid && [ -z "$(find "$work/cache" -name 'seed-2.json' 2>/dev/null)" ]; do sleep 0.02; done
kill -9 $pid 2>/dev/null || true # if it has ended, the next lines say so
wait $pid 2>/dev/null || true
[ ! -s "$work/killed.json" ] || fail "the call ended before it was killed"
kept=$(find "$work/cache" -name 'seed-1.json' -printf '%p %T@\n')
[ -n "$kept" ] || fail "nothing was kept"
[ -z "$(find "$work/cache" -name 'seed-12.json')" ] || fail "the call was killed too late"
"$tandem" synth rr_arb --param N=24 --seeds 12 --json >"$work/after.json"
[ "$kept" = "$(find "$work/cache" -name 'seed-1.json' -printf '%p %T@\n')" ] || fail "a netlist was made twice"
[ -z "$(find "$work/cache" -name 'work.*')" ] || fail "a working folder was left behind"
result "$work/whole.json" >"$work/a"
result "$work/after.json" >"$work/b"
cmp "$work/a" "$work/b" || fail "another result after a killed call"
echo "the same bytes twice, from an empty cache, and after a killed call"

# an input that the manifest calls timed has a path of its own, which passes more in the elastic stages than in the unified ones
late() { "$tandem" synth "$@" --no-band --json | tr -d ' \n' | sed -n 's/.*"timed-input":{"from":"\([a-z_]*\)[^}]*"delay_ns":\([0-9.]*\),.*/\1 \2\n/p'; }
read -r from unified < <(late elastic_mem_stage --param VARIANT=0)
[ "$from" = exe_payload_i ] || fail "the timed path begins at '$from'"
read -r from elastic < <(late elastic_mem_stage)
awk "BEGIN { exit !($elastic > $unified) }" || fail "a late result takes $elastic ns in the elastic stages, $unified in the unified ones"
[ -z "$(late rr_arb)" ] || fail "rr_arb has no timed input, and a path from one"

# a block with memories is mapped with flip-flops in their place, too, unless that is left out; nothing else changes
table=(map_table --param ROWS=8 --param SETS=3 --param PHYS_W=5 --param READS=2 --param BANKS=2 --memory-bits 64 --no-band --json)
"$tandem" synth "${table[@]}" >"$work/both.json"
"$tandem" synth "${table[@]}" --no-flip-flops >"$work/one.json"
jq -e '.[0].as_flip_flops.area_um2 > 0' "$work/both.json" >/dev/null || fail_showing "$work/both.json" "no netlist of flip-flops"
jq -e '.[0].as_flip_flops.reason | test("no-flip-flops")' "$work/one.json" >/dev/null || fail_showing "$work/one.json" "a netlist of flip-flops"
same_but() { jq 'del(.[0].as_flip_flops)' "$work/$1.json"; }
cmp <(same_but both) <(same_but one) || fail "without flip-flops other figures differ"

# another text, parameter or library is another result; the old one stays
keys() { "$tandem" synth "$@" --no-band --json | sed -n 's/.*"key": "\(.*\)".*/\1/p'; }
cp rtl/prim/rr_arb.v "$work/mine.v"
one=$(keys --rtl "$work/mine.v" --top rr_arb)
[ "$one" = "$(keys --rtl "$work/mine.v" --top rr_arb)" ] || fail "the key is no function of what goes in"
[ "$one" != "$(keys --rtl "$work/mine.v" --top rr_arb --param N=5)" ] || fail "the key holds no parameters"
sed 's/(osu018_stdcells)/(mine)/' /usr/share/qflow/tech/osu018/osu018_stdcells.lib >"$work/mine.lib"
[ "$one" != "$(keys --rtl "$work/mine.v" --top rr_arb --liberty "$work/mine.lib")" ] || fail "the key holds no library"
sed -i 's/assign busy_o = 1.b0/assign busy_o = req_i[0]/' "$work/mine.v"
[ "$one" != "$(keys --rtl "$work/mine.v" --top rr_arb)" ] || fail "the key holds no RTL"

# a compressed library is the same library
gzip -c "$work/mine.lib" >"$work/mine.lib.gz"
[ "$(keys rr_arb --liberty "$work/mine.lib")" = "$(keys rr_arb --liberty "$work/mine.lib.gz")" ] || fail "a .gz library differs"

# parts are found in rtl/prim
printf '%s\n' '// SPDX-License-Identifier: Apache-2.0' 'module two (input logic clk_i, rst_ni, input logic [7:0] req_i, output logic [7:0] grant_o, output logic [1:0] busy_o);' \
  'rr_arb #(.N(4)) u_low (.clk_i, .rst_ni, .req_i(req_i[3:0]), .accept_i(1'"'"'b1), .grant_o(grant_o[3:0]), .busy_o(busy_o[0]));' \
  'rr_arb #(.N(4)) u_high (.clk_i, .rst_ni, .req_i(req_i[7:4]), .accept_i(1'"'"'b1), .grant_o(grant_o[7:4]), .busy_o(busy_o[1]));' \
  endmodule >"$work/two.v"
"$tandem" synth --rtl "$work/two.v" --top two --no-band --json >"$work/two.json"
grep -q '"flip_flop_bits": 4,' "$work/two.json" && grep -q '"from": "u_[a-z]*.ptr_q' "$work/two.json" || fail "a design of parts: $(cat "$work/two.json")"

# a sweep: a row a value, ratios with a verdict, CSV, curves, a folder
"$tandem" synth rr_arb --sweep N=4,8,16 --seeds 8 --csv "$work/x.csv" --plot "$work/x.svg" --out "$work/out" >"$work/table"
[ "$(wc -l <"$work/x.csv")" = 4 ] && head -1 "$work/x.csv" | grep -q '^block,library,N,area_um2,area_low,area_high,fmax_mhz' || fail_showing "$work/x.csv" "no CSV of three rows"
awk -F, 'NR > 1 { if (!($5 <= $4 && $4 <= $6 && $4 > last)) exit 1; last = $4 }' "$work/x.csv" || fail "areas do not grow with N"
grep -q '<svg' "$work/x.svg" && grep -q 'rr_arb over N' "$work/x.svg" || fail "no curves"
"$tandem" synth rr_arb --sweep N=4,8 --seeds 8 --plot "$work/x.png" >/dev/null
[ "$(head -c 4 "$work/x.png" | tr -d '\211')" = PNG ] || fail "no picture"
cmp "$work/table" "$work/out/synth.txt" && grep -q '"block": "rr_arb"' "$work/out/synth.json" || fail "the folder is not what was printed"
grep -q 'area of rr_arb N=4 : rr_arb N=16 .* smaller' "$work/table" || fail_showing "$work/table" "no ratio"
"$tandem" synth rr_arb --sweep N=8,8 --seeds 4 | grep -q 'no difference' || fail "a block differs from itself"
"$tandem" synth rr_arb --seeds 4 --scale 45 | grep -q 'pre-layout area scaled to 45 nm' || fail "no area at 45 nm"
