#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 180
# wave_opens.sh BUILD_DIR: --wave writes one FST with the RTL hierarchy, the C model beside it and the SM's state, and a
# save file whose every signal exists in it; tracing changes no statistic; GTKWave opens it as it is.
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"; [ -n "${xvfb:-}" ] && kill $xvfb 2>/dev/null || true' EXIT
run() { name=$1; shift; "$build/bin/tandem" run saxpy:n=4096,ctas=4 -c small --system d2ma "$@" --out "$work/$name" >"$work/$name.log" 2>&1 || { cat "$work/$name.log"; exit 1; }; }
run quiet
run waved --wave=100:1500
for name in quiet waved; do sed -n '/^  "statistics"/,/^  }/p' "$work/$name/run.json" >"$work/$name.statistics"; done
cmp "$work/quiet.statistics" "$work/waved.statistics" || { echo "tracing changes the statistics"; exit 1; }

fst2vcd "$work/waved/wave.fst" >"$work/wave.vcd"
# full names of the dump: scopes joined by dots, ranges as GTKWave writes them
awk '$1 == "$scope" { path = path $3 "." } $1 == "$upscope" { sub(/[^.]*\.$/, "", path) }
     $1 == "$var" { name = path $5; if ($6 != "$end") name = name $6; print name }' "$work/wave.vcd" | sort -u >"$work/names"
grep -E '^[A-Za-z].*\.' "$work/waved/wave.gtkw" | sort -u >"$work/wanted"
[ "$(wc -l <"$work/wanted")" -gt 100 ] || { echo "the save file lists too few signals"; exit 1; }
missing=$(comm -23 "$work/wanted" "$work/names")
[ -z "$missing" ] || { echo "signals of the save file that are not in the wave:"; echo "$missing" | head; exit 1; }
for part in 'sm0.d2ma.agen.d2ma_agen_socket.dut.' '.c_model.out.req_seg' '.c_model.mismatch' 'sm0.state.sm_state_socket.active_warps'; do
  grep -qF "$part" "$work/names" || { echo "no $part in the wave"; exit 1; }
done
# the clock runs and requests are made inside the window
grep -q '^#' "$work/wave.vcd" && [ "$(grep -c '^#' "$work/wave.vcd")" -gt 1000 ] || { echo "the wave holds too few times"; exit 1; }

if command -v gtkwave >/dev/null && command -v Xvfb >/dev/null; then
  display=:$((90 + RANDOM % 400))
  Xvfb "$display" -screen 0 1600x900x24 >/dev/null 2>&1 & xvfb=$!
  sleep 1
  DISPLAY=$display timeout 8 gtkwave --nomenu "$work/waved/wave.gtkw" >"$work/gtkwave.log" 2>&1 || [ $? = 124 ] || { cat "$work/gtkwave.log"; exit 1; }
  if grep -iE "could not|not found|error" "$work/gtkwave.log"; then echo "GTKWave complains"; exit 1; fi
fi
