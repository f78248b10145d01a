#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: area
# label: nightly
# claims_power.sh BUILD_DIR: the claims files as they are, power included, which compiles netlists and replays recorded runs on
# them. Every claim has a verdict, every claim about power has a figure, and a second call gives the same bytes from the cache.
# A proposal without claims about power is measured in the quick form, which leaves claims out.
. tests/kit/shell.sh
for file in configs/claims/*.yaml; do
  system=$(basename "$file" .yaml)
  form=()
  grep -q 'power=' "$file" || form=(--quick)
  "$tandem" claims "$system" --seeds 2 "${form[@]}" --runs "$work/runs" >"$work/table" || fail "claims $system fails"
  cat "$work/table"
  claims=$(sed -n '/^claims:/,$p' "$file" | grep -cE '^  - (\{ *)?id:')
  verdicts=$(grep -cE ' (reproduced|direction only|not reproduced|undetermined: [a-z ]+|cannot hold|not tested|parameter|stale) +[a-z]' "$work/table")
  [ "$claims" = "$verdicts" ] || [ "${form[*]}" ] || fail "$file: $claims claims, $verdicts verdicts"
  "$tandem" claims "$system" --seeds 2 "${form[@]}" --runs "$work/runs" >"$work/again"
  cmp "$work/table" "$work/again" || fail "claims $system: other bytes the second time"
done
# the power of a design is that of one run of the file and of one instance
export TANDEM_CONFIG_DIR=$work/configs
cp -r configs "$work/configs"
agen() { # agen SENTENCE WORD: the design agen with WORD is refused
  sed "s/^  agen: d2ma_agen .*/  agen: d2ma_agen $2/" configs/claims/d2ma.yaml >"$work/configs/claims/d2ma.yaml"
  refused "$1" "$tandem" claims d2ma --seeds 2 --runs "$work/runs"
}
agen 'there is no such run' power=nobody:sm0.d2ma.agen
agen 'write power=RUN:INSTANCE' power=saxpy_d2ma
agen 'has no figure "power' scale=45
