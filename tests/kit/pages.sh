#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# rows: elsewhere
# The commands of a documentation page, for tests that source tests/kit/shell.sh first.

# split PAGE FOLDER: the `sh` blocks as FOLDER/commands, one command a line; files of the page into FOLDER
split() {
  awk -v folder="$2" '
    /^```sh$/ { sh = 1; first = 1; next }
    /^```[a-z]+ [^ \/]+$/ { file = folder "/" $2; next }
    /^```/ { if (file) close(file); sh = 0; parsed = 0; file = ""; next }
    file { print >file }
    sh && first { first = 0; if (/^# parsed only: ./) { parsed = 1; next } }
    sh && parsed { print >(folder "/parsed"); next }
    sh && /\\$/ { sub(/\\$/, ""); printf "%s", $0 >(folder "/commands"); next }
    sh && NF { print >(folder "/commands") }' "$1"
}

execute() { # execute FOLDER: every command of the folder, in one shell
  local line wanted status
  cd "$1"
  while read -r line; do
    wanted=0 status=0
    [[ $line =~ \#\ exit\ code\ ([0-9]+): ]] && wanted=${BASH_REMATCH[1]}
    eval "$line" >"$work/log" 2>&1 </dev/null || status=$?
    if [ $status != "$wanted" ]; then
      cat "$work/log"
      echo "exit $status instead of $wanted: $line"
      return 1
    fi
  done <commands
}
