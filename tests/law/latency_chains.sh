#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# latency_chains.sh BUILD_DIR: docs/latencies.md says for each GPU configuration that it names what chains of operations take on it.
. tests/kit/shell.sh
chains=$build/tests/latency_chains_test
[ -x "$chains" ] || fail "$chains is missing: build the unit tests"
must "$chains"
grep '^chain ' "$work/log" >"$work/chains" || fail_showing "$work/log" "the test prints no chains"

stated() { # stated PAGE: a line "chain CONFIGURATION NAME: CYCLES" for each cell below a configuration's name
  awk -F ' *[|] *' '
    /^[|] chain / { delete config; for (i = 3; i < NF; i++) if ($i ~ /^`/) { config[i] = $i; gsub(/`/, "", config[i]) } table = 1; next }
    !/^[|]/ { table = 0 }
    table && !/^[|]-/ { for (i in config) if ($i != "-") print "chain " config[i] " " $2 ": " $i }' "$1" | sort
}
wrong() { comm -23 <(stated "$1") <(sort "$work/chains"); } # wrong PAGE: cells that the test does not print

stated docs/latencies.md >"$work/stated"
n=$(wc -l <"$work/stated")
[ "$n" -ge 45 ] || fail_showing "$work/stated" "only $n cells were found in docs/latencies.md"
[ -z "$(wrong docs/latencies.md)" ] || fail "docs/latencies.md says what the chains do not take:
$(wrong docs/latencies.md)"
for config in gtx480 gtx480_gpgpusim gt200 h100 elastic16; do
  grep -q "^chain $config " "$work/stated" || fail "docs/latencies.md has no column for $config"
done

# a wrong cell is found
sed '0,/^| add.f32 /s/^\(| add.f32 .*\)| 9 |/\1| 4 |/' docs/latencies.md >"$work/wrong.md"
! cmp -s docs/latencies.md "$work/wrong.md" || fail "the test changed no cell"
[ "$(wrong "$work/wrong.md")" = "chain gtx480 add.f32: 4" ] || fail "a wrong cell is not found: $(wrong "$work/wrong.md")"
echo "$n cells of docs/latencies.md agree"
