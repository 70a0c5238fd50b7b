"""HTTP/2, with frames by the package h2: by prior knowledge, or by ALPN in TLS."""

import socket
import ssl

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions
from http1 import Answer
from messages import envelope_count, need


class HTTP2:
    """A connection that is kept for many calls, one after the other."""

    takes_parts = True

    def __init__(self, address, authority=None):
        self.address = address
        self.context = ssl.create_default_context(cafile=authority) if authority else None
        if self.context:
            self.context.set_alpn_protocols(["h2"])
        self.socket = self.frames = None

    def send(self, verb, path, headers, pieces, is_full=False):
        """With `is_full`, each piece but the first waits for an envelope of the answer to the one before it."""
        self.open()
        call = Call(self, self.frames.get_next_available_stream_id())
        try:
            return call.run(verb, path, headers, pieces, is_full)
        except (OSError, h2.exceptions.ProtocolError):
            self.close()
            raise

    def open(self):
        if self.socket:
            return
        host, port = self.address.rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self.context:
            self.socket = self.context.wrap_socket(self.socket, server_hostname=host)
            need(self.socket.selected_alpn_protocol() == "h2", "the server does not choose h2")
        self.frames = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding="utf-8"))
        self.frames.initiate_connection()

    def flush(self):
        data = self.frames.data_to_send()
        if data:
            self.socket.sendall(data)

    def events(self):
        self.flush()
        data = self.socket.recv(1 << 16)
        need(data, "the connection has ended")
        events = self.frames.receive_data(data)
        self.flush()
        return events

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket = self.frames = None


class Call:
    """One stream of a connection."""

    def __init__(self, connection, stream):
        self.connection, self.frames, self.stream = connection, connection.frames, stream
        self.answer = Answer(0)
        self.is_over = False
        self.has_ended = False
        self.has_sent = False

    def run(self, verb, path, headers, pieces, is_full):
        scheme = "https" if self.connection.context else "http"
        head = [(":method", verb), (":scheme", scheme), (":authority", self.connection.address), (":path", path)]
        head += [(name.lower(), value) for name, value in headers]
        self.has_sent = not pieces
        self.frames.send_headers(self.stream, head, end_stream=self.has_sent)
        for index, piece in enumerate(pieces):
            is_last = index == len(pieces) - 1
            self.write(piece, is_last and not is_full)
            while is_full and not self.is_over and envelope_count(self.answer.body) <= index:
                self.read()
        if not self.has_sent and not self.is_over:
            self.frames.end_stream(self.stream)
            self.has_sent = True
        while not self.is_over:
            self.read()
        if self.has_ended and not self.has_sent:
            # As gRPC's clients do: what is still to be sent would be read by no one.
            self.give_up()
        need(self.answer.status, "there is no answer")
        need(self.has_ended, "the answer was cut off")
        return self.answer

    def give_up(self):
        try:
            self.frames.reset_stream(self.stream, h2.errors.ErrorCodes.CANCEL)
            self.connection.flush()
        except h2.exceptions.ProtocolError:
            # The server has reset it.
            pass

    def write(self, piece, is_last):
        at = 0
        while not self.is_over and (at < len(piece) or is_last and not self.has_sent):
            room = min(self.frames.local_flow_control_window(self.stream), self.frames.max_outbound_frame_size)
            part = piece[at:at + room]
            at += len(part)
            if not part and at < len(piece):
                self.read()
                continue
            self.has_sent = is_last and at == len(piece)
            self.frames.send_data(self.stream, part, end_stream=self.has_sent)
            self.connection.flush()

    def read(self):
        for event in self.connection.events():
            if isinstance(event, h2.events.ConnectionTerminated):
                self.connection.close()
                need(False, f"the connection was ended: {event.error_code} {event.additional_data}")
            if getattr(event, "stream_id", None) == self.stream:
                self.take(event)

    def take(self, event):
        if isinstance(event, h2.events.ResponseReceived):
            fields = dict(event.headers)
            self.answer.status = int(fields.pop(":status"))
            self.answer.headers = fields
        elif isinstance(event, h2.events.DataReceived):
            self.answer.body += event.data
            self.frames.acknowledge_received_data(event.flow_controlled_length, self.stream)
        elif isinstance(event, h2.events.TrailersReceived):
            self.answer.trailers = dict(event.headers)
        elif isinstance(event, h2.events.StreamEnded):
            self.is_over = self.has_ended = True
        elif isinstance(event, h2.events.StreamReset):
            self.is_over = True
            need(self.has_ended, f"the stream was reset: {event.error_code!r}")
