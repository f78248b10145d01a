#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# file_circles.sh BUILD_DIR: the files of csim and dpi depend on each other in one direction. A unit is a source with the header of its
# name, or a header by itself. It depends on the units whose headers it includes, and on those that define what its object refers to.
# No unit may depend on itself through others.
. tests/kit/shell.sh

# includes ROOT: lines "UNIT UNIT"
includes() {
  (cd "$1" && { find csim dpi -type f; echo; grep -roHE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[^"]+"' csim dpi --include='*.[ch]' --include='*.cpp'; } | awk '
    function plain(path) { # without ".."
      while (match(path, /[^\/.][^\/]*\/\.\.\//)) path = substr(path, 1, RSTART - 1) substr(path, RSTART + RLENGTH)
      return path
    }
    /^$/ { includes = 1; next }
    !includes { there[$0] = 1; next }
    {
      file = $0; sub(/:.*/, "", file)
      name = $0; sub(/^[^"]*"/, "", name); sub(/"$/, "", name)
      folder = file; sub(/\/[^\/]*$/, "", folder)
      place[1] = plain(folder "/" name); place[2] = plain("csim/" name); place[3] = plain("dpi/" name)
      for (i = 1; i <= 3 && !(place[i] in there); i++) {}
      if (i > 3) next
      sub(/\.[^.\/]*$/, "", file); sub(/\.[a-z]*$/, "", place[i])
      print file, place[i]
    }')
}

# symbols: writes lines "UNIT TYPE NAME" of the objects whose source is there to $work/symbols
symbols() {
  find "$build/CMakeFiles" -name '*.o' -path '*.dir/csim/*' -o -name '*.o' -path '*.dir/dpi/*' | while read -r object; do
    source=${object#*.dir/}
    [ ! -e "${source%.o}" ] || echo "$object" # an older build leaves objects of files that have moved
  done >"$work/objects"
  { xargs nm -A --defined-only --extern-only <"$work/objects"; xargs nm -A -u <"$work/objects"; } |
    sed 's/^.*\.dir\///; s/\.[a-z]*\.o:/ /' | awk '{ print $1, $(NF - 1), $NF }' >"$work/symbols"
}

# calls: of symbols on standard input, lines "UNIT UNIT"
calls() {
  awk '$2 == "U" { want[$1, $3] = 1; next } { home[$3] = $1 }
       END { for (key in want) { split(key, k, SUBSEP); if (k[2] in home && home[k[2]] != k[1]) print k[1], home[k[2]] } }'
}

# circle: of edges on standard input; prints the units of one, and succeeds, if there is any
circle() {
  sort -u | awk '$1 != $2' | tsort 2>&1 >/dev/null | sed -n 's/^tsort: \([^-].*\)$/\1/p' | grep .
}

symbols
includes . >"$work/includes"
[ "$(wc -l <"$work/includes")" -gt 500 ] || fail "only $(wc -l <"$work/includes") includes found"
calls <"$work/symbols" >"$work/calls"
[ "$(wc -l <"$work/calls")" -gt 500 ] || fail "only $(wc -l <"$work/calls") calls between files found"
if cat "$work/includes" "$work/calls" | circle >"$work/circle"; then
  fail "these files depend on each other in a circle: $(tr '\n' ' ' <"$work/circle")"
fi
echo "$(cat "$work/includes" "$work/calls" | sort -u | wc -l) arrows between files, no circle"

# The check can fail: an include and a call that close a circle.
mkdir "$work/tree"
cp -r csim dpi "$work/tree"
echo '#include "core/sm.h"' >>"$work/tree/csim/core/cache.c"
{ includes "$work/tree"; cat "$work/calls"; } | circle >/dev/null || fail "core/cache.c includes core/sm.h, and that was not noticed"
{ cat "$work/symbols"; echo "csim/core/cache U sm_create"; } | calls | cat - "$work/includes" | circle >/dev/null ||
  fail "core/cache.c calls sm_create, and that was not noticed"
