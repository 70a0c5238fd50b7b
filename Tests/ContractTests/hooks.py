"""What schemathesis has to know of Waymark: what no schema can say, and how a stream is asked."""

import json
import re
import struct

import jsonschema_rs
import schemathesis
from schemathesis.core.failures import AcceptedNegativeData
from schemathesis.openapi.checks import RejectedPositiveData

STREAM = "application/connect+json"
# What schemathesis takes a stream's body for: it would send STREAM as plain JSON.
ENVELOPED = "application/x-enveloped"
# By path, what validates a message of the stream.
ANSWERS = {}
# How long a stream may go on, in milliseconds: a watch has no end of its own.
STREAM_MS = 300
# The flag of an envelope with a stream's last message.
LAST = 2

# A request that the schema allows may be refused (400) only with one of these sentences: each follows from more than
# the form of the request.
REASONS = [
    # A token is that of an answer to the same question.
    r"pageToken: .* is not allowed; next_page_token of an answer to the same question is",
    r"fromVersion: \d+ is not allowed; `version` of an answer is",
    r"pageToken: .* is not allowed; <network>/<id there> is",
    # One corner against the other, one field against another.
    r"box\.southWest\.latitude: .* is not allowed; at most that of north_east",
    r"radiusM: .* is not allowed; at most \d+ metres with live_networks are",
    r"radiusM: there must be none with any_distance", r"takenBefore: it is not later than taken_from",
    r"disableNetworks: it names \w+, which enable_networks names too",
    r"albumOnly: a list has no album", r"withNote: there must be none with album_only",
    r"fileName: .* has no known ending", r"columns\.\w+: a (file of this format|GeoJSON file)",
    r"photo\.(author|licence|sourceUrl): it is empty; a photo of \w+ is not shown without it",
    r"photo\.id: .* is not allowed; a scan alone brings photos of the folder",
    r"(photo|record)\.takenOffsetMinutes: it is set without a taken_time",
    # Nothing can be seen of some characters alone; a share leads to one thing.
    r"(name|place): it is missing; ",
    # Base64 of a byte more or less may be as long, with its padding.
    r"challenge: 3[13] bytes are not allowed; 32 are",
    r"pinId: it is missing; the id of a pin, or list_id", r"listId: there must be none with pin_id",
    # A chunk has to fit to the file that was told of, and to what of it is there.
    r"data: the chunk ends behind the \d+ bytes", r"offset: \d+ is not allowed; 0 to \d+, which are stored, are",
    # The limit is a setting of the places service.
    r"byteCount: \d+ is not allowed; 1 to \d+ bytes are",
    # Which codes are good, and whether an invitation is needed, is no matter of form.
    r"(code|invitation): it is not known, was used, or is too old", r"invitation: it is missing",
    # Which login providers there are is a setting, and one of two tokens is needed.
    r"provider: .* is not allowed; (there is none here|.* can be used)", r"formerSession: \d+ bytes are not allowed",
    r"idToken: either this or access_token is needed", r"nonce: \d+ characters are not allowed; 16 or more are",
    r"password: (the e-mail address is not allowed|it is wrong)", r"link: .* is not allowed|link: it is missing",
]


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """A stream's messages are in envelopes, so the document has their schemas beside those of the bodies."""
    for path, operations in raw_schema["paths"].items():
        answer = operations.get("post", {"responses": {}})["responses"].get("200", {}).get("content", {})
        if STREAM in answer:
            asked = operations["post"]["requestBody"]["content"]
            asked[ENVELOPED] = {"schema": asked.pop(STREAM)["schema"]["x-message"]}
            message = answer[STREAM].pop("schema")["x-message"]
            ANSWERS[path] = jsonschema_rs.validator_for(message | {"components": raw_schema["components"]})


@schemathesis.serializer(ENVELOPED)
def enveloped(context, value):
    text = json.dumps(value).encode()
    return struct.pack(">BI", 0, len(text)) + text


@schemathesis.hook
def before_call(context, case, kwargs):
    """Sends a stream as what it is, and ends watches, unless the request is about its deadline."""
    if case.media_type == ENVELOPED:
        case.headers["Content-Type"] = STREAM
        given = str(case.headers.get("Connect-Timeout-Ms", STREAM_MS))
        if re.fullmatch(r"[1-9]\d{0,9}", given):
            case.headers["Connect-Timeout-Ms"] = str(min(int(given), STREAM_MS))


@schemathesis.hook
def filter_failure(context, failure, case, response):
    if isinstance(failure, RejectedPositiveData) and response.status_code == 400:
        return not is_reasoned(response.json())
    if isinstance(failure, AcceptedNegativeData):
        # HTTP ignores header fields that nobody knows.
        if "in header - object with unexpected properties" in failure.message:
            return False
        if case.media_type == ENVELOPED and response.status_code == 200:
            return "error" not in last_message(response)
    return True


@schemathesis.check
def stream_conformance(context, response, case):
    """A stream that is asked for as the schema says is not refused, which its last message would tell; the messages
    before it are as the schema says."""
    if case.media_type != ENVELOPED or response.status_code != 200 or not case.meta:
        return
    for flags, message in envelopes(response.content):
        if not flags & LAST:
            ANSWERS[case.operation.path].validate(message)
    error = last_message(response).get("error", {})
    if case.meta.generation.mode.is_positive and error.get("code") == "invalid_argument":
        assert is_reasoned(error), f"what the schema allows is refused: {error['message']}"


def is_reasoned(error):
    # What can't be done as things are; there is no status of HTTP for this alone.
    message = error.get("message", "")
    # A value that is quoted there may have lines.
    return error.get("code") == "failed_precondition" or any(re.match(each, message, re.DOTALL) for each in REASONS)


def envelopes(content):
    while content:
        flags, count = struct.unpack(">BI", content[:5])
        yield flags, json.loads(content[5:5 + count])
        content = content[5 + count:]


def last_message(response):
    return next((message for flags, message in envelopes(response.content) if flags & LAST), {})
