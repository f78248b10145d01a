# SPDX-License-Identifier: Apache-2.0
"""cuda_calls.py ROOT: the calls of CUDA's two interfaces that Tandem serves, as Markdown. The sources are the list: definitions marked
RT_API or CUDA_API, the rows of the two files refused.def, and the names that cuGetProcAddress gives."""
import pathlib
import re
import sys


def served(folder, mark):
    """Names by file, in the order of the sources."""
    out = {}
    for file in sorted(folder.glob("*.c")):
        names = re.findall(rf"^{mark}\s[^;={{]*?\b(_*cu[A-Za-z0-9_]+)\(", file.read_text(), re.M)
        if names:
            out[file.name] = list(dict.fromkeys(names))
    return out


def subject(file, folder):
    text = (folder / file).read_text()
    said = re.search(r"/\* (?:Runtime|Driver) API: (.*?)[.;:\n]", text)
    return said[1] if said else file


def table(folder, mark, prefix):
    lines = ["| subject | calls |", "|---|---|"]
    for file, names in served(folder, mark).items():
        shown = [n for n in names if n.startswith(prefix) and not re.search(r"_pts[dz]$", n)]
        if shown:
            lines.append(f"| {subject(file, folder)} | {' '.join(f'`{n}`' for n in shown)} |")
    return lines


def refused(file, kind):
    rows = {}
    for name, reason in re.findall(rf'^{kind}\((\w+), "(.*)"\)$', file.read_text(), re.M):
        if not re.search(r"_pts[dz]$", name):
            rows.setdefault(reason, []).append(name)
    return ["| reason | calls |", "|---|---|"] + [f"| {reason} | {' '.join(f'`{n}`' for n in names)} |" for reason, names in rows.items()]


def main():
    csim = pathlib.Path(sys.argv[1]) / "csim"
    driver, runtime = csim / "cuda", csim / "cudart"
    n_runtime = sum(map(len, served(runtime, "RT_API").values()))
    n_driver = sum(map(len, served(driver, "CUDA_API").values()))
    if n_runtime < 150 or n_driver < 150:
        sys.exit(f"cuda_calls.py: only {n_runtime} calls of the runtime and {n_driver} of the driver found; did their marks change?")
    print("# CUDA calls\n\nGenerated from the sources. A call that is not served returns `cudaErrorNotSupported` or")
    print("`CUDA_ERROR_NOT_SUPPORTED`, with its reason on standard error. The variants `_ptds` and `_ptsz`, for programs whose stream 0 is")
    print("the thread's, exist wherever NVIDIA's library has them.\n")
    print("\n".join(["## Runtime API: served", ""] + table(runtime, "RT_API", ("cuda", "__cuda"))))
    print("\n".join(["", "## Runtime API: refused", ""] + refused(runtime / "refused.def", "REFUSED")))
    print("\n".join(["", "## Runtime API: out of scope", ""] + refused(runtime / "refused.def", "OUTSIDE")))
    print("\n".join(["", "## Driver API: served", ""] + table(driver, "CUDA_API", "cu")))
    print("\n".join(["", "## Driver API: refused", "", "`cuGetProcAddress` does not find these, nor those below.", ""]
                    + refused(driver / "refused.def", "REFUSED")))
    print("\n".join(["", "## Driver API: out of scope", ""] + refused(driver / "refused.def", "OUTSIDE")))


main()
