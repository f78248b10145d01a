#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: foundation
# schemas.sh BUILD_DIR: every JSON output names its schema and is what the schema says, for outputs of every kind; every schema of
# configs/schemas has an output here.
. tests/kit/shell.sh
. tests/kit/schema.sh
. tests/kit/kernels.sh
. tests/kit/gpgpusim_stand_in.sh
PATH=$build/bin:$PATH
mkdir "$work/out"
conform() { # conform NAME FILE: FILE is what the schema NAME says
  differences "$2" "$1" | head -5 >"$work/differences"
  [ ! -s "$work/differences" ] || fail_showing "$work/differences" "$2 is not what configs/schemas/$1.json says"
  version=$(jq -r --arg name "$1" '[.. | .const? | strings | select(startswith($name + "/"))][0]' "configs/schemas/$1.json")
  [ "$(jq -r '[.. | .schema? // empty] | .[0]' "$2")" = "$version" ] || fail "$2 does not name the schema $version"
  touch "$work/out/$1"
}
printed() { # printed NAME ARGUMENT...: the output of that command
  local name=$1
  shift
  tandem "$@" >"$work/printed" 2>"$work/log" || [ $? = 1 ] || fail_showing "$work/log" "failed: tandem $*"
  conform "$name" "$work/printed"
}

# runs, of pipelines and proposals that differ in what they report
for run in "d2ma saxpy:n=2048,ctas=2 -c small --system d2ma --events --engine sm0.d2ma.*=lockstep" \
  "barrel saxpy:n=512 -c elastic16 --system elastic" "xmem xmem_switch -c small --system xmem" \
  "plain vecadd:n=4096 -c yuan32 --trace-dram"; do
  read -r name arguments <<<"$run"
  set -f
  simulate "$name" $arguments
  set +f
  conform run "$work/$name/run.json"
done
printed run run saxpy:n=64 -c small --out "$work/again" --json
printed stalls stalls "$work/d2ma" --json
printed stalls stalls "$work/barrel" --json
printed energy energy "$work/d2ma" --json
simulate lines saxpy:n=512 -c small --lines
printed lines stalls "$work/lines" --lines --json
simulate kernels saxpy:n=512 -c small --kernels
printed correlate correlate "$work/kernels/kernels.csv" "$work/kernels/kernels.csv" --json
printed timeline timeline "$work/d2ma" --json
printed diff diff "$work/d2ma" "$work/plain" --json
printed diff diff "$work/d2ma" "$work/d2ma" --json
printed dram dram "$work/plain/requests.csv" -c yuan32 --json
printed dram-model dram-model "$work/plain" -c yuan32 --json
printed analyse analyse bfs:nodes=300 nn:records=100 --loops --rows --json
printed analyse analyse tests/ptx/reads.clang_sm_70.ptx --json
printed ldesc ldesc locality:pattern=5 -c ldesc_modules --json
printed ldesc ldesc locality:pattern=3,local=1 --json
printed noc noc --topology mesh --size 2x2 --rate 0.1:0.2:0.1 --json

# blocks
printed check check rr_arb --cycles 1000 --json
printed check check rr_arb --bug wraps_early --out "$work/bug" --json
conform divergence "$work/bug/divergence.json"
printed wave-diff diff "$work/bug/wave.fst" "$work/bug/wave.fst" --json
printed stimulus-diff diff "$work/bug/stimulus.csv" "$work/bug/stimulus.csv" --json
must tandem check rr_arb --cycles 1000 --coverage --rtl-coverage --out "$work/coverage"
conform coverage "$work/coverage/coverage.json"
printed mutants mutants rr_arb --json
printed random-mutants mutants rr_arb --random 2 --cycles 1000 --out "$work/random" --json
printed bench bench --block lfsr --json
(cd "$work" && stand_in && : >gpgpusim.config && tandem bench --gpgpusim sim --rounds 1 --json -- ./program "it's" 'two words' >stand_in.json)
conform bench-gpgpusim "$work/stand_in.json"
printf 'req,accept\n3,1\n1,1\n' >"$work/stimulus.csv"
printed synth synth rr_arb --seeds 2 --json
printed synth synth rr_arb --seeds 2 --scale 45 --json

# tables
for list in machines workloads blocks parameters counters latencies metrics systems engines variables nodes routines; do printed list-$list list $list --json; done
printed list-machine list machines small --json
printed list-phases list phases tests/ptx/calls.clang_sm_70.ptx k_shape --json
printed list-blocks list blocks rr_arb --json

# an evaluation and claims, made up here: a sweep writes an experiment
printed sweep sweep saxpy:n=512 -c small --set dram.queue=4,8 --out "$work/sweep" --runs "$work/runs" --json
cp -r configs "$work/configs"
cp "$work/sweep/sweep.yaml" "$work/configs/experiments/sweep.yaml"
cat >"$work/configs/claims/try.yaml" <<'END'
system: try
source: made up here
runs:
  base: saxpy:n=512 -c small
  slow: saxpy:n=512 -c small --set dram.queue=4
claims:
  - {id: same, text: a ratio, place: here, unit: ratio, published: 1, neutral: none, tolerance: 0.1, tolerance_why: made up,
     measure: slow.core_cycles / base.core_cycles}
  - {id: sum, text: follows, place: here, unit: mm, published: 4, arithmetic: 2 + 2}
END
export TANDEM_CONFIG_DIR=$work/configs
printed experiment experiment sweep --runs "$work/runs" --out "$work/experiment" --json
conform experiment "$work/experiment/experiment.json"
printed claims claims try --runs "$work/runs" --json
unset TANDEM_CONFIG_DIR

for file in configs/schemas/*.json; do
  [ -e "$work/out/$(basename "$file" .json)" ] || fail "$file has no output here"
done

# the validation can fail
plant() { # plant EDIT WORD: after this edit of a run.json, a difference names WORD
  jq "$1" "$work/d2ma/run.json" >"$work/planted"
  differences "$work/planted" run | grep -qF -e "$2" || fail "not noticed: $1"
}
plant 'del(.timing.seconds)' 'run/1.timing: no seconds'
plant '.statistics.sm.cycles = "many"' string
plant '.verdict.result = "perhaps"' perhaps
plant '.schema = "run/0"' run/0
plant '.config.colour = 3' colour
plant '.engines[1].cycles = 0.5' 'engines[1].cycles'
echo "$(find "$work/out" -type f | wc -l) schemas"
