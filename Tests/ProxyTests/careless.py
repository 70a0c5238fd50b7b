"""A server that takes what is in a body for the next request, so that a test shows that it would see one."""

import re
import socketserver
import threading


class Careless(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Requests)
        self.address = self.server_address
        threading.Thread(target=self.serve_forever).start()

    def stop(self):
        self.shutdown()
        self.server_close()


class Requests(socketserver.StreamRequestHandler):
    """Answers each as the gateway would: with its name, and with 404 what is not there."""

    def handle(self):
        head = b""
        for line in self.rfile:
            head += line
            if line == b"\r\n":
                name = re.search(rb"(?im)^X-Request-Id: *(.*?)\r$", head)
                self.answer(head, name[1] if name else b"none")
                head = b""

    def answer(self, head, name):
        status = b"200 OK" if head.startswith(b"GET /openapi.json ") else b"404 Not Found"
        self.wfile.write(b"HTTP/1.1 %s\r\nX-Request-Id: %s\r\nContent-Length: 0\r\n\r\n" % (status, name))
