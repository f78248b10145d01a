# SPDX-License-Identifier: Apache-2.0
"""Judges the mutants that make.py made: which break a property, which break the proof that model and RTL are equal.

judge.py BLOCK --dir DIR

Writes DIR/verdicts.json: {laws: {frames, seconds}, proof: {result, seconds}, mutants: [{number, law, proof, at}]}.
  law    cycle in which a property is broken in a run from reset, or null
  proof  "broken", "equal" (the mutant is proved equal to the model, so to the original), "undecided", or null: no such proof at
         this size
  same   the mutant is equivalent: "equal", or, where the proof says neither and in a composite, outputs and next registers are those of the
         original from any state
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
from composite import Composite  # noqa: E402
from laws import Laws, broken_at  # noqa: E402
from llvm import Unsupported  # noqa: E402
from proofs import Proof, Same  # noqa: E402


def judge(block, params, count, options, work):
    laws = Laws(options.dir)
    if broken_at(laws, 0, work, options.frames, options.law_seconds) is not None:
        raise Unsupported(f"{block.name}: a property is broken without a mutant, at {params}; give parameters (--param) at which it holds")
    start = equal.processor_seconds()
    rows = [{"number": k, "law": broken_at(laws, k, work, options.frames, options.law_seconds), "proof": None, "at": "", "same": False}
            for k in range(1, count + 1)]
    law_seconds = equal.processor_seconds() - start
    start, result = equal.processor_seconds(), None
    proof = None
    if not options.no_proof:
        try:
            proof = Composite(block, params, options, work) if block.parts else Proof(block, params, os.path.join(options.dir, "mutants.v"), options, work)
            result = proof.result
        except Unsupported as problem:
            result = f"not read: {problem}"
    original = None
    for row in rows:
        if result == "proved":
            row["proof"], row["at"] = proof.verdict(row["number"])
            row["same"] = row["proof"] == "equal"
        if row["proof"] in (None, "undecided") or block.parts and row["proof"] == "broken":  # a join knows nothing of what the parts do
            original = original or Same(block, params, options, work)
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
