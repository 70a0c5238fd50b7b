"""What an application does with gRPC's client: in threads and in a loop, with deadlines, limits, health and tokens."""

import asyncio
import sys
import tempfile
import threading
import unittest
from pathlib import Path

import grpc
from gateways import ECHO, Gateway, Methods, WithGateway, WithSystem
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from ports import held_port
from waymark_system import PATIENCE_S, ROOT

LIMIT = 6 << 20
TOKEN, USERS = "a-token-for-these-tests", "one-of-a-user-alone"


def single(call):
    """A call with one answer, as `fails` takes one."""
    return lambda value, **more: [call(value, **more)]


class Served(WithGateway):
    """Health and reflection, which tools ask for."""

    def test_health(self):
        """Check and Watch say that it serves, and that another service is unknown"""
        health = health_pb2_grpc.HealthStub(self.channel)
        request = health_pb2.HealthCheckRequest
        serving = health_pb2.HealthCheckResponse.SERVING
        self.assertEqual(health.Check(request(), timeout=PATIENCE_S).status, serving)
        error = self.fails(grpc.StatusCode.NOT_FOUND, single(health.Check), request(service="no.such.Service"))
        self.assertIn("no.such.Service", error.details())
        for name, status in (("", serving), ("no.such.Service", health_pb2.HealthCheckResponse.SERVICE_UNKNOWN)):
            watch = health.Watch(request(service=name), timeout=PATIENCE_S)
            self.assertEqual(next(watch).status, status)
            watch.cancel()

    def test_reflection(self):
        """lists its services, and answers for one that is not there"""
        stub = reflection_pb2_grpc.ServerReflectionStub(self.channel)
        request = reflection_pb2.ServerReflectionRequest
        asked = [request(list_services=""), request(file_containing_symbol="no.such.Thing")]
        listed, missing = stub.ServerReflectionInfo(iter(asked), timeout=PATIENCE_S)
        names = {service.name for service in listed.list_services_response.service}
        self.assertLessEqual({ECHO, "waymark.pins.v1.PinService", "grpc.health.v1.Health"}, names)
        self.assertEqual(missing.error_response.error_code, grpc.StatusCode.NOT_FOUND.value[0])


class Limits(WithGateway):
    def test_long_message(self):
        """a message that is longer than allowed is refused, whole or one of a stream, and the channel goes on"""
        long, sentence = bytes(LIMIT + 1), "more than is allowed"
        call, request = self.echo()
        self.fails(grpc.StatusCode.RESOURCE_EXHAUSTED, single(call), request(payload=long))
        each, request = self.echo("EchoEach")
        error = self.fails(grpc.StatusCode.RESOURCE_EXHAUSTED, each, iter([request(payload=long)]))
        self.assertIn(sentence, error.details())
        packed = self.fails(grpc.StatusCode.RESOURCE_EXHAUSTED, each, iter([request(payload=long)]),
                            compression=grpc.Compression.Gzip)
        self.assertIn("unpacks to more than", packed.details())
        call, request = self.echo()
        self.assertEqual(call(request(payload=b"on"), timeout=PATIENCE_S).payload, b"on")

    def test_deadline(self):
        """a deadline ends a call that waits, of each kind"""
        call, request = self.echo()
        slow = request()
        slow.delay.seconds = 5
        self.fails(grpc.StatusCode.DEADLINE_EXCEEDED, single(call), slow, timeout=0.1)
        for name in ("EchoJoined", "EchoEach"):
            call, _ = self.echo(name)
            over = threading.Event()
            answer = (single(call) if name == "EchoJoined" else call)
            waiting = iter(lambda: over.wait(PATIENCE_S), True)
            self.fails(grpc.StatusCode.DEADLINE_EXCEEDED, answer, waiting, timeout=0.1)
            over.set()

    def test_error_details(self):
        """an error has Google's details: which field was refused"""
        call, request = self.echo()
        slow = request()
        slow.delay.seconds = 9
        error = self.fails(grpc.StatusCode.INVALID_ARGUMENT, single(call), slow)
        packed = dict(error.trailing_metadata())["grpc-status-details-bin"]
        self.assertIn(b"type.googleapis.com/google.rpc.BadRequest", packed)
        self.assertIn(b"type.googleapis.com/waymark.rpc.v1.StatusDetails", packed)


class Loop(WithGateway):
    """gRPC's client for asyncio, whose core of frames is the same and whose calls are not."""

    def test_calls(self):
        """calls of each kind, many at once, on one channel"""
        asyncio.run(self.calls())

    async def calls(self):
        async with grpc.aio.insecure_channel(self.gateway.address) as channel:
            def method(name):
                return self.methods.call(channel, f"{ECHO}/{name}")
            call, request = method("Echo")
            answers = await asyncio.gather(*(call(request(payload=b"%d" % index)) for index in range(200)))
            self.assertEqual([int(answer.payload) for answer in answers], list(range(200)))
            call, request = method("EchoStream")
            self.assertEqual([answer.index async for answer in call(request(payload=b"x", count=2000))],
                             list(range(2000)))
            call, request = method("EchoJoined")
            self.assertEqual((await call(request(payload=b"ab") for _ in range(50))).payload, b"ab" * 50)
            call, request = method("EchoEach")
            both = call()
            for index in range(50):
                await both.write(request(payload=b"%d" % index))
                self.assertEqual((await both.read()).index, index)
            await both.done_writing()
            self.assertEqual((await both.read(), await both.code()), (grpc.aio.EOF, grpc.StatusCode.OK))
            both = call()
            await both.write(request(payload=b"x"))
            await both.read()
            both.cancel()
            self.assertEqual(await both.code(), grpc.StatusCode.CANCELLED)


class Stopping(unittest.TestCase):
    def test_stopped_under_load(self):
        """a gateway that is stopped while calls run, and started again, fails none that waits for a ready server"""
        port = held_port()
        gateway = Gateway(port=port)
        with grpc.insecure_channel(gateway.address, options=[("grpc.min_reconnect_backoff_ms", 50),
                                                            ("grpc.initial_reconnect_backoff_ms", 50)]) as channel:
            call, request = Methods(channel).call(channel, f"{ECHO}/Echo")
            is_over, faults, answered = threading.Event(), [], threading.Semaphore(0)

            def work(delay_ms):
                message = request(payload=b"x")
                # Half of them are worked on when the gateway is stopped.
                message.delay.nanos = delay_ms * 1_000_000
                while not is_over.is_set() and not faults:
                    try:
                        call(message, wait_for_ready=True, timeout=PATIENCE_S)
                    except grpc.RpcError as error:
                        faults.append(f"{error.code()}: {error.details()}")
                    answered.release()
            workers = [threading.Thread(target=work, args=(delay,)) for delay in (0, 0, 0, 0, 50, 50, 50, 50)]
            for worker in workers:
                worker.start()
            for _ in range(3):
                for _ in range(200):
                    self.assertTrue(answered.acquire(timeout=PATIENCE_S), "no call is answered any more")
                gateway.stop()
                gateway = Gateway(port=port)
            call(request(), timeout=PATIENCE_S, wait_for_ready=True)
            is_over.set()
            for worker in workers:
                worker.join()
        gateway.stop()
        self.assertEqual(faults, [])


class Tokens(unittest.TestCase):
    """Who calls, by metadata: a gateway that is not open."""

    def test_tokens(self):
        """a token lets in, its roles count, and none or a wrong one is refused"""
        with tempfile.NamedTemporaryFile("w") as tokens:
            tokens.write(f"{TOKEN}\n{USERS} user\n")
            tokens.flush()
            gateway = Gateway("--token-file", tokens.name, is_open=False)
        self.addCleanup(gateway.stop)
        with grpc.insecure_channel(gateway.address) as channel:
            call, request = Methods(channel).call(channel, "waymark.places.v1.PlacesService/DeleteDataset")
            codes = []
            for token in (None, "wrong", USERS, TOKEN):
                metadata = (("authorization", f"Bearer {token}"),) if token else ()
                with self.assertRaises(grpc.RpcError) as caught:
                    call(request(name="x", request_id="1"), metadata=metadata, timeout=PATIENCE_S)
                codes.append(caught.exception.code())
            # With no places service behind it, none gets further than that.
            refused = [grpc.StatusCode.UNAUTHENTICATED] * 2 + [grpc.StatusCode.PERMISSION_DENIED]
            self.assertEqual(codes, refused + [grpc.StatusCode.UNAVAILABLE])


class Accounts(WithSystem):
    def test_session_and_key(self):
        """a session acts as its account, and a key no further than its scope"""
        with grpc.insecure_channel(self.address) as channel:
            methods = Methods(channel)

            def call(path, token="", **fields):
                method, request = methods.call(channel, f"waymark.{path}")
                metadata = (("authorization", f"Bearer {token}"),) if token else ()
                return method(request(**fields), metadata=metadata, timeout=PATIENCE_S)
            accounts, email = "accounts.v1.AccountService", "ann@example.org"
            session = call(f"{accounts}/SignUp", email=email, password="a long and easy sentence").session
            self.assertEqual(call(f"{accounts}/GetProfile", session.token).account.email, email)
            key = call("accounts.v1.APIKeyService/CreateAPIKey", session.token, name="a reader", scope=1).token
            self.assertEqual(len(call("pins.v1.PinService/ListPins", key).pins), 0)
            with self.assertRaises(grpc.RpcError) as caught:
                call("pins.v1.PinService/CreatePin", key, position={"latitude": 60, "longitude": 24}, request_id="1")
            self.assertEqual(caught.exception.code(), grpc.StatusCode.PERMISSION_DENIED)


class Walk(WithSystem):
    def test_walk(self):
        """goes the whole way of Examples/grpc/walk.py, with stubs of Protos: a pin, its colours, an album, a picture"""
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "gen").mkdir()
            self.execute(sys.executable, "-m", "grpc_tools.protoc", "-I", ROOT / "Protos",
                         "--python_out", f"{folder}/gen", "--grpc_python_out", f"{folder}/gen",
                         *ROOT.glob("Protos/waymark/**/*.proto"))
            out = self.execute(sys.executable, ROOT / "Examples/grpc/walk.py", self.address, "picture.jpg", cwd=folder)
            self.assertIn(b"PIN_STATE_READY", out)
            self.assertEqual(Path(folder, "picture.jpg").read_bytes()[:3], b"\xff\xd8\xff")
