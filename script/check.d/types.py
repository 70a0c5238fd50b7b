"""Checks the types of the modules that changed since they last passed; what script/check runs.

SwiftPM emits what modules show to each other, without the bodies of functions; that takes seconds. Then the compiler
goes through what changed: the files that did, or a whole module where what it shows, or what it sees of others, is not
what it was. It goes up to SIL and no further, because races and uses before initialization are found only there.
"""

import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SCRATCH = Path(".build/check").absolute()
STATE = SCRATCH / "checked.json"
BUILD = ["swift", "build", "--build-tests", "--experimental-prepare-for-indexing", "--scratch-path", str(SCRATCH)]
# What makes output, or takes parts of the code for checked, has no place in a check; with or without a value.
WITH_VALUE = {"-emit-module-path", "-output-file-map", "-index-store-path"}
ALONE = {
    "-emit-dependencies", "-emit-module", "-incremental", "-enable-batch-mode", "-parseable-output",
    "-serialize-diagnostics", "-g", "-experimental-lazy-typecheck", "-experimental-skip-all-function-bodies",
    "-experimental-allow-module-with-compiler-errors", "-empty-abi-descriptor",
}
# Up to so many changed files are looked at one by one; the rest of their module is only read for them.
FEW = 6


class Module:
    """One module of the package, as SwiftPM's plan of the build has it."""

    def __init__(self, arguments, inputs):
        self.name = arguments[arguments.index("-module-name") + 1]
        self.command = compiler(arguments)
        self.sources = sorted(path for path in inputs if path.endswith(".swift"))
        self.uses = {Path(path).stem for path in inputs if path.endswith(".swiftmodule")}
        self.interface = arguments[arguments.index("-emit-module-path") + 1]


def compiler(arguments):
    """The same call of the compiler, for its diagnostics alone."""
    command, rest = [], iter(arguments)
    for argument in rest:
        if argument in ("-Xcc", "-Xfrontend"):
            value = next(rest)
            if value not in ALONE or argument == "-Xcc":
                command += [argument, value]
        elif argument in WITH_VALUE:
            next(rest)
        elif argument not in ALONE:
            command.append(argument)
    return command + [
        "-emit-sil", "-o", "/dev/null", "-whole-module-optimization", "-driver-filelist-threshold=100000",
    ]


def planned():
    """All modules, read from the file in which SwiftPM hands its plan to llbuild: a line of JSON for each list."""
    modules, inputs = {}, []
    for line in open(SCRATCH / "debug.yaml", encoding="utf-8"):
        key, _, value = line.strip().partition(": ")
        if key == "inputs":
            inputs = json.loads(value)
        elif key == "args" and '"-emit-module"' in value:
            module = Module(json.loads(value), inputs)
            # SwiftPM writes modules of its own to run the tests with.
            if not all(path.startswith(str(SCRATCH)) for path in module.sources):
                modules[module.name] = module
    return modules


def digest(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def fingerprints(modules):
    """What the verdict on each module depends on: C headers, what it and all that it uses show, and its files."""
    headers = [digest(path) for folder in ("Sources", "Tests") for path in sorted(Path(folder).rglob("*.h"))]
    shown = {name: digest(module.interface) for name, module in modules.items()}

    def used(name, seen):
        for other in modules[name].uses & modules.keys() - seen:
            seen.add(other)
            used(other, seen)
        return seen

    return {
        name: {
            "surroundings": [module.command, headers, [shown[other] for other in sorted(used(name, {name}))]],
            "files": {path: digest(path) for path in module.sources},
        }
        for name, module in modules.items()
    }


def complaints(output):
    """What SwiftPM's output has to say of errors, once: it repeats them for each file of a module."""
    told, parts = {}, re.split(r"\n(?=\[\d+/\d+\] |/)", output)
    for part in parts:
        if re.search(r"\berror: ", part):
            told.setdefault(re.sub(r"^\[\d+/\d+\][^\n]*\n", "", part))
    return "\n".join(told) or output


def remembered():
    """What was last found right by this very file; nothing of what an earlier version wrote."""
    state = json.loads(STATE.read_text()) if STATE.exists() else {}
    return state["modules"] if state.get("checker") == digest(__file__) else {}


def stale_files(print, known):
    """Those files of a module that have to be looked at: all of them where its surroundings changed."""
    if known is None or known["surroundings"] != print["surroundings"]:
        return list(print["files"])
    return [path for path, sum in print["files"].items() if known["files"].get(path) != sum]


def frontends(module, stale):
    """The calls of the compiler itself that look at these files: one each where they are few, or one for the module."""
    driver = subprocess.run(module.command + ["-###"], capture_output=True, text=True, check=True)
    [command] = [shlex.split(line) for line in driver.stdout.splitlines() if " -emit-sil " in line]
    if len(stale) > min(FEW, len(module.sources) // 2):
        return [command]
    calls = []
    for path in stale:
        at = command.index(path)
        calls.append(command[:at] + ["-primary-file"] + command[at:])
    return calls


def check(module, stale):
    started = time.monotonic()
    reports = []
    for command in frontends(module, stale):
        run = subprocess.run(command, capture_output=True, text=True)
        reports += [run.stderr or f"the compiler ended with {run.returncode}\n"] if run.returncode else []
    part = "" if len(stale) == len(module.sources) else f", {len(stale)} of {len(module.sources)} files,"
    word = "WRONG" if reports else "ok"
    print(f"{module.name}{part} {word} in {time.monotonic() - started:.1f} s", *reports, sep="\n", flush=True)
    return not reports


def main(wanted):
    started = time.monotonic()
    build = subprocess.run(BUILD, capture_output=True, text=True)
    if build.returncode != 0:
        print(complaints(build.stdout + build.stderr))
        return 1
    modules = planned()
    if unknown := [name for name in wanted if name not in modules]:
        print(f"there is no module {', '.join(unknown)}; there are: {', '.join(sorted(modules))}", file=sys.stderr)
        return 2
    prints = fingerprints(modules)
    known = remembered()
    stale = {name: stale_files(prints[name], known.get(name)) for name in wanted or modules}
    stale = {name: files for name, files in stale.items() if files}
    # The largest first, so that none is left alone at the end.
    order = sorted(stale, key=lambda name: -sum(os.path.getsize(path) for path in stale[name]))
    wrong = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, is_right in zip(order, pool.map(lambda name: check(modules[name], stale[name]), order)):
            if not is_right:
                wrong += 1
                continue
            # At once, so that an interrupted run resumes from here.
            known[name] = prints[name]
            STATE.write_text(json.dumps({"checker": digest(__file__), "modules": known}))
    print(f"{len(stale)} of {len(modules)} modules checked, {wrong} wrong, in {time.monotonic() - started:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
