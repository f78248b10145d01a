#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# stalls.sh BUILD_DIR: every SM cycle of a run is issue, one cause of a stall or without a CTA, by kernel and by SM;
# statistics.csv says what run.json says; the plot is a picture.
set -eu
tandem=$(cd "$1" && pwd)/bin/tandem
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*"; exit 1; }

"$tandem" run sgemv:m=200,n=700 -c small --out "$work/run" >/dev/null 2>&1 || fail "the run fails"
"$tandem" stalls "$work/run" --json --plot "$work/plot.svg" >"$work/stalls.json" || fail "stalls fails"
"$tandem" stalls "$work/run" --plot "$work/plot.png" >"$work/table" || fail "stalls --plot fails"
cat >"$work/sums.cmake" <<'C'
file(READ "${FILE}" text)
foreach(list kernels sms)
  string(JSON n LENGTH "${text}" ${list})
  math(EXPR last "${n} - 1")
  set(all_${list} 0)
  foreach(i RANGE ${last})
    set(sum 0)
    foreach(class issue memory shared dma barrier data units masked "no warp" "bank conflict" return "no CTA")
      string(JSON cycles GET "${text}" ${list} ${i} ${class})
      math(EXPR sum "${sum} + ${cycles}")
    endforeach()
    string(JSON cycles GET "${text}" ${list} ${i} sm_cycles)
    if(NOT sum EQUAL cycles OR cycles EQUAL 0)
      message(FATAL_ERROR "${list} ${i}: the classes sum to ${sum} of ${cycles} cycles")
    endif()
    math(EXPR all_${list} "${all_${list}} + ${sum}")
  endforeach()
endforeach()
if(NOT all_kernels EQUAL all_sms)
  message(FATAL_ERROR "kernels ${all_kernels} cycles, SMs ${all_sms}")
endif()
C
cmake -DFILE="$work/stalls.json" -P "$work/sums.cmake" || fail "cycles are lost"
grep -q '^sgemv ' "$work/table" && grep -q '^sm1 ' "$work/table" || fail "the table lacks the kernel or an SM"
grep -q '<svg' "$work/plot.svg" && grep -q 'sgemv' "$work/plot.svg" && grep -q 'sm1' "$work/plot.svg" || fail "the SVG lacks a bar"
head -c 8 "$work/plot.png" | grep -q PNG || fail "the PNG is none"

# the CSV: as many counters as run.json, the same values, the SMs' sum is the total's
csv=$work/run/statistics.csv
[ "$(head -1 "$csv")" = scope,index,kernel,counter,unit,value ] || fail "the CSV's heading is another"
sed -n 's/^launch,0,"sgemv",\([a-zA-Z0-9_]*\),.*,\([0-9]*\)$/\1 \2/p' "$csv" | sort >"$work/csv"
sed -n '/"launches"/,/^    ]/s/^ *"\([a-zA-Z0-9_]*\)": \([0-9]*\),\{0,1\}$/\1 \2/p' "$work/run/run.json" | sort >"$work/json"
[ -s "$work/csv" ] && cmp "$work/csv" "$work/json" || fail "statistics.csv and run.json differ"
awk -F, '$1 == "sm" { sum[$4] += $6 } $1 == "total" { total[$4] = $6 } END { for (c in sum) if (sum[c] != total[c]) { print c; exit 1 } }' "$csv" ||
  fail "the SMs do not sum to the total"

refused() { # refused PATTERN COMMAND...
  local pattern=$1 status=0
  shift
  "$@" >"$work/out" 2>"$work/err" || status=$?
  [ $status = 2 ] && grep -q -- "$pattern" "$work/err" || { cat "$work/err"; fail "exit $status, wanted 2 and '$pattern': $*"; }
}
refused "there is no" "$tandem" stalls "$work/nothing"
refused ".svg or .png" "$tandem" stalls "$work/run" --plot "$work/plot.pdf"
refused "cannot write" "$tandem" stalls "$work/run" --plot "$work/nothing/plot.svg"
mkdir "$work/broken" && echo '{"statistics": ' >"$work/broken/run.json"
refused "run.json:" "$tandem" stalls "$work/broken"
echo '{}' >"$work/broken/run.json"
refused "no statistics" "$tandem" stalls "$work/broken"
ls "$work"/*.part "$work/run"/*.part 2>/dev/null && fail "a half-written file is left"
exit 0
