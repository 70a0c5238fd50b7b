"""pgbench with the statements of the pin service: what a client of PostgreSQL reaches that does nothing else."""
import os
import re
import shutil
import subprocess
from pathlib import Path

from .postgres import Postgres, newest_programs

SCRIPTS = Path(__file__).resolve().parents[1] / "src" / "pgbench"
# Of the pin service's eight connections, half write and half read: more calls than that wait.
CONNECTIONS = 4
# Durable, as a server is by default. Listening costs nothing on loopback.
SETTINGS = {"listen_addresses": "127.0.0.1", "shared_buffers": "256MB"}
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
SLACK_S = 60


def start(machine):
    server = Postgres(machine, SETTINGS)
    server.run((SCRIPTS / "schema.sql").read_text())
    return server


def measure(machine, case, server, seconds, warmup):
    """A window as the other load generators report it. pgbench knows whole seconds only."""
    run(machine, case, server, warmup)
    before = server_seconds(server)
    log = machine.scratch("pgbench")
    text, own = run(machine, case, server, seconds, "--log", "--log-prefix", log / "log", "--sampling-rate", "0.1")
    count = int(re.search(r"actually processed: (\d+)", text)[1])
    failed = int(re.search(r"failed transactions: (\d+)", text)[1])
    times = sorted(int(line.split()[2]) for file in log.iterdir() for line in file.read_text().splitlines())
    shutil.rmtree(log)
    return {"value": float(re.search(r"tps = ([\d.]+)", text)[1]), "errors": failed,
            "server_cpu_us": 1e6 * (server_seconds(server) - before) / count, "client_cpu_us": 1e6 * own / count,
            "p50_us": times[len(times) // 2], "p99_us": times[len(times) * 99 // 100]}


def run(machine, case, server, seconds, *words):
    """What pgbench says, and its own processor time."""
    seconds = max(1, round(seconds))
    command = [newest_programs() / "pgbench", "-h", "127.0.0.1", "-p", server.port, "-U", "postgres", "--no-vacuum",
               "--protocol", "prepared", "--client", min(CONNECTIONS, case.outstanding), "--jobs", 1,
               "--time", seconds, "--file", SCRIPTS / f"{case.mode}.sql", *words, "postgres"]
    before = os.times()
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=seconds + SLACK_S,
                          preexec_fn=lambda: os.sched_setaffinity(0, {machine.client_core}))
    if done.returncode:
        raise SystemExit(f"pgbench failed with {done.returncode}: {done.stderr}")
    after = os.times()
    return done.stdout, sum(after[2:4]) - sum(before[2:4])


def server_seconds(server):
    """Processor time of the server, its processes, and those that have ended."""
    children = Path(f"/proc/{server.pids[0]}/task/{server.pids[0]}/children").read_text().split()
    return sum(map(seconds_of, [*server.pids, *children]))


def seconds_of(pid):
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return sum(map(int, fields[11:15])) / TICKS_PER_SECOND
