# SPDX-License-Identifier: Apache-2.0
"""The manifest (configs/blocks.yaml) read, checked and laid out. Used by the generators, at build time only."""

import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import marks  # noqa: E402
import own_rows  # noqa: E402
from expression import Expression, near  # noqa: E402
from marks import ManifestError, line_of, need  # noqa: E402

SLOTS = (8, 16, 32, 64)
BUSY = "busy"
FLAGS = ("enable", "late", "timed")
NAME = re.compile(r"[A-Za-z_]\w*\Z")


class Field:
    """A port, a register or a probe field."""

    def __init__(self, name, width, brief, where, depth=1, flags=(), valid=None, c=None, names=None,
                 array=False, slot=1, most=None, most_rows=None, rtl=None, when=None, asks=None):
        self.array, self.least_slot = array, slot
        self.rtl = rtl or name  # the register's name in the RTL
        self.when = when  # output whose 1 (with "!" before it: whose 0) says that the value counts
        self.asks = asks  # which rows of a register count: a C expression, or True: the model's function; None: all
        self.name, self.brief, self.where = name, brief, where
        self.width, self.depth = Expression(width, where), Expression(depth, where)
        self.enable, self.late, self.timed = "enable" in flags, "late" in flags, "timed" in flags
        self.valid, self.c, self.names = valid, c or name, names
        self.most, self.most_rows = most, most_rows  # of the layout, where the parameters at their maxima say more
        self.rows = self.depth.text != "1"  # a row group, also where it may have one row or none
        for flag in flags:
            if flag not in FLAGS:
                raise ManifestError(f"{where}: unknown flag '{flag}'{near(flag, FLAGS)}; flags are enable, late and timed")

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


def in_terms_of(text, given):
    """The expression `text` over a part's parameters as one over those of the composite, which gives the part `given`."""
    def term(m):
        said = given[m.group(0)].text if m.group(0) in given else m.group(0)
        return said if re.match(r"\w+\Z", said) else f"({said})"

    return re.sub(r"[A-Za-z_]\w*", term, text)


def register_of_part(part, r, given):
    """A register of a composite's part, as the composite has it: u_PART.NAME in the RTL. It is laid out as in the part."""
    if r.asks:
        raise ManifestError(f"{r.where}: a part's rows count by a register (valid:), not by {'valid_when' if isinstance(r.asks, str) else 'valid_model'}")
    field = Field(f"{part}_{r.name}", in_terms_of(r.width.text, given), r.brief, r.where, depth=in_terms_of(r.depth.text, given),
                  names=r.names, array=r.array, valid=r.valid and f"{part}_{r.valid}", slot=r.slot, most=r.most, most_rows=r.most_rows)
    field.rtl, field.part, field.register = f"u_{part}.{r.name}", part, r.name
    return field


PORT_KEYS = ("names", "most", "when", "rtl")
STATE_KEYS = ("reg", "width", "depth", "valid", "valid_when", "valid_model", "c", "brief", "enum", "array", "slot", "most",
              "most_rows", "name")
BUG_KEYS = ("name", "at", "becomes", "ports", "proof", "in")
# of values that are needed; names and enum are checked by names_of(), ports and state row by row
KINDS = {"brief": str, "source": str, "params": dict, "min": dict, "max": dict, "needs": list, "sweep": [dict], "parts": dict, "step": bool,
         "invariants": dict, "laws": [str], "mutants": list, **own_rows.KINDS}
PORT_KINDS = {"most": int, "rtl": str, "when": str}
STATE_KINDS = {"reg": str, "brief": str, "c": str, "name": str, "valid": str, "valid_when": str, "valid_model": bool, "array": bool,
               "slot": int, "most": int, "most_rows": int}
BUG_KINDS = {"name": str, "at": str, "ports": [str], "proof": bool, "in": str}


def check_keys(row, known, where, kinds):
    for key in row:
        if key not in known:
            raise ManifestError(f"{where(key)}: unknown key '{key}'{near(key, known)}; keys are {', '.join(known)}")
        if key in kinds:
            need(row[key], kinds[key], where(key), key)


def names_of(value, where, key):
    """Names of the values of a port or register: a list, or {tables: files} of Tandem's sources; None: they have none."""
    if isinstance(value, dict):
        need(value.get("tables"), [str], where, f"{key}: tables")
    elif value is not None:
        need(value, [str], where, key)
    return value


def port_field(port, where):
    """A row [name, in|out, width, sentence, flags...]; returns (direction, field)."""
    form = "[name, in|out, width, sentence, flags...]"
    if not isinstance(port, list) or not port or not isinstance(port[0], str):
        raise ManifestError(f"{where}: a port is a row {form}")
    where = f"{where}: port {port[0]}"
    if not NAME.match(port[0]):
        raise ManifestError(f"{where}: '{port[0]}' is no name of C and Verilog; write letters, digits and _ "
                            "(the RTL's own spelling goes into {rtl: ...})")
    if len(port) < 2 or port[1] not in ("in", "out"):
        said = f"the direction '{port[1]}' is unknown" if len(port) > 1 else "the direction is missing"
        raise ManifestError(f"{where}: {said}; write in or out: {form}")
    if len(port) < 3 or isinstance(port[2], (dict, list)) or port[2] in FLAGS:
        raise ManifestError(f"{where}: the width is missing: {form}")
    if len(port) < 4 or not isinstance(port[3], str) or port[3] in FLAGS:
        raise ManifestError(f"{where}: the sentence is missing: {form}")
    extras = {}
    for extra in port[4:]:
        if isinstance(extra, dict):
            check_keys(extra, PORT_KEYS, lambda key: where, PORT_KINDS)
            extras.update(extra)
    for flag in ("enable", "late") if port[1] == "out" else ():
        if flag in port[4:]:
            raise ManifestError(f"{where}: '{flag}' is for inputs; leave it out")
    if "when" in extras and port[1] == "in":
        raise ManifestError(f"{where}: 'when' is for outputs; an input always counts")
    field = Field(port[0], port[2], port[3], where, flags=[f for f in port[4:] if not isinstance(f, dict)],
                  names=names_of(extras.get("names"), where, "names"), most=extras.get("most"), when=extras.get("when"), rtl=extras.get("rtl"))
    return port[1], field


def state_field(r, where):
    """A row {reg, width, ...} of the state list."""
    if not isinstance(r, dict) or "reg" not in r or "width" not in r:
        raise ManifestError(f"{where}: a register is a row {{reg, width, depth, valid, c, brief}}; reg or width is missing")
    where = f"{where}: state {r['reg']}"
    check_keys(r, STATE_KEYS, lambda key: where, STATE_KINDS)
    said = [key for key in ("valid", "valid_when", "valid_model") if key in r]
    if len(said) > 1:
        raise ManifestError(f"{where}: both '{said[0]}' and '{said[1]}' say which rows count; keep one")
    name = r.get("name") or re.sub(r"\W+", "_", re.sub(r"^u_dut\.", "", str(r["reg"])))
    return Field(name, r["width"], r.get("brief", ""), where, depth=r.get("depth", 1), valid=r.get("valid"), c=r.get("c"),
                 names=names_of(r.get("enum"), where, "enum"), array=r.get("array", False), slot=r.get("slot", 1), most=r.get("most"),
                 most_rows=r.get("most_rows"), rtl=str(r["reg"]), asks=r.get("valid_when") or r.get("valid_model"))


class Block:
    KEYS = ("family", "brief", "source", "params", "min", "max", "needs", "sweep", "ports", "state", "parts", "step", "invariants", "laws", "mutants")
    OPTIONAL = ("min", "needs", "parts", "step", "invariants")

    def __init__(self, name, row, path, blocks=(), line=0, own=False):
        self.name, self.path, self.line = name, path, line
        self.own, self.implicit_busy = None, False
        place = lambda key=None: f"{path}:{line_of(row, key) if key else line}: {name}"
        self.where = place
        if not isinstance(row, dict):
            raise ManifestError(f"{place()}: a block is a map of the keys {', '.join(self.KEYS)}")
        if not NAME.match(str(name)):
            raise ManifestError(f"{path}:{line}: '{name}' is no name of C and Verilog; write letters, digits and _")
        known = self.KEYS + (own_rows.KEYS if own else ())
        for key in row:
            if key not in known:
                said = "; it belongs in a manifest of your own (--manifest)" if key in own_rows.KEYS else near(key, known)
                raise ManifestError(f"{place(key)}: unknown key '{key}'{said}; keys are {', '.join(known)}")
        for key in self.KEYS:
            if key in row or key in self.OPTIONAL or (key == "state" and "parts" in row) or (own and key in own_rows.DEFAULTS):
                continue
            raise ManifestError(f"{place()}: the key '{key}' is missing")
        for key, kind in KINDS.items():
            if key in row and (row[key] is not None or kind is str):
                need(row[key], kind, place(key), key)
        if own:
            row = marks.with_defaults(row, own_rows.DEFAULTS)
        self.family, self.brief, self.source = row["family"], row["brief"], row["source"]
        self.step = row.get("step", False)  # the C model's eval and tick share what eval finds out
        self.read_parameters(row)
        self.read_needs(row)
        self.read_ports(row)
        self.read_state(row, blocks)
        self.read_laws(row)
        if own:
            self.own = own_rows.Own(self, row)
        self.lay_out()

    def read_parameters(self, row):
        self.params, self.max = dict(row["params"] or {}), dict(row["max"] or row["params"] or {})
        if list(self.params) != list(self.max):
            raise ManifestError(f"{self.where('max')}: 'params' and 'max' must name the same parameters in the same order")
        sweep = row["sweep"] or []
        given = [("params", self.params), ("max", self.max), ("min", row.get("min") or {}), *(("sweep", s) for s in sweep)]
        for key, values in given:
            for p, v in values.items():
                if not isinstance(v, int) or isinstance(v, bool) or not NAME.match(str(p)):
                    raise ManifestError(f"{self.where(key)}: parameter {p}: '{v}' is no integer")
        self.min = {p: (row.get("min") or {}).get(p, 1) for p in self.params}
        for p in row.get("min") or {}:
            if p not in self.params:
                raise ManifestError(f"{self.where('min')}: 'min' names '{p}', which is no parameter")
        self.sets = [self.params] + [{**self.params, **s} for s in sweep]
        for s in self.sets:
            for p, v in s.items():
                if p not in self.max:
                    raise ManifestError(f"{self.where('sweep')}: sweep {p}={v}: '{p}' is no parameter{near(p, self.params)}")
                if not self.min[p] <= v <= self.max[p]:
                    raise ManifestError(f"{self.where('sweep')}: sweep {p}={v} is outside {self.min.get(p)}..{self.max.get(p)}")

    def read_needs(self, row):
        """Conditions between parameters, as (expression, sentence)."""
        self.needs = []
        for n in row.get("needs") or []:
            if not isinstance(n, list) or len(n) != 2 or not all(isinstance(x, str) for x in n):
                raise ManifestError(f"{self.where('needs')}: write [CONDITION, sentence], for example [AF <= D, AF must be at most D]")
            need = Expression(n[0], self.where("needs"))
            if not isinstance(need.tree, tuple) or need.tree[0] not in need.COMPARISONS:
                raise ManifestError(f"{self.where('needs')}: '{n[0]}' is no condition; compare two values by <= < == > >=")
            self.needs.append((need, n[1]))
        for s in self.sets:
            for need, sentence in self.needs:
                if not need.value(s):
                    text = " ".join(f"{p}={v}" for p, v in s.items())
                    key = "params" if s is self.sets[0] else "sweep"
                    raise ManifestError(f"{self.where(key)}: {text} cannot be: {sentence}")

    def read_ports(self, row):
        self.inputs, self.outputs, lines = [], [], {}
        if not isinstance(row["ports"], list):
            raise ManifestError(f"{self.where('ports')}: ports is a list of rows [name, in|out, width, sentence, flags...]")
        for i, port in enumerate(row["ports"]):
            line = line_of(row["ports"], i)
            direction, field = port_field(port, f"{self.path}:{line}: {self.name}")
            if field.name in lines:
                raise ManifestError(f"{field.where}: a port of this name stands in line {lines[field.name]} already; "
                                    "name each once")
            lines[field.name] = line
            (self.inputs if direction == "in" else self.outputs).append(field)
        for f in self.outputs:
            flag = str(f.when).lstrip("!")
            if f.when is not None and flag not in [o.name for o in self.outputs if o.width.text == "1" and o.when is None]:
                raise ManifestError(f"{f.where}: when: '{f.when}' is no output of one bit that always counts")

    def read_state(self, row, blocks):
        state = row.get("state") or []
        if not isinstance(state, list):
            raise ManifestError(f"{self.where('state')}: state is a list of rows {{reg, width, depth, valid, c, brief}}")
        self.regs = [state_field(r, f"{self.path}:{line_of(state, i)}: {self.name}") for i, r in enumerate(state)]
        self.parts, self.given = {}, {}
        for part, said in (row.get("parts") or {}).items():
            where = f"{self.path}:{line_of(row['parts'], part)}: {self.name}: part {part}"
            said = said if isinstance(said, dict) else {"block": said}
            block = said.get("block")
            self.parts[part] = next((b for b in blocks if b.name == block), None)
            if not self.parts[part]:
                raise ManifestError(f"{where}: no block '{block}' stands above; write its row first")
            self.given[part] = self.read_given(self.parts[part], said, where)
            self.regs += [register_of_part(part, r, self.given[part]) for r in self.parts[part].regs]
        names = [r.name for r in self.regs]
        for r in self.regs:
            if names.count(r.name) > 1:
                raise ManifestError(f"{r.where}: two registers are called '{r.name}'; give one of them a name: of its own")
            if r.valid is not None and r.valid not in names:
                raise ManifestError(f"{r.where}: valid register '{r.valid}' is not in the state list")
            if isinstance(r.asks, str):
                own_rows.check_expression(r, self)

    def read_given(self, part, said, where):
        """A part's parameters as expressions over the composite's: those of the same name, or what {block: B, P: EXPRESSION} says."""
        for key in said:
            if key != "block" and key not in part.params:
                raise ManifestError(f"{where}: '{key}' is no parameter of {part.name}{near(key, part.params)}")
        given = {}
        for p, most in part.max.items():
            if p not in said and self.max.get(p) != most:
                raise ManifestError(f"{where} has {p} up to {most}; give the composite the same parameter and max, or the part a value: "
                                    f"{{block: {part.name}, {p}: EXPRESSION}}")
            given[p] = Expression(said.get(p, p), where)
        for s in [*self.sets, self.max]:
            values = {p: e.value(s) for p, e in given.items()}
            for p, v in values.items():
                if not part.min[p] <= v <= part.max[p]:
                    raise ManifestError(f"{where}: {p} is {v}; {part.name} has {part.min[p]}..{part.max[p]}")
            for need_, sentence in part.needs if s is not self.max else []:
                if not need_.value(values):
                    raise ManifestError(f"{where}: {part.name} with {values} cannot be: {sentence}")
        return given

    def read_laws(self, row):
        self.invariants = row.get("invariants") or {}
        self.laws, self.mutants = row["laws"] or [], row["mutants"] or []
        places = [f.name for f in self.outputs + self.regs]
        names = {}
        for i, bug in enumerate(self.mutants):
            where = f"{self.path}:{line_of(row['mutants'], i)}: {self.name}: mutant"
            if not isinstance(bug, dict) or not all(key in bug for key in ("name", "at", "becomes")):
                raise ManifestError(f"{where}: a planted bug is {{name, at, becomes}}; one of them is missing")
            where = f"{where} {bug['name']}"
            check_keys(bug, BUG_KEYS, lambda key: where, BUG_KINDS)
            if bug["name"] in names:
                raise ManifestError(f"{where}: a planted bug of this name stands already; name each once")
            names[bug["name"]] = True
            for port in bug.get("ports", []):
                if port not in places:
                    raise ManifestError(f"{where}: '{port}' is neither an output nor a register of the block{near(port, places)}")

    def lay_out(self):
        # a combinational cell: no registers, so no clock, reset and busy either
        busy = BUSY in [f.name for f in self.outputs]
        self.combinational = not self.own.clocked if self.own else not self.regs and not busy
        if self.own and not busy and not self.combinational:  # never skipped
            self.outputs.append(Field(BUSY, 1, "always 1: the RTL has no such port, so no cycle is skipped", self.where()))
            self.implicit_busy = busy = True
        if self.regs and not busy:
            raise ManifestError(f"{self.where('ports')}: every block with registers has an output 'busy'")
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


def rows(path):
    """The rows of the manifest at `path` as they stand there."""
    found = marks.load(path)
    if not isinstance(found, dict):
        raise ManifestError(f"{path}:1: a manifest is a map of blocks, NAME: {{...}}")
    return found


def load(path, own=False):
    """Blocks and probes of the manifest at `path`; `own`: of a user, with keys of its own."""
    entries = rows(path)
    probes = entries.pop("probes", {})
    blocks = []
    for name, row in entries.items():
        blocks.append(Block(name, row, path, blocks, entries.lines[name], own))
    return (blocks,
            [Probe(name, row, path) for name, row in probes.items()])


def find(blocks, name, path="configs/blocks.yaml"):
    for block in blocks:
        if block.name == name:
            return block
    raise ManifestError(f"{path} has no block '{name}'")


def property_lines(block, *kinds):
    """The texts of the lines `// KIND: TEXT` of testbench/F/B_props.svh, for each of `kinds` in their order there."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    with open(os.path.join(root, "testbench", block.family, block.name + "_props.svh"), encoding="utf-8") as f:
        lines = f.read().splitlines()
    return [line.split(":", 1)[1].strip() for kind in kinds for line in lines if line.startswith(f"// {kind}:")]


def fail(problem):
    print(problem, file=sys.stderr)
    sys.exit(2)
