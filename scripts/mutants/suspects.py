# SPDX-License-Identifier: Apache-2.0
"""Where do the suspects of a divergence stand that a random mutant is among?

suspects.py BUILD_DIR WORK N BLOCK...

Makes N random mutants of each block (`tandem mutants BLOCK --random N --suspects`). Of each that lockstep notices it looks at the suspects
of the page. What is wrong is worked out apart from the page: the signal that the mutated gate drives, or the first named ones behind
it; the signals and registers that read those are their direct fan-out. Prints a line for each mutant: the ranks of the first suspect that
is the signal or in its fan-out, and of the signal itself; at the end the shares, also with the suspects in reverse order: a ranking
that knows nothing."""

import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "gen")]

import make  # noqa: E402
from suspects_logic import Logic, print_shares, rank  # noqa: E402


def mutants(block, count, build, work):
    """The report and its folder."""
    out = os.path.join(work, block)
    command = [os.path.join(build, "bin", "tandem"), "mutants", block, "--random", str(count), "--suspects", "--json", "--out", out]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):  # 1: there are survivors
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}")
    return json.loads(done.stdout), out


def original(out):
    """The block without mutants, flat; names of its cells are those of the list of mutants with the instances before them."""
    path = os.path.join(out, "original.json")
    make.yosys(f"read_rtlil {os.path.join(out, 'plain.il')}; flatten; write_json {path}\n".replace("; ", "\n"), out, "original")
    with open(path, encoding="utf-8") as file:
        modules = json.load(file)["modules"]
    return Logic(next(iter(modules.values())))


def mutated(logic, words):
    """(signals, fan-out): what the mutated gate drives; of a changed output that bit, of a changed input all outputs, of a changed
    write the memory."""
    name, port, bit = make.value(words, "-cell").lstrip("\\"), make.value(words, "-port"), int(make.value(words, "-portbit"))
    bits, memories = [], set()
    for net_name, net in logic.module["netnames"].items():  # a port of an instance, which is a net now
        if net_name == f"{name}.{port}" or net_name.endswith(f".{name}.{port}"):
            bits += net["bits"][bit:bit + 1]
    for cell_name, cell in logic.module["cells"].items():
        if cell_name != name and not cell_name.endswith("." + name):
            continue
        if cell["port_directions"].get(port) == "output":
            bits += cell["connections"][port][bit:bit + 1]
            continue
        bits += logic.outputs(cell)
        if logic.memory(cell) and port.startswith("WR"):
            memories.add(logic.memory(cell))
    signals, ends = logic.forward(bits)
    return (memories, signals | logic.behind(ends)) if memories else (signals, logic.behind(ends))


def main():
    if len(sys.argv) < 5 or not re.match(r"\d+$", sys.argv[3]):
        print(__doc__)
        sys.exit(2)
    build, work, count, blocks = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]
    ranks = []
    for block in blocks:
        report, out = mutants(block, count, build, work)
        logic = original(out)
        with open(os.path.join(out, "list.ys"), encoding="utf-8") as file:
            lines = file.read().splitlines()
        for row, line in zip(report["mutants"], lines):
            if "suspects" not in row:
                continue
            signals, fan_out = mutated(logic, line.split())
            ranks.append((rank(row["suspects"], signals | fan_out), rank(row["suspects"], signals), rank(row["suspects"][::-1], signals | fan_out)))
            print(f"{block} {row['number']}: {ranks[-1][0] or '-'} {ranks[-1][1] or '-'}  {row['at']} {' '.join(sorted(signals))}", flush=True)
    print_shares(ranks, "random mutants")


if __name__ == "__main__":
    main()
