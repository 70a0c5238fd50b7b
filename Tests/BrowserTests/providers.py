"""A provider of OpenID Connect that is not ours, as a process, and a Waymark that knows it."""

import json
import os
import subprocess
import urllib.request
from pathlib import Path

from conftest import PLAIN_ADDRESS
from ports import held_port
from server import Server
from waymark_system import PATIENCE_S

CLAIMS = {"sub": "u1", "email": "ann@example.org", "email_verified": True, "name": "Ann Tester"}


class Provider:
    """PyPI's oidc-provider-mock. Anyone who types a name is let in as that."""

    def __init__(self, folder):
        port = held_port()
        self.address = f"http://127.0.0.1:{port}"
        words = [os.environ["OIDC_PROVIDER"], "-p", str(port), "--user-claims", json.dumps(CLAIMS)]
        self.log = open(Path(folder, "provider.log"), "w+b")
        self.process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.PIPE, start_new_session=True)
        try:
            self.await_ready()
        except BaseException:
            self.stop()
            raise

    def await_ready(self):
        for line in self.process.stderr:
            self.log.write(line)
            if b"Uvicorn running" in line:
                return
        raise RuntimeError(f"the provider ended with {self.process.wait(PATIENCE_S)}")

    def claim(self, subject, **claims):
        """What it says of a person from now on."""
        body = json.dumps({"sub": subject} | claims).encode()
        request = urllib.request.Request(
            f"{self.address}/users/{subject}", body, {"Content-Type": "application/json"}, method="PUT")
        urllib.request.urlopen(request, timeout=PATIENCE_S).close()

    def stop(self):
        self.process.terminate()
        self.process.stderr.close()
        self.process.wait(PATIENCE_S)
        self.log.close()


class ServerWithProvider(Server):
    """The map is at another site than the provider, in the eyes of a browser: what comes back is cross-site."""

    def __init__(self, provider, folder, **settings):
        port = held_port()
        entry = {"name": "home", "label": "Home", "issuer": provider.address, "client_id": "waymark",
                 "client_secret_file": "home.secret", "sign_up": True}
        Path(folder, "home.secret").write_text("a secret\n")
        Path(folder, "providers.json").write_text(json.dumps({"providers": [entry]}))
        self.public = f"http://{PLAIN_ADDRESS}:{port}"
        super().__init__(
            http_port=port, public_url=self.public, login_providers=Path(folder, "providers.json"),
            **settings)
        self.address = self.public
