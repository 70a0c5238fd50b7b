"""gRPC's own client for Go, as Debian has it, with stubs of our Protos."""

import os
import shutil
import tempfile
import unittest
from pathlib import Path

from gateways import WithSystem
from waymark_system import PATIENCE_S, ROOT

# Where Debian puts Go's libraries.
LIBRARIES = Path("/usr/share/gocode")
TOOLS = ("go", "protoc", "protoc-gen-go", "protoc-gen-go-grpc")


def is_there():
    return all(map(shutil.which, TOOLS)) and Path(LIBRARIES, "src/google.golang.org/grpc").exists()


class Golang(WithSystem):
    @unittest.skipUnless(is_there(), "golang-go, golang-google-grpc-dev or protoc-gen-go-grpc is not installed")
    def test_walk(self):
        """goes the whole way of Examples/go/walk.go: a pin, its colours, an album, a picture"""
        with tempfile.TemporaryDirectory() as folder:
            self.execute(ROOT / "Examples/go/stubs", f"{folder}/src")
            settings = {"GO111MODULE": "off", "GOPATH": f"{folder}:{LIBRARIES}", "GOCACHE": f"{folder}/cache"}
            source = Path(folder, "src/walk")
            source.mkdir()
            for file in (ROOT / "Examples/go/walk.go", Path(__file__).with_name("codec.go")):
                shutil.copy(file, source)
            self.execute("go", "build", "-o", f"{folder}/walk", source, timeout=10 * PATIENCE_S,
                         env={**os.environ, **settings})
            out = self.execute(f"{folder}/walk", self.address, f"{folder}/picture.jpg")
            self.assertIn(b"PIN_STATE_READY", out)
            self.assertEqual(Path(folder, "picture.jpg").read_bytes()[:3], b"\xff\xd8\xff")
