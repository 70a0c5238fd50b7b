"""Reads one run's event stream of Swift Testing; prints `passed failed skipped`, and each failure on stderr.

Usage: count.py EVENTS EXIT-STATUS LOG

A test that was announced but neither ended nor was skipped counts as failed: the runner died before or in it.
"""

import json
import os
import re
import sys


def read(path):
    """The records that were written whole; a runner that dies may leave half a line."""
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            try:
                record = json.loads(line)
            except ValueError:
                continue
            yield record["kind"], record["payload"]


def text(event):
    texts = [message["text"].replace("\n", "\n    ") for message in event.get("messages", [])]
    # The text that Swift Testing puts before the message of a recorded issue.
    return "\n    ".join(texts[1:] if texts[0:1] == ["Issue recorded"] and len(texts) > 1 else texts)


def place(issue):
    location = issue.get("sourceLocation")
    return f"{location['fileID']}:{location['line']}: " if location else ""


def last_words(log, most=40):
    """What the runner printed from its first error on, else its last lines."""
    with open(log, encoding="utf-8", errors="replace") as file:
        lines = [line.rstrip() for line in file]
    trouble = re.compile(r"Fatal error|Precondition failed|\*\*\* |Sanitizer: |signal code|^error:")
    first = next((i for i, line in enumerate(lines) if trouble.search(line)), max(0, len(lines) - most))
    return lines[first : first + most]


def sanitizer_reports(log):
    """One line each; a race fails no test by itself."""
    with open(log, encoding="utf-8", errors="replace") as file:
        return sorted({line.strip() for line in file if re.match(r"SUMMARY: \w+Sanitizer: ", line)})


class Run:
    def __init__(self, events):
        self.tests, self.started, self.ended = {}, set(), set()
        self.failures, self.skips = {}, {}
        for kind, payload in events:
            if kind == "test" and payload["kind"] == "function":
                self.tests[payload["id"]] = payload
            elif kind == "event":
                self.take(payload)

    def take(self, event):
        kind, test = event["kind"], event.get("testID")
        if kind == "testStarted":
            self.started.add(test)
        elif kind == "testSkipped":
            self.skips[test] = text(event)
        elif kind == "testEnded":
            self.ended.add(test)
            # A test cancelled while it ran ends with this symbol, and has checked nothing.
            if any(message["symbol"] == "skip" for message in event.get("messages", [])):
                self.skips[test] = text(event)
        elif kind == "issueRecorded" and event["issue"].get("isFailure", not event["issue"]["isKnown"]):
            line = place(event["issue"]) + text(event)
            self.failures.setdefault(test or "the run", []).append(line)

    def unfinished(self):
        return [test for test in self.tests if test not in self.ended and test not in self.skips]


def main():
    events, status, log = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    run = Run(read(events))

    for test in run.unfinished():
        how = "did not end" if test in run.started else "did not start"
        run.failures.setdefault(test, []).append(f"{how}: the runner stopped with exit status {status}")
    failed = {test for test in run.failures if test in run.tests}
    skipped = {test for test in run.skips if test in run.tests} - failed
    passed = len(run.tests) - len(failed) - len(skipped)
    extra = [f"{test}: {line}" for test in run.failures if test not in run.tests for line in run.failures[test]]
    extra += sanitizer_reports(log)
    if status != 0 and not failed and not extra:
        extra.append(f"the runner stopped with exit status {status}")
    if not run.tests:
        extra.append("no test was run")

    for test in sorted(skipped):
        print(f"  skipped: {run.skips[test]}", file=sys.stderr)
    for test in sorted(failed):
        print(f"  FAILED {test}", *run.failures[test], sep="\n    ", file=sys.stderr)
    for line in extra:
        print(f"  FAILED {line}", file=sys.stderr)
    if run.unfinished() or not run.tests or (extra and not failed):
        print("  what the runner printed:", *last_words(log), sep="\n  | ", file=sys.stderr)
    print(passed, len(failed) + len(extra), len(skipped))


main()
