# SPDX-License-Identifier: Apache-2.0
"""One step of a block's C model beside one step of its RTL, from states whose registers agree."""

from model import Model
from netlist import Netlist, elaborate
from words import Words

MUTANT_PIN = "tandem_bug_i"
SPARE = 4  # bytes behind a port structure: one with words of 64 bits may end later than its layout


class Equality:
    """bad: (literal, sentence) for each comparison; the proof is that no literal is ever true.

    Literals of inputs are named after ports and registers; `edge NAME` is a late input at the clock edge, `other NAME` what the
    evaluation sees of it, `free.NAME` a register's row that does not count, `any...` a value before a reset."""

    def __init__(self, block, params, aig, files, sources, includes, work, prover):
        self.block, self.params, self.aig, self.words = block, params, aig, Words(aig)
        infeasible = lambda guard: prover.never([aig.all(sorted(guard))])[0] == "proved"
        self.model = Model(block.name, params, self.words, sources, includes, work, infeasible)
        self.netlist = Netlist(elaborate(files, includes, block.name, params, work), self.words)
        self.bad = []
        self.label = ""       # put before the names of inputs
        self.mutant = 0       # which mutant the RTL is, if it is a netlist of mutants (scripts/mutants)
        self.changed = set()  # guessed bits that a tick may change
        self.dropped = set()  # those of earlier attempts

    # ---- layout ----

    def fields(self, layout):
        for f in layout.order:
            yield f, f.offset, f.width.value(self.params), f.depth.value(self.params), f.slot

    def vector(self, layout, words):
        """Bits of a port structure; `words` has the bits of each port."""
        bits = [0] * ((layout.bytes + SPARE) * 8)
        for f, offset, width, _, _ in self.fields(layout):
            bits[offset:offset + width] = words[f.name]
        return bits

    def blank(self, layout):
        return [0] * ((layout.bytes + SPARE) * 8)

    def rows(self, layout, bits):
        """(field, row) to all bits of the row's slot."""
        return {(f.name, row): bits[offset + row * slot:offset + (row + 1) * slot]
                for f, offset, width, depth, slot in self.fields(layout) for row in range(depth)}

    # ---- registers ----

    def registers(self):
        """(register, row, width, its bits in the netlist); the bits are None if Yosys has removed the register."""
        for f, _, width, depth, _ in self.fields(self.block.reg_layout):
            for row in range(depth):
                yield f, row, width, self.register_bits(f, row, width)

    def register_bits(self, f, row, width):
        if f.array:
            return self.netlist.word(f.rtl, row)
        bits = self.netlist.wire(f.rtl)
        return bits and bits[row * width:(row + 1) * width]

    def valid_row(self, f, row):
        """The register, its row and the bit that says whether row `row` of f counts; None: it always does."""
        if not f.valid:
            return None
        other = next(g for g in self.block.regs if g.name == f.valid)
        width = other.width.value(self.params)
        return other, row // width, row % width

    def valid(self, f, row, values):
        """That bit, of a C state's register values."""
        at = self.valid_row(f, row)
        return values[(at[0].name, at[1])][at[2]] if at else 1

    def valid_next(self, f, row, nexts):
        """That bit, of the RTL's registers after the clock edge."""
        at = self.valid_row(f, row)
        if not at:
            return 1
        bits = self.register_bits(at[0], at[1], at[0].width.value(self.params))
        return self.netlist.evaluate([bits[at[2]]], nexts)[0]

    def shown(self, state):
        """Register rows of a C state."""
        return self.rows(self.block.reg_layout, self.model.run("regs", state, self.blank(self.block.reg_layout))[1])

    # ---- the state before the step ----

    def before(self):
        """The C state before the step. Two guesses keep bits out of it that are no state: a bit above a register's width is 0, and a bit that
        no register shows has the value that a reset gives it. A guess that is no constant after the tick is dropped: the bit above a
        register is then 0 only where its row counts, the other bit has any value."""
        free = [self.aig.input(f"c.{i // 8}.{i % 8}") for i in range(self.model.state_bytes * 8)]
        self.after_reset = self.model.run("reset", free)[0]
        place = {literal: i for i, literal in enumerate(free)}
        state, self.above, mapped, shown = list(free), {}, set(), self.shown(free)
        for f, _, width, depth, _ in self.fields(self.block.reg_layout):
            for row in range(depth):
                for k, literal in enumerate(shown[(f.name, row)]):
                    if literal in place:
                        mapped.add(place[literal])
                        state[place[literal]] = self.aig.input(f"{f.name}[{row}].{k}" if depth > 1 else f"{f.name}.{k}") if k < width else 0
                        if k >= width:
                            self.above[place[literal]] = (f, row)
        self.guessed = {i: literal for i, literal in enumerate(self.after_reset)
                        if i not in mapped and literal <= 1 and i not in self.dropped}
        for i, literal in self.guessed.items():
            state[i] = literal
        values, self.above_inputs = self.shown(state), {}
        self.guessed.update({i: 0 for i in self.above if i not in self.dropped})
        for i, (f, row) in self.above.items():
            valid = self.valid(f, row, values)
            if i in self.dropped and valid != 1:
                self.above_inputs[i] = self.aig.input(f"above.{f.name}[{row}].{i}")
                state[i] = self.aig.conj(self.above_inputs[i], valid ^ 1)
        self.chosen = state
        return self.model.derived(state)

    def same_registers(self, values):
        """Literals of the netlist's registers for a C state's register values."""
        known, self.functions = {}, []
        for f, row, width, bits in self.registers():
            if bits is None:
                continue
            if any(bit not in self.netlist.registers for bit in bits):
                self.functions.append((f, row, bits))
                continue
            valid = self.valid(f, row, values)
            for k, bit in enumerate(bits):
                own = values[(f.name, row)][k]
                known[bit] = own if valid == 1 else self.aig.mux(valid, own, self.aig.input(f"free.{f.name}[{row}].{k}"))
        for q in self.netlist.registers:  # where the manifest lists a function of registers, these are free
            if q not in known:
                known[q] = self.aig.input(f"free.{q}")
        return known

    def functions_agree(self, values, known):
        """That rows of the manifest which are functions of registers are equal where they count."""
        literals = []
        for f, row, bits in self.functions:
            valid = self.valid(f, row, values)
            here = self.netlist.evaluate(bits, known)
            literals += [self.aig.conj(valid, self.aig.xor(a, b)) ^ 1 for a, b in zip(values[(f.name, row)], here)]
        return self.aig.all(literals)

    # ---- the step ----

    def ports(self, prefix):
        """Bits of the input ports; late ones get new inputs with this prefix."""
        words = {}
        for f in self.block.inputs:
            width = f.width.value(self.params)
            name = prefix + f.name if f.late else f.name
            if name not in self.common:
                self.common[name] = [self.aig.input(f"{self.label}{name}.{k}") for k in range(width)]
            words[f.name] = self.common[name]
        return words

    def pins(self, words, reset):
        """Literals of the netlist's input pins."""
        known = {}
        for f in self.block.inputs:
            known.update(zip(self.netlist.port(f.name + "_i"), words[f.name]))
        for name, literal in (("clk_i", 0), ("rst_ni", reset)):
            if name in self.netlist.module["ports"]:
                known[self.netlist.port(name)[0]] = literal
        if MUTANT_PIN in self.netlist.module["ports"]:
            known.update((bit, self.mutant >> k & 1) for k, bit in enumerate(self.netlist.port(MUTANT_PIN)))
        return known

    def rtl_step(self, known):
        """Outputs, and values of the registers after the clock edge."""
        outs = [(f, self.netlist.port(f.name + "_o")) for f in self.block.outputs]
        flops = [q for q in self.netlist.registers if not isinstance(q, tuple)]
        values = self.netlist.evaluate([b for _, bits in outs for b in bits] + [self.netlist.registers[q] for q in flops], known)
        outputs, at = {}, 0
        for f, bits in outs:
            outputs[f.name] = values[at:at + len(bits)]
            at += len(bits)
        nexts = dict(zip(flops, values[at:]))
        nexts.update(self.netlist.write_memories(known))
        return outputs, nexts

    def differ(self, a, b, sentence, when=1):
        for k, (x, y) in enumerate(zip(a, b)):
            self.never(self.aig.conj(when, self.aig.xor(x, y)), f"{sentence}, bit {k}" if len(a) > 1 else sentence)

    def never(self, literal, sentence):
        if literal:
            self.bad.append((literal, sentence))

    def compare_states(self, after, nexts):
        self.compare_registers(self.shown(after), after, nexts)
        self.changed = {i for i, literal in self.guessed.items() if after[i] != literal}
        for i, (own, worked_out) in enumerate(zip(after, self.model.derived(after))):
            self.differ([own], [worked_out], f"byte {i // 8} of the C state, which is derived from others")
        for name, literal in self.model.invariants(after).items():
            self.never(literal ^ 1, f"invariant {name}")

    def compare_registers(self, values, after, nexts):
        for f, row, width, bits in self.registers():
            label = f"register {f.name}" + (f" row {row}" if f.rows else "")
            if bits is not None:
                self.differ(values[(f.name, row)][:width], self.netlist.evaluate(bits, nexts), label, self.valid_next(f, row, nexts))
        for i, (f, row) in self.above.items():
            if i in self.dropped and after[i]:
                self.never(self.aig.conj(self.valid_next(f, row, nexts), after[i]), f"bits of the C model above register {f.name} row {row}")

    def begin(self):
        self.bad, self.common = [], {}
        self.model.executor.obligations, self.netlist.collisions = [], []

    def keep_obligations(self):
        """What the translations of model, invariants and RTL rely on."""
        for literal, text in self.model.executor.obligations:
            self.never(literal, f"the C code leaves an object or its rules: {text}")
        for literal in self.netlist.collisions:
            self.never(literal, "two ports write one word of a memory")

    def step(self):
        """Comparisons of a cycle without reset."""
        while True:
            self.begin()
            self.one_cycle()
            if not self.changed:
                return
            self.dropped |= self.changed

    def one_cycle(self):
        state = self.before()
        values = self.shown(state)
        known = self.same_registers(values)
        assumed = self.aig.conj(self.aig.all(self.model.invariants(state).values()), self.functions_agree(values, known))
        seen, edge = self.ports("other "), self.ports("edge ")
        block = self.block
        own_outs = self.model.run("eval", state, self.vector(block.in_layout, seen), self.blank(block.out_layout))[2]
        outs, nexts = self.rtl_step({**known, **self.pins(edge, 1)})
        self.compare_outputs(own_outs, outs)
        after = self.model.run("tick", state, self.vector(block.in_layout, edge), self.vector(block.out_layout, outs))[0]
        self.compare_states(after, nexts)
        self.keep_obligations()
        self.bad = [(self.aig.conj(assumed, literal), text) for literal, text in self.bad]
        self.seen, self.own_outs, self.edge, self.after, self.outs = seen, own_outs, edge, after, outs
        self.assumed, self.known = assumed, known

    def compare_outputs(self, own_outs, outs):
        rows = self.rows(self.block.out_layout, own_outs)
        for f in self.block.outputs:
            own, width = rows[(f.name, 0)], f.width.value(self.params)
            self.differ(own[:width], outs[f.name], f"output {f.name}")
            self.differ(own[width:], [0] * (len(own) - width), f"output {f.name} above its width")

    def mutant_step(self, mutant):
        """The comparisons of step() with another mutant, without those of the model alone. The model's tick has been given the outputs of the
        RTL without a mutant; where the mutant's differ, that is one of the comparisons."""
        self.mutant, self.bad, self.netlist.collisions = mutant, [], []
        outs, nexts = self.rtl_step({**self.known, **self.pins(self.edge, 1)})
        self.compare_outputs(self.own_outs, outs)
        self.compare_registers(self.shown(self.after), self.after, nexts)
        self.bad = [(self.aig.conj(self.assumed, literal), text) for literal, text in self.bad]

    def mutant_reset(self, mutant):
        """The comparisons of reset() with another mutant."""
        self.mutant, self.bad, self.netlist.collisions = mutant, [], []
        known, words, after = self.reset_from
        self.compare_registers(self.shown(after), after, self.rtl_step({**known, **self.pins(words, 0)})[1])

    def reset(self):
        """Comparisons of a reset from any state; guessed bits have their value, as memory is zeroed before the first reset."""
        self.begin()
        free = [self.guessed.get(i) for i in range(self.model.state_bytes * 8)]
        free = [self.aig.input(f"any.{i // 8}.{i % 8}") if literal is None else literal for i, literal in enumerate(free)]
        after = self.model.run("reset", free)[0]
        known = {q: self.aig.input(f"any.{q}") for q in self.netlist.registers}
        words = {f.name: [self.aig.input(f"any.{f.name}.{k}") for k in range(f.width.value(self.params))] for f in self.block.inputs}
        _, nexts = self.rtl_step({**known, **self.pins(words, 0)})
        self.reset_from = known, words, after
        self.compare_states(after, nexts)
        self.keep_obligations()
        for i in self.changed:
            self.never(after[i] ^ self.guessed[i], f"byte {i // 8} of the C state")

    # ---- from a reset, without induction ----

    def after_reset_of_all(self):
        """C state and RTL registers after a reset from any state."""
        known = {q: self.aig.input(f"any.{q}") for q in self.netlist.registers}
        words = {f.name: [self.aig.input(f"any.{f.name}.{k}") for k in range(f.width.value(self.params))] for f in self.block.inputs}
        state = self.model.run("reset", [0] * (self.model.state_bytes * 8))[0]
        return state, self.rtl_step({**known, **self.pins(words, 0)})[1]

    def bounded(self, depth):
        """Comparisons of each of the first `depth` cycles after a reset; inputs of cycle K are named `K NAME`. Yields after each cycle, when
        `bad` has those of this cycle alone."""
        self.begin()
        self.above = {}
        state, nexts = self.after_reset_of_all()
        block = self.block
        for cycle in range(depth):
            self.bad, self.common, self.label = [], {}, f"{cycle} "
            seen, edge = self.ports("other "), self.ports("edge ")
            self.compare_registers(self.shown(state), state, nexts)
            own_outs = self.model.run("eval", state, self.vector(block.in_layout, seen), self.blank(block.out_layout))[2]
            outs, after = self.rtl_step({**nexts, **self.pins(edge, 1)})
            self.compare_outputs(own_outs, outs)
            state = self.model.run("tick", state, self.vector(block.in_layout, edge), self.vector(block.out_layout, outs))[0]
            nexts = after
            self.keep_obligations()
            self.model.executor.obligations, self.netlist.collisions = [], []
            yield cycle
        self.label = ""
