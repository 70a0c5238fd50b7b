"""Messages of EchoService, envelopes and compression, as a client writes and reads them."""

import base64
import gzip
import json
import zlib

COMPRESSED, END, TRAILERS = 1, 2, 128


class Fault(Exception):
    """What the server has sent is not as the protocol says."""


def need(condition, sentence):
    if not condition:
        raise Fault(sentence)


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out + bytes([number]))


def payload(request, room, is_full=False):
    """The bytes that say how a request is to be answered, with zeros behind them up to a size."""
    if request.is_empty:
        return b"" if request.size is None else filled(b"\0", room + request.size)
    script = {"answers": [base64.b64encode(data).decode() for data in request.answers], "delayMs": request.delay_ms,
              "isFull": is_full}
    if request.error:
        script["error"] = {"code": request.error[0], "message": request.error[1]}
    script = json.dumps(script).encode()
    return script if request.size is None else filled(script, room + request.size)


def filled(script, wanted):
    """With zeros behind it until its message has so many bytes: the field's number and its length stand before it."""
    while 1 + len(varint(len(script))) + len(script) < wanted:
        script += bytes(max(1, wanted - 5 - len(script)))
    return script


def encode(data, codec):
    """An EchoRequest, or an EchoStreamRequest: their payload has the same number."""
    if codec == "json":
        return json.dumps({"payload": base64.b64encode(data).decode()} if data else {}).encode()
    return b"\x0a" + varint(len(data)) + data if data else b""


def decode(message, codec):
    """The payload of an answer, which is JSON itself."""
    if codec == "json":
        data = base64.b64decode(json.loads(message).get("payload", ""))
    else:
        data = field(message)
    return json.loads(data) if data else {}


def field(message):
    """The bytes in field 1 of a packed message."""
    return fields(message).get(1, [b""])[-1]


def fields(message):
    """The values of a packed message of numbers and bytes, by field."""
    found, at = {}, 0
    while at < len(message):
        tag, at = read_varint(message, at)
        value, at = read_varint(message, at)
        if tag & 7:
            need(tag & 7 == 2 and at + value <= len(message), "an answer is no packed message")
            value, at = message[at:at + value], at + value
        found.setdefault(tag >> 3, []).append(value)
    return found


def read_varint(message, at):
    number = shift = 0
    while True:
        need(at < len(message), "an answer is no packed message")
        number |= (message[at] & 127) << shift
        if message[at] < 128:
            return number, at + 1
        at, shift = at + 1, shift + 7


def envelope(flags, message):
    return bytes([flags]) + len(message).to_bytes(4, "big") + message


def envelopes(body):
    found, at = [], 0
    while at < len(body):
        need(at + 5 <= len(body), "an envelope is cut off")
        length = int.from_bytes(body[at + 1:at + 5], "big")
        need(at + 5 + length <= len(body), "a message is shorter than its envelope says")
        found.append((body[at], body[at + 5:at + 5 + length]))
        at += 5 + length
    return found


def envelope_count(body):
    """How many envelopes there are as far as the body has come."""
    count = at = 0
    while at + 5 <= len(body) and at + 5 + int.from_bytes(body[at + 1:at + 5], "big") <= len(body):
        at += 5 + int.from_bytes(body[at + 1:at + 5], "big")
        count += 1
    return count


def packed(message, compression):
    return gzip.compress(message) if compression == "gzip" else message


def unpacked(message, compression):
    need(compression in (None, "", "identity", "gzip"), f"the answer is compressed by {compression}")
    try:
        return gzip.decompress(message) if compression == "gzip" else message
    except (OSError, EOFError, zlib.error) as error:
        raise Fault(f"the answer is not the gzip that it says: {error}") from error
