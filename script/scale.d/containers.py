"""Proves on a container engine what docker-compose.scale.yml promises, under constant load through the gateways.

Usage: containers.py --waymark PROGRAM --port PORT --http PORT PORT -- COMPOSE...

COMPOSE is the command of Compose with its files. Prints a line for each step, and ends with 1 at the first that fails.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).parent
BEGAN = time.monotonic()
# Calls a second from beside.
RATE = 50
# What each photo replica has of a processor when pictures are counted: so little that on two processors the gateways
# and the load, which need more than a replica for each picture, are far from their end when three replicas are at
# theirs.
SHARE = 0.08
# What a replica has to use of that, for how long; otherwise something else is at its end, and measured. Of so small a
# quota a fifth and more is lost where a period ends before a thread runs again.
USED = 0.6
SECONDS = 10
# How many ask at once for each replica, at each gateway: as many of each of three as of one, since what comes together
# is answered together, which costs less.
CALLERS = 12
# How many times the pictures of one three then have to give.
GAIN = 2.5
CENTRE = {"latitude": 60.1699, "longitude": 24.9384}


def say(text):
    took = int(time.monotonic() - BEGAN)
    print(f"[{took // 60}:{took % 60:02}] {text}", flush=True)


def fail(text):
    say(f"FAILED: {text}")
    sys.exit(1)


def run(*command, check=True):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if check and done.returncode:
        fail(f"{' '.join(map(str, command))}: {done.stderr[-600:]}")
    return done.stdout.strip()


class Deployment:
    """The containers of one project."""

    def __init__(self, compose):
        self.compose = compose
        self.scales = {"photos": 1, "places": 2, "pins": 2}

    def up(self, **scales):
        self.scales.update(scales)
        counts = [f"--scale={name}={count}" for name, count in self.scales.items()]
        run(*self.compose, "up", "-d", "--no-build", "--no-recreate", *counts)

    def containers(self, service):
        """Those that run."""
        ids = run(*self.compose, "ps", "-q", service).split()
        return [one for one in ids if run("docker", "inspect", "-f", "{{.State.Running}}", one) == "true"]

    def address(self, container):
        form = "{{range $name, $net := .NetworkSettings.Networks}}{{$name}} {{$net.IPAddress}}\n{{end}}"
        for line in run("docker", "inspect", "-f", form, container).splitlines():
            name, _, address = line.partition(" ")
            if name.endswith("_inside"):
                return address
        return fail(f"{container} has no address in the inner network")

    def health(self, container):
        form = "{{if .State.Health}}{{.State.Health.Status}}{{end}}"
        return run("docker", "inspect", "-f", form, container, check=False)

    def await_healthy(self, *services, patience=180):
        end = time.monotonic() + patience
        for service in services:
            for container in self.containers(service):
                while (seen := self.health(container)) != "healthy":
                    if time.monotonic() > end:
                        log = run("docker", "logs", "--tail", "5", container)
                        fail(f"{service} is {seen or 'not there'} after {patience} s: {log}")
                    time.sleep(0.2)

    def calls(self, container):
        """How many calls a service has answered, besides those about its health."""
        with urllib.request.urlopen(f"http://{self.address(container)}:7790/metrics", timeout=10) as answer:
            text = answer.read().decode()
        found = re.findall(r"^waymark_rpc_server_calls_total\{([^}]*)\} (\d+)", text, re.MULTILINE)
        return sum(int(count) for labels, count in found if "rpc.v1" not in labels)

    def processor_seconds(self, container):
        """What its processes have used of processors, as the kernel counts it for their control group."""
        files = "cat /sys/fs/cgroup/cpu.stat /sys/fs/cgroup/cpuacct/cpuacct.usage 2>/dev/null; true"
        text = run("docker", "exec", container, "sh", "-c", files)
        if micros := re.search(r"^usage_usec (\d+)", text, re.MULTILINE):
            return int(micros[1]) / 1e6
        if nanos := re.search(r"^\d+$", text, re.MULTILINE):
            return int(nanos[0]) / 1e9
        return fail(f"the processor time of {container} is not known: {text}")


class Traffic:
    """Constant load, and what it met."""

    def __init__(self, urls):
        self.ticks = tempfile.NamedTemporaryFile(suffix=".ticks")
        command = [sys.executable, "-B", HERE / "traffic.py", *urls, "--rate", str(RATE), "--ticks", self.ticks.name]
        self.began = time.monotonic()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def end(self):
        self.process.terminate()
        self.result = json.loads(self.process.communicate()[0])
        lines = pathlib.Path(self.ticks.name).read_text(encoding="utf-8").splitlines()
        # When it was due and when it ended, in seconds since this began, and why it failed.
        self.failures = [
            (float(at), float(at) + float(ms) / 1000, why)
            for at, ms, _, why in (line.split("\t") for line in lines)
            if why
        ]
        return self.result

    def now(self):
        return time.monotonic() - self.began

    def end_well(self, what):
        result = self.end()
        text = f"{result['calls']:,} calls, {result['changes']:,} changes, p99 {result['p99_ms']} ms"
        if result["failed"] or result["wrong"]:
            fail(f"{what}: {text}; {result['failed']} failed: {result['failures']}; {result['wrong']}")
        say(f"{what}: {text}: none failed, nothing was lost or doubled")

    def end_away(self, what, away, back):
        """All failures are UNAVAILABLE, of calls that ended after the first time, and were due 5 s at most after the
        second."""
        result = self.end()
        text = f"{result['calls']:,} calls, {result['failed']} failed"
        others = [f"{at:.1f} s: {why}" for at, _, why in self.failures if "503" not in why and "branch" not in why]
        late = [f"{at:.1f} s: {why}" for at, end, why in self.failures if end < away - 0.5 or at > back + 5]
        last = max((at for at, *_ in self.failures), default=back) - back
        if others or late or result["wrong"]:
            fail(f"{what}: {text}; away {away:.1f} to {back:.1f} s; {(others + late)[:5]}; {result['wrong']}")
        say(f"{what}: {text}, all UNAVAILABLE, the last {last:.1f} s after it was back; nothing was lost or doubled")


def spread(deployment, patience=60):
    """Each of three photo replicas comes to a quarter of the calls."""
    photos = deployment.containers("photos")
    end = time.monotonic() + patience
    while True:
        before = [deployment.calls(container) for container in photos]
        time.sleep(10)
        counts = [deployment.calls(container) - earlier for container, earlier in zip(photos, before)]
        shares = [round(100 * count / max(1, sum(counts))) for count in counts]
        text = f"{', '.join(map(str, shares))} % of {sum(counts)} calls in ten seconds"
        if len(counts) == 3 and min(shares) >= 25:
            return say(f"1 to 3 photo replicas: {text}")
        if time.monotonic() > end:
            fail(f"the photo replicas have {text}, {patience} s after they came")
        say(f"not shared yet: {text}")


def scaling(deployment, urls):
    traffic = Traffic(urls)
    time.sleep(3)
    deployment.up(photos=3)
    deployment.await_healthy("photos")
    spread(deployment)
    victim = deployment.containers("photos")[0]
    run("docker", "kill", "-s", "KILL", victim)
    say("killed one photo replica")
    time.sleep(5)
    run("docker", "start", victim)
    deployment.await_healthy("photos")
    deployment.up(photos=1)
    say("3 to 1 photo replica")
    time.sleep(5)
    deployment.up(photos=2)
    deployment.await_healthy("photos")
    for service in ("places", "pins", "photos", "gateway", "gateway2"):
        for container in deployment.containers(service):
            run("docker", "restart", "-t", "25", container)
            deployment.await_healthy(service)
    say("restarted every container of every service in turn")
    time.sleep(3)
    traffic.end_well("scaling, a death and a rolling restart")


def database(deployment, urls):
    traffic = Traffic(urls)
    time.sleep(3)
    away = traffic.now()
    run("docker", "restart", "-t", "5", deployment.containers("postgres")[0])
    deployment.await_healthy("postgres")
    back = traffic.now()
    time.sleep(15)
    traffic.end_away("PostgreSQL restarted", away, back)
    traffic = Traffic(urls)
    time.sleep(3)
    away = traffic.now()
    run("docker", "kill", "-s", "KILL", deployment.containers("postgres")[0])
    standby = deployment.containers("standby")[0]
    run("docker", "exec", "-u", "postgres", standby, "pg_ctl", "-D", "/var/lib/postgresql/data", "-w", "promote")
    back = traffic.now()
    time.sleep(15)
    traffic.end_away("PostgreSQL's primary killed and its standby promoted", away, back)


def call(url, method, **fields):
    request = urllib.request.Request(
        f"{url}/waymark.{method}", json.dumps(fields).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


class Firewall:
    """Cuts a container off from all others."""

    def __init__(self, container):
        self.command = ["nsenter", "-t", run("docker", "inspect", "-f", "{{.State.Pid}}", container), "-n", "iptables"]

    def __enter__(self):
        run(*self.command, "-I", "INPUT", "-p", "tcp", "--dport", "8333", "-j", "DROP")

    def __exit__(self, *_):
        run(*self.command, "-D", "INPUT", "-p", "tcp", "--dport", "8333", "-j", "DROP")


def picture(waymark, target, photo, size):
    """The size of a picture that the photo service gives, or why it does not."""
    with tempfile.NamedTemporaryFile() as file:
        done = subprocess.run(
            [waymark, "photo", "get", photo, "--size", size, "-o", file.name, "--timeout", "10s"]
            + ["--target", target],
            capture_output=True,
            text=True,
        )
        return pathlib.Path(file.name).stat().st_size if done.returncode == 0 else done.stderr.strip()


def store(deployment, url, waymark, target, photos):
    kept, other = (photo["id"] for photo in photos[-2:])
    for _ in range(24):
        # Each replica has a copy then: which one answers is drawn.
        if not isinstance(size := picture(waymark, target, kept, "large"), int):
            fail(f"a large picture: {size}")
    with Firewall(deployment.containers("s3")[0]):
        if picture(waymark, target, kept, "large") != size:
            fail(f"a picture with a copy while the store is cut off: {picture(waymark, target, kept, 'large')}")
        missing = picture(waymark, target, other, "large")
        if isinstance(missing, int) or not re.search("UNAVAILABLE|away|deadline|DEADLINE", missing):
            fail(f"a picture without a copy while the store is cut off: {missing}")
        position = {"latitude": 60.1675, "longitude": 24.943}
        pin = call(url, "pins.v1.PinService/CreatePin", position=position, radiusM=300)["pin"]["id"]
        # Its search goes on without the store; the album's pictures wait.
        until(lambda: open_album(url, pin))

    def complete():
        summary = call(url, "photos.v1.PhotoService/GetAlbum", subject=f"pin/{pin}")["album"]["summary"]
        return summary if summary.get("state") == "ALBUM_STATE_COMPLETE" and summary.get("readyCount") else None

    until(complete)

    def made():
        return True if isinstance(picture(waymark, target, other, "large"), int) else None

    # Its job was put off while the store was away.
    until(made)
    say("the store cut off: pictures with copies were served, the others were UNAVAILABLE, and all went on")
    call(url, "pins.v1.PinService/DeletePin", id=pin)


def open_album(url, pin):
    """The album of a pin, once its search has reached the photo service, which may just have come back."""
    try:
        return call(url, "photos.v1.PhotoService/OpenAlbum", subject=f"pin/{pin}")
    except urllib.error.HTTPError as error:
        if error.code in (404, 503):
            return None
        raise


def until(look, patience=60):
    """What `look` gives, as soon as it gives something."""
    end = time.monotonic() + patience
    while (seen := look()) is None:
        if time.monotonic() > end:
            fail(f"{look.__name__} did not happen within {patience} s")
        time.sleep(0.2)
    return seen


def album(url):
    """The photos of a new pin, once their pictures are there: accounts are shown those of their albums."""
    pin = call(url, "pins.v1.PinService/CreatePin", position=CENTRE, radiusM=1000)["pin"]["id"]
    until(lambda: open_album(url, pin))

    def filled():
        answer = call(url, "photos.v1.PhotoService/GetAlbum", subject=f"pin/{pin}")
        return answer["photos"] if answer["album"]["summary"].get("state") == "ALBUM_STATE_COMPLETE" else None

    return until(filled)


def pictures(deployment, urls, photos):
    """Three photo replicas with the same part of a processor each give two and a half times the pictures of one."""
    path = next(photo["thumbnailUrl"] for photo in photos if "thumbnailUrl" in photo)
    addresses = [url + path for url in urls]
    rates = {}
    for count in (1, 3):
        deployment.up(photos=count)
        deployment.await_healthy("photos")
        containers = deployment.containers("photos")
        for container in containers:
            run("docker", "update", "--cpus", str(SHARE), container)
        rates[count] = measured(deployment, addresses, containers)
        for container in containers:
            run("docker", "update", "--cpus", "0", container)
    gain = rates[3] / rates[1]
    if gain < GAIN:
        fail(f"three give {gain:.2f} times the pictures of one")
    say(f"three give {gain:.2f} times the pictures of one")


def measured(deployment, addresses, containers):
    """How many pictures a second replicas give that are at the end of what they have of a processor."""
    callers = CALLERS * len(containers)
    # The gateway keeps none, so each is asked for; a new replica is given its full share after some seconds.
    load(addresses, callers, 12)
    before = [(deployment.calls(container), deployment.processor_seconds(container)) for container in containers]
    rate = load(addresses, callers, SECONDS)
    after = [(deployment.calls(container), deployment.processor_seconds(container)) for container in containers]
    counts = [calls - earlier for (calls, _), (earlier, _) in zip(after, before)]
    used = [(spent - earlier) / SECONDS / SHARE for (_, spent), (_, earlier) in zip(after, before)]
    shares = ", ".join(str(round(100 * one / max(1, sum(counts)))) for one in counts)
    text = (
        f"{len(containers)} photo replicas with {SHARE} of a processor: {rate:,.0f} pictures a second, shares {shares}"
        f" %, of their part each used {', '.join(str(round(100 * one)) for one in used)} %"
    )
    if min(used) < USED:
        fail(f"{text}: the replicas are not what bounds them")
    say(text)
    return rate


def load(addresses, callers, seconds):
    """How many pictures a second are given to those who ask at once at each address."""
    command = ["wrk", "-t1", f"-c{callers}", f"-d{seconds}s", "--timeout", "10s"]
    loads = [subprocess.Popen([*command, address], stdout=subprocess.PIPE, text=True) for address in addresses]
    texts = [one.communicate()[0] for one in loads]
    for text in texts:
        if "Requests/sec" not in text or "Non-2xx" in text or "Socket errors" in text:
            fail(f"pictures: {text}")
    return sum(float(re.search(r"Requests/sec:\s*([\d.]+)", text)[1]) for text in texts)


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--waymark", required=True)
    parser.add_argument("--port", required=True)
    parser.add_argument("--http", nargs=2, required=True)
    parser.add_argument("compose", nargs="+")
    options = parser.parse_args()
    deployment = Deployment(options.compose)
    urls = [f"http://127.0.0.1:{port}" for port in options.http]
    target = f"127.0.0.1:{options.port}"
    deployment.up()
    deployment.await_healthy("postgres", "standby", "s3", "places", "pins", "photos", "gateway", "gateway2")
    say("all are healthy: two of places and pins, one of photos, two gateways, PostgreSQL with a standby, SeaweedFS")
    run(options.waymark, "photo", "scan", "--target", target)
    scaling(deployment, urls)
    photos = album(urls[0])
    pictures(deployment, urls, photos)
    store(deployment, urls[0], options.waymark, target, photos)
    database(deployment, urls)


if __name__ == "__main__":
    main()
