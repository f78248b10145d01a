# SPDX-License-Identifier: Apache-2.0
"""Generates what follows from the list of workloads.

workloads.py LIST OUT_DIR                     NAME_args.h, workload_all.c, workloads.cmake
workloads.py --ptx OUT NAME VERSION=FILE...   NAME_ptx.h: the PTX text of each version
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from emit_c import HEAD, quote  # noqa: E402

import yaml  # noqa: E402


def write(path, text):
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            if f.read() == text:
                return
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def arguments_h(row):
    rows = "".join(f"  {{{quote(a['name'])}, {a['default']}, {a['min']}, {a['max']}, {quote(a['brief'])}}},\n"
                   for a in row["args"])
    return (HEAD + "static const struct workload_arg {\n  const char *name;\n  long long value, min, max;\n"
            f"  const char *brief;\n}} workload_args[] = {{\n{rows}}};\n")


class Bad(Exception):
    """A row of the list that cannot be used; the sentence names it."""


def check_arguments(name, row, values, what):
    known = {a["name"]: a for a in row["args"]}
    for key, value in values.items():
        if key == "version" and value in row["versions"]:
            continue
        if key not in known:
            raise Bad(f"{name}: {what}: no argument or version '{key}: {value}'")
        if type(value) is not int or not known[key]["min"] <= value <= known[key]["max"]:
            raise Bad(f"{name}: {what}: {key}: {value}: a whole number in {known[key]['min']}..{known[key]['max']} is wanted")


def check(rows):
    for name, row in rows.items():
        for values in row["test"]:
            check_arguments(name, row, values, "test")
        for published in row.get("published", []):
            if set(published) != {"args", "thread_instructions", "source"}:
                raise Bad(f"{name}: published: args, thread_instructions and source are wanted, not {', '.join(published)}")
            check_arguments(name, row, published["args"], "published")
            count = published["thread_instructions"]
            if type(count) is not int or count <= 0:
                raise Bad(f"{name}: published: thread_instructions: {count}: a positive whole number is wanted")
            if type(published["source"]) is not str or not published["source"]:
                raise Bad(f"{name}: published: source: the paper and its table are wanted")


def arguments_text(values):
    return ",".join(f"{k}={v}" for k, v in values.items())


def table_c(rows):
    text = HEAD + '#include "config/workload_table.h"\n\n#include <stddef.h>\n\n'
    for name, row in rows.items():
        text += f"static const struct workload_table_arg {name}_args[] = {{\n"
        text += "".join(f"  {{{quote(a['name'])}, {quote(a['brief'])}, {a['default']}, {a['min']}, {a['max']}}},\n"
                        for a in row["args"]) + "  {NULL, NULL, 0, 0, 0},\n};\n"
        text += (f"static const char *const {name}_versions[] = {{"
                 + "".join(quote(v) + ", " for v in row["versions"]) + "NULL};\n")
        text += published_c(name, row)
    text += "const struct workload_row workload_all[] = {\n"
    text += "".join(f"  {{{quote(n)}, {quote(r['brief'])}, {quote(r['source'])}, {n}_versions, {n}_args, "
                    f"{n}_published}},\n" for n, r in rows.items())
    return text + "  {NULL, NULL, NULL, NULL, NULL, NULL},\n};\n"


def published_runs(row):
    return dict.fromkeys(arguments_text(p["args"]) or "defaults" for p in row.get("published", []))


def published_c(name, row):
    text, table = "", ""
    for k, p in enumerate(row.get("published", [])):
        values = ", ".join(str(p["args"].get(a["name"], a["default"])) for a in row["args"])
        version = p["args"].get("version", row["versions"][0])
        text += f"static const long long {name}_published_{k}[] = {{{values}}};\n"
        table += (f"  {{{quote(arguments_text(p['args']))}, {quote(p['source'])}, {quote(version)}, {name}_published_{k}, "
                  f"{p['thread_instructions']}}},\n")
    return (text + f"static const struct workload_published {name}_published[] = {{\n{table}"
            "  {NULL, NULL, NULL, NULL, 0},\n};\n")


def cmake(rows):
    lines = [f"set(TANDEM_WORKLOADS {' '.join(rows)})"]
    for name, row in rows.items():
        lines.append(f"set({name}_VERSIONS {' '.join(row['versions'])})")
        lines.append(f"set({name}_TESTS {' '.join(arguments_text(t) for t in row['test'])})")
        lines.append(f"set({name}_PUBLISHED "
                     f"{' '.join(published_runs(row))})")
    return "\n".join(lines) + "\n"


def ptx_h(versions):
    text = HEAD
    rows = ""
    for version, path in versions:
        with open(path, "rb") as f:
            data = f.read() + b"\0"
        text += f"static const char workload_ptx_{version}[] = {{\n"
        for i in range(0, len(data), 24):
            text += "  " + ", ".join(str(b) for b in data[i:i + 24]) + ",\n"
        text += "};\n"
        rows += f"  {{{quote(version)}, workload_ptx_{version}}},\n"
    return (text + "static const struct workload_version {\n  const char *name, *ptx;\n} workload_versions[] = {\n"
            + rows + "  {0, 0},\n};\n")


def main():
    if len(sys.argv) > 4 and sys.argv[1] == "--ptx":
        versions = [a.split("=", 1) for a in sys.argv[4:]]
        write(os.path.join(sys.argv[2], f"{sys.argv[3]}_ptx.h"), ptx_h(versions))
        return
    if len(sys.argv) != 3:
        print(__doc__)
        sys.exit(2)
    with open(sys.argv[1], encoding="utf-8") as f:
        rows = yaml.safe_load(f)
    try:
        check(rows)
    except Bad as problem:
        print(f"{sys.argv[1]}: {problem}", file=sys.stderr)
        sys.exit(2)
    out = sys.argv[2]
    os.makedirs(out, exist_ok=True)
    for name, row in rows.items():
        write(os.path.join(out, f"{name}_args.h"), arguments_h(row))
    write(os.path.join(out, "workload_all.c"), table_c(rows))
    write(os.path.join(out, "workloads.cmake"), cmake(rows))


if __name__ == "__main__":
    main()
