# SPDX-License-Identifier: Apache-2.0
"""RTL of a user's own block as a netlist for proofs and synthesis: by Yosys, or where it cannot read the files by a current Yosys with
slang, which is optional.

own_yosys.py MANIFEST CACHE BLOCK OUT.il [--formal] [--bug NAME] [P=V...]

The module is the one with the manifest's ports, named as in the line that is printed. The current Yosys comes from npm: run
`npm install node@24 @yowasp/yosys@0.70.62-dev.1236` in a folder and set TANDEM_YOSYS to it. Exit codes: 0, 2: bad input, or no tool
that can read it.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import manifest  # noqa: E402
import own  # noqa: E402
import plant  # noqa: E402
from marks import ManifestError  # noqa: E402

INSTALL = ("a current Yosys with slang can: run 'npm install node@24 @yowasp/yosys@0.70.62-dev.1236' in a folder and set TANDEM_YOSYS to it")


def command(words):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def said_by(text):
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    lines = [line for line in text.splitlines() if re.search("error", line, re.I)]
    return (lines or text.strip().splitlines() or ["no message"])[0].strip()


def native(b, files, settings, formal, out):
    """None, or why Yosys could not."""
    tool = shutil.which("yosys")
    if not tool:
        return "yosys is not on PATH; install the package yosys"
    folders = [*b.own.include, *dict.fromkeys(os.path.dirname(f) for f in b.own.files), *([os.path.dirname(b.own.props)] if b.own.props else [])]
    options = " ".join([*(f'-I"{f}"' if " " in f else f"-I{f}" for f in folders), *(f"-D{d}" for d in b.own.defines)])
    formal_options = "-formal -DFORMAL" if formal else ""
    params = " ".join(f"-chparam {s.replace('=', ' ')}" for s in settings)
    script = "\n".join([*(f'read_verilog -sv {formal_options} {options} "{f}"' for f in files),
                        f"hierarchy -check -top {b.own.module} {params}", f'write_rtlil "{out}"'])
    # a hierarchical name that does not resolve becomes a free wire: that warning must be an error
    status, text = command([tool, "-q", *(["-e", "implicitly declared|has no driver"] if formal else []), "-p", script])
    return None if not status else said_by(text)


def wrapper_text(b, path):
    """The wrapper with its properties beside it, not by an absolute path."""
    with open(path, encoding="utf-8") as f:
        return f.read().replace(f'`include "{b.own.props}"', '`include "props.svh"') if b.own.props else f.read()


def slang(b, files, settings, formal, out, work):
    """None, or why slang could not."""
    folder = os.environ.get("TANDEM_YOSYS", "")
    if not folder:
        return INSTALL
    if not os.path.isdir(os.path.join(folder, "node_modules", "@yowasp", "yosys")):
        return f"TANDEM_YOSYS={folder} has no node_modules/@yowasp/yosys; {INSTALL}"
    bundled = os.path.join(folder, "node_modules", "node", "bin", "node")
    node = bundled if os.path.exists(bundled) else shutil.which("node")
    if not node:
        return "node is not on PATH; install node 24 or newer"
    lines, read, real = [], [], {}
    for i, file in enumerate(files):
        name = f"src{i}/{re.sub(r'[^A-Za-z0-9_.]', '_', os.path.basename(file))}"
        real[name] = file
        if b.own.wrapped and file == files[-1]:
            file = os.path.join(work, "wrapper.sv")
            with open(file, "w", encoding="utf-8") as f:
                f.write(wrapper_text(b, files[-1]))
        lines.append(f"file\t{name}\t{file}")
        read.append(name)
    for root in [*b.own.include, *dict.fromkeys(os.path.dirname(f) for f in b.own.files)]:
        for path, _ in own.with_includes(b.own.files, b.own.include):
            if path not in b.own.files and path.startswith(root + os.sep):
                lines.append(f"file\tinc/{os.path.relpath(path, root)}\t{path}")
    if b.own.props:
        lines.append(f"file\tinc/props.svh\t{b.own.props}")
        real["inc/props.svh"] = b.own.props
    options = ["-I inc", *(f"-D {d}" for d in b.own.defines), *(["-D FORMAL"] if formal else []), *(f"-G {s}" for s in settings)]
    lines.append(f"read\t{' '.join(options)} --top {b.own.module} {' '.join(read)}")
    # cells that older versions of Yosys do not know
    for then in (f"hierarchy -check -top {b.own.module}", "proc", "flatten", *(["async2sync", "chformal -lower"] if formal else []), "bmuxmap", "simplemap t:$bwmux", "opt_clean"):
        lines.append(f"then\t{then}")
    listing = os.path.join(work, "list")
    with open(listing, "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")
    status, text = command([node, os.path.join(HERE, "slang.mjs"), folder, out, listing])
    said = said_by(text)
    for name, file in real.items():
        said = said.replace(name, file)
    return None if not status else f"slang: {said}"


def elaborate(path, cache_folder, name, out, settings, formal=False, bug=None):
    cache = own.Cache(path, cache_folder)
    cache.generate()
    b = own.block_of(cache, name)
    if formal and not b.own.props:
        raise ManifestError(f"{b.where()}: no key 'props': the block has no properties to prove")
    with tempfile.TemporaryDirectory() as work:
        files = list(b.own.files)
        if bug:
            bugs = [(k, m) for k, m in enumerate(b.mutants) if m["name"] == bug]
            if not bugs:
                raise ManifestError(f"{b.where('mutants')}: no planted bug '{bug}'{manifest.near(bug, [m['name'] for m in b.mutants])}")
            for file, text in plant.own_files(b, bugs, lambda k, m: f"({m['becomes']})").items():
                at = files.index(file)
                files[at] = os.path.join(work, f"{at}_{os.path.basename(file)}")
                with open(files[at], "w", encoding="utf-8") as f:
                    f.write(text)
        if b.own.wrapped:
            files.append(os.path.join(cache.folder, f"{b.own.module}.sv"))
        defaults = {**b.params, **dict(s.split("=", 1) for s in settings)}
        settings = [f"{p}={v}" for p, v in defaults.items()]
        first = native(b, files, settings, formal, out)
        if not first:
            return b.own.module
        second = slang(b, files, settings, formal, out, work)
        if second:
            raise ManifestError(f"{b.where()}: this Yosys cannot read it: {first}; {second}")
        return b.own.module


def main():
    words = sys.argv[1:]
    bug = words[words.index("--bug") + 1] if "--bug" in words[:-1] else None
    rest = [w for i, w in enumerate(words) if not w.startswith("--") and (i == 0 or words[i - 1] != "--bug")]
    if len(rest) < 4:
        print(__doc__)
        sys.exit(0 if "--help" in words else 2)
    try:
        print(elaborate(*rest[:4], rest[4:], "--formal" in words, bug))
    except ManifestError as problem:
        manifest.fail(problem)


if __name__ == "__main__":
    main()
