"""The pinned packages that the bundled data comes from."""

import re
from pathlib import Path


class Packages:
    """Archives that `script/data` has downloaded into one folder, found by package name."""

    def __init__(self, folder: Path):
        self.folder = folder

    def archive(self, name):
        """(path, version) of a package's wheel or source archive."""
        pattern = re.compile(rf"{re.escape(name)}-([0-9.]+?)(-.*\.whl|\.tar\.gz)$")
        matches = [(path, pattern.match(path.name)) for path in sorted(self.folder.iterdir())]
        found = [(path, match.group(1)) for path, match in matches if match]
        return self.only(name, found)

    def debian(self, name):
        """The path of a package of Debian."""
        return self.only(name, [path for path in sorted(self.folder.iterdir())
                                if path.name.startswith(f"{name}_") and path.suffix == ".deb"])

    def only(self, name, found):
        if len(found) != 1:
            raise SystemExit(f"{self.folder}: wanted one archive of {name}, found {len(found)}")
        return found[0]
