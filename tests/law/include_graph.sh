#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# include_graph.sh BUILD_DIR: includes point down only. cli -> experiment, claims, bench -> measure -> synth, blocktest, study, report -> cuda (cudart above it) ->
# run -> gpu -> systems -> core -> mem -> noc, dram, ptx -> device, config -> block models -> block -> base. dpi knows block models and
# what is below them; run and what is above it know dpi.
. tests/kit/shell.sh

# graph ROOT: one line a violation
graph() {
  (cd "$1" && find csim dpi -name '*.[ch]' -o -name '*.cpp' -o -name '*.inc' -o -name '*.def' | sort | sed 's/^/FILE /' &&
    grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' csim dpi --include='*.[ch]' --include='*.cpp' --include='*.inc' --include='*.def') |
    awk '
      function arrows(from, to,   i, n, list) { n = split(to, list, " "); for (i = 1; i <= n; i++) may[from, list[i]] = 1; known[from] = 1 }
      BEGIN {
        arrows("base", "base")
        arrows("block", "base block"); arrows("blocks", "base block blocks")
        arrows("config", "base config"); arrows("device", "base device")
        arrows("netlist", "base netlist")
        arrows("dpi", "base block blocks netlist dpi")
        arrows("ptx", "base device ptx")
        lower = "base block blocks config device"
        arrows("noc", lower " noc"); arrows("dram", lower " dram"); arrows("mem", lower " noc dram mem")
        lower = lower " noc dram mem ptx core"; arrows("core", lower)
        lower = lower " systems"; arrows("systems", lower)
        lower = lower " gpu"; arrows("gpu", lower)
        lower = lower " dpi run"; arrows("run", lower)
        arrows("cuda", lower " cuda"); arrows("cudart", "cuda cudart") # the runtime knows the public header of the driver
        arrows("blocktest", "base block blocks dpi blocktest"); arrows("report", lower " report")
        arrows("study", "base block blocks config device noc dram mem study")
        arrows("bench", lower " blocktest study bench"); arrows("synth", lower " synth"); arrows("measure", lower " synth measure")
        arrows("experiment", lower " synth measure experiment"); arrows("claims", lower " synth measure claims")
        arrows("cli", lower " blocktest study bench report synth measure experiment claims cli")
      }
      # the layer of a path below the root
      function layer(path,   part) {
        split(path, part, "/")
        if (part[1] == "dpi") return "dpi"
        return part[2]
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
        else if (name ~ /^[a-z0-9_]+_(ports\.h|model\.inc)$/) to = "blocks"  # generated from the manifest
        else if (name ~ /^[a-z0-9_]+_probe\.h$/) to = "block"                # generated; no behaviour
        else if (name ~ /^(verilated|Vtandem_)[a-z_]*\.h$/) to = "verilator"
        else { print file ":" at[2] ": cannot place \"" name "\"; write it from csim/ down"; next }
        if (to == "verilator") { if (file !~ /^dpi\/(verilator_shim|verilator_coverage|netlist_replay)\.cpp$/) print file ":" at[2] ": \"" name "\" is for the C++ files of dpi alone"; next }
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
plant csim/block/block.h core/sm.h
plant csim/block/block.c runtime.h
plant csim/core/sm.c gpu/gpu.h
plant csim/core/sm.c dpi.h
plant csim/mem/l2_slice.c core/sm.h
plant csim/noc/crossbar.c ptx/ptx.h
plant csim/run/session.c cuda/api.h
plant dpi/seam.c core/sm.h
plant dpi/seam.c verilated.h
plant csim/blocks/prim/rr_arb.c noc/network.h
