#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: area
# synth_bad_input.sh BUILD_DIR: what cannot be synthesised is refused with one sentence and exit code 2; a check that fails, with
# exit code 1; nothing is left under its final name.
. tests/kit/shell.sh
cd "$work"
export TANDEM_CACHE=$work/cache
osu=/usr/share/qflow/tech/osu018/osu018_stdcells.lib
cases=0
# refused CODE WORD... -- COMMAND...: that exit code; one sentence on stderr, which holds every word; stdout is empty
refused() {
  refused_with "$@"
  [ "$(wc -l <stderr)" = 1 ] || fail_showing stderr "not one sentence: $*"
  [ -z "$(find . -name 'seed-*.json' -size 0)" ] || fail "an empty result was left behind"
  cases=$((cases + 1))
}

# what is asked for
refused 2 rr_arb -- "$tandem" synth rr_arbb
refused 2 "no parameter 'M'" -- "$tandem" synth rr_arb --param M=3
refused 2 1..32 -- "$tandem" synth rr_arb --param N=33
refused 2 "--param N:" "write NAME=NUMBER" -- "$tandem" synth rr_arb --param N
refused 2 "2 netlists or more" --no-band -- "$tandem" synth rr_arb --seeds 1
refused 2 "2 netlists or more" -- "$tandem" synth rr_arb --seeds 0
refused 2 12abc -- "$tandem" synth rr_arb --seeds 12abc
refused 2 "name a block" -- "$tandem" synth
refused 2 "name a block" -- "$tandem" synth --rtl x.v
refused 2 "rr_arb" -- "$tandem" synth rr_arb --rtl x.v --top x
refused 2 "one block" -- "$tandem" synth all --param N=3
refused 2 "--sweep NAME" -- "$tandem" synth rr_arb --sweep N
refused 2 "'x'" -- "$tandem" synth rr_arb --sweep N=4,x
refused 2 "no parameter 'M'" -- "$tandem" synth rr_arb --sweep M=4,8
refused 2 "show a sweep" -- "$tandem" synth rr_arb --csv x.csv
refused 2 ".svg or .png" -- "$tandem" synth rr_arb --sweep N=2,3 --seeds 4 --plot x.pdf
refused 2 14..180 -- "$tandem" synth rr_arb --scale 3

# libraries
refused 2 nowhere.lib --liberty -- "$tandem" synth rr_arb --liberty nowhere.lib
refused 2 cache -- "$tandem" synth rr_arb --liberty cache
sed 's/^ *ff *(/  statetable (/' $osu >no_ff.lib
refused 2 no_ff.lib "no flip-flop" -- "$tandem" synth rr_arb --liberty no_ff.lib
sed 's/time_unit : "1ns"/time_unit : "1parsec"/' $osu >unit.lib
refused 2 unit.lib "1parsec" -- "$tandem" synth rr_arb --liberty unit.lib
head -c 100000 $osu >cut.lib
refused 2 cut.lib truncated -- "$tandem" synth rr_arb --liberty cut.lib
gzip -c $osu | head -c 20000 >cut.lib.gz
refused 2 cut.lib.gz truncated -- "$tandem" synth rr_arb --liberty cut.lib.gz
refused 2 "$root/rtl/prim/rr_arb.v" -- "$tandem" synth rr_arb --liberty "$root/rtl/prim/rr_arb.v"
# a library of gates that cannot make what the block needs
sed 's/(osu018_stdcells)/(mylib)/' $osu >mylib.lib
refused 2 mylib --node -- "$tandem" synth --rtl "$root/tests/synth/ram_async.v" --top ram_async --seeds 2 --liberty mylib.lib
refused 2 "14..180" -- "$tandem" synth --rtl "$root/tests/synth/ram_async.v" --top ram_async --seeds 2 --node 7

# RTL
rtl() { printf '// SPDX-License-Identifier: Apache-2.0\nmodule m(input logic clk_i, input logic [3:0] a_i, output logic [3:0] y_o);\n%s\nendmodule\n' "$2" >"$1.v"; }
refused 2 nowhere.v -- "$tandem" synth --rtl nowhere.v --top m
rtl syntax 'assign y_o = ;'
refused 2 "cannot be synthesised" syntax.v -- "$tandem" synth --rtl syntax.v --top m
rtl top 'assign y_o = a_i;'
refused 2 "cannot be synthesised" -- "$tandem" synth --rtl top.v --top n
refused 2 "cannot be synthesised" -- "$tandem" synth --rtl top.v --top m --param P=3
rtl part 'other u (.a(a_i), .y(y_o));'
refused 2 "cannot be synthesised" other -- "$tandem" synth --rtl part.v --top m
rtl latch 'always_comb if (a_i[0]) y_o = a_i;'
refused 2 -- "$tandem" synth --rtl latch.v --top m
rtl latch 'always @* if (a_i[0]) y_o = a_i;'
refused 2 latch -- "$tandem" synth --rtl latch.v --top m
rtl clocks 'always_ff @(posedge clk_i) y_o[1:0] <= a_i[1:0]; always_ff @(posedge a_i[0]) y_o[3:2] <= a_i[3:2];'
refused 2 clock -- "$tandem" synth --rtl clocks.v --top m
rtl loop 'logic [3:0] x; assign x = ~(x & a_i); assign y_o = x;'
refused 2 loop -- "$tandem" synth --rtl loop.v --top m --seeds 2

# a band that means nothing is a failed check, not a figure
rtl wire 'always_ff @(posedge clk_i) y_o <= a_i;'
refused 1 "m on osu018_stdcells" "--no-band" -- "$tandem" synth --rtl wire.v --top m --seeds 4
"$tandem" synth --rtl wire.v --top m --no-band >stdout
grep -q '^m .* 4 ' stdout || fail_showing stdout "no figures without a band"

# tools and folders
path_of tools bash sh env cat mkdir rm mv
refused 2 yosys 'install the package yosys' -- env PATH="$work/tools" "$tandem" synth rr_arb
ln -s "$(command -v yosys)" tools/
refused 2 sta 'install the package opensta' -- env PATH="$work/tools" "$tandem" synth rr_arb
ln -s "$(command -v sta)" tools/
refused 2 yosys-abc 'install the package yosys' -- env PATH="$work/tools" "$tandem" synth rr_arb
"$tandem" synth rr_arb --sweep N=2,3 --seeds 4 >stdout
ln -s "$(command -v yosys-abc)" tools/
refused 2 gnuplot 'install the package gnuplot-nox' -- env PATH="$work/tools" "$tandem" synth rr_arb --sweep N=2,3 --seeds 4 --plot x.svg
[ ! -e x.svg ] || fail "a refused plot left a picture"
refused 2 TANDEM_CACHE -- env TANDEM_CACHE=/proc/nowhere "$tandem" synth rr_arb
: >file
refused 2 file/out -- "$tandem" synth rr_arb --seeds 4 --out file/out
refused 2 file/x.csv -- "$tandem" synth rr_arb --sweep N=2,3 --seeds 4 --csv file/x.csv
echo "$cases refusals, each with its sentence"
