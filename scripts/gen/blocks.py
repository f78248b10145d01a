# SPDX-License-Identifier: Apache-2.0
"""Generates everything that follows from the manifest: blocks.py MANIFEST OUT_DIR.

For a block B: B_ports.h, B_model.inc, B_desc.c, B_socket.sv, B_replay.v; for a probe P: P_probe.h, P_probe.c,
P_socket.sv; for all: block_all.c, block_drivers.c, block_covers.c, blocks.cmake, blocks.md. B_entry.json is the block's row and those of its parts: what a certificate of B
covers of the manifest (tests/kit/certificates.sh).
"""

import glob
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import emit_c  # noqa: E402
import emit_sv  # noqa: E402
import manifest  # noqa: E402
import reserved  # noqa: E402


def write(directory, name, text):
    """Writes only what changed, so that nothing downstream is rebuilt in vain."""
    path = os.path.join(directory, name)
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            if f.read() == text:
                return
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def rtl_files(block, root):
    """The block's RTL and every module that it may be made of: a file of `prim` or of its family whose name one of them says."""
    known = {os.path.basename(path)[:-2]: path for folder in ("prim", block.family) for path in glob.glob(os.path.join(root, "rtl", folder, "*.v"))}
    found, new = set(), [block.name]
    while new:
        name = new.pop()
        if name not in found:
            found.add(name)
            with open(known[name], encoding="utf-8") as f:
                new += set(re.findall(r"\w+", f.read())) & set(known)
    return sorted(os.path.relpath(known[name], root) for name in found)


def entry(block, rows):
    """The rows of the block and of its parts, which a composite is made of."""
    return json.dumps({b.name: rows[b.name] for b in (block, *block.parts.values())}, indent=1, default=str) + "\n"


def cmake(blocks, probes, root):
    lines = ["# generated from the manifest", f"set(TANDEM_BLOCKS {' '.join(b.name for b in blocks)})",
             f"set(TANDEM_PROBES {' '.join(p.name for p in probes)})"]
    for b in blocks:
        lines.append(f"set({b.name}_FAMILY {b.family})")
        sets = [",".join(f"{p}={v}" for p, v in s.items()) for s in b.sets]
        lines.append(f"set({b.name}_SETS {' '.join(sets)})")
        lines.append(f"set({b.name}_PARTS {' '.join(dict.fromkeys(part.name for part in b.parts.values()))})")
        lines.append(f"set({b.name}_RTL {' '.join(rtl_files(b, root))})")
        lines.append(f"set({b.name}_BUGS {' '.join(m['name'] for m in b.mutants)})")
    return "\n".join(lines) + "\n"


def reference(blocks):
    """The reference page: one section a block, from the same words as everything else."""
    lines = ["# Blocks", ""]
    for b in blocks:
        lines += [f"## {b.name}", "", f"{b.brief} ({b.source}).", "", "| parameter | default | max |", "|---|---|---|"]
        lines += [f"| {p} | {v} | {b.max[p]} |" for p, v in b.params.items()]
        if b.parts:
            lines += ["", "Made of " + ", ".join(f"{part} ({p.name})" for part, p in b.parts.items()) + "."]
        lines += ["", "| port | | width | |", "|---|---|---|---|"]
        for direction, fields in (("in", b.inputs), ("out", b.outputs)):
            lines += [f"| {f.name} | {direction} | {f.width.text} | {f.brief}{' (late)' if f.late else ''} |"
                      for f in fields]
        lines += ["", "Laws: " + "; ".join(b.laws) + ".", ""]
    return "\n".join(lines)


def check_files(blocks, root):
    """A row whose RTL, model or driver is not written yet would end in a message of the linker, and so would a name that is taken."""
    for b in blocks:
        reserved.check(b)
        for file, what in ((f"rtl/{b.family}/{b.name}.v", "the RTL"), (f"csim/blocks/{b.family}/{b.name}.c", "the C model"),
                           (f"testbench/{b.family}/{b.name}_drive.c", "the random stimulus")):
            if not os.path.exists(os.path.join(root, file)):
                raise manifest.ManifestError(f"{b.where()}: there is no {file}; write {what}, or take the row out until it is written")


def has_points(b, root):
    return os.path.exists(os.path.join(root, f"testbench/{b.family}/{b.name}_cover.c"))


def main():
    if len(sys.argv) != 3 or sys.argv[1].startswith("-"):
        print(__doc__)
        sys.exit(0 if "--help" in sys.argv else 2)
    try:
        blocks, probes = manifest.load(sys.argv[1])
        root = os.path.dirname(os.path.dirname(os.path.abspath(sys.argv[1])))
        check_files(blocks, root)
    except manifest.ManifestError as problem:
        manifest.fail(problem)
    out = sys.argv[2]
    os.makedirs(out, exist_ok=True)
    rows = manifest.rows(sys.argv[1])
    for b in blocks:
        write(out, f"{b.name}_entry.json", entry(b, rows))
        write(out, f"{b.name}_ports.h", emit_c.ports_h(b))
        write(out, f"{b.name}_model.inc", emit_c.model_inc(b))
        write(out, f"{b.name}_desc.c", emit_c.desc_c(b))
        write(out, f"{b.name}_socket.sv", emit_sv.socket(b))
        write(out, f"{b.name}_replay.v", emit_sv.replay(b))
    for p in probes:
        write(out, f"{p.name}_probe.h", emit_c.probe_h(p))
        write(out, f"{p.name}_probe.c", emit_c.probe_c(p))
        write(out, f"{p.name}_socket.sv", emit_sv.probe_socket(p))
    write(out, "block_all.c", emit_c.block_all(blocks, probes))
    write(out, "block_drivers.c", emit_c.block_drivers(blocks))
    write(out, "block_covers.c", emit_c.block_covers([b for b in blocks if has_points(b, root)]))
    write(out, "blocks.cmake", cmake(blocks, probes, root))
    write(out, "blocks.md", reference(blocks))


if __name__ == "__main__":
    main()
