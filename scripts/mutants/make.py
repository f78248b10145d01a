# SPDX-License-Identifier: Apache-2.0
"""Makes random mutants of a block's RTL, all in one netlist.

make.py BLOCK N --out DIR [--seed S] P=V...

Yosys chooses N places and ways to change (`mutate -list`) and puts every change behind the input tandem_bug_i: 0 changes nothing, K
makes mutant K. DIR receives
  mutants.v      the netlist, with the block's ports and parameters (the latter are given, P=V)
  mutants.json   {parameters, mutants: [{number, mode, module, cell, port, bit, wire, at}]}; at is FILE:LINE of the cell
  laws.aag       the same mutants with the block's properties, for bounded runs from reset (laws.py)

Exit codes: 0 made, 2 bad usage, or RTL that Yosys cannot elaborate."""

import argparse
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "scripts", "equal"), os.path.join(ROOT, "scripts", "gen")]

import equal  # noqa: E402
import manifest  # noqa: E402

MOST = 254  # tandem_bug_i has 8 bits; 255, which is no mutant, is the control
PIN = "tandem_bug_i 8 1"
NO_GATE = ("Q", "CLK", "WR_CLK", "RD_CLK", "RD_EN", "RD_ARST", "RD_SRST", "clk_i")  # ports that are not changed: see fits


class Failed(Exception):
    """Yosys refused; the text says what and where."""


def yosys(script, work, name):
    path = os.path.join(work, name + ".ys")
    with open(path, "w") as file:
        file.write(script)
    try:
        done = subprocess.run(["yosys", "-q", "-e", "implicitly declared|has no driver", "-s", path], capture_output=True, text=True)
    except FileNotFoundError:
        raise Failed("yosys is not on PATH; install the package yosys")
    if done.returncode:
        lines = (done.stdout + done.stderr).strip().splitlines()
        raise Failed("Yosys cannot elaborate the RTL: " + next((line for line in lines if "ERROR" in line), lines[-1] if lines else ""))


def read_commands(block, rtl, params):
    """Yosys commands that leave the elaborated block with its properties, its hierarchy kept."""
    folders = [os.path.join(ROOT, "testbench", block.family), os.path.join(ROOT, "rtl", "include")]
    include = " ".join("-I" + folder for folder in folders)
    *parts, own = equal.rtl_files(block, rtl)
    lines = [f"read_verilog -sv -defer {include} {part}" for part in parts]
    lines.append(f"read_verilog -sv -formal -DFORMAL {include} {own}")
    chparam = " ".join(f"-chparam {name} {value}" for name, value in params.items())
    lines.append(f"hierarchy -check -top {block.name} {chparam}")
    lines.append("proc; opt_expr; opt_clean; memory_collect; opt_clean")
    lines.append(f"rename -top {block.name}")
    return lines


# Where properties read a memory of the block, their read port stays, with an address that no RTL has.
WITHOUT_FREE = "delete t:$anyconst t:$anyseq t:$allconst t:$allseq; setundef -undriven -zero; opt_clean"
LAWS = ("delete t:$cover; flatten; async2sync; dffunmap; memory_map; opt_clean; simplemap; opt_expr; opt_merge; opt_clean\n"
        "delete -port o:*\nopt_clean\ntechmap; opt_expr; opt_merge; opt_clean; setundef -undriven -anyseq; aigmap; opt_clean")


def choose(block, rtl, params, count, seed, work):
    """Lines of Yosys commands, one for each mutant. More are listed than are asked for, as some are left out."""
    out = lambda name: os.path.join(work, name)
    yosys("\n".join(read_commands(block, rtl, params) + [
        f"write_rtlil {out('laws.il')}", "delete t:$assert t:$assume t:$cover", "opt_clean", WITHOUT_FREE, f"write_rtlil {out('plain.il')}",
        f"mutate -list {2 * count} -seed {seed} -ctrl {PIN} -o {out('listed.ys')}"]) + "\n", work, "choose")
    with open(out("listed.ys")) as file:
        listed = dict.fromkeys(re.sub(rf"-ctrl {PIN[:-1]}\d+ ", "", line) for line in file.read().splitlines())
    names = {r.rtl.split(".")[-1] for r in block.regs}
    chosen = [line for line in listed if fits(line.split(), names)][:count]
    return [line.replace("mutate ", f"mutate -ctrl {PIN[:-1]}{k + 1} ", 1) for k, line in enumerate(chosen)]


def fits(words, names):
    """Left out: a change of bit b of a cell's output where bit c is 1, c > b, since with another mutant that does the reverse this would be
    a loop of gates; a change of a register's output, also where it leaves a part by a port, since what the manifest names (`names`) would no
    longer be a register; a change of the clock, of which model, proofs and properties know nothing; a change of the enable or reset of a
    memory's read, which no memory here has: without memory_dff every read is asynchronous, and Yosys stops at one that is not always
    enabled."""
    loop = "-ctrlbit" in words and int(value(words, "-ctrlbit")) > int(value(words, "-portbit"))
    port = value(words, "-port").lstrip("\\")
    renamed = port.endswith("_o") and value(words, "-wire").lstrip("\\") in names
    return not loop and not renamed and port not in NO_GATE


def apply(lines, work):
    out = lambda name: os.path.join(work, name)
    with open(out("list.ys"), "w") as file:
        file.write("\n".join(lines) + "\n")
    # pmuxtree: a $pmux would be written as a function with a casez, which Yosys, when it reads it again, takes for its default if all of
    # the select is constant
    yosys("\n".join([
        f"read_rtlil {out('plain.il')}", f"script {out('list.ys')}", "pmuxtree",
        f"write_verilog -norename -noattr {out('netlist.v')}", "delete",
        f"read_rtlil {out('laws.il')}", f"script {out('list.ys')}", LAWS,
        f"write_aiger -ascii -zinit -map {out('laws.map')} {out('laws.aag')}"]) + "\n", work, "apply")


def write_netlist(work):
    """mutants.v.netlist.json: the mutants with the names and lines of the source, for the page of a divergence (dpi/rtl_netlist.c)."""
    out = lambda name: os.path.join(work, name)
    yosys("\n".join([
        f"read_rtlil {out('plain.il')}", f"script {out('list.ys')}", "flatten; opt_expr; opt_clean; memory_collect; opt_clean",
        f"write_json {out('mutants.v.netlist.json')}"]) + "\n", work, "netlist")


def value(words, option):
    return words[words.index(option) + 1] if option in words else ""


def described(line, number):
    words = line.split()
    sources = [words[i + 1] for i, word in enumerate(words[:-1]) if word == "-src"]
    sources = [s for s in sources if ":0." not in s] or [":0"]  # line 0 is of what Yosys has made up
    at = os.path.relpath(sources[-1], ROOT) if sources[-1].startswith("/") else sources[-1]
    file, _, place = at.rpartition(":")
    cell = re.sub(r"^\$(\w+)\$.*", r"\1", value(words, "-cell"))
    module = re.sub(r"^\$paramod(\$[0-9a-f]*)?\\?(\w+).*", r"\2", value(words, "-module"))
    return {"number": number, "mode": value(words, "-mode"), "module": module, "cell": cell, "port": value(words, "-port"),
            "bit": int(value(words, "-portbit") or 0), "wire": value(words, "-wire"), "at": f"{file}:{place.split('.')[0]}" if file else at}


def with_parameters(text, block, params):
    """The netlist has one size; the socket names the parameters, so the module declares them."""
    declared = ", ".join(f"parameter {name} = {number}" for name, number in params.items())
    text, n = re.subn(rf"^module {block.name}\(", f"module {block.name} #({declared}) (", text, flags=re.M)
    if n != 1:
        raise Failed(f"the netlist has {n} modules {block.name}")
    return text


def with_vectors(text, block):
    """Yosys writes vectors of one bit as scalars; the socket selects bits of registers that have rows, in the block and in its parts."""
    for name in {r.rtl.split(".")[-1] for r in block.regs if r.rows}:
        text = re.sub(rf"^  (reg|wire) {re.escape(name)};$", rf"  \1 [0:0] {name};", text, flags=re.M)
    return text


def with_arrays(text):
    """Yosys makes single registers \\NAME[K] of a small array; Verilator's socket reads the array NAME. Yosys, which reads the netlist
    again for the proofs, must not see it."""
    modules = re.split(r"(?<=^endmodule$)", text, flags=re.M)
    for i, module in enumerate(modules):
        arrays = {}
        for bits, name, row in re.findall(r"^  reg (\[\d+:\d+\] )?\\(\w+)\[(\d+)\] ;$", module, flags=re.M):
            arrays.setdefault((name, bits), []).append(int(row))
        lines = []
        for (name, bits), rows in arrays.items():
            lines.append(f"  wire {bits}{name} [0:{max(rows)}];")
            lines += [f"  assign {name}[{row}] = \\{name}[{row}] ;" for row in sorted(rows)]
        if lines:
            modules[i] = re.sub(r"^endmodule$", lambda end: "\n".join(["`ifdef VERILATOR", *lines, "`endif", "endmodule"]), module, flags=re.M)
    return "".join(modules)


def with_removed(text, block, params):
    """Yosys removes registers that no gate of this size has. The socket reads no row of them, but names them, so Verilator finds a wire."""
    parts = re.split(r"(?<=^endmodule$)", text, flags=re.M)
    place = {found[1].strip(): i for i, part in enumerate(parts) for found in [re.search(r"^module (\\\S+ |\w+)", part, flags=re.M)] if found}
    for r in block.regs:
        *instances, name = r.rtl.split(".")
        at = place[block.name]
        for instance in instances:
            at = place[re.search(rf"^  (\\\S+ |\w+) +{re.escape(instance)} \(", parts[at], flags=re.M)[1].strip()]
        if re.search(rf"[ \\]{re.escape(name)}( \[\d+:\d+\]|\[\d+\] )?;$", parts[at], flags=re.M):
            continue
        if r.depth.value(params):
            raise Failed(f"Yosys removes register {r.rtl}, of which {block.name} has rows at these parameters; give others (--param)")
        wire = f"wire [{max(r.width.value(params), 1) - 1}:0] {name}{' [0:0]' if r.array else ''};"
        parts[at] = re.sub(r"^endmodule$", lambda end: "\n".join(["`ifdef VERILATOR", "  " + wire, "`endif", "endmodule"]), parts[at], flags=re.M)
    return "".join(parts)


def make(block, rtl, params, count, seed, work, netlist=False):
    os.makedirs(work, exist_ok=True)
    if os.path.exists(os.path.join(work, "mutants.v.netlist.json")):
        os.remove(os.path.join(work, "mutants.v.netlist.json"))  # of other mutants
    lines = choose(block, rtl, params, count, seed, work)
    if not lines:
        raise Failed(f"{block.name} has nothing that a mutant could change")
    apply(lines, work)
    if netlist:
        write_netlist(work)
    listed = [described(line, k + 1) for k, line in enumerate(lines)]
    with open(os.path.join(work, "netlist.v")) as file:
        text = with_removed(with_arrays(with_vectors(with_parameters(file.read(), block, params), block)), block, params)
    with open(os.path.join(work, "mutants.v"), "w") as file:
        file.write(text)
    with open(os.path.join(work, "mutants.json"), "w") as file:
        json.dump({"parameters": params, "mutants": listed}, file, indent=1)


def default_parameters(block):
    """The first set for which model and RTL are proved equal; else the manifest's smallest."""
    for text in manifest.property_lines(block, "equal", "equal-nightly"):
        return equal.parameters(block, text)
    return dict(min(block.sets, key=lambda s: sum(dict(s).values())))


def main():
    parser = argparse.ArgumentParser(prog="scripts/mutants/make.py", description=__doc__.split("\n")[0])
    parser.add_argument("block")
    parser.add_argument("count", type=int)
    parser.add_argument("params", nargs="*")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rtl", help="another file for the block's RTL")
    parser.add_argument("--netlist", action="store_true", help="also write the netlist with names and lines of the source")
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    blocks, _ = manifest.load(os.path.join(ROOT, "configs", "blocks.yaml"))
    block = manifest.find(blocks, options.block)
    if not 1 <= options.count <= MOST:
        raise manifest.ManifestError(f"{options.count} mutants: write 1 to {MOST}; for more, use several seeds")
    params = equal.parameters(block, " ".join(options.params)) if options.params else default_parameters(block)
    rtl = options.rtl or os.path.join(ROOT, "rtl", block.family, block.name + ".v")
    make(block, rtl, params, options.count, options.seed, options.out, options.netlist)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except manifest.ManifestError as problem:
        manifest.fail(problem)
    except Failed as problem:
        print(f"tandem mutants: {problem}", file=sys.stderr)
        sys.exit(2)
