# SPDX-License-Identifier: Apache-2.0
"""What a row of a user's own manifest says beyond a row of Tandem's: where RTL, model and stimulus lie, and how the RTL is joined.

files     Verilog or SystemVerilog files, packages first        include   folders of `include files
defines   NAME or NAME=VALUE                                     top       module of the RTL; default: the block's name
clock     port, or none                                          reset     {port, active: low|high, async: true|false}, or none
rtl_params  {RTL parameter: expression over the block's parameters, or a text with ::}; default: the same names
buses     {RTL port: width or type} of a port that rows take in pieces      tie   {RTL input: value}      open   [RTL output]
model     the C model                                            drive     the random stimulus; default: a generated one
props     properties for proofs

Paths are relative to the manifest. A row with top, clock or reset names RTL ports as they are; else the RTL follows Tandem's
rules (clk_i, rst_ni, NAME_i, NAME_o).
"""

import os
import re

from expression import Expression, near
from marks import ManifestError, line_of, need

KEYS = ("files", "include", "defines", "top", "clock", "reset", "rtl_params", "buses", "tie", "open", "model", "drive", "props")
KINDS = {"top": str, "clock": str, "rtl_params": dict, "buses": dict, "tie": dict, "model": str, "drive": str, "props": str}
DEFAULTS = {"family": "own", "source": "", "params": {}, "max": None, "sweep": [], "state": [], "laws": [], "mutants": []}
PIECE = re.compile(r"\s*([A-Za-z_]\w*)((?:\[[^\]]+\]|\.[A-Za-z_]\w*)*)\s*\Z")
TEXT_TOKEN = re.compile(r"\s*(0x[0-9a-fA-F]+|\d+|[A-Za-z_]\w*|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>()\[\]?:])")
MODELS = (".c", ".cc", ".cpp", ".cxx", ".rs")


def check_expression(r, block):
    """valid_when: C over registers, parameters and `row`; only names that exist."""
    names = {"row"} | set(block.params) | {f.name for f in block.regs if not f.asks}
    at, text, out = 0, r.asks.rstrip(), []
    while at < len(text):
        match = TEXT_TOKEN.match(text, at)
        if not match:
            raise ManifestError(f"{r.where}: valid_when: cannot read '{text[at:].strip()}'; write C over registers, parameters and row")
        token, at = match.group(1), match.end()
        if re.match(r"[A-Za-z_]", token) and token not in names:
            raise ManifestError(f"{r.where}: valid_when: '{token}' is no parameter, not row, and no register all of whose rows count")
        out.append(f"(uint32_t)c->{token}" if token in block.params else f"r->{token}" if token in names - {"row"} else token)
    r.asks = " ".join(out)


class Reset:
    def __init__(self, value, where):
        self.port, self.high, self.asynchronous = None, False, False
        if value == "none":
            return
        if isinstance(value, str):
            value = {"port": value}
        if not isinstance(value, dict) or not isinstance(value.get("port"), str):
            raise ManifestError(f"{where}: write reset: {{port: NAME, active: low|high, async: true|false}}, or reset: none")
        for key in value:
            if key not in ("port", "active", "async"):
                raise ManifestError(f"{where}: unknown key '{key}' of reset; keys are port, active, async")
        if value.get("active", "low") not in ("low", "high"):
            raise ManifestError(f"{where}: active: '{value['active']}' is neither low nor high")
        if not isinstance(value.get("async", False), bool):
            raise ManifestError(f"{where}: async: '{value['async']}' is neither true nor false")
        self.port, self.high, self.asynchronous = value["port"], value.get("active") == "high", value.get("async", False)


class Own:
    def __init__(self, block, row):
        self.block, self.row = block, row
        self.folder = os.path.dirname(os.path.abspath(block.path))
        where = block.where
        for key in ("files", "model"):
            if not row.get(key):
                raise ManifestError(f"{where()}: the key '{key}' is missing; " + {
                    "files": "it lists the Verilog or SystemVerilog files, packages first",
                    "model": "it names the C model (tandem new block writes one to start from)"}[key])
        self.files = [self.existing(f, "files") for f in self.listed("files")]
        self.include = [self.existing(f, "include") for f in self.listed("include")]
        self.defines = [str(d) for d in self.listed("defines")]
        for d in self.defines:
            if not re.match(r"[A-Za-z_]\w*(=[^'\s]*)?\Z", d):
                raise ManifestError(f"{where('defines')}: '{d}': write NAME or NAME=VALUE, without spaces and quotes")
        self.model = self.existing(row["model"], "model")
        if os.path.splitext(self.model)[1] not in MODELS:
            raise ManifestError(f"{where('model')}: '{row['model']}': a model is a file {', '.join('*' + m for m in MODELS)}")
        if block.step and self.model.endswith(".rs"):
            raise ManifestError(f"{where('step')}: step is for models in C and C++; leave it out")
        for r in block.regs:
            if r.asks is True and self.model.endswith(".rs"):
                raise ManifestError(f"{r.where}: valid_model is for models in C and C++; write valid_when: with an expression")
        self.drive = self.existing(row["drive"], "drive") if row.get("drive") else None
        self.props = self.existing(row["props"], "props") if row.get("props") else None
        self.foreign = any(key in row for key in ("top", "clock", "reset"))
        self.top = row.get("top", block.name)
        self.read_clock(row)
        self.read_parameters(row)
        self.read_pins(row)
        self.bug_files()
        busy = "busy" in [f.name for f in block.outputs]
        self.wrapped = self.foreign or not busy and self.clocked or any(
            row.get(key) for key in ("rtl_params", "buses", "tie", "open")) or self.renamed
        self.module = f"{block.name}_wrap" if self.wrapped else block.name
        for r in block.regs if self.wrapped else []:
            if not r.rtl.startswith("u_dut."):
                r.rtl = "u_dut." + r.rtl

    def listed(self, key):
        value = self.row.get(key) or []
        return need(value if isinstance(value, list) else [value], [str], self.block.where(key), key)

    def existing(self, path, key):
        full = os.path.normpath(os.path.join(self.folder, str(path)))
        if not os.path.exists(full):
            raise ManifestError(f"{self.block.where(key)}: {key}: there is no {full}; write the file, or a path relative to the manifest")
        if os.path.isdir(full) != (key == "include"):
            raise ManifestError(f"{self.block.where(key)}: {key}: {full} is {'a' if os.path.isdir(full) else 'no'} folder")
        return full

    def read_clock(self, row):
        block, where = self.block, self.block.where
        for key in ("clock", "reset") if self.foreign else ():
            if key not in row:
                raise ManifestError(f"{where()}: the key '{key}' is missing; write {key}: "
                                    + ("PORT, or none" if key == "clock" else "{port: NAME, active: low|high, async: true|false}, or none"))
        plain = bool(block.regs) or "busy" in [f.name for f in block.outputs]
        self.clock = row.get("clock", "clk_i" if plain else "none")
        self.clocked = self.clock != "none"
        self.reset = Reset(row.get("reset", "rst_ni" if self.clocked else "none"), where("reset"))
        if not self.clocked and (self.reset.port or block.regs):
            raise ManifestError(f"{where('clock')}: a block without a clock has neither reset nor registers")

    def read_parameters(self, row):
        self.rtl_params = {}
        given = row.get("rtl_params")
        for name, value in (given if given is not None else {p: p for p in self.block.params}).items():
            verbatim = isinstance(value, str) and ("::" in value or '"' in value)
            where = f"{self.block.where('rtl_params')}: rtl_params {name}"
            if not verbatim:
                value = Expression(value, where)
                value.value(self.block.params)
            self.rtl_params[name] = value

    def read_pins(self, row):
        """self.pins: of each RTL port, in order, its pieces (selection, field); self.pieces: ports taken in pieces."""
        block, where = self.block, self.block.where
        self.pins, self.inputs = {}, set()
        self.renamed = any(f.rtl != f.name for f in block.inputs + block.outputs)
        for direction, fields in (("in", block.inputs), ("out", block.outputs)):
            for f in fields:
                ours = f.rtl == f.name and not self.foreign
                spelled = f"{f.name}_{'i' if direction == 'in' else 'o'}" if ours else f.rtl
                match = PIECE.match(str(spelled))
                if not match:
                    raise ManifestError(f"{f.where}: rtl: '{spelled}' is no port, slice or field; write port, port[7:0] or port.field")
                pin, selection = match.groups()
                if pin in (self.clock, self.reset.port):
                    raise ManifestError(f"{f.where}: the RTL's {pin} is clock or reset; those have no row")
                whole = [piece for piece in self.pins.get(pin, []) if not piece[0] or not selection]
                if whole or (direction == "in") != (pin in self.inputs) and pin in self.pins:
                    raise ManifestError(f"{f.where}: the RTL's port {pin} is taken by {self.pins[pin][0][1].name} already")
                self.pins.setdefault(pin, []).append((selection, f))
                if direction == "in":
                    self.inputs.add(pin)
        self.buses, self.tie, self.open = dict(row.get("buses") or {}), dict(row.get("tie") or {}), self.listed("open")
        for pin, pieces in self.pins.items():
            if pieces[0][0] and pin not in self.buses:
                raise ManifestError(f"{pieces[0][1].where}: the RTL's port {pin} is taken in pieces; give its width or type: "
                                    f"buses: {{{pin}: 16}} or {{{pin}: my_pkg::my_type}}")
        for key, names in (("buses", self.buses), ("tie", self.tie), ("open", self.open)):
            for pin in names:
                if (pin in self.pins) != (key == "buses"):
                    said = "has no row with a piece of it" if key == "buses" else "has a row already"
                    raise ManifestError(f"{where(key)}: {key}: the RTL's port '{pin}' {said}")

    def bug_files(self):
        """The file of each planted bug: `in`, or the one that holds the text."""
        for i, bug in enumerate(self.row["mutants"] or []):
            if "in" not in bug:
                continue
            full = os.path.normpath(os.path.join(self.folder, str(bug["in"])))
            if full not in self.files:
                nearest = near(bug["in"], [os.path.relpath(f, self.folder) for f in self.files])
                raise ManifestError(f"{self.block.path}:{line_of(self.row['mutants'], i)}: {self.block.name}: mutant {bug.get('name')}: "
                                    f"in: '{bug['in']}' is none of the block's files{nearest}")
