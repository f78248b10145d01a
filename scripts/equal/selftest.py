# SPDX-License-Identifier: Apache-2.0
"""Functions in LLVM's language, executed symbolically and then simulated, against the same functions in Python; and products as free
functions: equal factors must give a proof, other factors none.

Exit codes: 0 all agree, 1 one does not."""

import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from aig import Aig  # noqa: E402
from execute import Executor, State  # noqa: E402
from llvm import Module  # noqa: E402
from products import free_products  # noqa: E402
from prover import Prover  # noqa: E402
from words import Words  # noqa: E402

# The exit of the loop is tested at its head, where the word may be 0.
PLACES = """
define i32 @f(i32 %0) {
  br label %2
2:
  %3 = phi i32 [ %0, %1 ], [ %8, %6 ]
  %4 = phi i32 [ 0, %1 ], [ %10, %6 ]
  %5 = icmp eq i32 %3, 0
  br i1 %5, label %12, label %6
6:
  %7 = add i32 %3, -1
  %8 = and i32 %3, %7
  %9 = call i32 @llvm.cttz.i32(i32 %3, i1 true)
  %10 = add i32 %4, %9
  br label %2
12:
  ret i32 %4
}
"""
DIVISION = """
define i32 @f(i32 %0) {
  %2 = shl i32 %0, 16
  %3 = ashr i32 %2, 16
  %4 = ashr i32 %0, 16
  %5 = icmp eq i32 %4, 0
  br i1 %5, label %8, label %6
6:
  %7 = sdiv i32 %3, %4
  %9 = srem i32 %3, %4
  %10 = xor i32 %7, %9
  br label %8
8:
  %11 = phi i32 [ 7, %1 ], [ %10, %6 ]
  ret i32 %11
}
"""
CASES = """
define i32 @f(i32 %0) {
  %2 = and i32 %0, 3
  switch i32 %2, label %5 [
    i32 0, label %3
    i32 2, label %4
  ]
3:
  br label %6
4:
  br label %6
5:
  br label %6
6:
  %7 = phi i32 [ 1, %3 ], [ 9, %4 ], [ -1, %5 ]
  %8 = icmp slt i32 %7, 0
  %9 = shl i32 1, %7
  %10 = call i32 @llvm.fshl.i32(i32 %0, i32 %0, i32 %7)
  %11 = xor i32 %9, %10
  %12 = select i1 %8, i32 %0, i32 %11
  ret i32 %12
}
"""
MASK = (1 << 32) - 1


def signed(value, bits):
    return value - (value >> bits - 1 << bits)


def division(x):
    a, b = signed(x & 0xffff, 16), signed(x >> 16, 16)
    if not b:
        return 7
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return (quotient & MASK) ^ (a - quotient * b & MASK)


def cases(x):
    by = {0: 1, 2: 9}.get(x & 3)
    return x if by is None else 1 << by ^ ((x << by | x >> 32 - by) & MASK)


TESTS = (("places of the ones", PLACES, lambda x: sum(i for i in range(32) if x >> i & 1)), ("signed division", DIVISION, division),
         ("choices between constants", CASES, cases))


def result_of(text, work):
    """The and-inverter graph, its input word and the function's result."""
    path = os.path.join(work, "f.ll")
    with open(path, "w") as file:
        file.write(text)
    module, aig = Module(), Aig()
    module.read(path)
    executor = Executor(Words(aig), [module], lambda guard: False)
    word = executor.words.fresh("x", 32)
    _, result = executor.call(State(frozenset(), {}, {}), "f", [word])
    return aig, word, result


def products(work):
    """Two products of 32 bits whose factors agree, exchanged, only while c holds; with `wrong`, one factor never does."""
    failed = 0
    for wrong, wanted in ((False, "proved"), (True, "false")):
        aig = Aig()
        words = Words(aig)
        a, b, other = (words.fresh(name, 32) for name in ("a", "b", "other"))
        c = aig.input("c")
        first = words.multiply(a, b)
        second = words.multiply(words.mux(c, (b[0] ^ 1,) + b[1:] if wrong else b, other), a)
        differ = [aig.conj(c, aig.xor(x, y)) for x, y in zip(first, second)]
        verdict = Prover(aig, work, 20).never(free_products(words, differ))[0]
        if verdict != wanted:
            print(f"products of {'other' if wrong else 'equal'} factors: {verdict}, not {wanted}")
            failed = 1
    return failed


def main():
    rng, failed = random.Random(1), 0
    values = [0, 1, MASK, 1 << 31, 0xffff] + [rng.getrandbits(32) for _ in range(250)] + [1 << i for i in range(32)]
    with tempfile.TemporaryDirectory() as work:
        failed |= products(work)
        for name, text, function in TESTS:
            aig, word, result = result_of(text, work)
            inputs = {literal >> 1: sum((value >> i & 1) << k for k, value in enumerate(values)) for i, literal in enumerate(word)}
            columns = aig.simulate(result, inputs, (1 << len(values)) - 1)
            for k, value in enumerate(values):
                found = sum((column >> k & 1) << i for i, column in enumerate(columns))
                if found != function(value) & MASK:
                    print(f"{name}: f({value:#x}) is {function(value) & MASK:#x}, the translation gives {found:#x} (seed 1)")
                    failed = 1
                    break
    return failed


if __name__ == "__main__":
    sys.exit(main())
