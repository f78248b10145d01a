# SPDX-License-Identifier: Apache-2.0
"""Do the registers of a netlist agree with the state list of a block?

registers.py MANIFEST BLOCK NETLIST.json P=V,... [--own] [--extra]

NETLIST.json is Yosys' flat netlist before arrays become flip-flops. Prints the totals, and if they differ each register with the bits of
both sides. --own: MANIFEST is a user's own. --extra: counts one bit more than the netlist has, to see that it is noticed. Exit
codes: 0 they agree, 1 they differ, 2 bad input.
"""

import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import manifest  # noqa: E402

FLIP_FLOP = re.compile(r"\$_?(a|s|al)?(dff|d?latch|sr|ff)", re.I)


def value(text):
    return int(text, 2) if isinstance(text, str) else text


def names_of_bits(module):
    """bit -> name; a name of the RTL rather than one that Yosys made, and no port if there is another."""
    names = {}
    for name, net in module["netnames"].items():
        rank = (net["hide_name"], name in module["ports"], len(name), name)
        for bit in net["bits"]:
            names[bit] = min(names.get(bit, rank), rank)
    return {bit: rank[-1] for bit, rank in names.items()}


def counted(module, listed):
    """Bits of each register of the netlist; a register is called as the state list calls it, where it can be."""
    names, count = names_of_bits(module), {}
    whole = lambda name: name if name in listed else re.sub(r"(\[\d+\])+$", "", name)  # x[3], a row of x
    known = {bit: whole(name) for name, net in module["netnames"].items() if whole(name) in listed for bit in net["bits"]}
    for cell in module["cells"].values():
        if cell["type"].startswith("$mem"):
            parameters = cell["parameters"]
            name = parameters["MEMID"].lstrip("\\")
            count[name] = count.get(name, 0) + value(parameters["SIZE"]) * value(parameters["WIDTH"])
        elif FLIP_FLOP.match(cell["type"]):
            for bit in cell["connections"]["Q"]:
                name = known.get(bit) or names.get(bit, "?")
                count[name] = count.get(name, 0) + 1
    return count


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    if len(arguments) != 4:
        print(__doc__)
        sys.exit(0 if "--help" in sys.argv else 2)
    path, name, netlist, params = arguments
    try:
        blocks, _ = manifest.load(path, own="--own" in sys.argv)
        block = manifest.find(blocks, name, path)
        settings = dict(block.params)
        settings.update((p, int(v)) for p, v in (s.split("=") for s in params.split(",") if s))
        listed = {r.rtl: r.width.value(settings) * r.depth.value(settings) for r in block.regs}
    except manifest.ManifestError as problem:
        manifest.fail(problem)
    with open(netlist, encoding="utf-8") as f:
        modules = json.load(f)["modules"]
    top = next(m for m in modules.values() if value(m.get("attributes", {}).get("top", "0")))
    count = counted(top, listed)
    if "--extra" in sys.argv:
        count["extra_q"] = 1
    rows = {r.rtl: r for r in block.regs}
    different = [n for n in sorted(set(listed) | set(count)) if listed.get(n, 0) != count.get(n, 0)]
    if sum(count.values()) == sum(listed.values()):  # a register may be listed by another net that has its value
        different = []
    print(f"{name} {params}: {sum(count.values())} flip-flop bits, {sum(listed.values())} listed")
    for n in different:
        said = f"{listed[n]} listed" if n in listed else "not listed"
        print(f"{rows[n].where if n in rows else block.where('state')}: {n}: {count.get(n, 0)} bits in the RTL, {said}")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
