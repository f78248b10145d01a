# SPDX-License-Identifier: Apache-2.0
"""The RTL of a block, elaborated by Yosys, evaluated on literals of an and-inverter graph."""

import json
import os
import re
import subprocess

from llvm import Unsupported

STEPS = "proc; flatten; opt_expr; opt_clean; memory_collect; opt_clean; async2sync; dffunmap; opt_clean"


def run_yosys(script, path, top):
    with open(path, "w") as file:
        file.write(script + "\n")
    try:
        done = subprocess.run(["yosys", "-q", "-e", "implicitly declared|has no driver", "-s", path], capture_output=True, text=True)
    except FileNotFoundError:
        raise Unsupported("yosys is not on PATH; install the package yosys")
    if done.returncode:
        said = done.stdout + done.stderr
        rule = re.search(r"_needs_([a-z0-9_]+)'", said)  # rtl/include/needs.vh names its check after the rule
        if rule:
            raise Unsupported(f"the parameters of {top} break a rule of the block: {rule[1].replace('_', ' ')}")
        raise Unsupported(f"Yosys cannot elaborate {top}:\n{said}")


def elaborate(files, includes, top, params, work):
    """The top module of `files` (the last one is read at once, the others when they are used) as Yosys writes it in JSON."""
    reads = [f"read_verilog -sv {'-defer' if f != files[-1] else ''} {' '.join('-I' + i for i in includes)} {f}" for f in files]
    chparam = " ".join(f"-chparam {name} {value}" for name, value in params.items())
    out = os.path.join(work, "netlist.json")
    script = "\n".join(reads + [f"hierarchy -check -top {top} {chparam}", *STEPS.split("; "), f"write_json {out}"])
    run_yosys(script, os.path.join(work, "elaborate.ys"), top)
    with open(out) as file:
        modules = json.load(file)["modules"]
    chosen = [m for m in modules.values() if int(m["attributes"].get("top", "0"), 2)]
    return chosen[0] if chosen else modules[top]


class Netlist:
    def __init__(self, module, words):
        self.module, self.words, self.aig = module, words, words.aig
        self.driver, self.registers = {}, {}  # bit to its cell; Q bit to D bit
        self.memories = {}                    # name to cell; a bit of a word is (name, word, bit)
        self.unknown = 0
        self.collisions = []                  # literals that must be false: two ports without an order write one word
        for name, cell in module["cells"].items():
            if cell["type"] == "$dff":
                if not int(cell["parameters"]["CLK_POLARITY"], 2):
                    raise Unsupported(f"{name} is clocked by the falling edge")
                for d, q in zip(cell["connections"]["D"], cell["connections"]["Q"]):
                    self.registers[q] = d
            elif cell["type"] == "$mem_v2":
                self.add_memory(cell)
            elif "Y" in cell["connections"]:
                for bit in cell["connections"]["Y"]:
                    self.driver[bit] = cell
            elif not cell["type"].startswith("$") or cell["type"] not in ("$print", "$scopeinfo", "$assert", "$assume", "$cover"):
                raise Unsupported(f"cell {name} of type {cell['type']}")

    def add_memory(self, cell):
        if int(cell["parameters"]["RD_CLK_ENABLE"], 2):
            raise Unsupported(f"memory {cell['parameters']['MEMID']} with a registered read port")
        name = cell["parameters"]["MEMID"].lstrip("\\")
        size, width = self.number(cell, "SIZE"), self.number(cell, "WIDTH")
        self.memories[name] = cell
        wide, joined = self.number(cell, "ABITS"), cell["connections"]
        for port in range(self.number(cell, "RD_PORTS")):  # a cell for each: the address of one may depend on what another reads
            address, data = joined["RD_ADDR"][port * wide:(port + 1) * wide], joined["RD_DATA"][port * width:(port + 1) * width]
            reader = {**cell, "parameters": {**cell["parameters"], "RD_PORTS": "1"}, "connections": {**joined, "RD_ADDR": address, "RD_DATA": data}}
            for bit in data:
                self.driver[bit] = reader
        for word in range(size):
            for k in range(width):
                self.registers[(name, word, k)] = (name, word, k)

    @staticmethod
    def number(cell, parameter):
        return int(cell["parameters"][parameter], 2)

    def word(self, name, row):
        """Bits of word `row` of an array, as registers or in a memory, or None."""
        if name in self.memories:
            return [(name, row, k) for k in range(self.number(self.memories[name], "WIDTH"))]
        return self.wire(f"{name}[{row}]")

    def wire(self, name):
        """Bits of a net, or None."""
        net = self.module["netnames"].get(name)
        return net and net["bits"]

    def port(self, name):
        return self.module["ports"][name]["bits"]

    def free(self):
        self.unknown += 1
        return self.aig.input(f"x{self.unknown}")

    def evaluate(self, roots, known):
        """Literals of the bits `roots`; `known`: literals of input and register bits. Bits that nothing drives are free."""
        value = {"0": 0, "1": 1}
        value.update(known)
        stack = [bit for bit in roots if bit not in value]
        entered = set()
        while stack:
            bit = stack[-1]
            if bit in value or bit in ("x", "z"):  # each use of an unknown bit is free by itself
                stack.pop()
                continue
            if bit not in self.driver:
                value[stack.pop()] = self.free()
                continue
            cell = self.driver[bit]
            wait = [b for b in self.read_by(cell) if b not in value and b not in ("x", "z")]
            if wait:
                if bit in entered:
                    raise Unsupported(f"a combinational loop through {cell['type']}")
                entered.add(bit)
                stack += wait
                continue
            get = lambda port: tuple(value[b] if b in value else self.free() for b in cell["connections"][port])
            if cell["type"] == "$mem_v2":
                value.update(zip(cell["connections"]["RD_DATA"], self.read_memory(cell, get, value)))
            else:
                value.update(zip(cell["connections"]["Y"], self.cell(cell, get)))
            stack.pop()
        return [value[b] if b in value else self.free() for b in roots]

    @staticmethod
    def read_by(cell):
        """Bits on which a cell's outputs depend combinationally."""
        if cell["type"] == "$mem_v2":
            return cell["connections"]["RD_ADDR"]
        return [b for port, bits in cell["connections"].items() if port != "Y" for b in bits]

    def read_memory(self, cell, get, value):
        name = cell["parameters"]["MEMID"].lstrip("\\")
        size, width, wide = (self.number(cell, p) for p in ("SIZE", "WIDTH", "ABITS"))
        words = [tuple(value[(name, row, k)] for k in range(width)) for row in range(size)]
        address, out = get("RD_ADDR"), []
        for port in range(self.number(cell, "RD_PORTS")):
            bits = address[port * wide:(port + 1) * wide]
            layer = words + [tuple(self.free() for _ in range(width)) for _ in range((1 << wide) - size if wide < 20 else 0)]
            for bit in bits:
                layer = [self.words.mux(bit, layer[i + 1] if i + 1 < len(layer) else layer[i], layer[i]) for i in range(0, len(layer), 2)]
            out += layer[0]
        return out

    def write_memories(self, known):
        """Next values of the memories' bits; `known` as for evaluate."""
        nexts = {}
        for name, cell in self.memories.items():
            size, width, wide, ports = (self.number(cell, p) for p in ("SIZE", "WIDTH", "ABITS", "WR_PORTS"))
            bits = [b for port in ("WR_ADDR", "WR_DATA", "WR_EN") for b in cell["connections"][port]]
            values = self.evaluate(bits, known)
            address, data, enable = (values[:ports * wide], values[ports * wide:ports * (wide + width)], values[ports * (wide + width):])
            selects = [self.decode(address[p * wide:(p + 1) * wide], size) for p in range(ports)]
            order = self.number(cell, "WR_PRIORITY_MASK")
            for p in range(ports):
                for q in range(p):
                    if not order >> (p * ports + q) & 1:
                        same = self.words.equal(address[p * wide:(p + 1) * wide], address[q * wide:(q + 1) * wide])
                        both = [self.aig.conj(enable[p * width + k], enable[q * width + k]) for k in range(width)]
                        self.collisions.append(self.aig.conj(same, self.aig.any(set(both))))
            for row in range(size):
                for k in range(width):
                    literal = known[(name, row, k)]
                    for p in range(ports):
                        literal = self.aig.mux(self.aig.conj(selects[p][row], enable[p * width + k]), data[p * width + k], literal)
                    nexts[(name, row, k)] = literal
        return nexts

    def decode(self, address, size):
        """One literal for each of `size` words."""
        layer = [1]
        for k, bit in reversed(list(enumerate(address))):
            layer = [self.aig.conj(one, bit ^ (1 - side)) for one in layer for side in (0, 1)][:((size - 1) >> k) + 1]
        return layer

    def operands(self, cell, get, width):
        """A and B at `width`, each extended by its sign if the cell is signed."""
        signed = int(cell["parameters"]["A_SIGNED"], 2) and int(cell["parameters"].get("B_SIGNED", "1"), 2)
        for port in "AB":
            if port in cell["connections"]:
                word = get(port)
                yield (word + ((word[-1] if signed else 0),) * (width - len(word)))[:width]

    def cell(self, cell, get):
        kind, words, aig = cell["type"][1:], self.words, self.aig
        size = len(cell["connections"]["Y"])
        one = lambda literal: (literal,) + (0,) * (size - 1)
        if kind in ("and", "or", "xor", "xnor", "add", "sub", "mul"):
            a, b = self.operands(cell, get, size)
            if kind in ("add", "sub", "mul"):
                return {"add": words.add, "sub": words.sub, "mul": words.multiply}[kind](a, b)
            function = {"and": aig.conj, "or": aig.disj, "xor": aig.xor, "xnor": lambda x, y: aig.xor(x, y) ^ 1}[kind]
            return words.map2(function, a, b)
        if kind in ("not", "pos", "neg"):
            a, = self.operands(cell, get, size)
            return {"not": words.invert, "pos": lambda x: x, "neg": words.negate}[kind](a)
        if kind == "mux":
            return words.mux(get("S")[0], get("B"), get("A"))
        if kind == "pmux":
            return self.parallel_mux(get("A"), get("B"), get("S"))
        if kind.startswith("reduce_"):
            a = get("A")
            if kind in ("reduce_xor", "reduce_xnor"):
                odd = 0
                for bit in a:
                    odd = aig.xor(odd, bit)
                return one(odd ^ (kind == "reduce_xnor"))
            return one(aig.all(a) if kind == "reduce_and" else aig.any(a))
        if kind == "logic_not":
            return one(words.zero(get("A")))
        if kind in ("logic_and", "logic_or"):
            function = aig.conj if kind == "logic_and" else aig.disj
            return one(function(aig.any(get("A")), aig.any(get("B"))))
        if kind in ("eq", "ne", "eqx", "nex", "lt", "le", "gt", "ge"):
            return one(self.compare(kind, cell, get))
        if kind in ("shl", "sshl", "shr", "sshr", "shift", "shiftx"):
            return self.shift(kind, cell, get, size)
        if kind in ("div", "mod"):
            return self.division(kind, cell, get, size)
        if kind in ("anyseq", "anyconst"):
            return tuple(self.free() for _ in range(size))
        raise Unsupported(f"a cell of type {cell['type']}")

    def parallel_mux(self, a, b, s):
        """Yosys leaves open what several selects give; here they are or-ed, as its simulation library does for exclusive ones."""
        aig, width = self.aig, len(a)
        result = [aig.conj(bit, aig.any(s) ^ 1) for bit in a]
        for k, select in enumerate(s):
            for i in range(width):
                result[i] = aig.disj(result[i], aig.conj(select, b[k * width + i]))
        return tuple(result)

    def compare(self, kind, cell, get):
        words = self.words
        width = max(len(cell["connections"]["A"]), len(cell["connections"]["B"]))
        a, b = self.operands(cell, get, width)
        if kind in ("eq", "eqx"):
            return words.equal(a, b)
        if kind in ("ne", "nex"):
            return words.equal(a, b) ^ 1
        signed = int(cell["parameters"]["A_SIGNED"], 2) and int(cell["parameters"]["B_SIGNED"], 2)
        at_least = words.at_least_signed if signed else words.at_least
        return {"ge": lambda: at_least(a, b), "lt": lambda: at_least(a, b) ^ 1, "le": lambda: at_least(b, a),
                "gt": lambda: at_least(b, a) ^ 1}[kind]()

    def shift(self, kind, cell, get, size):
        words, a, by = self.words, get("A"), get("B")
        signed = int(cell["parameters"]["A_SIGNED"], 2)
        width = max(size, len(a))
        if kind == "shiftx":
            a = a + tuple(self.free() for _ in range(width + size - len(a)))
            fill = self.free()
        else:
            fill = a[-1] if signed and kind != "shl" else 0
            a = a + (fill if signed else 0,) * (width - len(a))
        if kind in ("shift", "shiftx") and int(cell["parameters"]["B_SIGNED"], 2):
            away = words.negate(by)
            right, left = words.shift(a, by[:-1], False, fill), words.shift(a, away, True, fill if kind == "shiftx" else 0)
            return words.mux(by[-1], left, right)[:size]
        left = kind in ("shl", "sshl")
        return words.shift(a, by, left, 0 if left or kind == "shr" else fill if kind in ("sshr", "shiftx") and (signed or kind == "shiftx") else 0)[:size]

    def division(self, kind, cell, get, size):
        words = self.words
        width = max(size, len(cell["connections"]["A"]), len(cell["connections"]["B"]))
        a, b = self.operands(cell, get, width)
        if int(cell["parameters"]["A_SIGNED"], 2) and int(cell["parameters"]["B_SIGNED"], 2):
            raise Unsupported("a signed division")
        if words.number(b) is None:
            a = words.mux(words.zero(b), tuple(self.free() for _ in a), a)
        return words.divide(a, b)[kind == "mod"][:size]
