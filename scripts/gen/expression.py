# SPDX-License-Identifier: Apache-2.0
"""Widths and conditions of the manifest: integer expressions over a block's parameters, in Python, C and Verilog."""

import difflib
import re

from marks import ManifestError

TOKEN = re.compile(r"\s*(\d+|[A-Za-z_]\w*|<=|>=|==|[-+*/(),<>])")


def near(word, words):
    """"; did you mean X?", or nothing."""
    found = difflib.get_close_matches(str(word), [str(w) for w in words], 1)
    return f"; did you mean {found[0]}?" if found else ""


class Expression:
    """An integer expression over parameters: + - * / ( ) clog2(x) bits(x) pow2(x) max(x,y) min(x,y) eq(x,y), and of a condition one
    comparison <= < == > >=, which is 1 or 0."""

    COMPARISONS = {"<=": lambda a, b: a <= b, "<": lambda a, b: a < b, "==": lambda a, b: a == b,
                   ">": lambda a, b: a > b, ">=": lambda a, b: a >= b}
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
        if self.peek() in self.COMPARISONS:
            self.tree = (self.take(), self.tree, self.sum())
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
        if tree[0] in self.COMPARISONS:
            return int(self.COMPARISONS[tree[0]](*a))
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
        if tree[0] in self.COMPARISONS:
            return f"(({a[0]}) {tree[0]} ({a[1]}) ? 1 : 0)"
        if tree[0] in ("max", "min"):
            return f"(({a[0]}) {'>' if tree[0] == 'max' else '<'} ({a[1]}) ? ({a[0]}) : ({a[1]}))"
        return f"({a[0]} {tree[0]} {a[1]})"
