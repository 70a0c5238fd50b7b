"""Ports for programs that must be told one before they start."""

import socket

_held = []


def held_port():
    """A port of 127.0.0.1 that is this process's until it ends. The system gives a bound port to no one else, but a
    program that is told its number can listen there, as both set SO_REUSEADDR and only one of them listens."""
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    _held.append(holder)
    return holder.getsockname()[1]
