# SPDX-License-Identifier: Apache-2.0
"""Words that are choices between few constants, such as an index that was searched for. For each value there is a literal; exactly one of
them is true, whatever the inputs are. They keep accesses at such an index, and comparisons of it, small."""

CASES = 140  # of a word


class Choices:
    def __init__(self, words):
        self.words, self.aig = words, words.aig
        self.cases = {}  # word to {value: literal}

    def cases_of(self, word):
        found = self.cases.get(word)
        if found is None:
            number = self.words.number(word)
            if number is not None:
                return {number: 1}
        return found

    def spread(self, word):
        """The same for any word with few unknown bits, else None."""
        found = self.cases_of(word)
        if found is not None:
            return found
        unknown = [i for i, bit in enumerate(word) if bit > 1]
        if len(unknown) > 7:
            return None
        fixed = sum(bit << i for i, bit in enumerate(word) if bit == 1)
        found = {fixed: 1}
        for i in unknown:
            found = {value | side << i: self.aig.conj(literal, word[i] ^ 1 ^ side) for value, literal in found.items() for side in (0, 1)}
        return {value: literal for value, literal in found.items() if literal}

    def note(self, word, cases):
        if 1 < len(cases) <= CASES:
            self.cases[word] = cases
        return word

    def joined(self, condition, yes, no):
        """A word that is one of two, with its cases."""
        word = self.words.mux(condition, yes, no)
        a, b = self.cases_of(yes), self.cases_of(no)
        if a is not None and b is not None:
            merged = {value: self.aig.conj(condition, literal) for value, literal in a.items()}
            for value, literal in b.items():
                merged[value] = self.aig.disj(merged.get(value, 0), self.aig.conj(condition ^ 1, literal))
            self.note(word, {value: literal for value, literal in merged.items() if literal})
        return word

    def mapped(self, word, function, *operands):
        """`word`, which is function(operands), with the cases that those of the operands give."""
        if self.words.number(word) is not None:
            return word
        known = [self.cases_of(operand) for operand in operands]
        if any(cases is not None and len(cases) > 1 for cases in known):
            known = [cases if cases is not None else self.spread(operand) for cases, operand in zip(known, operands)]
        if any(cases is None for cases in known) or all(len(cases) == 1 for cases in known):
            return word
        found, width = {}, (1 << len(word)) - 1
        if len(known) == 1:
            for value, literal in known[0].items():
                result = function(value) & width
                found[result] = self.aig.disj(found.get(result, 0), literal)
        elif len(known[0]) * len(known[1]) <= CASES * CASES // 2:
            for a, first in known[0].items():
                for b, second in known[1].items():
                    result = function(a, b) & width
                    found[result] = self.aig.disj(found.get(result, 0), self.aig.conj(first, second))
        return self.note(word, {value: literal for value, literal in found.items() if literal})

    def compare_cases(self, test, a, b):
        """A comparison with a constant of a word that is a choice between constants."""
        if a not in self.cases and b not in self.cases:
            return None
        one, other = self.cases_of(a), self.cases_of(b)
        if one is None or other is None or len(one) > 1 and len(other) > 1:
            return None
        half, whole = 1 << len(a) - 1, 1 << len(a)
        sign = (lambda v: v) if test[0] == "u" or test in ("eq", "ne") else (lambda v: v - whole if v >= half else v)
        holds = {"eq": lambda x, y: x == y, "ne": lambda x, y: x != y, "gt": lambda x, y: x > y, "ge": lambda x, y: x >= y,
                 "lt": lambda x, y: x < y, "le": lambda x, y: x <= y}[test if test in ("eq", "ne") else test[1:]]
        return self.aig.any(self.aig.conj(p, q) for x, p in one.items() for y, q in other.items() if holds(sign(x), sign(y)))

    def counted(self, word, width):
        """Number of ones. If few bits are unknown, with its cases."""
        result = self.words.ones(word, width)
        cases = self.spread(result) if sum(bit > 1 for bit in word) < 70 else None
        return self.note(result, cases) if cases and self.words.number(result) is None else result
