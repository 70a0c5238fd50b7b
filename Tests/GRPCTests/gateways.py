"""Gateways for clients of gRPC: one alone, whose own services are enough for most tests, and how they are called."""

import atexit
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "ClientTests"))
import grpc
from google.protobuf import message_factory
from google.protobuf.descriptor_pool import DescriptorPool
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase
from waymark_system import PATIENCE_S, Program, System

ECHO = "waymark.rpc.v1.EchoService"
STATS = "waymark.rpc.v1.StatsService"
CALLS = {(False, False): "unary_unary", (False, True): "unary_stream", (True, False): "stream_unary",
         (True, True): "stream_stream"}


class Gateway:
    """A gateway without the services behind it. `port` is for one whose address has to be known before."""

    def __init__(self, *words, port=0, is_open=True):
        self.folder = tempfile.TemporaryDirectory(prefix="waymark-grpc-")
        key = self.path("key")
        key.write_text(os.urandom(32).hex())
        key.chmod(0o600)
        words = ["--listen", "127.0.0.1:0", "--admin", "none", "--data", self.path("data"), "--key-file", key,
                 "--http", f"127.0.0.1:{port}", "--web", "none", "--map", "none", "--rate", 0,
                 *(["--open"] if is_open else []), *words]
        try:
            self.program = Program(self.folder.name, "gateway", *words)
        except BaseException:
            self.folder.cleanup()
            raise
        self.address = self.program.ready["http"]

    def path(self, name):
        return Path(self.folder.name, name)

    def stop(self):
        self.program.stop()
        self.folder.cleanup()


class Methods:
    """What a server says that it has: its methods by reflection, with no stub."""

    def __init__(self, channel):
        self.pool = DescriptorPool(ProtoReflectionDescriptorDatabase(channel))

    def message(self, name):
        return message_factory.GetMessageClass(self.pool.FindMessageTypeByName(name))

    def call(self, channel, path):
        """How one is called on a channel, and the class of its request."""
        service, _, name = path.partition("/")
        method = self.pool.FindServiceByName(service).FindMethodByName(name)
        request, answer = (message_factory.GetMessageClass(kind) for kind in (method.input_type, method.output_type))
        make = getattr(channel, CALLS[method.client_streaming, method.server_streaming])
        call = make(f"/{path}", request_serializer=request.SerializeToString, response_deserializer=answer.FromString)
        return call, request


class WithGateway(unittest.TestCase):
    """One gateway alone for all, and a channel to it."""

    gateway = channel = methods = None

    @classmethod
    def setUpClass(cls):
        if WithGateway.gateway is None:
            WithGateway.gateway = Gateway()
            atexit.register(WithGateway.gateway.stop)
            WithGateway.channel = grpc.insecure_channel(cls.gateway.address)
            atexit.register(WithGateway.channel.close)
            WithGateway.methods = Methods(WithGateway.channel)

    def call(self, path):
        return self.methods.call(self.channel, path)

    def echo(self, name="Echo"):
        return self.call(f"{ECHO}/{name}")

    def fails(self, code, call, *values, **more):
        """The error of a call, which is waited for."""
        with self.assertRaises(grpc.RpcError) as caught:
            answer = call(*values, timeout=more.pop("timeout", PATIENCE_S), **more)
            list(answer)
        self.assertEqual(caught.exception.code(), code, caught.exception.details())
        return caught.exception


class WithSystem(unittest.TestCase):
    """A whole Waymark for all."""

    system = None

    @classmethod
    def setUpClass(cls):
        if WithSystem.system is None:
            WithSystem.system = System(sign_up="open")
            atexit.register(WithSystem.system.stop)

    @property
    def address(self):
        return self.system.http.removeprefix("http://")

    def execute(self, *words, expected=0, timeout=PATIENCE_S, **more):
        """What a program prints, as bytes; it has to end as expected."""
        done = subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=timeout, check=False, **more)
        self.assertEqual(done.returncode, expected, f"{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        return done.stdout
