#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: foundation
# rtl_keys.sh BUILD_DIR: the key of a verilated block holds every file that Verilator reads for it, and no edit elsewhere: a cell's edit
# verilates the blocks that have the cell and no others. An edit is answered within seconds, and the answer says how many.
. tests/kit/shell.sh
. tests/kit/elaborate.sh
verilate=$build/bin/tandem-verilate

# what Verilator itself reads
for block in $(sed -n 's/^set(TANDEM_BLOCKS \(.*\))$/\1/p' "$build/generated/blocks.cmake" | tr ';' ' '); do
  "$verilate" --files "$block" | sort >"$work/ours"
  file=$(head -1 < <("$verilate" --files "$block"))
  rm -rf "$work/xml"
  must "$verilator" --xml-only --Mdir "$work/xml" -Wno-fatal -Wno-lint -Wno-style -y "$(dirname "$file")" -y rtl/prim -Irtl/include --top-module "$block" "$file"
  grep -oE '<file [^>]*filename="[^"<]*"' "$work"/xml/*.xml | sed 's/.*filename="//; s/"$//' | grep '\.vh\?$' | xargs realpath | sort -u >"$work/theirs"
  grep -qx "$file" "$work/theirs" || fail "Verilator's list of $block is not understood: $(cat "$work/theirs")"
  missing=$(comm -13 "$work/ours" "$work/theirs")
  [ -z "$missing" ] || fail "the key of $block lacks $missing"
done
! "$verilate" --files rr_arb | grep -q lfsr.v || fail "rr_arb has no lfsr"

# edits, in a copy; where there are no tools, a model serves or is not there
mkdir "$work/data"
for folder in configs dpi scripts generated testbench; do ln -s "$build/share/tandem/$folder" "$work/data/$folder"; done
cp -rL rtl "$work/data/rtl"
# whole models alone: a row beside this one may be making others
mkdir "$work/cache"
(cd "$build" && { find rtl -path '*.tmp.*' -prune -o -name '*.so' -print0 2>/dev/null || true; } | tar c --null -T -) | tar x -C "$work/cache"
export TANDEM_DATA_DIR=$work/data TANDEM_CACHE=$work/cache
path_of "$work/bare" sh env
serves() { must env PATH="$work/bare" "$tandem" check "$1" --cycles 1000 --out "$work/out"; }
serves hold_grant_alloc
echo '// an edit' >>"$work/data/rtl/prim/lfsr.v"
echo 'an edit' >>"$work/data/rtl/prim/README.md"
serves rr_arb
serves d2ma_agen
refused "not verilated yet" env PATH="$work/bare" "$tandem" check lfsr --cycles 1000
refused "not verilated yet" env PATH="$work/bare" "$tandem" check hold_grant_alloc --cycles 1000 # it has an lfsr
must "$tandem" check lfsr --cycles 1000 --json --out "$work/out"
grep -q 'verilated lfsr in' "$work/log" || fail_showing "$work/log" "nobody says that lfsr is verilated"
grep -q '"verilating_seconds": 0\.0*[^0]\|"verilating_seconds": [1-9]' "$work/log" || fail_showing "$work/log" "the report does not say how long it took"
must "$tandem" check lfsr --cycles 1000 --json --out "$work/out"
grep -q '"verilating_seconds": 0.0$' "$work/log" || fail_showing "$work/log" "a model that is there costs time"
echo "keys of $(ls -d "$build"/generated/*_socket.sv | wc -l) sockets"
