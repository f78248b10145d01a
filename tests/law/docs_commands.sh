#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# docs_commands.sh BUILD_DIR: what README.md, the guide, install.md and the tutorials tell a user to type works. Every line of an `sh` block is executed,
# page by page (docs_hunt.sh has one tutorial of its own), in a scratch folder that looks like the root of the repository; "# exit code N" beside a command is the status that it must
# have. A block that begins with "# parsed only: reason" is only parsed. A block "LANGUAGE FILE" is written to FILE first.
. tests/kit/shell.sh
. tests/kit/pages.sh

page() { # page FILE NAME: everything on one page
  local folder=$work/$2 n
  mkdir "$folder"
  for n in configs csim docs dpi rtl scripts testbench tests waves; do ln -s "$root/$n" "$folder/$n"; done
  ln -s "$build" "$folder/build"
  : >"$folder/commands"
  split "$1" "$folder"
  [ ! -e "$folder/parsed" ] || bash -n "$folder/parsed" || return 1
  (PATH=$build/bin:$PATH execute "$folder") || { echo "in $1"; return 1; }
  echo "$1: $(wc -l <"$folder/commands") commands"
}

for file in README.md docs/guide.md docs/settings.md docs/install.md docs/equality.md docs/detection.md docs/coverage.md docs/divergence.md docs/own-blocks.md docs/events.md docs/correlate.md docs/functional.md docs/performance.md docs/teleport.md docs/ldesc.md docs/caba.md docs/assist-warps.md docs/zorua.md docs/phases.md $(printf "%s\n" docs/tutorials/[a-z]*.md | grep -v /from-a-run); do page "$file" "$(basename "$file" .md)"; done
total=$(cat "$work"/*/commands | grep -vc '^#')
[ "$total" -ge 30 ] || { echo "only $total commands were found"; exit 1; }

# The check can fail: a command with a misspelled option, a wrong exit code.
for line in 'build/bin/tandem check rr_arb --cycels 1' 'build/bin/tandem list engines # exit code 1: none' 'unknown_program'; do
  printf '```sh\n%s\n```\n' "$line" >"$work/planted.md"
  rm -rf "$work/planted"
  if page "$work/planted.md" planted >"$work/planted.log"; then echo "not noticed: $line"; exit 1; fi
done
