#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: area
# recording.sh BUILD_DIR: what --record keeps of a run is what the blocks were asked: cycles that were skipped count, a window
# leads there from reset, C model and RTL agree on it, and a run that failed keeps nothing.
. tests/kit/shell.sh
run() { must "$tandem" run saxpy:n=16384 --system d2ma "$@"; }

run --record 'sm0.d2ma.*' --out "$work/all"
run --record 'sm0.d2ma.*' --no-skip --out "$work/no_skip"
cycles=$(sed -n 's/^  \([0-9]*\) core cycles.*/\1/p' "$work/log")
for block in agen raw; do
  file=stimulus.sm0.d2ma.$block.csv
  grep -q "^# window 0:$cycles\$" "$work/all/$file" || fail "$file does not hold the whole run of $cycles cycles"
  "$tandem" replay "$work/all/$file" >"$work/replay" || fail "C model and RTL disagree on $file"
  grep -q ": $cycles cycles" "$work/replay" || fail_showing "$work/replay" "$file is not $cycles cycles"
  # every answer of the block, whichever cycles were executed
  cmp <(grep '^# outputs' "$work/all/$file") <(grep '^# outputs' "$work/no_skip/$file") || fail "$file: other answers without skipping"
done
cmp "$work/all/stimulus.sm0.d2ma.raw.csv" "$work/no_skip/stimulus.sm0.d2ma.raw.csv" || fail "another recording without skipping"

from=$((cycles / 2)) to=$((cycles / 2 + 200))
run --record 'sm0.d2ma.*' --record-window $from:$to --out "$work/window"
"$tandem" replay "$work/window/stimulus.sm0.d2ma.agen.csv" >"$work/replay" || fail "the window does not replay"
grep -q "^# window $from:$to" "$work/window/stimulus.sm0.d2ma.agen.csv" || fail "no window in the file"
rows() { # rows of the window
  grep -v '^#' "$1" | awk -F, -v a=$from -v b=$to 'NR > 1 && $1 > a && $1 < b { print $1 }'
}
cmp <(rows "$work/all/stimulus.sm0.d2ma.raw.csv") <(rows "$work/window/stimulus.sm0.d2ma.raw.csv") || fail "other rows in the window"

# A replay gives the answers of the run, for each block of each system.
while read -r call; do
  # shellcheck disable=SC2086
  must "$tandem" run $call --engine '*=lockstep' --record --out "$work/system"
  for file in "$work"/system/stimulus.*.csv; do sed -n "s|^# block \([^ ]*\).*|\1 $file|p" "$file"; done | sort -u -k1,1 >"$work/blocks"
  [ -s "$work/blocks" ] || fail "no recordings of $call"
  while read -r block file; do
    "$tandem" replay "$file" >"$work/replay" 2>&1 || fail_showing "$work/replay" "$block of $call: the replay differs from the run"
  done <"$work/blocks"
  rm -r "$work/system"
done <<'CALLS'
jacobi:version=plain,rows=64,columns=64,iterations=1 -c teleport --system teleport
locality:pattern=0 -c ldesc_modules --system ldesc
reduction:n=4096 -c elastic16 --system elastic --set sm.pipeline=elastic
vecadd:n=4096 -c yuan28
vecadd:n=4096 --set dram.scheduler=bfifo --set dram.tREFI=0
CALLS
sed 's/^# outputs .*/# outputs 0000000000000001/' "$work/all/stimulus.sm0.d2ma.raw.csv" >"$work/other.csv"
! "$tandem" replay "$work/other.csv" >"$work/replay" 2>&1 || fail "a replay with other answers than the run passes"
grep -q 'not those of the recorded run' "$work/replay" || fail_showing "$work/replay" "other answers: no sentence"

# "alone": what runs in lockstep, and nothing else; old recordings go
run --engine 'sm1.d2ma.raw=lockstep' --record --out "$work/all"
[ "$(cd "$work/all" && ls stimulus.*)" = stimulus.sm1.d2ma.raw.csv ] || fail "recorded: $(cd "$work/all" && ls)"

refused 'no instance of such a name runs in lockstep' "$tandem" run saxpy --system d2ma --record nothing --out "$work/x"
refused 'no instance of such a name runs in lockstep' "$tandem" run saxpy --system d2ma --record d2ma_agen --engine '*=rtl' --out "$work/x"
refused 'nothing is recorded' "$tandem" run saxpy --system d2ma --record-window 1:2 --out "$work/x"
refused 'FROM < TO' "$tandem" run saxpy --system d2ma --record --record-window 7:7 --out "$work/x"
refused 'before the window' "$tandem" run saxpy:n=16384 --system d2ma --record d2ma_raw_check --record-window 900000:900001 --out "$work/x"
whole=$work/window/stimulus.sm0.d2ma.raw.csv
head -n -3 "$whole" >"$work/cut.csv"
refused 'cut off' "$tandem" replay "$work/cut.csv"
sed '/^# end/!s/^# window.*/# window 9:x/' "$whole" >"$work/bad.csv"
refused 'makes no sense' "$tandem" replay "$work/bad.csv"
echo "recordings of $cycles cycles: the same with and without skipping, in a window, refused when cut off"
