"""Starting, pinning and surely stopping the processes of a measurement."""
import os
import select
import subprocess
import time

from failure import Failure

STOP_LIMIT_S = 30
LONGEST_READ = 1 << 16


class Child:
    """A process of ours that is spoken to in lines.

    Each has its standard input from us: it ends with us, even if we are killed.
    """

    def __init__(self, name, command, core=None, log=None, inherited=(), environment=None):
        self.name = name
        self.unread = b""
        pin = {} if core is None else {"preexec_fn": lambda: os.sched_setaffinity(0, {core})}
        more = {"pass_fds": inherited, "env": os.environ | (environment or {})}
        # A session of its own: Ctrl-C reaches only us, and we stop the others in order.
        self.process = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
            start_new_session=True, **pin, **more)

    @property
    def pid(self):
        return self.process.pid

    def tell(self, line=""):
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Failure(f"{self.name} ended by itself") from None

    def line(self, limit_s):
        """The next line that it prints, without its end."""
        until = time.monotonic() + limit_s
        while b"\n" not in self.unread:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, until - time.monotonic()))
            if not ready:
                raise Failure(f"{self.name} said nothing for {limit_s:.0f} s")
            more = os.read(self.process.stdout.fileno(), LONGEST_READ)
            if not more:
                raise Failure(f"{self.name} ended with {self.process.wait()}")
            self.unread += more
        line, _, self.unread = self.unread.partition(b"\n")
        return line.decode()

    def ask_to_stop(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        if self.process.poll() is None:
            self.process.terminate()

    def wait(self):
        try:
            self.process.wait(STOP_LIMIT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


class Children:
    """Processes that are stopped together, the last one first, however the block ends."""

    def __init__(self):
        self.started = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for child in reversed(self.started):
            child.ask_to_stop()
        for child in reversed(self.started):
            child.wait()
        self.started.clear()

    def start(self, name, command, core=None, log=None, **more):
        child = Child(name, command, core, log, **more)
        self.started.append(child)
        return child
