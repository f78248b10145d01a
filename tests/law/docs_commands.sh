#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# docs_commands.sh BUILD_DIR: what README.md, the guide and the tutorials tell a user to type works. Every line of an `sh` block is executed,
# page by page, in a scratch folder that looks like the root of the repository; "# exit code N" beside a command is the status that it must
# have. A block that begins with "# parsed only: reason" is only parsed. A block "LANGUAGE FILE" is written to FILE first.
. tests/kit/shell.sh

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

page() { # page FILE NAME: everything on one page
  local folder=$work/$2 n
  mkdir "$folder"
  for n in configs csim dpi rtl scripts testbench waves; do ln -s "$root/$n" "$folder/$n"; done
  ln -s "$build" "$folder/build"
  : >"$folder/commands"
  split "$1" "$folder"
  [ ! -e "$folder/parsed" ] || bash -n "$folder/parsed" || return 1
  (PATH=$build/bin:$PATH execute "$folder") || { echo "in $1"; return 1; }
  echo "$1: $(wc -l <"$folder/commands") commands"
}

for file in README.md docs/guide.md docs/tutorials/[a-z]*.md; do page "$file" "$(basename "$file" .md)"; done
total=$(cat "$work"/*/commands | grep -vc '^#')
[ "$total" -ge 30 ] || { echo "only $total commands were found"; exit 1; }

# The check can fail: a command with a misspelled option, a wrong exit code.
for line in 'build/bin/tandem check rr_arb --cycels 1' 'build/bin/tandem list engines # exit code 1: none' 'unknown_program'; do
  printf '```sh\n%s\n```\n' "$line" >"$work/planted.md"
  rm -rf "$work/planted"
  if page "$work/planted.md" planted >"$work/planted.log"; then echo "not noticed: $line"; exit 1; fi
done
