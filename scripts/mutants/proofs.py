# SPDX-License-Identifier: Apache-2.0
"""The proofs that judge a mutant: against the C model, against the RTL without a mutant, and, for a composite, by its parts."""

import os
import random

import equal
from aig import Aig
from equality import Equality
from netlist import Netlist, elaborate
from prover import Prover
from words import Words

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PATTERNS = 256  # random values that are tried before a proof


def includes(options):
    return [os.path.join(ROOT, folder) for folder in ("csim", "testbench", os.path.join("rtl", "include"))] + [options.generated]


def broken(bad, aig, prover):
    """Whether one of the literals can be true, as a verdict. Most mutants show under random values, at a fraction of what ABC takes."""
    literals, draw = [literal for literal, _ in bad], random.Random(1)
    held = aig.simulate(literals, {n: draw.getrandbits(PATTERNS) for n in sorted(aig.names)}, (1 << PATTERNS) - 1)
    if not any(held):
        verdict, model = prover.never(literals)
        if verdict != "false":
            return "equal" if verdict == "proved" else verdict, ""
        held = aig.simulate(literals, {n: model.get(name, 0) for n, name in aig.names.items()}, 1)
    return "broken", next((text for (_, text), one in zip(bad, held) if one), "")


class Proof:
    """The proof that model and netlist are equal, its model executed once, for each mutant. result: that of the netlist without a
    mutant; only if that is "proved" do verdicts on mutants mean anything."""

    def __init__(self, block, params, netlist, options, work):
        self.aig = Aig()
        self.prover = Prover(self.aig, work, options.seconds)
        self.equality = Equality(block, params, self.aig, [netlist], equal.model_files(block), includes(options), work, self.prover)
        self.result, self.holds = "proved", set()
        for what in ("step", "reset"):
            getattr(self.equality, what)()
            literals = [literal for literal, _ in self.equality.bad]
            verdict = self.prover.never(literals)[0]
            self.holds |= set(literals)  # each is never true, so no mutant has to show it again
            if verdict != "proved":
                self.result = verdict
                return

    def verdict(self, mutant):
        """("broken", where), ("equal", "") or ("undecided", "")"""
        for what in ("mutant_step", "mutant_reset"):
            getattr(self.equality, what)(mutant)
            found = broken([(literal, text) for literal, text in self.equality.bad if literal not in self.holds], self.aig, self.prover)
            if found != ("equal", ""):
                return found
        return "equal", ""


class Fixed(Netlist):
    """Bits that the RTL leaves open, such as those of a row that a memory does not have, are a function of what their cell reads: with
    the same inputs they are the same, whichever mutant is chosen."""

    def __init__(self, module, words):
        self.open, self.place, self.count = {}, (), 0
        super().__init__(module, words)

    def free(self):
        self.count += 1
        key = (self.place, self.count)
        if key not in self.open:
            self.open[key] = self.aig.input(f"x{len(self.open)}")
        return self.open[key]

    def at(self, cell, get, ports):
        self.place, self.count = (id(cell),), 0
        self.place, self.count = (id(cell), *(get(port) for port in ports)), 0

    def cell(self, cell, get):
        self.at(cell, get, sorted(set(cell["connections"]) - {"Y"}))
        return super().cell(cell, get)

    def read_memory(self, cell, get, value):
        self.at(cell, get, ["RD_ADDR"])
        return super().read_memory(cell, get, value)


class Same:
    """Netlist against netlist: outputs and next registers from any state."""

    def __init__(self, block, params, options, work):
        self.aig, self.block = Aig(), block
        self.prover = Prover(self.aig, work, options.seconds)
        self.netlist = Fixed(elaborate([os.path.join(options.dir, "mutants.v")], [], block.name, params, work), Words(self.aig))
        ports = self.netlist.module["ports"]
        self.pins = ports["tandem_bug_i"]["bits"]
        self.known = {q: self.aig.input(f"register.{q}") for q in self.netlist.registers}
        for name, port in ports.items():
            if port["direction"] == "input" and name != "tandem_bug_i":
                self.known.update((bit, self.aig.input(f"{name}.{k}")) for k, bit in enumerate(port["bits"]))
        self.outputs = [bit for port in ports.values() if port["direction"] == "output" for bit in port["bits"]]
        self.original = self.values(0)

    def values(self, mutant):
        known = {**self.known, **{bit: mutant >> k & 1 for k, bit in enumerate(self.pins)}}
        nexts = [self.netlist.registers[q] for q in self.netlist.registers if not isinstance(q, tuple)]
        memories = self.netlist.write_memories(known)
        return self.netlist.evaluate(self.outputs + nexts, known) + [memories[q] for q in sorted(memories)]

    def same(self, mutant):
        return broken([(self.aig.xor(a, b), "") for a, b in zip(self.original, self.values(mutant))], self.aig, self.prover)[0] == "equal"
