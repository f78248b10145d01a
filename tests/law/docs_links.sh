#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# docs_links.sh BUILD_DIR: every relative link of every Markdown file leads to a file, and its anchor to a heading there; no page of
# docs/ is unreachable from README.md.
. tests/kit/shell.sh

# links FILE: one target a line, outside fenced blocks and code spans
links() {
  awk '/^ *```/ { fenced = !fenced; next } !fenced { gsub(/`[^`]*`/, ""); print }' "$1" | grep -oE '\]\([^) ]+\)' | sed 's/^](//; s/)$//' || true
}

# anchors FILE: the anchors of its headings, as GitHub makes them
anchors() {
  awk '/^ *```/ { fenced = !fenced; next } !fenced && /^#+ / { sub(/^#+ /, ""); print }' "$1" |
    tr '[:upper:]' '[:lower:]' | sed "s/[^a-z0-9 _-]//g; s/ /-/g"
}

check() { # check: pages on standard input, one line a violation; the pages reached go to $work/reached
  local page target file anchor
  while read -r page; do
    while read -r target; do
      case $target in http://* | https://*) continue ;; esac
      file=${target%%#*} anchor=
      case $target in *#*) anchor=${target#*#} ;; esac
      if [ -z "$file" ]; then file=$page; else file=$(dirname "$page")/$file; fi
      if [ ! -e "$file" ]; then echo "$page: $target leads nowhere"; continue; fi
      realpath --relative-to=. "$file" >>"$work/reached"
      [ -z "$anchor" ] || anchors "$file" | grep -qxF -e "$anchor" || echo "$page: $target: no such heading"
    done < <(links "$page")
  done
}

: >"$work/reached"
find . -name '*.md' -not -path './build*' -not -path './.git/*' -not -path './tandem-out/*' | sed 's|^\./||' | sort | check | tee "$work/violations"
find docs -name '*.md' | sort >"$work/pages"
comm -23 "$work/pages" <(sort -u "$work/reached") | sed 's/$/: no page links to it/' | tee -a "$work/violations"
[ ! -s "$work/violations" ] || exit 1
n=$(wc -l <"$work/reached")
[ "$n" -ge 50 ] || { echo "only $n links found"; exit 1; }
echo "$n links"

# The check can fail.
mkdir -p "$work/tree"
cp -r README.md docs configs csim dpi rtl scripts testbench tests waves "$work/tree"
cd "$work/tree"
plant() { # plant TEXT: a page with this text is noticed
  printf '%s\n' "$1" >docs/planted.md
  echo docs/planted.md | check | grep -q '^docs/planted.md' || { echo "not noticed: $1"; exit 1; }
}
plant 'see [here](nowhere.md)'
plant 'see [here](glossary.md#no-such-word)'
plant '![picture](../waves/none.png)'
plant '# One heading
see [there](#another-heading)'
