# SPDX-License-Identifier: Apache-2.0
"""Products as free functions of their factors.

That two multipliers of 32 bits with equal factors give equal products is clear, but SAT does not find it where the factors are equal
only in some states. Here each product becomes free bits, of which only this is known: equal factors, in either order, give equal
products. What holds with that holds for the real products; what does not may still hold."""

SMALL = 12  # a product with a factor of fewer variable bits stays as it is


def factors(words, a, b):
    """The factors without leading zeros, if both are large."""
    parts = []
    for word in (a, b):
        while word and word[-1] == 0:
            word = word[:-1]
        if sum(bit > 1 for bit in word) < SMALL:
            return None
        parts.append(word)
    return parts


def agree(words, a, b):
    width = max(len(a), len(b))
    return words.equal(a + (0,) * (width - len(a)), b + (0,) * (width - len(b)))


def free_products(words, roots):
    """The roots with free products, each and-ed with what is known of them; None if there is no large product."""
    aig, found, known = words.aig, [], []
    for a, b, product in words.products:
        parts = factors(words, a, b)
        if not parts or any(product == other for _, _, other in found):
            continue
        for x, y, other in found:
            same = aig.disj(aig.conj(agree(words, parts[0], x), agree(words, parts[1], y)),
                            aig.conj(agree(words, parts[0], y), agree(words, parts[1], x)))
            width = min(len(product), len(other))
            known.append(aig.conj(same, words.equal(product[:width], other[:width]) ^ 1) ^ 1)
        found.append((*parts, product))
    if not found:
        return None
    cut = {}
    for number, (_, _, product) in enumerate(found):
        for k, literal in enumerate(product):
            if literal > 1 and not aig.is_input(literal & ~1) and literal >> 1 not in cut:
                cut[literal >> 1] = aig.input(f"product {number}.{k}")
    *bad, fact = aig.substitute(roots + [aig.all(known)], cut)
    return [aig.conj(literal, fact) for literal in bad]
