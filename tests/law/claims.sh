#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: area
# claims.sh BUILD_DIR: every claims file that the project ships is measured from the quick forms of its experiments and from
# netlists, each claim has a verdict that changes with the published number, and what it stands on are the certificates of this
# build's gate (B.cosim, B.prove). Rows of power are left out here: compiling the netlists takes minutes from an empty cache
# (claims_power.sh, nightly).
. tests/kit/shell.sh
export TANDEM_CONFIG_DIR=$work/configs
cp -r configs "$work/configs"
for file in configs/claims/*.yaml; do
  sed 's/ power=[^ }]*//' "$file" | awk 'BEGIN { RS = ""; ORS = "\n\n" } !/measure:[^\n]*[.]power[.]/' >"$work/$file"
done
judge() { # judge SYSTEM OPTION...
  "$tandem" claims "$1" --seeds 2 --quick --runs "$build/experiment-runs" "${@:2}"
}
for file in "$work"/configs/claims/*.yaml; do
  system=$(basename "$file" .yaml)
  judge "$system" --html "$work/$system.html" >"$work/table" || fail "claims $system fails"
  cat "$work/table"
  judge "$system" --json >"$work/verdicts.json"
  claims=$(jq '.[0].claims | length' "$work/verdicts.json")
  verdicts=$(grep -cE ' (reproduced|direction only|not reproduced|undetermined: [a-z ]+|cannot hold|not tested|parameter|stale) +[a-z]' "$work/table" || true)
  [ "$claims" -gt 0 ] && [ "$claims" = "$verdicts" ] || fail "$file: $claims claims, $verdicts verdicts"
  # no row stands by itself: what is reproduced is not when published or measured number is three times or a third of what it
  # is. A bound holds on one side: it does not at both a million times and a millionth.
  jq -r '.[0].claims[] | select(.verdict == "reproduced") | "\(.id) \(if .published | test("^[<>]") then "bound" else "number" end)"' \
    "$work/verdicts.json" | sort >"$work/was"
  reproduced() { # reproduced OPTION FACTOR: the rows that are with it
    judge "$system" "$1" "$2" --json |
      jq -r '.[0].claims[] | select(.verdict == "reproduced" and (.arithmetic | not)) | .id' | sort
  }
  for side in --scale --scale-measured; do
    for x in 3 0.3333333333; do
      kept=$(grep ' number$' "$work/was" | cut -d' ' -f1 | comm -12 - <(reproduced $side $x))
      [ -z "$kept" ] || fail "$system: reproduced with $side $x as well: $kept"
    done
  done
  kept=$(comm -12 <(reproduced --scale 1e6) <(reproduced --scale 1e-6) | comm -12 - <(grep ' bound$' "$work/was" | cut -d' ' -f1))
  [ -z "$kept" ] || fail "$system: bounds that hold at a million times and at a millionth: $kept"
  [ "$(grep -c 'class="v v[0-7]">[^<]*</span></td></tr>' "$work/$system.html")" = "$claims" ] || fail "the page lacks a claim"
done
judge all | grep -q '^d2ma ' || fail "the list of systems lacks d2ma"
# rows of other experiments are left out, and the page names them
judge caba --experiments caba_bandwidth,caba_caches --json --page "$work/caba.md" >"$work/part.json"
for row in sizes_hit plain_ray sizes_share example; do # of two experiments, from the text
  jq -e --arg id $row '.[0].claims | any(.id == $id)' "$work/part.json" >/dev/null || fail "--experiments leaves out $row"
done
jq -e '.[0].claims | any(.id == "speed") | not' "$work/part.json" >/dev/null || fail "--experiments keeps what another experiment measures"
jq -e '.[0].claims | any(.id == "decoder") | not' "$work/part.json" >/dev/null || fail "--experiments keeps what a netlist measures"
sed -n '/^## What was not run/,/^## Why/p' "$work/caba.md" | grep -q "^| .speed.: .* | 41.7 per cent |$" || fail "the page does not say what was not run"
sed -n '/^## What was not run/,/^## Why/p' "$work/caba.md" | grep -q "sizes_hit" && fail "the page calls what was run not run"
refused "its experiments do not include 'caba,zorua'" "$tandem" claims caba --experiments caba,zorua
refused 'name one proposal' "$tandem" claims all --experiments caba
