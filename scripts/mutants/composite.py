# SPDX-License-Identifier: Apache-2.0
"""The proof of a composite judges its mutants: one that lies in a part breaks the proof of that part, one that lies between the parts
breaks the join (scripts/equal/join.py)."""

import json
import os
import re

from aig import Aig
from equal import model_files, rtl_files
from join import Join
from llvm import Unsupported
from make import with_parameters
from netlist import Netlist, run_yosys
from proofs import Proof, broken, includes
from prover import Prover
from words import Words

PIN = "tandem_bug_i"
NAME = r"(\\\S+(?= )|\w+)"  # an identifier as Yosys writes it


class Modules:
    """The modules of a netlist that Yosys wrote: texts, and which module each instance is of."""

    def __init__(self, text):
        self.texts = {found[1]: part for part in re.split(r"(?<=^endmodule$)", text, flags=re.M)
                      for found in [re.search(rf"^module {NAME}", part, flags=re.M)] if found}
        self.instances = {name: {instance.lstrip("\\"): kind for kind, instance in re.findall(rf"^  {NAME} +{NAME} +\($", part, flags=re.M)
                                 if kind in self.texts} for name, part in self.texts.items()}

    def below(self, name, without=()):
        """The module and all that it is made of, except for what is below instances of `without` in it."""
        found, wait = {name}, [kind for instance, kind in self.instances[name].items() if instance not in without]
        while wait:
            kind = wait.pop()
            if kind not in found:
                found.add(kind)
                wait += self.instances[kind].values()
        return found

    def as_block(self, name, block, params):
        """The text of the module and what it is made of, the module under the block's name and with its parameters."""
        texts = [self.texts[kind] for kind in sorted(self.below(name))]
        renamed = "".join(texts).replace(f"module {name} (", f"module {block.name}(")
        return with_parameters(renamed, block, params)


class Pinned(Netlist):
    """The composite's netlist, in which `mutant` is chosen. The reset is an input of its own."""

    def choose(self, mutant, reset):
        self.pins = {bit: mutant >> k & 1 for k, bit in enumerate(self.port(PIN))} if PIN in self.module["ports"] else {}
        self.pins.update((bit, reset) for bit in (self.port("rst_ni") if "rst_ni" in self.module["ports"] else []))

    def evaluate(self, roots, known):
        return super().evaluate(roots, {**self.pins, **known})


class MutantJoin(Join):
    """The join of a composite whose wiring may be a mutant; that of the parts' reset, too."""

    def use(self, module):
        """Takes the composite with all mutants in place of the RTL."""
        for part in self.parts:
            part.cell = module["cells"].pop(f"u_{part.name}")
        self.netlist, self.reset = Pinned(module, self.words), self.aig.input("rst_ni")

    def judge(self, mutant):
        """Fills `bad` for a mutant."""
        self.netlist.choose(mutant, self.reset)
        self.bad, self.model.executor.obligations = [], []
        for part in self.parts:
            part.ticks = part.resets = 0
        self.compare()
        for part in self.parts:
            if "rst_ni" in part.cell["connections"]:
                self.differ(self.netlist.evaluate(part.cell["connections"]["rst_ni"], {}), (self.reset,), f"reset of part {part.name}")


def elaborated(block, folder, work):
    """The composite with all mutants, its parts as cells."""
    path, out = (lambda name: os.path.join(folder, name)), os.path.join(work, "mutants.json")
    keep = " ".join(sorted({f"A:hdlname=*{p.name}" for p in block.parts.values()}))
    run_yosys("\n".join([f"read_rtlil {path('plain.il')}", f"script {path('list.ys')}", f"setattr -mod -set keep_hierarchy 1 {keep}",
                         "flatten; pmuxtree; opt_clean", f"write_json {out}"]), os.path.join(work, "mutants.ys"), block.name)
    with open(out) as file:
        return json.load(file)["modules"][block.name]


def modules_of_mutants(folder):
    """For each mutant the name of its module, as it is in the netlist."""
    with open(os.path.join(folder, "list.ys")) as file:
        found = [re.search(r" -module (\S+)", line)[1].lstrip("\\") for line in file]
    return [f"\\{name}" if not re.fullmatch(r"\w+", name) else name for name in found]


class Composite:
    """As Proof: a mutant is equal if it is in every proof of which its module is a piece."""

    def __init__(self, block, params, options, work):
        with open(os.path.join(options.dir, "mutants.v")) as file:
            modules = Modules(file.read())
        self.aig, self.places = Aig(), modules_of_mutants(options.dir)
        self.prover = Prover(self.aig, work, options.seconds)
        self.join = MutantJoin(block, params, Words(self.aig), rtl_files(block, None), model_files(block), includes(options), work,
                               lambda guard: self.prover.never([self.aig.all(sorted(guard))])[0] == "proved")
        self.join.use(elaborated(block, options.dir, work))
        self.pieces = [(modules.below(block.name, {f"u_{name}" for name in block.parts}), "", self.joined)]
        verdict, where = self.joined(0)
        self.result = "proved" if verdict == "equal" else f"{verdict} join: {where}"
        names = set()
        for part in self.join.parts:
            name = modules.instances[block.name][f"u_{part.name}"]
            if name not in names:
                names.add(name)
                self.add(part, name, modules, options, work)

    def add(self, part, name, modules, options, work):
        folder = os.path.join(work, "part_" + part.name)
        os.mkdir(folder)
        path = os.path.join(folder, part.block.name + ".v")
        with open(path, "w") as file:
            file.write(modules.as_block(name, part.block, part.params))
        proof = Proof(part.block, part.params, path, options, folder)
        self.pieces.append((modules.below(name), f"part {part.name}: ", proof.verdict))
        if proof.result != "proved":
            self.result = f"part {part.name} is {proof.result}"

    def joined(self, mutant):
        self.join.judge(mutant)
        return broken(self.join.bad, self.aig, self.prover)

    def verdict(self, mutant):
        """As that of Proof."""
        verdicts = [(verdict, where + at) for modules, where, judge in self.pieces if self.places[mutant - 1] in modules
                    for verdict, at in [judge(mutant)]]
        for wanted in ("broken", "undecided"):
            for verdict, at in verdicts:
                if verdict == wanted:
                    return verdict, at
        return ("equal", "") if verdicts else ("undecided", "")
