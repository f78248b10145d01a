# SPDX-License-Identifier: Apache-2.0
"""Proves that a block's C model and its RTL are equal, by one step of induction over the manifest's registers.

From any state in which the registers of both agree (rows whose valid bit is 0 are free) and the block's invariants hold, for all inputs:
every output agrees, the registers agree after the tick, and the invariants hold again. A reset leads there from any state. The
translation of the model is simulated beside the compiled model.

Exit codes: 0 proved, 1 not proved, 2 bad usage or a construct that cannot be read."""

import argparse
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, "scripts", "gen")]

import manifest  # noqa: E402
import translation  # noqa: E402
from aig import Aig  # noqa: E402
from equality import Equality  # noqa: E402
from join import Join  # noqa: E402
from llvm import Unsupported  # noqa: E402
from products import free_products  # noqa: E402
from prover import Prover  # noqa: E402
from words import Words  # noqa: E402

CYCLES = 500  # of the simulation of the translation
REACH_CYCLES, REACH_SECONDS = 20, 10  # of the search for a run that reaches a counterexample
sys.setrecursionlimit(100000)


def with_parts(block):
    found = [block]
    for part in block.parts.values():
        found += [b for b in with_parts(part) if b not in found]
    return found


def rtl_files(block, rtl):
    """The modules that the block may be made of, its own file, or `rtl` in its place, last."""
    folders = [os.path.join(ROOT, "rtl", name) for name in sorted({"prim", block.family})]
    files = [os.path.join(folder, name) for folder in folders for name in sorted(os.listdir(folder)) if name.endswith(".v")]
    rtl = rtl or os.path.join(ROOT, "rtl", block.family, block.name + ".v")
    with open(rtl) as own:
        text = own.read()
    defined = lambda path: any(line.split()[1:2] == [os.path.basename(path)[:-2]] for line in text.splitlines() if line.startswith("module "))
    return [path for path in files if not defined(path)] + [rtl]


def model_files(block):
    files = [os.path.join(ROOT, "csim", "blocks", b.family, b.name + ".c") for b in with_parts(block)]
    invariants = os.path.join(ROOT, "testbench", block.family, block.name + "_equal.c")
    return [invariants] + files[1:] if os.path.exists(invariants) else files


def smaller(aig, literal, values):
    """A counterexample to `literal` with as few ones as zeroing them, many at a time, leaves."""
    cone = set(aig.cone([literal]))
    values = {n: v for n, v in values.items() if n in cone}
    while True:
        ones = [n for n, v in values.items() if v]
        everywhere = (1 << len(ones)) - 1
        held, = aig.simulate([literal], {n: everywhere ^ (1 << k) for k, n in enumerate(ones)}, everywhere)
        free = [n for k, n in enumerate(ones) if held >> k & 1]
        while free:
            less = values | {n: 0 for n in free}
            if aig.simulate([literal], less, 1)[0]:
                values = less
                break
            free = free[:len(free) // 2]
        if not free:
            return values


def of_names(bits):
    """{name: value} of bits that are named NAME.K."""
    words = {}
    for name, value in bits.items():
        stem, _, bit = name.rpartition(".")
        stem, bit = (stem, int(bit)) if stem and bit.isdigit() else (name, 0)
        words[stem] = words.get(stem, 0) | value << bit
    return words


def explain(equality, model):
    """What a counterexample breaks, and the inputs and registers that it needs for the first of these."""
    aig = equality.aig
    values = {n: model.get(name, 0) for n, name in aig.names.items()}
    broken = [pair for pair, held in zip(equality.bad, aig.simulate([l for l, _ in equality.bad], values, 1)) if held]
    print("  not equal: " + "; ".join(dict.fromkeys(text for _, text in broken[:6])))
    needed = smaller(aig, broken[0][0], values) if broken else {}
    for name, value in sorted(of_names({aig.names[n]: v for n, v in needed.items()}).items()):
        if value:
            print(f"    {name} = {value:#x}")
    print("  Inputs and registers that are not named are 0.", end=" ")


def reach(block, params, options, equality, prover):
    """Whether the model and the RTL differ within some cycles of a reset: then these are written as a stimulus."""
    end = processor_seconds() + REACH_SECONDS
    depth = 0
    try:
        for cycle in equality.bounded(REACH_CYCLES):
            verdict, model = prover.never([literal for literal, _ in equality.bad], REACH_SECONDS)
            if verdict == "false":
                write_stimulus(block, params, options, equality, model, cycle + 1)
                return
            if verdict != "proved" or processor_seconds() > end:
                break
            depth = cycle + 1
    except Unsupported as problem:
        print(f"({problem})", end=" ")
    print(f"No run of {depth} cycles from reset differs. If none reaches this state, an invariant in "
          f"testbench/{block.family}/{block.name}_equal.c must say so.")


def write_stimulus(block, params, options, equality, model, cycles):
    aig = equality.aig
    values = {n: model.get(name, 0) for n, name in aig.names.items()}
    broken = next((literal for literal, held in zip((l for l, _ in equality.bad), aig.simulate([l for l, _ in equality.bad], values, 1)) if held))
    needed = of_names({aig.names[n]: v for n, v in smaller(aig, broken, values).items()})
    os.makedirs(options.out, exist_ok=True)
    path = os.path.join(options.out, "stimulus.csv")
    with open(path, "w") as file:
        print(f"# block {block.name}", *(f"# param {name}={value}" for name, value in params.items()), sep="\n", file=file)
        if options.bug:
            print(f"# bug {options.bug}", file=file)
        print("cycle,rst_n", *(f.name for f in block.inputs), sep=",", file=file)
        print("0,0", *("0" for _ in block.inputs), sep=",", file=file)
        for cycle in range(cycles + 1):  # one more: the last edge shows in its registers
            row = [needed.get(f"{cycle} edge {f.name}" if f.late else f"{cycle} {f.name}", 0) for f in block.inputs]
            print(cycle + 1, 1, *(hex(value) for value in row), sep=",", file=file)
    print(f"A run of {cycles} cycles from reset differs; replay it: tandem replay {path}")


def processor_seconds():
    """Of this process and of those that it has started."""
    return sum(os.times()[:4])


def open_equality(block, params, options, aig, work, prover):
    includes = [os.path.join(ROOT, folder) for folder in ("csim", "testbench", os.path.join("rtl", "include"))] + [options.generated]
    equality = Equality(block, params, aig, rtl_files(block, options.rtl), model_files(block), includes, work, prover)
    if options.flip is not None:
        equality.model.change_store(options.flip)
    return equality


def decide(equality, prover):
    """Whether no comparison of `equality` ever fails: first with products as free functions, where it has some."""
    bad = [literal for literal, _ in equality.bad]
    free = free_products(equality.words, bad)
    if free is not None and prover.never(free, prover.seconds // 4)[0] == "proved":
        return "proved", None
    return prover.never(bad)


def prove(block, params, options, work):
    """Prints a line; returns whether the block is proved equal for these parameters."""
    start, aig = processor_seconds(), Aig()
    prover = Prover(aig, work, options.seconds)
    equality = open_equality(block, params, options, aig, work, prover)
    defined = sorted(equality.model.invariants(equality.before()))
    if defined != sorted(block.invariants):
        raise manifest.ManifestError(f"configs/blocks.yaml: {block.name}: 'invariants' names {', '.join(sorted(block.invariants)) or 'none'}, "
                                     f"testbench/{block.family}/{block.name}_equal.c defines {', '.join(defined) or 'none'}")
    label = " ".join(f"{name}={value}" for name, value in params.items())
    for what in ("step", "reset"):
        getattr(equality, what)()
        if what == "step" and options.flip is None and not options.rtl:  # the tick is given the RTL's outputs, here without a planted bug
            translation.check(equality, CYCLES, options.seed)
        verdict, model = decide(equality, prover)
        if verdict != "proved":
            break
    print(f"{block.name:<22} {label:<34} equal  {verdict if verdict != 'false' else 'FAILED':<9} {processor_seconds() - start:.1f} s", flush=True)
    if verdict == "false":
        print(f"  in the {what}:")
        explain(equality, model)
        if options.flip is None:  # no run of the compiled model would show it
            reach(block, params, options, equality, prover)
    return verdict == "proved"


def prove_bounded(block, params, options, work):
    """The same for the first cycles after a reset."""
    start, aig = processor_seconds(), Aig()
    prover = Prover(aig, work, options.seconds)
    equality = open_equality(block, params, options, aig, work, prover)
    verdict, cycle = "proved", 0
    for cycle in equality.bounded(options.cycles):
        verdict, model = prover.never([literal for literal, _ in equality.bad])
        if verdict != "proved":
            break
    label = " ".join(f"{name}={value}" for name, value in params.items())
    text = f"for {options.cycles} cycles" if verdict == "proved" else "FAILED" if verdict == "false" else verdict
    print(f"{block.name:<22} {label:<34} equal  {text:<9} {processor_seconds() - start:.1f} s", flush=True)
    if verdict == "false":
        write_stimulus(block, params, options, equality, model, cycle + 1)
    return verdict == "proved"


def prove_joined(block, params, options, work):
    """A composite: it connects its parts in the same way, and each of them is proved equal at its parameters (not with --join)."""
    start, aig = processor_seconds(), Aig()
    prover = Prover(aig, work, options.seconds)
    includes = [os.path.join(ROOT, folder) for folder in ("csim", "testbench", os.path.join("rtl", "include"))] + [options.generated]
    join = Join(block, params, Words(aig), rtl_files(block, options.rtl), model_files(block), includes, work,
                lambda guard: prover.never([aig.all(sorted(guard))])[0] == "proved")
    if options.flip is not None:
        join.model.change_store(options.flip)
    join.compare()
    verdict, model = prover.never([literal for literal, _ in join.bad])
    label = " ".join(f"{name}={value}" for name, value in params.items())
    print(f"{block.name:<22} {label:<34} join   {verdict if verdict != 'false' else 'FAILED':<9} {processor_seconds() - start:.1f} s", flush=True)
    if verdict == "false":
        values = {n: model.get(name, 0) for n, name in aig.names.items()}
        held = aig.simulate([literal for literal, _ in join.bad], values, 1)
        print("  model and RTL connect the parts in different ways: " + "; ".join([t for (_, t), one in zip(join.bad, held) if one][:6]))
    if verdict != "proved" or options.join:
        return verdict == "proved"
    for part in join.parts:
        options.rtl = os.path.join(ROOT, "rtl", part.block.family, part.block.name + ".v")
        with tempfile.TemporaryDirectory() as below:
            if not prove(part.block, part.params, options, below):
                return False
    print(f"{block.name:<22} {label:<34} equal  by parts  {processor_seconds() - start:.1f} s", flush=True)
    return True


def parameters(block, text):
    params = dict(block.params)
    for word in text.split():
        name, _, value = word.partition("=")
        if name not in params or not value.isdigit():
            raise manifest.ManifestError(f"{word}: no parameter of {block.name}; write P=NUMBER with P one of {', '.join(params)}")
        params[name] = int(value)
    return params


def chosen_lines(block):
    """Those of the gate, or where the gate has none those of the night; a line `// equal-bounded: CYCLES P=V ...` is for so many cycles."""
    found = manifest.property_lines(block, "equal", "equal-bounded") or manifest.property_lines(block, "equal-nightly")
    if not found:
        raise manifest.ManifestError(f"testbench/{block.family}/{block.name}_props.svh has no line '// equal: P=V ...'; "
                                     f"name the parameters: tandem prove {block.name} --equal P=V ...")
    return found


def main():
    parser = argparse.ArgumentParser(prog="scripts/prove --equal", description=__doc__.split("\n")[0])
    parser.add_argument("block")
    parser.add_argument("params", nargs="*", help="P=V; without any, the sets of the lines `// equal:` in testbench/F/B_props.svh")
    parser.add_argument("--nightly", action="store_true", help="the sets of the lines `// equal-nightly:`")
    parser.add_argument("--rtl", help="another file for the block's RTL")
    parser.add_argument("--flip", type=int, metavar="K", help="plant a bug: flip bit 0 of what store K of the C model's tick writes")
    parser.add_argument("--break-translation", action="store_true", help="plant a bug: subtractions lose their carry")
    parser.add_argument("--bug", help="the planted bug that the RTL has: noted in a stimulus")
    parser.add_argument("--bounded", type=int, metavar="CYCLES", help="not by induction: for so many cycles from a reset")
    parser.add_argument("--join", action="store_true", help="of a composite only how it connects its parts")
    parser.add_argument("--out", default="tandem-out/prove", help="folder for the stimulus of a proof that fails")
    parser.add_argument("--seconds", type=int, default=600, help="for each query of the solver (default: 600)")
    parser.add_argument("--seed", type=int, default=1, help="of the simulation of the translation (default: 1)")
    parser.add_argument("--generated", default=os.path.join(ROOT, "build", "generated"), help="folder of the generated headers")
    options = parser.parse_args()
    blocks, _ = manifest.load(os.path.join(ROOT, "configs", "blocks.yaml"))
    block = manifest.find(blocks, options.block)
    if options.break_translation:
        Words.sub = lambda self, a, b: self.add(a, self.invert(b))
    sets = [" ".join(options.params)] if options.params else manifest.property_lines(block, "equal-nightly") if options.nightly else chosen_lines(block)
    proved = True
    for text in sets:
        with tempfile.TemporaryDirectory() as work:
            cycles, _, rest = text.strip().partition(" ")
            options.cycles = int(cycles) if cycles.isdigit() else options.bounded
            how = prove_bounded if options.cycles else prove_joined if block.parts else prove
            proved &= how(block, parameters(block, rest if cycles.isdigit() else text), options, work)
        if not proved and (options.bug or options.flip is not None):
            break  # one set shows the planted bug
    return 0 if proved else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except manifest.ManifestError as problem:
        manifest.fail(problem)
    except (Unsupported, translation.Mismatch) as problem:
        print(f"scripts/prove --equal: {problem}", file=sys.stderr)
        sys.exit(2)
