# SPDX-License-Identifier: Apache-2.0
"""The table of blocks: what is proved of each, and which random mutants its checks kill.

verification.py table          the page build/docs/reference/verification.md
verification.py stale          the blocks whose figures are of other files than those that lie here, a line each

The figures are in configs/verification.json, which scripts/mutants/measure.py writes. They are stale when a file of the block is not
what it was then."""

import hashlib
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import manifest  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FIGURES = os.path.join("configs", "verification.json")
HEAD = """# Verification of the blocks

Generated from `configs/verification.json`, which `scripts/mutants/measure.py` writes, and from the test benches. What the columns mean:
`docs/equality.md`, `docs/detection.md`.

- Equal: sizes at which C model and RTL are proved equal; the largest that was measured, how, and its processor seconds on the reference
  host of `tests/budgets.txt`. Invariants that the proof needs.
- Properties: laws of the manifest; bounded proofs and inductions of the gate and of the night.
- Planted: bugs of the manifest, all of which random lockstep must catch (`B.mutants`).
- Mutants: random ones that are not proved equivalent, and how many of them each check kills.
- Coverage: points that random inputs at the default parameters reach, of those that some run should reach (`docs/coverage.md`).
- A row is stale if the block's files are not those that were measured.

| block | equal: sizes | largest | how | s | invariants | laws | proofs | planted | mutants | lockstep | replay | properties | equality | any | coverage |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
"""


def used_files(block, more=()):
    """RTL of the block and of what it is made of, its model, invariants, properties and driver."""
    folders = [os.path.join("rtl", name) for name in sorted({"prim", block.family})]
    there = {name[:-2]: os.path.join(folder, name) for folder in folders for name in os.listdir(os.path.join(ROOT, folder)) if name.endswith(".v")}
    found, wait = set(), [block.name]
    while wait:
        name = wait.pop()
        if name in found or name not in there:
            continue
        found.add(name)
        with open(os.path.join(ROOT, there[name])) as file:
            wait += [word for word in set(re.findall(r"\w+", file.read())) if word in there]
    files = [there[name] for name in sorted(found)]
    bench = os.path.join("testbench", block.family)
    files += [os.path.join("csim", "blocks", block.family, block.name + ".c")]
    files += sorted(os.path.join(bench, name) for name in os.listdir(os.path.join(ROOT, bench)) if re.match(rf"{block.name}_({'|'.join(('equal', 'props', 'drive', *more))})\.", name))
    return files


def digest(block, more=()):
    """Of the files of a block; `more`: other kinds of files beside its bench."""
    h = hashlib.sha256()
    for path in used_files(block, more):
        with open(os.path.join(ROOT, path), "rb") as file:
            h.update(path.encode() + b"\0" + file.read())
    return h.hexdigest()[:16]


def figures():
    try:
        with open(os.path.join(ROOT, FIGURES)) as file:
            return json.load(file)
    except FileNotFoundError:
        return {}
    except ValueError as problem:
        raise manifest.ManifestError(f"{FIGURES}: {problem}; scripts/mutants/measure.py writes it again")


def size(text):
    product = 1
    for value in re.findall(r"=(\d+)", text):
        product *= max(int(value), 1)
    return product


def equal_cells(block, found):
    """sizes, largest, how, seconds"""
    sets = found.get("equal", [])
    count = len(manifest.property_lines(block, "equal", "equal-nightly", "equal-bounded"))
    if not sets:
        return [count or "no", "", "", "not measured" if count else ""]
    last = max(sets, key=lambda s: size(s["parameters"]))
    return [count, last["parameters"].replace(" ", ", "), last["how"], f"{last['seconds']:.1f}"]


def mutant_cells(found):
    mutants = found.get("mutants")
    if not mutants:
        return ["not measured", "", "", "", "", ""]
    share = lambda n: "" if n is None else f"{100 * n / max(mutants['others'], 1):.1f} %"
    return [mutants["others"]] + [share(mutants[method]) for method in ("lockstep", "replay", "law", "proof", "any")]


def coverage_cell(block, known):
    found = known.get("$coverage", {}).get(block.name)
    if not found:
        return "not measured"
    return f"{found['hit']} of {found['points']}" + (" (stale)" if found["files"] != digest(block, ("cover",)) else "")


def table(blocks):
    known, rows = figures(), []
    for block in blocks:
        found = known.get(block.name, {})
        name = block.name + (" (stale)" if found and found["files"] != digest(block) else "")
        proofs = " ".join(manifest.property_lines(block, "prove", "prove-nightly"))
        rows.append([name] + equal_cells(block, found) + [len(block.invariants), len(block.laws), len(re.findall(r"bmc=|induct=", proofs)),
                                                          len(block.mutants)] + mutant_cells(found) + [coverage_cell(block, known)])
    return HEAD + "".join("| " + " | ".join(str(cell) for cell in row) + " |\n" for row in rows)


def stale(blocks):
    known = figures()
    return [block.name for block in blocks if block.name in known and known[block.name]["files"] != digest(block)]


def main():
    what = sys.argv[1] if len(sys.argv) == 2 else ""
    try:
        blocks, _ = manifest.load(os.path.join(ROOT, "configs", "blocks.yaml"))
        if what == "table":
            print(table(blocks), end="")
        elif what == "stale":
            for name in stale(blocks):
                print(name)
        else:
            raise manifest.ManifestError("verification.py table | stale")
    except manifest.ManifestError as problem:
        manifest.fail(problem)


if __name__ == "__main__":
    main()
