"""Names the Swift modules that others are built from, each behind those that it needs; what script/fuzz builds.

Usage: modules.py NAME... < PACKAGE     with what `swift package dump-package` prints

Of "NAME:" only what the module needs is named, and not itself. RPC is left out: the messages do without their services.
"""

import json
import sys
from pathlib import Path

LEFT_OUT = {"RPC"}


def main():
    targets = {target["name"]: target for target in json.load(sys.stdin)["targets"]}
    named = []

    def is_swift(target):
        path = target.get("path")
        return target["type"] == "regular" and path and any(Path(path).rglob("*.swift"))

    def needs(name):
        return [one["byName"][0] for one in targets[name]["dependencies"] if "byName" in one]

    def add(name):
        if name in named or name in LEFT_OUT or name not in targets:
            return
        for other in needs(name):
            add(other)
        if is_swift(targets[name]):
            named.append(name)

    for word in sys.argv[1:]:
        for name in needs(word[:-1]) if word.endswith(":") else [word]:
            add(name)
    print(*named)


main()
