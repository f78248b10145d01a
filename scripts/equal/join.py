# SPDX-License-Identifier: Apache-2.0
"""A composite: model and RTL connect their parts in the same way.

The parts stand for themselves: each is proved equal at these parameters apart. Here a part is any function of its state and inputs, the
same one on both sides, so that its outputs are free values which both sides share. The RTL gives each part one value of every input. Where
the model evaluates a part with those values, it gets those outputs; an output that it reads earlier counts if the inputs on which it
depends in the RTL have their values already, else it is anything. It is compared: every output of the composite; what each part is given at
the clock edge, inputs and outputs; that each part is ticked and reset once, with the parameters that the RTL gives it, on a state of its
own; that the composite has no registers besides."""

import json
import os

from llvm import Unsupported
from model import Model, to_bits, to_bytes
from netlist import Netlist, elaborate, run_yosys

SPARE = 4  # as in equality.py


class Part:
    def __init__(self, name, block, cell, params):
        self.name, self.block, self.cell, self.params = name, block, cell, params
        self.place = None  # offset of its state in the composite's
        self.ticks = self.resets = 0


class Join:
    """bad: as in Equality."""

    def __init__(self, block, params, words, rtl_files, sources, includes, work, infeasible):
        self.block, self.params, self.words, self.aig, self.bad = block, params, words, words.aig, []
        module, modules = elaborate_parts(block, params, rtl_files, includes, work)
        self.parts = self.read_parts(module, modules)
        self.netlist = Netlist(module, words)
        if self.netlist.registers:
            raise Unsupported(f"{block.name} has registers besides those of its parts")
        self.model = Model(block.name, params, words, sources, includes, work, infeasible)
        self.by_function = {f"{p.block.name}_{function}_erased": ([q for q in self.parts if q.block is p.block], function)
                            for p in self.parts for function in ("reset", "eval", "tick")}
        self.outputs = {p.name: {f.name: words.fresh(f"{p.name}.{f.name}", f.width.value(p.params)) for f in p.block.outputs} for p in self.parts}
        self.outputs = {name: {f: tuple(w) for f, w in outs.items()} for name, outs in self.outputs.items()}
        for p in self.parts:
            p.reads = read_by_outputs(p, rtl_files, includes, work, words)
        self.execute, self.model.executor.call = self.model.executor.call, self.call

    def read_parts(self, module, modules):
        """Takes the parts' cells out of the module. An instance u_NAME is the part NAME."""
        found = []
        for name, block in self.block.parts.items():
            cell = module["cells"].pop(f"u_{name}", None)
            if not cell:
                raise Unsupported(f"the RTL of {self.block.name} has no instance u_{name}")
            values = modules[cell["type"]]["parameter_default_values"]
            params = {p: int(values[p], 2) for p in block.params}
            for pin in ("clk_i", "rst_ni"):
                if pin in cell["connections"] and cell["connections"][pin] != module["ports"][pin]["bits"]:
                    raise Unsupported(f"{pin} of u_{name} is not that of {self.block.name}")
            found.append(Part(name, block, cell, params))
        return found

    # ---- layout ----

    @staticmethod
    def fields(layout, params):
        for f in layout.order:
            yield f, f.offset, f.width.value(params), f.slot

    def vector(self, layout, params, words):
        bits = [0] * ((layout.bytes + SPARE) * 8)
        for f, offset, width, _ in self.fields(layout, params):
            bits[offset:offset + width] = words[f.name]
        return bits

    def differ(self, a, b, sentence, when=1):
        literal = self.aig.conj(when, self.words.equal(a, b) ^ 1)
        if literal:
            self.bad.append((literal, sentence))

    # ---- the model's calls of its parts ----

    def bits_at(self, state, pointer, count):
        (_, number, offset, terms), = pointer.choices
        if terms:
            raise Unsupported("a part is given an object at a place that is not constant")
        return to_bits(state.memory[number][offset:offset + count])

    def call(self, state, name, args):
        if name not in self.by_function:
            return self.execute(state, name, args)
        parts, function = self.by_function[name]
        (_, _, offset, _), = args[1].choices
        part = self.part_at(parts, offset)
        for (p, value), at in zip(part.params.items(), range(0, 4 * len(part.params), 4)):
            given = self.bits_at(state, args[0], at + 4)[8 * at:]
            self.differ(given, self.words.constant(value, 32), f"parameter {p} of part {part.name}, which is {value} in the RTL")
        if function == "reset":
            part.resets += 1
            self.always(state, f"part {part.name} is reset by every reset")
        elif function == "eval":
            self.evaluate(state, part, args)
        else:
            self.tick(state, part, args)
        return state, None

    @staticmethod
    def part_at(parts, offset):
        """Of parts that are one block: that whose state lies there. A new place is that of the first part without one: any order would do, if
        it is the same in every call."""
        for part in [p for p in parts if p.place == offset] + [p for p in parts if p.place is None]:
            part.place = offset
            return part
        raise Unsupported(f"part {parts[-1].name}: two states, at bytes {parts[-1].place} and {offset}")

    def given(self, state, part, pointer):
        """Literal for each input: the model gives it the value that the RTL gives it, and nothing above its width."""
        layout = part.block.in_layout
        bits = self.bits_at(state, pointer, layout.bytes)
        same = {}
        for f, offset, width, slot in self.fields(layout, part.params):
            wanted = tuple(self.inputs[part.name][f.name]) + (0,) * (min(slot, len(bits) - offset) - width)
            same[f.name] = self.words.equal(bits[offset:offset + len(wanted)], wanted)
        return same

    def evaluate(self, state, part, args):
        same, values = self.given(state, part, args[2]), {}
        for f in part.block.outputs:
            known = self.aig.all(same[name] for name in sorted(part.reads[f.name]))
            word = self.outputs[part.name][f.name]
            self.fresh += 1
            values[f.name] = self.words.mux(known, word, self.words.fresh(f"unknown{self.fresh}.{part.name}.{f.name}", len(word)))
        layout = part.block.out_layout
        self.model.executor.store_bytes(state, args[3], to_bytes(self.vector(layout, part.params, values))[:layout.bytes], f"outputs of {part.name}")

    def always(self, state, sentence):
        literal = self.aig.all(sorted(state.guard)) ^ 1
        if literal:
            self.bad.append((literal, "not so: " + sentence))

    def tick(self, state, part, args):
        when = self.aig.all(sorted(state.guard))
        part.ticks += 1
        self.always(state, f"part {part.name} is ticked in every cycle")
        for name, same in self.given(state, part, args[2]).items():
            self.differ((same,), (1,), f"input {name} of part {part.name} at the clock edge", when)
        layout = part.block.out_layout
        bits = self.bits_at(state, args[3], layout.bytes)
        for f, offset, width, _ in self.fields(layout, part.params):
            self.differ(bits[offset:offset + width], self.outputs[part.name][f.name], f"output {f.name} of part {part.name} at the clock edge", when)

    # ---- the comparison ----

    def compare(self):
        block, self.fresh = self.block, 0
        common = {f.name: self.words.fresh(f.name, f.width.value(self.params)) for f in block.inputs}
        other = {f.name: self.words.fresh(f"other {f.name}", f.width.value(self.params)) if f.late else common[f.name] for f in block.inputs}
        known = {bit: literal for f in block.inputs for bit, literal in zip(self.netlist.port(f.name + "_i"), common[f.name])}
        for p in self.parts:
            for f in p.block.outputs:
                known.update(zip(p.cell["connections"][f.name + "_o"], self.outputs[p.name][f.name]))
        self.inputs = {p.name: {f.name: self.netlist.evaluate(p.cell["connections"][f.name + "_i"], known) for f in p.block.inputs} for p in self.parts}
        outs = {f.name: self.netlist.evaluate(self.netlist.port(f.name + "_o"), known) for f in block.outputs}
        state = [self.aig.input(f"state.{i}") for i in range(self.model.state_bytes * 8)]
        blank = [0] * ((block.out_layout.bytes + SPARE) * 8)
        after, _, seen = self.model.run("eval", state, self.vector(block.in_layout, self.params, other), blank)
        for f, offset, width, slot in self.fields(block.out_layout, self.params):
            self.differ(seen[offset:offset + width], outs[f.name], f"output {f.name}")
            self.differ(seen[offset + width:offset + slot], (0,) * (slot - width), f"output {f.name} above its width")
        given = self.vector(block.out_layout, self.params, outs)
        ticked = self.model.run("tick", state, self.vector(block.in_layout, self.params, common), given)[0]
        reset = self.model.run("reset", state)[0]
        if not after == ticked == reset == state:
            raise Unsupported(f"{block.name}: the model keeps a state of its own")
        for p in self.parts:
            if (p.ticks, p.resets) != (1, 1):
                raise Unsupported(f"part {p.name} is ticked {p.ticks} times in a cycle and reset {p.resets} times by a reset, wanted once each")
        self.bad += [(literal, f"the C code leaves an object or its rules: {text}") for literal, text in self.model.executor.obligations if literal]
        self.check_places()

    def check_places(self):
        end = 0
        for p in sorted(self.parts, key=lambda part: part.place):
            if p.place < end:
                raise Unsupported(f"the state of part {p.name} lies in that of another part")
            end = p.place + self.model.executor.globals[p.block.name + "_model"][1][1][1][1][1]


def elaborate_parts(block, params, files, includes, work):
    """The composite's module with its parts as cells, and all modules."""
    reads = [f"read_verilog -sv {'-defer' if f != files[-1] else ''} {' '.join('-I' + i for i in includes)} {f}" for f in files]
    chparam = " ".join(f"-chparam {name} {value}" for name, value in params.items())
    out = os.path.join(work, "parts.json")
    keep = " ".join(sorted({f"A:hdlname=*{p.name}" for p in block.parts.values()}))
    run_yosys("\n".join(reads + [f"hierarchy -check -top {block.name} {chparam}", f"setattr -mod -set keep_hierarchy 1 {keep}", "proc; flatten; opt_clean",
                                 f"write_json {out}"]), os.path.join(work, "parts.ys"), block.name)
    with open(out) as file:
        modules = json.load(file)["modules"]
    top, = [m for m in modules.values() if int(m["attributes"].get("top", "0"), 2)]
    return top, modules


def read_by_outputs(part, files, includes, work, words):
    """The inputs on which each output depends in the RTL without a clock edge."""
    names = {os.path.basename(f)[:-2]: f for f in files}
    own = names[part.block.name]
    module = elaborate([f for f in files if f not in (own, files[-1])] + [own], includes, part.block.name, part.params, work)
    netlist, aig = Netlist(module, words), words.aig
    known = {q: aig.input(f"register of {part.name}") for q in netlist.registers}
    port_of = {}
    for f in part.block.inputs:
        for bit in netlist.port(f.name + "_i"):
            known[bit] = aig.input(f"{part.name} reads {f.name}")
            port_of[known[bit] >> 1] = f.name
    for name in ("clk_i", "rst_ni"):
        if name in module["ports"]:
            known[netlist.port(name)[0]] = 1
    return {f.name: {port_of[n] for n in aig.cone(netlist.evaluate(netlist.port(f.name + "_o"), known)) if n in port_of} for f in part.block.outputs}
