# SPDX-License-Identifier: Apache-2.0
"""Checks the translation of a C model: it is simulated beside the compiled model, on states that random inputs reach from a reset."""

import random


class Mismatch(Exception):
    """The translation computes something else than the model."""


def words_of(rng, equality):
    """Random values of the input ports; few ones, many ones, or even, so that enables and masks meet."""
    words = {}
    for f in equality.block.inputs:
        width = f.width.value(equality.params)
        value = rng.getrandbits(width)
        kind = rng.randrange(4)
        if kind == 0:
            value &= rng.getrandbits(width)
        elif kind == 1:
            value |= rng.getrandbits(width)
        elif kind == 2 and width > 8:
            value &= 15 << rng.randrange(width)
        words[f.name] = value
    return words


def packed(equality, layout, words, size):
    value = 0
    for f, offset, width, _, _ in equality.fields(layout):
        value |= words[f.name] << offset
    return value.to_bytes(size, "little")


def columns(values, width):
    """Bit k of each of the values, as an integer with one bit for each value; the first value is the highest bit."""
    rows = [format(value, f"0{width}b") for value in values]
    return [int("".join(column), 2) for column in zip(*rows)][::-1]


def check(equality, cycles, seed):
    """Simulates `cycles` cycles. The model is the judge of what is reached, so what is derived must be as derived there, too."""
    rng, compiled = random.Random(seed), equality.model.load()
    block, aig = equality.block, equality.aig
    in_size, out_size = len(equality.blank(block.in_layout)) // 8, len(equality.blank(block.out_layout)) // 8
    before, outs, after, ports = [], [], [], []
    number = lambda data: int.from_bytes(data, "little")
    for _ in range(cycles):
        if rng.randrange(200) == 0:
            compiled.reset()
        ports.append(words_of(rng, equality))
        inputs = packed(equality, block.in_layout, ports[-1], in_size)
        before.append(number(compiled.state.raw))
        outs.append(compiled.eval(inputs, out_size))
        compiled.tick(inputs, outs[-1])
        after.append(number(compiled.state.raw))
    parts = [("state before", equality.model.derived(equality.chosen), before), ("outputs", equality.own_outs, [number(o) for o in outs]),
             ("state after", equality.after, after)]
    expected = [columns(values, len(literals)) for _, literals, values in parts]
    values = {}
    for i, column in enumerate(expected[0]):
        for literal in (equality.chosen[i], equality.above_inputs.get(i, 0)):
            if aig.is_input(literal):
                values[literal >> 1] = column
    for name in ports[0]:
        for side in (equality.seen, equality.edge):
            values.update((literal >> 1, column) for literal, column in zip(side[name], columns([p[name] for p in ports], len(side[name]))))
    given = equality.vector(block.out_layout, equality.outs)
    found = aig.simulate([literal for _, literals, _ in parts for literal in literals] + list(given), values, (1 << cycles) - 1)
    # the translated tick is given the RTL's outputs: where these are not the model's, the proof fails, and says why
    same, at = (1 << cycles) - 1, 0
    for own, column in zip(found[-len(given):] if given else [], columns([number(o) for o in outs], len(given))):
        same &= ~(own ^ column)
    for (what, literals, _), wanted in zip(parts, expected):
        for i, (own, column) in enumerate(zip(found[at:], wanted)):
            differ = (own ^ column) & (same if what == "state after" else -1)
            if differ:
                cycle = cycles - differ.bit_length()
                raise Mismatch(f"{block.name}: cycle {cycle} (seed {seed}), {what}, byte {i // 8}, bit {i % 8}: the translation of the model differs")
        at += len(literals)
