# SPDX-License-Identifier: Apache-2.0
"""Which signals of a flat netlist of Yosys (JSON) stand behind its bits: what the suspects of a divergence are measured by."""

import collections


class Logic:
    """`module`: of the JSON."""

    def __init__(self, module):
        self.module = module
        self.readers, self.names = collections.defaultdict(list), collections.defaultdict(set)
        for cell in self.module["cells"].values():
            for pin, bits in cell["connections"].items():
                if cell["port_directions"].get(pin) == "input":
                    for bit in bits:
                        self.readers[bit].append(cell)
        for name, net in self.module["netnames"].items():
            if not net["hide_name"]:
                for bit in net["bits"]:
                    self.names[bit].add(name)

    @staticmethod
    def outputs(cell):
        return [b for pin, bits in cell["connections"].items() if cell["port_directions"].get(pin) == "output" for b in bits]

    @staticmethod
    def memory(cell):
        return cell["parameters"]["MEMID"].lstrip("\\") if cell["type"].startswith("$mem") else None

    def forward(self, bits):
        """The names that these bits have, or else the first ones behind them; and the bits of those."""
        seen, todo, names, ends = set(), [b for b in bits if isinstance(b, int)], set(), set()
        while todo:
            bit = todo.pop()
            if bit in seen or not isinstance(bit, int):
                continue
            seen.add(bit)
            if self.names[bit]:
                names |= self.names[bit]
                ends.add(bit)
                continue
            for cell in self.readers[bit]:
                if self.memory(cell):
                    names.add(self.memory(cell))
                else:
                    todo += self.outputs(cell)
        return names, ends

    def behind(self, bits):
        """The names of what reads these bits: their direct fan-out."""
        outputs, memories = [], set()
        for cell in (c for bit in bits for c in self.readers[bit]):
            if self.memory(cell):
                memories.add(self.memory(cell))
            else:
                outputs += self.outputs(cell)
        return self.forward(outputs)[0] | memories


def rank(names, wanted):
    """Of the first of `names` that is wanted, from 1; 0: none is."""
    return next((i + 1 for i, name in enumerate(names) if name in wanted), 0)


def print_shares(ranks, what):
    """`ranks`: of each case that of the signal or its fan-out, of the signal, and of the first in the list upside down."""
    n = len(ranks)
    for k, whose in enumerate(("the signal or its direct fan-out", "the signal itself", "with the list upside down")):
        first, three = (sum(1 for r in ranks if 0 < r[k] <= most) for most in (1, 3))
        print(f"{whose}: first {100 * first / n:.1f} %, among the first three {100 * three / n:.1f} % of {n} {what}")
