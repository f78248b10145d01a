# SPDX-License-Identifier: Apache-2.0
"""Blocks of a user's own manifest, outside the tree: everything goes to a cache, nothing of the user's is written to.

own.py library MANIFEST CACHE FLAG... makes the library of the blocks (models, drivers, descriptions), unless the cache has it; FLAGs go
                                     to the C compiler. Prints of fields that are separated by tabs: "library FILE", and for each block
                                     "block NAME ARGUMENTS KEY BUG_ARGUMENTS BUG_KEY": files for verilator -f, with a hash of the text
                                     that is verilated; BUG_ARGUMENTS is "!SENTENCE" where the planted bugs do not fit the RTL
own.py agree MANIFEST CACHE BLOCK ARGUMENTS P=V...
                                     does the RTL have the ports, parameters and registers of the rows? Each difference is a line
own.py facts MANIFEST CACHE BLOCK    the same folders and files as shell variables, for scripts/prove
own.py sets MANIFEST CACHE BLOCK     "BITS P=V,..." for every parameter set, as facts.py state

CSIM, the folder csim of Tandem's sources, is found beside this script. Exit codes: 0; 1: RTL and rows differ; 2: bad input.
"""

import fcntl
import glob
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import blocks as generator  # noqa: E402
import emit_c  # noqa: E402
import emit_own  # noqa: E402
import emit_sv  # noqa: E402
import manifest  # noqa: E402
import plant  # noqa: E402
import reserved  # noqa: E402
from marks import ManifestError  # noqa: E402

CSIM = os.path.normpath(os.path.join(HERE, "..", "..", "csim"))
INCLUDE = re.compile(r'^[ \t]*[`#][ \t]*include[ \t]*"([^"]+)"', re.M)
MARK = re.compile(r"// (\S.*?:\d+: .*)$")


def read(path):
    with open(path, "rb") as f:
        return f.read()


def digest(*parts):
    h = hashlib.sha256()
    for part in parts:
        h.update(part if isinstance(part, bytes) else str(part).encode())
        h.update(b"\0")
    return h.hexdigest()[:16]


def with_includes(files, folders):
    """The files and all that they include, as far as it is found: (path, bytes)."""
    seen, todo = {}, list(files)
    while todo:
        path = todo.pop()
        if path in seen or not os.path.isfile(path):
            continue
        seen[path] = read(path)
        for name in INCLUDE.findall(seen[path].decode("utf-8", "replace")):
            todo += [os.path.normpath(os.path.join(folder, name)) for folder in [os.path.dirname(path), *folders]]
    return sorted(seen.items())


def quoted(path):
    """A path in a file of Verilator's arguments."""
    return re.sub(r"([^\w./:=+@%,-])", r"\\\1", path)


def arguments(b, files, folder):
    """Text of a file for verilator -f."""
    own = b.own
    lines = [f"-I{quoted(i)}" for i in [*own.include, *dict.fromkeys(os.path.dirname(f) for f in own.files)]]
    lines += [f"-D{d}" for d in own.defines] + [quoted(f) for f in files]
    return "\n".join(lines + ([quoted(os.path.join(folder, f"{own.module}.sv"))] if own.wrapped else [])) + "\n"


class Cache:
    """Where a manifest's generated files lie: a folder that is never changed once it has its name."""

    def __init__(self, path, cache):
        self.path = os.path.abspath(path)
        generators = sorted(glob.glob(os.path.join(HERE, "*.py")))
        self.key = digest(self.path, *(read(f) for f in [self.path, *generators])) if os.path.isfile(path) else ""
        self.folder = os.path.join(os.path.abspath(cache), "own", self.key)
        self.blocks, _ = manifest.load(path, own=True)
        if not self.blocks:
            raise ManifestError(f"{path}:1: the manifest has no block")
        built_in = read(os.path.join(HERE, "..", "..", "configs", "blocks.yaml")).decode()  # as text: to parse it takes a while
        for b in self.blocks:
            reserved.check(b)
            if f"\n{b.name}:" in built_in:
                raise ManifestError(f"{b.where()}: Tandem has a block of this name; choose another")
            b.own.generated = self.folder

    def generate(self):
        if os.path.isdir(self.folder):
            os.utime(self.folder)
            return
        self.prune()
        part = f"{self.folder}.{os.getpid()}"
        os.makedirs(part)
        for b in self.blocks:
            texts = {f"{b.name}_ports.h": emit_c.ports_h(b), f"{b.name}_model.inc": emit_c.model_inc(b),
                     f"{b.name}_desc.c": emit_c.desc_c(b), f"{b.name}_socket.sv": emit_sv.socket(b),
                     f"{b.name}_replay.v": emit_sv.replay(b), f"{b.name}.f": arguments(b, b.own.files, self.folder)}
            if b.own.wrapped:
                texts[f"{b.own.module}.sv"] = emit_own.wrapper(b)
            if b.own.model.endswith(".rs"):
                texts[f"{b.name}_ports.rs"] = emit_own.rust_ports(b)
                texts[f"{b.name}_rust.c"] = emit_own.rust_glue(b)
            if not b.own.drive:
                texts[f"{b.name}_drive.c"] = emit_own.drive(b)
            for name, text in texts.items():
                generator.write(part, name, text)
        generator.write(part, "library.c", emit_own.library(self.blocks))
        try:
            os.rename(part, self.folder)
        except OSError:  # another process was faster
            shutil.rmtree(part)

    def prune(self):
        """Every edit of a manifest makes a folder: those that were not used for a month go."""
        for folder in glob.glob(os.path.join(glob.escape(os.path.dirname(self.folder)), "*")):
            try:
                if os.path.getmtime(folder) < time.time() - 30 * 24 * 3600:
                    shutil.rmtree(folder, ignore_errors=True)
            except OSError:  # another process was faster
                pass

    def sources(self):
        """(source, object name) of the library."""
        out = [(os.path.join(self.folder, "library.c"), "library"), (os.path.join(CSIM, "base", "rng.c"), "rng")]
        for b in self.blocks:
            if b.own.model.endswith(".rs"):
                out.append((os.path.join(self.folder, f"{b.name}_rust.c"), f"{b.name}_rust"))
            out += [(os.path.join(self.folder, f"{b.name}_desc.c"), f"{b.name}_desc"), (b.own.model, f"{b.name}_model"),
                    (b.own.drive or os.path.join(self.folder, f"{b.name}_drive.c"), f"{b.name}_drive")]
        return out

    def library(self, flags):
        """Path of the library; compiles it under a lock when it is not there."""
        folders = [CSIM, self.folder]
        files = with_includes([s for s, _ in self.sources()], folders)
        tools = [os.stat(tool).st_mtime for tool in (shutil.which(t) for t in ("gcc", "g++", "rustc")) if tool]
        path = os.path.join(self.folder, f"blocks-{digest(*flags, *tools, *(x for pair in files for x in pair))}.so")
        if os.path.exists(path):
            return path
        with open(path + ".lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not os.path.exists(path):
                self.compile(path, flags)
        return path

    def compile(self, path, flags):
        if not shutil.which("gcc"):
            raise ManifestError("the models of your blocks are compiled by gcc, which is not on PATH; install the package gcc")
        part = f"{path}.{os.getpid()}"
        os.makedirs(part)
        try:
            objects = [self.object(source, os.path.join(part, name + ".o"), flags) for source, name in self.sources()]
            linker = ["g++" if any(b.own.model.endswith((".cc", ".cpp", ".cxx")) for b in self.blocks) else "gcc", "-shared", *flags]
            out = os.path.join(part, "blocks.so")
            rust = [o for (source, _), o in zip(self.sources(), objects) if source.endswith(".rs")]
            objects = [o for o in objects if o not in rust]
            if rust:  # archives come last; what they export stays inside
                objects += [*rust, "-Wl,--exclude-libs,ALL", "-lpthread", "-ldl"]
            run([*linker, *objects, "-Wl,--no-undefined" if not flags else "-g", "-o", out, "-lm"], self.undefined)
            os.rename(out, path)
        finally:
            shutil.rmtree(part)

    def object(self, source, out, flags):
        if source.endswith(".rs"):
            if not shutil.which("rustc"):
                raise ManifestError(f"{source}: a model in Rust needs rustc, which is not on PATH; install the package rustc")
            run(["env", f"TANDEM_PORTS={self.folder}", "rustc", "--edition=2021", "--crate-type=staticlib", "-O", "-Cpanic=abort", source,
                 "-o", out], self.compiler)
            return out
        cpp = source.endswith((".cc", ".cpp", ".cxx"))
        tool = ["g++", "-std=gnu++17"] if cpp else ["gcc", "-std=gnu11", "-Werror=implicit-function-declaration",
                                                    "-Werror=incompatible-pointer-types"]
        run([*tool, "-O2", "-fPIC", "-fvisibility=hidden", "-ffp-contract=off", "-D_GNU_SOURCE", *flags, f"-I{CSIM}", f"-I{self.folder}",
             "-c", source, "-o", out], self.compiler)
        return out

    def compiler(self, text):
        """The sentence of a compiler: its first error, with file and line."""
        if re.search(r"^error(\[\w+\])?: ", text, re.M):  # of rustc: the place is in a line of its own
            said = re.search(r"^error(?:\[\w+\])?: (.*)", text, re.M).group(1)
            place = re.search(r"^ *--> (.+)$", text, re.M)
            return f"{place.group(1) if place else 'rustc'}: error: {said}"
        lines = [line for line in text.splitlines() if re.search(r"\berror:", line)]
        said = lines[0] if lines else (text.strip().splitlines() or ["the compiler says nothing"])[-1]
        row = re.match(rf"({re.escape(self.blocks[0].path)}:\d+):\d+: error: (.*)", said)
        if row:  # its column is that of a generated line
            said = ": ".join(row.groups())
        hint = re.search(r"'(\w+)_(reset|eval|tick|settle|finish)'", said)
        if "implicit declaration" in said and hint:
            two = "_settle and _finish" if hint.group(2) in ("settle", "finish") else "_eval and _tick"
            said += f"; a model defines {hint.group(1)}_reset, {two} before it includes \"{hint.group(1)}_model.inc\""
        return said

    def undefined(self, text):
        for b in self.blocks:
            for name, file, mend in ((f"{b.name}_model", b.own.model, f'ends with #include "{b.name}_model.inc"'),
                                     (f"{b.name}_driver", b.own.drive, f"ends with BLOCK_DRIVER({b.name});")):
                if re.search(rf"undefined reference to [`']{name}'", text):
                    return f"{file} defines no {name}; a {'model' if 'model' in name else 'driver'} {mend}"
        lines = [line for line in text.splitlines() if "undefined reference" in line or "error" in line]
        return lines[0] if lines else text.strip()

    def rtl(self, b):
        """Fields of the line `block`."""
        rtl = dict(with_includes(b.own.files, b.own.include))
        key = digest(*b.own.defines, *self.text_around(b), *(rtl.pop(f) for f in dict.fromkeys(b.own.files)), *rtl.values())
        plain = os.path.join(self.folder, f"{b.name}.f")
        try:
            bugs, bug_key = self.planted(b, key)
        except ManifestError as problem:
            bugs, bug_key = f"!{problem}", "0"
        return ["block", b.name, plain, key, bugs, bug_key]

    def text_around(self, b):
        """Socket and wrapper without comments and properties: what a model is made of besides the RTL."""
        names = [f"{b.name}_socket.sv"] + ([f"{b.own.module}.sv"] if b.own.wrapped else [])
        for name in names:
            text = read(os.path.join(self.folder, name)).decode()
            yield re.sub(r"\s*//.*|^\s*`include .*", "", text, flags=re.M)

    def planted(self, b, key):
        """RTL with every bug behind the variable tandem_bugs::number, in copies beside the generated files."""
        if not b.mutants:
            return "", "0"
        folder = os.path.join(self.folder, f"{b.name}_bugs_{key}")
        listing = os.path.join(folder, f"{b.name}.f")
        if not os.path.exists(listing):
            texts = plant.own_files(b, list(enumerate(b.mutants)), lambda k, bug: f"((tandem_bugs::number == 8'd{k + 1}) ? "
                                    f"({bug['becomes']}) : ({bug['at']}))")
            part = f"{folder}.{os.getpid()}"
            os.makedirs(part)
            files = [os.path.join(folder, "tandem_bugs.sv")]
            generator.write(part, "tandem_bugs.sv", emit_sv.HEAD + "package tandem_bugs;\n  bit [7:0] number;\nendpackage\n")
            for i, file in enumerate(b.own.files):
                files.append(os.path.join(folder, f"{i}_{os.path.basename(file)}") if file in texts else file)
                if file in texts:
                    generator.write(part, os.path.basename(files[-1]), texts[file])
            generator.write(part, f"{b.name}.f", arguments(b, files, self.folder))
            try:
                os.rename(part, folder)
            except OSError:
                shutil.rmtree(part)
        return listing, digest(key, *(f"{bug['at']} {bug['becomes']}" for bug in b.mutants))


def run(command, sentence):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, env={**os.environ, "LC_ALL": "C"})
    if done.returncode:
        raise ManifestError(sentence(done.stdout.decode("utf-8", "replace")))


def place_in(path, line):
    """The row that a line of a generated file comes from, or None."""
    try:
        with open(path, encoding="utf-8") as f:
            text = f.read().splitlines()[line - 1]
    except (OSError, IndexError):
        return None
    match = MARK.search(text)
    return match.group(1) if match else None


def said_of_rtl(b, message):
    """A message of Verilator about a wrapper, in terms of the row; and the row, where the message is about another line."""
    module = re.search(r"missing module/interface: '(\w+)'|file containing module: '(\w+)'", message)
    if module and b.own.top in module.groups():
        return f"the RTL has no module '{b.own.top}'", b.where("top")
    message = re.sub(r"^Pin not found: ", "the RTL has no port ", message)
    message = re.sub(r"^Parameter pin not found: ", "the RTL has no parameter ", message)
    message = re.sub(r"^syntax error, .*expecting TYPE-IDENTIFIER$", "the RTL has no such type", message)
    return message, None


def agree(cache, b, listing, settings):
    """Verilator's messages about the generated files, told as differences between rows and RTL."""
    socket = os.path.join(cache.folder, f"{b.name}_socket.sv")
    command = ["verilator", "--lint-only", "-Wno-lint", "-Wno-style", "-Wwarn-PINMISSING", "-Wwarn-PINNOTFOUND", "-Wwarn-WIDTH",
               "-Wno-WIDTHCONCAT", "-Wwarn-SELRANGE", "--relative-includes", "--no-timing", "--top-module", f"{b.name}_socket",
               *[f"-G{s}" for s in settings], "-f", listing, socket]
    text = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False).stdout.decode("utf-8", "replace")
    said, missing, errors = [], [], []
    for line in text.splitlines():
        match = re.match(r"%(Warning|Error)(?:-(\w+))?: (.*?):(\d+):\d+: (.*)", line)
        if not match:
            continue
        kind, code, file, number, message = match.groups()
        place = place_in(file, int(number)) if file.startswith(cache.folder) else None
        if code == "PINMISSING":
            pin = re.search(r"'(\w+)'", message)
            missing.append(f"{b.where('ports')}: the RTL's port '{pin.group(1) if pin else message}' has no row; add one, or name it in tie: (inputs) or open: (outputs)")
        elif place:
            message, other = said_of_rtl(b, message)
            said.append(f"{other or place}: {message}")
        elif kind == "Error":
            errors.append(f"{file}:{number}: {message}")
    return list(dict.fromkeys(said + missing or errors))


def block_of(cache, name):
    b = next((b for b in cache.blocks if b.name == name), None)
    if not b:
        raise ManifestError(f"{cache.path}: no block '{name}'{manifest.near(name, [x.name for x in cache.blocks])}")
    return b


def facts(cache, b):
    """Shell variables of scripts/prove."""
    own = b.own
    yield "generated", cache.folder
    yield "module", own.module
    yield "top", own.top
    yield "props", own.props or ""
    yield "wrapper", os.path.join(cache.folder, f"{own.module}.sv") if own.wrapped else ""
    yield "reset", "none" if not own.reset.port else "async" if own.reset.asynchronous else "sync"
    late = [f"{f.name}_i" for f in b.inputs if f.late]
    for name, values in (("files", own.files), ("include", own.include), ("defines", own.defines), ("late", late)):
        yield name, values


def main():
    if len(sys.argv) < 4 or sys.argv[1] not in ("library", "agree", "facts", "sets"):
        print(__doc__)
        sys.exit(0 if "--help" in sys.argv else 2)
    try:
        cache = Cache(sys.argv[2], sys.argv[3])
        cache.generate()
        if sys.argv[1] == "library":
            print("library", cache.library(sys.argv[4:]), sep="\t")
            for b in cache.blocks:
                print(*cache.rtl(b), sep="\t")
        elif sys.argv[1] == "agree":
            said = agree(cache, block_of(cache, sys.argv[4]), sys.argv[5], sys.argv[6:])
            print("\n".join(said))
            sys.exit(1 if said else 0)
        elif sys.argv[1] == "sets":
            b = block_of(cache, sys.argv[4])
            for s in b.sets:
                print(sum(r.width.value(s) * r.depth.value(s) for r in b.regs), ",".join(f"{p}={v}" for p, v in s.items()))
        else:
            for name, value in facts(cache, block_of(cache, sys.argv[4])):
                text = shlex.quote(value) if isinstance(value, str) else f"({' '.join(shlex.quote(v) for v in value)})"
                print(f"own_{name}={text}")
    except ManifestError as problem:
        manifest.fail(problem)
    except OSError as problem:
        manifest.fail(f"{problem.filename}: {problem.strerror}; set TANDEM_CACHE to a writable folder" if problem.filename else problem)


if __name__ == "__main__":
    main()
