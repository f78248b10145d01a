# SPDX-License-Identifier: Apache-2.0
"""manifest_kinds.py MANIFEST...: whatever stands where a manifest has a value, the answer is a sentence with file and line, or the
value is taken; the generators end with nothing else. Values of the examples are replaced by one of each other kind, in turn."""

import copy
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import own  # noqa: E402
import yaml  # noqa: E402
from marks import ManifestError  # noqa: E402

OTHERS = (None, True, 7, "", "two words", [], [[7]], {"word": 7})


def places(value, path=()):
    """Every value inside a value, as the keys that lead to it; of a list the first and the last."""
    if path:
        yield path
    keys = value if isinstance(value, dict) else {0, len(value) - 1} if isinstance(value, list) and value else ()
    for key in keys:
        yield from places(value[key], (*path, key))


def changed(document, path, value):
    document = copy.deepcopy(document)
    at = document
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return document


def main():
    tried = refused = wrong = 0
    for example in sys.argv[1:]:
        with open(example, encoding="utf-8") as f:
            document = yaml.safe_load(f)
        with tempfile.TemporaryDirectory() as cache, \
                tempfile.NamedTemporaryFile("w", suffix=".yaml", dir=os.path.dirname(os.path.abspath(example)), delete=False) as made:
            try:
                for path in places(document):
                    for value in OTHERS:
                        with open(made.name, "w", encoding="utf-8") as f:
                            yaml.safe_dump(changed(document, path, value), f, sort_keys=False)
                        tried += 1
                        try:
                            generated = own.Cache(made.name, cache)
                            generated.generate()
                            for block in generated.blocks:
                                generated.rtl(block)
                        except ManifestError as problem:
                            refused += 1
                            if not str(problem).startswith(f"{made.name}:"):
                                wrong += 1
                                print(f"{example}: {path} = {value!r}: no file and line in: {problem}")
                        except Exception as problem:  # pylint: disable=broad-except
                            wrong += 1
                            print(f"{example}: {path} = {value!r}: {type(problem).__name__}: {problem}")
            finally:
                os.remove(made.name)
    print(f"{tried} manifests, {refused} refused")
    sys.exit(1 if wrong or not 0 < refused < tried else 0)


main()
