"""A server with weak spots, to see that they are found."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

INDEX = """<!doctype html><title>Planted</title><a href="/search?text=a">search</a> <a href="/away?to=/">away</a>
<a href="/read?file=a.txt">read</a>"""


class Planted(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, text, status=200, **headers):
        body = text.encode()
        self.send_response(status)
        for name, value in {"Content_Type": "text/html", "Content_Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        parts = urlsplit(self.path)
        given = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path == "/search":
            return self.answer(f"<!doctype html><p>Nothing found for {given.get('text', '')}</p>")
        if parts.path == "/away" and given.get("to"):
            return self.answer("", 302, Location=given["to"])
        if parts.path == "/read":
            # As a program would answer that opens what it is asked for.
            return self.answer("root:x:0:0:root:/root:/bin/bash\n" if "etc/passwd" in given.get("file", "") else "a")
        return self.answer(INDEX if parts.path == "/" else "", 200 if parts.path == "/" else 404)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            return self.answer(f"<p>{json.loads(body)['text']}</p>")
        except (ValueError, KeyError, TypeError):
            return self.answer("", 400)

    def log_message(self, *_):
        """Nothing of it is printed."""


class PlantedServer:
    def __enter__(self):
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Planted)
        self.server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()
