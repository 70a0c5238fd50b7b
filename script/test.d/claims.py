"""Prints which claims of Docs/Product.md no test names, and which are not marked; ends with 1 if there are any.

A claim's line starts with its number and its mark: `- **P12** (built) …`, `- **P13** (partly) …`.
A test names it in the title of a suite or a test: `@Suite("P12 …")`, `@Test("P12, P13 …")`; a script that is a
test, in its second line; a module of tests in Python, in its first.
"""

import pathlib
import re
import sys

CLAIM = re.compile(r"^- \*\*P(\d+)\*\*(?: \((built|partly)\))?", re.MULTILINE)
TITLE = re.compile(r'@(?:Suite|Test)\(\s*"((?:[^"\\]|\\.)*)"')


def numbers(text):
    return {int(number) for number in re.findall(r"\bP(\d+)\b", text)}


def named(root):
    """The numbers that tests name."""
    found = set()
    for file in sorted((root / "Tests").rglob("*.swift")):
        for title in TITLE.findall(file.read_text("utf-8")):
            found |= numbers(title)
    for module in sorted((root / "Tests").rglob("*.py")):
        found |= numbers(module.read_text("utf-8").split("\n", 1)[0])
    for script in [*(root / "script").glob("*-test"), root / "script" / "simulate"]:
        found |= numbers(script.read_text("utf-8").splitlines()[1])
    return found


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    claims = CLAIM.findall((root / "Docs" / "Product.md").read_text("utf-8"))
    claimed = {int(number) for number, _ in claims}
    problems = [
        ("neither (built) nor (partly)", {int(number) for number, mark in claims if not mark}),
        ("named by no test", claimed - named(root)),
    ]
    for problem, which in problems:
        if which:
            print(f"error: {problem}: " + ", ".join(f"P{number}" for number in sorted(which)))
    if any(which for _, which in problems):
        sys.exit(1)
    print(f"each of the {len(claimed)} claims built so far, or partly built, is named by a test")


main()
