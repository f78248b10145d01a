#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# wave_opens.sh BUILD_DIR: --wave writes one FST with the RTL hierarchy, the C model beside it and the SM's state, and a
# save file whose every signal exists in it; tracing changes no statistic; GTKWave opens it as it is.
. tests/kit/shell.sh
at_exit() {
  local process
  for process in ${viewer:-} ${xvfb:-}; do kill "$process" 2>/dev/null || true; done
}
simulate quiet saxpy:n=4096,ctas=4 -c small --system d2ma
simulate waved saxpy:n=4096,ctas=4 -c small --system d2ma --wave=100:1500
same quiet waved "while tracing"

signals "$work/waved/wave.fst" "$work/wave"
sed 's/ .*//' "$work/wave" | sort -u >"$work/names"
grep -E '^[A-Za-z].*\.' "$work/waved/wave.gtkw" | sort -u >"$work/wanted"
[ "$(wc -l <"$work/wanted")" -gt 100 ] || fail "the save file lists too few signals"
missing=$(comm -23 "$work/wanted" "$work/names")
[ -z "$missing" ] || fail "signals of the save file that are not in the wave: $missing"
for part in 'sm0.d2ma.agen.d2ma_agen_socket.dut.' '.c_model.out.req_seg' '.c_model.mismatch' 'sm0.state.sm_state_socket.active_warps'; do
  grep -qF "$part" "$work/names" || fail "no $part in the wave"
done
# the clock runs and requests are made inside the window
grep -q '^#' "$work/wave.vcd" && [ "$(grep -c '^#' "$work/wave.vcd")" -gt 1000 ] || fail "the wave holds too few times"

if command -v gtkwave >/dev/null && command -v Xvfb >/dev/null; then
  number=$((90 + RANDOM % 400))
  Xvfb ":$number" -screen 0 1600x900x24 >/dev/null 2>&1 & xvfb=$!
  until [ -e /tmp/.X11-unix/X$number ]; do kill -0 $xvfb 2>/dev/null || fail "Xvfb :$number ended"; sleep 0.1; done
  DISPLAY=:$number gtkwave --nomenu "$work/waved/wave.gtkw" >"$work/gtkwave.log" 2>&1 & viewer=$!
  for _ in $(seq 1200); do # it says that it extracts the traces of the save file
    ! grep -q 'Extracting [0-9]* traces' "$work/gtkwave.log" || break
    kill -0 $viewer 2>/dev/null || fail_showing "$work/gtkwave.log" "GTKWave ended before it showed the wave"
    sleep 0.1
  done
  sleep 1
  kill -0 $viewer 2>/dev/null || fail_showing "$work/gtkwave.log" "GTKWave ended"
  ! grep -iE "could not|not found|error" "$work/gtkwave.log" || fail "GTKWave complains"
fi
