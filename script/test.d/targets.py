"""Prints the test targets that have a test whose name (Target.Suite/test) matches one of the expressions.

Usage: targets.py REGEX...

Names are read from the sources, so that nothing has to be built to know what to build. A file's suites and tests are
paired with each other: a target too many costs a minute, one too few would leave a test out.
"""

import re
import sys
from pathlib import Path

SUITE = re.compile(r"^\s*(?:@\w+(?:\(.*\))?\s+)*(?:\w+ )*(?:struct|class|actor|enum|extension) (\w+)", re.MULTILINE)
TEST = re.compile(r"\bfunc (\w+)")


def names(target):
    for path in target.rglob("*.swift"):
        source = path.read_text(encoding="utf-8")
        for suite in SUITE.findall(source):
            for test in TEST.findall(source):
                yield f"{target.name}.{suite}/{test}()"


def main(expressions):
    wanted = [re.compile(expression) for expression in expressions]
    targets = sorted(
        target.name for target in Path("Tests").iterdir()
        if target.name.endswith("Tests") and any(one.search(name) for name in names(target) for one in wanted)
    )
    if not targets:
        sys.exit("no test's name matches; they look like GeoTests.RadiusSearchTests/circle()")
    print(*targets)


main(sys.argv[1:])
