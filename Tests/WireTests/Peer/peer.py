"""The other side of the wire tests: the same messages, by PyPI's protobuf.

usage: peer.py DESCRIPTOR_SET MESSAGE generate SEED COUNT   random messages
       peer.py DESCRIPTOR_SET MESSAGE exchange INPUT        what Python makes of messages of ours

`generate` prints one message a line: packed in hex, a tab, JSON.
`exchange` reads lines of the same shape, and prints for each: the packed message read and packed again (hex), its
JSON, and the JSON read and packed (hex), with tabs between. Bytes that are refused become "refused".
"""

import json
import math
import random
import sys

from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
from google.protobuf.descriptor import FieldDescriptor as Field

EDGES = {
    Field.TYPE_INT32: (-(2**31), 2**31 - 1),
    Field.TYPE_INT64: (-(2**63), 2**63 - 1),
    Field.TYPE_UINT32: (0, 2**32 - 1),
    Field.TYPE_UINT64: (0, 2**64 - 1),
    Field.TYPE_ENUM: (-8, 8),
}
PIECES = ["", "a", "Å", "ß", "漢字", "🧭", "\0", '"\\/\n\t\x1f', "e\u0301", "\U0010ffff", "\u2028", "x"]


def message_class(path, name):
    with open(path, "rb") as file:
        files = descriptor_pb2.FileDescriptorSet.FromString(file.read())
    pool = descriptor_pool.DescriptorPool()
    for each in files.file:
        pool.Add(each)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(name))


def scalar(rng, field):
    if field.type in EDGES:
        low, high = EDGES[field.type]
        return rng.choice([low, high, 0 if low <= 0 else low, rng.randint(low, high)])
    if field.type == Field.TYPE_BOOL:
        return rng.random() < 0.5
    if field.type == Field.TYPE_DOUBLE:
        return rng.choice([0.0, math.inf, -math.inf, 5e-324, 1.5, rng.uniform(-1e9, 1e9)])
    if field.type == Field.TYPE_FLOAT:
        return rng.choice([0.0, math.inf, 0.5, 1.401298464324817e-45, rng.uniform(-1e6, 1e6)])
    if field.type == Field.TYPE_STRING:
        return "".join(rng.choice(PIECES) for _ in range(rng.randint(0, 12)))
    return rng.randbytes(rng.randint(0, 40))


def fill_time(rng, message):
    nanos = rng.choice([0, rng.randint(0, 999) * 10**6, rng.randint(0, 999999999)])
    if message.DESCRIPTOR.name == "Timestamp":
        message.seconds, message.nanos = rng.randint(-62135596800, 253402300799), nanos
    else:
        sign = rng.choice([-1, 1])
        message.seconds, message.nanos = sign * rng.randint(0, 315576000000 - 1), sign * nanos


def fill(rng, message):
    if message.DESCRIPTOR.file.package == "google.protobuf":
        fill_time(rng, message)
        return
    for field in message.DESCRIPTOR.fields:
        if rng.random() < 0.5:
            continue
        if field.is_repeated:
            for _ in range(rng.randint(1, 5)):
                if field.message_type:
                    fill(rng, getattr(message, field.name).add())
                else:
                    getattr(message, field.name).append(scalar(rng, field))
        elif field.message_type:
            getattr(message, field.name).SetInParent()
            fill(rng, getattr(message, field.name))
        else:
            setattr(message, field.name, scalar(rng, field))


def to_json(message):
    return json.dumps(json.loads(json_format.MessageToJson(message)), ensure_ascii=True)


def line(message):
    return message.SerializeToString(deterministic=True).hex() + "\t" + to_json(message)


def exchanged(kind, text):
    packed, _, said = text.partition("\t")
    try:
        message = kind.FromString(bytes.fromhex(packed))
    except Exception:
        return "refused"
    from_json = json_format.Parse(said, kind())
    return line(message) + "\t" + from_json.SerializeToString(deterministic=True).hex()


def main():
    path, name, mode, *rest = sys.argv[1:]
    kind = message_class(path, name)
    if mode == "generate":
        rng = random.Random(int(rest[0]))
        for _ in range(int(rest[1])):
            message = kind()
            fill(rng, message)
            print(line(message))
    else:
        with open(rest[0], encoding="utf-8", newline="\n") as file:
            for text in file:
                print(exchanged(kind, text.rstrip("\n")))


main()
