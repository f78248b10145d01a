# SPDX-License-Identifier: Apache-2.0
"""The C model of a block: its functions, run symbolically on bytes of literals, and run as they are."""

import ctypes
import os
import subprocess

from execute import Executor, State
from llvm import Module, Unsupported

CLANG = ("-O1", "-gline-tables-only", "-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops")


def to_bytes(bits):
    return [tuple(bits[i:i + 8]) for i in range(0, len(bits), 8)]


def to_bits(data):
    return [bit for byte in data for bit in byte]


class Model:
    """sources: the files of the model; the first is the block's own, or the one that adds its invariants."""

    def __init__(self, name, params, words, sources, includes, work, infeasible):
        self.name, self.params, self.words, self.work = name, params, words, work
        self.sources, self.includes = sources, [f"-I{folder}" for folder in includes]
        modules = [self.read(source) for source in sources]
        self.executor = Executor(words, modules, infeasible)
        found = self.executor.globals.get(name + "_model")
        if not found:
            raise Unsupported(f"{name}_model is in none of: {' '.join(sources)}")
        self.state_bytes = found[1][1][1][1][1]  # the second field of struct block_model

    def read(self, source):
        out = os.path.join(self.work, os.path.basename(source) + ".ll")
        self.compile(source, out, "-S", "-emit-llvm", *CLANG)
        module = Module()
        module.read(out)
        return module

    def compile(self, source, out, *options):
        command = ["clang", "-std=gnu11", *options, *self.includes, "-o", out, *([source] if isinstance(source, str) else source)]
        try:
            done = subprocess.run(command, capture_output=True, text=True)
        except FileNotFoundError:
            raise Unsupported("clang is not on PATH; install the package clang")
        if done.returncode:
            raise Unsupported(f"clang cannot compile {source}:\n{done.stderr}")

    def stores(self, function, seen):
        """The stores of words in a function, then in those that it calls, each function once."""
        code = self.executor.functions.get(function)
        if not code or function in seen:
            return []
        seen.add(function)
        instructions = [i for block in code.blocks.values() for i in block]
        own = [i for i in instructions if i.op == "store" and i.kind.kind == "i"]
        return own + [store for i in instructions if i.op == "call" for store in self.stores(i.extra[1:], seen)]

    def change_store(self, number):
        """Plants a bug: flips bit 0 of what the store instruction `number` of the tick writes; of a model with a step, of what finishes
        it; of a combinational block, of the evaluation."""
        for function in ("finish", "tick", "eval"):
            stores = self.stores(f"{self.name}_{function}_erased", set())
            if stores:
                stores[number % len(stores)].flipped = True
                return
        raise Unsupported(f"the tick of {self.name} stores nothing")

    def call(self, function, objects):
        """Runs a function of the model on new objects with these bytes. Returns their bytes after it, and the result."""
        state = State(frozenset(), {}, {})
        pointers = [self.executor.object(state, data) for data in [self.cfg()] + objects]
        after, result = self.executor.call(state, function, pointers)
        return [self.executor.bytes_of(after, p) for p in pointers[1:]], result

    def run(self, function, *objects):
        """Runs B_FUNCTION; objects: bits of state, inputs, ... Returns the bits of each after it."""
        after, _ = self.call(f"{self.name}_{function}_erased", [to_bytes(bits) for bits in objects])
        return [to_bits(data) for data in after]

    def cfg(self):
        return [self.words.constant(value >> 8 * i & 255, 8) for value in self.params.values() for i in range(4)]

    def derived(self, bits):
        """The state with the fields that repeat others worked out from those (DERIVED in testbench/equal.h)."""
        if self.name + "_derive" not in self.executor.functions:
            return bits
        return to_bits(self.call(self.name + "_derive", [to_bytes(bits)])[0][0])

    def invariants(self, bits):
        """Name to literal: what each invariant (INVARIANT in testbench/equal.h) says of a state."""
        prefix, found = self.name + "_holds_", {}
        for function in self.executor.functions:
            if function.startswith(prefix):
                _, (literal, *_) = self.call(function, [to_bytes(bits)])
                found[function[len(prefix):]] = literal
        return found

    # ---- as it is ----

    def load(self):
        """The model as a compiler for this machine makes it."""
        out = os.path.join(self.work, "model.so")
        self.compile(self.sources, out, "-O2", "-shared", "-fPIC")
        return Compiled(ctypes.CDLL(out), self.name, self.params)


class Struct(ctypes.Structure):
    """struct block_model of csim/block/block.h."""
    _fields_ = [("name", ctypes.c_char_p), ("state_bytes", ctypes.c_size_t)] + [
        (name, ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * count)) for name, count in (("reset", 2), ("eval", 4), ("tick", 4), ("regs", 3))]


class Compiled:
    def __init__(self, library, name, params):
        self.model = Struct.in_dll(library, name + "_model")
        self.cfg = (ctypes.c_int32 * len(params))(*params.values())
        self.state = ctypes.create_string_buffer(self.model.state_bytes)
        self.reset()

    def reset(self):
        self.model.reset(self.cfg, self.state)

    def eval(self, inputs, size):
        out = ctypes.create_string_buffer(size)
        self.model.eval(self.cfg, self.state, ctypes.create_string_buffer(inputs, len(inputs)), out)
        return out.raw

    def tick(self, inputs, outputs):
        self.model.tick(self.cfg, self.state, ctypes.create_string_buffer(inputs, len(inputs)),
                        ctypes.create_string_buffer(outputs, len(outputs)))
