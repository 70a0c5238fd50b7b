"""Runs schemathesis against a Waymark of its own. Started by `run`, which has the packages."""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "ClientTests"))

from waymark_system import System, environment, lacks_programs, skipped  # noqa: E402


def outcomes(report):
    """How many operations passed and failed; whatever kept the run from its end counts as one that failed."""
    failed = {name for failure in report["failures"] for name in failure["operations"]}
    broken = sum(error["count"] for error in report["errors"]) + (0 if report["complete"] else 1)
    tested = (report["operations"] or {}).get("tested", 0)
    return max(0, tested - len(failed)), len(failed) + broken


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 31))
    parser.add_argument("--examples", type=int, default=20)
    given, more = parser.parse_known_args()
    missing = lacks_programs()
    if missing:
        return skipped(missing)
    system = System(rate=0)
    try:
        with tempfile.TemporaryDirectory(prefix="waymark-contract-") as folder:
            report = Path(folder, "report.json")
            command = [
                str(Path(sys.executable).with_name("st")), "--config-file", str(HERE / "schemathesis.toml"),
                "run", f"{system.http}/openapi.json", "--seed", str(given.seed), "--max-examples", str(given.examples),
                # An answer of this has no end, and no part of a request could give it one; see EventStreamTests.
                "--exclude-path", "/events",
                "--no-color", "--report-json-path", str(report), *more]
            print(f"seed {given.seed}", flush=True)
            variables = environment({}) | {"SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": str(HERE)}
            status = subprocess.run(command, cwd=folder, env=variables).returncode
            passed, failed = outcomes(json.loads(report.read_text()))
    finally:
        system.stop()
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if status or failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
