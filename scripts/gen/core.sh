#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# core.sh RTL_FOLDER: prints the FuseSoC core of the blocks, a fileset for each folder. The result is kept in the tree, because FuseSoC takes
# cores from repositories as they are:  bash scripts/gen/core.sh rtl >rtl/tandem.core
set -eu
cd "$1"
cat <<'C'
CAPI=2:
# SPDX-License-Identifier: Apache-2.0
# The blocks for FuseSoC: `fusesoc --cores-root rtl run --target lint tandem:blocks:rtl`. A core of yours depends on them by
# `depend: ["tandem:blocks:rtl"]`. Written by scripts/gen/core.sh.
name: tandem:blocks:rtl:0.1.0
description: Blocks of GPU memory-system proposals (see rtl/README.md)

filesets:
C
sets=
for folder in */; do
  folder=${folder%/}
  files=$(find "$folder" \( -name '*.v' -o -name '*.vh' -o -name '*.sv' -o -name '*.svh' \) | LC_ALL=C sort)
  [ -n "$files" ] || continue
  sets="$sets${sets:+, }$folder"
  printf '  %s:\n    files:\n' "$folder"
  for file in $files; do
    case $file in
      *.vh | *.svh) echo "      - $file: {is_include_file: true}" ;;
      *) echo "      - $file" ;;
    esac
  done
  echo "    file_type: systemVerilogSource"
done
cat <<C

targets:
  default:
    filesets: [$sets]

  # one block at a time: the toplevel may be another
  lint:
    filesets: [$sets]
    toplevel: rr_arb
    default_tool: verilator
    tools:
      verilator:
        mode: lint-only
        verilator_options: [-Wno-fatal, -Wno-MULTITOP, -Wno-DECLFILENAME]
C
