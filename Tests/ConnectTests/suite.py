"""Runs the cases against the doors of a gateway whose echo does as it is asked, and reports each; see run."""

import argparse
import base64
import sys
import traceback

from cases import CLIENT, FULL, GET, HALF, STATUS, UNARY, all_cases
from client import Client
from messages import Fault, need

STREAMS = ("the method takes a stream of requests: no method of Waymark but those of the echo does, and only a "
           "connection of the RPC carries it")
EXCEPTIONS = {CLIENT: STREAMS, HALF: STREAMS}
METADATA = ("without the headers and trailers that it wants to pass: methods of Waymark have none of their own, and "
            "errors have details of one kind")


def checked(case, outcome, data):
    """Compares what came with what must come."""
    expect, request = case.expect, case.requests[0] if case.requests else None
    code = expect.code if expect else request.error[0] if request.error else None
    need(outcome.code == code, f"the code is {outcome.code} ({outcome.message}), not {code}")
    if expect and expect.status:
        need(outcome.status == expect.status, f"the status is {outcome.status}, not {expect.status}")
    elif code and case.kind in (UNARY, GET) and case.raw is None and not request.size:
        need(outcome.status == STATUS[code], f"the status is {outcome.status}, not {STATUS[code]}")
    if expect:
        return
    if request.error:
        need(outcome.message == request.error[1], f"the message is {outcome.message!r}, not {request.error[1]!r}")
    wanted = list(request.answers)
    if case.kind in (UNARY, GET) and not request.error:
        # One answer comes in any case.
        wanted = wanted[:1] or [b""]
    got = [base64.b64decode(answer.get("data", "")) for answer in outcome.answers]
    need(got == wanted, f"the answers are {got}, not {wanted}")
    if not got:
        return
    first = outcome.answers[0]
    need(first.get("count") == len(data), f"the method got {first.get('count')} bytes, not {len(data)}")
    if "request" in first:
        need(base64.b64decode(first["request"]) == data, "the method got another request")
    need(all("count" not in answer for answer in outcome.answers[1:]), "each answer names the request")
    if case.timeout_ms:
        need(0 < first.get("timeoutMs", 0) <= case.timeout_ms, f"the method has {first.get('timeoutMs')} ms")


def variants(case, doors):
    for codec in case.codecs:
        for compression in case.compressions:
            for tls, door in doors:
                if tls or not case.needs_tls:
                    yield f"{case.suite}/{codec}, {compression}, {'TLS' if tls else 'plain'}/{case.name}", \
                        door, codec, compression


def run(cases, doors):
    passed = bare = failed = 0
    exceptions = {}
    for case in cases:
        if case.kind == FULL:
            # Not over HTTP/1.1.
            continue
        for title, door, codec, compression in variants(case, doors):
            if case.kind in EXCEPTIONS:
                exceptions.setdefault(EXCEPTIONS[case.kind], []).append(case.title)
                continue
            try:
                checked(case, *door.call(case, codec, compression))
            except Exception as error:  # pylint: disable=broad-except
                failed += 1
                door.close()
                print(f"FAILED {title}: {error}")
                if not isinstance(error, Fault):
                    traceback.print_exc(file=sys.stdout)
                continue
            passed += 1
            bare += case.has_metadata
            print(f"passed {title}")
    for reason, titles in exceptions.items():
        print(f"exceptions: {len(titles)} ({', '.join(sorted(set(titles)))}): {reason}")
    left_out = sum(len(titles) for titles in exceptions.values())
    print(f"{bare} of those that passed {METADATA}")
    print(f"{passed} passed, {failed} failed, {left_out} exceptions")
    return failed == 0 and passed > 0


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
    doors = [(False, Client(options.http, limit=options.limit)),
             (True, Client(options.https, options.authority, limit=options.limit))]
    sys.exit(0 if run(cases, doors) else 1)


main()
