# SPDX-License-Identifier: Apache-2.0
"""Measures blocks for the table of build/docs/reference/verification.md and writes configs/verification.json.

measure.py [BLOCK...] [--mutants N] [--nightly] [--equal-only] [--coverage-only] [--build DIR] [--reports DIR]

Without a block: those that are stale (scripts/gen/verification.py), and those that were never measured. For each: the proofs of equality of the gate, with --nightly also those of
the night, and N random mutants (default: 100). --reports DIR takes what `tandem mutants BLOCK --random N --json` printed from
DIR/BLOCK.json instead, where that file is. Seconds are processor time, converted to the reference host of tests/budgets.txt.

--equal-only measures the proofs alone and --coverage-only the coverage of random inputs alone; they leave the other figures as they are, but
those of mutants of other files go. Sizes of the night that are not measured stay while the block's files are the same. A proof of one size
that takes more than LIMIT seconds is ended, named, and not noted.

Exit codes: 0 measured, 1 a proof failed, 2 bad usage."""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "scripts", "gen"))

import manifest  # noqa: E402
import verification  # noqa: E402

COVERAGE_CYCLES = 200000
LIMIT = 900  # seconds of the clock for the gate's sizes of a block, and for each size of the night
REFERENCE = 195  # milliseconds of a turn of tests/kit/calibration.sh on the reference host, as in tests/budgets.sh


def speed():
    """Seconds of the reference host for a second of this one."""
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "calibration.txt")
        subprocess.run(["bash", os.path.join(ROOT, "tests", "kit", "calibration.sh"), path], check=True)
        with open(path) as file:
            turns = [int(line.split()[0]) for line in file]
    return REFERENCE / (sum(turns) / len(turns))


def runs_of_proofs(block, options):
    """What `prove --equal` gets: the gate's sizes at once, each of the night's by itself, so that one that takes too long costs no other."""
    nightly = [line.split() for line in manifest.property_lines(block, "equal-nightly")]
    runs = [[]] if manifest.property_lines(block, "equal", "equal-bounded") else []
    return runs + (nightly if options.nightly else [])


def proved_sets(block, text, factor):
    """[{parameters, how, seconds}] of the lines that `prove --equal` printed."""
    found = []
    for line in text.splitlines():
        match = re.match(r"\S+ +((?:\w+=\d+ ?)+) +equal  (proved|by parts|for \d+ cycles) +([\d.]+) s", line)
        if match and line.startswith(block.name + " "):
            how = "induction" if match[2] == "proved" else match[2].replace("for ", "from reset, ")
            found.append({"parameters": match[1].strip(), "how": how, "seconds": round(float(match[3]) * factor, 1)})
    return found


def equal_sets(block, options, factor):
    """The sets that are proved, or None if a proof fails."""
    found, good = [], True
    for run in runs_of_proofs(block, options):
        command = ["timeout", str(LIMIT), "bash", os.path.join(ROOT, "scripts", "prove"), block.name, "--equal", *run]
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "TANDEM_BUILD": options.build})
        if done.returncode == 124:
            print(f"{block.name}: {' '.join(run) or 'the sizes of the gate'}: no proof within {LIMIT} s", file=sys.stderr, flush=True)
        good &= done.returncode in (0, 124)
        found += proved_sets(block, done.stdout, factor)
    return found if good else None


def mutants(block, options):
    """Counts of kills among the mutants that are not proved equivalent; None: none are wanted."""
    path = os.path.join(options.reports, block.name + ".json") if options.reports else ""
    if os.path.exists(path):
        with open(path) as file:
            text = file.read()
    elif options.mutants:
        done = subprocess.run([os.path.join(options.build, "bin", "tandem"), "mutants", block.name, "--random", str(options.mutants), "--json"],
                              capture_output=True, text=True)
        if done.returncode > 1:
            raise manifest.ManifestError(f"{block.name}: {done.stderr.strip()}")
        text = done.stdout
    else:
        return None
    report = json.loads(text)
    summary = report["summary"]
    killed = {method: summary[method] and summary[method]["killed"] for method in ("lockstep", "replay", "law", "proof")}
    return {"parameters": report["parameters"], "seed": report["seed"], "made": summary["mutants"],
            "others": summary["mutants"] - summary["equivalent"], **killed, "any": summary["killed"],
            "median_cycles": summary["lockstep"]["median_cycles"]}


def coverage(block, options):
    """Points that a check of the default parameters reaches, or None."""
    with tempfile.TemporaryDirectory() as work:
        done = subprocess.run([os.path.join(options.build, "bin", "tandem"), "check", block.name, "--coverage", "--cycles", str(COVERAGE_CYCLES), "--out", work],
                              capture_output=True, text=True)
        if done.returncode:
            return None
        with open(os.path.join(work, "coverage.json")) as file:
            points = json.load(file)["blocks"][block.name]["points"].values()
    due = [p for p in points if p["hits"] or "never" not in p]
    return {"points": len(due), "hit": sum(1 for p in due if p["hits"]), "cycles": COVERAGE_CYCLES, "seed": 1}


def add_coverage(block, options):
    found = coverage(block, options)
    if not found:
        print(f"{block.name}: the check with --coverage failed; tandem check {block.name} --coverage shows it", file=sys.stderr)
        return False
    known = verification.figures()
    known.setdefault("$coverage", {})[block.name] = {"files": verification.digest(block, ("cover",)), **found}
    write(known)
    print(f"{block.name}: {found['hit']} of {found['points']} points", flush=True)
    return True


def write(known):
    path = os.path.join(ROOT, verification.FIGURES)
    known["$comment"] = "SPDX-License-Identifier: Apache-2.0"
    with open(path + ".part", "w") as file:
        json.dump(known, file, indent=1, sort_keys=True)
        file.write("\n")
    os.replace(path + ".part", path)


def measure(block, options, factor):
    """Proofs, mutants and coverage of a block, or its proofs alone; whether all went well."""
    sets = equal_sets(block, options, factor)
    if sets is None:
        print(f"{block.name}: a proof of equality failed; tandem prove {block.name} --equal shows it", file=sys.stderr)
        return False
    found = None if options.equal_only else mutants(block, options)
    known = verification.figures()  # as late as can be: another call may have written meanwhile
    old, now = known.get(block.name, {}), verification.digest(block)
    if old.get("files") == now:
        sets += [s for s in old["equal"] if s["parameters"] not in {n["parameters"] for n in sets}]
    elif not options.nightly and manifest.property_lines(block, "equal-nightly"):
        print(f"{block.name}: the night's sizes have no figures now; measure.py {block.name} --nightly --equal-only measures them", file=sys.stderr)
    if options.equal_only and old.get("files") == now:
        found = old.get("mutants")
    known[block.name] = {"files": now, "equal": sets, **({"mutants": found} if found else {})}
    write(known)
    good = options.equal_only or add_coverage(block, options)
    print(f"{block.name}: {len(sets)} sizes equal" + (f", {found['any']} of {found['others']} mutants killed" if found else ""), flush=True)
    return good


def main():
    parser = argparse.ArgumentParser(prog="scripts/mutants/measure.py", description=__doc__.split("\n")[0])
    parser.add_argument("blocks", nargs="*")
    parser.add_argument("--mutants", type=int, default=100)
    parser.add_argument("--nightly", action="store_true")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--reports")
    parser.add_argument("--equal-only", action="store_true")
    parser.add_argument("--coverage-only", action="store_true")
    options = parser.parse_args()
    blocks, _ = manifest.load(os.path.join(ROOT, "configs", "blocks.yaml"))
    wanted = options.blocks or verification.stale(blocks) + [b.name for b in blocks if b.name not in verification.figures()]
    unknown = [name for name in wanted if name not in {b.name for b in blocks}]
    if unknown:
        raise manifest.ManifestError(f"configs/blocks.yaml has no block '{unknown[0]}'")
    if options.coverage_only:
        every = options.blocks or [b.name for b in blocks]
        return not all([add_coverage(block, options) for block in blocks if block.name in every])
    factor, failed = speed(), False
    for block in blocks:
        if block.name in wanted:
            failed |= not measure(block, options, factor)
    return failed


if __name__ == "__main__":
    try:
        sys.exit(main())
    except manifest.ManifestError as problem:
        manifest.fail(problem)
