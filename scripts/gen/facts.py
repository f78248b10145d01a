# SPDX-License-Identifier: Apache-2.0
"""Facts of the manifest for shell scripts, a line each.

facts.py sets            BLOCK FAMILY P=V,... P=V,...      every parameter set, the default first
facts.py state BLOCK     BITS P=V,...                      register bits of each parameter set
facts.py late BLOCK      PORT                              RTL names of the late inputs
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import manifest  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def text(params):
    return ",".join(f"{name}={value}" for name, value in params.items())


def main():
    what, name = (sys.argv + ["", ""])[1:3]
    try:
        blocks, _ = manifest.load(os.path.join(ROOT, "configs", "blocks.yaml"))
        if what == "sets":
            for b in blocks:
                print(b.name, b.family, *[text(s) for s in b.sets])
            return
        block = manifest.find(blocks, name)
        if what == "state":
            for s in block.sets:
                print(sum(r.width.value(s) * r.depth.value(s) for r in block.regs), text(s))
        elif what == "late":
            for port in block.inputs:
                if port.late:
                    print(f"{port.name}_i")
        else:
            raise manifest.ManifestError(f"facts.py: no facts named '{what}'; there are sets, state and late")
    except manifest.ManifestError as problem:
        manifest.fail(problem)


if __name__ == "__main__":
    main()
