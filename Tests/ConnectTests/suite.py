"""Runs the cases against the doors of a gateway whose echo does as it is asked, and reports each; see run."""

import argparse
import base64
import functools
import sys
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from cases import CLIENT, CONNECT, FULL, GET, GRPC, GRPC_WEB, GRPC_WEB_TEXT, HALF, STATUS, UNARY, Case, all_cases
from connect import Connect
from grpc_protocol import GRPC as GRPCClient
from grpc_protocol import GRPCWeb, GRPCWebText
from http1 import HTTP1
from http2 import HTTP2
from messages import Fault, need

CLIENTS = {CONNECT: Connect, GRPC: GRPCClient, GRPC_WEB: GRPCWeb, GRPC_WEB_TEXT: GRPCWebText}
VERSIONS = {"HTTP/1.1": HTTP1, "HTTP/2": HTTP2}
LONG_BODY = ("over HTTP/1.1 the whole body comes before the call and has the limit of one message: two of that size are "
             "too long")
METADATA = ("without the headers and trailers that it wants to pass: methods of Waymark have none of their own, and "
            "errors have details of one kind")
THREADS = 12


@dataclass
class Variant:
    """A case by one protocol, one version of HTTP, one codec and one compression, at one door."""

    case: Case
    protocol: str
    version: str
    codec: str
    compression: str
    tls: bool

    @property
    def title(self):
        words = (self.protocol, self.version, self.codec, self.compression, "TLS" if self.tls else "plain")
        return f"{self.case.suite}/{', '.join(words)}/{self.case.name}"

    @property
    def exception(self):
        """Why it can't pass; None where it has to."""
        is_long = self.case.kind == CLIENT and self.case.name.endswith("all-requests-equal-to-server-limit")
        return LONG_BODY if self.version == "HTTP/1.1" and is_long and self.compression == "identity" else None


def checked(case, outcome, payloads, by_status):
    """Compares what came with what must come."""
    expect, request = case.expect, case.requests[0] if case.requests else None
    code = expect.code if expect else request.error[0] if request.error else None
    is_allowed = outcome.code == code or expect and outcome.code in expect.others
    need(is_allowed, f"the code is {outcome.code} ({outcome.message}), not {code}")
    if expect and expect.status:
        need(outcome.status == expect.status, f"the status is {outcome.status}, not {expect.status}")
    elif code and by_status and case.kind in (UNARY, GET) and case.raw is None and not request.size:
        need(outcome.status == STATUS[code], f"the status is {outcome.status}, not {STATUS[code]}")
    if expect:
        return
    if request.error:
        need(outcome.message == request.error[1], f"the message is {outcome.message!r}, not {request.error[1]!r}")
    wanted = list(request.answers)
    if case.kind in (UNARY, GET, CLIENT) and not request.error:
        # One answer comes in any case.
        wanted = wanted[:1] or [b""]
    got = [base64.b64decode(answer.get("data", "")) for answer in outcome.answers]
    need(got == wanted, f"the answers are {got}, not {wanted}")
    if not got:
        return
    first = outcome.answers[0]
    # In a stream both ways the first answer comes before the other requests.
    known = payloads[:1] if case.kind == FULL else payloads
    count = sum(len(data) for data in known)
    need((first.get("count"), first.get("requests")) == (count, len(known)), f"the method got {first}")
    if "request" in first:
        need(base64.b64decode(first["request"]) == payloads[0], "the method got another request")
    need(all("count" not in answer for answer in outcome.answers[1:]), "each answer names the request")
    if case.timeout_ms:
        need(0 < first.get("timeoutMs", 0) <= case.timeout_ms, f"the method has {first.get('timeoutMs')} ms")


def variants(case):
    for protocol in case.protocols:
        for version in VERSIONS:
            if version == "HTTP/1.1" and (protocol == GRPC or case.kind in (HALF, FULL)):
                # Neither is there: streams both ways need HTTP/2, as they do in the suite where no more is said.
                continue
            if protocol == GRPC_WEB_TEXT and (version == "HTTP/2" or case.kind in (HALF, FULL)):
                # What browsers do.
                continue
            for codec in case.codecs:
                for compression in case.compressions:
                    # What is as long as allowed is so in TLS too.
                    for tls in (True,) if case.needs_tls else (False,) if case.is_sized else (False, True):
                        yield Variant(case, protocol, version, codec, compression, tls)


class Runner:
    """Calls with connections of its own in each thread."""

    def __init__(self, options):
        self.options = options
        self.own = threading.local()

    def client(self, variant):
        @functools.cache
        def made(protocol, version, tls):
            address, authority = (self.options.https, self.options.authority) if tls else (self.options.http, None)
            return CLIENTS[protocol](VERSIONS[version](address, authority), self.options.limit)
        if not hasattr(self.own, "client"):
            self.own.client = made
        return self.own.client(variant.protocol, variant.version, variant.tls)

    def run(self, variant):
        """Why it failed; None when it passed."""
        client = self.client(variant)
        try:
            checked(variant.case, *client.call(variant.case, variant.codec, variant.compression),
                    variant.protocol == CONNECT)
        except Exception as error:  # pylint: disable=broad-except
            client.close()
            return f"{error}" if isinstance(error, Fault) else traceback.format_exc()
        return None


def run(cases, options):
    found = [variant for case in cases for variant in variants(case)]
    exceptions = {}
    for variant in found:
        if variant.exception:
            exceptions.setdefault(variant.exception, []).append(variant.case.title)
    wanted = [variant for variant in found if not variant.exception]
    with ThreadPoolExecutor(THREADS) as pool:
        faults = list(pool.map(Runner(options).run, wanted))
    for variant, fault in zip(wanted, faults):
        print(f"FAILED {variant.title}: {fault}" if fault else f"passed {variant.title}")
    for reason, titles in exceptions.items():
        print(f"exceptions: {len(titles)} ({', '.join(sorted(set(titles)))}): {reason}")
    passed = [variant for variant, fault in zip(wanted, faults) if not fault]
    bare = sum(variant.case.has_metadata for variant in passed)
    print(f"{bare} of those that passed {METADATA}")
    print(f"{len(passed)} passed, {len(wanted) - len(passed)} failed, {len(found) - len(wanted)} exceptions")
    return len(passed) == len(wanted) and passed


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--http", required=True, help="HOST:PORT of a plain door")
    arguments.add_argument("--https", required=True, help="HOST:PORT of one with TLS")
    arguments.add_argument("--authority", required=True, help="who has signed its certificate")
    arguments.add_argument("--limit", required=True, type=int, help="how many bytes a message may have")
    arguments.add_argument("--suite", help="a folder with the suite's own YAML, to run instead of cases.py")
    options = arguments.parse_args()
    cases = all_cases()
    if options.suite:
        # Only here: it needs PyYAML.
        from official import read_suites, unknown  # pylint: disable=import-outside-toplevel
        own = cases
        cases = read_suites(options.suite)
        for title in unknown(cases, own):
            print(f"note: {title} is not in cases.py")
        for title in unknown(own, cases):
            print(f"note: {title} is only in cases.py")
    sys.exit(0 if run(cases, options) else 1)


main()
