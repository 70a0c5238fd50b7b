"""A PostgreSQL server with PostGIS and the points in one clustered table."""
from .postgres import Postgres

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
    server = Postgres(machine, SETTINGS)
    server.run(TABLE.format(points=machine.data / "points.tsv"))
    return server
