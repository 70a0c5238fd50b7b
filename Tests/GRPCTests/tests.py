"""P37 Clients of gRPC and of HTTP/2. Started by `run`, which has their packages in the PATH."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "ClientTests"))
from interop import Interop  # noqa: F401 (run with the others)
from library import Accounts, Limits, Loop, Served, Stopping, Tokens, Walk  # noqa: F401
from others import BufCurl, ConnectPython, Curl  # noqa: F401
from waymark_system import lacks_programs, run, skipped


# Compiling these takes longer than all others.
if "--long" in sys.argv:
    from cplusplus import CPlusPlus  # noqa: F401
    from golang import Golang  # noqa: F401


def main():
    reason = lacks_programs()
    return skipped(reason) if reason else run(names=[word for word in sys.argv[1:] if word != "--long"])


if __name__ == "__main__":
    sys.exit(main())
