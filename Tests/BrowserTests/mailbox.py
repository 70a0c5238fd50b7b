"""A mail server for the tests of the map, that no one here wrote (aiosmtpd of Debian), and what came to it."""

import base64
import json
import select
import subprocess
from email import message_from_bytes, policy

from server import ROOT

PATIENCE_S = 60


class Mailbox:
    def __init__(self, *replies):
        words = ["/usr/bin/python3", "-W", "ignore", "-B", ROOT / "Tests/MailTests/smtp_server.py", *replies]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.url = f"smtp://127.0.0.1:{self.line()['port']}"

    def line(self):
        assert select.select([self.process.stdout], [], [], PATIENCE_S)[0], f"no mail came within {PATIENCE_S} s"
        return json.loads(self.process.stdout.readline())

    def message(self):
        """The next message."""
        return message_from_bytes(base64.b64decode(self.line()["data"]), policy=policy.default)

    def is_empty(self):
        return not select.select([self.process.stdout], [], [], 0)[0]

    def stop(self):
        self.process.stdin.close()
        self.process.wait(PATIENCE_S)
        self.process.stdout.close()


def link(message, site):
    """Where the one link with a secret in a message leads, on the map at `site`."""
    [line] = [line for line in message.get_content().splitlines() if "/#/" in line]
    return site + line[line.index("/#/"):]
