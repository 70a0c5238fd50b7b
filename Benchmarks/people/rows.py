"""Accounts and their pins, written as rows: to hash a password for each would take minutes, and to search for a million
pins hours."""

import base64
import hashlib
import hmac
import os
import subprocess
import time

DAY_MS = 86_400_000
READY = 3
RADIUS_M = 100.0
ACCOUNTS = ("id", "email", "email_key", "first_name", "last_name", "password", "roles", "is_locked", "created_ms")
SESSIONS = (
    "digest", "id", "account", "roles", "device", "address", "created_ms", "used_ms", "expires_ms", "deployment_token")
EVENTS = ("id", "time_ms", "account", "kind", "address", "device")
SUBJECTS = ("name", "version")
PINS = (
    "id", "account", "name", "is_named", "latitude_e7", "longitude_e7", "cell", "radius_m", "state", "generation",
    "created_ms", "version", "state_version")
SEARCHES = ("pin", "network", "generation", "state", "place_count", "is_truncated", "warning", "refusals")
LISTS = ("id", "account", "name", "colour", "created_ms", "pin_count")
LISTED = ("list", "pin", "added_ms")
# As waymark-bench knows it.
LIST = bytes.fromhex("00000000000070008000000000000001")
# Of one account's events, as an owner would find them.
EVENTS_EACH = 20
LOGGED_IN = 2
DONE = 3
LOCAL = "local"


# How many pins of each account are read with its session: of all of them, the list has 50,000.
READ = 50


class People:
    """Made-up accounts "account-0", "account-1", …, each with a session and with pins at the same spots. The profile of
    open mode has as many pins as are read with all sessions, stored among theirs: what is read of both lies equally far
    apart."""

    def __init__(self, key, spots, password_hash, count, user_roles):
        """`spots`: (latitude_e7, longitude_e7, cell) of each pin of an account, and of the profile of open mode."""
        self.key, self.spots, self.hash, self.roles = bytes.fromhex(key), spots, password_hash, user_roles
        self.now = int(time.time() * 1000)
        self.names = [f"account-{number}" for number in range(count)]
        self.tokens = {name: self.token() for name in self.names}
        self.owners = [*self.names, LOCAL]
        self.pins = {name: [os.urandom(16) for _ in spots] for name in self.names}
        self.pins[LOCAL] = [os.urandom(16) for _ in range(count * READ)]

    @property
    def list_size(self):
        return len(self.pins[LOCAL])

    def token(self):
        """As the pin service makes one: 256 random bits, and 128 that show that this deployment has made it."""
        random = os.urandom(32)
        code = hmac.new(self.key, b"wms_" + random, hashlib.sha256).digest()[:16]
        return "wms_" + base64.urlsafe_b64encode(random + code).decode().rstrip("=")

    def tables(self):
        """(table, columns, rows)"""
        now, end = self.now, self.now + DAY_MS
        yield "accounts", ACCOUNTS, (
            (name, f"{name}@example.org", f"{name}@example.org", "Ann", "Tester", self.hash, self.roles, False, now)
            for name in self.names)
        yield "sessions", SESSIONS, (
            (hashlib.sha256(token.encode()).digest(), f"session-{name}", name, self.roles, "bench", "192.0.2.1", now,
             now, end, b"") for name, token in self.tokens.items())
        yield "security_events", EVENTS, (
            (f"{name}-{number}", now - number, name, LOGGED_IN, "192.0.2.1", "bench")
            for name in self.names for number in range(EVENTS_EACH))
        yield "subjects", SUBJECTS, ((name, len(self.pins[name])) for name in self.owners)
        yield "pins", PINS, (
            (pin, name, "Turn 0", True, *self.spots[version % len(self.spots)], RADIUS_M, READY, 1, now + version,
             version, version) for name, version, pin in self.stored())
        # All pins of the profile of open mode are in one list.
        yield "lists", LISTS, [(LIST, LOCAL, "All", 1, now, len(self.pins[LOCAL]))]
        yield "list_pins", LISTED, ((LIST, pin, now + number // 500) for number, pin in enumerate(self.pins[LOCAL]))
        # All have ended: nothing is searched for.
        yield "pin_searches", SEARCHES, (
            (pin, "catalog", 1, DONE, 0, False, "", 0) for _, _, pin in self.stored())

    def stored(self):
        """(owner, version, pin) in the order of the rows."""
        for number, owner in enumerate(self.names):
            for version, pin in enumerate(self.pins[owner], 1):
                yield owner, version, pin
            for version in range(number * READ, (number + 1) * READ):
                yield LOCAL, version + 1, self.pins[LOCAL][version]

    def listed(self, path, names=None):
        """Writes a file for waymark-bench: tokens, each with the ids of pins of its account. Open mode has no token; its
        pins are in the order in which those of the sessions are read."""
        lines = ["token\tpins"]
        for name in names or self.names:
            pins = [self.pins[LOCAL][turn::READ] for turn in range(READ)] if name == LOCAL else [self.pins[name][:READ]]
            pins = [pin for some in pins for pin in some]
            lines.append("\t".join([self.tokens.get(name, ""), *map(text_of, pins)]))
        path.write_text("\n".join(lines) + "\n")
        return path


def text_of(raw):
    text = raw.hex()
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def write_file(database, people):
    """Into a database of SQLite's that no service has open."""
    with database:
        for table, columns, rows in people.tables():
            places = ", ".join("?" * len(columns))
            database.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})", rows)
        database.execute("ANALYZE")


def copied(value):
    """A value in the text that COPY reads."""
    if isinstance(value, bytes):
        return "\\\\x" + value.hex()
    return str(value) if not isinstance(value, bool) else "tf"[not value]


def write_postgres(client, schema, people):
    """`client`: the words of a psql that is let in."""
    script = [f"SET search_path TO {schema};"]
    for table, columns, rows in people.tables():
        script.append(f"COPY {table} ({', '.join(columns)}) FROM STDIN;")
        script += ["\t".join(map(copied, row)) for row in rows]
        script.append("\\.")
    script.append("ANALYZE;\n")
    subprocess.run(client, input="\n".join(script).encode(), check=True, stdout=subprocess.DEVNULL)
