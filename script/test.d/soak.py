"""Calls a gateway millions of times and looks whether its memory grows: usage: soak.py BIN_FOLDER [CALLS]

Echoes, 64 outstanding on one connection, and before and after that a thousand connections that come and go. Prints what
was measured; ends with 1 when the memory of the last third of the run is above that of the first.
"""
import json
import secrets
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

WINDOW_S = 5
OUTSTANDING = 64
# What an allocator may keep on the way, far below what a leak of one byte a call would make of ten million calls.
ALLOWED_KB = 4096


def resident_kb(pid):
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


def start(folder, binaries):
    key = folder / "key"
    key.write_text(secrets.token_hex(32) + "\n")
    key.chmod(0o600)
    (folder / "data").mkdir()
    command = [binaries / "gateway", "--listen", "127.0.0.1:0", "--data", folder / "data", "--key-file", key,
               "--http", "none", "--admin", "none", "--lifeline", "0"]
    gateway = subprocess.Popen([str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True)
    return gateway, json.loads(gateway.stdout.readline())["address"]


def come_and_go(address):
    host, port = address.rsplit(":", 1)
    for _ in range(1000):
        with socket.create_connection((host, int(port)), timeout=10) as connection:
            connection.recv(100)


def main():
    binaries, calls = Path(sys.argv[1]), int(sys.argv[2] if len(sys.argv) > 2 else 10_000_000)
    with tempfile.TemporaryDirectory(prefix="waymark-soak-") as folder:
        gateway, address = start(Path(folder), binaries)
        worker = subprocess.Popen(
            [str(binaries / "waymark-bench"), "echo", "--target", address, "--outstanding", str(OUTSTANDING),
             "--seconds", str(WINDOW_S), "--warm-up", "0", "--servers", str(gateway.pid)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        done, errors, sizes = 0, 0, []
        try:
            while done < calls:
                come_and_go(address)
                worker.stdin.write("\n")
                worker.stdin.flush()
                window = json.loads(worker.stdout.readline())
                done += int(window["value"] * WINDOW_S)
                errors += window["errors"]
                sizes.append(resident_kb(gateway.pid))
                print(f"{done:>12,} calls  {sizes[-1]:>8,} KiB", flush=True)
        finally:
            worker.kill()
            gateway.stdin.close()
            gateway.wait(30)
    third = max(1, len(sizes) // 3)
    growth = max(sizes[-third:]) - max(sizes[:third])
    print(f"{done:,} calls, {errors} errors, memory {growth:+,} KiB from the first third to the last")
    sys.exit(1 if errors or growth > ALLOWED_KB else 0)


main()
