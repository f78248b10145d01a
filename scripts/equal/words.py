# SPDX-License-Identifier: Apache-2.0
"""Arithmetic on words: tuples of literals of an and-inverter graph, bit 0 first. The model's and the RTL's operators are both
built here, so that equal expressions become the same nodes."""


class Words:
    def __init__(self, aig):
        self.aig = aig
        self.products = []  # (a, b, a * b) of words that are no constants (products.py)

    @staticmethod
    def constant(value, width):
        return tuple(value >> i & 1 for i in range(width))

    @staticmethod
    def number(word):
        """The value of a constant word, else None."""
        value = 0
        for i, bit in enumerate(word):
            if bit > 1:
                return None
            value |= bit << i
        return value

    def fresh(self, name, width):
        return tuple(self.aig.input(f"{name}[{i}]" if width > 1 else name) for i in range(width))

    @staticmethod
    def invert(a):
        return tuple(bit ^ 1 for bit in a)

    def map2(self, function, a, b):
        return tuple(function(x, y) for x, y in zip(a, b))

    def mux(self, condition, yes, no):
        if condition == 1 or yes == no:
            return yes
        if condition == 0:
            return no
        mux = self.aig.mux
        return tuple(mux(condition, y, n) for y, n in zip(yes, no))

    def add(self, a, b, carry=0):
        aig, result = self.aig, []
        for x, y in zip(a, b):
            half = aig.xor(x, y)
            result.append(aig.xor(half, carry))
            carry = aig.mux(half, carry, x)
        return tuple(result)

    def carry_out(self, a, b, carry):
        """Carry of a + b + carry out of the top bit."""
        aig = self.aig
        for x, y in zip(a, b):
            carry = aig.mux(aig.xor(x, y), carry, x)
        return carry

    def sub(self, a, b):
        return self.add(a, self.invert(b), 1)

    def negate(self, a):
        return self.add(self.invert(a), self.constant(0, len(a)), 1)

    def multiply(self, a, b):
        """The low len(a) bits of the product."""
        if sum(bit != 0 for bit in a) < sum(bit != 0 for bit in b):
            a, b = b, a
        width, total = len(a), self.constant(0, len(a))
        for i, bit in enumerate(b):
            if bit != 0 and i < width:
                row = (0,) * i + tuple(self.aig.conj(bit, x) for x in a[:width - i])
                total = self.add(total, row)
        if self.number(a) is None and self.number(b) is None:
            self.products.append((a, b, total))
        return total

    def divide(self, a, b):
        """Quotient and remainder, unsigned; by zero: all ones and a."""
        width = len(a)
        divisor = self.number(b)
        if divisor and not divisor & divisor - 1:
            k = divisor.bit_length() - 1
            return a[k:] + (0,) * k, a[:k] + (0,) * (width - k)
        rest, quotient = (0,) * width, [0] * width
        for i in reversed(range(width)):
            longer = (a[i],) + rest
            fits = self.at_least(longer, b + (0,))
            rest = self.mux(fits, self.sub(longer, b + (0,)), longer)[:width]
            quotient[i] = fits
        return tuple(quotient), rest

    def equal(self, a, b):
        return self.aig.all(self.aig.xor(x, y) ^ 1 for x, y in zip(a, b))

    def zero(self, a):
        return self.aig.any(a) ^ 1

    def at_least(self, a, b):
        """a >= b, unsigned."""
        return self.carry_out(a, self.invert(b), 1)

    def at_least_signed(self, a, b):
        return self.at_least(a[:-1] + (a[-1] ^ 1,), b[:-1] + (b[-1] ^ 1,))

    def shift(self, a, by, left, fill=0):
        """a shifted by the word `by`; by len(a) or more: all fill."""
        width, amount = len(a), self.number(by)
        if amount is not None:
            amount = min(amount, width)
            return (fill,) * amount + a[:width - amount] if left else a[amount:] + (fill,) * amount
        step = 0
        for step, bit in enumerate(by):
            distance = 1 << step
            if distance >= width:
                break
            moved = (fill,) * distance + a[:width - distance] if left else a[distance:] + (fill,) * distance
            a = self.mux(bit, moved, a)
        else:
            return a
        return self.mux(self.aig.any(by[step:]), (fill,) * width, a)

    def ones(self, a, width):
        """Number of bits that are 1."""
        words = [(bit,) for bit in a if bit != 0] or [(0,)]
        while len(words) > 1:
            words = [self.add(x + (0,), y + (0,)) for x, y in self.pairs(words)]
        return (words[0] + (0,) * width)[:width]

    @staticmethod
    def pairs(words):
        words = sorted(words, key=len)
        if len(words) & 1:
            words = [(0,) * len(words[1])] + words
        for x, y in zip(words[::2], words[1::2]):
            size = max(len(x), len(y))
            yield x + (0,) * (size - len(x)), y + (0,) * (size - len(y))

    def first_one(self, a, width):
        """Number of the lowest bit that is 1. The caller ensures that there is one."""
        result = self.constant(0, width)
        for i in reversed(range(len(a))):
            if a[i] != 0:
                result = self.mux(a[i], self.constant(i, width), result)
        return result
