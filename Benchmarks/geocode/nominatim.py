"""A Nominatim of its own: installed, filled and served here."""
import os
import resource
import socket
import subprocess
import sys
import time
from pathlib import Path

DRIVER = Path(__file__).resolve().parents[1] / "driver"
sys.path += [str(DRIVER), str(DRIVER.parent / "peers")]
from children import Child  # noqa: E402
from failure import Failure  # noqa: E402
from runner.postgres import Postgres  # noqa: E402
from stored import Room  # noqa: E402

VERSION = "5.3.3"
PACKAGES = [f"nominatim-db=={VERSION}", f"nominatim-api=={VERSION}", "falcon==4.4.0", "uvicorn==0.54.0",
            "timezonefinder==6.5.9", "tzdata==2026.6"]
# Nothing is lost that could not be made again, so that it waits for no disk.
SETTINGS = {"listen_addresses": "127.0.0.1", "shared_buffers": "512MB", "fsync": "off", "synchronous_commit": "off"}
IMPORT_LIMIT_S, START_LIMIT_S = 3600, 120
TICKS = os.sysconf("SC_CLK_TCK")


def install(folder):
    """Its programs, into a folder of their own."""
    if not (folder / "bin/nominatim").exists():
        print(f"installing Nominatim {VERSION} into {folder}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([folder / "bin/pip", "install", "-q", "--disable-pip-version-check", *PACKAGES], check=True)
    return folder / "bin/nominatim"


class Nominatim:
    """One with the data of some extracts. What it uses is that of its server and of its database."""

    name = "Nominatim"

    def __init__(self, program, children, build, folder, extracts):
        # The database stops after what leans on it.
        machine = Room(build, "twocores")
        children.started.append(machine)
        self.postgres = Postgres(machine, SETTINGS)
        self.postgres.run('CREATE ROLE "www-data" LOGIN;')
        self.folder = folder / "nominatim"
        self.folder.mkdir()
        self.environment = {
            "NOMINATIM_DATABASE_DSN": f"pgsql:host=127.0.0.1;port={self.postgres.port};dbname=nominatim;user=postgres",
            "NOMINATIM_TOKENIZER": "icu", "NOMINATIM_OSM2PGSQL_BINARY": "/usr/bin/osm2pgsql",
            "PATH": f"{self.postgres.client[0].parent}:{os.environ['PATH']}"}
        self.pids = list(self.postgres.pids)
        before, began = self.used_ever(), time.perf_counter()
        self.run(program, "import", "--threads", 2, *[word for path in extracts for word in ("--osm-file", path)])
        self.import_seconds, self.import_used = time.perf_counter() - began, self.used_ever() - before
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.address = "127.0.0.1:%d" % free.getsockname()[1]
        with open(self.folder / "serve.log", "wb") as log:
            # It writes a line for each answer, and waits when no one reads them.
            server = Child("nominatim", ["sh", "-c", 'exec "$@" >&2', "sh", program, "serve", "--server", self.address,
                                         "--engine", "falcon", "--project-dir", self.folder], 0, log,
                           environment=self.environment)
        children.started.append(server)
        self.pids.append(server.pid)
        self.wait(server)

    def run(self, program, command, *words):
        with open(self.folder / "import.log", "wb") as log:
            done = subprocess.run(list(map(str, [program, command, *words, "--project-dir", self.folder])), stdout=log,
                                  stderr=log, env=os.environ | self.environment, timeout=IMPORT_LIMIT_S)
        if done.returncode:
            last = (self.folder / "import.log").read_text(errors="replace").splitlines()[-10:]
            raise Failure(f"nominatim {command} failed:\n" + "\n".join(last))

    def wait(self, server):
        end = time.monotonic() + START_LIMIT_S
        while time.monotonic() < end and server.process.poll() is None:
            try:
                return socket.create_connection(self.address.split(":"), 1).close()
            except OSError:
                time.sleep(0.1)
        raise Failure("nominatim serve did not start")

    def used_ever(self):
        """Seconds of a processor of the database and of its children, and of what has been run here."""
        fields = Path(f"/proc/{self.postgres.pids[0]}/stat").read_text().rpartition(")")[2].split()
        own = resource.getrusage(resource.RUSAGE_CHILDREN)
        return sum(map(int, fields[11:15])) / TICKS + seconds_of(self.postgres.pids) + own.ru_utime + own.ru_stime


def family(pids):
    """The processes and all that they have started and that run."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found = set(pids)
    while new := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= new
    return found


def seconds_of(pids):
    """Seconds of a processor that these have used, and all that they have started and that run."""
    total = 0
    for pid in family(pids):
        for path in Path(f"/proc/{pid}/task").glob("*/schedstat"):
            try:
                total += int(path.read_text().split()[0])
            except OSError:
                continue
    return total / 1e9
