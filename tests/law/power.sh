#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: area
# power.sh BUILD_DIR: power comes from activity: toggles are those of a hand count, an idle block needs less than a busy one and
# nothing but its clock and leakage, the netlist answers as the RTL does, and what cannot be measured is refused.
. tests/kit/shell.sh
export TANDEM_CACHE=$work/cache
power() { # NAME STIMULUS OPTION...
  local name=$1 stimulus=$2
  shift 2
  "$tandem" synth rr_arb --param N=2 --no-band --power --stimulus "$stimulus" --json "$@" >"$work/$name.json" || fail "no power of $name"
}
holds() { # holds NAME CONDITION [NAME2]: a jq condition over $p, the power of NAME, and $q, that of NAME2
  jq -e --slurpfile other "$work/${3:-$1}.json" "
    def near(a; b; r): (a - b | fabs) <= r * (b | fabs);
    def near(a; b): near(a; b; 1e-4);
    .[0].power[0] as \$p | \$other[0][0].power[0] as \$q | $2" "$work/$1.json" >"$work/jq" 2>&1 || { jq '.[0].power[0] | del(.ports)' "$work/$1.json"; fail_showing "$work/jq" "$1: $2"; }
}

# both clients ask in each of 100 cycles and every grant is taken: the grant moves from one to the other in each of the 99 cycles
# after the first; nothing else comes in
{ echo req,accept; echo 3,1; for _ in $(seq 99); do echo ,; done; } >"$work/busy.csv"
# one client asks for two cycles of every ten: four hundred cycles, 80 changes
{ echo req,accept; for _ in $(seq 40); do printf '1,1\n,\n0,0\n,\n,\n,\n,\n,\n,\n,\n'; done; } >"$work/calm.csv"
{ echo req,accept; echo 0,0; for _ in $(seq 99); do echo ,; done; } >"$work/idle.csv"
power busy "$work/busy.csv"
power calm "$work/calm.csv"
power idle "$work/idle.csv"
holds busy '$p.ports.grant_o == [99, 99] and $p.ports.req_i == [0, 0] and $p.cycles == 100'
holds calm '$p.ports.req_i == [79, 0] and $p.ports.grant_o == [79, 0] and $p.ports.accept_i == [79]'
holds idle '$p.toggles == 0 and $p.dynamic_mw == 0 and near($p.total_mw; $p.clock_mw + $p.leakage_mw) and $p.clock_mw > 0 and $p.leakage_mw > 0'
holds busy '$p.total_mw > $q.total_mw and $p.dynamic_mw > $q.dynamic_mw and $p.clock_mw == $q.clock_mw' calm
holds calm '$p.total_mw > $q.total_mw' idle
holds busy '$p.annotated_share >= 0.95 and $p.compared_cycles == 100 and $p.clock_mhz == 700 and $p.pre_layout'
holds busy 'near($p.total_mw; $p.dynamic_mw + $p.clock_mw + $p.leakage_mw)'
# DFFPOSX1, clock pin, slope 0: its table gives 0.006839 pJ for a rise and 0.103864 pJ for a fall (the lines through the entries
# at 0.06 and 0.24 ns); each comes once a cycle. Its capacitance is 27.69 fF, the swing 1.8 V
holds idle 'near($p.clock_pins_mw; 0.110703 * 0.7; 1e-3) and near($p.clock_net_mw; 0.02769345 * 1.8 * 1.8 * 0.7; 1e-3)'
# the clock is needed when somebody asks
holds busy '$p.gated.clocked_share == 1 and near($p.gated.total_mw; $p.total_mw)'
holds idle '$p.gated.clocked_share == 0 and near($p.gated.total_mw; $p.leakage_mw)'
holds calm '0.2 <= $p.gated.clocked_share and $p.gated.clocked_share <= 0.31'

# half the clock, half the power, but for leakage
power slow "$work/busy.csv" --clock 350
holds slow '$p.clock_mhz == 350 and near(2 * $p.dynamic_mw; $q.dynamic_mw) and near(2 * $p.clock_mw; $q.clock_mw) and near($p.leakage_mw; $q.leakage_mw)' busy

# the same bytes, from the cache: the second call starts no tool but for the versions; and without the cache
before=$(find "$work/cache" -name 'power-*' -printf '%p %T@\n' | sort)
power again "$work/busy.csv"
cmp "$work/busy.json" "$work/again.json" || fail "a second call prints other bytes"
[ "$before" = "$(find "$work/cache" -name 'power-*' -printf '%p %T@\n' | sort)" ] || fail "a power was computed twice"
find "$work/cache" -name 'power-*' -delete
power again "$work/busy.csv"
cmp "$work/busy.json" "$work/again.json" || fail "without the cached power other bytes are printed"
"$tandem" synth rr_arb --param N=2 --no-band --power --stimulus "$work/busy.csv" --stimulus "$work/idle.csv" >"$work/table"
[ "$(grep -c 'pre-layout power at 700 MHz' "$work/table")" = 2 ] && grep -q 'pins annotated' "$work/table" || fail_showing "$work/table" "no table"

# a recording: rows stand for cycles, the window counts and what leads to it does not
cat >"$work/recorded.csv" <<'END'
# block rr_arb
# param N=2
# instance test.arb
# workload hand
# clock_khz 500000
# window 4:20
cycle,rst_n,req,accept
0,1,1,1
2,1,0,0
6,1,3,1
8,1,0,0
# end 4
END
power recorded "$work/recorded.csv"
# client 1 had a grant in cycles 0 and 1: in cycle 6 client 2 is first, then client 1
holds recorded '$p.clock_mhz == 500 and $p.cycles == 16 and $p.ports.req_i == [2, 2] and $p.ports.grant_o == [2, 2]'
holds recorded '$p.compared_cycles == 20 and ($p.gated.clocked_share * 16 | . == 2 or . == 3) and $p.workload == "hand"'

synth=("$tandem" synth rr_arb --param N=2 --no-band --power --stimulus)
sed 's/^# end.*//' "$work/recorded.csv" >"$work/cut.csv"
refused_with 2 'cut off' -- "${synth[@]}" "$work/cut.csv"
sed 's/req,/wreq,/' "$work/recorded.csv" >"$work/foreign.csv"
refused_with 2 "column 'wreq'" -- "${synth[@]}" "$work/foreign.csv"
sed 's/rr_arb/d2ma_agen/' "$work/recorded.csv" >"$work/foreign.csv"
refused_with 2 'for the block d2ma_agen' -- "${synth[@]}" "$work/foreign.csv"
sed 's/N=2/N=4/' "$work/recorded.csv" >"$work/foreign.csv"
refused_with 2 'say --param N=4' -- "${synth[@]}" "$work/foreign.csv"
sed 's/^6,.*/6,1,0,0/' "$work/recorded.csv" >"$work/asleep.csv"
refused_with 2 'got no request in cycles' -- "${synth[@]}" "$work/asleep.csv"
refused_with 2 'cannot read' -- "${synth[@]}" "$work/none.csv"
refused_with 2 'power needs activity' -- "$tandem" synth rr_arb --power
refused_with 2 'one block' -- "$tandem" synth all --power --stimulus "$work/busy.csv"
refused_with 2 'belong to --power' -- "$tandem" synth rr_arb --clock 700
# answers that are not the netlist's
sed 's/^# window.*/&\n# outputs 0123456789abcdef/' "$work/recorded.csv" >"$work/other.csv"
refused_with 1 'not those of the recording' -- "${synth[@]}" "$work/other.csv"
# a netlist that is not the RTL's
netlist=$(find "$work/cache" -name seed-0.v)
sed -i 's/ NAND2X1 / NOR2X1 /' "$netlist"
refused_with 1 'netlist and RTL differ in cycle' -- "${synth[@]}" "$work/busy.csv"
# one bit of an output is wrong, and is named: bit 7 takes the place of bit 6
{ echo req,accept; echo 0x80,1; } >"$work/eighth.csv"
eight=("$tandem" synth rr_arb --param N=8 --no-band --power --stimulus)
"${eight[@]}" "$work/eighth.csv" >/dev/null || fail "no power of rr_arb with N=8"
netlist=$(grep -l 'output \[7:0\] grant_o' $(find "$work/cache" -name seed-0.v))
sed -i 's/(grant_o\[7\])/(planted)/; s/^endmodule/  wire planted;\n  assign grant_o[7] = grant_o[6];\n&/' "$netlist"
refused_with 1 'differ in cycle 0 at the output grant, bit 7;' -- "${eight[@]}" "$work/eighth.csv"
echo "power of rr_arb: toggles by hand, idle below calm below busy, clock and leakage alone when idle"
