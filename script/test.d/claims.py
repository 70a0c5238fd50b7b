"""Prints which claims that Docs/Product.md marks as built, or partly so, no test names.

A claim's line starts with its number and the word: `- **P12** (built) …`, `- **P13** (partly) …`.
A test names it in the title of a suite or a test: `@Suite("P12 …")`, `@Test("P12, P13 …")`; a script that is a
test, in its second line; a module of tests in Python, in its first.
"""

import pathlib
import re

BUILT = re.compile(r"^[\s#*|-]*P(\d+)\W+(?:built|partly)\b", re.MULTILINE)
TITLE = re.compile(r'@(?:Suite|Test)\(\s*"((?:[^"\\]|\\.)*)"')


def numbers(text):
    return {int(number) for number in re.findall(r"\bP(\d+)\b", text)}


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    product = root / "Docs" / "Product.md"
    built = {int(number) for number in BUILT.findall(product.read_text("utf-8"))} if product.exists() else set()
    named = set()
    for file in sorted((root / "Tests").rglob("*.swift")):
        for title in TITLE.findall(file.read_text("utf-8")):
            named |= numbers(title)

    for module in sorted((root / "Tests").rglob("*.py")):
        named |= numbers(module.read_text("utf-8").split("\n", 1)[0])
    for script in (root / "script").glob("*-test"):
        named |= numbers(script.read_text("utf-8").splitlines()[1])
    missing = sorted(built - named)
    if missing:
        print("built or partly built, but named by no test: " + ", ".join(f"P{number}" for number in missing))
    else:
        print(f"each of the {len(built)} claims built so far, or partly built, is named by a test")


main()
