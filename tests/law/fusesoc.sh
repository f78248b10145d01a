#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: foundation
# fusesoc.sh BUILD_DIR: the FuseSoC core of the tree is what scripts/gen/core.sh writes of the files, all of them. Where fusesoc is installed, it resolves the core and lints a block by it.
. tests/kit/shell.sh

bash scripts/gen/core.sh rtl >"$work/wanted"
cmp rtl/tandem.core "$work/wanted" || fail "the core is not that of the files: bash scripts/gen/core.sh rtl >rtl/tandem.core"
# by another way: every file of a folder of blocks, once, and nothing else
sed -n 's/^      - \([^:]*\).*$/rtl\/\1/p' rtl/tandem.core | sort >"$work/listed"
git ls-files 'rtl/*/*.v' 'rtl/*/*.vh' 2>/dev/null | sort >"$work/there" || true
[ ! -s "$work/there" ] || diff "$work/listed" "$work/there" || fail "the core has other files than the tree"
while read -r file; do [ -s "$file" ] || fail "there is no $file"; done <"$work/listed"
[ "$(wc -l <"$work/listed")" -ge 20 ] || fail "only $(wc -l <"$work/listed") files found"
echo "$(wc -l <"$work/listed") files"

# The check can fail: a block more.
cp -r rtl "$work/rtl"
echo 'module more; endmodule' >"$work/rtl/prim/more.v"
bash scripts/gen/core.sh "$work/rtl" >"$work/other"
planted rtl/tandem.core "$work/other" "a block more"

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
