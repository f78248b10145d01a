# SPDX-License-Identifier: Apache-2.0
"""The manifest (configs/blocks.yaml) read, checked and laid out. Used by the generators, at build time only."""

import os
import re
import sys

import yaml

TOKEN = re.compile(r"\s*(\d+|[A-Za-z_]\w*|[-+*/(),])")
SLOTS = (8, 16, 32, 64)
BUSY = "busy"


class ManifestError(Exception):
    """A sentence that names file, block, key and the mend."""


class Expression:
    """An integer expression over parameters: + - * / ( ) clog2(x) bits(x) pow2(x) max(x,y) min(x,y) eq(x,y)."""

    FUNCTIONS = {"clog2": 1, "bits": 1, "pow2": 1, "max": 2, "min": 2, "eq": 2}

    def __init__(self, text, where):
        self.text, self.where = str(text), where
        self.tokens, position = [], 0
        while position < len(self.text.rstrip()):
            match = TOKEN.match(self.text, position)
            if not match:
                raise ManifestError(f"{where}: cannot read the width '{self.text}'; use + - * / ( ) clog2 bits pow2 max min eq")
            self.tokens.append(match.group(1))
            position = match.end()
        self.next = 0
        self.tree = self.sum()
        if self.next != len(self.tokens):
            raise ManifestError(f"{where}: the width '{self.text}' has a stray '{self.tokens[self.next]}'")

    def peek(self):
        return self.tokens[self.next] if self.next < len(self.tokens) else ""

    def take(self):
        token = self.peek()
        self.next += 1
        return token

    def binary(self, operators, operand):
        tree = operand()
        while self.peek() in operators:
            tree = (self.take(), tree, operand())
        return tree

    def sum(self):
        return self.binary(("+", "-"), self.product)

    def product(self):
        return self.binary(("*", "/"), self.atom)

    def atom(self):
        token = self.take()
        if token.isdigit():
            return int(token)
        if token == "(":
            tree = self.sum()
        elif token in self.FUNCTIONS and self.take() == "(":
            tree = [token, self.sum()]
            while self.peek() == ",":
                self.take()
                tree.append(self.sum())
            if len(tree) - 1 != self.FUNCTIONS[token]:
                raise ManifestError(f"{self.where}: {token} in '{self.text}' has a wrong number of arguments")
            tree = tuple(tree)
        elif re.match(r"[A-Za-z_]", token):
            return token
        else:
            raise ManifestError(f"{self.where}: the width '{self.text}' ends too early")
        if self.take() != ")":
            raise ManifestError(f"{self.where}: a ')' is missing in '{self.text}'")
        return tree

    def value(self, params, tree=None):
        tree = self.tree if tree is None else tree
        if isinstance(tree, int):
            return tree
        if isinstance(tree, str):
            if tree not in params:
                raise ManifestError(f"{self.where}: '{tree}' in '{self.text}' is no parameter of the block")
            return params[tree]
        a = [self.value(params, t) for t in tree[1:]]
        clog2 = lambda n: max(0, (n - 1).bit_length())
        return {"+": lambda: a[0] + a[1], "-": lambda: a[0] - a[1], "*": lambda: a[0] * a[1],
                "/": lambda: a[0] // a[1], "clog2": lambda: clog2(a[0]), "bits": lambda: max(1, clog2(a[0])),
                "pow2": lambda: 1 << a[0], "max": lambda: max(a), "min": lambda: min(a),
                "eq": lambda: int(a[0] == a[1])}[tree[0]]()

    def text_in(self, name, clog2, tree=None):
        """The expression in another language: name(p) writes a parameter, clog2 names the function."""
        tree = self.tree if tree is None else tree
        if isinstance(tree, int):
            return str(tree)
        if isinstance(tree, str):
            return name(tree)
        a = [self.text_in(name, clog2, t) for t in tree[1:]]
        if tree[0] == "clog2":
            return f"{clog2}({a[0]})"
        if tree[0] == "bits":
            return f"(({a[0]}) <= 2 ? 1 : {clog2}({a[0]}))"
        if tree[0] == "pow2":
            return f"(1 << ({a[0]}))"
        if tree[0] == "eq":
            return f"(({a[0]}) == ({a[1]}) ? 1 : 0)"
        if tree[0] in ("max", "min"):
            return f"(({a[0]}) {'>' if tree[0] == 'max' else '<'} ({a[1]}) ? ({a[0]}) : ({a[1]}))"
        return f"({a[0]} {tree[0]} {a[1]})"


class Field:
    """A port, a register or a probe field."""

    def __init__(self, name, width, brief, where, depth=1, flags=(), valid=None, c=None, names=None,
                 array=False, slot=1, most=None, most_rows=None):
        self.array, self.least_slot = array, slot
        self.rtl = name  # the register's name in the RTL
        self.name, self.brief, self.where = name, brief, where
        self.width, self.depth = Expression(width, where), Expression(depth, where)
        self.enable, self.late, self.timed = "enable" in flags, "late" in flags, "timed" in flags
        self.valid, self.c, self.names = valid, c or name, names
        self.most, self.most_rows = most, most_rows  # of the layout, where the parameters at their maxima say more
        self.rows = self.depth.text != "1"  # a row group, also where it may have one row or none
        for flag in flags:
            if flag not in ("enable", "late", "timed"):
                raise ManifestError(f"{where}: unknown flag '{flag}'; flags are enable, late and timed")

    def lay_out(self, params):
        self.max_width = self.most or self.width.value(params)
        self.max_depth = self.most_rows or self.depth.value(params)
        if self.max_width < 1 or self.max_depth < 1:
            raise ManifestError(f"{self.where}: width and depth must be at least 1")
        bits = max(self.max_width, self.least_slot)
        self.slot = next((s for s in SLOTS if s >= bits), (bits + 31) // 32 * 32)
        self.wide = self.slot > 64

    @property
    def c_type(self):
        return "uint32_t" if self.wide else f"uint{self.slot}_t"

    @property
    def c_suffix(self):
        depth = f"[{self.max_depth}]" if self.max_depth > 1 else ""
        return depth + (f"[{self.slot // 32}]" if self.wide else "")


class Layout:
    """Fields in slots, largest alignment first, so that the C structure is the packed vector."""

    def __init__(self, fields, params, spare=0):
        self.fields = fields
        for f in fields:
            f.lay_out(params)
        alignment = lambda f: 32 if f.wide else f.slot
        self.order = sorted(fields, key=lambda f: (-alignment(f), not f.enable))  # enables side by side
        offset = 0
        for f in self.order:
            f.offset = offset
            offset += f.slot * f.max_depth
        self.bits = max(32, (offset + spare + 31) // 32 * 32)
        self.padding = self.bits - offset
        self.used = offset

    @property
    def bytes(self):
        return self.bits // 8


def register_of_part(part, r):
    """A register of a composite's part, as the composite has it: u_PART.NAME in the RTL."""
    field = Field(f"{part}_{r.name}", r.width.text, r.brief, r.where, depth=r.depth.text, names=r.names, array=r.array,
                  valid=r.valid and f"{part}_{r.valid}", slot=r.least_slot, most=r.most, most_rows=r.most_rows)
    field.rtl, field.part, field.register = f"u_{part}.{r.name}", part, r.name
    return field


class Block:
    def __init__(self, name, row, path, blocks=()):
        where = f"{path}: {name}"
        known = {"family", "brief", "source", "params", "min", "max", "sweep", "ports", "state", "laws", "mutants"}
        for key in row:
            if key not in known | {"min", "parts"}:
                raise ManifestError(f"{where}: unknown key '{key}'; keys are {', '.join(sorted(known))}, min")
        for key in known:
            if key not in row and not (key == "state" and "parts" in row) and key != "min":
                raise ManifestError(f"{where}: the key '{key}' is missing")
        self.name, self.family, self.brief, self.source = name, row["family"], row["brief"], row["source"]
        self.params, self.max = dict(row["params"]), dict(row["max"])
        if list(self.params) != list(self.max):
            raise ManifestError(f"{where}: 'params' and 'max' must name the same parameters in the same order")
        self.min = {p: row.get("min", {}).get(p, 1) for p in self.params}
        for p in row.get("min", {}):
            if p not in self.params:
                raise ManifestError(f"{where}: 'min' names '{p}', which is no parameter")
        self.sets = [self.params] + [{**self.params, **s} for s in row["sweep"]]
        for s in self.sets:
            for p, v in s.items():
                if p not in self.max or not self.min[p] <= v <= self.max[p]:
                    raise ManifestError(f"{where}: sweep {p}={v} is outside {self.min.get(p)}..{self.max.get(p)}")
        self.inputs, self.outputs = [], []
        for port in row["ports"]:
            extras = {key: value for extra in port[4:] if isinstance(extra, dict) for key, value in extra.items()}
            field = Field(port[0], port[2], port[3], f"{where}: port {port[0]}",
                          flags=[f for f in port[4:] if isinstance(f, str)], names=extras.get("names"), most=extras.get("most"))
            {"in": self.inputs, "out": self.outputs}[port[1]].append(field)
        self.regs = [Field(r["reg"], r["width"], r.get("brief", ""), f"{where}: state {r['reg']}",
                           depth=r.get("depth", 1), valid=r.get("valid"), c=r.get("c"), names=r.get("enum"),
                           array=r.get("array", False), slot=r.get("slot", 1), most=r.get("most"),
                           most_rows=r.get("most_rows"))
                     for r in row.get("state") or []]
        self.parts = {}
        for part, block in (row.get("parts") or {}).items():
            self.parts[part] = next((b for b in blocks if b.name == block), None)
            if not self.parts[part]:
                raise ManifestError(f"{where}: part {part}: no block '{block}' stands above; write its row first")
            for p, most in self.parts[part].max.items():
                if self.max.get(p) != most:
                    raise ManifestError(f"{where}: part {part} has {p} up to {most}; give the composite the same parameter and max")
            self.regs += [register_of_part(part, r) for r in self.parts[part].regs]
        names = [r.name for r in self.regs]
        for r in self.regs:
            if r.valid is not None and r.valid not in names:
                raise ManifestError(f"{r.where}: valid register '{r.valid}' is not in the state list")
        # a combinational cell: no registers, so no clock, reset and busy either
        busy = BUSY in [f.name for f in self.outputs]
        self.combinational = not self.regs and not busy
        if self.regs and not busy:
            raise ManifestError(f"{where}: every block with registers has an output 'busy'")
        self.laws, self.mutants = row["laws"] or [], row["mutants"] or []
        self.in_layout, self.out_layout = Layout(self.inputs, self.max), Layout(self.outputs, self.max, 8 if self.combinational else 0)
        self.reg_layout = Layout(self.regs, self.max)
        self.has_late = any(f.late for f in self.inputs)
        for f in self.inputs + self.outputs + self.regs:
            for s in self.sets:
                if f.width.value(s) > f.slot or f.depth.value(s) > f.max_depth:
                    raise ManifestError(f"{f.where}: larger than laid out ({f.slot} bits, {f.max_depth} rows) with {s}")


def enumeration(value, path):
    """Names of an enumeration: a list, or {tables: files} with rows X(identifier, name, ...) of C, relative to the root."""
    if not isinstance(value, dict):
        return value
    names, root = [], os.path.dirname(os.path.dirname(os.path.abspath(path)))
    for table in value["tables"]:
        with open(os.path.join(root, table), encoding="utf-8") as f:
            names += re.findall(r"^X\(\w+, (\w+),", f.read(), re.MULTILINE)
    return names


class Probe:
    def __init__(self, name, row, path):
        self.name, self.brief = name, row["brief"]
        self.fields = [Field(f["name"], f["width"], f["brief"], f"{path}: probe {name}", names=enumeration(f.get("enum"), path))
                       for f in row["fields"]]
        self.layout = Layout(self.fields, {})


def load(path):
    """Blocks and probes of the manifest at `path`."""
    try:
        with open(path, encoding="utf-8") as f:
            rows = yaml.safe_load(f)
    except (OSError, yaml.YAMLError) as problem:
        raise ManifestError(f"{path}: {problem}") from problem
    probes = rows.pop("probes", {})
    blocks = []
    for name, row in rows.items():
        blocks.append(Block(name, row, path, blocks))
    return (blocks,
            [Probe(name, row, path) for name, row in probes.items()])


def fail(problem):
    print(problem, file=sys.stderr)
    sys.exit(2)
