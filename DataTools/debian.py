"""Reads single files out of Debian's packages, without dpkg: an `ar` archive with a tar of the files inside."""

import io
import tarfile

MAGIC = b"!<arch>\n"
HEADER_BYTES = 60


def file_of(package, path):
    """The bytes of one file of a package that `script/data` has downloaded."""
    with tarfile.open(fileobj=io.BytesIO(member(package.read_bytes(), "data.tar.xz")), mode="r:xz") as tree:
        return tree.extractfile(f"./{path}").read()


def member(archive, name):
    """A member's bytes; its header has the name in 16 columns and, from column 48, the size in 10."""
    if not archive.startswith(MAGIC):
        raise SystemExit("not a Debian package")
    at = len(MAGIC)
    while at < len(archive):
        header = archive[at:at + HEADER_BYTES]
        size, at = int(header[48:58]), at + HEADER_BYTES
        if header[:16].decode("ascii").strip().rstrip("/") == name:
            return archive[at:at + size]
        # Members begin at even places.
        at += size + size % 2
    raise SystemExit(f"the package has no {name}")
