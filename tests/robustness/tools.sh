#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tools.sh BUILD_DIR: a parameter set that was never verilated is verilated on first use, once, also by two at a time; it
# serves without Verilator from then on; what is not there is refused with a sentence, never replaced by another engine.
. tests/kit/shell.sh
cd "$work"
path_of bare sh bash env # no Verilator, compilers, GTKWave
bare() { refused "$1" env PATH="$work/bare" "${@:2}"; } # bare PATTERN COMMAND...
export TANDEM_CACHE=$work/cache

bare verilator "$tandem" check rr_arb --cycles 1000
grep -q "install the package" stderr || fail_showing stderr "the sentence names no package"
[ ! -e cache ] || [ -z "$(find cache -name '*.so')" ] || fail "a library was left behind"

"$tandem" check rr_arb --param N=7 --cycles 1000 --out a >one.log 2>&1 & first=$!
"$tandem" check rr_arb --param N=7 --cycles 1000 --out b >two.log 2>&1 & second=$!
wait $first || fail_showing one.log "the first of two fails"
wait $second || fail_showing two.log "the second of two fails"
grep -q 'N=7 .*equal' one.log && grep -q 'N=7 .*equal' two.log
[ "$(find cache -name 'rr_arb-*.so' | wc -l)" = 1 ] || fail "more than one library of a set: $(find cache)"
[ -z "$(find cache -name '*.tmp.*')" ] || fail "a working folder was left behind"
made=$(find cache -name '*.so' -printf '%p %T@\n' | sort)
must env PATH="$work/bare" "$tandem" check rr_arb --param N=7 --cycles 1000 # a library that is there needs no tools
[ "$made" = "$(find cache -name '*.so' -printf '%p %T@\n' | sort)" ] || fail "a library was made twice"
bare verilator "$tandem" check rr_arb --param N=6 --cycles 1000

refused TANDEM_CACHE env TANDEM_CACHE=/proc/nowhere "$tandem" check rr_arb --cycles 1000

mkdir run && touch run/wave.fst run/wave.gtkw
bare gtkwave "$tandem" wave run
