# SPDX-License-Identifier: Apache-2.0
"""YAML with places: maps and lists that know their lines, so that a message can name file and line. A key twice is an error."""

import sys

try:
    import yaml
except ImportError:
    print("the YAML module of python3 is missing; install the package python3-yaml", file=sys.stderr)
    sys.exit(2)

Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class ManifestError(Exception):
    """A sentence that names file, line, block, key and the mend."""


class Map(dict):
    """`line` is where it begins, `lines[key]` where a key stands."""

    def __init__(self, line):
        super().__init__()
        self.line, self.lines = line, {}


class List(list):
    """`lines[i]` is where entry i begins."""

    def __init__(self, line):
        super().__init__()
        self.line, self.lines = line, []


def build(node, path, loader):
    line = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        out = Map(line)
        for key_node, value_node in node.value:
            key = build(key_node, path, loader)
            if isinstance(key, (Map, List)):
                raise ManifestError(f"{path}:{line}: a key is a name, not a list or a map")
            if key in out:
                raise ManifestError(f"{path}:{key_node.start_mark.line + 1}: '{key}' stands twice; the first is in line {out.lines[key]}")
            out.lines[key] = key_node.start_mark.line + 1
            out[key] = build(value_node, path, loader)
        return out
    if isinstance(node, yaml.SequenceNode):
        out = List(line)
        for entry in node.value:
            out.lines.append(entry.start_mark.line + 1)
            out.append(build(entry, path, loader))
        return out
    return loader.construct_object(node, deep=True)


def load(path):
    """The document of a file; an empty file is an empty map."""
    try:
        with open(path, encoding="utf-8") as f:
            loader = Loader(f)
            try:
                node = loader.get_single_node()
                return build(node, path, loader) if node else Map(1)
            finally:
                loader.dispose()
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        raise ManifestError(f"{path}:{mark.line + 1 if mark else 1}: {problem.problem or problem.context}; "
                            "write it as YAML (quote a text with ': ', '#', '[' or ',')") from problem
    except (yaml.YAMLError, UnicodeDecodeError) as problem:
        raise ManifestError(f"{path}: not YAML: {str(problem).splitlines()[0]}") from problem
    except OSError as problem:
        raise ManifestError(f"cannot read {path}: {problem.strerror}") from problem


FORMS = {str: "a text (in quotation marks, if YAML takes it for something else)", dict: "a map {NAME: VALUE}", list: "a list [...]",
         int: "a whole number", bool: "true or false"}


def need(value, kind, where, key):
    """The value, which must be of the kind: str, dict, list, int or bool; [kind]: a list of such."""
    if isinstance(kind, list):
        for entry in need(value, list, where, key):
            need(entry, kind[0], where, f"{key}: each entry")
    elif not isinstance(value, kind) or isinstance(value, bool) and kind is not bool:
        raise ManifestError(f"{where}: {key}: write {FORMS[kind]}")
    return value


def with_defaults(row, defaults):
    """A map with further entries, which have no lines of their own."""
    out = Map(row.line)
    out.lines = row.lines
    out.update({**defaults, **row})
    return out


def line_of(row, key):
    """The line of a key of a map, or of entry `key` of a list; else where it begins."""
    lines = getattr(row, "lines", {})
    if isinstance(lines, dict):
        return lines.get(key, getattr(row, "line", 0))
    return lines[key] if key < len(lines) else getattr(row, "line", 0)
