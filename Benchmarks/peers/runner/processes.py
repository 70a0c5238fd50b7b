"""Starting, pinning and surely stopping the processes of a measurement."""
import ctypes
import os
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

START_LIMIT_S = 120
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None, use_errno=True)


class Machine:
    """The built programs, the data, and every process started here. All of them end with it."""

    def __init__(self, build, placement):
        self.bin, self.data = build.resolve() / "bin", build.resolve() / "data"
        self.python = build.resolve() / "venv" / "bin" / "python"
        self.server_core = 0
        self.client_core = 0 if placement == "onecore" else 1
        self.started = []

    def __enter__(self):
        if self.client_core not in os.sched_getaffinity(0):
            raise SystemExit("two cores are not available here: use --placement onecore")
        self.folder = tempfile.TemporaryDirectory(prefix="waymark-peers-")
        os.chmod(self.folder.name, 0o755)
        return self

    def __exit__(self, *_):
        self.stop_servers()
        self.folder.cleanup()

    def scratch(self, name, user=None):
        """A new directory that only `user` can read."""
        path = Path(tempfile.mkdtemp(prefix=name + "-", dir=self.folder.name))
        if user:
            os.chown(path, user, -1)
        return path

    def serve(self, program, *words, **rest):
        """Starts one of our servers and waits for its `READY port=N`."""
        process = self.start([self.bin / program, *words], stdout=subprocess.PIPE, **rest)
        line = process.stdout.readline().decode()
        if not line.startswith("READY port="):
            raise SystemExit(f"{program} did not start")
        return Server(process, int(line.split("=")[1]))

    def start(self, command, stop_signal=signal.SIGTERM, **rest):
        """Starts a server on its core; it dies with us even if we are killed."""
        def prepare():
            os.sched_setaffinity(0, {self.server_core})
            LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL if stop_signal == signal.SIGTERM else signal.SIGQUIT)

        process = subprocess.Popen([str(w) for w in command], preexec_fn=prepare, start_new_session=True, **rest)
        self.started.append((process, stop_signal))
        return process

    def client(self, program, words, limit_s):
        """Runs a load generator on its core and gives what it printed."""
        def prepare():
            os.sched_setaffinity(0, {self.client_core})
            LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)

        command = [str(w) for w in [self.bin / program, *words]]
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, timeout=limit_s, preexec_fn=prepare)
        except subprocess.TimeoutExpired:
            raise SystemExit(f"{program} did not end within {limit_s:.0f} s") from None
        if done.returncode:
            raise SystemExit(f"{program} failed with {done.returncode}")
        return done.stdout.decode()

    def stop_servers(self):
        for process, stop_signal in self.started:
            if process.poll() is None:
                process.send_signal(stop_signal)
        for process, _ in self.started:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.started.clear()


class Server:
    """A process that listens. `pids` is all that counts as the server's side: itself and what it leans on."""

    def __init__(self, process, port):
        self.port, self.pids = port, [process.pid]


def leave_at_signals():
    """Turns a signal into an exception, so that everything started is stopped on the way out. A second one waits."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

    def leave(number, _):
        for other in numbers:
            signal.signal(other, signal.SIG_IGN)
        raise SystemExit(128 + number)

    for number in numbers:
        signal.signal(number, leave)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(is_ready, process, name):
    """Polls a server that can't report by itself that it is ready."""
    until = time.monotonic() + START_LIMIT_S
    while not is_ready():
        if process.poll() is not None or time.monotonic() > until:
            raise SystemExit(f"{name} did not start")
        time.sleep(0.05)
