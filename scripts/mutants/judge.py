# SPDX-License-Identifier: Apache-2.0
"""Judges the mutants that make.py made: which break a property, which break the proof that model and RTL are equal.

judge.py BLOCK --dir DIR

Writes DIR/verdicts.json: {laws: {frames, seconds}, proof: {result, seconds}, mutants: [{number, law, proof, at}]}.
  law    cycle in which a property is broken in a run from reset, or null
  proof  "broken", "equal" (the mutant is proved equal to the model, so to the original), "undecided", or null: no such proof at
         this size
  same   without such a proof: true if outputs and next registers are those of the original from any state
  at     what the broken proof names

Exit codes: 0 judged, 2 bad usage or a tool that is missing."""

import argparse
import json
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "scripts", "equal"), os.path.join(ROOT, "scripts", "gen")]

import equal  # noqa: E402
import manifest  # noqa: E402
from aig import Aig  # noqa: E402
from equality import Equality  # noqa: E402
from laws import Laws, broken_at  # noqa: E402
from llvm import Unsupported  # noqa: E402
from netlist import Netlist, elaborate  # noqa: E402
from prover import Prover  # noqa: E402
from words import Words  # noqa: E402


class Proof:
    """The proof that model and netlist are equal, its model executed once, for each mutant. result: that of the netlist without a
    mutant; only if that is "proved" do verdicts on mutants mean anything."""

    def __init__(self, block, params, options, work):
        self.aig = Aig()
        self.prover = Prover(self.aig, work, options.seconds)
        includes = [os.path.join(ROOT, folder) for folder in ("csim", "testbench", os.path.join("rtl", "include"))] + [options.generated]
        self.equality = Equality(block, params, self.aig, [os.path.join(options.dir, "mutants.v")], equal.model_files(block), includes, work,
                                 self.prover)
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
            bad = [(literal, text) for literal, text in self.equality.bad if literal not in self.holds]
            verdict, model = self.prover.never([literal for literal, _ in bad])
            if verdict == "undecided":
                return "undecided", ""
            if verdict == "false":
                values = {n: model.get(name, 0) for n, name in self.aig.names.items()}
                held = self.aig.simulate([literal for literal, _ in bad], values, 1)
                return "broken", next((text for (_, text), one in zip(bad, held) if one), "")
        return "equal", ""


class Same:
    """Netlist against netlist, where there is no proof with the model: outputs and next registers from any state."""

    def __init__(self, block, params, options, work):
        self.aig, self.block = Aig(), block
        self.prover = Prover(self.aig, work, options.seconds)
        self.netlist = Netlist(elaborate([os.path.join(options.dir, "mutants.v")], [], block.name, params, work), Words(self.aig))
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
        return self.prover.never([self.aig.xor(a, b) for a, b in zip(self.original, self.values(mutant))])[0] == "proved"


def judge(block, params, count, options, work):
    laws = Laws(options.dir)
    if broken_at(laws, 0, work, options.frames, options.law_seconds) is not None:
        raise Unsupported(f"{block.name}: a property is broken without a mutant, at {params}; give parameters (--param) at which it holds")
    start = equal.processor_seconds()
    rows = [{"number": k, "law": broken_at(laws, k, work, options.frames, options.law_seconds), "proof": None, "at": "", "same": False}
            for k in range(1, count + 1)]
    law_seconds = equal.processor_seconds() - start
    start, result = equal.processor_seconds(), None
    if not options.no_proof and not block.parts:  # a composite is proved by its parts, not as a whole
        try:
            proof = Proof(block, params, options, work)
            result = proof.result
        except Unsupported as problem:
            result = f"not read: {problem}"
    if result == "proved":
        for row in rows:
            row["proof"], row["at"] = proof.verdict(row["number"])
            row["same"] = row["proof"] == "equal"
    else:
        original = Same(block, params, options, work)
        for row in rows:
            row["same"] = row["law"] is None and original.same(row["number"])
    return {"laws": {"frames": options.frames, "seconds": round(law_seconds, 1)},
            "proof": {"result": result, "seconds": round(equal.processor_seconds() - start, 1)}, "mutants": rows}


def main():
    parser = argparse.ArgumentParser(prog="scripts/mutants/judge.py", description=__doc__.split("\n")[0])
    parser.add_argument("block")
    parser.add_argument("--dir", required=True, help="the folder that make.py filled")
    parser.add_argument("--frames", type=int, default=20, help="cycles of the runs in which properties are searched (default: 20)")
    parser.add_argument("--law-seconds", type=int, default=2, help="for the search of each mutant (default: 2)")
    parser.add_argument("--seconds", type=int, default=60, help="for each query of the equality proof (default: 60)")
    parser.add_argument("--no-proof", action="store_true")
    parser.add_argument("--generated", default=os.path.join(ROOT, "build", "generated"), help="folder of the generated headers")
    options = parser.parse_args()
    sys.setrecursionlimit(100000)
    blocks, _ = manifest.load(os.path.join(ROOT, "configs", "blocks.yaml"))
    block = manifest.find(blocks, options.block)
    with open(os.path.join(options.dir, "mutants.json")) as file:
        made = json.load(file)
    with tempfile.TemporaryDirectory() as work:
        verdicts = judge(block, made["parameters"], len(made["mutants"]), options, work)
    with open(os.path.join(options.dir, "verdicts.json"), "w") as file:
        json.dump(verdicts, file)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except manifest.ManifestError as problem:
        manifest.fail(problem)
    except Unsupported as problem:
        print(f"tandem mutants: {problem}", file=sys.stderr)
        sys.exit(2)
