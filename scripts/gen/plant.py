# SPDX-License-Identifier: Apache-2.0
"""Plants the bugs that the manifest lists.

plant.py BLOCK --bug NAME -o OUT.v   the block's RTL with one bug
plant.py BLOCK --all -o OUT.v        every bug behind the input tandem_bug_i (0: none, K: the K-th of the manifest)
"""

import argparse
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import manifest  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def replace_once(text, at, becomes, where):
    if text.count(at) != 1:
        raise manifest.ManifestError(f"{where}: the text '{at}' stands {text.count(at)} times in the RTL; it must stand once")
    return text.replace(at, becomes)


def plant(text, bugs, where, behind_input):
    """Marks first, replacements after: one bug's text may lie next to another's."""
    for k, bug in bugs:
        text = replace_once(text, bug["at"], f"\0{k}\0", f"{where} {bug['name']}")
    for k, bug in bugs:
        becomes = f"({bug['becomes']})"
        if behind_input:
            becomes = f"((tandem_bug_i == 8'd{k + 1}) ? ({bug['becomes']}) : ({bug['at']}))"
        text = text.replace(f"\0{k}\0", becomes)
    if behind_input:
        lines = text.rstrip("\n").split("\n")
        at = next((i for i, line in enumerate(lines) if line.split()[:2] == ["input", "logic"]), None)
        if at is None:
            raise manifest.ManifestError(f"{where}: no line 'input logic ...' to put tandem_bug_i before")
        lines.insert(at, "    input  logic [7:0] tandem_bug_i,")
        text = "\n".join(lines) + "\n"
    return text


def own_files(block, bugs, text_of):
    """RTL of a user's own block: {file: text} of the files that change. A bug's text stands once in its file `in`, or once in all."""
    texts = {}
    for file in block.own.files:
        with open(file, encoding="utf-8", errors="replace") as f:
            texts[file] = f.read()
    original = dict(texts)
    for k, bug in bugs:
        where = f"{block.where('mutants')}: mutant {bug['name']}"
        named = os.path.normpath(os.path.join(block.own.folder, bug["in"])) if "in" in bug else None
        counts = {file: text.count(bug["at"]) for file, text in original.items() if named in (None, file)}
        if sum(counts.values()) != 1:
            raise manifest.ManifestError(f"{where}: the text '{bug['at']}' stands {sum(counts.values())} times in "
                                         f"{named or 'the RTL'}; it must stand once{'' if named else ' (in: names the file)'}")
        file = next(file for file, n in counts.items() if n)
        if bug["at"] not in texts[file]:
            raise manifest.ManifestError(f"{where}: its text lies inside that of another planted bug; choose a smaller one")
        texts[file] = texts[file].replace(bug["at"], f"\0{k}\0")
    for k, bug in bugs:
        texts = {file: text.replace(f"\0{k}\0", text_of(k, bug)) for file, text in texts.items()}
    return {file: text for file, text in texts.items() if text != original[file]}


def connect(text, part, where):
    """Passes tandem_bug_i on to the instance of a part."""
    text, n = re.subn(rf"\b{part} #\(.*?\) u_\w+ \(", lambda m: m.group(0) + "\n      .tandem_bug_i(tandem_bug_i),", text, flags=re.S)
    if n != 1:
        raise manifest.ManifestError(f"{where}: {n} instances '{part} #(...) u_... (' in the RTL; a part with planted bugs has one")
    return text


def planted_rtl(block, bugs, behind_input):
    """The block's file and, after it, those of its parts that have bugs."""
    files = [block.name] + sorted({bug["in"] for bug in bugs if "in" in bug})
    out = ""
    for name in files:
        with open(os.path.join(ROOT, "rtl", block.family, f"{name}.v"), encoding="utf-8") as f:
            text = plant(f.read(), [(k, b) for k, b in enumerate(bugs) if b.get("in", block.name) == name],
                         block.name, behind_input)
        for part in files[1:] if behind_input and name == block.name else []:
            text = connect(text, part, block.name)
        out += text
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("block")
    parser.add_argument("--manifest", default=os.path.join(ROOT, "configs", "blocks.yaml"))
    parser.add_argument("--bug")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("-o", dest="out", required=True)
    arguments = parser.parse_args()
    try:
        blocks, _ = manifest.load(arguments.manifest)
        block = manifest.find(blocks, arguments.block, arguments.manifest)
        bugs = [m for m in block.mutants if arguments.all or m["name"] == arguments.bug]
        if arguments.bug and not bugs:
            raise manifest.ManifestError(f"{block.name}: no planted bug '{arguments.bug}' in the manifest")
        text = planted_rtl(block, bugs, arguments.all)
    except manifest.ManifestError as problem:
        manifest.fail(problem)
    if os.path.exists(arguments.out):
        with open(arguments.out, encoding="utf-8") as f:
            if f.read() == text:
                return
    with open(arguments.out, "w", encoding="utf-8") as f:
        f.write(text)


if __name__ == "__main__":
    main()
