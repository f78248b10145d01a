# SPDX-License-Identifier: Apache-2.0
"""Reads the LLVM intermediate language that clang writes for C models (clang -O1 -S -emit-llvm, typed pointers).

Only what C models need is known: integers, pointers, arrays and structures. Anything else raises Unsupported, with the line of the C
source (clang -gline-tables-only), and only when the model comes to it."""

import linecache
import os
import re

TOKEN = re.compile(r'c"(?:[^"\\]|\\.)*"|"(?:[^"\\]|\\.)*"|[%@!#][-\w.$"]+|%"[^"]*"|-?\d+|\.\.\.|[A-Za-z_][\w.]*|[(){}\[\]<>,=*:]|!')
SKIPPED = {"noundef", "nonnull", "nocapture", "readonly", "readnone", "writeonly", "zeroext", "signext", "noalias", "returned", "nofree",
           "immarg", "inreg", "dso_local", "local_unnamed_addr", "unnamed_addr", "internal", "private", "constant", "global", "external",
           "fastcc", "tail", "musttail", "notail", "hidden", "inbounds", "nuw", "nsw", "exact", "volatile", "mustprogress"}


class Unsupported(Exception):
    """A construct that the reader or the executor does not know."""

    place = None  # (file, line) of the C source, where it is known

    def at(self, place):
        """The innermost place stays. Returns itself."""
        self.place = self.place or place
        return self

    def __str__(self):
        what = super().__str__()
        if not self.place:
            return what
        path, line = self.place
        return (f"{path}:{line}: the prover cannot translate this line of the model: {linecache.getline(path, line).strip()}\n"
                f"  {what}\n  docs/equality.md, 'What a model may use', lists what it can")


class Type:
    """kind: i (integer), p (pointer), a (array), s (structure), v (void), f (function)."""

    def __init__(self, kind, bits=0, count=0, parts=(), packed=False):
        self.kind, self.bits, self.count, self.parts, self.packed = kind, bits, count, parts, packed
        self.offsets = None

    @property
    def align(self):
        if self.kind == "i":
            return 1 if self.bits <= 8 else 2 if self.bits <= 16 else 4 if self.bits <= 32 else 8
        if self.kind == "p":
            return 8
        if self.kind == "a":
            return self.parts[0].align
        return 1 if self.packed else max((p.align for p in self.parts), default=1)

    @property
    def size(self):
        if self.kind == "i":
            return {1: 1, 8: 1, 16: 2, 32: 4, 64: 8}.get(self.bits) or (self.bits + 63) // 64 * 8
        if self.kind == "p":
            return 8
        if self.kind == "a":
            return self.count * self.parts[0].size
        if self.kind == "s":
            self.layout()
            return self.total
        return 0

    def layout(self):
        if self.offsets is not None:
            return self.offsets
        at, offsets = 0, []
        for part in self.parts:
            if not self.packed:
                at = (at + part.align - 1) // part.align * part.align
            offsets.append(at)
            at += part.size
        self.offsets, self.total = offsets, (at + self.align - 1) // self.align * self.align
        return offsets


class Named(Type):
    """A named structure, known when the module has been read."""

    def __init__(self, name, types):
        self.name, self.types = name, types

    def __getattr__(self, key):
        if self.name not in self.types:
            raise Unsupported(f"type {self.name} is not defined")
        return getattr(self.types[self.name], key)

    @property
    def size(self):
        return self.types[self.name].size

    @property
    def align(self):
        return self.types[self.name].align


POINTER, VOID = Type("p"), Type("v")


class Line:
    """The tokens of a line, with a position."""

    def __init__(self, text, module):
        self.text, self.module = text, module
        self.tokens, self.at = TOKEN.findall(text), 0

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ""

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1] if self.at <= len(self.tokens) else ""

    def accept(self, token):
        if self.peek() == token:
            self.at += 1
            return True
        return False

    def expect(self, token):
        if not self.accept(token):
            raise Unsupported(f"'{token}' expected before '{self.peek()}' in: {self.text.strip()}")

    def skip_words(self):
        while True:
            word = self.peek()
            if word in SKIPPED:
                self.at += 1
            elif word in ("align", "dereferenceable", "dereferenceable_or_null", "sret", "byval", "comdat"):
                self.at += 1
                if self.accept("("):
                    depth = 1
                    while depth:
                        depth += {"(": 1, ")": -1}.get(self.take(), 0)
                elif word == "align":
                    self.at += 1
            else:
                return

    def type(self):
        token = self.take()
        if re.fullmatch(r"i\d+", token):
            result = Type("i", int(token[1:]))
        elif token == "void":
            result = VOID
        elif token == "ptr":
            result = POINTER
        elif token == "[":
            count = int(self.take())
            self.expect("x")
            result = Type("a", count=count, parts=(self.type(),))
            self.expect("]")
        elif token == "{":
            result = self.structure("}", False)
        elif token == "<" and self.accept("{"):
            result = self.structure("}", True)
            self.expect(">")
        elif token.startswith("%"):
            result = Named(token, self.module.types)
        else:
            raise Unsupported(f"type '{token}' in: {self.text.strip()}")
        while True:
            if self.accept("*"):
                result = POINTER
            elif self.peek() == "(":
                depth = 0
                while True:
                    depth += {"(": 1, ")": -1}.get(self.take(), 0)
                    if not depth:
                        break
                result = Type("f")
            else:
                return result

    def structure(self, end, packed):
        parts = []
        while not self.accept(end):
            parts.append(self.type())
            self.accept(",")
        return Type("s", parts=tuple(parts), packed=packed)

    def value(self, kind):
        """An operand of type `kind`: ('name', n), ('int', v), ('global', n), ('null',), ('undef',), ('gep', ...), ..."""
        token = self.take()
        if token.startswith("%"):
            return ("name", token)
        if token.startswith("@"):
            return ("global", token[1:])
        if re.fullmatch(r"-?\d+", token):
            return ("int", int(token))
        if token in ("true", "false"):
            return ("int", int(token == "true"))
        if token in ("null", "undef", "poison", "zeroinitializer"):
            return ("zero",)
        if token == "getelementptr":
            self.skip_words()
            self.expect("(")
            base = self.type()
            self.expect(",")
            self.type()
            pointer, indices = self.value(POINTER), []
            while self.accept(","):
                self.accept("inrange")
                index_type = self.type()
                indices.append((index_type, self.value(index_type)))
            self.expect(")")
            return ("gep", base, pointer, indices)
        if token == "bitcast":
            self.expect("(")
            inner = self.type()
            result = self.value(inner)
            self.expect("to")
            self.type()
            self.expect(")")
            return result
        if token.startswith('c"'):
            return ("bytes", string_bytes(token[2:-1]))
        if token in ("[", "{") or (token == "<" and self.accept("{")):
            end, items = {"[": "]", "{": "}", "<": "}"}[token], []
            while not self.accept(end):
                item = self.type()
                items.append((item, self.value(item)))
                self.accept(",")
            if token == "<":
                self.expect(">")
            return ("items", items)
        raise Unsupported(f"operand '{token}' in: {self.text.strip()}")

    def typed(self):
        self.skip_words()
        kind = self.type()
        self.skip_words()
        return kind, self.value(kind)


def string_bytes(text):
    out, i = [], 0
    while i < len(text):
        if text[i] == "\\":
            out.append(int(text[i + 1:i + 3], 16))
            i += 3
        else:
            out.append(ord(text[i]))
            i += 1
    return bytes(out)


class Instruction:
    def __init__(self, op, name=None, kind=None, args=(), text="", extra=None):
        self.op, self.name, self.kind, self.args, self.text, self.extra = op, name, kind, args, text, extra
        self.place = None  # (file, line) of the C source
        self.flipped = False  # a planted bug: bit 0 of what is stored

    @property
    def where(self):
        return f"{self.place[0]}:{self.place[1]}: {linecache.getline(*self.place).strip()}" if self.place else self.text


class Function:
    def __init__(self, name, params):
        self.name, self.params = name, params
        self.blocks, self.order = {}, []  # label to instructions; labels as written


class Module:
    def __init__(self):
        self.types, self.functions, self.globals = {}, {}, {}
        self.places = Places()

    def read(self, path):
        function = label = None
        with open(path) as lines:
            text = lines.read()
        self.places.read(text)
        text = re.sub(r"(switch [^\n]*\[)\n(.*?)\]", lambda m: m.group(1) + " " + m.group(2).replace("\n", " ") + "]", text, flags=re.S)
        for raw in text.split("\n"):
            line = raw.split(" ;", 1)[0].rstrip() if not raw.startswith((";", "!")) else ""
            if not line:
                continue
            line, place = self.places.split(line)
            if function is None:
                if line.startswith("%"):
                    self.read_type(line)
                elif line.startswith("@"):
                    self.read_global(line)
                elif line.startswith("define"):
                    try:
                        function = self.read_head(line)
                    except Unsupported as problem:
                        raise problem.at(place)
                    label = None
            elif line == "}":
                function = None
            elif re.match(r"[-\w.$]+:", line):
                label = "%" + line[:line.index(":")]
                function.blocks[label] = []
                function.order.append(label)
            else:
                if label is None:
                    label = function.entry_name
                    function.blocks[label] = []
                    function.order.append(label)
                try:
                    instruction = self.read_instruction(line)
                except Unsupported as problem:  # it matters only if the model comes to it
                    instruction = Instruction("unsupported", text=line, extra=problem)
                instruction.place = place
                function.blocks[label].append(instruction)

    def read_type(self, text):
        line = Line(text, self)
        name = line.take()
        line.expect("=")
        line.expect("type")
        if line.peek() != "opaque":
            self.types[name] = line.type()

    def read_global(self, text):
        line = Line(text, self)
        name = line.take()[1:]
        line.expect("=")
        outside = "external" in line.tokens[:6]
        line.skip_words()
        kind = line.type()
        if not outside:
            self.globals[name] = (kind, line.value(kind))

    def read_head(self, text):
        line = Line(text, self)
        line.take()
        line.skip_words()
        line.type()
        function = Function(line.take()[1:], [])
        line.expect("(")
        while not line.accept(")"):
            line.skip_words()
            line.type()
            line.skip_words()
            function.params.append(line.take())
            line.accept(",")
        self.functions[function.name] = function
        # the entry block is unlabelled: LLVM gives it the next number, which phi nodes name
        numbers = [int(p[1:]) for p in function.params if p[1:].isdigit()]
        function.entry_name = f"%{len(numbers)}"
        return function

    def read_instruction(self, text):
        line, name = Line(text, self), None
        if line.peek(1) == "=":
            name = line.take()
            line.take()
        line.skip_words()
        op = line.take()
        reader = getattr(self, "read_" + op, None)
        if op in BINARY:
            line.skip_words()
            kind = line.type()
            a = line.value(kind)
            line.expect(",")
            return Instruction("binary", name, kind, (a, line.value(kind)), text, op)
        if op in CASTS:
            kind, value = line.typed()
            line.expect("to")
            return Instruction("cast", name, line.type(), (value,), text, (op, kind))
        if reader is None:
            raise Unsupported(f"instruction '{op}': {text.strip()}")
        return reader(line, name, text)

    def read_icmp(self, line, name, text):
        test = line.take()
        kind = line.type()
        a = line.value(kind)
        line.expect(",")
        return Instruction("icmp", name, kind, (a, line.value(kind)), text, test)

    def read_alloca(self, line, name, text):
        return Instruction("alloca", name, line.type(), (), text)

    def read_load(self, line, name, text):
        line.skip_words()
        kind = line.type()
        line.expect(",")
        return Instruction("load", name, kind, (line.typed()[1],), text)

    def read_store(self, line, name, text):
        kind, value = line.typed()
        line.expect(",")
        return Instruction("store", None, kind, (value, line.typed()[1]), text)

    def read_getelementptr(self, line, name, text):
        line.skip_words()
        base = line.type()
        line.expect(",")
        pointer, indices = line.typed()[1], []
        while line.accept(","):
            indices.append(line.typed())
        return Instruction("value", name, POINTER, (("gep", base, pointer, indices),), text)

    def read_select(self, line, name, text):
        condition = line.typed()[1]
        line.expect(",")
        kind, yes = line.typed()
        line.expect(",")
        return Instruction("select", name, kind, (condition, yes, line.typed()[1]), text)

    def read_phi(self, line, name, text):
        kind, choices = line.type(), []
        while line.accept("["):
            value = line.value(kind)
            line.expect(",")
            choices.append((value, line.take()))
            line.expect("]")
            line.accept(",")
        return Instruction("phi", name, kind, (), text, choices)

    def read_br(self, line, name, text):
        if line.accept("label"):
            return Instruction("br", None, None, (), text, (line.take(),))
        condition = line.typed()[1]
        line.expect(",")
        line.expect("label")
        yes = line.take()
        line.expect(",")
        line.expect("label")
        return Instruction("br", None, None, (condition,), text, (yes, line.take()))

    def read_switch(self, line, name, text):
        kind, value = line.typed()
        line.expect(",")
        line.expect("label")
        default, cases = line.take(), []
        line.expect("[")
        while not line.accept("]"):
            number = line.typed()[1][1]
            line.expect(",")
            line.expect("label")
            cases.append((number, line.take()))
        return Instruction("switch", None, kind, (value,), text, (default, cases))

    def read_ret(self, line, name, text):
        if line.peek() == "void":
            return Instruction("ret", None, VOID, (), text)
        kind, value = line.typed()
        return Instruction("ret", None, kind, (value,), text)

    def read_unreachable(self, line, name, text):
        return Instruction("unreachable", None, VOID, (), text)

    def read_freeze(self, line, name, text):
        kind, value = line.typed()
        return Instruction("value", name, kind, (value,), text)

    def read_extractvalue(self, line, name, text):
        kind, value = line.typed()
        line.expect(",")
        return Instruction("extract", name, kind, (value,), text, int(line.take()))

    def read_insertvalue(self, line, name, text):
        kind, value = line.typed()
        line.expect(",")
        item = line.typed()[1]
        line.expect(",")
        return Instruction("insert", name, kind, (value, item), text, int(line.take()))

    def read_call(self, line, name, text):
        line.skip_words()
        kind = line.type()
        callee, args = line.take(), []
        line.expect("(")
        while not line.accept(")"):
            if line.peek() == "metadata":
                return Instruction("nothing", None, VOID, (), text)
            args.append(line.typed())
            line.accept(",")
        return Instruction("call", name, kind, tuple(args), text, callee)


class Places:
    """Where an instruction stands in the C source, from the module's debug information."""

    NODE = re.compile(r"^!(\d+) = (?:distinct )?!(\w+)\((.*)\)$", re.M)
    MARK = re.compile(r",? !dbg !(\d+)")

    def __init__(self):
        self.nodes = {}

    def read(self, text):
        self.nodes = {number: (kind, fields) for number, kind, fields in self.NODE.findall(text)}

    def field(self, number, name):
        found = re.search(rf"\b{name}: (?:!(\d+)|(\d+)|\"([^\"]*)\")", self.nodes.get(number, ("", ""))[1])
        return next((value for value in found.groups() if value is not None), None) if found else None

    def split(self, line):
        """The line without its mark, and the place that the mark names, or None."""
        mark = self.MARK.search(line)
        if not mark:
            return line, None
        number = mark.group(1)
        scope = number
        while scope and self.field(scope, "file") is None:
            scope = self.field(scope, "scope")
        path = self.field(self.field(scope, "file"), "filename") if scope else None
        place = (os.path.relpath(path) if path.startswith(os.getcwd() + os.sep) else path, int(self.field(number, "line") or 0)) if path else None
        return line[:mark.start()] + line[mark.end():], place


BINARY = {"add", "sub", "mul", "udiv", "urem", "sdiv", "srem", "shl", "lshr", "ashr", "and", "or", "xor"}
CASTS = {"zext", "sext", "trunc", "bitcast", "ptrtoint", "inttoptr"}
