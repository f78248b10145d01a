#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: elastic
# elastic_bad_input.sh BUILD_DIR: what no elastic pipeline can be is refused with the rule, exit code 2 and the key, in a GPU
# configuration or by --set. Parameters of the Verilog: tests/law/elastic_parameters.sh.
. tests/kit/shell.sh

run_refused() { # run_refused TEXT ARGUMENT...: tandem run ARGUMENT... ends with 2 and says TEXT
  ends_with 2 "$tandem" run saxpy:n=64 "${@:2}" --out "$work/run"
  grep -qF -- "$1" "$work/stderr" || fail_showing "$work/stderr" "${*:2} does not say '$1'"
  [ ! -e "$work/run/run.json" ] || fail "${*:2} leaves a result"
}
while IFS='|' read -r setting text; do
  run_refused "$text" -c elastic16 --set sm.pipeline=elastic --system elastic --set "$setting"
done <<'RULES'
sm.simd_width=12|must divide the warp of 32 lanes
sm.simd_width=32|needs 16 lanes or fewer
barrel.ports=0|barrel.ports: 0 is outside 1..8 ports
elastic.sets=48|elastic.sets = 48: must be a power of two
elastic.ways=3|elastic.ways = 3: must be 1, 2 or 4
elastic.degree_bits=4|elastic.degree_bits = 4: a warp of 4 subwarps
elastic.pc_bits=8|elastic.sets = 256: must be below 2^elastic.pc_bits = 256
sm.schedulers=2|a barrel (sm.pipeline) has 1
sm.pipeline=rubber|is not one of scoreboard|unified|split|elastic
RULES
run_refused "set sm.pipeline to unified, split or elastic" -c gtx480 --system elastic
run_refused "is for sm.pipeline=scoreboard" -c elastic16 --system d2ma
printf 'base: elastic16\nbarrel:\n  ports: 0\n' >"$work/mine.yaml"
run_refused "mine.yaml:3: barrel.ports: 0 is outside 1..8 ports" -c "$work/mine.yaml"

echo "what no elastic pipeline can be is refused with the rule"
