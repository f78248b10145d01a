#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# help.sh BUILD_DIR: every command explains itself, and the example that ends its help works as it stands.
. tests/kit/shell.sh
PATH=$build/bin:$PATH

tandem --help >"$work/usage" || fail "tandem --help fails"
[ "$(tandem --version)" ] || fail "tandem --version prints nothing"
commands=$(sed -n 's/^  \([a-z-]*\)  *[a-z].*/\1/p' "$work/usage" | grep -vx tandem)
for command in run check drive replay list wave bench; do
  echo "$commands" | grep -qx "$command" || fail "tandem --help does not name $command"
done
for command in $commands; do
  tandem "$command" --help >"$work/help" 2>"$work/stderr" || fail "tandem $command --help fails"
  [ ! -s "$work/stderr" ] || fail "tandem $command --help prints on stderr"
  head -1 "$work/help" | grep -q "^usage: tandem $command" || fail "tandem $command --help does not begin with its usage"
  [ "$(tail -2 "$work/help" | head -1)" = "example:" ] || fail "tandem $command --help does not end in an example"
  # folders of the examples are moved, so that two test runs do not meet
  example=$(tail -1 "$work/help" | sed "s|/tmp/|$work/|g")
  case $command in bench | claims) continue ;; esac # minutes; see bench.sh, claims.sh
  status=0
  (cd "$work" && bash -c "$example") >"$work/log" 2>&1 || status=$?
  # a planted bug has to be found: that check fails, as asked
  wanted=0
  case $example in *--bug*) wanted=1 ;; esac
  [ $status = $wanted ] || fail_showing "$work/log" "exit $status from the example: $example"
  echo "$command: $example"
done
