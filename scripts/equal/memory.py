# SPDX-License-Identifier: Apache-2.0
"""Objects of the C model: bytes of literals, and pointers whose place may be symbolic."""

from choices import Choices
from llvm import POINTER, Unsupported


class Pointer:
    """choices: (condition, object, offset, ((stride, index word), ...)); conditions exclude each other."""

    def __init__(self, choices):
        self.choices = choices

    def __eq__(self, other):
        return isinstance(other, Pointer) and self.choices == other.choices

    __hash__ = None


NULL = Pointer([(1, None, 0, ())])


class Memory(Choices):
    """Each access that might leave its object is an obligation, to be proved with the rest."""

    def __init__(self, words, modules):
        super().__init__(words)
        self.functions = {name: f for m in modules for name, f in m.functions.items()}
        self.globals = {name: g for m in modules for name, g in m.globals.items()}
        self.initial = {}        # name of a constant to (object, bytes)
        self.sizes = {}          # of objects
        self.obligations = []    # (literal that must be false, instruction)
        self.zero_byte = (0,) * 8

    # ---- objects ----

    def object(self, state, data):
        """A new object with these bytes; returns a pointer to it."""
        number = len(self.sizes)
        self.sizes[number] = len(data)
        state.memory[number] = list(data)
        return Pointer([(1, number, 0, ())])

    def bytes_of(self, state, pointer):
        (_, number, _, _), = pointer.choices
        return state.memory[number]

    def global_pointer(self, state, name):
        if name not in self.globals:  # a function
            return Pointer([(1, name, 0, ())])
        if name not in self.initial:
            kind, value = self.globals[name]
            pointer = self.object(state, [self.zero_byte] * kind.size)
            data = [self.zero_byte] * kind.size
            self.initial[name] = (pointer.choices[0][1], data)
            self.initialise(state, data, 0, kind, value)
        number, data = self.initial[name]
        state.memory[number] = data
        return Pointer([(1, number, 0, ())])

    def initialise(self, state, data, at, kind, value):
        if value[0] == "zero":
            return
        if value[0] == "bytes":
            for i, byte in enumerate(value[1]):
                data[at + i] = self.words.constant(byte, 8)
        elif value[0] == "items":
            for i, (item_kind, item) in enumerate(value[1]):
                place = kind.layout()[i] if kind.kind == "s" else i * item_kind.size
                self.initialise(state, data, at + place, item_kind, item)
        else:
            word = self.value(state, kind, value)
            data[at:at + kind.size] = self.to_bytes(word, kind)

    def to_bytes(self, value, kind):
        if kind.kind == "p":
            return [("pointer", value, i) for i in range(8)]
        bits = value + (0,) * (kind.size * 8 - len(value))
        return [bits[i:i + 8] for i in range(0, len(bits), 8)]

    def from_bytes(self, data, kind):
        if kind.kind == "p":
            first = data[0]
            if isinstance(first[0], str):
                return first[1]
            if all(b == self.zero_byte for b in data):
                return NULL
            raise Unsupported("a pointer is made of bytes")
        if any(isinstance(b[0], str) for b in data):
            raise Unsupported("bytes of a pointer are read as an integer")
        return tuple(bit for byte in data for bit in byte)[:kind.bits]

    # ---- values ----

    def value(self, state, kind, value):
        what = value[0]
        if what == "name":
            return state.env[value[1]]
        if what == "int":
            return self.words.constant(value[1] & (1 << kind.bits) - 1, kind.bits)
        if what == "zero":
            if kind.kind == "p":
                return NULL
            if kind.kind in "sa":
                parts = kind.parts if kind.kind == "s" else kind.parts * kind.count
                return [self.value(state, p, value) for p in parts]
            return self.words.constant(0, kind.bits)
        if what == "global":
            return self.global_pointer(state, value[1])
        if what == "gep":
            return self.element(state, value)
        if what == "items":
            return [self.value(state, k, v) for k, v in value[1]]
        raise Unsupported(f"operand {value}")

    def element(self, state, value):
        _, base, pointer, indices = value
        result = self.value(state, POINTER, pointer)
        kind, shift, terms = base, 0, []
        for position, (index_kind, index) in enumerate(indices):
            if position and kind.kind == "s":
                field = self.words.number(self.value(state, index_kind, index))
                shift += kind.layout()[field]
                kind = kind.parts[field]
                continue
            if position:
                kind = kind.parts[0]
            word = self.value(state, index_kind, index)
            narrow = len(word)
            word = self.mapped(word + (word[-1],) * (64 - narrow), lambda v, n=narrow: v - (v >> n - 1 << n), word)
            number = self.words.number(word)
            if number is None:
                terms.append((kind.size, word))
            else:
                shift += (number - (1 << 64) if number >> 63 else number) * kind.size
        return Pointer([(c, o, off + shift, t + tuple(terms)) for c, o, off, t in result.choices])

    # ---- memory ----

    def places(self, state, choice, size, text):
        """(condition, offset) of every place inside the object that an access may touch; records the obligation that it stays inside.
        The conditions are conjunctions of index bits; they exclude each other."""
        condition, number, offset, terms = choice
        if number is None or number not in self.sizes:
            self.oblige(state, condition, text)
            return []
        limit = self.sizes[number] - size
        found, outside = [], []

        def walk(at, rest, literal):
            if not rest:
                (found if 0 <= at <= limit else outside).append((literal, at))
                return
            stride, word = rest[0]
            if word in self.cases:
                for value, case in self.cases[word].items():
                    here = self.aig.conj(literal, case)
                    if self.on_path(state, here):
                        walk(at + (value - (value >> 63 << 64)) * stride, rest[1:], here)
                return
            most = max(0, (limit - at) // stride if stride else 0)
            width = most.bit_length()
            above = self.aig.any(word[width:])
            if above == 1:
                outside.append((literal, None))
                return
            if above:
                outside.append((self.aig.conj(literal, above), None))

            def descend(bit, value, here):
                if bit < 0:
                    if value > most:
                        outside.append((here, None))
                    else:
                        walk(at + value * stride, rest[1:], here)
                    return
                if word[bit] != 1:
                    descend(bit - 1, value, self.aig.conj(here, word[bit] ^ 1))
                if word[bit] != 0:
                    descend(bit - 1, value | 1 << bit, self.aig.conj(here, word[bit]))
            descend(width - 1, 0, literal)
        walk(offset, list(terms), condition)
        self.oblige(state, self.aig.any(c for c, _ in outside), text)
        return [(c, at) for c, at in found if c]

    def on_path(self, state, literal):
        """The literal and the path's guard; 0 if they are seen to exclude each other."""
        return self.aig.all([literal] + sorted(state.guard)) if literal else 0

    def oblige(self, state, literal, text):
        """`literal` must be false on the path."""
        if self.on_path(state, literal):
            self.obligations.append((self.on_path(state, literal), text.strip()))

    def load(self, state, pointer, kind, text):
        result = None
        for choice in pointer.choices:
            condition, number, offset, terms = choice
            if not terms and number in self.sizes and 0 <= offset <= self.sizes[number] - kind.size:
                read = self.from_bytes(state.memory[number][offset:offset + kind.size], kind)
            else:
                read = self.tree(state, choice, kind, text)
            if read is not None:
                result = read if result is None else self.join(condition, read, result)
        if result is None:
            return NULL if kind.kind == "p" else self.words.constant(0, kind.bits)
        return result

    def tree(self, state, choice, kind, text):
        """A load at a symbolic place: a tree of multiplexers over the index bits."""
        condition, number, offset, terms = choice
        self.places(state, choice, kind.size, text)
        if number not in self.sizes:
            return None
        memory, limit = state.memory[number], self.sizes[number] - kind.size

        def read(at, rest):
            if not rest:
                return self.from_bytes(memory[at:at + kind.size], kind) if 0 <= at <= limit else None
            stride, word = rest[0]
            if word in self.cases:
                result = None
                for value, case in self.cases[word].items():
                    here = read(at + (value - (value >> 63 << 64)) * stride, rest[1:])
                    if here is not None and self.on_path(state, case):
                        result = here if result is None else self.join(case, here, result)
                return result
            most = max(0, (limit - at) // stride if stride else 0)

            def descend(bit, value):
                if value > most:
                    return None
                if bit < 0:
                    return read(at + value * stride, rest[1:])
                no = descend(bit - 1, value) if word[bit] != 1 else None
                yes = descend(bit - 1, value | 1 << bit) if word[bit] != 0 else None
                if no is None or yes is None:
                    return yes if no is None else no
                return self.join(word[bit], yes, no)
            return descend(most.bit_length() - 1, 0)
        return read(offset, list(terms))

    def store(self, state, pointer, value, kind, text):
        data = self.to_bytes(value, kind)
        self.store_bytes(state, pointer, data, text)

    def store_bytes(self, state, pointer, data, text):
        for choice in pointer.choices:
            number = choice[1]
            for condition, at in self.places(state, choice, len(data), text):
                memory = state.writable(number)
                for i, byte in enumerate(data):
                    memory[at + i] = byte if condition == 1 else self.join_byte(condition, byte, memory[at + i])

    def join_byte(self, condition, yes, no):
        if yes == no:
            return yes
        if isinstance(yes[0], str) or isinstance(no[0], str):
            if isinstance(yes[0], str) and isinstance(no[0], str) and yes[2] == no[2]:
                return ("pointer", self.join(condition, yes[1], no[1]), yes[2])
            return yes if isinstance(yes[0], str) else no  # one side is not initialised
        return self.words.mux(condition, yes, no)

    def join(self, condition, yes, no):
        if condition == 1 or yes is no:
            return yes
        if condition == 0:
            return no
        if isinstance(yes, Pointer):
            if yes == no:
                return yes
            merged = {}
            for side, literal in ((yes, condition), (no, condition ^ 1)):
                for c, o, off, t in side.choices:
                    key = (o, off, t)
                    merged[key] = self.aig.disj(merged.get(key, 0), self.aig.conj(c, literal))
            return Pointer([(c, *key) for key, c in merged.items() if c])
        if isinstance(yes, list):
            return [self.join(condition, y, n) for y, n in zip(yes, no)]
        return self.joined(condition, yes, no)

    def move(self, state, kind, args, i):
        size = self.words.number(args[2])
        if size is None:
            return self.move_some(state, kind, args, i)
        if kind == "memset":
            data = [args[1]] * size
        else:
            data = self.gather(state, args[1], size, i.where)
        if data:
            self.store_bytes(state, args[0], data, i.where)
        return None

    def gather(self, state, pointer, size, text):
        data = None
        for choice in pointer.choices:
            for condition, at in self.places(state, choice, size, text):
                read = state.memory[choice[1]][at:at + size]
                data = read if data is None else [self.join_byte(condition, y, n) for y, n in zip(read, data)]
        return data

    def move_some(self, state, kind, args, i):
        """A size that is not constant: byte by byte, each if it is below the size."""
        if kind == "memset":
            raise Unsupported(f"a size that is not constant: {i.text.strip()}")
        sizes = self.spread(args[2])
        if sizes is None:
            raise Unsupported(f"a size with too many values: {i.text.strip()}")
        most = min(max(self.sizes.get(choice[1], 0) for choice in p.choices) for p in args[:2])
        self.oblige(state, self.aig.any(literal for size, literal in sizes.items() if size > most), i.where)
        sizes = {size: literal for size, literal in sizes.items() if size <= most}
        moved = []
        for k in range(max(sizes, default=0)):
            under = self.aig.any(literal for size, literal in sizes.items() if size > k)
            here = state.fork(under)
            read = self.gather(here, self.ahead(args[1], k), 1, i.where)
            if read:
                moved.append((k, under, read))
        for k, under, read in moved:
            here = state.fork(under)
            self.store_bytes(here, self.ahead(args[0], k), read, i.where)
            own = state.memory
            for number, data in here.memory.items():
                if own[number] is not data:
                    state.memory[number] = [x if x is y or x == y else self.join_byte(under, x, y) for x, y in zip(data, own[number])]
                    state.owned.add(number)
        return None

    @staticmethod
    def ahead(pointer, k):
        return Pointer([(c, o, off + k, t) for c, o, off, t in pointer.choices])
