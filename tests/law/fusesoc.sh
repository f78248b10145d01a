#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: foundation
# fusesoc.sh BUILD_DIR: the FuseSoC core has every file of the blocks, in the fileset of its folder, and no other, and its targets take all
# filesets. Where fusesoc is installed, it resolves the core and lints a block by it.
. tests/kit/shell.sh

check() { # check ROOT: one line a violation
  (
    cd "$1/rtl"
    awk '/^filesets:/ { on = 1; next } /^[a-z]/ { on = 0 } on && /^  [a-z0-9]+:$/ { set = $1; sub(/:/, "", set) }
      on && /^      - / { file = $2; sub(/:.*/, "", file); print set, file }' tandem.core | sort >"$work/listed"
    find . -mindepth 2 \( -name '*.v' -o -name '*.vh' -o -name '*.sv' -o -name '*.svh' \) | sed 's|^\./||' |
      awk -F/ '{ print $1, $0 }' | sort >"$work/there"
    diff "$work/listed" "$work/there" | sed -n 's/^< \(.*\)/the core lists \1, which is not there/p; s/^> [^ ]* \(.*\)/the core lacks \1/p'
    sets=$(cut -d' ' -f1 "$work/there" | uniq | tr '\n' ' ')
    sed -n 's/^    filesets: \[\(.*\)\]$/\1/p' tandem.core | while read -r line; do
      [ "$(tr ',' '\n' <<<"$line" | tr -d ' ' | sort | tr '\n' ' ')" = "$sets" ] || echo "a target takes $line, not $sets"
    done
  )
}
check . | tee "$work/violations"
[ ! -s "$work/violations" ] || exit 1
[ "$(wc -l <"$work/listed")" -ge 20 ] || fail "only $(wc -l <"$work/listed") files found"
echo "$(wc -l <"$work/listed") files"

# The check can fail.
mkdir "$work/tree"
cp -r rtl "$work/tree/rtl"
for edit in '/rr_arb.v/d' 's|prim/lfsr.v|prim/lsfr.v|' 's/, xmem\]/]/'; do
  sed "$edit" rtl/tandem.core >"$work/tree/rtl/tandem.core"
  planted rtl/tandem.core "$work/tree/rtl/tandem.core" "$edit"
  check "$work/tree" | grep -q . || fail "not noticed: $edit"
done

if ! command -v fusesoc >/dev/null; then
  echo "fusesoc is not installed (pip install fusesoc): the lists alone were checked"
  exit 0
fi
export HOME=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work XDG_CACHE_HOME=$work
mkdir "$work/fusesoc"
root=$PWD
cd "$work/fusesoc"
for block in rr_arb hold_grant_alloc d2ma_agen; do
  must fusesoc --cores-root "$root/rtl" run --build-root "$work/fusesoc/$block" --target lint tandem:blocks:rtl
done
echo "fusesoc lints by the core"
