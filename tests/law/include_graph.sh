#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# include_graph.sh BUILD_DIR: includes point down only. cli -> desk, experiment, claims -> measure -> synth -> cuda -> gpu -> systems ->
# core -> mem, noc, dram, ptx -> block models -> base. dpi knows block models and base; cuda and what is above it know dpi.
set -eu
build=$1
families=$(sed -n 's/^set([a-z0-9_]*_FAMILY \(.*\))$/\1/p' "$build/generated/blocks.cmake" | sort -u | tr '\n' ' ')
[ -n "$families" ] || { echo "no families in $build/generated/blocks.cmake"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# graph ROOT: one line a violation
graph() {
  (cd "$1" && find csim dpi -name '*.[ch]' -o -name '*.cpp' -o -name '*.inc' | sort | sed 's/^/FILE /' &&
    grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' csim dpi --include='*.[ch]' --include='*.cpp' --include='*.inc') |
    awk -v families="$families" '
      function arrows(from, to,   i, n, list) { n = split(to, list, " "); for (i = 1; i <= n; i++) may[from, list[i]] = 1; known[from] = 1 }
      BEGIN {
        n = split(families, f, " ")
        for (i = 1; i <= n; i++) if (f[i] !~ /^(mem|noc|dram|ptx|core|gpu|cuda|desk|cli)$/) family[f[i]] = 1
        lower = "base block"; arrows("base", "base"); arrows("block", lower)
        arrows("ptx", lower " ptx")
        memory = "mem noc dram"  # one level and one library
        arrows("mem", lower " " memory); arrows("noc", lower " " memory); arrows("dram", lower " " memory)
        lower = lower " ptx " memory " core"; arrows("core", lower)
        lower = lower " systems"; arrows("systems", lower)
        lower = lower " gpu"; arrows("gpu", lower)
        arrows("dpi", "base block dpi")
        lower = lower " dpi cuda"; arrows("cuda", lower)
        arrows("desk", lower " desk"); arrows("synth", lower " synth"); arrows("measure", lower " synth measure")
        arrows("experiment", lower " synth measure experiment"); arrows("claims", lower " synth measure claims")
        arrows("cli", lower " desk synth measure experiment claims cli")
      }
      # the layer of a path below the root
      function layer(path,   part) {
        split(path, part, "/")
        if (part[1] == "dpi") return "dpi"
        return part[2] in family ? "block" : part[2]
      }
      $1 == "FILE" { exists[$2] = 1; next }
      {
        split($0, at, ":"); file = at[1]
        name = $0; sub(/^[^"]*"/, "", name); sub(/".*$/, "", name)
        folder = file; sub(/\/[^\/]*$/, "", folder)
        from = layer(file)
        if (folder "/" name in exists) to = from
        else if ("csim/" name in exists) to = layer("csim/" name)
        else if ("dpi/" name in exists) to = "dpi"
        else if ("csim/cuda/include/" name in exists) to = "cuda"
        else if (name ~ /^[a-z0-9_]+_(ports\.h|model\.inc)$/) to = "block"   # generated from the manifest
        else if (name ~ /^[a-z0-9_]+_probe\.h$/) to = "base"                 # generated; no behaviour
        else if (name ~ /^verilated[a-z_]*\.h$/) to = "verilator"
        else { print file ":" at[2] ": cannot place \"" name "\"; write it from csim/ down"; next }
        if (to == "verilator") { if (file != "dpi/verilator_shim.cpp") print file ":" at[2] ": \"" name "\" is for the Verilator shim alone"; next }
        if (!(from in known)) { print file ":" at[2] ": tests/law/include_graph.sh does not know the folder of this file"; known[from] = 1; next }
        if (!((from, to) in may)) print file ":" at[2] ": " from " includes \"" name "\" of " to ", which lies above or beside it"
        edges++
      }
      END { if (edges < 10) print "only " edges + 0 " includes found" }'
}

graph . | tee "$work/violations"
[ -s "$work/violations" ] && exit 1
echo "$(grep -rcE '^#include "' csim dpi | awk -F: '{ n += $2 } END { print n }') includes point down"

# The check can fail: each of these arrows is found in a copy of the tree.
mkdir "$work/tree"
cp -r csim dpi "$work/tree"
plant() { # plant FILE INCLUDE
  cp "$work/tree/$1" "$work/kept"
  printf '#include "%s"\n' "$2" >>"$work/tree/$1"
  graph "$work/tree" | grep -q "^$1:.*\"$2\"" || { echo "$1 includes $2, and that was not noticed"; exit 1; }
  cp "$work/kept" "$work/tree/$1"
}
plant csim/base/block.h core/sm.h
plant csim/base/block.c seam.h
plant csim/core/sm.c gpu/gpu.h
plant csim/core/sm.c dpi.h
plant csim/mem/l2_slice.c core/sm.h
plant csim/noc/crossbar.c ptx/ptx.h
plant csim/cuda/session.c desk/mutants.h
plant dpi/seam.c core/sm.h
plant dpi/seam.c verilated.h
plant csim/prim/rr_arb.c noc/network.h
