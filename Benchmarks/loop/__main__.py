"""What a developer waits for, in fresh clones of one tree or of two in turn; script/bench loop says what there is."""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BUILD_ALL = (
    "swift build --build-tests --explicit-target-dependency-import-check error --scratch-path .build/testing -c release"
    " -Xswiftc -enable-testing -Xswiftc -enforce-exclusivity=checked"
)


class Clone:
    """A fresh clone of a tree's last commit; what it prints is kept beside it."""

    def __init__(self, tree, folder):
        self.root, self.log = folder / "clone", folder / "log"
        subprocess.run(["git", "clone", "--quiet", tree, self.root], check=True)
        swift = subprocess.check_output(["script/bootstrap", "--swift-bin"], cwd=self.root, text=True).strip()
        self.environment = os.environ | {"PATH": f"{swift}:{os.environ['PATH']}", "CI": "true"}

    def time(self, command):
        """Seconds of the wall and of processors that a command takes."""
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        with open(self.log, "ab") as log:
            done = subprocess.run(
                ["bash", "-c", command], cwd=self.root, env=self.environment, stdin=subprocess.DEVNULL, stdout=log,
                stderr=log)
        wall, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            raise SystemExit(f"`{command}` ended with {done.returncode}; see {self.log}")
        return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def file(self, name):
        """The file of a name, wherever the tree has it."""
        found = [path for folder in ("Sources", "Web", "Protos") for path in (self.root / folder).rglob(name)]
        if len(found) != 1:
            raise SystemExit(f"{self.root} has {len(found)} files named {name}")
        return found[0]

    def change(self, name, old, new):
        path = self.file(name)
        text = path.read_text()
        if old not in text:
            raise SystemExit(f"{path} has no {old!r}")
        path.write_text(text.replace(old, new, 1))


def demo(clone):
    return clone.time("script/demo")


def test(clone):
    return clone.time("script/test")


def handler(clone):
    command = "script/test --filter 'PinServiceTests.ListTests'"
    clone.time(command)
    line = "let (account, now) = (try context.account, clock.unixMilliseconds)"
    clone.change("ListHandler.swift", line, f"{line}\n        _ = now")
    return clone.time(command)


def flow(clone):
    clone.time(BUILD_ALL)
    command = "Tests/BrowserTests/run -k test_f68_lists_are_layers"
    clone.time(command)
    clone.change("layers.js", "=> only === id;", "=> id === only;")
    return clone.time(command)


def field(clone):
    clone.time(BUILD_ALL)
    line = "message CreateListRequest {"
    clone.change("lists.proto", line, f"{line}\n  // What was changed.\n  string changed = 99;")
    return clone.time(f"script/protos && {BUILD_ALL}")


STEPS = {step.__name__: step for step in (demo, test, handler, flow, field)}


def main():
    parser = argparse.ArgumentParser(prog="script/bench loop")
    parser.add_argument("steps", nargs="*", choices=[*STEPS, []], metavar="STEP", help=", ".join(STEPS))
    parser.add_argument("--against", type=Path)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--root", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    trees = {"this": options.root} | ({"other": options.against} if options.against else {})
    for name in options.steps or STEPS:
        taken = {tree: [] for tree in trees}
        for _ in range(options.rounds):
            for tree, path in trees.items():
                print(f"{name}, {tree} tree …", file=sys.stderr, flush=True)
                with tempfile.TemporaryDirectory(prefix="waymark-loop-") as folder:
                    taken[tree].append(STEPS[name](Clone(path, Path(folder))))
        report(name, {tree: [statistics.median(each) for each in zip(*all)] for tree, all in taken.items()}, options)


def report(name, medians, options):
    wall, processors = medians["this"]
    answer = {"step": name, "seconds": round(wall, 1), "processor_seconds": round(processors, 1)}
    line = f"{name:8} {wall:7.1f} s, {processors:7.1f} s of processors"
    if "other" in medians:
        wall_before, processors_before = medians["other"]
        answer |= {"other_seconds": round(wall_before, 1), "other_processor_seconds": round(processors_before, 1),
                   "ratio": round(wall / wall_before, 2)}
        line += f"; the other tree {wall_before:.1f} s, {processors_before:.1f} s: {wall / wall_before:.2f} of it"
    print(json.dumps(answer) if options.json else line, flush=True)


main()
