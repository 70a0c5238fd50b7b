"""Moving the pins of a data folder to PostgreSQL, beside pg_restore of the same rows into the same server."""

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "peers"))

from runner.postgres import newest_programs  # noqa: E402


class Postgres:
    """A server of its own, as durable as it comes, that is gone behind the block."""

    def __enter__(self):
        self.programs = newest_programs()
        # PostgreSQL refuses to run as root.
        user = pwd.getpwnam("postgres") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
        self.run_as = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if os.geteuid() == 0 else {}
        self.folder = tempfile.mkdtemp()
        os.chown(self.folder, user.pw_uid, user.pw_gid)
        self.run("initdb", "-D", f"{self.folder}/data", "-U", "waymark", "-A", "trust", "-E", "UTF8",
                 "--locale=C.UTF-8")
        self.run("pg_ctl", "-w", "-D", f"{self.folder}/data", "-l", f"{self.folder}/log", "-o",
                 f"-c listen_addresses= -c unix_socket_directories={self.folder} -c max_wal_size=4GB", "start")
        return self

    def __exit__(self, *_):
        self.run("pg_ctl", "-D", f"{self.folder}/data", "-m", "immediate", "stop")
        shutil.rmtree(self.folder)

    def run(self, program, *words):
        subprocess.run([self.programs / program, *words], check=True, stdout=subprocess.DEVNULL, cwd="/",
                       **self.run_as)

    def make(self, database):
        self.run("createdb", "-h", self.folder, "-U", "waymark", database)
        return f"postgresql://waymark@/{database}?host={self.folder}"


def figures(run, data):
    with Postgres() as server:
        moved, again = server.make("moved"), server.make("again")
        seconds, view = run("migrate", "--from", data, "--to", moved)
        server.run("pg_dump", "-Fc", "-f", f"{server.folder}/dump", moved)
        start = time.monotonic()
        server.run("pg_restore", "-d", again, f"{server.folder}/dump")
        restored = time.monotonic() - start
        yield "migrate", "moved to PostgreSQL and compared, beside pg_restore of the same rows; goal 3 times", {
            "rows": view["rowCount"], "seconds": round(seconds, 1), "pg_restore_seconds": round(restored, 1),
            "times": round(seconds / restored, 2)}
