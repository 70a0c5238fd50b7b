"""How much of the machine is used by processes that are not ours."""
import os
import time

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
# Fields of /proc/PID/stat behind the name (proc(5)).
PARENT, USER_TIME, WAITED_SYSTEM_TIME = 1, 11, 14


class Others:
    """Measures from one call of `share` to the next."""

    def __init__(self):
        self.begin()

    def begin(self):
        self.time, self.seconds = time.monotonic(), used_by_others()

    def share(self):
        """Processor time of others since the last time, in cores: 1 is one core all the time."""
        before = self.time, self.seconds
        self.begin()
        return max(0.0, (self.seconds - before[1]) / max(0.001, self.time - before[0]))


def used_by_others():
    """Seconds of processor time used so far by every process that does not descend from this one.

    Counts what a process has used and what its ended children had: the sum does not change when one ends.
    """
    processes = dict(filter(None, map(status, filter(str.isdigit, os.listdir("/proc")))))
    family = {os.getpid()}
    for pid in processes:
        line = []
        while pid in processes and pid not in family:
            line.append(pid)
            pid = processes[pid][0]
        if pid in family:
            family.update(line)
    return sum(ticks for pid, (_, ticks) in processes.items() if pid not in family) / TICKS_PER_SECOND


def status(pid):
    """(PID, (its parent, its ticks)); None when it has just ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return None
    return int(pid), (int(fields[PARENT]), sum(map(int, fields[USER_TIME:WAITED_SYSTEM_TIME + 1])))
