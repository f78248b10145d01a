#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 240
# tools.sh BUILD_DIR: a parameter set that was never verilated is verilated on first use, once, also by two at a time; it
# serves without Verilator from then on; what is not there is refused with a sentence, never replaced by another engine.
set -eu
build=$(cd "$1" && pwd)
tandem=$build/bin/tandem
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir bare
for tool in sh bash env; do ln -s "$(command -v $tool)" bare/$tool; done # a PATH without Verilator, compilers, GTKWave
export TANDEM_CACHE=$work/cache

status=0
PATH=$work/bare "$tandem" check rr_arb --cycles 1000 >out 2>err || status=$?
[ $status = 2 ] || { cat out err; echo "exit $status without Verilator"; exit 1; }
grep -q verilator err && grep -q scripts/setup err || { cat err; echo "the sentence names no tool or no mend"; exit 1; }
[ ! -e cache ] || [ -z "$(find cache -name '*.so')" ] || { echo "a library was left behind"; exit 1; }

"$tandem" check rr_arb --param N=7 --cycles 1000 --out a >one.log 2>&1 & first=$!
"$tandem" check rr_arb --param N=7 --cycles 1000 --out b >two.log 2>&1 & second=$!
wait $first || { cat one.log; exit 1; }
wait $second || { cat two.log; exit 1; }
grep -q 'N=7 .*equal' one.log && grep -q 'N=7 .*equal' two.log
[ "$(find cache -name 'rr_arb-*.so' | wc -l)" = 1 ] || { find cache; echo "one set, one library"; exit 1; }
[ -z "$(find cache -name '*.tmp.*')" ] || { echo "a working folder was left behind"; exit 1; }
made=$(find cache -name '*.so' -printf '%p %T@\n' | sort)
PATH=$work/bare "$tandem" check rr_arb --param N=7 --cycles 1000 >out 2>err || { cat err; echo "a library that is there needs no tools"; exit 1; }
[ "$made" = "$(find cache -name '*.so' -printf '%p %T@\n' | sort)" ] || { echo "a library was made twice"; exit 1; }
status=0
PATH=$work/bare "$tandem" check rr_arb --param N=6 --cycles 1000 >out 2>err || status=$?
[ $status = 2 ] && grep -q verilator err || { cat err; echo "another set did not ask for Verilator"; exit 1; }

status=0
TANDEM_CACHE=/proc/nowhere "$tandem" check rr_arb --cycles 1000 >out 2>err || status=$?
[ $status = 2 ] && grep -q TANDEM_CACHE err || { cat err; echo "an unwritable cache: exit $status"; exit 1; }

mkdir run && touch run/wave.fst run/wave.gtkw
status=0
PATH=$work/bare "$tandem" wave run >out 2>err || status=$?
[ $status = 2 ] && grep -q gtkwave err || { cat err; echo "exit $status without GTKWave"; exit 1; }
