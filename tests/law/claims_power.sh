#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: area
# label: nightly
# timeout: 1200
# claims_power.sh BUILD_DIR: the claims files as they are, power included, which compiles netlists and replays recorded runs on
# them: every claim has a verdict, the rows of power have figures, and a second call gives the same bytes from the cache. Of the
# systems without a row of power the quick form, which leaves claims out.
set -eu
tandem=$(cd "$1" && pwd)/bin/tandem
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for file in configs/claims/*.yaml; do
  system=$(basename "$file" .yaml)
  form=()
  grep -q 'power=' "$file" || form=(--quick)
  "$tandem" claims "$system" --seeds 2 "${form[@]}" --runs "$work/runs" >"$work/table" || { echo "claims $system fails"; exit 1; }
  cat "$work/table"
  claims=$(grep -cE '^  - (\{ *)?id:' "$file")
  verdicts=$(grep -cE ' (reproduced|direction only|not reproduced|cannot hold|stale) +[a-z]' "$work/table")
  [ "$claims" = "$verdicts" ] || [ "${form[*]}" ] || { echo "$file: $claims claims, $verdicts verdicts"; exit 1; }
  "$tandem" claims "$system" --seeds 2 "${form[@]}" --runs "$work/runs" >"$work/again"
  cmp "$work/table" "$work/again" || { echo "claims $system: other bytes the second time"; exit 1; }
done
# a design's power is of a run of the file and of one instance
export TANDEM_CONFIG_DIR=$work/configs
cp -r configs "$work/configs"
refused() { # WORD SENTENCE
  sed "s/^  agen: d2ma_agen .*/  agen: d2ma_agen $1/" configs/claims/d2ma.yaml >"$work/configs/claims/d2ma.yaml"
  status=0
  "$tandem" claims d2ma --seeds 2 --runs "$work/runs" >/dev/null 2>"$work/stderr" || status=$?
  [ $status = 2 ] && grep -q -- "$2" "$work/stderr" || { cat "$work/stderr"; echo "exit $status for $1"; exit 1; }
}
refused power=nobody:sm0.d2ma.agen 'there is no such run'
refused power=saxpy_d2ma 'write power=RUN:INSTANCE'
refused scale=45 'has no figure "power'
