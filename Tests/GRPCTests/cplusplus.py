"""gRPC's client for C++, as Debian has it."""

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from gateways import WithGateway
from waymark_system import PATIENCE_S, ROOT

PLUGIN = shutil.which("grpc_cpp_plugin")


def settings():
    """What a program with it is compiled with; None where it is not installed."""
    words = ["pkg-config", "--cflags", "--libs", "grpc++", "protobuf"]
    if not (PLUGIN and shutil.which("g++") and shutil.which("protoc") and shutil.which("pkg-config")):
        return None
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.stdout.split() if done.returncode == 0 else None


class CPlusPlus(WithGateway):
    @unittest.skipIf(settings() is None, "g++ or Debian's libgrpc++-dev and protobuf-compiler-grpc are not installed")
    def test_calls(self):
        """calls of each kind, packed and plain, a deadline, an error"""
        with tempfile.TemporaryDirectory() as folder:
            protos = [ROOT / f"Protos/waymark/rpc/v1/{name}.proto" for name in ("echo", "options", "roles")]
            self.execute("protoc", "-I", ROOT / "Protos", f"--plugin=protoc-gen-grpc={PLUGIN}",
                         f"--cpp_out={folder}", f"--grpc_out={folder}", *protos)
            sources = [*Path(folder).rglob("*.cc"), Path(__file__).with_name("echo.cc")]
            self.execute("g++", "-std=c++17", "-I", folder, *sources, "-o", f"{folder}/echo", *settings())
            print(self.execute(f"{folder}/echo", self.gateway.address))

    def execute(self, *words):
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=5 * PATIENCE_S,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        return done.stdout
