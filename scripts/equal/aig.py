# SPDX-License-Identifier: Apache-2.0
"""And-inverter graphs with structural hashing.

A literal is an integer: 2 * node, plus 1 if it is inverted. Node 0 is the constant: literal 0 is false, 1 is true.
"""

FALSE, TRUE = 0, 1


class Aig:
    def __init__(self):
        self.left, self.right = [0], [0]  # operands of a node; those of an input are -1
        self.names = {}                   # of inputs, by node
        self.table = {}

    def input(self, name):
        self.left.append(-1)
        self.right.append(-1)
        node = len(self.left) - 1
        self.names[node] = name
        return 2 * node

    def is_input(self, literal):
        return literal > 1 and not literal & 1 and self.left[literal >> 1] < 0

    def conj(self, a, b):
        if a > b:
            a, b = b, a
        if a == 0 or a == b ^ 1:
            return 0
        if a == 1 or a == b:
            return b
        key = (a, b)
        found = self.table.get(key)
        if found is not None:
            return found
        simpler = self.absorb(a, b)
        if simpler is None:
            simpler = self.absorb(b, a)
        if simpler is None:
            self.left.append(a)
            self.right.append(b)
            simpler = 2 * (len(self.left) - 1)
        self.table[key] = simpler
        return simpler

    def absorb(self, a, b):
        """Rules over the operands of b: contradiction, containment, substitution."""
        node = b >> 1
        l, r = self.left[node], self.right[node]
        if l < 0 or node == 0:
            return None
        if not b & 1:
            if a == l or a == r:
                return b  # a & (a & r)
            if a == l ^ 1 or a == r ^ 1:
                return 0
            return None
        if a == l ^ 1 or a == r ^ 1:
            return a  # a & !(!a & r)
        if a == l:
            return self.conj(a, r ^ 1)  # a & !(a & r)
        if a == r:
            return self.conj(a, l ^ 1)
        return None

    def disj(self, a, b):
        return self.conj(a ^ 1, b ^ 1) ^ 1

    def xor(self, a, b):
        if a <= 1:
            return b ^ a
        if b <= 1:
            return a ^ b
        if a == b:
            return 0
        if a == b ^ 1:
            return 1
        flip = (a ^ b) & 1
        a, b = a & ~1, b & ~1
        return self.disj(self.conj(a, b ^ 1), self.conj(a ^ 1, b)) ^ flip

    def mux(self, condition, yes, no):
        if condition == 1 or yes == no:
            return yes
        if condition == 0:
            return no
        if yes == no ^ 1:
            return self.xor(condition, no)
        if yes == 1 or yes == condition:
            return self.disj(condition, no)
        if yes == 0 or yes == condition ^ 1:
            return self.conj(condition ^ 1, no)
        if no == 0 or no == condition:
            return self.conj(condition, yes)
        if no == 1 or no == condition ^ 1:
            return self.disj(condition ^ 1, yes)
        return self.conj(self.conj(condition, yes ^ 1) ^ 1, self.conj(condition ^ 1, no ^ 1) ^ 1)

    def all(self, literals):
        result = 1
        for literal in literals:
            result = self.conj(result, literal)
        return result

    def any(self, literals):
        result = 0
        for literal in literals:
            result = self.disj(result, literal)
        return result

    def cone(self, roots):
        """Nodes below the roots, operands first."""
        seen, order = {0}, []
        stack = [literal >> 1 for literal in roots]
        while stack:
            node = stack[-1]
            if node in seen:
                stack.pop()
                continue
            l, r = self.left[node], self.right[node]
            wait = [] if l < 0 else [c for c in (l >> 1, r >> 1) if c not in seen]
            if wait:
                stack += wait
            else:
                seen.add(node)
                order.append(node)
                stack.pop()
        return order

    def simulate(self, roots, values, ones):
        """Values of the roots for the inputs' `values` (node to integer, one bit for each pattern)."""
        value = {0: 0}
        for node in self.cone(roots):
            l, r = self.left[node], self.right[node]
            if l < 0:
                value[node] = values.get(node, 0)
            else:
                value[node] = (value[l >> 1] ^ (ones if l & 1 else 0)) & (value[r >> 1] ^ (ones if r & 1 else 0))
        return [value[literal >> 1] ^ (ones if literal & 1 else 0) for literal in roots]

    def substitute(self, roots, replacement):
        """The roots with nodes, inputs or gates, replaced by literals."""
        new = {0: 0}
        for node in self.cone(roots):
            l, r = self.left[node], self.right[node]
            if node in replacement:
                new[node] = replacement[node]
            else:
                new[node] = 2 * node if l < 0 else self.conj(new[l >> 1] ^ (l & 1), new[r >> 1] ^ (r & 1))
        return [new[literal >> 1] ^ (literal & 1) for literal in roots]

    def write(self, path, roots):
        """Binary AIGER with one output for each root. Returns the inputs' names in file order."""
        return self.write_machine(path, [], roots)

    def write_machine(self, path, registers, roots):
        """The same with registers: (input that stands for it, literal of its next value), 0 at first."""
        order = self.cone(roots + [d for _, d in registers] + [q for q, _ in registers])
        held = [q >> 1 for q, _ in registers]
        kept = set(held)
        inputs = [n for n in order if self.left[n] < 0 and n not in kept]
        gates = [n for n in order if self.left[n] >= 0]
        number = {0: 0}
        for position, node in enumerate(inputs + held + gates):
            number[node] = position + 1
        literal = lambda x: 2 * number[x >> 1] + (x & 1)
        with open(path, "wb") as out:
            out.write(f"aig {len(order)} {len(inputs)} {len(held)} {len(roots)} {len(gates)}\n".encode())
            for root in [d for _, d in registers] + roots:
                out.write(f"{literal(root)}\n".encode())
            for position, node in enumerate(gates):
                own = 2 * (len(inputs) + len(held) + position + 1)
                high, low = sorted((literal(self.left[node]), literal(self.right[node])), reverse=True)
                for delta in (own - high, high - low):
                    while delta >= 128:
                        out.write(bytes((delta & 127 | 128,)))
                        delta >>= 7
                    out.write(bytes((delta,)))
        return [self.names[n] for n in inputs]
