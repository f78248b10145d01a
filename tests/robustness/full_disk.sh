#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# full_disk.sh BUILD_DIR: whichever result a run cannot write because the disk is full, one sentence names the file and the
# reason, the exit code is 2 and no result takes its final name; nothing dies of a signal, and a run with room writes everything.
set -eu
if [ -z "${FULL_DISK:-}" ]; then # a mount namespace of its own, so that small disks can be mounted
  flags=-m
  [ "$(id -u)" = 0 ] || flags=-rm
  unshare $flags true 2>/dev/null || { echo "no mount namespace here: skipped"; exit 77; }
  FULL_DISK=1 exec unshare $flags bash "$0" "$@"
fi
. tests/kit/shell.sh
disk=$work/disk
mkdir "$disk"
at_exit() { umount -l /tmp "$disk" 2>/dev/null || true; }
fail() { # with what the command printed
  cat "$work/stdout" "$work/stderr"
  echo "$*"
  exit 1
}
fill() { # fill KIB: a disk with so much room left
  umount "$disk" 2>/dev/null || true
  mount -t tmpfs -o size=$(($1 + 4))k tmpfs "$disk"
  head -c 4096 /dev/zero >"$disk/full"
}
# starve WANTED_EXIT STEP FILE... -- COMMAND...: with ever more room, STEP KiB at a time, the command fails for want of it until it
# exits as wanted; every FILE was once the one without room
starve() {
  local wanted=$1 step=$2 room=0 status=2 files=() file
  shift 2
  while [ "$1" != -- ]; do files+=("$1"); shift; done
  shift
  : >"$work/sentences"
  while fill $room; do
    status=0
    TANDEM_OUT=$disk/out "$@" --out "$disk/out" >"$work/stdout" 2>"$work/stderr" || status=$?
    [ $status != "$wanted" ] || break
    [ $status = 2 ] || fail "exit $status with $room KiB: $*"
    grep -q "cannot write $disk/out/.*No space left on device" "$work/stderr" || fail "no sentence with $room KiB: $*"
    ! grep -q 'nothing was simulated' "$work/stderr" || fail "it was simulated"
    grep -q PASS "$work/stdout" || [ "$wanted" = 1 ] || fail "not simulated with $room KiB: $*"
    [ ! -e "$disk/out" ] || [ -z "$(find "$disk/out" -type f ! -path '*/translate/*.txt')" ] || { find "$disk"; fail "a result was left behind with $room KiB: $*"; }
    cat "$work/stderr" >>"$work/sentences"
    room=$((room + step))
    [ $room -lt 4096 ] || fail "never enough room: $*"
  done
  for file in "${files[@]}"; do
    grep -q "cannot write $disk/out/$file" "$work/sentences" || { cut -c1-200 "$work/sentences"; fail "$file never was without room: $*"; }
    find "$disk/out" | grep -q "/out/$file" || { find "$disk/out"; fail "no $file with $room KiB: $*"; }
  done
}

refused() { # refused SENTENCE OPTION... --out DIR: exit 2, the sentence, and no result
  local sentence=$1 status=0
  shift
  "${saxpy[@]}" "$@" >"$work/stdout" 2>"$work/stderr" || status=$?
  [ $status = 2 ] && grep -q "$sentence" "$work/stderr" || fail "exit $status instead of 2: $*"
  [ ! -e "${!#}" ] || [ -z "$(find "${!#}" -maxdepth 1 -type f)" ] || { find "${!#}"; fail "a result was left behind"; }
}

saxpy=("$tandem" run saxpy:n=4096,ctas=4 -c small --system d2ma --no-recorder)
starve 0 8 requests.csv requests.mc run.json statistics.csv -- "${saxpy[@]}" --trace-dram
starve 0 4 run.json statistics.csv events.csv -- "${saxpy[@]}" --events
starve 0 32 events.db -- "${saxpy[@]}" --events=sqlite
starve 0 8 stimulus.sm0.d2ma.agen.csv run.json -- "${saxpy[@]}" --record sm0.d2ma.agen
starve 0 8 wave.fst run.json -- "${saxpy[@]}" --wave=100:300
starve 1 4 divergence.txt divergence.json stimulus.csv wave.fst -- \
  env TANDEM_BUG=d2ma_agen:request_not_held "${saxpy[@]}" --engine d2ma_agen=lockstep

# the flight recorder: no room to begin with; room for a part of the run, of which the recording is kept
recorded=("$tandem" run saxpy:n=65536,ctas=16 --system d2ma --engine 'sm*.d2ma.*=lockstep' --out "$disk/out")
fill 600
"${recorded[@]}" >"$work/stdout" 2>"$work/stderr" && fail "it ran without room for the flight recorder" || status=$?
[ $status = 2 ] && grep -q "cannot reserve space for $disk/out/flight.rec: No space left.*--no-recorder" "$work/stderr" || fail "exit $status"
fill 1600
"${recorded[@]}" >"$work/stdout" 2>"$work/stderr" || fail "the run failed where the recorder could not grow"
grep -q "$disk/out/flight.rec cannot grow: No space left" "$work/stderr" || fail "no sentence about the recorder"
"$tandem" replay "$disk/out" --cycle 0 --block sm0.d2ma.ctrl --out "$work/cycle" >"$work/stdout" 2>"$work/stderr" && fail "cycle 0 was kept"
kept=$(sed -n 's/.*executed the recorded cycles between \([0-9]*\) and \([0-9]*\);.*/\1 \2/p' "$work/stderr")
[ -n "$kept" ] || fail "nothing was recorded"
for cycle in $kept; do
  "$tandem" replay "$disk/out" --cycle "$cycle" --block sm0.d2ma.ctrl --out "$work/cycle" >"$work/stdout" 2>"$work/stderr" || fail "cycle $cycle was not recorded"
done

# a full disk for the translate files of a wave alone
fill 4096
mkdir -p "$disk/out/translate"
mount -t tmpfs -o size=4k tmpfs "$disk/out/translate"
cp "$disk/full" "$disk/out/translate"
refused "cannot write .*/translate/.*No space left on device" --wave=100:300 --out "$disk/out"
umount "$disk/out/translate"

# the FST writer keeps temporary files in /tmp, mapped into memory
mount --bind /tmp /mnt
mount -t tmpfs -o size=16k tmpfs /tmp
for folder in "$PWD" "$build" "${TANDEM_CACHE:-}" "$work"; do # what lies there and is needed shows through
  top=$(cut -d/ -f3 <<<"$folder")
  case $folder in /tmp/*) [ -d "/tmp/$top" ] || { mkdir "/tmp/$top" && mount --bind "/mnt/$top" "/tmp/$top"; } ;; esac
done
refused "temporary files in /tmp: No space left on device" --wave=100:300 --out "$work/out"
