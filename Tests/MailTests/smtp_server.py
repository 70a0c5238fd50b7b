"""A mail server for tests, made of aiosmtpd. On its standard output it reports, as lines of JSON, its port and each
message; it ends when its standard input does, or the pipe of another number.

usage: smtp_server.py [--lifeline NUMBER] [--certificate FILE --key FILE [--from-start]] [--user NAME --password TEXT]
    [REPLY...]

REPLY says what the first message gets, the second and so on, the last one all that follow: "ok" (as without any), "4xx"
or "5xx" for the message, "rcpt-4xx" or "rcpt-5xx" for its recipient, "hang" to never answer, "close" to go away once
the message has come. A message that gets no answer is reported as "begun".
"""

import argparse
import asyncio
import base64
import json
import os
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword


def report(event, **more):
    print(json.dumps({"event": event} | more), flush=True)


class Handler:
    def __init__(self, replies):
        self.replies = replies

    def reply(self):
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]

    async def handle_RCPT(self, server, session, envelope, address, options):
        session.reply = self.reply()
        if session.reply.startswith("rcpt-"):
            return f"{session.reply.removeprefix('rcpt-')} it is not taken"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        about = {
            "from": envelope.mail_from, "to": envelope.rcpt_tos, "tls": server.transport.get_extra_info("sslcontext") is not None,
            "user": session.auth_data.decode() if session.authenticated else "", "name": session.host_name,
            "data": base64.b64encode(envelope.original_content).decode(),
        }
        if session.reply == "ok":
            report("message", **about)
            return "250 OK"
        report("begun", **about)
        if session.reply == "hang":
            await asyncio.Event().wait()
        if session.reply == "close":
            server.transport.abort()
        return f"{session.reply} it is not taken"


async def main():
    parser = argparse.ArgumentParser()
    for name in ("certificate", "key", "user", "password"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--lifeline", type=int, default=0)
    parser.add_argument("--from-start", action="store_true")
    parser.add_argument("replies", nargs="*")
    given = parser.parse_args()
    tls = None
    if given.certificate:
        tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        tls.load_cert_chain(given.certificate, given.key)

    def log_in(server, session, envelope, mechanism, data):
        known = LoginPassword((given.user or "").encode(), (given.password or "").encode())
        return AuthResult(success=data == known, auth_data=data.login, handled=False)

    handler = Handler(given.replies or ["ok"])

    def serve():
        return SMTP(
            handler, hostname="mail.test", tls_context=None if given.from_start else tls,
            require_starttls=bool(tls) and not given.from_start, auth_required=bool(given.user),
            auth_require_tls=bool(tls) and not given.from_start, authenticator=log_in)

    loop = asyncio.get_running_loop()
    server = await loop.create_server(serve, "127.0.0.1", 0, ssl=tls if given.from_start else None)
    report("ready", port=server.sockets[0].getsockname()[1])
    await loop.run_in_executor(None, os.read, given.lifeline, 1)


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        pass
