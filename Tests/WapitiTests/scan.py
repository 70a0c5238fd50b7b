"""P30 P32 Runs wapiti against a Waymark of its own. Started by `run`, which has the packages."""

import http.client
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from planted import PlantedServer
from targets import PLAIN, document, requests_of_owner, requests_of_stranger

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "ClientTests"))

from waymark_system import Program, System, Web, lacks_programs, new_pin, ready_photo, skipped  # noqa: E402

# Those that need nothing from elsewhere: log4shell, ssrf and xxe ask a server of wapiti's authors what came to it, and
# those that recognize other people's programs fetch their lists.
MODULES = (
    "backup,cookieflags,crlf,csp,csrf,exec,file,htaccess,http_headers,ldap,permanentxss,redirect,shellshock,"
    "spring4shell,sql,timesql,upload,xss")
# Payloads that name a server name this one, where no one listens.
NOWHERE = "http://127.0.0.1:9/"
# Seconds. A request that takes this long counts as a command that was run, by those modules that tell it so.
LONGEST_REQUEST = 60
LONGEST_CRAWL = 120
LONGEST_MODULE = 300
LONGEST_SCAN = 3600
ACCOUNTS = "waymark.accounts.v1.AccountService"


def findings(address, requests, *more):
    """What wapiti finds: lines for people."""
    with tempfile.TemporaryDirectory(prefix="waymark-wapiti-") as folder:
        report = Path(folder, "report.json")
        Path(folder, "calls.json").write_text(json.dumps(document(address, requests)))
        command = [
            str(Path(sys.executable).with_name("wapiti")), "--url", f"{address}/", "--swagger", f"{folder}/calls.json",
            "--module", MODULES, "--scope", "folder", "--endpoint", NOWHERE, "--timeout", str(LONGEST_REQUEST),
            "--max-scan-time", str(LONGEST_CRAWL), "--max-attack-time", str(LONGEST_MODULE), "--no-bugreport",
            "--store-session", folder, "--store-config", folder, "--format", "json", "--output", str(report)]
        for start in PLAIN:
            command += ["--start", address + start]
        started = time.monotonic()
        done = subprocess.run(
            command + list(more), cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=LONGEST_SCAN)
        print(*[line for line in done.stdout.splitlines() if "time" in line.lower()], sep="\n")
        if done.returncode or not report.exists():
            raise AssertionError(f"wapiti ended with {done.returncode}:\n{done.stdout[-3000:]}")
        found = json.loads(report.read_text())
        asked = found["infos"]["crawled_pages_nbr"]
        print(f"{asked} pages and calls were attacked in {time.monotonic() - started:.0f} s", flush=True)
        assert asked >= len(requests), "wapiti did not attack all calls"
    return [
        f"{kind}: {one['method']} {one['path']}: {one['info']}\n{one['curl_command']}"
        for kinds in ("vulnerabilities", "anomalies") for kind, all_of_it in found[kinds].items() for one in all_of_it]


class Private:
    """A Waymark where one has to log in, and someone who has an account."""

    def __init__(self):
        self.system = System(sign_up="open", rate=0)
        try:
            self.gateway = self.start()
            self.address = "http://" + self.gateway.ready["http"]
            self.headers = {}
            self.session = self.call(f"{ACCOUNTS}/SignUp", {
                "email": "ann@example.org", "password": "correct horse battery", "firstName": "Ann"})["session"]["token"]
            self.headers["Authorization"] = f"Bearer {self.session}"
            pin = new_pin(self.web())
            # Its album is there when one of its photos is.
            ready_photo(self.web(), self.web(), pin)
            self.pin = pin["id"]
        except BaseException:
            self.stop()
            raise

    def start(self):
        folder = Path(self.system.folder.name, "private")
        folder.mkdir()
        # Not on loopback alone, or it would be open.
        words = ["--listen", "0.0.0.0:0", "--http", "127.0.0.1:0", "--data", folder, "--rate", 0]
        words += ["--key-file", Path(self.system.folder.name, "data/key")]
        for name, address in self.system.up.ready["services"].items():
            words += [f"--{name}", address]
        return Program(folder, "gateway", *words)

    def web(self):
        """A connection of its own: one that was idle throughout a scan is closed."""
        connection = http.client.HTTPConnection(self.gateway.ready["http"], timeout=LONGEST_REQUEST)
        return Web(connection, **self.headers)

    def call(self, method, request):
        status, answer = self.web().call(method, request)
        assert status == 200, f"{method} answered {status}: {answer}"
        return answer

    def stop(self):
        if hasattr(self, "gateway"):
            self.gateway.stop()
        self.system.stop()


def planted():
    """wapiti finds what is planted, in a page and in a call."""
    with PlantedServer() as server:
        found = findings(server.address, {"call/echo": {"text": "x"}})
    for kind in ("Reflected Cross Site Scripting", "Open Redirect", "Content Security Policy", "Path Traversal"):
        assert any(kind in one for one in found), f"wapiti did not find {kind} in:\n" + "\n".join(found)


def stranger():
    """Nothing is found by one who has no session."""
    private = Private()
    try:
        found = findings(private.address, requests_of_stranger(private.pin))
    finally:
        private.stop()
    assert not found, "\n".join(found)


def owner():
    """Nothing is found by one who has a session, which holds to the end; all calls are good before they are changed."""
    private = Private()
    try:
        requests = requests_of_owner(private.pin)
        for method, request in requests.items():
            private.call(method, request)
        found = findings(private.address, requests, "--cookie-value", f"waymark_session={private.session}")
        private.call(f"{ACCOUNTS}/GetProfile", {})
    finally:
        private.stop()
    assert not found, "\n".join(found)


def main():
    missing = lacks_programs()
    if missing:
        return skipped(missing)
    tests = {test.__name__: test for test in (planted, stranger, owner)}
    failed = 0
    names = sys.argv[1:] or list(tests)
    for name in names:
        print(f"{name}: {tests[name].__doc__}", flush=True)
        try:
            tests[name]()
        except Exception as failure:  # Each test is to be counted.
            failed += 1
            print(f"error: {name} failed: {failure}", flush=True)
    print(f"{len(names) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
