# SPDX-License-Identifier: Apache-2.0
"""Executes C models symbolically: values are words of literals of an and-inverter graph.

Paths part at a branch whose condition is not constant and join again where their blocks do; loops run until no path is left in them.
A path's guard is a set of literals that all hold on it. Accesses must stay inside of their object: each access that might not is an
obligation, to be proved with the rest.

Gaps, which the sanitizers' runs cover: an uninitialised local reads 0, a shift by too much gives 0, a search for the lowest 1 in 0
gives 0."""

from flow import Flow
from llvm import POINTER, Type, Unsupported
from memory import Memory

BIT = Type("i", 1)
ITERATIONS = 5000  # of a loop head, before the executor gives up


class State:
    """A path: guard, values of the current function's names, bytes of objects."""

    def __init__(self, guard, env, memory):
        self.guard, self.env, self.memory, self.owned = guard, env, memory, set()

    def fork(self, literal):
        self.owned = set()
        return State(self.guard | {literal} if literal > 1 else self.guard, dict(self.env), dict(self.memory))

    def writable(self, number):
        if number not in self.owned:
            self.memory[number] = list(self.memory[number])
            self.owned.add(number)
        return self.memory[number]


class Executor(Memory):
    def __init__(self, words, modules, infeasible):
        super().__init__(words, modules)
        self.flows, self.infeasible = {}, infeasible

    # ---- paths ----

    def merge(self, a, b):
        """One path for two that meet. Their guards exclude each other."""
        common = a.guard & b.guard
        own = self.aig.all(sorted(a.guard - common))
        other = self.aig.all(sorted(b.guard - common))
        if own == 0:
            return b
        if other == 0:
            return a
        if len(a.guard) - len(common) > len(b.guard) - len(common):
            a, b, own, other = b, a, other, own
        either = self.aig.disj(own, other)
        env = {name: self.join(own, value, b.env[name]) for name, value in a.env.items() if name in b.env}
        result = State(common if either == 1 else common | {either}, env, dict(a.memory))
        for number, data in b.memory.items():
            mine = a.memory.get(number)
            if mine is None:
                result.memory[number] = data
            elif mine is not data:
                result.memory[number] = [x if x is y or x == y else self.join_byte(own, x, y) for x, y in zip(mine, data)]
        return result

    def flow(self, name):
        if name not in self.flows:
            self.flows[name] = Flow(self.functions[name])
        return self.flows[name]

    def call(self, state, name, args):
        """Executes a function; returns the path after it and its result."""
        function, flow = self.functions[name], self.flow(name)
        start = State(state.guard, dict(zip(function.params, args)), state.memory)
        pending, returned, visits = {function.entry_name: start}, None, {}
        while pending:
            label = self.choose(flow, pending)
            path = pending.pop(label)
            visits[label] = visits.get(label, 0) + 1
            if visits[label] > ITERATIONS:
                raise Unsupported(f"{name}: more than {ITERATIONS} passes of block {label}")
            if visits[label] % 64 == 0 and label in flow.last and self.infeasible(path.guard):
                continue
            for path in self.split(flow, label, path, pending):
                for target, after in self.block(flow, function, label, path):
                    if target is None:
                        returned = after if returned is None else self.merge(returned, after)
                    else:
                        self.arrive(pending, target, after)
        if returned is None:
            raise Unsupported(f"{name} does not return")
        result = returned.env.get("return")
        return State(returned.guard, state.env, returned.memory), result

    @staticmethod
    def choose(flow, pending):
        """The first block in order; a loop's head waits for the other blocks of its loop."""
        places = sorted((flow.order[label], label) for label in pending)
        for i, (place, label) in enumerate(places):
            if label not in flow.last or i + 1 == len(places) or places[i + 1][0] > flow.last[label]:
                return label
        return places[0][1]

    def arrive(self, pending, target, path):
        pending[target] = self.merge(pending[target], path) if target in pending else path

    def split(self, flow, label, path, pending):
        """At the head of a loop over the ones of a word: parts the path by the lowest bit that may be 1, so that the bit's number is a
        constant in the loop's body. The path in which it is 0 waits at the head. Where the head itself searches, a word of zeros must
        not come: that is an obligation, and the path ends."""
        for name, needs_a_one in flow.split.get(label, {}).items():
            word = path.env[name]
            low = next((i for i, bit in enumerate(word) if bit != 0), None)
            if low is None:
                if needs_a_one:
                    self.oblige(path, 1, f"a search for a 1 in zeros: {name} in block {label}")
                    return []
                continue
            if word[low] == 1:
                continue
            if word[low] not in path.guard:
                waits = path.fork(word[low] ^ 1)
                waits.env[name] = word[:low] + (0,) + word[low + 1:]
                self.arrive(pending, label, waits)
                path = path.fork(word[low])
            path.env[name] = word[:low] + (1,) + word[low + 1:]
        return [path]

    def block(self, flow, function, label, state):
        """Executes a block; yields (successor, path). Returning: (None, path)."""
        for i in function.blocks[label]:
            if i.op == "phi":
                continue
            if i.op == "br":
                return self.branch(flow, function, label, state, i)
            if i.op == "switch":
                return self.switch(flow, function, label, state, i)
            if i.op == "ret":
                state.env["return"] = self.value(state, i.kind, i.args[0]) if i.args else None
                return [(None, state)]
            if i.op == "unreachable":
                self.oblige(state, 1, i.where)
                return []
            try:
                result = getattr(self, "do_" + i.op)(state, i)
            except Unsupported as problem:
                raise problem.at(i.place)
            if i.op == "call":
                state, result = result
                if state is None:
                    return []
            if i.name:
                state.env[i.name] = result
        raise Unsupported(f"block {label} of {function.name} has no end")

    def condition(self, state, operand):
        """A condition's literal; constant if the path's guard decides it."""
        literal, = self.value(state, BIT, operand)
        return 1 if literal in state.guard else 0 if literal ^ 1 in state.guard else literal

    def edge(self, flow, function, label, target, state):
        phis = [(i, next(v for v, pred in i.extra if pred == label)) for i in function.blocks[target] if i.op == "phi"]
        values = [(i.name, self.value(state, i.kind, v)) for i, v in phis]
        live = flow.live[target]
        state.env = {name: value for name, value in state.env.items() if name in live}
        state.env.update(values)
        return target, state

    def branch(self, flow, function, label, state, i):
        if not i.args:
            return [self.edge(flow, function, label, i.extra[0], state)]
        condition = self.condition(state, i.args[0])
        if condition <= 1 or i.extra[0] == i.extra[1]:
            return [self.edge(flow, function, label, i.extra[1 - condition] if condition <= 1 else i.extra[0], state)]
        paths = []
        for literal, target in ((condition, i.extra[0]), (condition ^ 1, i.extra[1])):
            if self.on_path(state, literal):
                paths.append(self.edge(flow, function, label, target, state.fork(literal)))
        return paths

    def switch(self, flow, function, label, state, i):
        word, (default, cases), paths = self.value(state, i.kind, i.args[0]), i.extra, []
        targets, none = {}, 1
        for number, target in cases:
            same = self.words.equal(word, self.words.constant(number & (1 << i.kind.bits) - 1, i.kind.bits))
            targets[target] = self.aig.disj(targets.get(target, 0), same)
            none = self.aig.conj(none, same ^ 1)
        targets[default] = self.aig.disj(targets.get(default, 0), none)
        for target, literal in targets.items():
            if self.on_path(state, literal):
                paths.append(self.edge(flow, function, label, target, state.fork(literal)))
        return paths

    # ---- instructions ----

    def do_unsupported(self, state, i):
        raise i.extra

    def do_nothing(self, state, i):
        return None

    def do_alloca(self, state, i):
        return self.object(state, [self.zero_byte] * i.kind.size)

    def do_load(self, state, i):
        return self.load(state, self.value(state, POINTER, i.args[0]), i.kind, i.where)

    def do_store(self, state, i):
        value = self.value(state, i.kind, i.args[0])
        if i.flipped:
            value = (value[0] ^ 1,) + value[1:]
        self.store(state, self.value(state, POINTER, i.args[1]), value, i.kind, i.where)

    def do_value(self, state, i):
        return self.value(state, i.kind, i.args[0])

    def do_select(self, state, i):
        condition = self.condition(state, i.args[0])
        return self.join(condition, self.value(state, i.kind, i.args[1]), self.value(state, i.kind, i.args[2]))

    def do_extract(self, state, i):
        return self.value(state, i.kind, i.args[0])[i.extra]

    def do_insert(self, state, i):
        result = list(self.value(state, i.kind, i.args[0]))
        result[i.extra] = self.value(state, i.kind.parts[i.extra], i.args[1])
        return result

    def do_cast(self, state, i):
        op, source = i.extra
        value = self.value(state, source, i.args[0])
        if op == "bitcast":
            return value
        if op in ("ptrtoint", "inttoptr"):
            raise Unsupported(i.text.strip())
        width = i.kind.bits
        fill, narrow = value[-1] if op == "sext" else 0, len(value)
        return self.mapped((value + (fill,) * (width - narrow))[:width], lambda v: v - (v >> narrow - 1 << narrow) if op == "sext" else v, value)

    def do_icmp(self, state, i):
        a, b = self.value(state, i.kind, i.args[0]), self.value(state, i.kind, i.args[1])
        if i.kind.kind == "p":
            return (self.same_pointer(a, b, i) ^ (i.extra == "ne"),)
        words, test = self.words, i.extra
        known = self.compare_cases(test, a, b)
        if known is not None:
            return (known,)
        if test in ("eq", "ne"):
            return (words.equal(a, b) ^ (test == "ne"),)
        if test[1:] in ("lt", "gt"):  # a < b is !(a >= b)
            x, y = (a, b) if test[1:] == "lt" else (b, a)
            return ((words.at_least if test[0] == "u" else words.at_least_signed)(x, y) ^ 1,)
        x, y = (a, b) if test[1:] == "ge" else (b, a)
        return ((words.at_least if test[0] == "u" else words.at_least_signed)(x, y),)

    def same_pointer(self, a, b, i):
        same = 0
        for ca, oa, fa, ta in a.choices:
            for cb, ob, fb, tb in b.choices:
                if oa == ob and (ta or tb) and ta != tb:
                    raise Unsupported(f"comparison of pointers: {i.text.strip()}")
                if (oa, fa, ta) == (ob, fb, tb):
                    same = self.aig.disj(same, self.aig.conj(ca, cb))
        return same

    def do_binary(self, state, i):
        a, b, words = self.value(state, i.kind, i.args[0]), self.value(state, i.kind, i.args[1]), self.words
        op = i.extra
        if op in ("and", "or", "xor"):
            word = words.map2({"and": self.aig.conj, "or": self.aig.disj, "xor": self.aig.xor}[op], a, b)
            return self.mapped(word, {"and": int.__and__, "or": int.__or__, "xor": int.__xor__}[op], a, b)
        if op == "add":
            return self.mapped(words.add(a, b), lambda x, y: x + y, a, b)
        if op == "sub":
            return self.mapped(words.sub(a, b), lambda x, y: x - y, a, b)
        if op == "mul":
            return self.mapped(words.multiply(a, b), lambda x, y: x * y, a, b)
        if op in ("udiv", "urem"):
            return words.divide(a, b)[op == "urem"]
        if op in ("sdiv", "srem"):
            return self.signed_division(a, b, op)
        word = words.shift(a, b, op == "shl", a[-1] if op == "ashr" else 0)
        width = i.kind.bits  # as words.shift: by the width or more gives 0
        shifts = {"shl": lambda x, y: x << y if y < width else 0, "lshr": lambda x, y: x >> y}
        return self.mapped(word, shifts[op], a, b) if op in shifts else word

    def signed_division(self, a, b, op):
        words = self.words
        quotient, rest = words.divide(words.mux(a[-1], words.negate(a), a), words.mux(b[-1], words.negate(b), b))
        if op == "srem":
            return words.mux(a[-1], words.negate(rest), rest)
        return words.mux(self.aig.xor(a[-1], b[-1]), words.negate(quotient), quotient)

    # ---- calls ----

    def do_call(self, state, i):
        args = [self.value(state, kind, value) for kind, value in i.args]
        name = i.extra
        if name.startswith("%"):
            pointer = state.env[name]
            if len(pointer.choices) != 1:
                raise Unsupported(f"a call of one of several functions: {i.text.strip()}")
            name = "@" + str(pointer.choices[0][1])
        name = name[1:]
        if name.startswith("llvm."):
            return state, self.intrinsic(state, i, name[5:], args)
        if name in self.functions:
            env = state.env
            after, result = self.call(state, name, args)
            after.env = env
            return after, result
        if name in ("err_broken_invariant", "abort", "__assert_fail"):
            self.oblige(state, 1, i.where)
            return None, None
        raise Unsupported(f"a call of {name}, which is in no file of the block's model")

    def intrinsic(self, state, i, name, args):
        words, kind = self.words, name.split(".")[0]
        if kind in ("lifetime", "experimental", "dbg", "assume", "donothing"):
            return None
        if kind in ("memcpy", "memmove", "memset"):
            return self.move(state, kind, args, i)
        if kind in ("umin", "umax", "smin", "smax"):
            at_least = (words.at_least if kind[0] == "u" else words.at_least_signed)(args[0], args[1])
            return words.mux(at_least if kind.endswith("max") else at_least ^ 1, args[0], args[1])
        if kind == "ctpop":
            return self.counted(args[0], i.kind.bits)
        if kind == "cttz":
            return words.mux(words.zero(args[0]), words.constant(i.kind.bits if args[1] == (0,) else 0, i.kind.bits),
                             words.first_one(args[0], i.kind.bits))
        if kind == "ctlz":
            found = words.first_one(args[0][::-1], i.kind.bits)
            return words.mux(words.zero(args[0]), words.constant(i.kind.bits if args[1] == (0,) else 0, i.kind.bits), found)
        if kind == "usub" and "sat" in name:
            return words.mux(words.at_least(args[0], args[1]), words.sub(args[0], args[1]), (0,) * i.kind.bits)
        if kind in ("fshl", "fshr"):
            width = i.kind.bits
            amount = args[2][:(width - 1).bit_length()] + (0,)
            both = args[1] + args[0]
            return (words.shift(both, amount, True)[width:] if kind == "fshl" else words.shift(both, amount, False)[:width])
        if kind == "bswap":
            parts = [args[0][k:k + 8] for k in range(0, len(args[0]), 8)]
            return tuple(bit for part in reversed(parts) for bit in part)
        if kind == "abs":
            return words.mux(args[0][-1], words.negate(args[0]), args[0])
        raise Unsupported(f"intrinsic llvm.{name}")
