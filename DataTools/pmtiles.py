"""What a PMTiles archive says of itself (https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md)."""

import base64
import hashlib
import struct

HEADER = 127


def about(archive):
    """What a map needs to know to fetch its tiles; the edition is the one that a gateway finds."""
    root, length = struct.unpack_from("<QQ", archive, 8)
    identity = archive[:HEADER] + archive[root:root + length]
    edition = base64.urlsafe_b64encode(hashlib.sha256(identity).digest()[:9]).decode()
    box = [degrees / 1e7 for degrees in struct.unpack_from("<4i", archive, 102)]
    return {"edition": edition, "box": box, "zooms": list(archive[100:102])}
