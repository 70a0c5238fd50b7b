"""Bringing a backup back beside `rclone copy` of the same files from the same place: a folder, and a bucket of SeaweedFS.
Both end when all is on the disk. rclone checks what it copies by the hash of each file, as a restore does."""

import json
import os
import shutil
import socket
import statistics
import subprocess
import time
from pathlib import Path

from system import Failure

ROOT = Path(__file__).resolve().parents[2]
KEY, SECRET = "BENCHKEY", "BENCHSECRET"


def programs():
    """The folder of `weed` and `rclone`, as the tests install them."""
    found = subprocess.run([ROOT / "Tests/ObjectStoreTests/servers"], check=True, capture_output=True, text=True)
    return Path(found.stdout.strip())


def free_ports(count):
    """In a row, and free with 10,000 more too, which SeaweedFS takes without being asked."""
    for first in range(12_000, 19_000, 10):
        try:
            for port in range(first, first + count):
                for each in (port, port + 10_000):
                    with socket.socket() as one:
                        one.bind(("127.0.0.1", each))
            return list(range(first, first + count))
        except OSError:
            continue
    raise Failure("there are no free ports")


class Bucket:
    """A SeaweedFS with a bucket `waymark`, that is gone behind the block."""

    def __init__(self, folder):
        self.folder, self.port = Path(folder, "store"), None

    def __enter__(self):
        ports = free_ports(5)
        self.port = ports[0]
        (self.folder / "data").mkdir(parents=True)
        keys = {"identities": [{"name": "bench", "credentials": [{"accessKey": KEY, "secretKey": SECRET}],
                                "actions": ["Admin", "Read", "List", "Tagging", "Write"]}]}
        (self.folder / "keys.json").write_text(json.dumps(keys))
        with open(self.folder / "log", "wb") as log:
            self.process = subprocess.Popen(
                [programs() / "weed", f"-logdir={self.folder}", "mini", f"-dir={self.folder}/data", "-ip=127.0.0.1",
                 "-ip.bind=127.0.0.1", "-bucket=waymark", "-master.telemetry=false", "-webdav=false", "-admin.ui=false",
                 "-s3.port.iceberg=0", "-s3.port.lance=0", f"-s3.port={ports[0]}",
                 f"-s3.config={self.folder}/keys.json", f"-s3.localSocket={self.folder}/s3.sock",
                 f"-filer.localSocket={self.folder}/filer.sock", f"-master.port={ports[1]}",
                 f"-volume.port={ports[2]}", f"-filer.port={ports[3]}", f"-admin.port={ports[4]}"],
                stdout=log, stderr=log, env=os.environ | {"HOME": str(self.folder)})
        end = time.monotonic() + 60
        while b"components are running and ready" not in (self.folder / "log").read_bytes():
            if time.monotonic() > end or self.process.poll() is not None:
                raise Failure(f"SeaweedFS did not start; see {self.folder}/log")
            time.sleep(0.2)
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def address(self, prefix):
        return f"s3://waymark/{prefix}?endpoint=http://127.0.0.1:{self.port}"

    def remote(self, prefix):
        """The same place as rclone names it."""
        return (f":s3,provider=SeaweedFS,access_key_id={KEY},secret_access_key={SECRET},"
                f"endpoint='http://127.0.0.1:{self.port}':waymark/{prefix}")


def rclone(source, target):
    subprocess.run([programs() / "rclone", "copy", "--config=/dev/null", str(source), str(target)], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def timed(folder, copy):
    """Seconds until what was copied into a new folder is on the disk."""
    shutil.rmtree(folder, ignore_errors=True)
    os.sync()
    start = time.monotonic()
    copy(folder)
    subprocess.run(["sync", "-f", folder.parent], check=True)
    return time.monotonic() - start


def figures(options, run, data, folder):
    """Of a data folder on which no service runs."""
    with Bucket(folder) as bucket:
        os.environ |= {"AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET}
        for kind, place, files in (("folder", Path(folder, "place"), Path(folder, "files")),
                                   ("bucket", bucket.address("backups"), bucket.remote("files"))):
            run("backup", "--to", place, "--data", data)
            back, copy = Path(folder, "back"), Path(folder, "copy")
            # What is restored is what rclone copies: without what a backup leaves out.
            _, view = run("restore", "--from", place, "--data", back)
            shutil.copytree(back, files) if kind == "folder" else rclone(back, files)
            restores, copies = [], []
            for _ in range(options.rounds):
                copies.append(timed(copy, lambda target: rclone(files, target)))
                restores.append(timed(back, lambda target: run("restore", "--from", place, "--data", target)))
            for left in (back, copy, *([place, files] if kind == "folder" else [])):
                shutil.rmtree(left)
            restored, copied = statistics.median(restores), statistics.median(copies)
            yield f"restore_{kind}", "brought back, beside rclone copy of the same files; goal 1.2 times", {
                "megabytes": round(view["backup"]["bytes"] / 1e6), "files": view["backup"]["files"],
                "seconds": round(restored, 1), "rclone_seconds": round(copied, 1),
                "times": round(restored / copied, 2)}
