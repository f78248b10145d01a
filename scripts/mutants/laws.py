# SPDX-License-Identifier: Apache-2.0
"""Which mutants break a property of their block in a run from reset: bounded model checking by ABC."""

import os
import re
import subprocess

from aig import Aig
from llvm import Unsupported
from prover import Prover

PIN = "tandem_bug_i"


class Laws:
    """laws.aag and laws.map as Yosys writes them: a sequential and-inverter graph with bad states and constraints."""

    def __init__(self, folder):
        with open(os.path.join(folder, "laws.map")) as file:
            words = [line.split() for line in file]
        self.pin = {int(w[1]): int(w[2]) for w in words if w[0] == "input" and w[3] == PIN}  # input to bit of the pin
        with open(os.path.join(folder, "laws.aag")) as file:
            rows = file.read().split("\n")
        _, _, inputs, latches, outputs, gates, bad, constraints, *_ = (int(w) if w.isdigit() else w for w in rows[0].split())
        numbers = [tuple(map(int, row.split())) for row in rows[1:1 + inputs + latches + outputs + bad + constraints + gates]]

        def take(count):
            taken, numbers[:count] = numbers[:count], []
            return taken
        self.inputs = [row[0] for row in take(inputs)]
        self.latches = take(latches)
        take(outputs)
        self.bad, self.constraints = [row[0] for row in take(bad)], [row[0] for row in take(constraints)]
        self.gates = numbers

    def write(self, path, mutant):
        """The machine of one mutant as binary AIGER. Its only output is 1 when a property is broken in a run that has kept every
        constraint so far."""
        aig, of = Aig(), {0: 0}
        for k, literal in enumerate(self.inputs):
            of[literal] = mutant >> self.pin[k] & 1 if k in self.pin else aig.input(f"i{k}")
        for literal, *_ in self.latches:
            of[literal] = aig.input(f"l{literal}")
        at = lambda literal: of[literal & ~1] ^ (literal & 1)
        for gate, a, b in self.gates:
            of[gate] = aig.conj(at(a), at(b))
        left = aig.input("left")  # a constraint was not kept
        kept = aig.all([at(c) for c in self.constraints] + [left ^ 1])
        broken = aig.conj(kept, aig.any(at(b) for b in self.bad))
        state = [(of[row[0]], at(row[1]), row[2] if len(row) > 2 else 0) for row in self.latches] + [(left, kept ^ 1, 0)]
        if any(reset != 0 for _, _, reset in state):
            raise ValueError("a register does not start at 0")
        aig.write_machine(path, [(q, d) for q, d, _ in state], [broken])


def broken_at(laws, mutant, work, frames, seconds):
    """The cycle in which the mutant breaks a property, or None: not within so many cycles of a run from reset, or seconds of search."""
    path = os.path.join(work, "law.aig")
    laws.write(path, mutant)
    abc = Prover(None, work).abc
    if not abc:
        raise Unsupported("ABC is not on PATH; install the package berkeley-abc")
    script = f"read {path}; scleanup; bmc3 -F {frames} -T {seconds}"
    done = subprocess.run([abc, "-q", script], capture_output=True, text=True)
    found = re.search(r"was asserted in frame (\d+)", done.stdout)
    if not found and not re.search(r"No output asserted|Reached|timeout", done.stdout, re.I):
        raise Unsupported("ABC cannot check properties: " + (done.stdout + done.stderr).strip())
    return int(found.group(1)) if found else None
