"""What answers of the gateway are compared with: nginx, which has them as files."""
import os
import socket

from cases import SERVER_CORE
from web_load import Load, Wrk
from windows import Series, Window


class Nginx:
    """nginx with one worker on the servers' core, and each case's answers as files."""

    name = "nginx"

    def __init__(self, web, cases, children):
        self.web, self.cases, self.children = web, cases, children
        self.series = {case: Series("file") for case in cases}
        self.loaders = {}

    def lacks(self, rounds):
        return any(series.lacks(rounds) for series in self.series.values())

    def best(self, case, rounds):
        return self.series[case].summary(rounds)

    def measure(self, others):
        if not self.loaders:
            self.start()
        for case, loader in self.loaders.items():
            others.begin()
            self.series[case].windows.append(Window.parse(loader.measure(), case, others.share()))

    def start(self):
        folder = self.web.folder / f"nginx-{self.cases[0].placement.name}"
        loads = {case: Load(self.write(folder / "files", case)) for case in self.cases}
        with socket.create_server(("127.0.0.1", 0)) as listening:
            port, number = listening.getsockname()[1], listening.fileno()
            (folder / "nginx.conf").write_text(configuration(folder, port))
            with open(folder / "log", "wb") as log:
                # It takes over a socket that is open already, so no port has to be guessed.
                command = ["nginx", "-p", folder, "-c", folder / "nginx.conf", "-e", "stderr"]
                master = self.children.start("nginx", command, SERVER_CORE, log, inherited=[number],
                                             environment={"NGINX": f"{number};"})
        for case, load in loads.items():
            self.loaders[case] = Wrk(self.name, f"127.0.0.1:{port}", load, lambda: family(master.pid), case,
                                     self.web.options, folder)

    def write(self, folder, case):
        (folder / case.name).mkdir(parents=True)
        for number, answer in enumerate(self.web.answers(case)):
            (folder / case.name / f"{number}").write_bytes(answer)
        return [f"/{case.name}/{number}" for number in range(number + 1)]


def configuration(folder, port):
    """nginx as one sets it up for speed: no log, open files kept open, connections for ever."""
    temporary = "".join(f"    {kind}_temp_path {folder}/{kind};\n" for kind in
                        ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    return f"""daemon off;
worker_processes 1;
{"user root;" if os.getuid() == 0 else ""}
pid {folder}/pid;
error_log stderr;
events {{ worker_connections 1024; }}
http {{
{temporary}    access_log off;
    sendfile on;
    tcp_nopush on;
    open_file_cache max=1000;
    keepalive_requests 1000000000;
    default_type application/json;
    server {{
        listen 127.0.0.1:{port};
        root {folder}/files;
    }}
}}
"""


def family(pid):
    """A process and its children."""
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as children:
        return [pid, *map(int, children.read().split())]
