# SPDX-License-Identifier: Apache-2.0
"""Where do the suspects of a divergence stand that a planted bug is among?

suspects.py BUILD_DIR WORK [BLOCK...]

Plants every bug of the manifest, or of these blocks, and looks for it among the suspects of the page (divergence.json). What is wrong is
worked out apart from the page: Yosys reads the RTL without bugs; the operators at the place of the bug's text in the source lead to the
signals that they assign; the signals and registers that read those are their direct fan-out. Prints a line for each bug: the ranks of
the first suspect that is the signal or in its fan-out, and of the signal itself; at the end the shares, also with the suspects in
reverse order: a ranking that knows nothing.
"""

import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import manifest  # noqa: E402
from suspects_logic import Logic, print_shares, rank  # noqa: E402


def elaborate(block, files, params, work):
    out = os.path.join(work, f"{block.name}.json")
    settings = " ".join(f"-chparam {p} {v}" for p, v in params)
    script = (f"read_verilog -sv -nooverwrite -Irtl/include {' '.join(files)}; hierarchy -check -top {block.name} {settings}; "
              f"proc; flatten; opt_clean; write_json {out}")
    subprocess.run(["yosys", "-q", "-p", script], check=True)
    with open(out, encoding="utf-8") as f:
        modules = json.load(f)["modules"]
    return next(m for m in modules.values() if int(str(m["attributes"].get("top", "0")), 2))


def ranges(src, file):
    """The places in the file: ((line, column), (line, column))."""
    found = []
    for part in src.split("|"):
        m = re.match(r"(.*):(\d+)\.(\d+)-(\d+)\.(\d+)$", part)
        if m and os.path.realpath(m[1]) == os.path.realpath(file):
            found.append(((int(m[2]), int(m[3])), (int(m[4]), int(m[5]))))
    return found


def size(place):
    (line, column), (last, end) = place
    return (last - line, end - column if last == line else 0)


class Source(Logic):
    """A block at some parameters."""

    def __init__(self, block, params, build, work):
        said = subprocess.check_output([os.path.join(build, "bin", "tandem-verilate"), "--files", block.name], text=True)
        self.files = [f for f in said.split() if f.endswith(".v")]
        super().__init__(elaborate(block, self.files, params, work))

    def cells_at(self, file, first, last):
        """The operators inside a place of the source, or else the smallest ones around it."""
        inside, around = [], []
        for cell in self.module["cells"].values():
            for place in ranges(cell["attributes"].get("src", ""), file):
                if first <= place[0] and place[1] <= last:
                    inside.append(cell)
                elif place[0] <= first and last <= place[1]:
                    around.append((size(place), cell))
        least = min((s for s, _ in around), default=None)
        return inside or [cell for s, cell in around if s == least]

    def wrong(self, bug, name):
        """The signals that the bug's text assigns, and those that read them."""
        file = next(f for f in self.files if f.endswith(f"/{bug.get('in', name)}.v"))
        with open(file, encoding="utf-8") as f:
            text = f.read()
        at = text.index(bug["at"])
        place = [(text.count("\n", 0, k) + 1, k - text.rfind("\n", 0, k)) for k in (at, at + len(bug["at"]))]
        signals, bits = self.forward([b for cell in self.cells_at(file, *place) for b in self.outputs(cell)])
        for line in text.split("\n")[place[0][0] - 1:place[1][0]]:  # an assignment without an operator
            m = re.match(r"\s*(?:assign\s+|if \(.*\)\s*|else\s*)?(\w+)\s*(?:\[[^=]*\])?\s*<?=[^=]", line)
            for net_name, net in self.module["netnames"].items() if m else []:
                if not net["hide_name"] and net_name.split(".")[-1] == m[1]:
                    signals.add(net_name)
                    bits |= {b for b in net["bits"] if isinstance(b, int)}
        return signals, self.behind(bits)


def suspects_of(block, bug, build, work):
    """Names in the order of the page, and the parameters with which it was found."""
    out = os.path.join(work, "out")
    command = [os.path.join(build, "bin", "tandem"), "check", block.name, "--bug", bug["name"], "--cycles", "100000", "--sweep", "--out", out]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 1:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}")
    with open(os.path.join(out, "divergence.json"), encoding="utf-8") as f:
        why = json.load(f)["why"]
    params = re.search(r"^  parameters:(.*)", done.stdout, re.M)[1].split()
    return [s["name"] for s in why["suspects"]], tuple(tuple(p.split("=")) for p in params)


def main():
    if len(sys.argv) < 3:
        print(__doc__)
        sys.exit(2)
    build, work, only = sys.argv[1], sys.argv[2], sys.argv[3:]
    ranks = []
    for block in manifest.load(os.path.join("configs", "blocks.yaml"))[0]:
        logic = {}
        for bug in block.mutants if not only or block.name in only else []:
            names, params = suspects_of(block, bug, build, work)
            if params not in logic:
                logic[params] = Source(block, params, build, work)
            signals, fan_out = logic[params].wrong(bug, block.name)
            ranks.append((rank(names, signals | fan_out), rank(names, signals), rank(names[::-1], signals | fan_out)))
            print(f"{block.name} {bug['name']}: {ranks[-1][0] or '-'} {ranks[-1][1] or '-'}", flush=True)
    print_shares(ranks, "planted bugs")


main()
