"""A PostgreSQL cluster of its own with PostGIS and the points in one clustered table."""
import os
import pwd
import signal
import subprocess
from pathlib import Path

from .processes import Server, free_port, wait_for

# No fsync and generous memory: the search is measured, not the disk.
SETTINGS = {
    "listen_addresses": "127.0.0.1", "shared_buffers": "1GB", "work_mem": "32MB", "maintenance_work_mem": "512MB",
    "fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_wal_size": "4GB", "jit": "off",
    "checkpoint_timeout": "1h", "max_parallel_workers_per_gather": "0", "autovacuum": "off",
    "random_page_cost": "1.1", "effective_cache_size": "8GB",
}
TABLE = """
create extension postgis;
create table places (id bigint primary key, name text not null, category text not null,
    lat float8 not null, lon float8 not null,
    g geography(Point, 4326) generated always as (ST_SetSRID(ST_MakePoint(lon, lat), 4326)::geography) stored);
\\copy places (id, name, category, lat, lon) from '{points}' with (format text, header)
create index places_g on places using gist (g);
cluster places using places_g;
vacuum analyze places;
"""


def start(machine):
    programs = newest_programs()
    # PostgreSQL refuses to run as root.
    user = pwd.getpwnam("postgres") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    run_as = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if os.geteuid() == 0 else {}
    cluster, sockets = machine.scratch("postgres", user.pw_uid), machine.scratch("socket", user.pw_uid)
    subprocess.run([programs / "initdb", "-D", cluster, "-U", "postgres", "-A", "trust", "-E", "UTF8",
                    "--locale=C.UTF-8", "--no-sync"], check=True, stdout=subprocess.DEVNULL, cwd="/", **run_as)
    port = free_port()
    settings = [word for name, value in SETTINGS.items() for word in ("-c", f"{name}={value}")]
    process = machine.start([programs / "postgres", "-D", cluster, "-p", port, "-k", sockets, *settings],
                            stop_signal=signal.SIGINT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                            cwd="/", **run_as)
    client = [programs / "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1",
              "-h", "127.0.0.1", "-p", str(port), "-U", "postgres"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    wait_for(lambda: not subprocess.run([*client, "-c", "select 1"], **quiet).returncode, process, "postgres")
    script = TABLE.format(points=machine.data / "points.tsv")
    subprocess.run(client, input=script.encode(), check=True, stdout=subprocess.DEVNULL)
    return Server(process, port)


def newest_programs():
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    if not versions:
        raise SystemExit("no PostgreSQL under /usr/lib/postgresql: run setup")
    return versions[-1]
