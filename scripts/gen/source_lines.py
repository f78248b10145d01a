# SPDX-License-Identifier: Apache-2.0
"""Counts the lines of a workload's kernels, version by version.

source_lines.py OUT FOLDER NAME VERSION... -- COMPILER FLAG... FILE

Writes rows {"NAME", "VERSION", LINES, ALL_LINES} of config/workload_table.h to OUT. The preprocessor chooses what a version has
and drops comments. Counted are the functions that are in files below FOLDER and that a kernel calls, itself included: LINES inside
of their braces that have more than braces and semicolons, and ALL_LINES from signature to closing brace that are not blank.
"""

import os
import re
import subprocess
import sys

MARKER = re.compile(r'^# \d+ "((?:[^"\\]|\\.)*)"')
WORDS = re.compile(r"\w")


class Function:
    def __init__(self, head, first):
        text = re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", " ", head)
        names = re.findall(r"(\w+)\s*\(", text)
        self.name = names[0] if names else ""
        self.kernel = bool(re.search(r"__attribute__\s*\(\(global\)\)", head))
        self.lines = [first]
        self.body = ""


def own_lines(text, folder):
    """The preprocessor's lines that come from files below `folder`."""
    own, line = False, []
    for row in text.split("\n"):
        marker = MARKER.match(row)
        if marker:
            own = os.path.realpath(marker.group(1)).startswith(folder + os.sep)
        elif own and row.strip():
            line.append(row)
    return line


def is_function(head):
    return "(" in head and not head.rstrip().endswith("=") and not re.match(r"\s*(typedef\s+)?(struct|union|enum)\b", head)


def functions(line):
    """The functions of a list of lines; `head` is what stands before a brace since the last declaration."""
    found, depth, head, begins, current = [], 0, "", 0, None
    for number, row in enumerate(line):
        for c in row + "\n":
            if depth == 0:
                if not head.strip():
                    begins = number
                head = "" if c in ";}" else head + c
            if c == "{":
                if depth == 0 and is_function(head[:-1]):
                    current = Function(head, begins)
                depth += 1
            elif c == "}":
                depth -= 1
                if depth == 0:
                    if current:
                        current.lines.append(number)
                        found.append(current)
                    current, head = None, ""
            elif current and depth:
                current.body += c
    return found


def reached(found):
    todo = [f for f in found if f.kernel]
    done = []
    while todo:
        f = todo.pop()
        done.append(f)
        todo += [g for g in found if g not in done and g not in todo and re.search(rf"\b{g.name}\b", f.body)]
    return done


def inside(f, line):
    """The lines between the braces of a function; a body may begin or end on the line of its brace."""
    first, last = f.lines
    text = "\n".join(line[first:last + 1])
    head = text.index("{", text.rindex(")", 0, text.index("{")))
    body = text[head + 1:text.rindex("}")]
    return sum(1 for row in body.split("\n") if WORDS.search(row))


def count(text, folder):
    line = own_lines(text, folder)
    chosen = reached(functions(line))
    return sum(inside(f, line) for f in chosen), sum(f.lines[1] - f.lines[0] + 1 for f in chosen)


def main():
    if "--" not in sys.argv or sys.argv.index("--") < 5:
        print(__doc__)
        sys.exit(2)
    dash = sys.argv.index("--")
    out, folder, name = sys.argv[1:4]
    rows = ""
    for version in sys.argv[4:dash]:
        command = sys.argv[dash + 1:-1] + ["-E", f"-DTANDEM_VERSION_{version.upper()}", sys.argv[-1]]
        text = subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
        rows += '{{"{}", "{}", {}, {}}},\n'.format(name, version, *count(text, os.path.realpath(folder)))
    with open(out, "w", encoding="utf-8") as f:
        f.write(rows)


if __name__ == "__main__":
    main()
