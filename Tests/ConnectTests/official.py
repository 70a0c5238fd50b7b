"""Reads the suite's own files: each is a list of cases, as docs/authoring_test_cases.md there says."""

import base64
import pathlib

import yaml

from cases import (
    CLIENT, CODECS, COMPRESSIONS, CONNECT, FULL, GET, GRPC, GRPC_WEB, HALF, SERVER, UNARY, Case, Expect, Raw, Request)

KINDS = {"UNARY": UNARY, "CLIENT_STREAM": CLIENT, "SERVER_STREAM": SERVER, "HALF_DUPLEX_BIDI_STREAM": HALF,
         "FULL_DUPLEX_BIDI_STREAM": FULL}


def read_suites(folder):
    """The cases for a server."""
    found = []
    for path in sorted(pathlib.Path(folder).glob("*.yaml")):
        suite = yaml.safe_load(path.read_text("utf-8"))
        if suite.get("mode", "TEST_MODE_SERVER") != "TEST_MODE_SERVER":
            continue
        found += [read(case, suite) for case in suite["testCases"]]
    return found


def unknown(cases, others):
    return sorted({case.title for case in cases} - {case.title for case in others})


def names(values, prefix, all_values):
    if not values:
        return all_values
    return tuple(value for value in all_values if f"{prefix}{value.upper()}" in values)


PROTOCOLS = {"PROTOCOL_CONNECT": CONNECT, "PROTOCOL_GRPC": GRPC, "PROTOCOL_GRPC_WEB": GRPC_WEB}


def read(case, suite):
    request = case["request"]
    kind = KINDS[request["streamType"].removeprefix("STREAM_TYPE_")]
    if request.get("useGetHttpMethod"):
        kind = GET
    definitions = [message.get("responseDefinition", {}) for message in request.get("requestMessages", [])]
    raw = raw_request(request)
    if raw is None and request.get("method") == "Unimplemented":
        raw = Raw(path="unknown")
    # Who wants the method to see a header, or to add one.
    has_metadata = bool(request.get("requestHeaders")) or any(
        definition.get("responseHeaders") or definition.get("responseTrailers") for definition in definitions)
    expected = case.get("expectedResponse")
    expect = None
    if expected is not None:
        error = expected.get("error", {})
        others = tuple(code(name) for name in case.get("otherAllowedErrorCodes", []))
        expect = Expect(code(error["code"]) if error else None, others, expected.get("httpStatusCode"))
    return Case(
        suite["name"], request["testName"], kind, messages(case, request), expect, request.get("timeoutMs"), raw,
        names(suite.get("relevantCodecs"), "CODEC_", CODECS),
        names(suite.get("relevantCompressions"), "COMPRESSION_", COMPRESSIONS),
        tuple(PROTOCOLS[name] for name in suite.get("relevantProtocols", PROTOCOLS)),
        suite.get("reliesOnTls", False), has_metadata)


def messages(case, request):
    sizes = [expanded.get("sizeRelativeToLimit") for expanded in case.get("expandRequests", [])]
    found = []
    for index, message in enumerate(request.get("requestMessages", [])):
        definition = message.get("responseDefinition")
        data = (definition or {}).get("responseData", [])
        error = (definition or {}).get("error")
        found.append(Request(
            [base64.b64decode(text) for text in ([data] if isinstance(data, str) else data)],
            (code(error["code"]), error.get("message", "")) if error else None,
            (definition or {}).get("responseDelayMs", 0), sizes[index] if index < len(sizes) else None,
            definition is None))
    return found


def code(name):
    return name.removeprefix("CODE_").lower()


def raw_request(request):
    """Bodies are empty messages there, which need no schema to be packed."""
    raw = request.get("rawRequest")
    if raw is None:
        return None
    headers = [(header["name"].title(), value) for header in raw.get("headers", []) for value in header["value"]]
    path = "unknown" if "Unknown" in raw["uri"] else ""
    items = raw.get("stream", {}).get("items", [])
    is_answered = any("responseDefinition" in item["payload"].get("binary_message", {}) for item in items)
    frames = None
    is_stream = request["streamType"] == "STREAM_TYPE_SERVER_STREAM" or dict(headers)["Content-Type"].startswith(
        "application/grpc")
    if is_stream and not is_answered:
        frames = [(item.get("flags", 0), b"") for item in items]
    body = raw.get("unary", {}).get("binary", "")
    return Raw(raw["verb"], path, headers, frames, base64.b64decode(body) if body else b"")
