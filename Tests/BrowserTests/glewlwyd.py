"""Debian's glewlwyd, an OpenID provider that is not ours, with one client and one person."""

import http.cookiejar
import json
import os
import re
import sqlite3
import subprocess
import urllib.error
import urllib.request
from pathlib import Path

from ports import held_port
from waymark_system import PATIENCE_S

# Where its package is unpacked; by default it is installed.
ROOT = Path(os.environ.get("GLEWLWYD_ROOT", "/"))
PROGRAM = ROOT / "usr/bin/glewlwyd"
SECRET, PASSWORD = "a-secret-of-the-client", "a password of the person"


def lacks_glewlwyd():
    return None if PROGRAM.exists() else f"there is no {PROGRAM} (Debian: apt-get install glewlwyd)"


class Glewlwyd:
    def __init__(self, folder, redirect):
        self.folder, port = Path(folder), held_port()
        self.address = f"http://127.0.0.1:{port}"
        self.issuer = f"{self.address}/api/oidc"
        self.write_database()
        self.write_settings(port)
        libraries = {"LD_LIBRARY_PATH": str(ROOT / "usr/lib/x86_64-linux-gnu")} if ROOT != Path("/") else {}
        self.process = subprocess.Popen(
            [PROGRAM, f"--config-file={self.folder}/glewlwyd.conf"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True, env=os.environ | libraries)
        try:
            self.await_ready()
            self.fill(redirect)
        except BaseException:
            self.stop()
            raise

    def write_database(self):
        script = ROOT / "usr/share/dbconfig-common/data/glewlwyd/install/sqlite3"
        with sqlite3.connect(self.folder / "glewlwyd.db") as database:
            database.executescript(script.read_text())

    def write_settings(self, port):
        """The package's own sample with other paths, for plain http on this machine."""
        packed = ROOT / "usr/share/doc/glewlwyd/glewlwyd.conf.sample.gz"
        text = subprocess.run(["zcat", packed], check=True, capture_output=True, text=True).stdout
        for name, value in {
            "port": port, "external_url": f'"{self.address}"', "cookie_domain": '"127.0.0.1"', "cookie_secure": 0,
            "log_level": '"INFO"', "log_mode": '"console"',
        }.items():
            text = re.sub(rf"(?m)^#? ?{name} ?=.*$", f"{name}={value}", text)
        text = re.sub(r"(?m)^#?bind_address ?=.*$", "", text)
        text = re.sub(r"(?m)^user_middleware_module_path.*$", "", text)
        text = text.replace('"/usr/lib/', f'"{ROOT}/usr/lib/'.replace("//", "/"))
        text = text.replace('"/usr/share/', f'"{ROOT}/usr/share/'.replace("//", "/"))
        text = text.replace("/var/cache/glewlwyd/glewlwyd.db", str(self.folder / "glewlwyd.db"))
        Path(self.folder, "glewlwyd.conf").write_text(f'bind_address="127.0.0.1"\n{text}')

    def await_ready(self):
        lines = []
        for line in self.process.stdout:
            lines.append(line.decode(errors="replace"))
            if b"started on port" in line:
                return
        raise RuntimeError(f"it ended with {self.process.wait(PATIENCE_S)}: {''.join(lines[-10:])}")

    def fill(self, redirect):
        key = subprocess.run(["openssl", "genrsa", "2048"], check=True, capture_output=True, text=True).stdout
        public = subprocess.run(
            ["openssl", "rsa", "-pubout"], input=key, check=True, capture_output=True, text=True).stdout
        admin = self.browser("admin", "password")
        self.ask(admin, "POST", "/mod/plugin/", {
            "module": "oidc", "name": "oidc", "display_name": "t", "enabled": True, "parameters": {
                "iss": self.issuer, "jwt-type": "rsa", "jwt-key-size": "256", "key": key, "cert": public,
                "access-token-duration": 3600, "refresh-token-duration": 1209600, "code-duration": 600,
                "auth-type-code-enabled": True, "auth-type-refresh-enabled": True, "pkce-allowed": True,
                "name-claim": "mandatory", "email-claim": "mandatory",
            }})
        self.ask(admin, "POST", "/client/", {
            "client_id": "waymark", "name": "Waymark", "enabled": True, "confidential": True, "client_secret": SECRET,
            "token_endpoint_auth_method": ["client_secret_basic"],
            "redirect_uri": [redirect], "authorization_type": ["code"], "scope": []})
        self.ask(admin, "POST", "/user/", {
            "username": "ann", "name": "Ann Tester", "email": "ann@example.org", "password": PASSWORD,
            "scope": ["openid", "g_profile"], "enabled": True})

    def browser(self, name, password):
        """One who has logged in there."""
        jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        browser = urllib.request.build_opener(jar, Stay())
        self.ask(browser, "POST", "/auth/", {"username": name, "password": password})
        return browser

    def ask(self, browser, method, path, body):
        request = urllib.request.Request(
            f"{self.address}/api{path}", json.dumps(body).encode(), {"Content-Type": "application/json"}, method=method)
        return browser.open(request, timeout=PATIENCE_S).read()

    def agree(self, address):
        """Where a person is sent back to from the address of a login."""
        browser = self.browser("ann", PASSWORD)
        self.ask(browser, "PUT", "/auth/grant/waymark", {"scope": "openid"})
        try:
            browser.open(f"{address}&g_continue", timeout=PATIENCE_S)
        except urllib.error.HTTPError as answer:
            return answer.headers["Location"]
        raise AssertionError("it does not redirect")

    def stop(self):
        self.process.terminate()
        self.process.stdout.close()
        self.process.wait(PATIENCE_S)


class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args):
        return None
