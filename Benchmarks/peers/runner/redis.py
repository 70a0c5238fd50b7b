"""A Redis server of its own, with the points under the key `places`."""
import socket
import subprocess

from .processes import Server, free_port, wait_for

BATCH = 500


def start(machine):
    port = free_port()
    process = machine.start(
        ["redis-server", "--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
         "--dir", machine.scratch("redis"), "--loglevel", "warning"], stdout=subprocess.DEVNULL)
    wait_for(lambda: accepts(port), process, "redis-server")
    load(port, machine.data / "points.tsv")
    return Server(process, port)


def accepts(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def load(port, points):
    with socket.create_connection(("127.0.0.1", port)) as link, open(points, encoding="utf-8") as file:
        replies = link.makefile("rb")
        next(file)
        batch = []
        for line in file:
            place, _, _, lat, lon = line.rstrip("\n").split("\t")
            batch += [lon, lat, place]
            if len(batch) == 3 * BATCH:
                add(link, replies, batch)
                batch = []
        if batch:
            add(link, replies, batch)


def add(link, replies, batch):
    words = ["GEOADD", "places", *batch]
    link.sendall(f"*{len(words)}\r\n".encode() + "".join(f"${len(w)}\r\n{w}\r\n" for w in words).encode())
    reply = replies.readline()
    if reply.strip() != b":%d" % (len(batch) // 3):
        raise SystemExit(f"GEOADD answered {reply!r}")
