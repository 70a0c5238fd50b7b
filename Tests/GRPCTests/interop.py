"""gRPC's interop cases, by its own client: https://github.com/grpc/grpc/blob/master/doc/interop-test-descriptions.md.

Named as there. Not here, since no method of Waymark does what they ask of theirs: special_status_message (a test of
Connect's suite has it, unicode-error-message), custom_metadata's trailers (the id of the request is the header that
comes back), and those of logins at Google, of load balancers and of caches.
"""

import threading
import time

import grpc
from gateways import ECHO, STATS, Gateway, WithGateway
from waymark_system import PATIENCE_S

SIZES = (27182, 8, 1828, 45904)


class Interop(WithGateway):
    def test_empty_unary(self):
        """empty_unary"""
        call, request = self.echo()
        self.assertEqual(call(request(), timeout=PATIENCE_S).payload, b"")

    def test_large_unary(self):
        """large_unary, and the same packed: client_compressed_unary, server_compressed_unary"""
        call, request = self.echo()
        payload = bytes(271828)
        for compression in (None, grpc.Compression.Gzip):
            answer = call(request(payload=payload), timeout=PATIENCE_S, compression=compression)
            self.assertEqual(answer.payload, payload)

    def test_client_streaming(self):
        """client_streaming, and client_compressed_streaming"""
        call, request = self.echo("EchoJoined")
        for compression in (None, grpc.Compression.Gzip):
            answer = call((request(payload=bytes(size)) for size in SIZES), timeout=PATIENCE_S, compression=compression)
            self.assertEqual((len(answer.payload), answer.count), (74922, 4))

    def test_server_streaming(self):
        """server_streaming, and server_compressed_streaming"""
        call, request = self.echo("EchoStream")
        for compression in (None, grpc.Compression.Gzip):
            answers = call(request(payload=bytes(31415), count=4), timeout=PATIENCE_S, compression=compression)
            self.assertEqual([(len(answer.payload), answer.index) for answer in answers],
                             [(31415, index) for index in range(4)])

    def test_ping_pong(self):
        """ping_pong"""
        call, request = self.echo("EchoEach")
        turn = threading.Semaphore(0)

        def requests():
            for size in SIZES:
                yield request(payload=bytes(size))
                turn.acquire()
        got = []
        for answer in call(requests(), timeout=PATIENCE_S):
            got.append(len(answer.payload))
            turn.release()
        self.assertEqual(got, list(SIZES))

    def test_empty_stream(self):
        """empty_stream"""
        call, _ = self.echo("EchoEach")
        self.assertEqual(list(call(iter(()), timeout=PATIENCE_S)), [])

    def waiting(self):
        """Requests of a stream that has none, until the test ends."""
        over = threading.Event()
        self.addCleanup(over.set)
        return iter(lambda: over.wait(PATIENCE_S), True)

    def test_cancel_after_begin(self):
        """cancel_after_begin"""
        call, _ = self.echo("EchoJoined")
        answer = call.future(self.waiting(), timeout=PATIENCE_S)
        answer.cancel()
        self.assertEqual(answer.code(), grpc.StatusCode.CANCELLED)

    def test_cancel_after_first_response(self):
        """cancel_after_first_response"""
        call, request = self.echo("EchoEach")
        over = threading.Event()
        self.addCleanup(over.set)

        def requests():
            yield request(payload=bytes(27182))
            over.wait(PATIENCE_S)
        answers = call(requests(), timeout=PATIENCE_S)
        self.assertEqual(len(next(answers).payload), 27182)
        answers.cancel()
        self.assertEqual(answers.code(), grpc.StatusCode.CANCELLED)

    def test_timeout_on_sleeping_server(self):
        """timeout_on_sleeping_server"""
        call, request = self.echo("EchoEach")
        over = threading.Event()
        self.addCleanup(over.set)

        def requests():
            yield request(payload=bytes(27182))
            over.wait(PATIENCE_S)
        self.fails(grpc.StatusCode.DEADLINE_EXCEEDED, call, requests(), timeout=0.001)

    def test_status_code_and_message(self):
        """status_code_and_message, of a call with one answer and of a stream"""
        call, request = self.echo()
        error = self.fails(grpc.StatusCode.INVALID_ARGUMENT, lambda value, **more: [call(value, **more)],
                           self.slow(request, 6))
        self.assertIn("delay: ", error.details())
        call, request = self.echo("EchoStream")
        error = self.fails(grpc.StatusCode.INVALID_ARGUMENT, call, request(count=2_000_000))
        self.assertIn("count: ", error.details())

    @staticmethod
    def slow(request, seconds):
        message = request()
        message.delay.seconds = seconds
        return message

    def test_unimplemented(self):
        """unimplemented_method, unimplemented_service"""
        for path in (f"/{ECHO}/Unknown", "/unknown.v1.UnknownService/Unknown"):
            call = self.channel.unary_unary(path)
            self.fails(grpc.StatusCode.UNIMPLEMENTED, lambda value, call=call, **more: [call(value, **more)], b"")

    def test_custom_metadata(self):
        """custom_metadata, as far as there is some: the caller's name of the request comes back"""
        call, request = self.echo()
        _, ended = call.with_call(request(payload=b"x"), timeout=PATIENCE_S,
                                  metadata=(("x-request-id", "my-own-name"), ("x-binary-bin", b"\x00\xff")))
        self.assertEqual(dict(ended.initial_metadata())["x-request-id"], "my-own-name")
        self.assertEqual(ended.code(), grpc.StatusCode.OK)

    def test_cancellation_arrives(self):
        """a call that is cancelled ends at the server, long before it would have"""
        # Alone, so that all that it works on is ours.
        gateway = Gateway()
        self.addCleanup(gateway.stop)
        with grpc.insecure_channel(gateway.address) as channel:
            call, request = self.methods.call(channel, f"{ECHO}/Echo")
            stats, ask = self.methods.call(channel, f"{STATS}/GetStats")
            answer = call.future(self.slow(request, 5), timeout=PATIENCE_S)
            # A call that was not sent yet has nothing to end. That which asks is one too.
            self.awaited(lambda: stats(ask(), timeout=PATIENCE_S).stats.calls_in_flight > 1)
            begin = time.monotonic()
            answer.cancel()
            self.awaited(lambda: any(method.method == f"{ECHO}/Echo" and method.calls
                                     for method in stats(ask(), timeout=PATIENCE_S).stats.methods))
            print(f"cancelled: known to have ended at the server after {(time.monotonic() - begin) * 1000:.1f} ms")

    def awaited(self, condition):
        until = time.monotonic() + PATIENCE_S
        while not condition():
            self.assertLess(time.monotonic(), until, "it did not come")
