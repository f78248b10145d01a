# SPDX-License-Identifier: Apache-2.0
"""Proves by ABC that literals of an and-inverter graph are false."""

import os
import re
import resource
import subprocess

from llvm import Unsupported

ABC = ("berkeley-abc", "yosys-abc", "abc")


class Prover:
    def __init__(self, aig, work, seconds=600):
        self.aig, self.work, self.seconds = aig, work, seconds
        self.abc = next((path for name in ABC for path in [self.find(name)] if path), None)

    @staticmethod
    def find(name):
        for folder in os.environ.get("PATH", "").split(":"):
            path = os.path.join(folder, name)
            if os.access(path, os.X_OK):
                return path
        return None

    def run(self, script):
        if not self.abc:
            raise Unsupported("ABC is not on PATH; install the package berkeley-abc")
        try:
            done = subprocess.run([self.abc, "-q", script], capture_output=True, text=True, timeout=20 * self.seconds, preexec_fn=self.limit)
        except subprocess.TimeoutExpired:
            return ""
        return done.stdout + done.stderr if done.returncode >= 0 else ""

    def limit(self):
        """Processor time, so that a loaded host decides the same."""
        resource.setrlimit(resource.RLIMIT_CPU, (self.seconds, self.seconds + 1))

    def never(self, literals):
        """('proved', None), ('false', {input: value}) or ('undecided', None) for "no literal is ever true"."""
        open_ones = [l for l in literals if l != 0]
        if not open_ones:
            return "proved", None
        path, model = os.path.join(self.work, "miter.aig"), os.path.join(self.work, "model.txt")
        inputs = self.aig.write(path, open_ones)
        if not inputs:
            return "false", {}
        if os.path.exists(model):
            os.unlink(model)
        text = self.run(f"read {path}; orpos; dc2; iprove; write_cex -n {model}")
        if "UNSATISFIABLE" in text.upper():
            return "proved", None
        if "SATISFIABLE" in text.upper() and os.path.exists(model):
            return "false", self.model(model, inputs)
        return "undecided", None

    @staticmethod
    def model(path, inputs):
        """A counterexample as ABC writes it: NAME=VALUE, where NAME is that of the inputs in the file's order."""
        with open(path) as file:
            values = re.findall(r"(\S+)=([01])", file.read())
        found = [int(value) for name, value in values if not name.startswith("po")]
        return dict(zip(inputs, found))
