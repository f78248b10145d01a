# SPDX-License-Identifier: Apache-2.0
"""A failed proof as a stimulus: counterexample.py MANIFEST BLOCK TRACE.vcd OUT.csv P=V... [--own]

TRACE.vcd is the trace of yosys-smtbmc; OUT.csv has the inputs of each of its steps, for tandem drive and tandem replay.
"""

import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import manifest  # noqa: E402


def steps(path):
    """For each step of the trace: {wire: bits}."""
    names, now, scope = {}, {}, []
    with open(path, encoding="utf-8") as f:
        lines = f.read().splitlines()
    out, any_time = [], False
    for line in lines:
        words = line.split()
        if not words:
            continue
        if words[0] == "$scope":
            scope.append(words[2])
        elif words[0] == "$upscope":
            scope.pop()
        elif words[0] == "$var":
            names.setdefault(words[3], []).append(words[4] if len(scope) <= 1 else ".".join(scope[1:] + [words[4]]))
        elif line[0] == "#":
            if any_time:
                out.append(dict(now))
            any_time = True
        elif line[0] == "b":
            for name in names.get(words[1], []):
                now[name] = words[0][1:]
        elif re.match(r"[01xz]\S", line):
            for name in names.get(line[1:], []):
                now[name] = line[0]
    return out + [dict(now)] if any_time else out


def at_rise(samples):
    """One sample a clock cycle: where the clock is high, or every one if there is no clock."""
    rises = [s for last, s in zip([{}] + samples, samples) if s.get("smt_step") != last.get("smt_step")]
    return rises or samples


def number(bits):
    return str(int(re.sub("[xz]", "0", bits or "0"), 2)) if len(bits or "0") <= 63 else f"0x{int(re.sub('[xz]', '0', bits), 2):x}"


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    if len(arguments) < 4:
        print(__doc__)
        sys.exit(0 if "--help" in sys.argv else 2)
    path, name, trace, out = arguments[:4]
    try:
        blocks, _ = manifest.load(path, own="--own" in sys.argv)
    except manifest.ManifestError as problem:
        manifest.fail(problem)
    block = next(b for b in blocks if b.name == name)
    with open(out, "w", encoding="utf-8") as f:
        if "--own" in sys.argv:
            print(f"# manifest {os.path.abspath(path)}", file=f)
        print(f"# block {name}", file=f)
        for setting in arguments[4:]:
            print(f"# param {setting}", file=f)
        print("cycle", "rst_n", *(p.name for p in block.inputs), sep=",", file=f)
        for cycle, sample in enumerate(at_rise(steps(trace))):
            print(cycle, number(sample.get("rst_ni", "1")), *(number(sample.get(f"{p.name}_i")) for p in block.inputs), sep=",", file=f)


if __name__ == "__main__":
    main()
