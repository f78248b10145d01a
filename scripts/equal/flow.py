# SPDX-License-Identifier: Apache-2.0
"""Control flow of a function: an order in which loops are contiguous, and the names that are live at a block's entry."""


def successors(instruction):
    if instruction.op == "br":
        return instruction.extra
    if instruction.op == "switch":
        return (instruction.extra[0],) + tuple(label for _, label in instruction.extra[1])
    return ()


def operands(value):
    """Names in an operand."""
    if value[0] == "name":
        yield value[1]
    elif value[0] == "gep":
        yield from operands(value[2])
        for _, index in value[3]:
            yield from operands(index)
    elif value[0] == "items":
        for _, item in value[1]:
            yield from operands(item)


def used(instruction):
    for arg in instruction.args:
        if instruction.op == "call":
            arg = arg[1]
        yield from operands(arg)
    if instruction.op == "call" and instruction.extra.startswith("%"):
        yield instruction.extra


class Flow:
    """order: position of each block; last: for a loop head, the last position of its loop; live: names at the entry."""

    def __init__(self, function):
        self.function = function
        self.next = {label: successors(block[-1]) for label, block in function.blocks.items()}
        self.order, self.last = {}, {}
        self.split = {}  # loop head: {phi node whose lowest 1 the loop looks for: whether the head itself does, which needs a 1}
        self.place(set(self.next), function.entry_name)
        self.liveness()
        self.find_splits()

    def components(self, nodes, entry):
        """Strongly connected components of `nodes`, in topological order (Tarjan's algorithm, reversed)."""
        index, low, stack, on, result = {}, {}, [], set(), []
        work = [(entry, iter(self.next[entry]))]
        index[entry] = low[entry] = 0
        stack.append(entry)
        on.add(entry)
        while work:
            node, rest = work[-1]
            for succ in rest:
                if succ not in nodes:
                    continue
                if succ not in index:
                    index[succ] = low[succ] = len(index)
                    stack.append(succ)
                    on.add(succ)
                    work.append((succ, iter(self.next[succ])))
                    break
                if succ in on:
                    low[node] = min(low[node], index[succ])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    component = set()
                    while True:
                        top = stack.pop()
                        on.discard(top)
                        component.add(top)
                        if top == node:
                            break
                    result.append((node, component))
        return result[::-1]

    def place(self, nodes, entry):
        """Gives positions to `nodes`: a component's head first, then its other blocks, then what follows it."""
        for head, component in self.components(nodes, entry):
            self.order[head] = len(self.order)
            if len(component) > 1:
                rest = component - {head}
                while rest:  # blocks of the loop without its head: several entries are possible
                    start = next((s for s in self.next[head] if s in rest), None) or sorted(rest)[0]
                    before = set(self.order)
                    reached = self.reach(start, rest)
                    self.place(reached, start)
                    rest -= set(self.order) - before
                self.last[head] = len(self.order) - 1
            elif head in self.next[head]:
                self.last[head] = self.order[head]

    def reach(self, start, nodes):
        seen, stack = set(), [start]
        while stack:
            node = stack.pop()
            if node in nodes and node not in seen:
                seen.add(node)
                stack += self.next[node]
        return seen

    def liveness(self):
        self.live = {label: set() for label in self.next}
        changed = True
        while changed:
            changed = False
            for label in sorted(self.next, key=lambda name: -self.order.get(name, 0)):
                live = set()
                for succ in self.next[label]:
                    phis = {i.name for i in self.function.blocks[succ] if i.op == "phi"}
                    live |= self.live[succ] - phis
                    for i in self.function.blocks[succ]:
                        if i.op == "phi":
                            live |= {n for value, pred in i.extra if pred == label for n in operands(value)}
                for i in reversed(self.function.blocks[label]):
                    live.discard(i.name)
                    if i.op != "phi":
                        live |= set(used(i))
                live |= {i.name for i in self.function.blocks[label] if i.op == "phi"}
                if live != self.live[label]:
                    self.live[label] = live
                    changed = True

    def find_splits(self):
        for head, last in self.last.items():
            searched = {}
            for label, block in self.function.blocks.items():
                if self.order[head] <= self.order.get(label, -1) <= last:
                    for i in block:
                        if i.op == "call" and "llvm.cttz" in i.extra and i.args[0][1][0] == "name":
                            name = i.args[0][1][1]
                            searched[name] = searched.get(name, False) or label == head
            self.split[head] = {i.name: searched[i.name] for i in self.function.blocks[head] if i.op == "phi" and i.name in searched}
