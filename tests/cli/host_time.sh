#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: desk
# host_time.sh BUILD_DIR: `--profile` says where host time goes. The times add up to the processor time that the shell counts for the
# command, but for its start and end, which a run that simulates next to nothing shows; blocks and checkers have their part; statistics
# are those of a run without it.
. tests/kit/shell.sh
# no snapshot: its process is not the run, and the shell counts it
run=(saxpy:n=1048576 --system d2ma --engine 'sm*.d2ma.*=lockstep' --snapshot 0)
simulate plain "${run[@]}"
sum='[.host_time.places[] | .seconds + .checker_seconds] | add'
used() { # used NAME ARGUMENT...: processor time of the run, seconds
  local name=$1
  shift
  TIMEFORMAT='%U %S'
  { time "$tandem" run "$@" --profile --out "$work/$name" >"$work/printed" 2>&1; } 2>"$work/time"
  awk '{ print $1 + $2 }' "$work/time"
}
for threads in 0 1; do
  rm -rf "$work/least" "$work/profile"
  least=$(used least saxpy:n=1024 "${run[@]:1}" --check-threads $threads)
  time=$(used profile "${run[@]}" --check-threads $threads)
  sed -n '/^  "statistics"/,/^  }/p' "$work/profile/run.json" >"$work/profile.statistics"
  same plain profile "with --profile, $threads checker threads"
  around=$(jq --argjson used "$least" "\$used - ($sum)" "$work/least/run.json")
  jq -e --argjson used "$time" --argjson around "$around" "($sum) <= \$used * 1.05 and ($sum) >= (\$used - \$around) * 0.9 - 0.05" "$work/profile/run.json" >/dev/null ||
    fail_showing "$work/printed" "the times do not add up to $time s, of which $around s are start and end"
  jq -e '.host_time.samples > 20 and ([.host_time.places[] | select(.name == "d2ma_ctrl_array" and .seconds > 0 and .checker_seconds > 0)] | length) == 1 and
    ([.host_time.places[] | select(.name == "SMs" and .seconds > 0)] | length) == 1' "$work/profile/run.json" >/dev/null ||
    fail_showing "$work/printed" "SMs or the controllers take no time"
  grep -qE '^d2ma_ctrl_array +[0-9.]+ +[0-9.]+ % +[0-9.]+ +[0-9.]+ +[0-9.]+$' "$work/printed" || fail_showing "$work/printed" "no row of a block"
done

# threads that simulate are looked at, too; without --profile nobody is
simulate two vecadd:n=65536 --profile --threads 2
jq -e '[.host_time.places[] | .checker_seconds] | add == 0' "$work/two/run.json" >/dev/null || fail "a checker where nothing is checked"
jq -e 'has("host_time") | not' "$work/plain/run.json" >/dev/null || fail "looks without --profile"
