"""A PostgreSQL server of its own, in a scratch folder."""
import os
import pwd
import signal
import subprocess
from pathlib import Path

from .processes import Server, free_port, wait_for


class Postgres(Server):
    """`settings` are those of postgresql.conf."""

    def __init__(self, machine, settings):
        programs = newest_programs()
        # PostgreSQL refuses to run as root.
        user = pwd.getpwnam("postgres") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
        run_as = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if os.geteuid() == 0 else {}
        cluster, self.socket = machine.scratch("postgres", user.pw_uid), machine.scratch("socket", user.pw_uid)
        subprocess.run([programs / "initdb", "-D", cluster, "-U", "postgres", "-A", "trust", "-E", "UTF8",
                        "--locale=C.UTF-8", "--no-sync"], check=True, stdout=subprocess.DEVNULL, cwd="/", **run_as)
        port = free_port()
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        process = machine.start([programs / "postgres", "-D", cluster, "-p", port, "-k", self.socket, *words],
                                stop_signal=signal.SIGINT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                cwd="/", **run_as)
        super().__init__(process, port)
        self.client = [programs / "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1",
                       "-h", "127.0.0.1", "-p", str(port), "-U", "postgres"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        wait_for(lambda: not subprocess.run([*self.client, "-c", "select 1"], **quiet).returncode, process, "postgres")

    def run(self, script):
        subprocess.run(self.client, input=script.encode(), check=True, stdout=subprocess.DEVNULL)


def newest_programs():
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    if not versions:
        raise SystemExit("no PostgreSQL under /usr/lib/postgresql: run setup")
    return versions[-1]
