# SPDX-License-Identifier: Apache-2.0
"""Proves by ABC that literals of an and-inverter graph are false."""

import os
import re
import resource
import subprocess

from llvm import Unsupported

ABC = ("berkeley-abc", "yosys-abc", "abc")
# What ABC does to a miter before the proof, and the part of the time limit that it has for both. Most miters need no more than the first. The
# second merges nodes that simulation and SAT find equal; it decides selections among many rows, which the first does not.
MERGE = "&get; &fraig -x; &put; dc2"
ATTEMPTS = (("dc2", 0.05), (MERGE, 0.1), ("dc2", 1), (MERGE, 1))


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

    def run(self, script, seconds):
        if not self.abc:
            raise Unsupported("ABC is not on PATH; install the package berkeley-abc")
        try:
            done = subprocess.run([self.abc, "-q", script], capture_output=True, text=True, timeout=20 * seconds,
                                  preexec_fn=lambda: self.limit(seconds))
        except subprocess.TimeoutExpired:
            return ""
        return done.stdout + done.stderr if done.returncode >= 0 else ""

    @staticmethod
    def limit(seconds):
        """Processor time, so that a loaded host decides the same."""
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))

    def never(self, literals, seconds=None):
        """('proved', None), ('false', {input: value}) or ('undecided', None) for "no literal is ever true"; seconds: another time limit."""
        open_ones = [l for l in literals if l != 0]
        if not open_ones:
            return "proved", None
        path, model = os.path.join(self.work, "miter.aig"), os.path.join(self.work, "model.txt")
        inputs = self.aig.write(path, open_ones)
        if not inputs:
            return "false", {}
        if os.path.exists(model):
            os.unlink(model)
        for preparation, part in ATTEMPTS:
            text = self.run(f"read {path}; orpos; {preparation}; iprove; write_cex -n {model}", int(part * (seconds or self.seconds)) + 1)
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
